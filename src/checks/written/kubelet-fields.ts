/**
 * Fields of a kubelet's configuration. The kubelet reads strictly, and where that fails once more without: what it does
 * not know it passes over, with a line in its log, and what is of another type ends it.
 * Source: k8s.io/kubelet/config/v1beta1 types.go (1.31, 1.33, 1.36); pkg/kubelet/kubeletconfig/util/codec/codec.go.
 */
import type { Fields } from '../../kubernetes/json.js';
import { kinds, oddFields, type Shape } from './field-shapes.js';

const AUTHENTICATION: Shape = {
  x509: { clientCAFile: 'text' },
  webhook: { enabled: 'switch', cacheTTL: 'text' },
  anonymous: { enabled: 'switch' },
};
const AUTHORIZATION: Shape = {
  mode: 'text',
  webhook: kinds('text', 'cacheAuthorizedTTL cacheUnauthorizedTTL'),
};
const OUTPUT: Shape = { splitStream: 'switch', infoBufferSize: 'number or text' };
const LOGGING: Shape = {
  format: 'text',
  flushFrequency: 'number or text',
  verbosity: 'number',
  vmodule: 'list',
  options: { text: OUTPUT, json: OUTPUT },
};

const CONFIGURATION: Shape = {
  ...kinds(
    'text',
    'apiVersion kind staticPodPath podLogsDir syncFrequency fileCheckFrequency httpCheckFrequency staticPodURL address ' +
      'tlsCertFile tlsPrivateKeyFile tlsMinVersion imagePullCredentialsVerificationPolicy healthzBindAddress ' +
      'clusterDomain streamingConnectionIdleTimeout nodeStatusUpdateFrequency nodeStatusReportFrequency ' +
      'imageMinimumGCAge imageMaximumGCAge volumeStatsAggPeriod kubeletCgroups systemCgroups cgroupRoot cgroupDriver ' +
      'cpuManagerPolicy cpuManagerReconcilePeriod memoryManagerPolicy topologyManagerPolicy topologyManagerScope ' +
      'runtimeRequestTimeout hairpinMode podCIDR resolvConf cpuCFSQuotaPeriod contentType ' +
      'evictionPressureTransitionPeriod containerLogMaxSize containerLogMonitorInterval ' +
      'configMapAndSecretChangeDetectionStrategy reservedSystemCPUs showHiddenMetricsForVersion systemReservedCgroup ' +
      'kubeReservedCgroup volumePluginDir providerID shutdownGracePeriod shutdownGracePeriodCriticalPods ' +
      'memoryReservationPolicy containerRuntimeEndpoint imageServiceEndpoint',
  ),
  ...kinds(
    'number',
    'port readOnlyPort registryPullQPS registryBurst eventRecordQPS eventBurst healthzPort oomScoreAdj ' +
      'nodeLeaseDurationSeconds imageGCHighThresholdPercent imageGCLowThresholdPercent maxPods podPidsLimit ' +
      'nodeStatusMaxImages maxOpenFiles kubeAPIQPS kubeAPIBurst maxParallelImagePulls evictionMaxPodGracePeriod ' +
      'podsPerCore iptablesMasqueradeBit iptablesDropBit containerLogMaxFiles containerLogMaxWorkers',
  ),
  ...kinds(
    'switch',
    'enableServer rotateCertificates serverTLSBootstrap enableDebuggingHandlers enableContentionProfiling ' +
      'cgroupsPerQOS singleProcessOOMKill runOnce cpuCFSQuota serializeImagePulls mergeDefaultEvictionSettings ' +
      'enableControllerAttachDetach protectKernelDefaults makeIPTablesUtilChains failSwapOn kernelMemcgNotification ' +
      'enableSystemLogHandler enableSystemLogQuery enableProfilingHandler enableDebugFlagsHandler seccompDefault ' +
      'registerNode localStorageCapacityIsolation failCgroupV1',
  ),
  ...kinds('texts', 'tlsCipherSuites clusterDNS enforceNodeAllocatable allowedUnsafeSysctls'),
  ...kinds('texts', 'preloadedImagesVerificationAllowlist'),
  ...kinds(
    'fields',
    'staticPodURLHeader cpuManagerPolicyOptions topologyManagerPolicyOptions qosReserved evictionHard evictionSoft ' +
      'evictionSoftGracePeriod evictionMinimumReclaim featureGates systemReserved kubeReserved tracing userNamespaces ' +
      'crashLoopBackOff',
  ),
  ...kinds('list', 'tlsCurvePreferences shutdownGracePeriodByPodPriority reservedMemory registerWithTaints'),
  memoryThrottlingFactor: 'quotient',
  memorySwap: { swapBehavior: 'text' },
  authentication: AUTHENTICATION,
  authorization: AUTHORIZATION,
  logging: LOGGING,
};

/** What of a kubelet's configuration is no field, or of another type: sentences. */
export const oddKubeletFields = (settings: Fields): readonly string[] => oddFields(settings, CONFIGURATION);

/**
 * The texts that configure kubelets and kube-proxy, as kubeadm stores them: keys sorted, what is not set is a zero
 * value.
 * Source: cmd/kubeadm/app/componentconfigs; kubelet/config/v1beta1; kube-proxy/config/v1alpha1.
 */
import { type Fields, isRecord, record } from '../../kubernetes/json.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { parseYaml } from '../../kubernetes/yaml.js';
import { type Configuration, dnsServiceAddress } from '../configuration.js';
import { durationText, parseDuration } from '../duration.js';
import { goYaml } from '../yaml.js';

/** Lines, or lines of the minors that have the feature. */
type Part = string | readonly [Span, string];
export const linesOf = (minor: number, parts: readonly Part[]): string =>
  parts.flatMap((part) => (typeof part === 'string' ? [part] : inSpan(minor, part[0]) ? [part[1]] : [])).join('\n');

const logging: readonly Part[] = [
  'logging:\n  flushFrequency: 0\n  options:\n    json:\n      infoBufferSize: "0"',
  [{ since: 31 }, '    text:\n      infoBufferSize: "0"'],
  '  verbosity: 0',
];

/**
 * KubeletConfiguration as stored: no defaults filled in. resolvConf was stored up to 1.30.
 * Source: componentconfigs/kubelet.go.
 */
const defaultKubelet = (configuration: Configuration): string =>
  linesOf(configuration.release.minor, [
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    'authentication:\n  anonymous:\n    enabled: false\n  webhook:\n    cacheTTL: 0s\n    enabled: true',
    `  x509:\n    clientCAFile: ${configuration.certificatesDir}/ca.crt`,
    'authorization:\n  mode: Webhook\n  webhook:\n    cacheAuthorizedTTL: 0s\n    cacheUnauthorizedTTL: 0s',
    'cgroupDriver: systemd',
    `clusterDNS:\n- ${dnsServiceAddress(configuration)}\nclusterDomain: ${configuration.dnsDomain}`,
    [{ since: 27 }, 'containerRuntimeEndpoint: ""'],
    'cpuManagerReconcilePeriod: 0s',
    [{ since: 32 }, 'crashLoopBackOff: {}'],
    'evictionPressureTransitionPeriod: 0s\nfileCheckFrequency: 0s\nhealthzBindAddress: 127.0.0.1\nhealthzPort: 10248',
    'httpCheckFrequency: 0s',
    [{ since: 29 }, 'imageMaximumGCAge: 0s'],
    'imageMinimumGCAge: 0s\nkind: KubeletConfiguration',
    ...logging,
    'memorySwap: {}\nnodeStatusReportFrequency: 0s\nnodeStatusUpdateFrequency: 0s',
    [{ until: 30 }, 'resolvConf: /run/systemd/resolve/resolv.conf'],
    'rotateCertificates: true\nruntimeRequestTimeout: 0s\nshutdownGracePeriod: 0s\nshutdownGracePeriodCriticalPods: 0s',
    // apis/kubeadm/v1beta4 DefaultManifestsDir, wherever its own files lie
    'staticPodPath: /etc/kubernetes/manifests',
    'streamingConnectionIdleTimeout: 0s\nsyncFrequency: 0s\nvolumeStatsAggPeriod: 0s',
    '',
  ]);

/** What the user says in place of a default; a duration as Go writes it. */
function over(defaults: Fields, given: Fields): Fields {
  const merged = Object.entries(given).map(([key, value]): [string, unknown] => {
    const before = defaults[key];
    if (isRecord(value) && isRecord(before)) return [key, over(before, value)];
    const milliseconds = before === '0s' && typeof value === 'string' ? parseDuration(value) : undefined;
    return [key, milliseconds === undefined ? value : durationText(milliseconds)];
  });
  return { ...defaults, ...Object.fromEntries(merged) };
}

/** The same as fields; certificates are renewed whatever the user says. Source: componentconfigs/kubelet.go. */
export const kubeletFields = (configuration: Configuration): Fields => ({
  ...over(record(parseYaml(defaultKubelet(configuration))), configuration.kubelet),
  rotateCertificates: true,
});

/** KubeletConfiguration as stored: no defaults filled in but those of kubeadm. */
export const kubeletConfiguration = (configuration: Configuration): string =>
  Object.keys(configuration.kubelet).length === 0
    ? defaultKubelet(configuration)
    : goYaml(kubeletFields(configuration));

/**
 * KubeProxyConfiguration, without a final newline.
 * Source: componentconfigs/kubeproxy.go, phases/addons/proxy/manifests.go.
 */
export const kubeProxyConfiguration = ({ release, podSubnet }: Configuration): string =>
  linesOf(release.minor, [
    'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nbindAddress: 0.0.0.0\nbindAddressHardFail: false',
    'clientConnection:\n  acceptContentTypes: ""\n  burst: 0\n  contentType: ""',
    '  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf\n  qps: 0',
    `clusterCIDR: ${podSubnet ?? '""'}\nconfigSyncPeriod: 0s`,
    'conntrack:\n  maxPerCore: null\n  min: null',
    [{ since: 29 }, '  tcpBeLiberal: false'],
    '  tcpCloseWaitTimeout: null\n  tcpEstablishedTimeout: null',
    [{ since: 29 }, '  udpStreamTimeout: 0s\n  udpTimeout: 0s'],
    'detectLocal:\n  bridgeInterface: ""\n  interfaceNamePrefix: ""\ndetectLocalMode: ""\nenableProfiling: false',
    'healthzBindAddress: ""\nhostnameOverride: ""',
    'iptables:\n  localhostNodePorts: null\n  masqueradeAll: false\n  masqueradeBit: null\n  minSyncPeriod: 0s',
    '  syncPeriod: 0s',
    'ipvs:\n  excludeCIDRs: null\n  minSyncPeriod: 0s\n  scheduler: ""\n  strictARP: false\n  syncPeriod: 0s',
    '  tcpFinTimeout: 0s\n  tcpTimeout: 0s\n  udpTimeout: 0s',
    'kind: KubeProxyConfiguration',
    ...logging.map((part): Part => (typeof part === 'string' ? [{ since: 28 }, part] : part)),
    'metricsBindAddress: ""\nmode: ""',
    [{ since: 29 }, 'nftables:\n  masqueradeAll: false\n  masqueradeBit: null\n  minSyncPeriod: 0s\n  syncPeriod: 0s'],
    'nodePortAddresses: null\noomScoreAdj: null\nportRange: ""\nshowHiddenMetricsForVersion: ""',
    'winkernel:\n  enableDSR: false\n  forwardHealthCheckVip: false\n  networkName: ""\n  rootHnsEndpointName: ""',
    '  sourceVip: ""',
  ]);

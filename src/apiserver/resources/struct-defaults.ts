/**
 * Server-side defaults that hang on a struct wherever it stands (a Probe in a Pod as in a DaemonSet's template). A
 * plain object fills in absent and empty fields; a function says the rest. Source: SetDefaults_* in
 * pkg/apis/{core,apps,batch,networking,storage,…}/v1/defaults.go, and +default tags of k8s.io/api.
 */
import { count, type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import { withDefaults } from './read.js';

export type StructDefault = Fields | ((value: Fields) => Fields);

const ALL_PERMISSIONS_BUT_WRITE = 0o644;
const mode = { defaultMode: ALL_PERMISSIONS_BUT_WRITE };

/**
 * "latest" is pulled always, and no tag means latest unless there is a digest. Source: pkg/util/parsers ParseImageName.
 */
function pullPolicy(image: string): 'Always' | 'IfNotPresent' {
  const [reference = '', digest] = image.split('@');
  const tag = /:([^/:]+)$/.exec(reference)?.[1];
  if (tag !== undefined) return tag === 'latest' ? 'Always' : 'IfNotPresent';
  return digest === undefined ? 'Always' : 'IfNotPresent';
}

const container = (value: Fields): Fields =>
  withDefaults(value, {
    imagePullPolicy: pullPolicy(text(value.image)),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });

const sameRollingUpdate =
  (type: string, inner: Fields, field = 'type') =>
  (strategy: Fields): Fields => {
    const chosen = text(strategy[field]) || type;
    return chosen === type
      ? { ...strategy, [field]: chosen, rollingUpdate: withDefaults(record(strategy.rollingUpdate), inner) }
      : { ...strategy, [field]: chosen };
  };

const webhook = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

const deviceRequest = (value: Fields): Fields => {
  const allocationMode = text(value.allocationMode) || 'ExactCount';
  return {
    ...value,
    allocationMode,
    ...(allocationMode === 'ExactCount' && count(value.count) === 0 ? { count: 1 } : {}),
  };
};

const volumeSources = (volume: Fields): boolean => Object.keys(volume).some((field) => field !== 'name');

const SCALE_UP = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
const SCALE_DOWN = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] };

/** By the struct's name in the schema data. */
export const structDefaults: Readonly<Record<string, StructDefault>> = {
  'core.v1.PodSpec': {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  },
  'core.v1.Container': container,
  'core.v1.EphemeralContainer': container,
  'core.v1.ContainerPort': { protocol: 'TCP' },
  'core.v1.Probe': (probe) => ({
    ...probe,
    timeoutSeconds: count(probe.timeoutSeconds) || 1,
    periodSeconds: count(probe.periodSeconds) || 10,
    successThreshold: count(probe.successThreshold) || 1,
    failureThreshold: count(probe.failureThreshold) || 3,
  }),
  'core.v1.HTTPGetAction': { path: '/', scheme: 'HTTP' },
  'core.v1.GRPCAction': (action) => (action.service === undefined ? { ...action, service: '' } : action),
  'core.v1.ObjectFieldSelector': { apiVersion: 'v1' },
  'core.v1.ImageVolumeSource': (source) => withDefaults(source, { pullPolicy: pullPolicy(text(source.reference)) }),
  'core.v1.Volume': (volume) => (volumeSources(volume) ? volume : { ...volume, emptyDir: {} }),
  'core.v1.SecretVolumeSource': mode,
  'core.v1.ConfigMapVolumeSource': mode,
  'core.v1.DownwardAPIVolumeSource': mode,
  'core.v1.ProjectedVolumeSource': mode,
  'core.v1.ServiceAccountTokenProjection': { expirationSeconds: 3600 },
  'core.v1.HostPathVolumeSource': (source) => (source.type === undefined ? { ...source, type: '' } : source),
  'core.v1.RBDVolumeSource': { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  'core.v1.RBDPersistentVolumeSource': { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  'core.v1.ISCSIVolumeSource': { iscsiInterface: 'default' },
  'core.v1.ISCSIPersistentVolumeSource': { iscsiInterface: 'default' },
  'core.v1.AzureDiskVolumeSource': { cachingMode: 'ReadWrite', fsType: 'ext4', readOnly: false, kind: 'Shared' },
  'core.v1.ScaleIOVolumeSource': { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  'core.v1.ScaleIOPersistentVolumeSource': { storageMode: 'ThinProvisioned', fsType: 'xfs' },
  'core.v1.PersistentVolumeClaimSpec': { volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeSpec': { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
  'core.v1.PersistentVolumeClaimStatus': { phase: 'Pending' },
  'core.v1.PersistentVolumeStatus': { phase: 'Pending' },
  'core.v1.EndpointPort': { protocol: 'TCP' },
  'core.v1.LimitRangeItem': (item) => {
    if (item.type !== 'Container') return item;
    const limits = { ...record(item.max), ...record(item.default) };
    const requests = { ...record(item.min), ...limits, ...record(item.defaultRequest) };
    return {
      ...item,
      ...(Object.keys(limits).length === 0 ? {} : { default: limits }),
      ...(Object.keys(requests).length === 0 ? {} : { defaultRequest: requests }),
    };
  },

  'apps.v1.DeploymentSpec': { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 },
  'apps.v1.DeploymentStrategy': sameRollingUpdate('RollingUpdate', { maxUnavailable: '25%', maxSurge: '25%' }),
  'apps.v1.DaemonSetSpec': { revisionHistoryLimit: 10 },
  'apps.v1.DaemonSetUpdateStrategy': sameRollingUpdate('RollingUpdate', { maxUnavailable: 1, maxSurge: 0 }),
  'apps.v1.ReplicaSetSpec': { replicas: 1 },
  'apps.v1.StatefulSetSpec': (value) => ({
    ...withDefaults(value, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 }),
    persistentVolumeClaimRetentionPolicy: withDefaults(record(value.persistentVolumeClaimRetentionPolicy), {
      whenDeleted: 'Retain',
      whenScaled: 'Retain',
    }),
  }),
  'apps.v1.StatefulSetUpdateStrategy': (strategy) => {
    const type = text(strategy.type);
    const rolling = type === '' ? record(strategy.rollingUpdate) : strategy.rollingUpdate;
    const chosen = { ...strategy, type: type || 'RollingUpdate' };
    return chosen.type === 'RollingUpdate' && isRecord(rolling)
      ? { ...chosen, rollingUpdate: withDefaults(rolling, { partition: 0 }) }
      : chosen;
  },
  'core.v1.ReplicationControllerSpec': { replicas: 1 },

  'batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  },
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': { status: 'True' },

  'autoscaling.v1.HorizontalPodAutoscalerSpec': { minReplicas: 1 },
  'autoscaling.v2.HorizontalPodAutoscalerSpec': (value) => {
    const behavior = isRecord(value.behavior)
      ? {
          behavior: {
            scaleUp: { ...SCALE_UP, ...record(value.behavior.scaleUp) },
            scaleDown: { ...SCALE_DOWN, ...record(value.behavior.scaleDown) },
          },
        }
      : {};
    const cpu = {
      type: 'Resource',
      resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
    };
    return {
      ...withDefaults(value, { minReplicas: 1 }),
      metrics: records(value.metrics).length === 0 ? [cpu] : value.metrics,
      ...behavior,
    };
  },

  'networking.v1.NetworkPolicyPort': { protocol: 'TCP' },
  'networking.v1.NetworkPolicySpec': (value) =>
    records(value.policyTypes).length > 0
      ? value
      : { ...value, policyTypes: records(value.egress).length === 0 ? ['Ingress'] : ['Ingress', 'Egress'] },
  'networking.v1.IngressClassParametersReference': { scope: 'Cluster' },
  'discovery.v1.EndpointPort': (port) => ({ ...port, name: port.name ?? '', protocol: port.protocol ?? 'TCP' }),

  'storage.v1.StorageClass': { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' },
  'storage.v1.CSIDriverSpec': {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    volumeLifecycleModes: ['Persistent'],
    requiresRepublish: false,
    seLinuxMount: false,
  },
  'scheduling.v1.PriorityClass': { preemptionPolicy: 'PreemptLowerPriority' },

  'admissionregistration.v1.ValidatingWebhook': webhook,
  'admissionregistration.v1.MutatingWebhook': { ...webhook, reinvocationPolicy: 'Never' },
  'admissionregistration.v1.RuleWithOperations': { scope: '*' },
  'admissionregistration.v1.NamedRuleWithOperations': { scope: '*' },
  'admissionregistration.v1.ServiceReference': { port: 443 },
  'apiextensions.v1.ServiceReference': { port: 443 },
  'apiregistration.v1.ServiceReference': { port: 443 },
  'admissionregistration.v1.ValidatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.MutatingAdmissionPolicySpec': { failurePolicy: 'Fail' },
  'admissionregistration.v1.MatchResources': { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} },

  'resource.v1.ExactDeviceRequest': deviceRequest,
  'resource.v1.DeviceSubRequest': deviceRequest,
};

/**
 * Every stored kind as discovery names it, and the part of its behaviour that is data. Source: the discovery documents
 * of a Kubernetes 1.36 API server; zz_generated.prerelease-lifecycle.go of k8s.io/api for the minor in which a version
 * came; AllowCreateOnUpdate, AllowUnconditionalUpdate, PrepareForCreate and the ValidateName of each kind's registry
 * strategy.go and validation.go.
 */
import type { Lifetime } from '../resource-definition.js';

export interface KindRow extends Lifetime {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Struct in the schema data. */
  readonly struct: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  /** Has a status that only its subresource writes. */
  readonly status: boolean;
  /** Counts changes of the spec in metadata.generation. */
  readonly generation: boolean;
  /** The minor from which on it does. */
  readonly generationSince?: number;
  readonly createOnUpdate: boolean;
  readonly unconditionalUpdate: boolean;
  readonly name: 'subdomain' | 'label' | '1035' | 'path-segment';
}

type Options = Partial<Omit<KindRow, 'group' | 'version' | 'resource' | 'kind' | 'namespaced' | 'struct'>>;

const ORDINARY = {
  shortNames: [],
  categories: [],
  status: false,
  generation: false,
  createOnUpdate: false,
  unconditionalUpdate: true,
  name: 'subdomain',
} as const;

/** Rows of one apiVersion: [kind, resource, options], `+` before the resource: namespaced. */
const group = (
  apiVersion: string,
  package_: string,
  rows: readonly (readonly [string, string, Options?])[],
  lifetime: Lifetime = {},
): readonly KindRow[] => {
  const [version = '', name = ''] = apiVersion.split('/').reverse();
  return rows.map(([kind, resource, options = {}]) => ({
    ...ORDINARY,
    group: name,
    version,
    resource: resource.replace('+', ''),
    kind,
    namespaced: resource.startsWith('+'),
    struct: `${package_}.${version}.${kind}`,
    ...lifetime,
    ...options,
  }));
};

const ALL = { categories: ['all'] } as const;
const EXTENSIONS = { categories: ['api-extensions'] } as const;
const SPEC_STATUS = { status: true, generation: true } as const;
const RBAC = { createOnUpdate: true, name: 'path-segment' } as const;
const WEBHOOK = { ...EXTENSIONS, generation: true, unconditionalUpdate: false } as const;

/** In the order of discovery: groups by priority, resources by name. */
export const kinds: readonly KindRow[] = [
  ...group('v1', 'core', [
    ['ConfigMap', '+configmaps', { shortNames: ['cm'] }],
    ['Endpoints', '+endpoints', { shortNames: ['ep'], createOnUpdate: true }],
    ['Event', '+events', { shortNames: ['ev'], createOnUpdate: true }],
    ['LimitRange', '+limitranges', { shortNames: ['limits'], createOnUpdate: true }],
    ['Namespace', 'namespaces', { shortNames: ['ns'], status: true, name: 'label' }],
    ['Node', 'nodes', { shortNames: ['no'], status: true }],
    ['PersistentVolumeClaim', '+persistentvolumeclaims', { shortNames: ['pvc'], status: true }],
    ['PersistentVolume', 'persistentvolumes', { shortNames: ['pv'], status: true }],
    ['Pod', '+pods', { shortNames: ['po'], ...ALL, ...SPEC_STATUS, generationSince: 33 }],
    ['PodTemplate', '+podtemplates', { generation: true }],
    ['ReplicationController', '+replicationcontrollers', { shortNames: ['rc'], ...ALL, ...SPEC_STATUS }],
    ['ResourceQuota', '+resourcequotas', { shortNames: ['quota'], status: true }],
    ['Secret', '+secrets'],
    ['ServiceAccount', '+serviceaccounts', { shortNames: ['sa'] }],
    ['Service', '+services', { shortNames: ['svc'], ...ALL, status: true, createOnUpdate: true, name: 'label' }],
  ]),
  ...group('apiregistration.k8s.io/v1', 'apiregistration', [
    ['APIService', 'apiservices', { ...EXTENSIONS, status: true, unconditionalUpdate: false, name: 'path-segment' }],
  ]),
  ...group('apps/v1', 'apps', [
    ['ControllerRevision', '+controllerrevisions'],
    ['DaemonSet', '+daemonsets', { shortNames: ['ds'], ...ALL, ...SPEC_STATUS }],
    ['Deployment', '+deployments', { shortNames: ['deploy'], ...ALL, ...SPEC_STATUS }],
    ['ReplicaSet', '+replicasets', { shortNames: ['rs'], ...ALL, ...SPEC_STATUS }],
    ['StatefulSet', '+statefulsets', { shortNames: ['sts'], ...ALL, ...SPEC_STATUS }],
  ]),
  ...group('events.k8s.io/v1', 'events', [['Event', '+events', { shortNames: ['ev'], createOnUpdate: true }]]),
  ...group('autoscaling/v2', 'autoscaling', [
    ['HorizontalPodAutoscaler', '+horizontalpodautoscalers', { shortNames: ['hpa'], ...ALL, status: true }],
  ]),
  ...group('autoscaling/v1', 'autoscaling', [
    ['HorizontalPodAutoscaler', '+horizontalpodautoscalers', { shortNames: ['hpa'], ...ALL, status: true }],
  ]),
  ...group('batch/v1', 'batch', [
    ['CronJob', '+cronjobs', { shortNames: ['cj'], ...ALL, ...SPEC_STATUS }],
    ['Job', '+jobs', { ...ALL, ...SPEC_STATUS }],
  ]),
  ...group('networking.k8s.io/v1', 'networking', [
    ['IngressClass', 'ingressclasses', { generation: true }],
    ['Ingress', '+ingresses', { shortNames: ['ing'], ...SPEC_STATUS }],
    ['IPAddress', 'ipaddresses', { shortNames: ['ip'], since: 33 }],
    ['NetworkPolicy', '+networkpolicies', { shortNames: ['netpol'], generation: true }],
    ['ServiceCIDR', 'servicecidrs', { status: true, since: 33 }],
  ]),
  ...group('policy/v1', 'policy', [
    [
      'PodDisruptionBudget',
      '+poddisruptionbudgets',
      { shortNames: ['pdb'], ...SPEC_STATUS, unconditionalUpdate: false },
    ],
  ]),
  ...group('rbac.authorization.k8s.io/v1', 'rbac', [
    ['ClusterRoleBinding', 'clusterrolebindings', RBAC],
    ['ClusterRole', 'clusterroles', RBAC],
    ['RoleBinding', '+rolebindings', RBAC],
    ['Role', '+roles', RBAC],
  ]),
  ...group('storage.k8s.io/v1', 'storage', [
    ['CSIDriver', 'csidrivers', { unconditionalUpdate: false }],
    ['CSINode', 'csinodes', { unconditionalUpdate: false }],
    ['CSIStorageCapacity', '+csistoragecapacities', { unconditionalUpdate: false }],
    ['StorageClass', 'storageclasses', { shortNames: ['sc'] }],
    ['VolumeAttachment', 'volumeattachments', { status: true, unconditionalUpdate: false }],
    ['VolumeAttributesClass', 'volumeattributesclasses', { shortNames: ['vac'], since: 34 }],
  ]),
  ...group('admissionregistration.k8s.io/v1', 'admissionregistration', [
    ['MutatingAdmissionPolicy', 'mutatingadmissionpolicies', { ...WEBHOOK, since: 36 }],
    ['MutatingAdmissionPolicyBinding', 'mutatingadmissionpolicybindings', { ...WEBHOOK, since: 36 }],
    ['MutatingWebhookConfiguration', 'mutatingwebhookconfigurations', WEBHOOK],
    ['ValidatingAdmissionPolicy', 'validatingadmissionpolicies', { ...WEBHOOK, status: true, since: 30 }],
    ['ValidatingAdmissionPolicyBinding', 'validatingadmissionpolicybindings', { ...WEBHOOK, since: 30 }],
    ['ValidatingWebhookConfiguration', 'validatingwebhookconfigurations', WEBHOOK],
  ]),
  ...group('apiextensions.k8s.io/v1', 'apiextensions', [
    [
      'CustomResourceDefinition',
      'customresourcedefinitions',
      { shortNames: ['crd', 'crds'], ...EXTENSIONS, ...SPEC_STATUS, unconditionalUpdate: false },
    ],
  ]),
  ...group('scheduling.k8s.io/v1', 'scheduling', [
    ['PriorityClass', 'priorityclasses', { shortNames: ['pc'], generation: true }],
  ]),
  ...group('coordination.k8s.io/v1', 'coordination', [
    ['Lease', '+leases', { createOnUpdate: true, unconditionalUpdate: false }],
  ]),
  ...group('node.k8s.io/v1', 'node', [
    ['RuntimeClass', 'runtimeclasses', { createOnUpdate: true, unconditionalUpdate: false }],
  ]),
  ...group('discovery.k8s.io/v1', 'discovery', [['EndpointSlice', '+endpointslices', { generation: true }]]),
  ...group(
    'resource.k8s.io/v1',
    'resource',
    [
      ['DeviceClass', 'deviceclasses', { generation: true }],
      ['ResourceClaim', '+resourceclaims', { status: true }],
      ['ResourceClaimTemplate', '+resourceclaimtemplates'],
      ['ResourceSlice', 'resourceslices', { generation: true }],
    ],
    { since: 34 },
  ),
  ...group(
    'flowcontrol.apiserver.k8s.io/v1',
    'flowcontrol',
    [
      ['FlowSchema', 'flowschemas', SPEC_STATUS],
      ['PriorityLevelConfiguration', 'prioritylevelconfigurations', SPEC_STATUS],
    ],
    { since: 29 },
  ),
];

/** Groups and versions in the order of /apis; those without a stored kind included. */
export const groupOrder: readonly string[] = [
  'v1',
  'apiregistration.k8s.io/v1',
  'apps/v1',
  'events.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'autoscaling/v2',
  'autoscaling/v1',
  'batch/v1',
  'certificates.k8s.io/v1',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'storage.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'coordination.k8s.io/v1',
  'node.k8s.io/v1',
  'discovery.k8s.io/v1',
  'resource.k8s.io/v1',
  'flowcontrol.apiserver.k8s.io/v1',
];

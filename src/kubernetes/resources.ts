/** API resources and their paths. Source: apimachinery, runtime/schema; apiserver, pkg/endpoints. */

/** group "" is the core group. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** All of them are served as v1. */
const of = (group: string, resource: string, kind: string, namespaced: boolean): Resource => ({
  group,
  version: 'v1',
  resource,
  kind,
  namespaced,
});
const RBAC = 'rbac.authorization.k8s.io';
const ADMISSION = 'admissionregistration.k8s.io';
const FLOW = 'flowcontrol.apiserver.k8s.io';

/** The resources that joinproof's own questions use; the reference serves more. */
export const resources = {
  namespaces: of('', 'namespaces', 'Namespace', false),
  nodes: of('', 'nodes', 'Node', false),
  secrets: of('', 'secrets', 'Secret', true),
  configMaps: of('', 'configmaps', 'ConfigMap', true),
  pods: of('', 'pods', 'Pod', true),
  persistentVolumes: of('', 'persistentvolumes', 'PersistentVolume', false),
  services: of('', 'services', 'Service', true),
  serviceAccounts: of('', 'serviceaccounts', 'ServiceAccount', true),
  events: of('', 'events', 'Event', true),
  roles: of(RBAC, 'roles', 'Role', true),
  roleBindings: of(RBAC, 'rolebindings', 'RoleBinding', true),
  clusterRoles: of(RBAC, 'clusterroles', 'ClusterRole', false),
  clusterRoleBindings: of(RBAC, 'clusterrolebindings', 'ClusterRoleBinding', false),
  certificateSigningRequests: of(
    'certificates.k8s.io',
    'certificatesigningrequests',
    'CertificateSigningRequest',
    false,
  ),
  mutatingWebhookConfigurations: of(ADMISSION, 'mutatingwebhookconfigurations', 'MutatingWebhookConfiguration', false),
  validatingWebhookConfigurations: of(
    ADMISSION,
    'validatingwebhookconfigurations',
    'ValidatingWebhookConfiguration',
    false,
  ),
  validatingAdmissionPolicies: of(ADMISSION, 'validatingadmissionpolicies', 'ValidatingAdmissionPolicy', false),
  validatingAdmissionPolicyBindings: of(
    ADMISSION,
    'validatingadmissionpolicybindings',
    'ValidatingAdmissionPolicyBinding',
    false,
  ),
  mutatingAdmissionPolicies: of(ADMISSION, 'mutatingadmissionpolicies', 'MutatingAdmissionPolicy', false),
  mutatingAdmissionPolicyBindings: of(
    ADMISSION,
    'mutatingadmissionpolicybindings',
    'MutatingAdmissionPolicyBinding',
    false,
  ),
  endpoints: of('', 'endpoints', 'Endpoints', true),
  podTemplates: of('', 'podtemplates', 'PodTemplate', true),
  replicationControllers: of('', 'replicationcontrollers', 'ReplicationController', true),
  persistentVolumeClaims: of('', 'persistentvolumeclaims', 'PersistentVolumeClaim', true),
  ingresses: of('networking.k8s.io', 'ingresses', 'Ingress', true),
  ingressClasses: of('networking.k8s.io', 'ingressclasses', 'IngressClass', false),
  networkPolicies: of('networking.k8s.io', 'networkpolicies', 'NetworkPolicy', true),
  podDisruptionBudgets: of('policy', 'poddisruptionbudgets', 'PodDisruptionBudget', true),
  storageClasses: of('storage.k8s.io', 'storageclasses', 'StorageClass', false),
  priorityClasses: of('scheduling.k8s.io', 'priorityclasses', 'PriorityClass', false),
  customResourceDefinitions: of('apiextensions.k8s.io', 'customresourcedefinitions', 'CustomResourceDefinition', false),
  endpointSlices: of('discovery.k8s.io', 'endpointslices', 'EndpointSlice', true),
  flowSchemas: of(FLOW, 'flowschemas', 'FlowSchema', false),
  priorityLevelConfigurations: of(FLOW, 'prioritylevelconfigurations', 'PriorityLevelConfiguration', false),
  resourceQuotas: of('', 'resourcequotas', 'ResourceQuota', true),
  limitRanges: of('', 'limitranges', 'LimitRange', true),
  horizontalPodAutoscalers: of('autoscaling', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', true),
  runtimeClasses: of('node.k8s.io', 'runtimeclasses', 'RuntimeClass', false),
  csiDrivers: of('storage.k8s.io', 'csidrivers', 'CSIDriver', false),
  csiNodes: of('storage.k8s.io', 'csinodes', 'CSINode', false),
  volumeAttachments: of('storage.k8s.io', 'volumeattachments', 'VolumeAttachment', false),
  apiServices: of('apiregistration.k8s.io', 'apiservices', 'APIService', false),
  leases: of('coordination.k8s.io', 'leases', 'Lease', true),
  deployments: of('apps', 'deployments', 'Deployment', true),
  daemonSets: of('apps', 'daemonsets', 'DaemonSet', true),
  statefulSets: of('apps', 'statefulsets', 'StatefulSet', true),
  replicaSets: of('apps', 'replicasets', 'ReplicaSet', true),
  controllerRevisions: of('apps', 'controllerrevisions', 'ControllerRevision', true),
  cronJobs: of('batch', 'cronjobs', 'CronJob', true),
  jobs: of('batch', 'jobs', 'Job', true),
  selfSubjectReviews: of('authentication.k8s.io', 'selfsubjectreviews', 'SelfSubjectReview', false),
  tokenReviews: of('authentication.k8s.io', 'tokenreviews', 'TokenReview', false),
  subjectAccessReviews: of('authorization.k8s.io', 'subjectaccessreviews', 'SubjectAccessReview', false),
  selfSubjectAccessReviews: of('authorization.k8s.io', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', false),
  selfSubjectRulesReviews: of('authorization.k8s.io', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview', false),
} as const satisfies Record<string, Resource>;

/**
 * The resource of a kind; undefined where it is none of those above. Kinds of the same name in two groups are not among
 * them.
 */
export const resourceOfKind = (kind: string | undefined): Resource | undefined =>
  Object.values(resources).find((resource) => resource.kind === kind);

/** apiVersion as objects write it: "v1" or "group/version". */
export const apiVersionOf = (resource: Pick<Resource, 'group' | 'version'>): string =>
  resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;

/** The group of an apiVersion; '': the core. */
export const groupOf = (apiVersion: string): string =>
  apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';

/**
 * The URL path of a collection (no name) or of one object, with an optional subresource. Segments are percent-encoded.
 */
export function pathOf(
  resource: Resource,
  at: { namespace?: string | undefined; name?: string; subresource?: string } = {},
): string {
  const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.group}/${resource.version}`;
  const scope =
    resource.namespaced && at.namespace !== undefined ? `/namespaces/${encodeURIComponent(at.namespace)}` : '';
  const name = at.name === undefined ? '' : `/${encodeURIComponent(at.name)}`;
  const sub = at.subresource === undefined ? '' : `/${at.subresource}`;
  return `${root}${scope}/${resource.resource}${name}${sub}`;
}

/**
 * The requests by which machines join, and what admission sees of each: who asks, for what, and as far as it is known
 * what the object says.
 * Source: pkg/kubelet/certificate/bootstrap, pkg/kubelet/kubelet_node_status.go, pkg/kubelet/nodelease of component-helpers;
 * pkg/controller/certificates; controller-manager/pkg/clientbuilder; cmd/kubeadm/app/cmd/join.go.
 */
import { isRecord, record, records, text, textMap, texts } from '../../kubernetes/json.js';
import {
  accountGroups,
  accountUser,
  BOOTSTRAP_USER_PREFIX,
  CLUSTER_INFO,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_NODES,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  TOKEN_SECRET_PREFIX,
  TOKEN_SECRET_TYPE,
} from '../../kubernetes/names.js';
import { ABSENT, Begun, type Known, type Opinion, opinionsOf, type Scope, UNKNOWN, type Value, Whole } from './cel.js';

export type Labels = Readonly<Record<string, string>>;
/** Labels of namespaces, by their names. */
export type NamespaceLabels = Readonly<Record<string, Labels>>;

export interface JoiningRequest {
  readonly operation: string;
  readonly group: string;
  /** With its subresource. */
  readonly resource: string;
  /** '' at the cluster scope. */
  readonly namespace: string;
  /** Only webhooks are held to let it through: expressions see no reviews, and who may write tokens is a choice. */
  readonly ofWebhooks?: true;
  readonly user: Known;
  /** null: it is deleted. */
  readonly object: Known | null;
  readonly oldObject?: Known;
}

/** All of them are in the group of everybody who is somebody. */
const user = (username: Value, ...groups: readonly Value[]): Known => ({
  username,
  groups: [...groups, GROUP_AUTHENTICATED],
});
/** A token may carry other groups. */
const BOOTSTRAPPER = user(new Begun(BOOTSTRAP_USER_PREFIX), GROUP_BOOTSTRAPPERS, new Begun(`${GROUP_BOOTSTRAPPERS}:`));
const SCHEDULER = user('system:kube-scheduler');
const NODE = user(new Begun(NODE_USER_PREFIX), GROUP_NODES);
const MANAGER = user('system:kube-controller-manager');
function controller(name: string): Known {
  const account = { namespace: KUBE_SYSTEM, name };
  return user(accountUser(account), ...accountGroups(account));
}

/** Nobody labels what a kubelet asks for. */
const UNLABELLED = { labels: ABSENT, annotations: ABSENT, finalizers: ABSENT } as const;
/** What stands in no namespace. */
const CLUSTER_WIDE = { namespace: ABSENT } as const;
/** Of a kubelet that joins. */
const ASKED: Known = {
  metadata: { ...UNLABELLED, ...CLUSTER_WIDE },
  // no kubelet asks for a time. Source: pkg/kubelet/certificate/bootstrap/bootstrap.go requestNodeCertificate
  spec: { signerName: SIGNER_KUBELET_CLIENT, expirationSeconds: ABSENT },
};
/** What somebody may have changed in the meantime. */
const LATER: Known = { metadata: CLUSTER_WIDE, spec: ASKED.spec ?? UNKNOWN };
const NAMELESS: Known = { metadata: CLUSTER_WIDE };
const within = (namespace: string): Known => ({ metadata: { namespace } });
const TOKEN: Known = {
  type: TOKEN_SECRET_TYPE,
  metadata: { namespace: KUBE_SYSTEM, name: new Begun(TOKEN_SECRET_PREFIX) },
};
/**
 * A token of an account, for so many seconds.
 * Source: controller-manager, pkg/clientbuilder/client_builder_dynamic.go defaultExpirationSeconds;
 * pkg/serviceaccount/claims.go WarnOnlyBoundTokenExpirationSeconds, which Pods ask for.
 */
const lasting = (expirationSeconds: number): Known => ({ spec: { expirationSeconds } });
/** What changes the network of a machine. Source: cmd/kubeadm/app/phases/addons/proxy/manifests.go. */
const OF_PROXIES: Known = {
  hostNetwork: true,
  hostPID: ABSENT,
  hostIPC: ABSENT,
  initContainers: ABSENT,
  ephemeralContainers: ABSENT,
  containers: [{ securityContext: new Whole({ privileged: true }) }],
  volumes: [
    { configMap: {}, hostPath: ABSENT },
    { hostPath: { path: '/run/xtables.lock' } },
    { hostPath: { path: '/lib/modules' } },
  ],
};
/** It may be anybody. */
const SOMEBODY: Known = {};

const CERTIFICATES = 'certificates.k8s.io';
const LEASES = 'coordination.k8s.io';
const OF_LEASES = 'kube-node-lease';

const request = (
  what: string,
  asked: Pick<JoiningRequest, 'user' | 'object'> & Partial<JoiningRequest>,
): JoiningRequest => {
  const [operation = '', path = '', group = ''] = what.split(' ');
  return { operation, group, resource: path, namespace: '', ...asked };
};

/** What is done for a machine that joins, by itself or by the controllers. */
export const JOINING: readonly JoiningRequest[] = [
  request(`CREATE certificatesigningrequests ${CERTIFICATES}`, { user: BOOTSTRAPPER, object: ASKED }),
  request(`UPDATE certificatesigningrequests/approval ${CERTIFICATES}`, {
    user: controller('certificate-controller'),
    object: LATER,
  }),
  request(`UPDATE certificatesigningrequests/status ${CERTIFICATES}`, {
    user: controller('certificate-controller'),
    object: LATER,
  }),
  // Source: pkg/kubeapiserver/admission/exclusion/resources.go
  request('CREATE subjectaccessreviews authorization.k8s.io', {
    user: controller('certificate-controller'),
    object: {},
    ofWebhooks: true,
  }),
  request('CREATE nodes', { user: NODE, object: NAMELESS }),
  request('UPDATE nodes/status', { user: NODE, object: NAMELESS }),
  // its addresses for Pods
  request('UPDATE nodes', { user: controller('node-controller'), object: NAMELESS }),
  request(`CREATE leases ${LEASES}`, {
    user: NODE,
    object: { metadata: { ...UNLABELLED, namespace: OF_LEASES } },
    namespace: OF_LEASES,
  }),
  request(`UPDATE leases ${LEASES}`, { user: NODE, object: within(OF_LEASES), namespace: OF_LEASES }),
  // a kubelet ends without. Source: pkg/volume/csi/csi_plugin.go initializeCSINode
  request('CREATE csinodes storage.k8s.io', { user: NODE, object: NAMELESS }),
  // without, no controller has a credential
  request('CREATE serviceaccounts/token', { user: MANAGER, object: lasting(3600), namespace: KUBE_SYSTEM }),
  // and without, no Pod of kube-proxy starts
  request('CREATE serviceaccounts/token', { user: NODE, object: lasting(3607), namespace: KUBE_SYSTEM }),
  // the signatures
  request('UPDATE configmaps', {
    user: controller('bootstrap-signer'),
    object: { metadata: { name: CLUSTER_INFO, namespace: KUBE_PUBLIC } },
    namespace: KUBE_PUBLIC,
  }),
  // what is configured, and whom API servers believe: kubeadm and kube-apiserver write it
  request('UPDATE configmaps', {
    user: SOMEBODY,
    object: within(KUBE_SYSTEM),
    namespace: KUBE_SYSTEM,
    ofWebhooks: true,
  }),
  // without kube-proxy and a network no Node gets ready
  request('CREATE pods', {
    user: controller('daemon-set-controller'),
    object: { ...within(KUBE_SYSTEM), spec: OF_PROXIES },
    namespace: KUBE_SYSTEM,
  }),
  request('CREATE pods/binding', {
    user: SCHEDULER,
    object: within(KUBE_SYSTEM),
    namespace: KUBE_SYSTEM,
  }),
  // tokens come
  request('CREATE secrets', { user: SOMEBODY, object: TOKEN, namespace: KUBE_SYSTEM, ofWebhooks: true }),
  // and go
  request('DELETE secrets', {
    user: controller('token-cleaner'),
    object: null,
    oldObject: TOKEN,
    namespace: KUBE_SYSTEM,
  }),
];

/** What every kubelet gives its Node. Source: pkg/kubelet/kubelet_node_status.go initialNode. */
const OF_KUBELETS = [
  'kubernetes.io/hostname',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];
const GIVEN_BY_KUBELETS: Known = {
  ...Object.fromEntries(OF_KUBELETS.map((key) => [key, new Begun('')])),
  'kubernetes.io/os': 'linux',
};

/**
 * A request as machines may make it: of labels that nobody told a kubelet, and of those that the workers have which
 * there are. Nothing is known of a cluster without any.
 */
export function variantsOf(asked: JoiningRequest, workers: readonly Labels[]): readonly JoiningRequest[] {
  if (asked.resource !== 'nodes' || workers.length === 0) return [asked];
  return [GIVEN_BY_KUBELETS, ...workers].map((labels) => ({
    ...asked,
    object: { metadata: { ...CLUSTER_WIDE, labels: new Whole(labels) } },
  }));
}

/** Namespaces that joining writes to. */
export const NAMESPACES_OF_JOINING: readonly string[] = [
  ...new Set(JOINING.flatMap(({ namespace }) => (namespace === '' ? [] : [namespace]))),
].sort();

const KINDS: Readonly<Record<string, string>> = {
  certificatesigningrequests: 'CertificateSigningRequest',
  subjectaccessreviews: 'SubjectAccessReview',
  nodes: 'Node',
  leases: 'Lease',
  csinodes: 'CSINode',
  'serviceaccounts/token': 'TokenRequest',
  configmaps: 'ConfigMap',
  pods: 'Pod',
  'pods/binding': 'Binding',
  secrets: 'Secret',
};

/** What expressions of a policy may name. Source: apiserver, pkg/admission/plugin/cel/activation.go. */
export function scopeOf(asked: JoiningRequest, labels: NamespaceLabels): Scope {
  const { operation, group, namespace, user: userInfo, object, oldObject } = asked;
  const [resource = '', subResource = ''] = asked.resource.split('/');
  const kind = KINDS[asked.resource] ?? KINDS[resource] ?? UNKNOWN;
  const groupVersionKind: Known = {
    group: resource === 'serviceaccounts' ? 'authentication.k8s.io' : group,
    version: 'v1',
    kind,
  };
  const groupVersionResource = { group, version: 'v1', resource };
  const request: Known = {
    operation,
    kind: groupVersionKind,
    resource: groupVersionResource,
    subResource,
    requestKind: groupVersionKind,
    requestResource: groupVersionResource,
    requestSubResource: subResource,
    namespace,
    userInfo,
    dryRun: false,
  };
  const space: Value =
    namespace === '' ? null : { metadata: { name: namespace, labels: labels[namespace] ?? UNKNOWN } };
  return {
    request,
    object: object === null ? null : { ...object, kind },
    oldObject: operation === 'CREATE' ? null : oldObject === undefined ? UNKNOWN : { ...oldObject, kind },
    namespaceObject: space,
  };
}

const names = (given: unknown, wanted: string): boolean => texts(given).some((one) => one === '*' || one === wanted);

/** A resource, with or without a subresource; a star stands for any, but alone for no subresource. */
function namesResource(given: unknown, wanted: string): boolean {
  const [resource = '', subresource = ''] = wanted.split('/');
  return texts(given).some((one) => {
    const [first = '', second = ''] = one.split('/');
    return (first === '*' || first === resource) && (second === '*' || second === subresource);
  });
}

export type Matched = Pick<JoiningRequest, 'operation' | 'group' | 'resource' | 'namespace'>;

/** Do rules of a webhook or a policy name a request? */
export const isNamedBy = (rules: unknown, { operation, group, resource, namespace }: Matched): boolean =>
  records(rules).some(
    ({ operations, apiGroups, apiVersions, resources, scope }) =>
      names(operations, operation) &&
      names(apiGroups, group) &&
      names(apiVersions, 'v1') &&
      namesResource(resources, resource) &&
      ['', '*', namespace === '' ? 'Cluster' : 'Namespaced'].includes(text(scope)),
  );

/** Does a label selector pick what has these labels? One that says what nobody knows picks nothing. */
export function picks(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels, matchExpressions } = record(selector);
  return (
    Object.entries(textMap(matchLabels)).every(([key, value]) => labels[key] === value) &&
    records(matchExpressions).every(({ key, operator, values }) => {
      const held = Object.hasOwn(labels, text(key)) ? labels[text(key)] : undefined;
      if (operator === 'Exists') return held !== undefined;
      if (operator === 'DoesNotExist') return held === undefined;
      if (operator === 'In') return held !== undefined && texts(values).includes(held);
      return operator === 'NotIn' && (held === undefined || !texts(values).includes(held));
    })
  );
}

/** A kubelet gives its Node this one and others, of which nobody knows; requests and tokens are written without. */
const NODE_LABELS = { 'kubernetes.io/os': 'linux' };
/** What others may have labelled. */
const LABELLED = ['UPDATE configmaps', 'CREATE pods', 'DELETE secrets'];

/** Does a selector pick what is written for a machine? Not where it asks for what is not known. */
export function picksWritten(selector: unknown, { operation, resource }: Matched): boolean {
  const asks = isRecord(selector) && Object.keys(selector).length > 0;
  if (LABELLED.includes(`${operation} ${resource}`) && asks) return false;
  if (!resource.startsWith('nodes')) return picks(selector, {});
  const { matchLabels, matchExpressions } = record(selector);
  const keys = [...Object.keys(textMap(matchLabels)), ...records(matchExpressions).map(({ key }) => text(key))];
  return keys.every((key) => Object.hasOwn(NODE_LABELS, key)) && picks(selector, NODE_LABELS);
}

/** Are both selectors for a request? */
export const areFor = (
  { namespaceSelector, objectSelector }: { readonly namespaceSelector?: unknown; readonly objectSelector?: unknown },
  asked: Matched,
  labels: NamespaceLabels,
): boolean =>
  picksWritten(objectSelector, asked) &&
  (asked.namespace === '' || picks(namespaceSelector, labels[asked.namespace] ?? {}));

/** What the conditions of a webhook or a policy say of a request; it is asked for sure where they are true. */
export function conditionsOf({ matchConditions }: { readonly matchConditions?: unknown }, scope: Scope): Opinion {
  const said = opinionsOf(
    records(matchConditions).map(({ expression }) => text(expression)),
    scope,
  );
  if (said.includes('false')) return 'false';
  if (said.includes('unknown')) return 'unknown';
  return said.includes('error') ? 'error' : 'true';
}

/** "create certificatesigningrequests" */
export const requestText = ({ operation, resource }: Matched): string => `${operation.toLowerCase()} ${resource}`;

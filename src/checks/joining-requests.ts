/**
 * The requests by which machines join, and what admission sees of each: who asks, for what, and as far as it is known
 * what the object says.
 * Source: pkg/kubelet/certificate/bootstrap, pkg/kubelet/kubelet_node_status.go, pkg/kubelet/nodelease of component-helpers;
 * pkg/controller/certificates; controller-manager/pkg/clientbuilder; cmd/kubeadm/app/cmd/join.go.
 */
import { isRecord, record, records, text, textMap, texts } from '../kubernetes/json.js';
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
} from '../kubernetes/names.js';
import { ABSENT, Begun, type Known, type Opinion, opinionsOf, type Scope, UNKNOWN, type Value } from './cel.js';

/** Labels of namespaces, by their names. */
export type NamespaceLabels = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface JoiningRequest {
  readonly operation: string;
  readonly group: string;
  /** With its subresource. */
  readonly resource: string;
  /** '' at the cluster scope. */
  readonly namespace: string;
  /** Expressions see no reviews. Source: pkg/kubeapiserver/admission/exclusion/resources.go. */
  readonly isReview?: boolean;
  readonly user: Known;
  readonly object: Known;
}

/** All of them are in the group of everybody who is somebody. */
const user = (username: Value, ...groups: readonly Value[]): Known => ({
  username,
  groups: [...groups, GROUP_AUTHENTICATED],
});
/** A token may carry other groups. */
const BOOTSTRAPPER = user(new Begun(BOOTSTRAP_USER_PREFIX), GROUP_BOOTSTRAPPERS, new Begun(`${GROUP_BOOTSTRAPPERS}:`));
const NODE = user(new Begun(NODE_USER_PREFIX), GROUP_NODES);
const MANAGER = user('system:kube-controller-manager');
function controller(name: string): Known {
  const account = { namespace: KUBE_SYSTEM, name };
  return user(accountUser(account), ...accountGroups(account));
}

/** Nobody labels what a kubelet asks for. */
const UNLABELLED = { labels: ABSENT, annotations: ABSENT, finalizers: ABSENT } as const;
/** Of a kubelet that joins. */
const ASKED: Known = { metadata: UNLABELLED, spec: { signerName: SIGNER_KUBELET_CLIENT } };
/** What somebody may have changed in the meantime. */
const LATER: Known = { spec: ASKED.spec ?? UNKNOWN };

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
  request('CREATE subjectaccessreviews authorization.k8s.io', {
    user: controller('certificate-controller'),
    object: {},
    isReview: true,
  }),
  request('CREATE nodes', { user: NODE, object: {} }),
  request('UPDATE nodes/status', { user: NODE, object: {} }),
  request(`CREATE leases ${LEASES}`, { user: NODE, object: { metadata: UNLABELLED }, namespace: OF_LEASES }),
  request(`UPDATE leases ${LEASES}`, { user: NODE, object: {}, namespace: OF_LEASES }),
  // a kubelet ends without. Source: pkg/volume/csi/csi_plugin.go initializeCSINode
  request('CREATE csinodes storage.k8s.io', { user: NODE, object: {} }),
  // without, no controller has a credential
  request('CREATE serviceaccounts/token', { user: MANAGER, object: {}, namespace: KUBE_SYSTEM }),
  // the signatures
  request('UPDATE configmaps', {
    user: controller('bootstrap-signer'),
    object: { metadata: { name: CLUSTER_INFO, namespace: KUBE_PUBLIC } },
    namespace: KUBE_PUBLIC,
  }),
];

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
};

/** What expressions of a policy may name. Source: apiserver, pkg/admission/plugin/cel/activation.go. */
export function scopeOf(asked: JoiningRequest, labels: NamespaceLabels): Scope {
  const { operation, group, namespace, user: userInfo, object } = asked;
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
    object: { ...object, kind },
    oldObject: operation === 'CREATE' ? null : UNKNOWN,
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
const LABELLED = ['configmaps'];

/** Does a selector pick what is written for a machine? Not where it asks for what is not known. */
export function picksWritten(selector: unknown, { resource }: Matched): boolean {
  const asks = isRecord(selector) && Object.keys(selector).length > 0;
  if (LABELLED.includes(resource) && asks) return false;
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

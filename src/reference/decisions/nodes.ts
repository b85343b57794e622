/**
 * What a node may read and write: the judgement calls of the Node authorizer and of NodeRestriction.
 * Source: pkg/auth/nodeidentifier/default.go; plugin/pkg/auth/authorizer/node/node_authorizer.go; plugin/pkg/admission/noderestriction/admission.go.
 *
 * Functions of the authorizer answer true (allowed) or the reason why there is no opinion, '' where upstream gives none.
 * `related` tells whether the graph leads from the object asked for to the node; `minor` is the version played.
 */

import type { AuthorizationAttributes } from '../../apiserver/types.js';
import {
  GROUP_NODES,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../kubernetes/names.js';
import type { OwnerReference, PolicyRule, UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';

/** Allowed, or the reason text of "no opinion". */
export type NodeAnswer = true | string;

/** One question to the Node authorizer. */
export interface NodeQuestion {
  /** Name of the asking node, never empty. */
  readonly node: string;
  readonly attributes: AuthorizationAttributes;
  /** Whether the object asked for is reachable from this node in the graph. */
  readonly related: () => boolean;
  readonly minor: number;
}

/** Gates of Kubernetes by the minors in which they are on. Source: pkg/features/kube_features.go; apiserver, pkg/features/kube_features.go. */
const AUTHORIZE_NODE_WITH_SELECTORS: Span = { since: 32 };

const LEASE_NAMESPACE = 'kube-node-lease';
const READ = ['get', 'list', 'watch'];
const OWN = ['get', 'create', 'update', 'patch', 'delete'];

const relation = ({ node, attributes, related }: NodeQuestion): NodeAnswer => {
  if (attributes.name === '') return 'No Object name found';
  return related() || `no relationship found between node '${node}' and this object`;
};

const selects = ({ node, attributes }: NodeQuestion, field: string): boolean =>
  attributes.fieldRequirements?.some((one) => one.field === field && one.operator === '=' && one.value === node) ??
  false;

const readNamespaced = (question: NodeQuestion): NodeAnswer => {
  const { attributes } = question;
  if (!READ.includes(attributes.verb)) return 'can only read resources of this type';
  if (attributes.subresource !== '') return 'cannot read subresource';
  if (attributes.namespace === '') return 'can only read namespaced object of this type';
  return relation(question);
};

const getRelated = (question: NodeQuestion): NodeAnswer => {
  if (question.attributes.verb !== 'get') return 'can only get individual resources of this type';
  if (question.attributes.subresource !== '') return 'cannot get subresource';
  return relation(question);
};

const FREE_LABELS: readonly string[] = [
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
  'node.kubernetes.io/instance-type',
  'beta.kubernetes.io/instance-type',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
];
const within = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`);

export const nodeDecisions = {
  /** The name of the node that this user is ('' where the user name ends after the prefix), undefined for everybody else. Source: default.go NodeIdentity. */
  nodeOf: (user: UserInfo): string | undefined =>
    user.username.startsWith(NODE_USER_PREFIX) && user.groups.includes(GROUP_NODES)
      ? user.username.slice(NODE_USER_PREFIX.length)
      : undefined,

  /** Source: node_authorizer.go authorizeReadNamespacedObject. */
  nodeOnSecret: (question: NodeQuestion): NodeAnswer => readNamespaced(question),

  /** Source: node_authorizer.go authorizeReadNamespacedObject. */
  nodeOnConfigMap: (question: NodeQuestion): NodeAnswer => readNamespaced(question),

  /** Persistent volumes, resource claims, volume attachments, and volume claims without subresource. Source: node_authorizer.go authorizeGet. */
  nodeOnVolume: (question: NodeQuestion): NodeAnswer => getRelated(question),

  /** Source: node_authorizer.go authorizeStatusUpdate. */
  nodeOnClaimStatus: (question: NodeQuestion): NodeAnswer =>
    ['update', 'patch'].includes(question.attributes.verb) ? relation(question) : 'can only get/update/patch this type',

  /** get (by default from 1.34) of a related one, tokens for a related one. Source: node_authorizer.go authorizeServiceAccount, authorizeCreateToken. */
  nodeOnServiceAccount: (question: NodeQuestion): NodeAnswer => {
    const { verb, subresource, name } = question.attributes;
    if (verb === 'get' && subresource === '' && question.minor >= 33) {
      return question.minor >= 34 ? readNamespaced(question) : 'not allowed to get service accounts';
    }
    if (verb !== 'create' || name === '') return 'can only create tokens for individual service accounts';
    if (subresource !== 'token') return 'can only create token subresource of serviceaccount';
    return relation(question);
  },

  /** Own lease in kube-node-lease; the name is unknown at create, which NodeRestriction judges. Source: node_authorizer.go authorizeLease. */
  nodeOnLease: ({ node, attributes }: NodeQuestion): NodeAnswer => {
    if (!OWN.includes(attributes.verb)) return 'can only get, create, update, patch, or delete a node lease';
    if (attributes.namespace !== LEASE_NAMESPACE)
      return `can only access leases in the "${LEASE_NAMESPACE}" system namespace`;
    if (attributes.verb !== 'create' && attributes.name !== node)
      return 'can only access node lease with the same name as the requesting node';
    return true;
  },

  /** Source: node_authorizer.go authorizeCSINode. */
  nodeOnCsiNode: ({ node, attributes }: NodeQuestion): NodeAnswer => {
    if (!OWN.includes(attributes.verb)) return 'can only get, create, update, patch, or delete a CSINode';
    if (attributes.subresource !== '') return 'cannot authorize CSINode subresources';
    if (attributes.verb !== 'create' && attributes.name !== node)
      return 'can only access CSINode with the same name as the requesting node';
    return true;
  },

  /** Source: node_authorizer.go authorizeResourceSlice. */
  nodeOnResourceSlice: (question: NodeQuestion): NodeAnswer => {
    const { verb, subresource } = question.attributes;
    if (subresource !== '') return 'cannot authorize ResourceSlice subresources';
    if (verb === 'create') return true;
    if (['get', 'update', 'patch', 'delete'].includes(verb)) return relation(question);
    if (['watch', 'list', 'deletecollection'].includes(verb)) {
      return (
        !inSpan(question.minor, AUTHORIZE_NODE_WITH_SELECTORS) ||
        selects(question, 'spec.nodeName') ||
        'can only list/watch/deletecollection resourceslices with nodeName field selector'
      );
    }
    return 'only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection';
  },

  /** Nodes, from 1.32 (before, the static rules hold): reads only itself. Source: node_authorizer.go authorizeNode. */
  nodeOnNode: ({ node, attributes }: NodeQuestion): NodeAnswer => {
    const { verb, subresource, name } = attributes;
    if (subresource === '') {
      if (['create', 'update', 'patch'].includes(verb)) return true;
      if (READ.includes(verb)) {
        if (name === node) return true;
        return name === ''
          ? `node '${node}' cannot read all nodes, only its own Node object`
          : `node '${node}' cannot read '${name}', only its own Node object`;
      }
    }
    return subresource === 'status' && ['update', 'patch'].includes(verb) ? true : '';
  },

  /** Pods, from 1.32 (before, the static rules hold): reads only its own. Source: node_authorizer.go authorizePod. */
  nodeOnPod: (question: NodeQuestion): NodeAnswer => {
    const { verb, subresource, name } = question.attributes;
    switch (subresource) {
      case '':
        if (verb === 'get') return getRelated(question);
        if (verb === 'list' || verb === 'watch') {
          if (selects(question, 'spec.nodeName')) return true;
          return name === '' ? 'can only list/watch pods with spec.nodeName field selector' : relation(question);
        }
        return verb === 'create' || verb === 'delete' ? true : '';
      case 'status':
        return verb === 'update' || verb === 'patch' ? true : '';
      case 'eviction':
        return verb === 'create' ? true : '';
      default:
        return '';
    }
  },

  /** Whether the limits on reading nodes and pods hold (gate AuthorizeNodeWithSelectors). */
  nodeReadsOnlyItsOwn: (minor: number): boolean => inSpan(minor, AUTHORIZE_NODE_WITH_SELECTORS),

  /** What a node may do that is not subdivided by object. `rules` are those of the version played. Source: node_authorizer.go, nodeRules. */
  nodeStaticRules: (rules: readonly PolicyRule[]): readonly PolicyRule[] => rules,

  /** A node writes no Node but its own. Source: admission.go admitNode. */
  nodeMayWriteNode: (node: string, requested: string): boolean => node === requested,

  /** Source: admission.go admitNode, update. */
  nodeMayChangeTaints: (): boolean => false,

  /** Source: admission.go admitNode, update; 1.31. */
  nodeMayChangeOwners: (minor: number): boolean => minor < 31,

  /** Whether a node may set, change or remove this label of its Node. Source: admission.go getForbiddenLabels; kubelet, pkg/apis/well_known_labels.go IsKubeletLabel. */
  nodeMayUseLabel: (key: string): boolean => {
    const slash = key.indexOf('/');
    const domain = slash < 0 ? '' : key.slice(0, slash);
    if (within(domain, 'node-restriction.kubernetes.io')) return false;
    if (!within(domain, 'kubernetes.io') && !within(domain, 'k8s.io')) return true;
    return FREE_LABELS.includes(key) || within(domain, 'kubelet.kubernetes.io') || within(domain, 'node.kubernetes.io');
  },

  /** A node creates mirror pods only. Source: admission.go admitPodCreate. */
  nodeMayCreatePod: (annotations: Readonly<Record<string, string>>): boolean =>
    'kubernetes.io/config.mirror' in annotations,

  /** A node touches pods that run on it only. Source: admission.go admitPod, admitPodStatus, admitPodEviction. */
  nodeMayTouchPod: (node: string, podNodeName: string): boolean => node === podNodeName,

  /** The one owner that a mirror pod must have; the texts say why not, after the words of admission.go admitPodCreate. */
  mirrorPodOwner: (node: string, owners: readonly OwnerReference[]): NodeAnswer => {
    const [owner] = owners;
    if (owners.length > 1) return `node "${node}" can only create pods with a single owner reference set to itself`;
    if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node) {
      return `node "${node}" can only create pods with an owner reference set to itself`;
    }
    if (owner.controller !== true)
      return `node "${node}" can only create pods with a controller owner reference set to itself`;
    if (owner.blockOwnerDeletion === true)
      return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
    return true;
  },

  /** A CSR for the kubelet signers must carry the node's own name from 1.31 on (gate AllowInsecureKubeletCertificateSigningRequests off). Source: admission.go admitCSR. */
  nodeMayRequest: (node: string, signerName: string, commonName: string, minor: number): boolean =>
    minor < 31 ||
    (signerName !== SIGNER_KUBELET_SERVING && signerName !== SIGNER_KUBELET_CLIENT) ||
    commonName === NODE_USER_PREFIX + node,

  /** Whether audiences of a pod's token are limited to what the pod mounts (gate ServiceAccountNodeAudienceRestriction). */
  nodeAudiencesAreRestricted: (minor: number): boolean => minor >= 33,
};

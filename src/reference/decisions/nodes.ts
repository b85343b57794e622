/**
 * Who is a node, and what a node may do: the judgement calls of the Node authorizer.
 * Source: pkg/auth/nodeidentifier/default.go; plugin/pkg/auth/authorizer/node/node_authorizer.go.
 *
 * They answer true (allowed) or the reason why there is no opinion, '' where upstream gives none.
 * `related` tells whether the graph leads from the object asked for to the node; `minor` is the version played.
 */

import type { AuthorizationAttributes } from '../../apiserver/access.js';
import { GROUP_NODES, KUBE_NODE_LEASE, NODE_USER_PREFIX } from '../../kubernetes/names.js';
import type { PolicyRule, UserInfo } from '../../kubernetes/objects.js';
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

/**
 * Gates of Kubernetes by the minors in which they are on. Source: pkg/features/kube_features.go; apiserver,
 * pkg/features/kube_features.go.
 */
const AUTHORIZE_NODE_WITH_SELECTORS: Span = { since: 32 };
/** Releases that know the gate KubeletServiceAccountTokenForCredentialProviders, and those in which it is on. */
const SERVICE_ACCOUNTS_NAMED: Span = { since: 33 };
const SERVICE_ACCOUNTS_READ: Span = { since: 34 };

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

export const nodeDecisions = {
  /**
   * The name of the node that this user is ('' where the user name ends after the prefix), undefined for everybody
   * else. Source: default.go NodeIdentity.
   */
  nodeOf: (user: UserInfo): string | undefined =>
    user.username.startsWith(NODE_USER_PREFIX) && user.groups.includes(GROUP_NODES)
      ? user.username.slice(NODE_USER_PREFIX.length)
      : undefined,

  /** Source: node_authorizer.go authorizeReadNamespacedObject. */
  nodeOnSecret: (question: NodeQuestion): NodeAnswer => readNamespaced(question),

  /** Source: node_authorizer.go authorizeReadNamespacedObject. */
  nodeOnConfigMap: (question: NodeQuestion): NodeAnswer => readNamespaced(question),

  /**
   * Persistent volumes, resource claims, volume attachments, and volume claims without subresource. Source:
   * node_authorizer.go authorizeGet.
   */
  nodeOnVolume: (question: NodeQuestion): NodeAnswer => getRelated(question),

  /** Source: node_authorizer.go authorizeStatusUpdate. */
  nodeOnClaimStatus: (question: NodeQuestion): NodeAnswer =>
    ['update', 'patch'].includes(question.attributes.verb) ? relation(question) : 'can only get/update/patch this type',

  /**
   * get (by default from 1.34) of a related one, tokens for a related one. Source: node_authorizer.go
   * authorizeServiceAccount, authorizeCreateToken.
   */
  nodeOnServiceAccount: (question: NodeQuestion): NodeAnswer => {
    const { verb, subresource, name } = question.attributes;
    if (verb === 'get' && subresource === '' && inSpan(question.minor, SERVICE_ACCOUNTS_NAMED)) {
      return inSpan(question.minor, SERVICE_ACCOUNTS_READ)
        ? readNamespaced(question)
        : 'not allowed to get service accounts';
    }
    if (verb !== 'create' || name === '') return 'can only create tokens for individual service accounts';
    if (subresource !== 'token') return 'can only create token subresource of serviceaccount';
    return relation(question);
  },

  /**
   * Own lease in kube-node-lease; the name is unknown at create, which NodeRestriction judges. Source:
   * node_authorizer.go authorizeLease.
   */
  nodeOnLease: ({ node, attributes }: NodeQuestion): NodeAnswer => {
    if (!OWN.includes(attributes.verb)) return 'can only get, create, update, patch, or delete a node lease';
    if (attributes.namespace !== KUBE_NODE_LEASE)
      return `can only access leases in the "${KUBE_NODE_LEASE}" system namespace`;
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
    return (
      'only the following verbs are allowed for a ResourceSlice: ' +
      'get, watch, list, create, update, patch, delete, deletecollection'
    );
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

  /**
   * What a node may do that is not subdivided by object. `rules` are those of the version played. Source:
   * node_authorizer.go, nodeRules.
   */
  nodeStaticRules: (rules: readonly PolicyRule[]): readonly PolicyRule[] => rules,
};

/**
 * What a node may write beyond what the Node authorizer can see: the judgement calls of NodeRestriction. Texts say why
 * not, in upstream's words.
 * Source: plugin/pkg/admission/noderestriction/admission.go.
 */

import { isDeepStrictEqual } from 'node:util';
import type { Operation } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import { list, record, records, text } from '../../kubernetes/json.js';
import {
  KUBE_NODE_LEASE,
  NODE_USER_PREFIX,
  SIGNER_KUBELET_CLIENT,
  SIGNER_KUBELET_SERVING,
} from '../../kubernetes/names.js';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';

/** Why a write is refused; undefined: it is not. */
export type Refusal = string | undefined;

/** A change of one object. `old` is undefined at a creation. */
export interface Change {
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
}

/** Releases in which a node still changes the owners of its Node. */
const OWNERS_ARE_FREE: Span = { until: 30 };
/** Gate AllowInsecureKubeletCertificateSigningRequests, off from 1.31 on. */
const ANY_REQUEST: Span = { until: 30 };
/** Gate ServiceAccountNodeAudienceRestriction. */
const AUDIENCES_RESTRICTED: Span = { since: 33 };
/** Gate DRAExtendedResource. */
const EXTENDED_CLAIMS: Span = { since: 34 };

/** Fields of a claim's status that are a node's to write. */
const CLAIM_STATUS_OF_NODES = ['capacity', 'conditions', 'allocatedResourceStatuses', 'allocatedResources'];

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
const without = (fields: object, ...keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));

const claimWithoutNodesPart = (claim: KubeObject | undefined): object => ({
  ...claim,
  metadata: without(claim?.metadata ?? {}, 'resourceVersion', 'managedFields'),
  status: without(record(claim?.status), ...CLAIM_STATUS_OF_NODES),
});

const claimStatuses = (pod: KubeObject | undefined): unknown =>
  records(record(pod?.status).resourceClaimStatuses).map(({ name, resourceClaimName }) => ({
    name,
    resourceClaimName,
  }));
const extendedClaims = (pod: KubeObject | undefined): unknown => record(pod?.status).extendedResourceClaimStatus;

export const nodeRestrictionDecisions = {
  /** Whose Pod an eviction is of: the body's counts where the path has none. Source: admitPodEviction. */
  evictedName: (inPath: string, inBody: string): string => (inPath === '' ? inBody : inPath),

  /** A node writes no Node but its own. Source: admitNode. */
  nodeMayWriteNode: (node: string, requested: string): boolean => node === requested,

  /**
   * Whether a node may point its Node to this configuration, after that one; a field that is long gone. Source:
   * admitNode.
   */
  nodeMayConfigure: (wanted: unknown, before: unknown): boolean =>
    wanted === undefined || (before !== undefined && isDeepStrictEqual(wanted, before)),

  /** Source: admitNode, update. */
  nodeMayChangeTaints: (): boolean => false,

  /** Source: admitNode, update. */
  nodeMayChangeOwners: (minor: number): boolean => inSpan(minor, OWNERS_ARE_FREE),

  /**
   * Whether a node may set, change or remove this label of its Node. Source: getForbiddenLabels; kubelet,
   * pkg/apis/well_known_labels.go IsKubeletLabel.
   */
  nodeMayUseLabel: (key: string): boolean => {
    const slash = key.indexOf('/');
    const domain = slash < 0 ? '' : key.slice(0, slash);
    if (within(domain, 'node-restriction.kubernetes.io')) return false;
    if (!within(domain, 'kubernetes.io') && !within(domain, 'k8s.io')) return true;
    return FREE_LABELS.includes(key) || within(domain, 'kubelet.kubernetes.io') || within(domain, 'node.kubernetes.io');
  },

  /** A node creates mirror pods only. Source: admitPodCreate. */
  nodeMayCreatePod: (annotations: Readonly<Record<string, string>>): boolean =>
    'kubernetes.io/config.mirror' in annotations,

  /** A node touches pods that run on it only. Source: admitPod, admitPodStatus, admitPodEviction. */
  nodeMayTouchPod: (node: string, podNodeName: string): boolean => node === podNodeName,

  /** The one owner that a mirror pod must have; `uid` is that of the Node. Source: admitPodCreate. */
  mirrorPodOwnerProblem: (node: string, owners: readonly OwnerReference[], uid: () => string): Refusal => {
    const [owner] = owners;
    if (owners.length > 1) return `node "${node}" can only create pods with a single owner reference set to itself`;
    if (owner === undefined || owner.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
      return `node "${node}" can only create pods with an owner reference set to itself`;
    if (owner.controller !== true)
      return `node "${node}" can only create pods with a controller owner reference set to itself`;
    if (owner.blockOwnerDeletion === true)
      return `node "${node}" must not set blockOwnerDeletion on an owner reference`;
    const own = uid();
    return owner.uid === own ? undefined : `node ${node} UID mismatch: expected ${owner.uid} got ${own}`;
  },

  /** What a node may not change through the status of its pods. Source: admitPodStatus. */
  podStatusProblem: (node: string, { object, old }: Change, minor: number): Refusal => {
    const name = goQuote(node);
    if (!isDeepStrictEqual(object?.metadata.labels ?? {}, old?.metadata.labels ?? {}))
      return `node ${name} cannot update labels through pod status`;
    if (!isDeepStrictEqual(claimStatuses(object), claimStatuses(old)))
      return `node ${name} cannot update resource claim statues`;
    return !inSpan(minor, EXTENDED_CLAIMS) || isDeepStrictEqual(extendedClaims(object), extendedClaims(old))
      ? undefined
      : `node ${name} cannot update extended resource claim status`;
  },

  /** A node writes of a volume claim what it does to the volume. Source: admitPVCStatus. */
  nodeMayWriteClaim: ({ object, old }: Change): boolean =>
    isDeepStrictEqual(claimWithoutNodesPart(object), claimWithoutNodesPart(old)),

  /** Source: admitLease. */
  nodeLeaseProblem: (node: string, namespace: string, name: string): Refusal => {
    if (namespace !== KUBE_NODE_LEASE)
      return `can only access leases in the ${goQuote(KUBE_NODE_LEASE)} system namespace`;
    return name === node ? undefined : 'can only access node lease with the same name as the requesting node';
  },

  /** Source: admitCSINode. */
  nodeMayWriteCsiNode: (node: string, name: string): boolean => name === node,

  /**
   * What a node creates and deletes of resource slices is its own; the authorizer has seen to updates. Source:
   * admitResourceSlice.
   */
  nodeMayWriteSlice: (node: string, operation: Operation, nodeName: string): boolean =>
    (operation !== 'CREATE' && operation !== 'DELETE') || nodeName === node,

  /** A CSR for the kubelet signers must carry the node's own name. Source: admitCSR. */
  nodeMayRequest: (node: string, signerName: string, commonName: string, minor: number): boolean =>
    inSpan(minor, ANY_REQUEST) ||
    (signerName !== SIGNER_KUBELET_SERVING && signerName !== SIGNER_KUBELET_CLIENT) ||
    commonName === NODE_USER_PREFIX + node,

  /**
   * A node's TokenRequest names a pod, with its UID. `reference` is spec.boundObjectRef. Source: admitServiceAccount.
   */
  nodeTokenProblem: (reference: unknown): Refusal => {
    const { apiVersion, kind, name, uid } = record(reference);
    if (apiVersion !== 'v1' || kind !== 'Pod' || text(name) === '') return 'node requested token not bound to a pod';
    return text(uid) === '' ? 'node requested token with a pod binding without a uid' : undefined;
  },

  /** The pod of a node's TokenRequest is there as named, and on that node. Source: admitServiceAccount. */
  nodeTokenPodProblem: (uid: string, pod: KubeObject, isOnNode: boolean): Refusal => {
    if (uid !== pod.metadata.uid)
      return (
        `the UID in the bound object reference (${uid}) does not match the UID in record. ` +
        'The object might have been deleted and then recreated'
      );
    return isOnNode ? undefined : 'node requested token bound to a pod scheduled on a different node';
  },

  /** Whether audiences of a pod's token are limited to what the pod mounts. */
  nodeAudiencesAreRestricted: (minor: number): boolean => inSpan(minor, AUDIENCES_RESTRICTED),

  /**
   * The one audience of a node's TokenRequest; undefined where there are several. Source:
   * validateNodeServiceAccountAudience.
   */
  nodeTokenAudience: (audiences: unknown): string | undefined => {
    const [audience = '', ...more] = list(audiences).map(text);
    return more.length > 0 ? undefined : audience;
  },
};

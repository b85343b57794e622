/** Defects of the Node authorizer and of NodeRestriction: what a node may do that is none of its own. */
import type { NodeQuestion } from '../reference/decisions/nodes.js';
import { upstream } from '../reference/decisions.js';
import { bindCluster, decides, group } from './arrange.js';
import type { Mutant } from './types.js';

const anything = (): true => true;
const nothingWrong = (): undefined => undefined;
const reads = ({ attributes }: NodeQuestion): boolean => ['get', 'list', 'watch'].includes(attributes.verb);

const OTHERS: readonly Mutant[] = [
  decides(
    'nodes-do-all-to-nodes',
    'a node reads, changes and deletes the Nodes of others',
    ['NODE-006', 'NODE-007', 'P-71'],
    { nodeOnNode: anything, nodeMayWriteNode: () => true },
  ),
  decides('nodes-read-nodes', 'a node reads all Nodes', ['P-71'], {
    nodeOnNode: (question) => reads(question) || upstream.nodeOnNode(question),
  }),
  decides('nodes-create-nodes', 'a node makes Nodes of any name', ['NODE-006'], {
    nodeMayWriteNode: (node, requested) => node === requested || requested === 'jp-absent',
  }),
  decides('nodes-hold-all-leases', 'a node reads, renews and deletes the Leases of others', ['NODE-006'], {
    nodeOnLease: anything,
    nodeLeaseProblem: nothingWrong,
  }),
  decides('nodes-own-all-drivers', 'a node reads and writes the CSINodes of others', ['NODE-006'], {
    nodeOnCsiNode: anything,
    nodeMayWriteCsiNode: () => true,
  }),
  decides('nodes-own-all-devices', 'a node reads and writes the devices of others', ['NODE-006'], {
    nodeOnResourceSlice: anything,
    nodeMayWriteSlice: () => true,
  }),
  decides('nodes-do-all-to-pods', 'a node does everything to the Pods of others', ['NODE-001', 'NODE-006', 'P-73'], {
    nodeOnPod: anything,
    nodeMayTouchPod: () => true,
  }),
  decides('evictions-by-the-name-in-the-body', 'a node evicts any Pod in the name of one of its own', ['NODE-006'], {
    evictedName: (inPath, inBody) => upstream.evictedName(inBody, inPath),
  }),
];

const DATA: readonly Mutant[] = [
  decides('nodes-do-all-to-data', 'a node reads and writes all Secrets, ConfigMaps and claims', ['NODE-008'], {
    nodeOnSecret: anything,
    nodeOnConfigMap: anything,
    nodeOnVolume: anything,
    nodeOnClaimStatus: anything,
    nodeOnServiceAccount: anything,
    nodeMayWriteClaim: () => true,
  }),
  decides('nodes-watch-secrets', 'a node watches the Secrets of a namespace', ['NODE-008'], {
    nodeOnSecret: (question) =>
      (question.attributes.verb === 'watch' && question.attributes.name === '') || upstream.nodeOnSecret(question),
  }),
  decides('nodes-read-all-config-maps', 'a node reads every ConfigMap', ['NODE-008'], {
    nodeOnConfigMap: (question) => reads(question) || upstream.nodeOnConfigMap(question),
  }),
  decides('nodes-read-each-others-data', 'what the Pod of one node uses, every node reads', ['NODE-008'], {
    nodeOnConfigMap: (question) => upstream.nodeOnConfigMap({ ...question, related: () => true }),
    nodeOnVolume: (question) => upstream.nodeOnVolume({ ...question, related: () => true }),
  }),
  decides('nodes-get-tokens-for-no-pod', 'a node gets tokens that are bound to no Pod', ['P-72'], {
    nodeOnServiceAccount: anything,
    nodeTokenProblem: nothingWrong,
  }),
  decides('nodes-get-tokens-for-other-pods', 'a node gets tokens for the Pods of others, and for any UID', ['P-72'], {
    nodeTokenPodProblem: nothingWrong,
  }),
  decides('nodes-get-tokens-for-any-audience', 'a node gets tokens for audiences that no Pod mounts', ['P-72'], {
    nodeAudiencesAreRestricted: () => false,
  }),
  decides('nodes-get-tokens-of-namesakes', 'a node gets tokens of accounts of kube-system by their names', ['P-72'], {
    nodeOnServiceAccount: (question) => {
      const { verb, subresource, namespace } = question.attributes;
      const asks = verb === 'create' && subresource === 'token' && namespace === 'kube-system';
      return asks || upstream.nodeOnServiceAccount(question);
    },
  }),
  decides('nodes-get-tokens-for-many', 'a node gets one token for several audiences', ['P-72'], {
    nodeTokenAudience: (audiences) => (Array.isArray(audiences) ? String(audiences[0] ?? '') : ''),
  }),
];

const ITS_OWN: readonly Mutant[] = [
  decides('nodes-taint-themselves', 'a node sets taints on its own Node', ['P-70'], {
    nodeMayChangeTaints: () => true,
  }),
  decides('nodes-own-themselves', 'a node gives its own Node an owner', ['P-70'], {
    nodeMayChangeOwners: () => true,
  }),
  decides('nodes-take-a-role', 'a node labels itself with a role', ['P-70'], {
    nodeMayUseLabel: (key) => key.startsWith('node-role.kubernetes.io/') || upstream.nodeMayUseLabel(key),
  }),
  decides('labels-of-subdomains-are-free', 'a node sets labels below node-restriction.kubernetes.io', ['P-70'], {
    nodeMayUseLabel: (key) => /\.(node-restriction\.kubernetes|k8s)\.io\//.test(key) || upstream.nodeMayUseLabel(key),
  }),
  decides('nodes-make-pods', 'a node makes Pods that are no mirrors, with any owner', ['P-73'], {
    nodeMayCreatePod: () => true,
    mirrorPodOwnerProblem: nothingWrong,
    apiReference: nothingWrong,
  }),
  decides('mirrors-of-anybody', 'a mirror Pod may have any owner, or none', ['P-73'], {
    mirrorPodOwnerProblem: nothingWrong,
  }),
  decides('mirrors-open-secrets', 'a mirror Pod may name Secrets and accounts', ['P-73'], {
    apiReference: nothingWrong,
    mirrorPodProblem: nothingWrong,
  }),
  decides('mirrors-of-administrators', 'who is no node makes mirror Pods that name Secrets and accounts', ['P-73'], {
    mirrorPodProblem: nothingWrong,
  }),
  decides('no-plug-in-for-accounts', 'the plug-in ServiceAccount is off', ['P-73'], {
    admissionPlugins: () => upstream.admissionPlugins().filter((name) => name !== 'ServiceAccount'),
  }),
  decides('nodes-take-labels-from-pods', 'a node takes labels from its Pods through their status', ['P-73'], {
    podStatusProblem: (node, { object, old }, minor) => {
      const [labels, before] = [object?.metadata.labels ?? {}, old?.metadata.labels ?? {}];
      const only = Object.entries(labels).every(([key, value]) => before[key] === value);
      return upstream.podStatusProblem(node, { object, old: only ? object : old }, minor);
    },
  }),
  decides('nodes-label-pods', 'a node labels its Pods through their status', ['P-73'], {
    podStatusProblem: nothingWrong,
  }),
];

/** Nothing holds a node back. */
const UNRESTRICTED: readonly Mutant[] = [
  {
    name: 'nodes-unrestricted',
    defect: 'nodes are administrators, and the plug-in NodeRestriction is off',
    killedBy: ['NODE-006', 'NODE-007', 'NODE-008', 'P-70', 'P-71', 'P-72', 'P-73'],
    options: {
      decisions: { admissionPlugins: () => upstream.admissionPlugins().filter((name) => name !== 'NodeRestriction') },
    },
    arrange: (reference) => bindCluster(reference, 'nodes-are-all', 'cluster-admin', group('system:nodes')),
  },
];

/** What is a node's own is refused to it. */
const PARALYSED: readonly Mutant[] = [
  decides('nodes-watch-no-pods', 'a node may list the Pods bound to it, and not watch them', ['NODE-001'], {
    nodeOnPod: (question) => (question.attributes.verb === 'watch' ? 'pods are listed' : upstream.nodeOnPod(question)),
  }),
  decides(
    'nodes-keep-nothing-of-their-own',
    'a node may register and report its status, and neither read nor renew what is its own',
    ['NODE-002'],
    {
      nodeOnNode: ({ attributes: { verb, subresource } }) =>
        verb === 'create' || subresource === 'status' || 'Nodes are none of a node',
      nodeOnLease: ({ attributes: { verb } }) => verb === 'create' || 'leases are none of a node',
      nodeOnCsiNode: () => 'drivers are none of a node',
    },
  ),
];

export const mutants: readonly Mutant[] = [...OTHERS, ...DATA, ...ITS_OWN, ...UNRESTRICTED, ...PARALYSED];

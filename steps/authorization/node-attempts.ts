/**
 * What a node tries on its own objects and on those of another node, by what the features call it.
 * Source: plugin/pkg/auth/authorizer/node/node_authorizer.go; plugin/pkg/admission/noderestriction/admission.go.
 */
import { NO_OWNER, noContainer, RUN_LABEL } from '../../src/kubernetes/own-objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { Question } from '../../src/targets/types.js';
import { podsOf } from '../common/node-client.js';
import { DRY } from '../common/trials.js';
import {
  AUDIENCE,
  at,
  type Besides,
  byName,
  change,
  claims,
  configMap,
  create,
  csiNode,
  DEFAULT,
  evict,
  GIVEN_LABEL,
  LEASES,
  lease,
  leaseSpec,
  list,
  mirrorPod,
  mounting,
  type Neighbour,
  node,
  objectAt,
  pod,
  podStatus,
  read,
  remove,
  replace,
  secret,
  slices,
  status,
  storage,
  TAINTED,
  token,
  toPod,
  volumes,
  watch,
  watchByName,
} from './node-questions.js';
import { REPORTS } from './node-reports.js';

const ABSENT = 'jp-absent';
/** Nobody has published them: the authorizer does not know whose they are. */
const DEVICES = 'jp-devices0';

/** Who tries, and on whom. */
export interface Neighbours {
  readonly own: Neighbour;
  readonly other: Neighbour;
  /** A Secret that no Pod uses. */
  readonly unused: string;
}

export type Attempt = (around: Neighbours) => Question;

const OWN_NODE: Readonly<Record<string, Attempt>> = {
  'annotate its own Node': ({ own }) => change(node(own)),
  'report its own status': ({ own }) => status(own),
  'read its own Node': ({ own }) => read(node(own)),
  'taint its own Node': ({ own }) => change(node(own), TAINTED),
  'take a label that an administrator gave off its own Node': ({ own }) =>
    change(node(own), { metadata: { labels: { [GIVEN_LABEL]: null } } }),
  'change a label that an administrator gave its own Node': ({ own }) =>
    change(node(own), { metadata: { labels: { [GIVEN_LABEL]: 'changed' } } }),
  'label its own Node node-restriction.kubernetes.io/tier through its status': ({ own }) =>
    change(node(own), { metadata: { labels: { 'node-restriction.kubernetes.io/tier': 'a' } } }, 'status'),
  'take a label that an administrator gave off its own Node through its status': ({ own }) =>
    change(node(own), { metadata: { labels: { [GIVEN_LABEL]: null } } }, 'status'),
  'label its own Node joinproof.invalid/seen through its status': ({ own }) =>
    change(node(own), { metadata: { labels: { 'joinproof.invalid/seen': 'yes' } } }, 'status'),
  'take the taints of its own Node away': ({ own }) => change(node(own), { spec: { taints: null } }),
  'give its own Node an owner': ({ own }) => change(node(own), { metadata: { ownerReferences: [NO_OWNER] } }),
  'delete its own Node': ({ own }) => remove(node(own)),
  'delete every Node': () => ({
    method: 'DELETE',
    path: pathOf(resources.nodes),
    query: { ...DRY, labelSelector: 'joinproof.io/no-such-object=true' },
    body: { apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] },
  }),
};

const OTHER_NODE: Readonly<Record<string, Attempt>> = {
  'report the status of the other Node': ({ other }) => status(other),
  'change the other Node': ({ other }) => change(node(other)),
  'replace the other Node': ({ other }) => replace(node(other)),
  'delete the other Node': ({ other }) => remove(node(other)),
  'register a Node of another name': () => create([resources.nodes, undefined, ABSENT]),
  'register a Node whose name begins with its own': ({ own }) => create([resources.nodes, undefined, `${own.node}x`]),
  'make the Lease of a Node whose name begins with its own': ({ own }) => {
    const [resource, namespace] = lease(own);
    return create([resource, namespace, `${own.node}x`], leaseSpec(own));
  },
  'read the Lease of a Node whose name begins with its own': ({ own }) => {
    const [resource, namespace] = lease(own);
    return read([resource, namespace, `${own.node}x`]);
  },
  'make the CSINode of a Node whose name begins with its own': ({ own }) => {
    const [resource, namespace] = csiNode(own);
    return create([resource, namespace, `${own.node}x`], { spec: { drivers: [] } });
  },
  'read the other Node': ({ other }) => read(node(other)),
  'list the other Node by its name': ({ other }) => byName(node(other)),
  'watch the other Node by its name': ({ other }) => watchByName(node(other)),
  'list all Nodes': () => list(resources.nodes),
  'watch all Nodes': () => watch(resources.nodes),
  'make its own Lease': ({ own }) => create(lease(own), leaseSpec(own)),
  'read its own Lease': ({ own }) => read(lease(own)),
  'change its own Lease': ({ own }) => change(lease(own), leaseSpec(own)),
  'make the Lease of the other Node': ({ other }) => create(lease(other), leaseSpec(other)),
  'read its Lease in another namespace': ({ own }) => read(lease(own, DEFAULT)),
  'change its Lease in another namespace': ({ own }) => change(lease(own, DEFAULT), leaseSpec(own)),
  'make its Lease in another namespace': ({ own }) => create(lease(own, DEFAULT), leaseSpec(own)),
  'read the Lease of the other Node': ({ other }) => read(lease(other)),
  'change the Lease of the other Node': ({ other }) => change(lease(other), leaseSpec(other)),
  'replace the Lease of the other Node': ({ other }) => replace(lease(other), leaseSpec(other)),
  'delete the Lease of the other Node': ({ other }) => remove(lease(other)),
  'list the Leases of all Nodes': () => list(resources.leases, LEASES),
  'make its own CSINode': ({ own }) => create(csiNode(own), { spec: { drivers: [] } }),
  'read its own CSINode': ({ own }) => read(csiNode(own)),
  'change its own CSINode': ({ own }) => change(csiNode(own)),
  'make the CSINode of the other Node': ({ other }) => create(csiNode(other), { spec: { drivers: [] } }),
  'read the CSINode of the other Node': ({ other }) => read(csiNode(other)),
  'change the CSINode of the other Node': ({ other }) => change(csiNode(other)),
  'delete the CSINode of the other Node': ({ other }) => remove(csiNode(other)),
  'publish devices of the other Node': ({ other }) =>
    create([slices, undefined, DEVICES], {
      spec: {
        driver: AUDIENCE,
        nodeName: other.node,
        pool: { name: other.node, generation: 1, resourceSliceCount: 1 },
        devices: [],
      },
    }),
  'list the devices of all Nodes': () => list(slices),
  'read devices of the other Node': () => read([slices, undefined, DEVICES]),
  'change devices of the other Node': () => change([slices, undefined, DEVICES]),
  'delete devices of the other Node': () => remove([slices, undefined, DEVICES]),
};

const PODS: Readonly<Record<string, Attempt>> = {
  'delete its Pod': ({ own }) => remove(pod(own)),
  'delete the Pod of the other Node': ({ other }) => remove(pod(other)),
  'evict its Pod': ({ own }) => evict(own),
  'evict the Pod of the other Node': ({ other }) => evict(other),
  'evict the Pod of the other Node under the name of its own': ({ own, other }) => evict(other, own),
  'report the status of its Pod': ({ own }) => podStatus(own),
  'report the status of the Pod of the other Node': ({ other }) => podStatus(other),
  'label its Pod through its status': ({ own }) => podStatus(own, { metadata: { labels: { seen: 'yes' } } }),
  'change a label of its Pod through its status': ({ own }) =>
    podStatus(own, { metadata: { labels: { [RUN_LABEL]: 'changed' } } }),
  'take a label from its Pod through its status': ({ own }) => podStatus(own, { metadata: { labels: null } }),
  'change its Pod': ({ own }) => change(pod(own)),
  'change the Pod of the other Node': ({ other }) => change(pod(other)),
  'bind its Pod to the other Node': ({ own, other }) => ({
    method: 'POST',
    path: at(pod(own), 'binding'),
    query: DRY,
    body: { ...objectAt(pod(own)), kind: 'Binding', target: { apiVersion: 'v1', kind: 'Node', name: other.node } },
  }),
  'read its Pod': ({ own }) => read(pod(own)),
  'read the Pod of the other Node': ({ other }) => read(pod(other)),
  'list the Pods of the other Node': ({ other }) => podsOf(other.node),
  'list its Pods': ({ own }) => podsOf(own.node),
  'watch its Pods': ({ own }) => ({
    path: pathOf(resources.pods),
    query: { fieldSelector: `spec.nodeName=${own.node}`, watch: 'true', timeoutSeconds: '1' },
  }),
  'list all Pods': () => list(resources.pods),
  'watch all Pods': () => watch(resources.pods),
  'make a mirror Pod': ({ own }) => mirrorPod(own),
  'make a Pod that is no mirror': ({ own }) => mirrorPod(own, { metadata: { annotations: {} } }),
  'make a mirror Pod on the other Node': ({ own, other }) => mirrorPod(own, { spec: { nodeName: other.node } }),
  'make a mirror Pod without an owner': ({ own }) => mirrorPod(own, { metadata: { ownerReferences: [] } }),
  'make a mirror Pod of the other Node': ({ own, other }) =>
    mirrorPod(own, { owner: { name: other.node, uid: other.uid } }),
  'make a mirror Pod of two owners': ({ own }) =>
    mirrorPod(own, {
      metadata: {
        annotations: { 'kubernetes.io/config.mirror': 'joinproof' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: own.node, uid: own.uid, controller: true }, NO_OWNER],
      },
    }),
  'make a mirror Pod that its Node does not control': ({ own }) => mirrorPod(own, { owner: { controller: false } }),
  'make a mirror Pod that says nothing of who controls it': ({ own }) =>
    mirrorPod(own, { owner: { controller: undefined } }),
  'make a mirror Pod of a Node of another API group': ({ own }) => mirrorPod(own, { owner: { apiVersion: 'apps/v1' } }),
  'make a mirror Pod of something that is no Node': ({ own }) => mirrorPod(own, { owner: { kind: 'Namespace' } }),
  'make a mirror Pod of a Node of another UID': ({ own, other }) => mirrorPod(own, { owner: { uid: other.uid } }),
  'make a mirror Pod that blocks the deletion of its Node': ({ own }) =>
    mirrorPod(own, { owner: { blockOwnerDeletion: true } }),
  'make a mirror Pod that uses a Secret': ({ own, other }) =>
    mirrorPod(own, mounting({ secret: { secretName: other.secret } })),
  'make a mirror Pod that uses a ConfigMap': ({ own, other }) =>
    mirrorPod(own, mounting({ configMap: { name: other.configMap } })),
  'make a mirror Pod that uses a claim': ({ own, other }) =>
    mirrorPod(own, mounting({ persistentVolumeClaim: { claimName: other.claim } })),
  'make a mirror Pod with a variable of a Secret': ({ own, other }) =>
    mirrorPod(own, {
      spec: {
        containers: [{ ...noContainer(), envFrom: [{ secretRef: { name: other.secret } }] }],
      },
    }),
  'make a mirror Pod with a variable of a ConfigMap': ({ own, other }) =>
    mirrorPod(own, {
      spec: { containers: [{ ...noContainer(), envFrom: [{ configMapRef: { name: other.configMap } }] }] },
    }),
  'make a mirror Pod that mounts a token': ({ own }) =>
    mirrorPod(own, mounting({ projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } })),
  'make a mirror Pod with a ConfigMap among its sources': ({ own, other }) =>
    mirrorPod(own, mounting({ projected: { sources: [{ configMap: { name: other.configMap } }] } })),
  'make a mirror Pod with a service account': ({ own }) => mirrorPod(own, { spec: { serviceAccountName: DEFAULT } }),
};

const OTHERWISE: Readonly<Record<string, Attempt>> = Object.fromEntries(
  Object.entries<Besides>({
    'by which its Pod pulls images': 'pull',
    'of a variable of its Pod': 'one',
    'of all variables of its Pod': 'all',
    'of an init container of its Pod': 'first',
    'among the sources of its Pod': 'source',
  }).flatMap(([what, how]) => {
    const article = how === 'source' ? 'a' : 'the';
    const reads = (kind: string, at: typeof secret): [string, Attempt][] => [
      [`read ${article} ${kind} ${what}`, ({ own }) => read(at(own, DEFAULT, how))],
      [`read ${article} ${kind} ${what.replace('its', 'the other')}`, ({ other }) => read(at(other, DEFAULT, how))],
    ];
    return [...reads('Secret', secret), ...reads('ConfigMap', configMap)];
  }),
);

const DATA: Readonly<Record<string, Attempt>> = {
  'read the Secret of its Pod': ({ own }) => read(secret(own)),
  'read the ConfigMap of its Pod': ({ own }) => read(configMap(own)),
  ...OTHERWISE,
  'read a Secret that no Pod uses': ({ unused }) => read([resources.secrets, DEFAULT, unused]),
  'read the Secret of the other Pod': ({ other }) => read(secret(other)),
  'list the Secret of its Pod by its name': ({ own }) => byName(secret(own)),
  'watch the Secret of its Pod by its name': ({ own }) => watchByName(secret(own)),
  'list the ConfigMap of its Pod by its name': ({ own }) => byName(configMap(own)),
  'watch the ConfigMap of its Pod by its name': ({ own }) => watchByName(configMap(own)),
  'list the Secret of the other Pod by its name': ({ other }) => byName(secret(other)),
  'read a Secret of that name in kube-system': ({ own }) => read(secret(own, 'kube-system')),
  'list the Secrets of a namespace': () => list(resources.secrets, DEFAULT),
  'watch the Secrets of a namespace': () => watch(resources.secrets, DEFAULT),
  'list all Secrets': () => list(resources.secrets),
  'watch all Secrets': () => watch(resources.secrets),
  'change the Secret of its Pod': ({ own }) => change(secret(own)),
  'delete the Secret of its Pod': ({ own }) => remove(secret(own)),
  'make a Secret': () => create([resources.secrets, DEFAULT, ABSENT]),
  'read the ConfigMap of the other Pod': ({ other }) => read(configMap(other)),
  'read a ConfigMap that no Pod uses': () => read([resources.configMaps, DEFAULT, ABSENT]),
  'read the ConfigMap coredns': () => read([resources.configMaps, 'kube-system', 'coredns']),
  'list the ConfigMaps of a namespace': () => list(resources.configMaps, DEFAULT),
  'list all ConfigMaps': () => list(resources.configMaps),
  'watch all ConfigMaps': () => watch(resources.configMaps),
  'change the ConfigMap of its Pod': ({ own }) => change(configMap(own)),
  'make a ConfigMap': () => create([resources.configMaps, DEFAULT, ABSENT]),
  'read the claim of its Pod': ({ own }) => read([claims, DEFAULT, own.claim]),
  'read the claim of the other Pod': ({ other }) => read([claims, DEFAULT, other.claim]),
  'list the claim of its Pod by its name': ({ own }) => byName([claims, DEFAULT, own.claim]),
  'watch the claim of its Pod by its name': ({ own }) => watchByName([claims, DEFAULT, own.claim]),
  'read the status of the claim of its Pod': ({ own }) => ({ path: at([claims, DEFAULT, own.claim], 'status') }),
  'list the claims of a namespace': () => list(claims, DEFAULT),
  'report the status of the claim of the other Pod': ({ other }) =>
    change([claims, DEFAULT, other.claim], { status: {} }, 'status'),
  'change the claim of its Pod': ({ own }) => change([claims, DEFAULT, own.claim]),
  'read a volume that no Pod uses': () => read([volumes, undefined, ABSENT]),
  'list all volumes': () => list(volumes),
  'list all volume attachments': () => list(storage('volumeattachments', 'VolumeAttachment')),
  'read an account that no Pod of it uses': () => read([resources.serviceAccounts, DEFAULT, ABSENT]),
  'list the accounts of a namespace': () => list(resources.serviceAccounts, DEFAULT),
};

const TOKENS: Readonly<Record<string, Attempt>> = {
  'get a token for its Pod': ({ own }) => token(toPod(own)),
  'get a token for no Pod': () => token(undefined),
  'get a token for the Pod of the other Node': ({ other }) => token(toPod(other)),
  'get a token for its Pod under another UID': ({ own, other }) => token(toPod(own, other.pod.uid)),
  'get a token for its Pod without a UID': ({ own }) => token(toPod(own, '')),
  'get a token for its Pod of another version': ({ own }) => token({ ...toPod(own), apiVersion: 'v2' }),
  'get a token for a Secret': ({ own }) => token({ apiVersion: 'v1', kind: 'Secret', name: own.secret }),
  'get a token for its own Node': ({ own }) => token({ apiVersion: 'v1', kind: 'Node', name: own.node, uid: own.uid }),
  'get a token of an account that its Pods do not run as': ({ own }) => token(toPod(own), [AUDIENCE], ABSENT),
  'get a token of the account of that name in kube-system': ({ own }) =>
    token(toPod(own), [AUDIENCE], DEFAULT, 'kube-system'),
  'get a token for two audiences': ({ own }) => token(toPod(own), [AUDIENCE, 'other.invalid']),
};

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  ...OWN_NODE,
  ...OTHER_NODE,
  ...PODS,
  ...DATA,
  ...TOKENS,
  ...REPORTS,
};

/** undefined where nobody knows what that is. "label its own Node <key>", "register itself with the label <key>". */
export function attemptOf(what: string, around: Neighbours): Question | undefined {
  const [, update, creation] = /^label its own Node (\S+)$|^register itself with the label (\S+)$/.exec(what) ?? [];
  const own = node(around.own);
  if (update !== undefined) return change(own, { metadata: { labels: { [update]: 'joinproof' } } });
  if (creation !== undefined) return create(own, { metadata: { labels: { [creation]: 'joinproof' } } });
  return ATTEMPTS[what]?.(around);
}

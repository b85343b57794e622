/** The questions that what a node tries is made of. Everything that writes is a dry run. */

import type { KubeObject } from '../../src/kubernetes/objects.js';
import { noContainer } from '../../src/kubernetes/own-objects.js';
import { apiVersionOf, pathOf, type Resource, resources } from '../../src/kubernetes/resources.js';
import type { Question } from '../../src/targets/types.js';
import { ownStatus } from '../common/node-client.js';
import { DRY, triedPatch } from '../common/trials.js';

export const DEFAULT = 'default';
/** What the Pod of each node mounts a token for. */
export const AUDIENCE = 'joinproof.invalid';
export const LEASES = 'kube-node-lease';

/** One of two nodes, and what there is of it. */
export interface Neighbour {
  readonly node: string;
  /** Of its Node. */
  readonly uid: string;
  readonly pod: { readonly name: string; readonly uid: string };
  /** Names of what its Pod uses, in the namespace "default". */
  readonly secret: string;
  readonly configMap: string;
  readonly claim: string;
}

export const storage = (resource: string, kind: string): Resource => ({
  group: 'storage.k8s.io',
  version: 'v1',
  resource,
  kind,
  namespaced: false,
});
export const csiNodes = storage('csinodes', 'CSINode');
export const core = (resource: string, kind: string, namespaced: boolean): Resource => ({
  group: '',
  version: 'v1',
  resource,
  kind,
  namespaced,
});
export const claims = core('persistentvolumeclaims', 'PersistentVolumeClaim', true);
export const volumes = core('persistentvolumes', 'PersistentVolume', false);
export const slices: Resource = {
  group: 'resource.k8s.io',
  version: 'v1',
  resource: 'resourceslices',
  kind: 'ResourceSlice',
  namespaced: false,
};

/** Where something is. */
export type Place = readonly [Resource, string | undefined, string];
export const at = ([resource, namespace, name]: Place, subresource?: string): string =>
  pathOf(resource, { namespace, name, ...(subresource === undefined ? {} : { subresource }) });

export const objectAt = ([resource, namespace, name]: Place, more: object = {}): KubeObject => {
  const { metadata, ...rest } = more as Partial<KubeObject>;
  return {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }), ...metadata },
    ...rest,
  };
};

export const read = (place: Place): Question => ({ path: at(place) });
export const list = (resource: Resource, namespace?: string): Question => ({ path: pathOf(resource, { namespace }) });
export const watch = (resource: Resource, namespace?: string): Question => ({
  path: pathOf(resource, { namespace }),
  query: { watch: 'true', timeoutSeconds: '1' },
});
export const byName = ([resource, namespace, name]: Place): Question => ({
  path: pathOf(resource, { namespace }),
  query: { fieldSelector: `metadata.name=${name}` },
});
export const watchByName = (place: Place): Question => {
  const { path, query } = byName(place);
  return { path, query: { ...query, watch: 'true', timeoutSeconds: '1' } };
};
export const create = (place: Place, more: object = {}): Question => ({
  method: 'POST',
  path: pathOf(place[0], { namespace: place[1] }),
  query: DRY,
  body: objectAt(place, more),
});
export const replace = (place: Place, more: object = {}): Question => ({
  method: 'PUT',
  path: at(place),
  query: DRY,
  body: objectAt(place, more),
});
export const change = (place: Place, body: unknown = SEEN, subresource?: string): Question =>
  triedPatch(at(place, subresource), 'merge', body);
export const remove = (place: Place): Question => ({ method: 'DELETE', path: at(place), query: DRY });

export const SEEN = { metadata: { annotations: { 'joinproof.invalid/seen': 'yes' } } };
export const TAINTED = { spec: { taints: [{ key: 'joinproof.invalid/seen', effect: 'NoSchedule' }] } };

export const node = ({ node: name }: Pick<Neighbour, 'node'>): Place => [resources.nodes, undefined, name];
export const lease = ({ node: name }: Pick<Neighbour, 'node'>, namespace = LEASES): Place => [
  resources.leases,
  namespace,
  name,
];
export const csiNode = ({ node: name }: Pick<Neighbour, 'node'>): Place => [csiNodes, undefined, name];
export const pod = ({ pod: { name } }: Neighbour): Place => [resources.pods, DEFAULT, name];
/**
 * How a Pod uses data otherwise than as a volume: to pull images, for a variable, for all variables (of an init
 * container, too), as one of several sources.
 */
export type Besides = 'pull' | 'one' | 'all' | 'first' | 'source';
export const besides = (name: string, how?: Besides): string => (how === undefined ? name : `${name}-${how}`);

export const secret = ({ secret: name }: Neighbour, namespace = DEFAULT, how?: Besides): Place => [
  resources.secrets,
  namespace,
  besides(name, how),
];
export const configMap = ({ configMap: name }: Neighbour, namespace = DEFAULT, how?: Besides): Place => [
  resources.configMaps,
  namespace,
  besides(name, how),
];
export const leaseSpec = (holder: Pick<Neighbour, 'node'>): object => ({
  spec: { holderIdentity: holder.node, leaseDurationSeconds: 40 },
});

export const status = (neighbour: Neighbour): Question => ({ ...ownStatus(neighbour.node), query: DRY });
export const podStatus = (
  neighbour: Neighbour,
  body: object = { status: { message: 'seen by joinproof' } },
): Question => change(pod(neighbour), body, 'status');
/** `named`: whose Pod the body names. */
export const evict = (of: Neighbour, { pod: { name } } = of): Question => ({
  method: 'POST',
  path: at(pod(of), 'eviction'),
  query: DRY,
  body: {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace: DEFAULT },
    deleteOptions: { dryRun: ['All'] },
  },
});

/** What an administrator labels Nodes with, and they do not. */
export const GIVEN_LABEL = 'node-role.kubernetes.io/joinproof';
/** What an administrator taints Nodes with, so that there is a first taint. */
export const GIVEN_TAINT = { key: 'joinproof.invalid/given', effect: 'NoSchedule' };

/** A mirror of a static Pod of the node, as its kubelet makes it, but for what is said. */
export function mirrorPod(
  of: Neighbour,
  { metadata = {}, owner = {}, spec = {} }: Record<string, object> = {},
): Question {
  const reference = { apiVersion: 'v1', kind: 'Node', name: of.node, uid: of.uid, controller: true, ...owner };
  return create([resources.pods, DEFAULT, 'jp-mirror0'], {
    metadata: {
      annotations: { 'kubernetes.io/config.mirror': 'joinproof' },
      ownerReferences: [reference],
      ...metadata,
    },
    spec: { nodeName: of.node, containers: [noContainer()], ...spec },
  });
}
export const mounting = (source: object): Record<string, object> => ({
  spec: { volumes: [{ name: 'used', ...source }] },
});

/** A token of the account "default", which the Pods of both nodes run as. */
export function token(
  bound: object | undefined,
  audiences: readonly string[] = [AUDIENCE],
  account = DEFAULT,
  namespace = DEFAULT,
): Question {
  return {
    method: 'POST',
    path: at([resources.serviceAccounts, namespace, account], 'token'),
    query: DRY,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { audiences, expirationSeconds: 600, ...(bound === undefined ? {} : { boundObjectRef: bound }) },
    },
  };
}
export const toPod = ({ pod: { name, uid } }: Neighbour, otherUid = uid): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  name,
  uid: otherUid,
});

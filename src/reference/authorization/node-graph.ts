/**
 * Which objects belong to which node, because a pod on it uses them. Source: plugin/pkg/auth/authorizer/node/graph.go,
 * graph_populator.go.
 *
 * Nothing is kept up to date: pods, volumes, attachments and slices are few, so a relation is looked for when it is
 * asked, and remembered until one of them changes.
 */

import type { Store } from '../../apiserver/types.js';
import { record, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';

export type Vertex =
  | 'secret'
  | 'configmap'
  | 'pod'
  | 'pvc'
  | 'pv'
  | 'resourceclaim'
  | 'volumeattachment'
  | 'serviceaccount'
  | 'resourceslice';

export interface NodeGraph {
  /** Whether the object leads to this node. `namespace` is '' for cluster-wide kinds. */
  leadsTo(node: string, vertex: Vertex, namespace: string, name: string): boolean;
  stop(): void;
}

const WATCHED = new Set([
  '/pods',
  '/persistentvolumes',
  'storage.k8s.io/volumeattachments',
  'resource.k8s.io/resourceslices',
]);

/** Until 1.32 what was added to a Pod later led nowhere. Source: graph_populator.go updatePod. */
const EPHEMERAL_CONTAINERS_SINCE = 33;

const asItWasMade = (pod: KubeObject): KubeObject => ({
  ...pod,
  spec: { ...record(pod.spec), ephemeralContainers: [] },
});

export function createNodeGraph(store: Store, decisions: Decisions, minor: number): NodeGraph {
  /** vertex + namespace + name → nodes; undefined after a change */
  let edges: Map<string, Set<string>> | undefined;
  const unsubscribe = store.onTouch(({ group, resource }) => {
    if (WATCHED.has(`${group}/${resource}`)) edges = undefined;
  });
  const key = (vertex: Vertex, namespace: string, name: string): string => `${vertex}\u0000${namespace}\u0000${name}`;

  const build = (): Map<string, Set<string>> => {
    const map = new Map<string, Set<string>>();
    const link = (vertex: Vertex, namespace: string, name: string, nodes: Iterable<string>): void => {
      const at = key(vertex, namespace, name);
      const known = map.get(at) ?? new Set<string>();
      for (const node of nodes) known.add(node);
      map.set(at, known);
    };
    for (const pod of store.list({ group: '', resource: 'pods' })) {
      const node = text(record(pod.spec).nodeName);
      if (node === '') continue;
      const { namespace = '', name = '', annotations = {} } = pod.metadata;
      link('pod', namespace, name, [node]);
      if (!decisions.podOpensItsReferences(annotations)) continue;
      const references = decisions.podReferences(minor < EPHEMERAL_CONTAINERS_SINCE ? asItWasMade(pod) : pod);
      if (references.serviceAccount !== '') link('serviceaccount', namespace, references.serviceAccount, [node]);
      for (const secret of references.secrets) link('secret', namespace, secret, [node]);
      for (const configMap of references.configMaps) link('configmap', namespace, configMap, [node]);
      for (const claim of references.claims) link('pvc', namespace, claim, [node]);
      for (const claim of references.resourceClaims) link('resourceclaim', namespace, claim, [node]);
    }
    for (const volume of store.list({ group: '', resource: 'persistentvolumes' })) {
      const claim = record(record(volume.spec).claimRef);
      const nodes = map.get(key('pvc', text(claim.namespace), text(claim.name)));
      if (nodes === undefined) continue;
      link('pv', '', volume.metadata.name ?? '', nodes);
      for (const secret of decisions.volumeSecrets(volume)) link('secret', secret.namespace, secret.name, nodes);
    }
    for (const [vertex, resource] of [
      ['volumeattachment', { group: 'storage.k8s.io', resource: 'volumeattachments' }],
      ['resourceslice', { group: 'resource.k8s.io', resource: 'resourceslices' }],
    ] as const) {
      for (const object of store.list(resource)) {
        const node = text(record(object.spec).nodeName);
        if (node !== '') link(vertex, '', object.metadata.name ?? '', [node]);
      }
    }
    return map;
  };

  return {
    leadsTo(node, vertex, namespace, name) {
      edges ??= build();
      return edges.get(key(vertex, namespace, name))?.has(node) ?? false;
    },
    stop: unsubscribe,
  };
}

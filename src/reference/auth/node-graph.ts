/**
 * Which objects belong to which node, because a pod on it uses them. Source: plugin/pkg/auth/authorizer/node/{graph,graph_populator}.go;
 * pkg/api/v1/pod/util.go VisitPodSecretNames, VisitPodConfigmapNames; pkg/api/v1/persistentvolume/util.go VisitPVSecretNames.
 *
 * Nothing is kept up to date: pods, volumes, attachments and slices are few, so a relation is looked for when it is asked, and remembered until one of them changes.
 */

import type { Store } from '../../apiserver/types.js';
import type { KubeObject } from '../../kubernetes/objects.js';

export const VERTICES = [
  'secret',
  'configmap',
  'pod',
  'pvc',
  'pv',
  'resourceclaim',
  'volumeattachment',
  'serviceaccount',
  'resourceslice',
] as const;
export type Vertex = (typeof VERTICES)[number];

export interface NodeGraph {
  /** Whether the object leads to this node. `namespace` is '' for cluster-wide kinds. */
  leadsTo(node: string, vertex: Vertex, namespace: string, name: string): boolean;
  stop(): void;
}

export const MIRROR_POD = 'kubernetes.io/config.mirror';

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fields) : []);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a pod's spec refers to, by kind. Names may be ''. */
export interface PodReferences {
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly resourceClaims: readonly string[];
  readonly serviceAccount: string;
  /** A projected volume asks for a cluster trust bundle or a service account token (NodeRestriction of mirror pods looks at it). */
  readonly clusterTrustBundles: boolean;
  readonly serviceAccountTokens: boolean;
}

const VOLUME_SECRETS: readonly (readonly [volume: string, reference: string])[] = [
  ['cephfs', 'secretRef'],
  ['flexVolume', 'secretRef'],
  ['rbd', 'secretRef'],
  ['scaleIO', 'secretRef'],
  ['iscsi', 'secretRef'],
  ['storageos', 'secretRef'],
  ['csi', 'nodePublishSecretRef'],
];

export function podReferences(pod: KubeObject): PodReferences {
  const spec = fields(pod.spec);
  const secrets: string[] = [];
  const configMaps: string[] = [];
  const claims: string[] = [];
  let clusterTrustBundles = false;
  let serviceAccountTokens = false;
  for (const secret of list(spec.imagePullSecrets)) secrets.push(text(secret.name));
  for (const container of [...list(spec.initContainers), ...list(spec.containers), ...list(spec.ephemeralContainers)]) {
    for (const from of list(container.envFrom)) {
      if (from.secretRef !== undefined) secrets.push(text(fields(from.secretRef).name));
      if (from.configMapRef !== undefined) configMaps.push(text(fields(from.configMapRef).name));
    }
    for (const variable of list(container.env)) {
      const from = fields(variable.valueFrom);
      if (from.secretKeyRef !== undefined) secrets.push(text(fields(from.secretKeyRef).name));
      if (from.configMapKeyRef !== undefined) configMaps.push(text(fields(from.configMapKeyRef).name));
    }
  }
  for (const volume of list(spec.volumes)) {
    if (volume.azureFile !== undefined) secrets.push(text(fields(volume.azureFile).secretName));
    if (volume.secret !== undefined) secrets.push(text(fields(volume.secret).secretName));
    if (volume.configMap !== undefined) configMaps.push(text(fields(volume.configMap).name));
    for (const [kind, reference] of VOLUME_SECRETS) {
      const found = fields(volume[kind])[reference];
      if (found !== undefined) secrets.push(text(fields(found).name));
    }
    for (const source of list(fields(volume.projected).sources)) {
      if (source.secret !== undefined) secrets.push(text(fields(source.secret).name));
      if (source.configMap !== undefined) configMaps.push(text(fields(source.configMap).name));
      if (source.clusterTrustBundle !== undefined) clusterTrustBundles = true;
      if (source.serviceAccountToken !== undefined) serviceAccountTokens = true;
    }
    if (volume.persistentVolumeClaim !== undefined) claims.push(text(fields(volume.persistentVolumeClaim).claimName));
    else if (volume.ephemeral !== undefined) claims.push(`${pod.metadata.name}-${text(volume.name)}`);
  }
  const statuses = list(fields(pod.status).resourceClaimStatuses);
  const resourceClaims = list(spec.resourceClaims).flatMap((claim) => {
    if (typeof claim.resourceClaimName === 'string') return [claim.resourceClaimName];
    const made = statuses.find((status) => status.name === claim.name)?.resourceClaimName;
    return typeof made === 'string' ? [made] : [];
  });
  const extended = text(fields(fields(pod.status).extendedResourceClaimStatus).resourceClaimName);
  return {
    secrets,
    configMaps,
    claims,
    resourceClaims: extended === '' ? resourceClaims : [...resourceClaims, extended],
    serviceAccount: text(spec.serviceAccountName),
    clusterTrustBundles,
    serviceAccountTokens,
  };
}

/** Secrets that a kubelet may need for a volume of this kind, in the namespace that the reference or the claim names. */
function volumeSecrets(volume: KubeObject): { readonly namespace: string; readonly name: string }[] {
  const spec = fields(volume.spec);
  const claimNamespace = text(fields(spec.claimRef).namespace);
  const found: { namespace: string; name: string }[] = [];
  const add = (reference: unknown): void => {
    if (reference === undefined || reference === null) return;
    const { name, namespace } = fields(reference);
    found.push({ namespace: text(namespace) === '' ? claimNamespace : text(namespace), name: text(name) });
  };
  for (const kind of ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'])
    add(fields(spec[kind]).secretRef);
  const azure = fields(spec.azureFile);
  if (text(azure.secretName) !== '') add({ name: azure.secretName, namespace: azure.secretNamespace });
  // The controller's secrets are not for the kubelet, except that of expansion on the node.
  for (const key of ['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef']) add(fields(spec.csi)[key]);
  return found;
}

const WATCHED = new Set([
  '/pods',
  '/persistentvolumes',
  'storage.k8s.io/volumeattachments',
  'resource.k8s.io/resourceslices',
]);

export function createNodeGraph(store: Store): NodeGraph {
  /** vertex + namespace + name → nodes; undefined after a change */
  let edges: Map<string, Set<string>> | undefined;
  const unsubscribe = store.subscribe(({ resource }) => {
    if (WATCHED.has(`${resource.group}/${resource.resource}`)) edges = undefined;
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
      const node = text(fields(pod.spec).nodeName);
      if (node === '') continue;
      const { namespace = '', name = '', annotations = {} } = pod.metadata;
      link('pod', namespace, name, [node]);
      // A node must never gain access by a pod that it made itself.
      if (MIRROR_POD in annotations) continue;
      const references = podReferences(pod);
      if (references.serviceAccount !== '') link('serviceaccount', namespace, references.serviceAccount, [node]);
      for (const secret of references.secrets) link('secret', namespace, secret, [node]);
      for (const configMap of references.configMaps) link('configmap', namespace, configMap, [node]);
      for (const claim of references.claims) link('pvc', namespace, claim, [node]);
      for (const claim of references.resourceClaims) link('resourceclaim', namespace, claim, [node]);
    }
    for (const volume of store.list({ group: '', resource: 'persistentvolumes' })) {
      const claim = fields(fields(volume.spec).claimRef);
      const nodes = map.get(key('pvc', text(claim.namespace), text(claim.name)));
      if (nodes === undefined) continue;
      link('pv', '', volume.metadata.name ?? '', nodes);
      for (const secret of volumeSecrets(volume)) link('secret', secret.namespace, secret.name, nodes);
    }
    for (const [vertex, resource] of [
      ['volumeattachment', { group: 'storage.k8s.io', resource: 'volumeattachments' }],
      ['resourceslice', { group: 'resource.k8s.io', resource: 'resourceslices' }],
    ] as const) {
      for (const object of store.list(resource)) {
        const node = text(fields(object.spec).nodeName);
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

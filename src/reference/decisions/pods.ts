/**
 * What a pod uses, which is what its node may read, what a mirror pod may not name, and what runs in it as which
 * account.
 * Source: plugin/pkg/auth/authorizer/node/graph.go; pkg/api/v1/pod/util.go VisitPodSecretNames, VisitPodConfigmapNames;
 * pkg/api/v1/persistentvolume/util.go VisitPVSecretNames; pkg/api/pod/util.go HasAPIObjectReference;
 * plugin/pkg/admission/{noderestriction,serviceaccount}/admission.go.
 */

import { goQuote } from '../../apiserver/go/text.js';
import { type Fields, isRecord, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';

/** The annotation of a pod that a kubelet has made of a file. */
const MIRROR_POD = 'kubernetes.io/config.mirror';

/** Releases in which every reference to an API object is looked for, not only the better known ones. */
const ALL_REFERENCES: Span = { since: 34 };
const RESOURCE_CLAIMS: Span = { since: 32 };

/** What a pod's spec refers to, by kind. Names may be ''. */
export interface PodReferences {
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly resourceClaims: readonly string[];
  readonly serviceAccount: string;
  /**
   * A projected volume asks for a cluster trust bundle or a service account token (NodeRestriction of mirror pods looks
   * at it).
   */
  readonly clusterTrustBundles: boolean;
  readonly serviceAccountTokens: boolean;
}

/** A Secret in a namespace. */
export interface SecretPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Volumes that name a Secret as `secretRef`. */
const WITH_SECRET: readonly string[] = ['cephfs', 'flexVolume', 'rbd', 'scaleIO', 'iscsi', 'storageos'];

const PLAIN_VOLUMES: readonly string[] = [
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];
const REFERRING_VOLUMES: readonly (readonly [string, string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const REFERRING_SOURCES: readonly (readonly [string, string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/** Names that the references of `holders` carry, where there are any. */
const namesIn = (holders: readonly Fields[], reference: string, key = 'name'): readonly string[] =>
  holders.flatMap((holder) => {
    const found = holder[reference];
    return found === undefined ? [] : [text(record(found)[key])];
  });

/** The first API object that a volume refers to; undefined: none; { error } for a volume of unknown kind. */
function volumeReference(volume: Fields): string | undefined | { readonly error: string } {
  if (PLAIN_VOLUMES.some((kind) => isRecord(volume[kind]))) return undefined;
  const referring = REFERRING_VOLUMES.find(([kind]) => isRecord(volume[kind]));
  if (referring !== undefined) return referring[1];
  if (!isRecord(volume.projected)) return { error: `unknown volume type for volume  ${goQuote(text(volume.name))}` };
  for (const source of records(volume.projected.sources)) {
    const found = REFERRING_SOURCES.find(([kind]) => isRecord(source[kind]));
    if (found !== undefined) return found[1];
    if (!isRecord(source.downwardAPI))
      return { error: `unknown source for projected volume ${goQuote(text(volume.name))}` };
  }
  return undefined;
}

const boolean = (value: unknown): boolean | undefined => (typeof value === 'boolean' ? value : undefined);

export const podDecisions = {
  /** Whether a pod is a file's on some node. */
  isMirrorPod: (annotations: Readonly<Record<string, string>>): boolean => MIRROR_POD in annotations,

  /** What a pod refers to. Source: VisitPodSecretNames, VisitPodConfigmapNames, graph.go AddPod. */
  podReferences: (pod: KubeObject): PodReferences => {
    const spec = record(pod.spec);
    const volumes = records(spec.volumes);
    const ofKind = (kind: string): readonly Fields[] => volumes.map((volume) => record(volume[kind]));
    const sources = ofKind('projected').flatMap((volume) => records(volume.sources));
    const containers = [spec.initContainers, spec.containers, spec.ephemeralContainers].flatMap(records);
    const from = containers.flatMap((container) => records(container.envFrom));
    const variables = containers.flatMap((one) => records(one.env)).map((variable) => record(variable.valueFrom));
    const status = record(pod.status);
    const statuses = records(status.resourceClaimStatuses);
    const extended = text(record(status.extendedResourceClaimStatus).resourceClaimName);
    return {
      secrets: [
        ...records(spec.imagePullSecrets).map((secret) => text(secret.name)),
        ...namesIn(from, 'secretRef'),
        ...namesIn(variables, 'secretKeyRef'),
        ...namesIn(volumes, 'azureFile', 'secretName'),
        ...namesIn(volumes, 'secret', 'secretName'),
        ...WITH_SECRET.flatMap((kind) => namesIn(ofKind(kind), 'secretRef')),
        ...namesIn(ofKind('csi'), 'nodePublishSecretRef'),
        ...namesIn(sources, 'secret'),
      ],
      configMaps: [
        ...namesIn(from, 'configMapRef'),
        ...namesIn(variables, 'configMapKeyRef'),
        ...namesIn(volumes, 'configMap'),
        ...namesIn(sources, 'configMap'),
      ],
      claims: volumes.flatMap((volume) => {
        if (volume.persistentVolumeClaim !== undefined) return [text(record(volume.persistentVolumeClaim).claimName)];
        return volume.ephemeral === undefined ? [] : [`${pod.metadata.name}-${text(volume.name)}`];
      }),
      resourceClaims: [
        ...records(spec.resourceClaims).flatMap((claim) => {
          const made = statuses.find(({ name }) => name === claim.name)?.resourceClaimName;
          const name = typeof claim.resourceClaimName === 'string' ? claim.resourceClaimName : made;
          return typeof name === 'string' ? [name] : [];
        }),
        ...(extended === '' ? [] : [extended]),
      ],
      serviceAccount: text(spec.serviceAccountName),
      clusterTrustBundles: sources.some((source) => source.clusterTrustBundle !== undefined),
      serviceAccountTokens: sources.some((source) => source.serviceAccountToken !== undefined),
    };
  },

  /**
   * Whether the references of a pod open anything to its node: not those of one that the node has made itself. Source:
   * graph.go AddPod.
   */
  podOpensItsReferences: (annotations: Readonly<Record<string, string>>): boolean => !(MIRROR_POD in annotations),

  /**
   * Secrets that a kubelet may need for a volume, in the namespace that the reference or the claim names. The
   * controller's own are not for kubelets, except that of expansion on the node. Source: VisitPVSecretNames.
   */
  volumeSecrets: (volume: KubeObject): readonly SecretPlace[] => {
    const spec = record(volume.spec);
    const azure = record(spec.azureFile);
    const csi = record(spec.csi);
    const references = [
      ...WITH_SECRET.map((kind) => record(spec[kind]).secretRef),
      ...(text(azure.secretName) === '' ? [] : [{ name: azure.secretName, namespace: azure.secretNamespace }]),
      ...['nodePublishSecretRef', 'nodeStageSecretRef', 'nodeExpandSecretRef'].map((key) => csi[key]),
    ].filter(isRecord);
    return references.map(({ name, namespace }) => ({
      namespace: text(namespace) === '' ? text(record(spec.claimRef).namespace) : text(namespace),
      name: text(name),
    }));
  },

  /**
   * The first API object that a mirror pod refers to, in upstream's words; { error } for a volume of unknown kind.
   * Source: HasAPIObjectReference.
   */
  apiReference: (
    pod: KubeObject,
    references: PodReferences,
    minor: number,
  ): string | undefined | { readonly error: string } => {
    const all = inSpan(minor, ALL_REFERENCES);
    if (references.serviceAccount !== '') return all ? 'serviceaccounts' : 'a service account';
    if (references.secrets.length > 0) return 'secrets';
    if (references.configMaps.length > 0) return 'configmaps';
    const spec = record(pod.spec);
    const claims = records(spec.resourceClaims).length > 0;
    const volumes = records(spec.volumes);
    if (!all) {
      if (references.clusterTrustBundles) return 'clustertrustbundles';
      if (volumes.some((volume) => isRecord(volume.persistentVolumeClaim))) return 'persistentvolumeclaims';
      return claims && inSpan(minor, RESOURCE_CLAIMS) ? 'resourceclaims' : undefined;
    }
    if (claims) return 'resourceclaims';
    for (const volume of volumes) {
      const found = volumeReference(volume);
      if (found !== undefined) return found;
    }
    return undefined;
  },

  /** Account of a pod that names none. Source: serviceaccount/admission.go DefaultServiceAccountName. */
  defaultServiceAccount: (): string => 'default',

  /**
   * What a mirror pod may not refer to: it must not gain rights by what its node wrote. Source:
   * serviceaccount/admission.go Validate.
   */
  mirrorPodProblem: (references: PodReferences): string | undefined => {
    if (references.serviceAccount !== '') return 'a mirror pod may not reference service accounts';
    if (references.secrets.length > 0) return 'a mirror pod may not reference secrets';
    return references.serviceAccountTokens
      ? 'a mirror pod may not use ServiceAccountToken volume projections'
      : undefined;
  },

  /**
   * Whether the token is mounted: as the pod says, else as its account says, else it is. Source:
   * serviceaccount/admission.go shouldAutomount.
   */
  mountsToken: (pod: Fields, account: KubeObject | undefined): boolean =>
    boolean(pod.automountServiceAccountToken) ?? boolean(account?.automountServiceAccountToken) ?? true,

  /** Sources of the volume that holds a pod's token. Source: serviceaccount/admission.go TokenVolumeSource. */
  tokenVolumeSources: (): readonly Fields[] => [
    { serviceAccountToken: { path: 'token', expirationSeconds: 3607 } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: {
        items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
      },
    },
  ],
};

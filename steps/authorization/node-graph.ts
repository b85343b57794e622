/**
 * What leads from an object to a node: every way in which a Pod uses Secrets, volumes, attachments and device claims.
 * Source: plugin/pkg/auth/authorizer/node/graph.go; pkg/api/v1/pod/util.go; pkg/api/v1/persistentvolume/util.go.
 */

import { KUBE_PUBLIC } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { noContainer, OWN_FINALIZERS } from '../../src/kubernetes/own-objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import { podObject } from '../common/node-client.js';
import { AUDIENCE, at, claims, DEFAULT, type Place, storage } from './node-questions.js';

const attachments = storage('volumeattachments', 'VolumeAttachment');
const deviceClaims: Resource = {
  group: 'resource.k8s.io',
  version: 'v1',
  resource: 'resourceclaims',
  kind: 'ResourceClaim',
  namespaced: true,
};

/** A Pod whose objects need not be there: their names are made of its own. */
export interface Using {
  readonly pod: string;
  readonly volume: string;
}

const secretOf = (pod: string, of: string): string => `${pod}-s-${of}`;

/** Volumes that name a Secret, by kind. */
const VOLUMES = (pod: string): Readonly<Record<string, object>> => {
  const monitors = ['joinproof.invalid:6789'];
  return {
    csi: { driver: AUDIENCE, nodePublishSecretRef: { name: secretOf(pod, 'csi') } },
    azureFile: { secretName: secretOf(pod, 'azure'), shareName: 'none' },
    flexVolume: { driver: 'joinproof.invalid/none', secretRef: { name: secretOf(pod, 'flex') } },
    iscsi: {
      targetPortal: '192.0.2.1:3260',
      iqn: 'iqn.2001-04.invalid.joinproof:none',
      lun: 0,
      chapAuthSession: true,
      secretRef: { name: secretOf(pod, 'iscsi') },
    },
    cephfs: { monitors, secretRef: { name: secretOf(pod, 'cephfs') } },
    rbd: { monitors, image: 'none', secretRef: { name: secretOf(pod, 'rbd') } },
    scaleIO: { ...SCALE_IO, secretRef: { name: secretOf(pod, 'scaleio') } },
    storageos: { volumeName: 'none', secretRef: { name: secretOf(pod, 'storageos') } },
  };
};
const SCALE_IO = { gateway: 'https://joinproof.invalid', system: 'none', volumeName: 'none' };

/** Where the Secrets of volumes lie that name a namespace. */
const APART = KUBE_PUBLIC;

/** Volumes of claims that name a Secret, by kind; without a namespace it is that of the claim. */
const CLAIMED = (pod: string): Readonly<Record<string, object>> => {
  const inline = VOLUMES(pod);
  const naming = (kind: string, namespace?: string): object => {
    const name = secretOf(pod, `claimed-${kind.toLowerCase()}`);
    return { ...inline[kind], secretRef: namespace === undefined ? { name } : { name, namespace } };
  };
  return {
    azureFile: { secretName: secretOf(pod, 'claimed-azurefile'), secretNamespace: APART, shareName: 'none' },
    flexVolume: naming('flexVolume'),
    iscsi: naming('iscsi', APART),
    cephfs: naming('cephfs'),
    rbd: naming('rbd', APART),
    scaleIO: naming('scaleIO', APART),
    storageos: naming('storageos', APART),
  };
};
/** The volume of a claim of the same name in another namespace. */
const elsewhere = (volume: string): string => `${volume}-elsewhere`;
const claimOf = (pod: string, kind: string): string => `${pod}-${kind.toLowerCase()}`;

const variables = (pod: string) => [
  { name: 'A', valueFrom: { secretKeyRef: { name: secretOf(pod, 'later'), key: 'a' } } },
  { name: 'B', valueFrom: { configMapKeyRef: { name: `${pod}-later`, key: 'b' } } },
];

async function podWith(
  world: World,
  node: string,
  spec: (name: string) => object,
  metadata: object = {},
): Promise<string> {
  const plain = podObject(world, node);
  const name = plain.metadata.name ?? '';
  await world.writes.create<KubeObject>(resources.pods, {
    ...plain,
    metadata: { ...plain.metadata, ...metadata },
    spec: { ...(plain.spec as object), ...spec(name) },
  });
  return name;
}

/** A Pod with a claim of a volume that is attached to its node, and with whatever else leads to Secrets. */
export async function usesVolumes(world: World, node: string): Promise<Using> {
  const pod = await podWith(world, node, (name) => ({
    containers: [noContainer('first'), { ...noContainer('second'), env: variables(name) }],
    volumes: [
      ...Object.entries(VOLUMES(name)).map(([kind, source]) => ({ name: kind.toLowerCase(), [kind]: source })),
      { name: 'claimed', persistentVolumeClaim: { claimName: name } },
      ...Object.keys(CLAIMED(name)).map((kind) => ({
        name: `claimed-${kind.toLowerCase()}`,
        persistentVolumeClaim: { claimName: claimOf(name, kind) },
      })),
      {
        name: 'fresh',
        ephemeral: {
          volumeClaimTemplate: {
            spec: {
              accessModes: ['ReadWriteOnce'],
              storageClassName: '',
              resources: { requests: { storage: '1Mi' } },
            },
          },
        },
      },
    ],
  }));
  const volume = `jp-${world.random(10)}`;
  await attachedVolume(world, node, { pod, volume });
  const handle = elsewhere(volume);
  const another = { driver: AUDIENCE, volumeHandle: handle, nodePublishSecretRef: apart(pod, 'elsewhere') };
  await claimedVolume(world, handle, pod, { csi: another }, APART);
  for (const [kind, source] of Object.entries(CLAIMED(pod)))
    await claimedVolume(world, `jp-${world.random(10)}`, claimOf(pod, kind), { [kind]: source });
  return { pod, volume };
}

const apart = (pod: string, of: string) => ({ name: secretOf(pod, of), namespace: DEFAULT });

/** The volume of the Pod's claim, with Secrets of it, attached to the node. */
async function attachedVolume(world: World, node: string, { pod, volume }: Using): Promise<void> {
  await claimedVolume(world, volume, pod, {
    csi: {
      driver: AUDIENCE,
      volumeHandle: volume,
      nodePublishSecretRef: apart(pod, 'publish'),
      nodeStageSecretRef: apart(pod, 'stage'),
      nodeExpandSecretRef: apart(pod, 'expand'),
      controllerPublishSecretRef: apart(pod, 'controller'),
    },
  });
  await world.writes.create<KubeObject>(attachments, {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: volume },
    spec: { attacher: AUDIENCE, nodeName: node, source: { persistentVolumeName: volume } },
  });
}

/** A Pod with a claim whose volume and attachment are made only after `look` has asked for them. */
export async function usesVolumeMadeLater(
  world: World,
  node: string,
  look: (using: Using) => Promise<unknown>,
): Promise<Using> {
  const pod = await podWith(world, node, (name) => ({
    volumes: [{ name: 'claimed', persistentVolumeClaim: { claimName: name } }],
  }));
  const using = { pod, volume: `jp-${world.random(10)}` };
  await look(using);
  await attachedVolume(world, node, using);
  return using;
}

/** A Pod whose containers have all ended well; it has not been deleted. */
export async function usesAndHasEnded(world: World, node: string): Promise<Using> {
  const pod = await podWith(world, node, (name) => ({
    containers: [noContainer('first'), { ...noContainer('second'), env: variables(name) }],
  }));
  await patchPod(world, pod, 'status', { status: { phase: 'Succeeded' } });
  return { pod, volume: '' };
}

/** It is there as long as its finalizer. Source: plugin/pkg/auth/authorizer/node/graph.go AddPod. */
export async function usesAndIsToEnd(world: World, node: string): Promise<Using> {
  const pod = await podWith(world, node, (name) => ({
    containers: [noContainer('first'), { ...noContainer('second'), env: variables(name) }],
  }));
  await patchPod(world, pod, '', { metadata: { finalizers: [`${OWN_FINALIZERS}held`] } });
  await world.admin.ask({ method: 'DELETE', path: at([resources.pods, DEFAULT, pod]) });
  return { pod, volume: '' };
}

/** A volume that is meant for a claim, whether it is there or not. */
async function claimedVolume(
  world: World,
  name: string,
  claim: string,
  source: object,
  namespace = DEFAULT,
): Promise<void> {
  await world.writes.create<KubeObject>(resources.persistentVolumes, {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name },
    spec: {
      capacity: { storage: '1Mi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Retain',
      claimRef: { namespace, name: claim },
      ...source,
    },
  });
}

/** A Pod that a container was added to, whose variables are of a Secret and a ConfigMap. */
export async function usesEphemeralContainer(world: World, node: string): Promise<Using> {
  const pod = await podWith(world, node, () => ({}));
  await patchPod(world, pod, 'ephemeralcontainers', {
    spec: { ephemeralContainers: [{ ...ephemeral(), env: variables(pod) }] },
  });
  return { pod, volume: '' };
}

/** A part of a Pod of the run's own. Ends the scenario where it is not taken. */
async function patchPod(world: World, pod: string, subresource: string, body: object): Promise<void> {
  const place: Place = [resources.pods, DEFAULT, pod];
  const { status } = await world.admin.ask({
    method: 'PATCH',
    path: at(place, subresource),
    contentType: PATCH_TYPES.merge,
    body,
  });
  if (status !== 200) world.unknown(`${subresource} of a Pod of the run's own is answered with ${status}`);
}

const ephemeral = (): object => {
  const { resources: _none, ...container } = noContainer('later');
  return container;
};

/** A Pod that names a claim of devices, and for which another one was made. */
export async function usesDevices(world: World, node: string): Promise<Using> {
  const pod = await podWith(world, node, (name) => ({
    resourceClaims: [
      { name: 'named', resourceClaimName: `${name}-named` },
      { name: 'made', resourceClaimTemplateName: `${name}-template` },
    ],
  }));
  await patchPod(world, pod, 'status', {
    status: { resourceClaimStatuses: [{ name: 'made', resourceClaimName: `${pod}-made` }] },
  });
  return { pod, volume: '' };
}

/** A Pod that looks as if a kubelet had made it of a file, and names a ConfigMap; made by an administrator. */
export async function mirrorWithMap(world: World, node: string): Promise<Using> {
  const annotations = { 'kubernetes.io/config.mirror': 'joinproof' };
  const volumes = (name: string): readonly object[] => [{ name: 'map', configMap: { name: `${name}-map` } }];
  return { pod: await podWith(world, node, (name) => ({ volumes: volumes(name) }), { annotations }), volume: '' };
}

const inDefault = (resource: Resource, name: string): Place => [resource, DEFAULT, name];

/** By what the features call it; undefined: nobody knows. */
export function objectUsed(what: string, { pod, volume }: Using): Place | undefined {
  const secret = SECRETS[what];
  if (secret !== undefined) return inDefault(resources.secrets, secretOf(pod, secret));
  const apart = APART_SECRETS[what];
  if (apart !== undefined) return [resources.secrets, APART, secretOf(pod, apart)];
  switch (what) {
    case 'the ConfigMap of a variable of its ephemeral container':
    case 'the ConfigMap of a variable of its second container':
      return inDefault(resources.configMaps, `${pod}-later`);
    case 'the ConfigMap of its volume':
      return inDefault(resources.configMaps, `${pod}-map`);
    case 'its claim':
      return inDefault(claims, pod);
    case 'the claim of its ephemeral volume':
      return inDefault(claims, `${pod}-fresh`);
    case 'the volume of its claim':
      return [resources.persistentVolumes, undefined, volume];
    case 'the volume of a claim of that name elsewhere':
      return [resources.persistentVolumes, undefined, elsewhere(volume)];
    case 'the attachment of that volume':
      return [attachments, undefined, volume];
    case 'the device claim that it names':
      return inDefault(deviceClaims, `${pod}-named`);
    case 'the device claim that was made for it':
      return inDefault(deviceClaims, `${pod}-made`);
    case 'a device claim that it does not name':
      return inDefault(deviceClaims, `${pod}-other`);
    default:
      return undefined;
  }
}

const SECRETS: Readonly<Record<string, string>> = {
  'the Secret of its CSI volume': 'csi',
  'the Secret by which a node publishes the volume of a claim of that name elsewhere': 'elsewhere',
  'the Secret of its Azure volume': 'azure',
  'the Secret of its flex volume': 'flex',
  'the Secret of its iSCSI volume': 'iscsi',
  'the Secret of its CephFS volume': 'cephfs',
  'the Secret of its RBD volume': 'rbd',
  'the Secret of its ScaleIO volume': 'scaleio',
  'the Secret of its StorageOS volume': 'storageos',
  'the Secret of the flex volume of a claim': 'claimed-flexvolume',
  'the Secret of the CephFS volume of a claim': 'claimed-cephfs',
  'a Secret beside its claim, of the name of that of the Azure volume': 'claimed-azurefile',
  'a Secret beside its claim, of the name of that of the RBD volume': 'claimed-rbd',
  'the Secret of a variable of its ephemeral container': 'later',
  'the Secret of a variable of its second container': 'later',
  'the Secret by which a node publishes the volume of its claim': 'publish',
  'the Secret by which a node stages the volume of its claim': 'stage',
  'the Secret by which a node expands the volume of its claim': 'expand',
  'the Secret by which a controller publishes the volume of its claim': 'controller',
};

/** Of volumes that say where it lies. */
const APART_SECRETS: Readonly<Record<string, string>> = {
  'the Secret of the Azure volume of a claim': 'claimed-azurefile',
  'the Secret of the iSCSI volume of a claim': 'claimed-iscsi',
  'the Secret of the RBD volume of a claim': 'claimed-rbd',
  'the Secret of the ScaleIO volume of a claim': 'claimed-scaleio',
  'the Secret of the StorageOS volume of a claim': 'claimed-storageos',
  'a Secret elsewhere, of the name of that of the CephFS volume': 'claimed-cephfs',
};

/** The cluster that the disk of a node belongs to, as far as both can be compared; read once a run. */

import { certificatesIn } from '../../src/checks/certificates/x509.js';
import { isOfCluster } from '../../src/checks/node-files/node-agreement.js';
import {
  type CertificatesSeen,
  certificatesSeen,
  type Published,
  publishedIn,
} from '../../src/checks/node-files/node-authorities.js';
import { whyNot } from '../../src/checks/node-files/node-roles.js';
import { CLUSTER_INFO, CLUSTER_INFO_KUBECONFIG, KUBE_PUBLIC, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { NODE, one, readNode } from './disk.js';

/** PEM by the key of a ConfigMap. */
type Data = Readonly<Record<string, string>>;

interface Cluster {
  readonly published: Published;
  /** Authorities by which clients verify the API server. */
  readonly shown: readonly CertificatesSeen[];
  /** The same, DER. */
  readonly signers: readonly Buffer[];
  /** What API servers write down for extension API servers. */
  readonly trusted: Data;
}
export const CLUSTER = slot<Cluster>('the cluster of the node');

const dataOf = async (world: World, name: string, namespace: string): Promise<Data> =>
  (await world.objects.get<ConfigMap>(resources.configMaps, name, namespace))?.data ?? {};

const TRUSTED = 'extension-apiserver-authentication';
/** Of the ConfigMap of that name. */
export const CLIENT_CA = 'client-ca-file';
export const PROXY_CA = 'requestheader-client-ca-file';

/** Undefined: the cluster does not say it. */
export const trustedBy = (world: World, key: string): CertificatesSeen | undefined => {
  const pem = world.get(CLUSTER).trusted[key] ?? '';
  return pem === '' ? undefined : certificatesSeen(`ConfigMap ${KUBE_SYSTEM}/${TRUSTED}, ${key}`, pem);
};

async function look(world: World): Promise<Cluster> {
  const [info, root, trusted] = await Promise.all([
    dataOf(world, CLUSTER_INFO, KUBE_PUBLIC),
    dataOf(world, 'kube-root-ca.crt', KUBE_SYSTEM),
    dataOf(world, TRUSTED, KUBE_SYSTEM),
  ]);
  const published = publishedIn(info[CLUSTER_INFO_KUBECONFIG] ?? '');
  const said: readonly (readonly [string, string | undefined])[] = [
    [`ConfigMap ${KUBE_PUBLIC}/${CLUSTER_INFO}`, published.authorities],
    [`ConfigMap ${KUBE_SYSTEM}/kube-root-ca.crt`, root['ca.crt']],
  ];
  const shown = said.flatMap(([subject, pem = '']) => (pem === '' ? [] : [certificatesSeen(subject, pem)]));
  const signers = said.flatMap(([, pem = '']) => certificatesIn(pem));
  return { published, shown, signers, trusted };
}

/** Fills both slots. The authorities of the cluster may have signed what lies on the disk. */
async function readBoth(world: World): Promise<void> {
  const { apart } = world.ability('files');
  if (apart !== undefined) world.skip('fact', apart);
  const { node, cluster } = await world.shared('the disk of the node and its cluster', async () => {
    const cluster = await look(world);
    const clients = certificatesIn(cluster.trusted[CLIENT_CA] ?? '');
    return { node: await readNode(world, [...cluster.signers, ...clients]), cluster };
  });
  world.put(NODE, node);
  world.put(CLUSTER, cluster);
}

async function given(world: World, wanted: 'a node' | 'a control plane'): Promise<void> {
  await readBoth(world);
  const why = whyNot(world.get(NODE), wanted);
  if (why !== '') world.skip('nothing', why);
  if (isOfCluster(one(world, 'ca.crt'), world.get(CLUSTER).shown) === false)
    world.skip(
      'nothing',
      'the disk is of another cluster: its CA is none of the authorities of this one, as P-151 says',
    );
}

/** The door: what is no node says nothing, and must not look as if it did. */
Given('the disk of a node, and a cluster', { needs: ['files', 'objects'] }, async function (this: World) {
  await readBoth(this);
  const { why } = this.get(NODE);
  if (why !== '') this.unknown(why);
});

Given('the disk of a node of this cluster', { needs: ['files', 'objects'] }, async function (this: World) {
  await given(this, 'a node');
});

Given('the disk of a control plane of this cluster', { needs: ['files', 'objects'] }, async function (this: World) {
  await given(this, 'a control plane');
});

/** The disk of a node, read once a run: whoever looks at it sees the same. */

import { dropInsOf } from '../../src/checks/node-files/kubelet-started.js';
import { LEFT_AT } from '../../src/checks/node-files/left-at.js';
import type { Seen } from '../../src/checks/node-files/node-files.js';
import { seenAt } from '../../src/checks/node-files/node-files.js';
import type { ConfigSeen } from '../../src/checks/node-files/node-kubeconfigs.js';
import { readDisk } from '../../src/checks/node-files/node-reader.js';
import {
  COMPONENTS,
  type Component,
  factsOf,
  furtherFolders,
  LOOKED_AT,
  manifestPath,
  type NodeFacts,
  OTHERS,
  type Wanted,
  whyNot,
} from '../../src/checks/node-files/node-roles.js';
import { Given } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';

export const NODE = slot<NodeFacts>('the disk of a node');

/** What lies there, and what the node is. `authorities`: that may have signed it, beside those of the disk; DER. */
export async function readNode(world: World, authorities: readonly Buffer[] = []): Promise<NodeFacts> {
  const files = world.ability('files');
  const { entries, disk, places } = await world.shared('the entries of the disk', async () => {
    const [first, others] = await Promise.all([
      files.read([...LOOKED_AT, ...LEFT_AT]),
      files.read(Object.keys(OTHERS)),
    ]);
    const found = readDisk(first);
    const further = [...furtherFolders(found), ...[dropInsOf(found)].filter((folder) => folder !== '')];
    // An authority among them may have signed what was read before.
    const all = further.length === 0 ? first : [...first, ...(await files.read(further))];
    return {
      entries: all,
      disk: all === first ? found : readDisk(all),
      places: Object.keys(OTHERS).filter((place) =>
        others.some(({ path, kind }) => path === place && kind === 'folder'),
      ),
    };
  });
  return factsOf(authorities.length === 0 ? disk : readDisk(entries, authorities), files.now(), places);
}

const nodeOf = (world: World): Promise<NodeFacts> => world.shared('the disk of the node', () => readNode(world));

async function given(world: World, wanted: Wanted): Promise<void> {
  const node = world.put(NODE, await nodeOf(world));
  const why = whyNot(node, wanted);
  if (why !== '') world.skip('nothing', why);
}

Given('the disk of a node', { needs: ['files'] }, async function (this: World) {
  await given(this, 'a node');
});

Given('the disk of a worker', { needs: ['files'] }, async function (this: World) {
  await given(this, 'a worker');
});

Given('the disk of a control plane', { needs: ['files'] }, async function (this: World) {
  await given(this, 'a control plane');
});

Given('the disk of a control plane with its own etcd', { needs: ['files'] }, async function (this: World) {
  await given(this, 'a control plane with its own etcd');
});

Given('the disk of a control plane whose etcd is elsewhere', { needs: ['files'] }, async function (this: World) {
  await given(this, 'a control plane whose etcd is elsewhere');
});

Given(
  "the disk of a control plane with the key of the cluster's CA",
  { needs: ['files'] },
  async function (this: World) {
    await given(this, 'a control plane with its own CA');
  },
);

/** Files by their names. */
export const seen = (world: World, ...names: readonly string[]): readonly Seen[] =>
  names.map((name) => seenAt(world.get(NODE), name));
export const one = (world: World, name: string): Seen => seenAt(world.get(NODE), name);
export const manifests = (world: World, ...components: readonly Component[]): readonly Seen[] =>
  seen(world, ...components.map(manifestPath));
export const config = (name: string): string => `/etc/kubernetes/${name}`;

/** A kubeconfig with the file that it names for its certificate. */
export function withCertificate(world: World, name: string): ConfigSeen {
  const read = one(world, config(name));
  const file = read.file?.held.kind === 'kubeconfig' ? read.file.held.user.file : '';
  return { config: read, named: file === '' ? null : one(world, file) };
}

/** Every manifest that the kubelet runs. */
export function manifestsOn(world: World): readonly string[] {
  const folder = '/etc/kubernetes/manifests/';
  const paths = Object.keys(world.get(NODE).disk);
  return paths.filter((path) => path.startsWith(folder) && !path.startsWith(`${folder}.`));
}

/** Files and folders of the disk that a pattern means. */
export const alike = ({ disk }: NodeFacts, pattern: RegExp): readonly string[] =>
  Object.keys(disk).filter((path) => pattern.test(path));

/** Of the components that run here: etcd may be elsewhere. */
export function ownManifests(world: World): readonly Seen[] {
  const { etcd } = world.get(NODE);
  return manifests(world, ...COMPONENTS.filter((name) => name !== 'etcd' || etcd === 'own'));
}

/** Digests of authorities, by default of the cluster's own. */
export const authoritiesOn = (world: World, ...names: readonly string[]): readonly string[] =>
  seen(world, ...(names.length === 0 ? ['ca.crt'] : names)).flatMap(({ file }) =>
    file?.held.kind === 'certificates' ? file.held.certificates.map(({ digest }) => digest) : [],
  );

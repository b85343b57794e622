/** Sentences about who may change or read what a node keeps. */
import type { Seen } from '../../src/checks/node-files/node-files.js';
import { owned } from '../../src/checks/node-files/node-owners.js';
import { dataClosed, dataPrivate, inPlace, isReached, unchanging } from '../../src/checks/node-files/node-places.js';
import { dataFolderOf, KUBERNETES } from '../../src/checks/node-files/node-roles.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { alike, NODE, seen } from './disk.js';

const KEPT =
  /^\/var\/lib\/kubelet(?:\/(?:device-plugins|plugins|plugins_registry|pods|pki)|\/[^/]+\.(?:yaml|env))?$|^\/etc\/cni\/net\.d(?:\/|$)|\/systemd\/system\/kubelet\.service(?:\.d(?:\/|$)|$)/;

/** Programs, and what configures the runtime: root runs and obeys them. */
export const PROGRAMS =
  /^\/(?:usr(?:\/local)?|opt)\/s?bin\/[a-z]+$|^\/opt\/cni\/bin(?:\/[^/]+)?$|^\/etc\/containerd(?:\/(?:[^/]+\/)?[^/]+\.toml)?$/;
/** Of the folder of Kubernetes: manifests, what configures the control plane, and what kubeadm puts into them. */
const OBEYED = /\/manifests\/|\.(?:crt|pub|conf|ya?ml|json|csv|env|sh)$/;
/** What programs of the node keep, and the folders of the control plane. */
function keptOn(world: World): readonly Seen[] {
  const node = world.get(NODE);
  const { disk, pki } = node;
  const etcd = dataFolderOf(disk);
  const places = Object.values(disk).filter(
    ({ path, held }) =>
      (held.kind === 'folder' && [KUBERNETES, pki, `${pki}/etcd`].includes(path)) ||
      (path.startsWith(`${KUBERNETES}/`) && (held.kind === 'folder' || OBEYED.test(path))) ||
      path === etcd ||
      path.startsWith(`${etcd}/member`),
  );
  return seen(world, ...new Set([...alike(node, KEPT), ...alike(node, PROGRAMS), ...places.map(({ path }) => path)]));
}

Then('nobody but root changes what its programs keep', async function (this: World) {
  this.check(unchanging, keptOn(this));
});

Then('what its programs keep belongs to root', async function (this: World) {
  // archives of CNI plugins come with the numbers of those who packed them
  const kept = keptOn(this).filter(({ path }) => !path.startsWith('/opt/cni/'));
  this.check(owned, kept, { known: this.get(NODE).owners });
});

Then('what its programs obey lies where root alone writes', async function (this: World) {
  this.check(inPlace, keptOn(this), { data: dataFolderOf(this.get(NODE).disk) });
});

const dataOn = (world: World, ...parts: readonly string[]): readonly Seen[] => {
  const { disk } = world.get(NODE);
  const folder = dataFolderOf(disk);
  return seen(world, ...parts.map((part) => `${folder}${part}`)).filter(({ file }) => file !== null);
};

/** Copies that kubeadm makes before it upgrades, which others may come to. */
function copiesOfData(world: World): readonly Seen[] {
  const { disk } = world.get(NODE);
  const copies = Object.keys(disk).filter((path) => /^\/etc\/kubernetes\/.*\/member\/snap\/db$/.test(path));
  return seen(world, ...copies.filter((path) => isReached(disk, path)));
}

Then('nobody reads the data of etcd', async function (this: World) {
  const folders = dataOn(this, '', '/member', '/member/snap', '/member/wal');
  const files = [...dataOn(this, '/member/snap/db'), ...copiesOfData(this)];
  this.check(dataClosed, { folders, files }, { known: this.get(NODE).owners });
});

Then('the folder of the data of etcd is closed', async function (this: World) {
  this.check(dataPrivate, dataOn(this, ''));
});

/** Sentences about what is left on a disk: joins, archives, copies of keys and kubeconfigs. */
import { givesNothingAway } from '../../src/checks/node-files/given-away.js';
import { isLeftBehind, isOfKeys } from '../../src/checks/node-files/left-at.js';
import type { Seen } from '../../src/checks/node-files/node-files.js';
import {
  archivesClosed,
  type CopySeen,
  copiesClosed,
  copiesKept,
  keysClosed,
  noAdministrators,
  nothingLeft,
} from '../../src/checks/node-files/node-leftovers.js';
import { KUBERNETES, type NodeFacts } from '../../src/checks/node-files/node-roles.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { alike, authoritiesOn, NODE, one, seen } from './disk.js';

const leftOn = ({ disk, pki }: NodeFacts): readonly string[] =>
  Object.keys(disk).filter((path) => isLeftBehind(path, pki));

Then('no join is left in a file', async function (this: World) {
  const node = this.get(NODE);
  const left = leftOn(node);
  const own = Object.values(node.disk).filter(({ path, leaves }) => leaves && !left.includes(path));
  const config = own.filter(({ path }) => !path.endsWith('/bootstrap-kubelet.conf')).map(({ path }) => path);
  this.check(nothingLeft, seen(this, ...left, ...config));
});

Then('nothing that runs by itself, or for others, gives keys away', async function (this: World) {
  this.check(givesNothingAway, seen(this, ...leftOn(this.get(NODE))));
});

Then('archives of keys are closed', async function (this: World) {
  const node = this.get(NODE);
  const archives = alike(node, /^\/etc\/kubernetes\/.*\.(?:tgz|tar|tar\.gz|zip|p12|pfx)$/);
  const left = leftOn(node).filter((path) => isOfKeys(path) || node.disk[path]?.holdsKeys === true);
  this.check(archivesClosed, seen(this, ...archives, ...left));
});

/** Kubeconfigs of whatever name, outside of the folders of the node's own. */
const copiesOn = (world: World): readonly Seen[] =>
  seen(world, ...leftOn(world.get(NODE))).filter(({ file }) => file?.held.kind === 'kubeconfig');
const inFolders = (world: World): readonly CopySeen[] =>
  copiesOn(world)
    .filter(({ path }) => path.endsWith('/.kube/config'))
    .map((copy) => ({ copy, folder: one(world, copy.path.replace(/\/config$/, '')) }));
Then('copies of kubeconfigs in homes are closed', async function (this: World) {
  this.check(copiesClosed, copiesOn(this), { authorities: authoritiesOn(this) });
});

Then('copies of keys are closed, and belong to root', async function (this: World) {
  const { disk, owners } = this.get(NODE);
  const left = leftOn(this.get(NODE));
  const own = Object.values(disk).filter(({ path }) => !left.includes(path));
  const pins = own.flatMap(({ held }) => {
    switch (held.kind) {
      case 'key':
      case 'pair':
        return [held.pin];
      case 'certificates':
        // of others' authorities the machine has no key
        return held.certificates.map(({ facts }) => facts.pin);
      case 'kubeconfig':
        return held.user.pin === null ? [] : [held.user.pin];
      default:
        return [];
    }
  });
  this.check(keysClosed, seen(this, ...left), { pins, known: owners });
});

Then('nobody puts another kubeconfig in its place', async function (this: World) {
  const isCopied = this.get(NODE).owners === null;
  this.check(copiesKept, inFolders(this), { authorities: authoritiesOn(this), isCopied });
});

Then('nobody works as an administrator where he should not', async function (this: World) {
  const isWorker = this.get(NODE).role === 'worker';
  // who keeps a copy elsewhere does not work with it
  const kept = copiesOn(this).filter(({ path }) => isWorker || path.includes('/.kube/') || !path.includes('backup'));
  const beside = Object.keys(this.get(NODE).disk).filter((path) => path.startsWith(`${KUBERNETES}/`));
  const copies = [...kept, ...(isWorker ? seen(this, ...beside) : [])];
  const admin = one(this, `${KUBERNETES}/admin.conf`).file?.held;
  const own = admin?.kind === 'kubeconfig' ? admin.user.certificate?.facts : undefined;
  const known = own === undefined ? {} : { admin: { user: own.commonName, groups: own.organizations } };
  this.check(noAdministrators, copies, { authorities: authoritiesOn(this), isWorker, ...known });
});

/** Sentences about static Pods beside the components, and whom they are as good as. */
import { type Seen, seenAt } from '../../src/checks/node-files/node-files.js';
import { keepsToItself, namedFiles, userReads } from '../../src/checks/node-files/node-helpers.js';
import { noAuthoritysKey } from '../../src/checks/node-files/node-keys.js';
import { powerless } from '../../src/checks/node-files/node-privileges.js';
import { COMPONENTS, dataFolderOf, manifestPath } from '../../src/checks/node-files/node-roles.js';
import { helpersHeldByRbac, helpersHoldNothing, helpersRun } from '../../src/checks/node-files/static-pods.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { manifestsOn, NODE, ownManifests, seen } from './disk.js';

const OWN: readonly string[] = COMPONENTS.map(manifestPath);
const helpers = (world: World): readonly Seen[] =>
  seen(world, ...manifestsOn(world).filter((path) => !OWN.includes(path)));

Then('no static Pod of a worker is as good as root', async function (this: World) {
  // kube-proxy sets up the network of its machine
  const all = helpers(this).filter(({ path }) => !/\/kube-proxy[^/]*$/.test(path));
  this.check(powerless, all);
});

Then('a worker has no key of an authority', async function (this: World) {
  const { disk, pki } = this.get(NODE);
  const ca = disk[`${pki}/ca.crt`]?.held;
  const pins = ca?.kind === 'certificates' ? ca.certificates.map(({ facts }) => facts.pin) : [];
  const keys = Object.values(disk).filter(({ keys: own }) => own !== undefined);
  this.check(
    noAuthoritysKey,
    keys.map(({ path }) => seenAt(this.get(NODE), path)),
    { pins },
  );
});

Then('no static Pod beside the control plane mounts a folder of keys', async function (this: World) {
  const { pki, disk } = this.get(NODE);
  this.check(keepsToItself, helpers(this), { pki, data: dataFolderOf(disk) });
});

Then('the kubelet runs each static Pod beside the components', async function (this: World) {
  const { minor } = this.get(NODE);
  this.check(helpersRun, seen(this, ...manifestsOn(this)), { own: OWN, minor });
});

Then('each static Pod beside the components holds nothing by which it were root', async function (this: World) {
  const all = helpers(this).filter(({ path }) => !/\/kube-proxy[^/]*$/.test(path));
  this.check(helpersHoldNothing, all, { pki: this.get(NODE).pki });
});

Then('no static Pod works as who goes around RBAC', async function (this: World) {
  this.check(helpersHeldByRbac, helpers(this));
});

Then('each component may read its files', async function (this: World) {
  const { disk, owners } = this.get(NODE);
  this.check(userReads, ownManifests(this), { files: owners === null ? [] : namedFiles(disk) });
});

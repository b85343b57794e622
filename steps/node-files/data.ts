/** Sentences about the data of etcd, and whom it lets in; about files of the kubelet, and the issuer of tokens. */

import {
  dropInsRead,
  readDropIns,
  readServing,
  servesWithItsOwn,
} from '../../src/checks/node-files/kubelet-drop-ins.js';
import { startedBy } from '../../src/checks/node-files/kubelet-started.js';
import {
  auditKeepsSecrets,
  auditRecords,
  type ConfiguredSeen,
  configurationsTaken,
  discoveryLetIn,
  probesLetIn,
  secretsEncrypted,
  socketsMounted,
} from '../../src/checks/node-files/node-configurations.js';
import { CONFIGURED_BY } from '../../src/checks/node-files/node-configured.js';
import {
  comparesData,
  type DataSeen,
  dataGone,
  dataWhole,
  letsInItsOwn,
} from '../../src/checks/node-files/node-etcd-data.js';
import { type Seen, seenAt } from '../../src/checks/node-files/node-files.js';
import { heartbeatsInTime, heartbeatsWaitedFor } from '../../src/checks/node-files/node-heartbeats.js';
import { issuerAnswers } from '../../src/checks/node-files/node-issuer.js';
import {
  credentialLeads,
  flagsOfKubeadmAlone,
  kubeletName,
  servesAsItself,
  type Told,
  toldFilesThere,
} from '../../src/checks/node-files/node-kubelet-files.js';
import { domainOf } from '../../src/checks/node-files/node-names.js';
import { dataFolderOf, flagOf, KUBERNETES, manifestPath, OTHER_ETCD } from '../../src/checks/node-files/node-roles.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { manifests, NODE, one } from './disk.js';
import { configured } from './kubelet.js';

function dataOn(world: World): DataSeen {
  const node = world.get(NODE);
  const folder = dataFolderOf(node.disk);
  const log = Object.keys(node.disk).filter(
    (path) => path.startsWith(`${folder}/member/wal/`) && path.endsWith('.wal'),
  );
  return {
    member: one(world, `${folder}/member`),
    db: one(world, `${folder}/member/snap/db`),
    wal: one(world, `${folder}/member/wal`),
    log: log.map((path) => seenAt(node, path)),
  };
}

Then('the data of etcd are whole', async function (this: World) {
  const isLogElsewhere = flagOf(this.get(NODE).disk, 'etcd', 'wal-dir') !== '';
  this.check(dataWhole, dataOn(this), { isLogElsewhere });
});

Then('no data of an etcd are left', async function (this: World) {
  const { disk } = this.get(NODE);
  this.check(dataGone, dataOn(this), { runsOtherwise: OTHER_ETCD.filter((path) => disk[path] !== undefined) });
});

Then('etcd lets in the certificates of its own machine', async function (this: World) {
  const [etcd] = manifests(this, 'etcd');
  if (etcd === undefined) return;
  const clients = ['apiserver-etcd-client.crt', 'etcd/healthcheck-client.crt'].map((name) => one(this, name));
  this.check(letsInItsOwn, { etcd, peer: one(this, 'etcd/peer.crt'), clients });
});

Then('etcd compares its data before it serves them', async function (this: World) {
  this.check(comparesData, manifests(this, 'etcd'));
});

/** What the kubelet is told, by its configuration and its flags. */
function toldOn(world: World): Told {
  const { held } = configured(world).file ?? {};
  return { settings: held?.kind === 'settings' ? held.settings : {}, flags: startedBy(world.get(NODE).disk).flags };
}

Then('the files that the kubelet is told of are there', async function (this: World) {
  const { disk } = this.get(NODE);
  this.check(toldFilesThere, toldOn(this), { files: Object.keys(disk), leads: credentialLeads(disk) });
});

Then('the kubelet serves with a certificate that is valid, and of its machine', async function (this: World) {
  const { disk, now } = this.get(NODE);
  const told = toldOn(this);
  const serving = one(this, '/var/lib/kubelet/pki/kubelet.crt');
  const asked = one(this, '/var/lib/kubelet/pki/kubelet-server-current.pem');
  this.check(servesAsItself, { ...told, serving, asked }, { now, name: kubeletName(disk, told.flags) });
});

Then('no component has the key that the kubelet serves with', async function (this: World) {
  this.check(servesWithItsOwn, readServing(this.get(NODE).disk, toldOn(this)));
});

Then('the kubelet reads what lies in its folder of configuration', async function (this: World) {
  this.check(dropInsRead, readDropIns(this.get(NODE).disk));
});

Then('the flags of kubeadm stand in its file alone', async function (this: World) {
  this.check(flagsOfKubeadmAlone, this.get(NODE).disk);
});

Then('the issuer of tokens answers', async function (this: World) {
  this.check(issuerAnswers, manifests(this, 'kube-apiserver'), { domain: domainOf(this.get(NODE).disk) });
});

Then('the controller manager waits for the kubelet of the machine', async function (this: World) {
  const [manager] = manifests(this, 'kube-controller-manager');
  if (manager !== undefined) this.check(heartbeatsWaitedFor, { manager, settings: toldOn(this).settings });
});

Then('a controller manager elsewhere hears of the kubelet in time', async function (this: World) {
  const { path } = configured(this);
  this.check(heartbeatsInTime, { path, settings: toldOn(this).settings });
});

const configurationsOn = (world: World): readonly Seen[] => {
  const { disk } = world.get(NODE);
  const named = CONFIGURED_BY.map((flag) => flagOf(disk, 'kube-apiserver', flag));
  const read = Object.values(disk).filter(
    ({ held }) => held.kind === 'configuration' && CONFIGURED_BY.includes(held.flag),
  );
  const paths = [...named.filter((path) => disk[path] !== undefined), ...read.map(({ path }) => path)];
  return [...new Set(paths)].map((path) => one(world, path));
};

Then('the API server takes the files that configure it', async function (this: World) {
  const files = Object.keys(this.get(NODE).disk);
  this.check(configurationsTaken, configurationsOn(this), { files, below: KUBERNETES });
});

Then('the sockets that such files name are mounted', async function (this: World) {
  this.check(socketsMounted, withFiles(this));
});

Then('the scheduler takes the file that configures it', async function (this: World) {
  const { disk } = this.get(NODE);
  const path = flagOf(disk, 'kube-scheduler', 'config');
  const there = disk[path] === undefined ? [] : [one(this, path)];
  this.check(configurationsTaken, there, { files: Object.keys(disk), below: KUBERNETES });
});

Then('Secrets are encrypted where encryption is configured', async function (this: World) {
  this.check(secretsEncrypted, configurationsOn(this));
});

const withFiles = (world: World): ConfiguredSeen => ({
  api: one(world, manifestPath('kube-apiserver')),
  files: configurationsOn(world),
});

Then('an audit policy records something', async function (this: World) {
  this.check(auditRecords, withFiles(this));
});

Then('an audit policy records no credentials', async function (this: World) {
  this.check(auditKeepsSecrets, withFiles(this));
});

Then('whoever joins by a token is let in to read cluster-info', async function (this: World) {
  this.check(discoveryLetIn, withFiles(this));
});

Then('the API server lets in its own probes', async function (this: World) {
  this.check(probesLetIn, withFiles(this));
});

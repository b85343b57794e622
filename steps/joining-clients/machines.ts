/** Sentences about the machine of a joining client: what is written there, and what is left. */

import {
  bootstrapAfterDiscovery,
  bootstrapBeforeKubelet,
  bootstrapCa,
  bootstrapClosedAtOnce,
  bootstrapEmbedded,
  bootstrapGone,
  bootstrapGoneForGood,
  bootstrapNames,
  bootstrapOfContext,
  bootstrapServer,
  bootstrapToken,
  bootstrapWritten,
} from '../../src/checks/joining-clients/joined-bootstrap.js';
import {
  certificatesLive,
  componentsTold,
  foldersSeen,
  imagesAre,
  imagesFrom,
  keysOfAlgorithm,
  serverNamed,
  variablesSet,
} from '../../src/checks/joining-clients/joined-configured.js';
import {
  administratorHeld,
  asksItsServer,
  listensToItself,
  manifestsClosed,
  nobodyUnheld,
  usedForNoMore,
} from '../../src/checks/joining-clients/joined-control-plane.js';
import {
  etcdAddedLast,
  etcdJoinedAsLearner,
  etcdLeftAlone,
  etcdLookedAt,
  etcdNotAddedAgain,
  etcdPromoted,
  etcdTold,
  etcdWaitedFor,
} from '../../src/checks/joining-clients/joined-etcd.js';
import type { Machines } from '../../src/checks/joining-clients/joined-files.js';
import {
  caSaved,
  kubeletConfigured,
  kubeletHasPair,
  kubeletHasRenewed,
  kubeletRestarted,
  kubeletShowsCertificate,
  kubeletUnwritten,
  kubeletVerifies,
  kubeletWritten,
  secretsClosed,
  sharedAbsent,
  sharedReplaced,
  sharedWritten,
} from '../../src/checks/joining-clients/joined-files.js';
import { currentIsDated, kubeletAsksTheCluster } from '../../src/checks/joining-clients/joined-kubelet.js';
import {
  bootstrapOwnServer,
  bootstrapPlain,
  caSavedAt,
  controlPlaneFirst,
  everybodyReads,
  fileKept,
  instanceKept,
  kubeletNotStarted,
  kubeletStopped,
  kubeletTold,
  nobodyElseWrites,
  pluginNotRun,
  tokenGivenToNobody,
  tokenLeftNowhere,
} from '../../src/checks/joining-clients/joined-machine.js';
import { emptyPassedOver } from '../../src/checks/joining-clients/joined-shared-keys.js';
import {
  dryRunChangesNothing,
  fileStays,
  leftReplaced,
  machineUntouched,
  patchesApplied,
  sharedStay,
} from '../../src/checks/joining-clients/joined-untouched.js';
import type { Check } from '../../src/model/check.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { NodeFile } from '../../src/targets/types.js';
import { lacksFile, machines } from './runs.js';

/** What is judged of a file of a node is left out where nobody knows where that file lies. */
const thenOf = (file: NodeFile, words: string, check: Check<Machines, undefined>): void =>
  Then(words, async function (this: World) {
    if (!lacksFile(this, file)) this.check(check, machines(this));
  });
const thenOfListed = (folder: NodeFile, words: string, check: Check<Machines, { files: readonly string[] }>): void =>
  Then(words, async function (this: World, table: DataTable) {
    if (!lacksFile(this, folder)) this.check(check, machines(this), { files: column(table) });
  });

thenOf('bootstrap-kubeconfig', 'it writes a bootstrap kubeconfig to its place', bootstrapWritten);

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig has the server of the cluster', bootstrapServer);

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig has the CA of the cluster', bootstrapCa);

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig has the token of TLS bootstrap', bootstrapToken);

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig has the names that kubeadm gives', bootstrapNames);

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig is made for root alone', bootstrapClosedAtOnce);

Then('nothing is written before discovery is over', async function (this: World) {
  this.check(bootstrapAfterDiscovery, machines(this));
});

thenOf(
  'bootstrap-kubeconfig',
  'the bootstrap kubeconfig is written before the kubelet is started',
  bootstrapBeforeKubelet,
);

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig is gone in the end', bootstrapGone);

thenOf('kubeconfig', 'a kubeconfig of the kubelet is left', kubeletWritten);

thenOf('kubeconfig', 'no kubeconfig of the kubelet is left', kubeletUnwritten);

thenOf('kubeconfig', 'the kubeconfig of the kubelet shows a certificate', kubeletShowsCertificate);

thenOf('kubeconfig', 'the kubeconfig of the kubelet believes the CA of the cluster alone', kubeletVerifies);

thenOf('kubeconfig', 'its kubelet asks the validated server', kubeletAsksTheCluster);

thenOf('kubeconfig', 'the certificate that it names is there with its key', kubeletHasPair);
thenOf('kubeconfig', 'the certificate that it names is a renewed one, with its key', kubeletHasRenewed);

thenOf('ca', 'the CA of the cluster is saved', caSaved);

thenOf('kubelet-configuration', 'the kubelet is configured as the cluster says', kubeletConfigured);

Then('the service manager is told in this order:', async function (this: World, table: DataTable) {
  this.check(kubeletRestarted, machines(this), { commands: column(table) });
});

Then('whatever holds a token or a key is for root alone', async function (this: World) {
  this.check(secretsClosed, machines(this));
});

thenOfListed('pki', 'these files are those of the other control planes:', sharedWritten);

thenOfListed('pki', 'a control plane that joins has these files of the others:', sharedReplaced);

thenOfListed('pki', 'none of these files is written:', sharedAbsent);

thenOfListed(
  'pki',
  'it joins, or has written all but these files where it makes certificates by them:',
  emptyPassedOver,
);

Then('the kubelet is told what the machine was told', async function (this: World) {
  this.check(kubeletTold, machines(this));
});

Then('the kubelet is stopped before its configuration is written', async function (this: World) {
  this.check(kubeletStopped, machines(this));
});

Then('the CA of the cluster is saved to {string}', async function (this: World, path: string) {
  this.check(caSavedAt, machines(this), { path });
});

Then('{string} stays as it was', async function (this: World, path: string) {
  this.check(fileStays, machines(this), { path });
});

Then('what an earlier join has left is written anew', async function (this: World) {
  this.check(leftReplaced, machines(this));
});

Then('{string} is kept', async function (this: World, path: string) {
  this.check(fileKept, machines(this), { path });
});

Then('the bootstrap kubeconfig does not come back', async function (this: World) {
  this.check(bootstrapGoneForGood, machines(this));
});

Then('the bootstrap kubeconfig says nothing else', async function (this: World) {
  this.check(bootstrapPlain, machines(this));
});

Then('no file is left that holds its token', async function (this: World) {
  this.check(tokenLeftNowhere, machines(this));
});

Then('what it starts is not given its token', async function (this: World) {
  this.check(tokenGivenToNobody, machines(this));
});

Then('no plug-in that it names is run', async function (this: World) {
  this.check(pluginNotRun, machines(this));
});

Then('nobody else may write what it leaves', async function (this: World) {
  this.check(nobodyElseWrites, machines(this));
});

Then('what is its own is kept apart', async function (this: World) {
  this.check(instanceKept, machines(this));
});

Then('everybody may read what is not secret', async function (this: World) {
  this.check(everybodyReads, machines(this));
});

Then('certificates and manifests are written before the kubelet is started', async function (this: World) {
  this.check(controlPlaneFirst, machines(this));
});

Then('the bootstrap kubeconfig has the own server of a control plane', async function (this: World) {
  this.check(bootstrapOwnServer, machines(this));
});

Then('nothing on a machine that kubeadm refuses is changed', async function (this: World) {
  this.check(machineUntouched, machines(this));
});

Then('nothing is changed on the machine', async function (this: World) {
  this.check(dryRunChangesNothing, machines(this));
});

thenOfListed('pki', 'these files of the others stay as they are:', sharedStay);

Then('its patches are in its files', async function (this: World) {
  this.check(patchesApplied, machines(this));
});

Then('the kubelet is not started', async function (this: World) {
  this.check(kubeletNotStarted, machines(this));
});

Then('RBAC holds the administrator of the machine', async function (this: World) {
  this.check(administratorHeld, machines(this));
});

Then('nobody of the machine is one whom RBAC does not hold', async function (this: World) {
  this.check(nobodyUnheld, machines(this));
});

Then('its certificates are for what they are shown for alone', async function (this: World) {
  this.check(usedForNoMore, machines(this));
});

Then('its manifests are for root alone', async function (this: World) {
  this.check(manifestsClosed, machines(this));
});

Then('its controllers and its etcd show themselves on loopback alone', async function (this: World) {
  this.check(listensToItself, machines(this));
});

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig is of the cluster that the context names', bootstrapOfContext);

Then('it asks the etcd of the others how it is, before and in the end', async function (this: World) {
  this.check(etcdLookedAt, machines(this));
  this.check(etcdWaitedFor, machines(this));
});

Then('it leaves their etcd alone', async function (this: World) {
  this.check(etcdLeftAlone, machines(this));
});

Then('its etcd is added as a learner', async function (this: World) {
  this.check(etcdJoinedAsLearner, machines(this));
});

Then('its etcd is added when its kubelet runs', async function (this: World) {
  this.check(etcdAddedLast, machines(this));
});

Then('the learner is given its vote', async function (this: World) {
  this.check(etcdPromoted, machines(this));
});

Then('no member of their etcd is added', async function (this: World) {
  this.check(etcdNotAddedAgain, machines(this));
});

Then('its etcd is told all members of an existing cluster', async function (this: World) {
  this.check(etcdTold, machines(this));
});

Then('what runs on it is told:', async function (this: World, table: DataTable) {
  const rows = table.raw().map(([component = '', flag = '', value = '']) => ({ component, flag, value }));
  this.check(componentsTold, machines(this), { rows });
});

Then('its images are of {string}:', async function (this: World, repository: string, table: DataTable) {
  this.check(imagesFrom, machines(this), { rows: column(table).map((component) => ({ component, repository })) });
});

Then('its images are:', async function (this: World, table: DataTable) {
  const rows = table.raw().map(([component = '', image = '']) => ({ component, image }));
  this.check(imagesAre, machines(this), { rows });
});

Then('what runs on it has these variables:', async function (this: World, table: DataTable) {
  const rows = table.raw().map(([component = '', name = '', value = '']) => ({ component, name, value }));
  this.check(variablesSet, machines(this), { rows });
});

Then('these have folders of their machine:', async function (this: World, table: DataTable) {
  const rows = table.raw().map(([component = '', folder = '']) => ({ component, folder }));
  this.check(foldersSeen, machines(this), { rows });
});

Then('these live for {int} days:', async function (this: World, days: number, table: DataTable) {
  this.check(certificatesLive, machines(this), { paths: column(table), days });
});

Then('these have keys of {string}:', async function (this: World, algorithm: string, table: DataTable) {
  this.check(keysOfAlgorithm, machines(this), { paths: column(table), algorithm });
});

Then('{string} is a certificate for:', async function (this: World, path: string, table: DataTable) {
  this.check(serverNamed, machines(this), { path, names: column(table) });
});

Then('its kubeconfigs name the servers that they are for', async function (this: World) {
  this.check(asksItsServer, machines(this));
});

thenOf('bootstrap-kubeconfig', 'the bootstrap kubeconfig has its credential in itself', bootstrapEmbedded);

thenOf('kubeconfig', 'the current pair is that of a date', currentIsDated);

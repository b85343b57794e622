/** Sentences about what a join makes of its machine: the key and server of its kubelet, and what a control plane runs. */
import {
  componentsAsKubeadm,
  componentsHeldApart,
  componentsKept,
  nothingRunsBeside,
} from '../../src/checks/joining-clients/joined-flags.js';
import {
  certificatesApart,
  certificatesIssued,
  kubeconfigsIssued,
} from '../../src/checks/joining-clients/joined-issued.js';
import {
  bootstrapStays,
  caBeforeKubelet,
  keysKept,
  kubeletSaysNothingBesides,
  noneBelievesAll,
  nothingElsewhere,
  pairHoldsAll,
  pairStays,
  pairsApart,
  pairsFit,
} from '../../src/checks/joining-clients/joined-kubelet.js';
import {
  apiServerNamedForAll,
  apiServerNamedForFew,
  ownKeyNowhereElse,
  sharedKeysNowhereElse,
} from '../../src/checks/joining-clients/joined-shared-keys.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { machines } from './runs.js';

Then('the kubeconfig of the kubelet says nothing besides', async function (this: World) {
  this.check(kubeletSaysNothingBesides, machines(this));
});

Then('each pair has a file of its own', async function (this: World) {
  this.check(pairsApart, machines(this));
});

Then('whatever is written as a pair fits', async function (this: World) {
  this.check(pairsFit, machines(this));
});

Then('its pair holds {int} certificates', async function (this: World, certificates: number) {
  this.check(pairHoldsAll, machines(this), { certificates });
});

Then('it keeps the keys that it needs', async function (this: World) {
  this.check(keysKept, machines(this));
});

Then('the key of the node lies nowhere else', async function (this: World) {
  this.check(ownKeyNowhereElse, machines(this));
});

Then('each certificate that it makes has a key of its own', async function (this: World) {
  this.check(certificatesApart, machines(this));
});

Then('no key that control planes share lies elsewhere', async function (this: World) {
  this.check(sharedKeysNowhereElse, machines(this));
});

Then('where it makes a certificate of an API server that is for:', async function (this: World, table: DataTable) {
  this.check(apiServerNamedForAll, machines(this), { names: column(table) });
});

Then('none of its names stands for many', async function (this: World) {
  this.check(apiServerNamedForFew, machines(this));
});

Then('ca.crt is written before the kubelet is started', async function (this: World) {
  this.check(caBeforeKubelet, machines(this));
});

Then('the bootstrap kubeconfig stays until then', async function (this: World) {
  this.check(bootstrapStays, machines(this));
});

Then('its pair stays until another one is there', async function (this: World) {
  this.check(pairStays, machines(this));
});

Then('what runs on it is told as kubeadm tells it', async function (this: World) {
  this.check(componentsAsKubeadm, machines(this));
});

Then('nothing runs beside it', async function (this: World) {
  this.check(nothingRunsBeside, machines(this));
});

Then('what runs on it has no more of its machine', async function (this: World) {
  this.check(componentsHeldApart, machines(this));
});

Then('its certificates are issued by the authorities of the cluster', async function (this: World) {
  this.check(certificatesIssued, machines(this));
});

Then('its kubeconfigs are of those that they are for', async function (this: World) {
  this.check(kubeconfigsIssued, machines(this));
});

Then('no kubeconfig is written that believes everybody', async function (this: World) {
  this.check(noneBelievesAll, machines(this));
});

Then('it writes nothing elsewhere', async function (this: World) {
  this.check(nothingElsewhere, machines(this));
});

Then('what runs on it is kept as kubeadm keeps it', async function (this: World) {
  this.check(componentsKept, machines(this));
});

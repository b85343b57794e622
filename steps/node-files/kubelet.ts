/** Sentences about the kubelet of a node: its service, its flags and its configuration. */

import { kubeletFlagsKnown, kubeletFlagsRead } from '../../src/checks/node-known-flags.js';
import {
  clusterDns,
  flagsKept,
  instanceSettings,
  kubeletSetting,
  kubeletTold,
  type SettingWanted,
  serviceStarts,
  settingsAccepted,
  settingsKnown,
  startedBy,
} from '../../src/checks/node-kubelet.js';
import { flagOf } from '../../src/checks/node-roles.js';
import { kubeletTlsKept, kubeletUnweakened } from '../../src/checks/node-weakened.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { NODE, one, seen } from './disk.js';

const CONFIGURATION = '/var/lib/kubelet/config.yaml';

function judge(world: World, wanted: SettingWanted): void {
  const { flags } = startedBy(world.get(NODE).disk);
  world.check(kubeletSetting, { config: one(world, CONFIGURATION), flags }, wanted);
}

Then('the kubelet has {word} {string}', async function (this: World, name: string, wanted: string) {
  judge(this, { name, flag: '', wanted: wanted.split(', '), otherwise: '' });
});

Then('the kubelet has no {word}', async function (this: World, name: string) {
  judge(this, { name, flag: '', wanted: [], otherwise: '' });
});

Then(
  'the kubelet has {word} {string}, or by --{word}, or else {string}',
  async function (this: World, ...[name, wanted, flag, otherwise]: [string, string, string, string]) {
    judge(this, { name, flag, wanted: wanted.split(', '), otherwise });
  },
);

Then(
  "the kubelet has {word} the cluster's CA, or by --{word}",
  async function (this: World, name: string, flag: string) {
    judge(this, { name, flag, wanted: [one(this, 'ca.crt').path], otherwise: '' });
  },
);

Then('the kubelet asks the DNS of the cluster', async function (this: World) {
  const within = flagOf(this.get(NODE).disk, 'kube-apiserver', 'service-cluster-ip-range');
  this.check(clusterDns, seen(this, CONFIGURATION), { within });
});

Then('the service of the kubelet starts it with the files of kubeadm', async function (this: World) {
  this.check(serviceStarts, startedBy(this.get(NODE).disk));
});

Then('no flag gives the kubelet another {word}', async function (this: World, name: string) {
  this.check(flagsKept, startedBy(this.get(NODE).disk), { names: [name] });
});

Then('the kubelet reads its configuration as it is written', async function (this: World) {
  this.check(settingsKnown, seen(this, CONFIGURATION));
});

Then('the kubelet can start with its configuration', async function (this: World) {
  this.check(settingsAccepted, seen(this, CONFIGURATION));
});

Then('what the kubelet is told of this machine alone is the socket of its runtime', async function (this: World) {
  const there = seen(this, '/var/lib/kubelet/instance-config.yaml').filter(({ file }) => file !== null);
  this.check(instanceSettings, there);
});

Then('the kubelet knows its flags', async function (this: World) {
  const { disk, minor } = this.get(NODE);
  this.check(kubeletFlagsKnown, startedBy(disk), { minor });
});

Then('the kubelet can read the values of its flags', async function (this: World) {
  this.check(kubeletFlagsRead, startedBy(this.get(NODE).disk));
});

Then('nothing takes away what the kubelet is safe by', async function (this: World) {
  this.check(kubeletUnweakened, { config: one(this, CONFIGURATION), started: startedBy(this.get(NODE).disk) });
});

Then('the kubelet takes no TLS that is broken', async function (this: World) {
  this.check(kubeletTlsKept, seen(this, CONFIGURATION));
});

Then('the kubelet is told {word}, or by --{word}', async function (this: World, name: string, flag: string) {
  const { flags } = startedBy(this.get(NODE).disk);
  this.check(kubeletTold, { config: one(this, CONFIGURATION), flags }, { name, flag });
});

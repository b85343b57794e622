/** Sentences about the kubelet of a node: its service, its flags and its configuration. */

import { settingsTogether } from '../../src/checks/node-files/kubelet-limits.js';
import { startedBy } from '../../src/checks/node-files/kubelet-started.js';
import type { Seen } from '../../src/checks/node-files/node-files.js';
import { kubeletFlagsKnown, kubeletFlagsRead } from '../../src/checks/node-files/node-known-flags.js';
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
  settingsSeen,
} from '../../src/checks/node-files/node-kubelet.js';
import { portsApart } from '../../src/checks/node-files/node-listeners.js';
import { flagOf } from '../../src/checks/node-files/node-roles.js';
import { kubeletTlsKept, kubeletUnweakened } from '../../src/checks/node-files/node-weakened.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { NODE, one, ownManifests, seen } from './disk.js';

const CONFIGURATION = '/var/lib/kubelet/config.yaml';

/** With what lies in the folder of --config-dir. */
export const configured = (world: World): Seen => settingsSeen(world.get(NODE).disk, one(world, CONFIGURATION));

function judge(world: World, wanted: SettingWanted): void {
  const { flags } = startedBy(world.get(NODE).disk);
  world.check(kubeletSetting, { config: configured(world), flags }, wanted);
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
  const { 'cluster-dns': above } = startedBy(this.get(NODE).disk).flags;
  this.check(clusterDns, [configured(this)], { within, ...(above === undefined ? {} : { above }) });
});

Then('the service of the kubelet starts it with the files of kubeadm', async function (this: World) {
  this.check(serviceStarts, startedBy(this.get(NODE).disk));
});

Then('no flag gives the kubelet another {word}', async function (this: World, name: string) {
  this.check(flagsKept, startedBy(this.get(NODE).disk), { names: [name] });
});

Then('the kubelet reads its configuration as it is written', async function (this: World) {
  this.check(settingsKnown, [configured(this)]);
});

Then('the kubelet can start with its configuration', async function (this: World) {
  this.check(settingsAccepted, [configured(this)]);
});

Then('the settings of the kubelet go together', async function (this: World) {
  this.check(settingsTogether, { config: configured(this), flags: startedBy(this.get(NODE).disk).flags });
});

Then('each program of the machine listens at ports of its own', async function (this: World) {
  const { disk, role } = this.get(NODE);
  this.check(portsApart, {
    manifests: role === 'worker' ? [] : ownManifests(this),
    kubelet: configured(this),
    flags: startedBy(disk).flags,
  });
});

Then('what the kubelet is told of this machine alone is the socket of its runtime', async function (this: World) {
  const there = seen(this, '/var/lib/kubelet/instance-config.yaml').filter(({ file }) => file !== null);
  this.check(instanceSettings, there);
});

Then('the kubelet knows its flags', async function (this: World) {
  const { disk, minor } = this.get(NODE);
  const isRecent = disk['/var/lib/kubelet/instance-config.yaml'] !== undefined;
  this.check(kubeletFlagsKnown, startedBy(disk), { minor, isRecent });
});

Then('the kubelet can read the values of its flags', async function (this: World) {
  this.check(kubeletFlagsRead, startedBy(this.get(NODE).disk));
});

Then('nothing takes away what the kubelet is safe by', async function (this: World) {
  this.check(kubeletUnweakened, { config: configured(this), started: startedBy(this.get(NODE).disk) });
});

Then('the kubelet takes no TLS that is broken', async function (this: World) {
  this.check(kubeletTlsKept, [configured(this)]);
});

Then('the kubelet is told {word}, or by --{word}', async function (this: World, name: string, flag: string) {
  const { flags } = startedBy(this.get(NODE).disk);
  this.check(kubeletTold, { config: configured(this), flags }, { name, flag });
});

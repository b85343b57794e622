/** Sentences about what kubeadm and kubelets have written down in the cluster, beside what a node's disk says. */

import { startedBy } from '../../src/checks/node-files/kubelet-started.js';
import { mirrorSeen, runsAsWritten, runsNothingElse } from '../../src/checks/node-files/node-mirrors.js';
import {
  asConfigured,
  type ConfigurationSeen,
  configurationSeen,
  flagsAsConfigured,
  kubeletAsks,
  type MachineSeen,
  type NodeSeen,
  nodeSeen,
  registered,
  releaseAsConfigured,
} from '../../src/checks/node-files/node-objects.js';
import { manifestPath } from '../../src/checks/node-files/node-roles.js';
import { type Fields, record, text } from '../../src/kubernetes/json.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { serviceAddresses } from '../../src/kubernetes/service-addresses.js';
import { parseYaml } from '../../src/kubernetes/yaml.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { atRest, countAtRest } from '../common/searched.js';
import { manifests, manifestsOn, NODE, one, seen, withCertificate } from './disk.js';

/** ClusterConfiguration of kubeadm-config; undefined: the cluster has none that can be read. */
export const configurationOf = (world: World): Promise<ConfigurationSeen | undefined> =>
  world.atRest('the configuration of kubeadm', async () => {
    const found = await world.objects.get<ConfigMap>(resources.configMaps, 'kubeadm-config', KUBE_SYSTEM);
    const written = found?.data?.ClusterConfiguration;
    if (written === undefined) return undefined;
    try {
      return configurationSeen(record(parseYaml(written, { uniqueKeys: false, maxAliasCount: 100 })));
    } catch {
      return undefined;
    }
  });

/** Nodes that are marked as control planes. */
export const controlPlanes = async (world: World): Promise<readonly NodeSeen[]> =>
  (await atRest(world, 'nodes')).map(({ node }) => nodeSeen(node)).filter(({ isControlPlane }) => isControlPlane);

/** As the kubelet calls itself; ends the scenario where nothing says it. */
function nameOf(world: World): string {
  const { config, named } = withCertificate(world, 'kubelet.conf');
  const read = config.file?.held;
  const embedded = read?.kind === 'kubeconfig' ? read.user.certificate : null;
  const certificate = named?.file?.held.kind === 'pair' ? named.file.held.certificate : embedded;
  const own = /^system:node:(.+)$/.exec(certificate?.facts.commonName ?? '')?.[1];
  const name = own ?? world.get(NODE).name;
  return name === '' ? world.skip('nothing', 'nothing on the disk says the name of the node') : name;
}

const settingsOf = (world: World, name: string): Fields => {
  const read = one(world, `/var/lib/kubelet/${name}`).file?.held;
  return read?.kind === 'settings' ? read.settings : {};
};

const STATIC_PODS = '/etc/kubernetes/manifests';

/** The manifests, and the Pods that the cluster shows of them. */
async function staticPods(world: World) {
  const { staticPodPath } = settingsOf(world, 'config.yaml');
  if (text(staticPodPath).replace(/\/$/, '') !== STATIC_PODS)
    world.skip('fact', `the kubelet reads no static Pods in ${STATIC_PODS}`);
  const node = nameOf(world);
  const options = { fieldSelector: `spec.nodeName=${node}` };
  const pods = await world.atRest(`static Pods of ${node}`, () =>
    world.objects.list(resources.pods, options, world.theirs(resources.pods, mirrorSeen)),
  );
  return { node, shown: { manifests: seen(world, ...manifestsOn(world)), pods } };
}

Then('each manifest runs as it is written', async function (this: World) {
  const { node, shown } = await staticPods(this);
  this.check(runsAsWritten, shown, { node });
});

Then('no static Pod runs that no manifest says', async function (this: World) {
  const { node, shown } = await staticPods(this);
  const isTold = text(settingsOf(this, 'config.yaml').staticPodURL) !== '';
  this.check(runsNothingElse, shown, { node, isTold });
});

/** What the disk says of the machine that its Node says as well. */
function machineOf(world: World): MachineSeen {
  const { disk, role } = world.get(NODE);
  const { flags } = startedBy(disk);
  const told =
    flags['container-runtime-endpoint'] ?? settingsOf(world, 'instance-config.yaml').containerRuntimeEndpoint;
  const addresses = (flags['node-ip'] ?? '').split(',').filter((address) => !['', '0.0.0.0', '::'].includes(address));
  return { role, addresses, socket: text(told) };
}

Then('the machine is a Node of the cluster', async function (this: World) {
  const name = nameOf(this);
  const found = await this.objects.get(resources.nodes, name);
  if (found === undefined && (await countAtRest(this, 'nodes')) === 0)
    this.skip('nothing', 'the cluster has no Node at all: no kubelet has registered with it');
  this.check(registered, { node: found === undefined ? null : nodeSeen(found), name }, machineOf(this));
});

const CONFIGURATION = slot<ConfigurationSeen>('the configuration of kubeadm');

Given('what kubeadm has written down of the cluster', async function (this: World) {
  const found = await configurationOf(this);
  if (found === undefined) return this.skip('nothing', 'the cluster has no kubeadm-config with a ClusterConfiguration');
  this.put(CONFIGURATION, found);
});

/** What a flag of a component is called in kubeadm's configuration. */
const FIELDS: Readonly<Record<string, (configuration: ConfigurationSeen) => string>> = {
  'networking.serviceSubnet': ({ serviceSubnet }) => serviceSubnet,
  'networking.podSubnet': ({ podSubnet }) => podSubnet,
  'etcd.local.dataDir': ({ dataDir }) => dataDir,
  'etcd.external.endpoints': ({ externalEtcd }) => (externalEtcd ?? []).join(),
};

interface FlagNamed {
  readonly component: string;
  readonly flag: string;
  readonly field: string;
  readonly optional?: true;
}

function judgeFlag(world: World, { component, ...named }: FlagNamed): void {
  const configuration = world.get(CONFIGURATION);
  const look = FIELDS[named.field];
  const value = look === undefined ? world.unknown(`the steps know no field "${named.field}"`) : look(configuration);
  const isTold = configuration.told[component]?.includes(named.flag) === true;
  const all = isTold || value === '' ? [] : seen(world, `${STATIC_PODS}/${component}.yaml`);
  world.check(flagsAsConfigured, all, { flags: [{ ...named, value }] });
}

Then(
  '{string} has --{word} of {string}',
  async function (this: World, component: string, ...[flag, field]: [string, string]) {
    judgeFlag(this, { component, flag, field });
  },
);

// The controller manager needs it only where it gives Nodes their subnets.
Then(
  '{string} has --{word} of {string}, where it is told',
  async function (this: World, component: string, ...[flag, field]: [string, string]) {
    judgeFlag(this, { component, flag, field, optional: true });
  },
);

Then('the API server is of the release of the cluster', async function (this: World) {
  const { version } = this.get(CONFIGURATION);
  const { length } = await controlPlanes(this);
  this.check(releaseAsConfigured, manifests(this, 'kube-apiserver'), { version, isAlone: length <= 1 });
});

Then('etcd and certificates are where the cluster says', async function (this: World) {
  const { externalEtcd, certificatesDir } = this.get(CONFIGURATION);
  const { disk, pki } = this.get(NODE);
  const runs = disk[manifestPath('etcd')] === undefined ? 'external' : 'local';
  this.check(asConfigured, [
    { what: 'etcd', disk: runs, told: externalEtcd === null ? 'local' : 'external' },
    { what: 'certificatesDir', disk: pki, told: certificatesDir },
  ]);
});

Then('the kubelet looks names up where the cluster answers', async function (this: World) {
  const [configuration, service] = await Promise.all([
    configurationOf(this),
    this.objects.get(resources.services, 'kube-dns', KUBE_SYSTEM),
  ]);
  const domain = configuration?.dnsDomain ?? '';
  const addresses = serviceAddresses(service);
  if (domain === '' && addresses.length === 0)
    this.skip('nothing', 'the cluster says neither its domain nor where its DNS is');
  this.check(kubeletAsks, one(this, '/var/lib/kubelet/config.yaml'), { domain, addresses });
});

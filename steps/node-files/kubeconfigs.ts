/** Sentences about kubeconfigs on a node's disk. */

import { proxiesIn, variablesOf } from '../../src/checks/node-files/kubelet-service.js';
import { partsOf, startedBy } from '../../src/checks/node-files/kubelet-started.js';
import { toldAt } from '../../src/checks/node-files/machine-files.js';
import type { Seen } from '../../src/checks/node-files/node-files.js';
import {
  adminCanBeStopped,
  bootstrapOver,
  differentUsers,
  embedsAuthority,
  isRenewed,
  kubeletAsSigned,
  kubeletRenews,
  namesWhatIsRenewed,
  nodeGroup,
  nodeUser,
  oneCredential,
  oneFile,
  userIs,
  userWorks,
} from '../../src/checks/node-files/node-kubeconfigs.js';
import { machineName, RENEWED } from '../../src/checks/node-files/node-kubelet-files.js';
import { apiServerAddresses } from '../../src/checks/node-files/node-names.js';
import { flagOf, isUnjoined, manifestPath, type NodeFacts } from '../../src/checks/node-files/node-roles.js';
import {
  asksCluster,
  asksDirectly,
  asksNoService,
  asksOwnServer,
  isWholeDisk,
  mayBeProxy,
  type OwnServer,
  proxyThere,
  verifies,
} from '../../src/checks/node-files/node-servers.js';
import { askedDirectly, environmentOf, proxiesAt } from '../../src/checks/node-files/proxied.js';
import { column, type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { config, NODE, one, seen, withCertificate } from './disk.js';

/** Of a table those that are there. */
const there = (world: World, table: DataTable): readonly Seen[] =>
  seen(world, ...column(table).map(config)).filter(({ file }) => file !== null);

const NOT_YET = 'the machine has not joined yet: its kubelet makes kubelet.conf once it has its certificate';
/** Who has not joined has no user. */
function ofJoined(world: World, name: string): ReturnType<typeof withCertificate> {
  if (name === 'kubelet.conf' && isUnjoined(world.get(NODE))) world.skip('nothing', NOT_YET);
  return withCertificate(world, name);
}

/** The API server of this machine, as its disk says it. */
function ownServer(world: World): OwnServer {
  const { disk, role } = world.get(NODE);
  return {
    address: flagOf(disk, 'kube-apiserver', 'advertise-address'),
    port: flagOf(disk, 'kube-apiserver', 'secure-port'),
    certificate: role === 'control plane' ? one(world, 'apiserver.crt') : null,
    root: one(world, 'ca.crt'),
  };
}

Then('the user of {string} is {string}, in no group', async function (this: World, name: string, user: string) {
  this.check(userIs, withCertificate(this, name), { name: user, groups: [[]] });
});

Then(
  'the user of {string} is {string}, in one of the groups {string}',
  async function (this: World, name: string, user: string, groups: string) {
    this.check(userIs, withCertificate(this, name), { name: user, groups: groups.split(', ').map((group) => [group]) });
  },
);

Then('the user of {string} is the node', async function (this: World, name: string) {
  const { name: known, disk } = this.get(NODE);
  const machine = machineName(disk);
  this.check(nodeUser, ofJoined(this, name), { name: known, ...(machine === '' ? {} : { machine }) });
});

Then('the user of {string} is in the group of nodes alone', async function (this: World, name: string) {
  this.check(nodeGroup, ofJoined(this, name));
});

Then('the certificate of {string} can be used', async function (this: World, name: string) {
  this.check(userWorks, withCertificate(this, name), { authority: one(this, 'ca.crt'), now: this.get(NODE).now });
});

Then("these kubeconfigs embed the cluster's CA:", async function (this: World, table: DataTable) {
  const authority = one(this, 'ca.crt');
  // who has not joined gets ca.crt with his certificate, or is given it before
  const isToCome = authority.file === null && isUnjoined(this.get(NODE));
  if (isToCome) this.skip('nothing', NOT_YET);
  this.check(embedsAuthority, there(this, table), { authority });
});

Then("these kubeconfigs name the machine's own API server:", async function (this: World, table: DataTable) {
  this.check(asksOwnServer, seen(this, ...column(table).map(config)), ownServer(this));
});

Then('{string} and {string} have different users', async function (this: World, name: string, other: string) {
  this.check(differentUsers, [withCertificate(this, name), withCertificate(this, other)]);
});

Then('a bootstrap kubeconfig has one credential', async function (this: World) {
  const there = seen(this, config('bootstrap-kubelet.conf')).filter(({ file }) => file !== null);
  this.check(oneCredential, there);
});

Then('super-admin.conf, where it is there, is for the administrator whom nothing stops', async function (this: World) {
  const name = 'super-admin.conf';
  if (one(this, config(name)).file === null) return;
  const with_ = withCertificate(this, name);
  this.check(userIs, with_, { name: 'kubernetes-super-admin', groups: [['system:masters']] });
  this.check(userWorks, with_, { authority: one(this, 'ca.crt'), now: this.get(NODE).now });
});

Then(
  'admin.conf, where super-admin.conf is there, is in the group "kubeadm:cluster-admins" alone',
  async function (this: World) {
    const isThere = one(this, config('super-admin.conf')).file !== null;
    this.check(adminCanBeStopped, { admin: isThere ? withCertificate(this, 'admin.conf') : null });
  },
);

Then('the certificate of the kubelet is as its signer issues it', async function (this: World) {
  this.check(kubeletAsSigned, ofJoined(this, 'kubelet.conf'));
});

Then('where the kubelet has asked for it, it can renew it, and has to within a year', async function (this: World) {
  const kubelet = withCertificate(this, 'kubelet.conf');
  if (kubelet.named !== null && isRenewed(kubelet.named))
    this.check(kubeletRenews, { ...kubelet, named: kubelet.named });
});

Then('these kubeconfigs verify the server:', async function (this: World, table: DataTable) {
  this.check(verifies, there(this, table));
});

Then('these kubeconfigs ask a server of the cluster:', async function (this: World, table: DataTable) {
  this.check(asksCluster, there(this, table), ownServer(this));
});

Then('the kubelet does not ask the Service of the API server', async function (this: World) {
  const kubelet = one(this, config('kubelet.conf'));
  if (kubelet.file !== null) this.check(asksNoService, kubelet, { services: apiServerAddresses(this.get(NODE).disk) });
});

Then('no bootstrap kubeconfig is left', async function (this: World) {
  this.check(bootstrapOver, {
    bootstrap: one(this, config('bootstrap-kubelet.conf')),
    kubelet: withCertificate(this, 'kubelet.conf'),
  });
});

Then('the user of {string} has certificate and key in one place', async function (this: World, name: string) {
  if (isUnjoined(this.get(NODE))) this.partly('fact', NOT_YET);
  else this.check(oneFile, seen(this, config(name)));
});

Then('where the kubelet has renewed it, {string} embeds no other one', async function (this: World, name: string) {
  if (one(this, RENEWED).file !== null) this.check(namesWhatIsRenewed, one(this, config(name)));
});

/** As the machine is called, and where its kubelet says that it is. */
const placesOf = (disk: NodeFacts['disk']): readonly string[] => {
  const { flags } = startedBy(disk);
  const told = [
    toldAt(disk, '/etc/hostname')?.hostname,
    flags['hostname-override'],
    ...(flags['node-ip'] ?? '').split(','),
  ];
  return told.flatMap((one) => (one === undefined || one === '' ? [] : [one.toLowerCase()]));
};

Then('who asks a proxy on loopback has one', async function (this: World) {
  const { disk, role } = this.get(NODE);
  const paths = Object.keys(disk);
  const asking = role === 'worker' && isWholeDisk(paths) ? seen(this, config('kubelet.conf')) : [];
  const hosts = toldAt(disk, '/etc/hosts')?.hosts ?? {};
  this.check(proxyThere, asking, { proxies: paths.filter(mayBeProxy), hosts, own: placesOf(disk) });
});

/** Whom programs of this machine ask, with what their units and Pods give them. */
Then('no proxy stands between the programs of the cluster', async function (this: World) {
  const { disk } = this.get(NODE);
  const serverOf = (name: string): readonly string[] => {
    const held = disk[config(`${name}.conf`)]?.held;
    return held?.kind === 'kubeconfig' && held.server !== '' ? [held.server] : [];
  };
  const address = flagOf(disk, 'kube-apiserver', 'advertise-address');
  const own = address === '' ? [] : [`https://${address.includes(':') ? `[${address}]` : address}:10250`];
  const pods = (['kube-controller-manager', 'kube-scheduler', 'kube-apiserver'] as const).map((component) => ({
    subject: manifestPath(component),
    variables: environmentOf(one(this, manifestPath(component))),
    urls: component === 'kube-apiserver' ? own : serverOf(component.replace('kube-', '')),
  }));
  const units = proxiesAt(disk, /^\/etc\/systemd\/system\.conf/);
  const variables = { ...units, ...startedBy(disk).variables };
  const kubelet = { subject: 'the kubelet', variables, urls: serverOf('kubelet') };
  // kubeadm gives what it was started with to the Pods that it writes
  const logins = {
    subject: 'who logs in',
    variables: proxiesAt(disk, /^\/etc\/(?:environment$|profile\.d\/)/),
    urls: [...new Set([...serverOf('admin'), ...serverOf('kubelet')])],
  };
  // an image of the cluster itself is asked for without one, where anything is
  const images = variablesOf(partsOf(disk, 'containerd.service'));
  const isAll = Object.keys(proxiesIn(images)).every((name) => !/^no_proxy$/i.test(name) || images[name] === '');
  const runtime = { subject: 'containerd', variables: images, urls: isAll ? serverOf('kubelet') : [] };
  this.check(askedDirectly, [kubelet, logins, runtime, ...pods.filter(({ subject }) => disk[subject] !== undefined)]);
});

Then('these kubeconfigs ask without a proxy:', async function (this: World, table: DataTable) {
  this.check(asksDirectly, there(this, table));
});

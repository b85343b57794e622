/** Sentences of the policy about Nodes as they stand. */

import { isTrue } from '../../src/checks/node-files/node-flags.js';
import { imagesFit, imagesSayVersions, readImagesRun } from '../../src/checks/policy/control-plane-images.js';
import { controllersLed } from '../../src/checks/policy/controllers-at-rest.js';
import { leasesOfNodes, readLease } from '../../src/checks/policy/node-leases.js';
import {
  controlPlanesMarked,
  controlPlanesTainted,
  kubeletsFit,
  type MachineNode,
  machinesApart,
  nodesReady,
} from '../../src/checks/policy/nodes-at-rest.js';
import { readyAmong, requestsForNewMachines } from '../../src/checks/policy/request-policy.js';
import { readServices } from '../../src/checks/told/kubelet-told.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { componentPods, controlPlaneAndEtcdPods, controlPlanePods, published } from '../common/flags.js';
import { grantReading } from '../common/reading.js';
import { atRest, type LeaseAtRest, unread } from '../common/searched.js';
import { seenBy } from '../kubelet-certificates/requests-at-rest.js';

const NODES = slot<readonly MachineNode[]>('the Nodes of the cluster, machine by machine');

Given('the Nodes of the cluster, machine by machine', { needs: ['objects'] }, async function (this: World) {
  await grantReading(this);
  this.put(
    NODES,
    (await atRest(this, 'nodes')).flatMap(({ machine }) => machine ?? []),
  );
});

/** What controllers give Nodes a part of, for their Pods. */
async function subnetsGiven(world: World): Promise<readonly string[]> {
  const lines = await published(world, 'kube-controller-manager');
  const told = lines.flatMap(({ flags }) =>
    isTrue(flags.get('allocate-node-cidrs') ?? '') ? (flags.get('cluster-cidr') ?? '').split(',') : [],
  );
  return [...new Set(told.map((subnet) => subnet.trim()).filter((subnet) => subnet !== ''))];
}

Then('each stands for one machine', async function (this: World) {
  const { addresses } = readServices(await atRest(this, 'services'));
  const services = addresses.filter((address) => address !== '' && address !== 'None');
  this.check(machinesApart, this.get(NODES), { now: this.now(), services, pods: await subnetsGiven(this) });
});

Then('each has a kubelet that the API server goes with', function (this: World) {
  this.check(kubeletsFit, this.get(NODES), { minor: this.version.minor, now: this.now() });
});

Then('each has become ready', function (this: World) {
  this.check(nodesReady, this.get(NODES), { now: this.now() });
});

Then('those with an API server are marked as control planes, and no others', async function (this: World) {
  const serving = (await componentPods(this, 'kube-apiserver')).map(({ nodeName }) => nodeName);
  this.check(controlPlanesMarked, this.get(NODES), { serving });
});

Then('each Lease of a machine is that of a Node, and its own', async function (this: World) {
  const kept = this.theirs(resources.leases, readLease);
  const leases = await this.objects.list(resources.leases, { namespace: 'kube-node-lease' }, kept).catch(unread);
  if (leases === undefined) return this.skip('ability', 'Leases of kube-node-lease may not be listed');
  // a Node of this run has a Lease, too, and one that stands for no machine
  const nodes = (await atRest(this, 'nodes')).map(({ node }) => node.metadata.name ?? '');
  const seen = leases.flatMap((lease) => lease ?? []);
  const ready = this.get(NODES)
    .filter((node) => node.ready.status === 'True')
    .map(({ name, ready: { since } }) => ({ name, since }));
  this.check(leasesOfNodes, seen, { nodes, ready, now: this.now() });
});

Then('control planes are kept free where there are workers', function (this: World) {
  this.check(controlPlanesTainted, this.get(NODES));
});

Then('controllers, schedulers and proxies are of versions that the API server goes with', async function (this: World) {
  const pods = await controlPlanePods(this);
  const proxy = await this.objects.get<KubeObject>(resources.daemonSets, 'kube-proxy', KUBE_SYSTEM);
  const ofProxy = proxy === undefined ? [] : readImagesRun(proxy, resources.daemonSets.kind);
  this.check(imagesFit, [...pods.flatMap(({ runs }) => runs), ...ofProxy], { minor: this.version.minor });
});

Then('images of the control plane say which version they are', async function (this: World) {
  const pods = await controlPlaneAndEtcdPods(this);
  this.check(
    imagesSayVersions,
    pods.flatMap(({ named }) => named),
  );
});

const LEADERS = ['kube-controller-manager', 'kube-scheduler'];
const LEASES = slot<readonly LeaseAtRest[]>('the Leases of the cluster');

Given(
  'the Leases of a cluster that kubeadm has set up',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const leases = await atRest(this, 'leases').catch(unread);
    if (leases === undefined) return this.skip('ability', 'Leases may not be listed');
    this.put(LEASES, leases);
  },
);

Then('controllers and schedulers are led', function (this: World) {
  const leases = this.get(LEASES);
  const led = leases.filter(({ namespace, name }) => namespace === KUBE_SYSTEM && LEADERS.includes(name));
  const others = leases.filter((lease) => !led.includes(lease)).map(({ renewed }) => renewed);
  // one that is renewed in the future has another clock
  const told = others.filter((at) => at <= this.now());
  this.check(controllersLed, led, { alive: told.length === 0 ? null : Math.max(...told) });
});

Then('no token takes the place of a machine that was ready', function (this: World) {
  this.check(requestsForNewMachines, seenBy(this), { ready: readyAmong(this.get(NODES)) });
});

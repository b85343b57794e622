/** Sentences of the policy about what joining machines are told in ConfigMaps. */

import { versionedName } from '../../src/checks/authorization/versioned-names.js';
import { containersOf } from '../../src/checks/policy/host-paths.js';
import { podOf } from '../../src/checks/policy/pod-mounts.js';
import {
  joiningControlPlanesGuarded,
  kubeadmReadsConfiguration,
  readToldToControlPlanes,
  type ToldToControlPlanes,
} from '../../src/checks/told/cluster-configuration.js';
import {
  type ControlPlanesTold,
  controlPlanesOfCluster,
  readControlPlanesTold,
} from '../../src/checks/told/control-planes-told.js';
import { kubeletsKeepUp, readKubeletGuards } from '../../src/checks/told/kubelet-guards.js';
import {
  type KubeletTold,
  kubeletsOfCluster,
  kubeletsStart,
  readKubeletTold,
  readServices,
} from '../../src/checks/told/kubelet-told.js';
import { kubeletsWork, readKubeletWorks } from '../../src/checks/told/kubelet-works.js';
import {
  kubeletsGuarded,
  machinesFindConfiguration,
  machinesReadNoCredential,
  readToldToMachines,
  type ToldToMachines,
} from '../../src/checks/told/machine-configuration.js';
import { publishedServer } from '../../src/checks/told/published-server.js';
import { text } from '../../src/kubernetes/json.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { controlPlaneAndEtcdPods } from '../common/flags.js';
import { grantReading, notDumped } from '../common/reading.js';
import { atRest } from '../common/searched.js';
import { daemonsSeen } from './seen.js';

interface Told {
  readonly cluster: ToldToMachines;
  readonly kubelets: ToldToMachines;
  readonly proxy: ToldToMachines;
  readonly controlPlanes: ToldToControlPlanes;
}

const CLUSTER = 'kubeadm-config';
const TOLD = slot<Told>('what joining machines are told');

Given(
  'what a cluster that kubeadm has set up tells joining machines',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const mapOf = (name: string): Promise<ConfigMap | undefined> =>
      this.objects.get<ConfigMap>(resources.configMaps, name, KUBE_SYSTEM);
    const subjectOf = (name: string): string => `${resources.configMaps.kind} ${KUBE_SYSTEM}/${name}`;
    const read = async (name: string, key: string, kind: string): Promise<ToldToMachines> =>
      readToldToMachines({ subject: subjectOf(name), key, kind }, await mapOf(name));
    const cluster = await mapOf(CLUSTER);
    this.put(TOLD, {
      cluster: readToldToMachines(
        { subject: subjectOf(CLUSTER), key: 'ClusterConfiguration', kind: 'kubeadm.k8s.io, ClusterConfiguration' },
        cluster,
      ),
      controlPlanes: readToldToControlPlanes(subjectOf(CLUSTER), cluster, this.version.minor),
      kubelets: await read(
        versionedName('kubelet-config', this.version.minor),
        'kubelet',
        'kubelet.config.k8s.io, KubeletConfiguration',
      ),
      proxy: await read('kube-proxy', 'config.conf', 'kubeproxy.config.k8s.io, KubeProxyConfiguration'),
    });
  },
);

Then('machines find the configuration of the cluster and of kubelets there', function (this: World) {
  const { cluster, kubelets } = this.get(TOLD);
  this.check(machinesFindConfiguration, [cluster, kubelets]);
});

Then('kubeadm reads the configuration of the cluster', function (this: World) {
  this.check(kubeadmReadsConfiguration, this.get(TOLD).controlPlanes);
});

Then('control planes that join are guarded by it', function (this: World) {
  this.check(joiningControlPlanesGuarded, this.get(TOLD).controlPlanes);
});

Then('nothing of it is a credential', function (this: World) {
  const { cluster, kubelets, proxy } = this.get(TOLD);
  this.check(machinesReadNoCredential, [cluster, kubelets, proxy]);
});

Then('kubelets let in nobody unknown by it', function (this: World) {
  this.check(kubeletsGuarded, this.get(TOLD).kubelets);
});

const KUBELETS = slot<KubeletTold>('what kubelets are told that join');

Given(
  'what a cluster that kubeadm has set up tells joining kubelets',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const name = versionedName('kubelet-config', this.version.minor);
    const mapOf = (map: string): Promise<ConfigMap | undefined> =>
      this.objects.get<ConfigMap>(resources.configMaps, map, KUBE_SYSTEM);
    // what a dump does not hold of these is not missed: no address is compared then
    const services = (await atRest(this, 'services').catch(notDumped)) ?? [];
    const daemons = await daemonsSeen(this).catch(notDumped);
    const [kubelets, cluster] = await Promise.all([mapOf(name), mapOf(CLUSTER)]);
    // a cache for names on every machine is told to kubelets by an address of its own
    const alone = daemons !== undefined && !daemons.some((daemon) => /dns/i.test(daemon.name));
    const subject = `${resources.configMaps.kind} ${KUBE_SYSTEM}/${name}`;
    this.put(
      KUBELETS,
      readKubeletTold(subject, { kubelets, cluster, minor: this.version.minor }, { ...readServices(services), alone }),
    );
  },
);

Then('kubelets start with it', function (this: World) {
  this.check(kubeletsStart, this.get(KUBELETS));
});

Then('it is of this cluster', function (this: World) {
  this.check(kubeletsOfCluster, this.get(KUBELETS));
});

/** What `read` makes of the configuration of kubelets that lies in the cluster. */
async function kubeletConfig<T>(world: World, read: (subject: string, map: ConfigMap | undefined) => T): Promise<T> {
  const name = versionedName('kubelet-config', world.version.minor);
  const found = await world.objects.get<ConfigMap>(resources.configMaps, name, KUBE_SYSTEM);
  return read(`${resources.configMaps.kind} ${KUBE_SYSTEM}/${name}`, found);
}

Then('kubelets guard by it what they serve', async function (this: World) {
  this.check(kubeletsKeepUp, await kubeletConfig(this, readKubeletGuards));
});

Then('machines are nodes by it', async function (this: World) {
  this.check(kubeletsWork, await kubeletConfig(this, readKubeletWorks));
});

const CONTROL_PLANES = slot<ControlPlanesTold>('what control planes are told that join');

Given(
  'what a cluster that kubeadm has set up tells joining control planes',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const { tls } = this.target.abilities;
    const pods = await controlPlaneAndEtcdPods(this);
    const proxy = await this.objects.get<KubeObject>(resources.daemonSets, 'kube-proxy', KUBE_SYSTEM).catch(notDumped);
    const ofProxy = proxy === undefined ? [] : containersOf(podOf(proxy)).map(({ image }) => text(image));
    const images = [...pods.flatMap((pod) => pod.images), ...ofProxy];
    const shown = (flag: string): readonly string[] => [
      ...new Set(pods.flatMap(({ lines }) => lines.flatMap(({ flags }) => flags.get(flag) ?? []))),
    ];
    const ranges = { pods: shown('cluster-cidr'), services: shown('service-cluster-ip-range') };
    const [map, info, api, [leaf = null] = []] = await Promise.all([
      this.objects.get<ConfigMap>(resources.configMaps, CLUSTER, KUBE_SYSTEM),
      this.objects.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC),
      this.objects.get(resources.services, 'kubernetes', 'default').catch(notDumped),
      tls?.presented(),
    ]);
    const subject = `${resources.configMaps.kind} ${KUBE_SYSTEM}/${CLUSTER}`;
    const { server: published } = publishedServer(info);
    this.put(CONTROL_PLANES, readControlPlanesTold(subject, map, { api, published, leaf, images, ranges }));
  },
);

Then('they are told of this cluster what kubeadm knows', function (this: World) {
  this.check(controlPlanesOfCluster, this.get(CONTROL_PLANES));
});

/** Sentences of the policy about what joining machines are told in ConfigMaps. */
import {
  kubeletsGuarded,
  machinesFindConfiguration,
  machinesReadNoCredential,
  readToldToMachines,
  type ToldToMachines,
} from '../../src/checks/machine-configuration.js';
import { versionedName } from '../../src/checks/versioned-names.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import type { ConfigMap } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { grantReading } from '../common/reading.js';

interface Told {
  readonly cluster: ToldToMachines;
  readonly kubelets: ToldToMachines;
  readonly proxy: ToldToMachines;
}

const TOLD = slot<Told>('what joining machines are told');

Given(
  'what a cluster that kubeadm has set up tells joining machines',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const read = async (name: string, key: string, kind: string): Promise<ToldToMachines> =>
      readToldToMachines(
        { subject: `${resources.configMaps.kind} ${KUBE_SYSTEM}/${name}`, key, kind },
        await this.objects.get<ConfigMap>(resources.configMaps, name, KUBE_SYSTEM),
      );
    this.put(TOLD, {
      cluster: await read('kubeadm-config', 'ClusterConfiguration', 'kubeadm.k8s.io, ClusterConfiguration'),
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

Then('nothing of it is a credential', function (this: World) {
  const { cluster, kubelets, proxy } = this.get(TOLD);
  this.check(machinesReadNoCredential, [cluster, kubelets, proxy]);
});

Then('kubelets let in nobody unknown by it', function (this: World) {
  this.check(kubeletsGuarded, this.get(TOLD).kubelets);
});

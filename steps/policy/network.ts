/** Sentences of the policy about how machines that have joined find the API server and each other. */
import { readToldToControlPlanes } from '../../src/checks/cluster-configuration.js';
import { type ClusterDns, dnsOfCluster, readClusterDns } from '../../src/checks/cluster-dns.js';
import { type ExtensionTrust, extensionsBelieve, readExtensionTrust } from '../../src/checks/extension-trust.js';
import { type ProxySeen, proxyOfCluster, readProxy } from '../../src/checks/kube-proxy-told.js';
import { documentOf } from '../../src/checks/machine-configuration.js';
import { hostOf } from '../../src/checks/node-names.js';
import { readApiService, readDnsService, type ServiceSeen, servicesLead } from '../../src/checks/own-services.js';
import { decodedPem } from '../../src/checks/pem.js';
import { versionedName } from '../../src/checks/versioned-names.js';
import { record, records, text, texts } from '../../src/kubernetes/json.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { isAmong } from '../../src/kubernetes/no-proxy.js';
import type { ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { grantReading } from '../common/reading.js';

interface Network {
  readonly dns: ClusterDns;
  readonly services: readonly ServiceSeen[];
  readonly proxies: readonly ProxySeen[];
}
const NETWORK = slot<Network>('how machines find the API server');

const mapOf = ({ objects }: World, name: string, namespace = KUBE_SYSTEM): Promise<ConfigMap | undefined> =>
  objects.get<ConfigMap>(resources.configMaps, name, namespace);

const slicesOf = ({ objects }: World, namespace: string, name: string): Promise<readonly KubeObject[]> =>
  objects.list(resources.endpointSlices, { namespace, labelSelector: `kubernetes.io/service-name=${name}` });

/** The first cluster of cluster-info. */
function published(map: ConfigMap | undefined): { readonly host: string; readonly authorities: string } {
  const { cluster } = record(records(record(documentOf(map, 'kubeconfig')).clusters)[0]);
  const { server, 'certificate-authority-data': data } = record(cluster);
  return { host: hostOf(text(server)), authorities: decodedPem(text(data)) };
}

/** The DNS that kubelets are told, as far as it stands among Services. */
function toldDns(kubelets: ConfigMap | undefined, cluster: unknown): readonly string[] {
  const subnets = (text(record(record(cluster).networking).serviceSubnet) || '10.96.0.0/12').split(',');
  return texts(record(documentOf(kubelets, 'kubelet')).clusterDNS).filter((address) =>
    subnets.some((subnet) => {
      const [network = '', bits = ''] = subnet.trim().split('/');
      return isAmong(address, network, bits);
    }),
  );
}

async function readNetwork(world: World): Promise<Network> {
  const { objects } = world;
  const minor = world.version.minor;
  const [dns, cluster, info, proxy, kubelets, daemon, api, apiSlices, kubeDns, dnsSlices] = await Promise.all([
    mapOf(world, 'coredns'),
    mapOf(world, 'kubeadm-config'),
    mapOf(world, CLUSTER_INFO, KUBE_PUBLIC),
    mapOf(world, 'kube-proxy'),
    mapOf(world, versionedName('kubelet-config', minor)),
    objects.get(resources.daemonSets, 'kube-proxy', KUBE_SYSTEM),
    objects.get(resources.services, 'kubernetes', 'default'),
    slicesOf(world, 'default', 'kubernetes'),
    objects.get(resources.services, 'kube-dns', KUBE_SYSTEM),
    slicesOf(world, KUBE_SYSTEM, 'kube-dns'),
  ]);
  const configuration = documentOf(cluster, 'ClusterConfiguration');
  const { host, authorities } = published(info);
  const endpoint = hostOf(`https://${text(record(configuration).controlPlaneEndpoint)}`);
  const own = apiSlices.find(({ metadata }) => metadata.name === 'kubernetes');
  const { clusterIP, clusterIPs } = record(api?.spec);
  const hosts = [
    endpoint,
    host,
    ...records(own?.endpoints).flatMap(({ addresses }) => texts(addresses)),
    text(clusterIP),
    ...texts(clusterIPs),
  ].filter((one) => one !== '');
  return {
    dns: readClusterDns({ dns, cluster }, hosts),
    services: [
      readApiService({ service: api, slices: apiSlices }),
      ...(dns === undefined
        ? []
        : [readDnsService({ service: kubeDns, slices: dnsSlices }, toldDns(kubelets, configuration))]),
    ],
    proxies: readProxy({ map: proxy, daemon }, { hosts, authorities }, minor),
  };
}

Given(
  'how machines of a cluster that kubeadm has set up find the API server',
  { needs: ['objects', 'requests', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    this.put(NETWORK, await this.shared(`network of ${this.target.name}`, () => readNetwork(this)));
  },
);

Then('the DNS of the cluster answers for its names', function (this: World) {
  this.check(dnsOfCluster, this.get(NETWORK).dns);
});

Then('the Services that every Pod relies on lead to what they are for', function (this: World) {
  this.check(servicesLead, this.get(NETWORK).services);
});

Then('kube-proxy is that of the cluster', function (this: World) {
  this.check(proxyOfCluster, this.get(NETWORK).proxies);
});

const TRUST = slot<ExtensionTrust>('whom API servers beside the own one believe');

Given(
  'whom API servers beside that of kubeadm believe',
  { needs: ['objects', 'requests', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const [map, cluster, info] = await Promise.all([
      mapOf(this, 'extension-apiserver-authentication'),
      mapOf(this, 'kubeadm-config'),
      mapOf(this, CLUSTER_INFO, KUBE_PUBLIC),
    ]);
    const { apiServer: flags } = readToldToControlPlanes('kubeadm-config', cluster, this.version.minor);
    this.put(TRUST, readExtensionTrust(map, { flags, authorities: published(info).authorities }));
  },
);

Then('it is nobody whom the API server itself does not believe', function (this: World) {
  this.check(extensionsBelieve, this.get(TRUST));
});

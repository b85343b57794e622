/** Sentences of the policy about how machines that have joined find the API server and each other. */

import {
  type ExtensionTrust,
  extensionsBelieve,
  readExtensionTrust,
} from '../../src/checks/admission/extension-trust.js';
import { versionedName } from '../../src/checks/authorization/versioned-names.js';
import { hostOf, portOf } from '../../src/checks/node-files/node-names.js';
import { type AddonSeen, addonsRun, readAddons } from '../../src/checks/policy/kubeadm-addons.js';
import type { MachineNode } from '../../src/checks/policy/nodes-at-rest.js';
import { readToldToControlPlanes } from '../../src/checks/told/cluster-configuration.js';
import { type ClusterDns, dnsOfCluster, readClusterDns } from '../../src/checks/told/cluster-dns.js';
import { type DnsPolicies, dnsReached, readDnsPolicies } from '../../src/checks/told/dns-policies.js';
import { type ProxySeen, proxyOfCluster, readProxy } from '../../src/checks/told/kube-proxy-told.js';
import { documentOf } from '../../src/checks/told/machine-configuration.js';
import {
  nothingOpenedUp,
  type Relied,
  readApiService,
  readDnsListens,
  readDnsService,
  readOpenedUp,
  readTakenOver,
  type ServiceSeen,
  servicesLead,
} from '../../src/checks/told/own-services.js';
import { authoritiesOf, readRoots, rootsAlike } from '../../src/checks/told/published-roots.js';
import { publishedServer } from '../../src/checks/told/published-server.js';
import { isRoute } from '../../src/checks/told/publishing-routes.js';
import { count, record, records, text, texts } from '../../src/kubernetes/json.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM, LABEL_CONTROL_PLANE } from '../../src/kubernetes/names.js';
import { isAmong } from '../../src/kubernetes/no-proxy.js';
import type { ConfigMap, KubeObject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { serviceAddresses } from '../../src/kubernetes/service-addresses.js';
import { Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { NotInDump } from '../../src/targets/errors.js';
import { componentPods } from '../common/flags.js';
import { readPolicy } from '../common/policy.js';
import { grantReading, lack, notDumped, wholeLists } from '../common/reading.js';
import { anyOf, atRest, checkFound, customKinds, noticed, unread } from '../common/searched.js';
import { daemonsSeen, nodesSeen } from './seen.js';

interface Network {
  readonly dns: ClusterDns;
  readonly services: readonly ServiceSeen[];
  readonly opened: { readonly opened: readonly ServiceSeen[]; readonly seen: number };
  /** Why a kind that leads to Services could not be read. */
  readonly unrouted: unknown;
  readonly proxies: readonly ProxySeen[];
  readonly addons: readonly AddonSeen[];
  readonly policies: DnsPolicies | undefined;
  /** A dump that does not list all of what machines and Pods rely on. */
  readonly lacking: NotInDump | undefined;
}
const NETWORK = slot<Network>('how machines find the API server');

const mapOf = ({ objects }: World, name: string, namespace = KUBE_SYSTEM): Promise<ConfigMap | undefined> =>
  objects.get<ConfigMap>(resources.configMaps, name, namespace);

const RELIED_ON = [
  resources.nodes,
  resources.services,
  resources.endpointSlices,
  resources.serviceAccounts,
  resources.daemonSets,
  resources.deployments,
] as const;

const slicesOf = async ({ objects }: World, namespace: string, name: string): Promise<readonly KubeObject[]> => {
  const labelSelector = `kubernetes.io/service-name=${name}`;
  return (await objects.list(resources.endpointSlices, { namespace, labelSelector }).catch(notDumped)) ?? [];
};

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

/** Of the API server, as its Service has them, and who stands behind it. */
const portsOf = (slice: KubeObject | undefined, service: KubeObject | undefined): readonly number[] =>
  slice === undefined || service === undefined
    ? []
    : [...records(slice.ports), ...records(record(service.spec).ports)].map(({ port }) => count(port));

interface Places {
  /** Of cluster-info. */
  readonly server: string;
  /** The slice of the API server. */
  readonly own: KubeObject | undefined;
  readonly api: KubeObject | undefined;
}

const at = (addresses: readonly string[], ports: readonly number[]): readonly Relied[] =>
  addresses.flatMap((address) => ports.map((port) => ({ address, port })));

/** Where machines and Pods find the API server. */
function apiServersAt({ server, own, api }: Places): readonly Relied[] {
  const ports = records(own?.ports).map((one) => count(one.port));
  return [
    ...at(
      [hostOf(server)].filter((host) => host !== ''),
      [portOf(server)],
    ),
    ...at(
      records(own?.endpoints).flatMap(({ addresses }) => texts(addresses)),
      ports,
    ),
    ...at(serviceAddresses(api), [443]),
  ];
}

/** Whoever takes these over is shown what the API server sends to machines. */
const kubeletsOf = (nodes: readonly { readonly machine: MachineNode | undefined }[]): readonly Relied[] =>
  nodes.flatMap(({ machine }) =>
    (machine?.addresses ?? []).map((address) => ({ address, port: machine?.port || 10250 })),
  );

async function readNetwork(world: World): Promise<Network> {
  const { objects } = world;
  const minor = world.version.minor;
  const lacking = await wholeLists(world, RELIED_ON).then(() => undefined, lack);
  const accountOf = (name: string) => objects.get(resources.serviceAccounts, name, KUBE_SYSTEM).catch(notDumped);
  const nodes = (await nodesSeen(world).catch(notDumped)) ?? [];
  const machines = (await atRest(world, 'nodes').catch(notDumped)) ?? [];
  const kubeletsAt = kubeletsOf(machines);
  const daemons = (await daemonsSeen(world).catch(notDumped)) ?? [];
  const services = (await atRest(world, 'services').catch(notDumped)) ?? [];
  const slices = (await atRest(world, 'endpointSlices').catch(unread)) ?? [];
  // what other kinds of policies let in beside these is not known here
  const areAll = (await anyOf(world, ({ kind }) => /NetworkPolicy$/.test(kind))) === false;
  const networkPolicies = areAll ? ((await atRest(world, 'networkPolicies').catch(unread)) ?? []) : [];
  const routed = (await customKinds(world)).filter(isRoute);
  const { routes, why } = await noticed(world, [], [resources.ingresses, ...routed]);
  const addresses = machines.flatMap(({ node, machine }) =>
    node.metadata.labels?.[LABEL_CONTROL_PLANE] === undefined ? [] : (machine?.addresses ?? []),
  );
  const policy = await readPolicy(world);
  const [ofProxy, ofDns, deployment] = await Promise.all([
    accountOf('kube-proxy'),
    accountOf('coredns'),
    objects.get(resources.deployments, 'coredns', KUBE_SYSTEM).catch(notDumped),
  ]);
  const [dns, cluster, info, proxy, kubelets, daemon, api, apiSlices, kubeDns, dnsSlices] = await Promise.all([
    mapOf(world, 'coredns'),
    mapOf(world, 'kubeadm-config'),
    mapOf(world, CLUSTER_INFO, KUBE_PUBLIC),
    mapOf(world, 'kube-proxy'),
    mapOf(world, versionedName('kubelet-config', minor)),
    objects.get(resources.daemonSets, 'kube-proxy', KUBE_SYSTEM).catch(notDumped),
    objects.get(resources.services, 'kubernetes', 'default').catch(notDumped),
    slicesOf(world, 'default', 'kubernetes'),
    objects.get(resources.services, 'kube-dns', KUBE_SYSTEM).catch(notDumped),
    slicesOf(world, KUBE_SYSTEM, 'kube-dns'),
  ]);
  const configuration = documentOf(cluster, 'ClusterConfiguration');
  const advertised = ((await componentPods(world, 'kube-apiserver').catch(notDumped)) ?? []).flatMap(({ lines }) =>
    lines.flatMap(({ flags }) => flags.get('advertise-address') ?? []),
  );
  const { server, host, authorities } = publishedServer(info);
  const told = text(record(configuration).controlPlaneEndpoint);
  const endpoint = hostOf(`https://${told}`);
  const own = apiSlices.find(({ metadata }) => metadata.name === 'kubernetes');
  const places = apiServersAt({ server, own, api });
  const { clusterIP, clusterIPs } = record(api?.spec);
  const hosts = [
    endpoint,
    host,
    ...records(own?.endpoints).flatMap(({ addresses }) => texts(addresses)),
    text(clusterIP),
    ...texts(clusterIPs),
  ].filter((one) => one !== '');
  return {
    lacking,
    dns: readClusterDns({ dns, cluster }, { hosts, services: serviceAddresses(kubeDns) }),
    services: [
      readApiService(
        { service: api, slices: apiSlices },
        { subnets: text(record(record(configuration).networking).serviceSubnet), advertised },
      ),
      ...(dns === undefined
        ? []
        : [
            readDnsService(
              { service: kubeDns, slices: dnsSlices },
              toldDns(kubelets, configuration),
              readDnsListens(deployment, dns.data?.Corefile ?? ''),
            ),
          ]),
      ...readTakenOver(services, [...places, ...at(serviceAddresses(kubeDns), [53]), ...kubeletsAt]),
    ],
    opened: { opened: readOpenedUp({ services, slices, routes, addresses }), seen: services.length },
    unrouted: why,
    policies: readDnsPolicies(networkPolicies, deployment, portsOf(own, api)),
    proxies: readProxy(
      { map: proxy, daemon },
      {
        hosts,
        authorities,
        services: serviceAddresses(api),
        // without a port it is that of each API server
        places: [...places, ...at([endpoint], /[^:]:\d{1,5}$/.test(told) ? [portOf(`https://${told}`)] : [])],
      },
      minor,
    ),
    addons: readAddons(
      {
        proxy: { workload: daemon, map: proxy, account: ofProxy },
        dns: { workload: deployment, map: dns, account: ofDns },
      },
      {
        nodes,
        daemons,
        policy,
        answered: dnsSlices.some(({ endpoints }) =>
          records(endpoints).some(({ conditions }) => record(conditions).terminating !== true),
        ),
      },
    ),
  };
}

Given(
  'how machines of a cluster that kubeadm has set up find the API server',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    this.put(NETWORK, await this.shared(`network of ${this.target.name}`, () => readNetwork(this)));
  },
);

Then('the DNS of the cluster answers for its names', function (this: World) {
  this.check(dnsOfCluster, this.get(NETWORK).dns);
});

/** Throws NotInDump. */
function relied(world: World): Network {
  const network = world.get(NETWORK);
  if (network.lacking !== undefined) throw network.lacking;
  return network;
}

Then('the Services that every Pod relies on lead to what they are for', async function (this: World) {
  // what a Service of one namespace is said to be by a list of that namespace
  await wholeLists(this, [resources.services, resources.endpointSlices], ['default', KUBE_SYSTEM]);
  this.check(servicesLead, this.get(NETWORK).services);
});

Then('none leads from beyond the cluster to etcd or to controllers, or reads along', function (this: World) {
  const { opened, unrouted } = relied(this);
  checkFound(this, nothingOpenedUp, opened, unrouted);
});

Then('policies of the network let Pods ask it', function (this: World) {
  this.check(dnsReached, relied(this).policies);
});

Then('kube-proxy is that of the cluster', function (this: World) {
  this.check(proxyOfCluster, this.get(NETWORK).proxies);
});

Then('what kubeadm has deployed can run', function (this: World) {
  this.check(addonsRun, relied(this).addons);
});

const ROOTS = 'kube-root-ca.crt';
Then('every namespace publishes the authority of the cluster', async function (this: World) {
  const maps = await this.shared(`${ROOTS} of ${this.target.name}`, () =>
    this.objects.list(resources.configMaps, { fieldSelector: `metadata.name=${ROOTS}` }, readRoots),
  );
  await wholeLists(this, [resources.configMaps]);
  const namespaces = await atRest(this, 'namespaces');
  const info = await mapOf(this, CLUSTER_INFO, KUBE_PUBLIC);
  this.check(rootsAlike, maps, { known: authoritiesOf(publishedServer(info).authorities), namespaces });
});

const TRUST = slot<ExtensionTrust>('whom API servers beside the own one believe');

Given(
  'whom API servers beside that of kubeadm believe',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await grantReading(this);
    const [map, cluster, info] = await Promise.all([
      mapOf(this, 'extension-apiserver-authentication'),
      mapOf(this, 'kubeadm-config'),
      mapOf(this, CLUSTER_INFO, KUBE_PUBLIC),
    ]);
    const { apiServer: flags } = readToldToControlPlanes('kubeadm-config', cluster, this.version.minor);
    this.put(TRUST, readExtensionTrust(map, { flags, authorities: publishedServer(info).authorities }));
  },
);

Then('it is nobody whom the API server itself does not believe', function (this: World) {
  this.check(extensionsBelieve, this.get(TRUST));
});

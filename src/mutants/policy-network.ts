/** Names, Services and the proxy by which machines find the API server. */
import { record, records, texts } from '../kubernetes/json.js';
import type { ConfigMap, KubeObject } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { ADVERTISED } from '../reference/host-addresses.js';
import type { Reference } from '../reference/options.js';
import { edit, finds, rewrite } from './arrange.js';
import type { Mutant } from './types.js';

const NAMESPACE = 'kube-system';

const dns = (name: string, defect: string, change: (text: string) => string): Mutant =>
  finds(name, defect, ['P-182'], (reference) => rewrite(reference, 'coredns', 'Corefile', change));
/** A line of the one server, before its plugins. */
const beginning = (line: string) => (text: string) => text.replace('    ready\n', `    ready\n    ${line}\n`);

const proxied = (name: string, defect: string, change: (text: string) => string, key = 'kubeconfig.conf'): Mutant =>
  finds(name, defect, ['P-184'], (reference) => rewrite(reference, 'kube-proxy', key, change));

type Fields = Readonly<Record<string, unknown>>;
const service = (reference: Reference, namespace: string, name: string, fields: Fields): void =>
  edit<KubeObject & { readonly spec?: object }>(
    reference,
    { resource: resources.services, namespace, name },
    (found) => ({ ...found, spec: { ...found.spec, ...fields } }),
  );

interface Daemon extends KubeObject {
  readonly spec: { readonly template: { readonly spec: Fields } };
}
const daemon = (name: string, defect: string, change: (pod: Fields) => Fields): Mutant =>
  finds(name, defect, ['P-184'], (reference) =>
    edit<Daemon>(reference, { resource: resources.daemonSets, namespace: NAMESPACE, name: 'kube-proxy' }, (found) => {
      const { template } = found.spec;
      return { ...found, spec: { ...found.spec, template: { ...template, spec: change(template.spec) } } };
    }),
  );

/** Somebody else's slice of a Service. */
function addSlice(
  { api }: Reference,
  namespace: string,
  of: string,
  address: string,
  conditions: Fields = { ready: true },
): void {
  api.create(resources.endpointSlices, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: resources.endpointSlices.kind,
    metadata: { name: `${of}-beside`, namespace, labels: { 'kubernetes.io/service-name': of } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [address], conditions }],
    ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
  });
}

/** A Service that answers at an address beyond the cluster. */
const addService = (
  { api }: Reference,
  name: string,
  externalIPs: readonly string[],
  port: number,
  selector: Fields = { app: name },
  { namespace = 'default', type = 'ClusterIP' }: { readonly namespace?: string; readonly type?: string } = {},
): void =>
  void api.create(resources.services, {
    apiVersion: 'v1',
    kind: resources.services.kind,
    metadata: { name, namespace },
    spec: { type, selector, externalIPs, ports: [{ port, protocol: 'TCP', targetPort: port }] },
  });

/** Leads to what a control plane runs. */
const opens = (component: string, type: string, port: number): Mutant =>
  finds(
    `service-opens-${component}`,
    `a Service leads from beyond the cluster to ${component}`,
    ['P-317'],
    (reference) =>
      addService(reference, 'opened', [], port, { component, tier: 'control-plane' }, { namespace: NAMESPACE, type }),
  );

/** An Ingress to one Service. */
const addIngress = (
  { api }: Reference,
  namespace: string,
  name: string,
  port: number,
  annotations: Readonly<Record<string, string>> = {},
): void =>
  void api.create(resources.ingresses, {
    apiVersion: 'networking.k8s.io/v1',
    kind: resources.ingresses.kind,
    metadata: { name: `to-${name}`, namespace, annotations },
    spec: {
      rules: [
        {
          host: 'api.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: port } } } }] },
        },
      ],
    },
  });

/** A policy of kube-system. */
const addPolicy = ({ api }: Reference, name: string, spec: Fields): void =>
  void api.create(resources.networkPolicies, {
    apiVersion: 'networking.k8s.io/v1',
    kind: resources.networkPolicies.kind,
    metadata: { name, namespace: NAMESPACE },
    spec,
  });
const OF_DNS = { matchLabels: { 'k8s-app': 'kube-dns' } };

const ELSEWHERE = '192.0.2.66';

const TRUST = 'extension-apiserver-authentication';
const believes = (name: string, defect: string, key: string, change: (text: string) => string): Mutant =>
  finds(name, defect, ['P-185'], (reference) => rewrite(reference, TRUST, key, change));
/** Another authority of the cluster, beside its own. */
const withProxies = (reference: Reference): void => {
  const found = reference.api.get(resources.configMaps, NAMESPACE, TRUST) as ConfigMap | undefined;
  const proxies = found?.data?.['requestheader-client-ca-file'] ?? '';
  rewrite(reference, TRUST, 'client-ca-file', (text) => `${text}${proxies}`);
};

export const mutants: readonly Mutant[] = [
  proxied(
    'proxy-takes-services-for-pods',
    'kube-proxy takes addresses of Services for those of Pods',
    (text) => text.replace(/^clusterCIDR: .*$/m, 'clusterCIDR: 10.96.0.0/16'),
    'config.conf',
  ),
  believes(
    'extensions-believe-any-client',
    'API servers beside believe every client of proxies',
    'requestheader-allowed-names',
    () => '[]',
  ),
  believes(
    'extensions-hear-another-header',
    'API servers beside take users from another header',
    'requestheader-username-headers',
    () => '["X-Remote-User","X-Other"]',
  ),
  finds(
    'extensions-take-clients-for-proxies',
    'API servers beside believe of proxies whom they believe of clients',
    ['P-185'],
    (reference) => {
      const found = reference.api.get(resources.configMaps, NAMESPACE, TRUST) as ConfigMap | undefined;
      rewrite(reference, TRUST, 'requestheader-client-ca-file', () => found?.data?.['client-ca-file'] ?? '');
    },
  ),
  finds('extensions-believe-others', 'API servers beside believe another authority', ['P-185'], withProxies),
  dns('dns-without-kubernetes', 'CoreDNS knows no Service', (text) => text.replace(/ {4}kubernetes [^}]*\}\n/, '')),
  dns(
    'dns-with-a-lost-plugin',
    'CoreDNS is told of a plugin that it has no more',
    beginning('proxy . /etc/resolv.conf'),
  ),
  dns('dns-of-another-domain', 'CoreDNS answers for another domain', (text) =>
    text.replace(/kubernetes \S+/, 'kubernetes other.local'),
  ),
  dns(
    'dns-sent-elsewhere',
    'another server of CoreDNS is asked for the names of the cluster',
    (text) => `cluster.local:53 {\n    forward . ${ELSEWHERE}\n}\n${text}`,
  ),
  dns(
    'dns-renames-the-api-server',
    'CoreDNS answers for the API server with another name',
    beginning('rewrite stop name exact kubernetes.default.svc.cluster.local. other.example.com'),
  ),
  dns(
    'dns-knows-another-api-server',
    'CoreDNS answers for the API server from a list',
    beginning(`hosts {\n       ${ELSEWHERE} kubernetes.default.svc.cluster.local\n       fallthrough\n    }`),
  ),
  dns('dns-asks-itself', 'CoreDNS asks itself for names that it does not know', (text) =>
    text.replace('forward . /etc/resolv.conf', 'forward . 10.96.0.10'),
  ),
  dns('dns-asks-another-api-server', 'CoreDNS asks another API server', (text) =>
    text.replace('pods insecure', `pods insecure\n       endpoint https://${ELSEWHERE}:6443`),
  ),
  finds('kubernetes-leads-elsewhere', 'a slice of the Service kubernetes leads elsewhere', ['P-183'], (reference) =>
    addSlice(reference, 'default', 'kubernetes', ELSEWHERE),
  ),
  finds('kubernetes-leads-to-pods', 'the Service kubernetes has a selector', ['P-183'], (reference) =>
    service(reference, 'default', 'kubernetes', { selector: { app: 'other' } }),
  ),
  finds('kube-dns-gone', 'there is no Service kube-dns', ['P-183'], ({ api }) =>
    api.delete(resources.services, NAMESPACE, 'kube-dns'),
  ),
  finds('kube-dns-leads-to-others', 'the Service kube-dns leads to other Pods', ['P-183'], (reference) =>
    service(reference, NAMESPACE, 'kube-dns', { selector: { app: 'other' } }),
  ),
  finds(
    'kube-dns-leads-to-nobody',
    'the Service kube-dns leads to Pods of a chart that is not there',
    ['P-183'],
    (reference) => service(reference, NAMESPACE, 'kube-dns', { selector: { 'k8s-app': 'coredns' } }),
  ),
  finds('kube-dns-leads-elsewhere', 'a slice of somebody else leads from kube-dns', ['P-183'], (reference) =>
    addSlice(reference, NAMESPACE, 'kube-dns', ELSEWHERE),
  ),
  proxied('proxy-of-another-server', 'kube-proxy is told of another API server', (text) =>
    text.replace(/server: .*/, `server: https://${ELSEWHERE}:6443`),
  ),
  proxied('proxy-at-another-port', 'kube-proxy asks the host of the API server at another port', (text) =>
    text.replace(/server: .*/, `server: https://${ADVERTISED}:16443`),
  ),
  proxied('proxy-believes-anybody', 'kube-proxy believes any server', (text) =>
    text.replace(/certificate-authority: .*/, 'insecure-skip-tls-verify: true'),
  ),
  proxied(
    'proxy-in-an-odd-mode',
    'kube-proxy is told a mode that it has not',
    () => 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: iptable\n',
    'config.conf',
  ),
  daemon('proxy-of-another-image', 'machines run something else as kube-proxy', (pod) => ({
    ...pod,
    containers: records(pod.containers).map((one) => ({ ...one, image: 'registry.example.com/tool:v1' })),
  })),
  daemon('proxy-with-the-machine', 'kube-proxy has the whole disk of machines', (pod) => ({
    ...pod,
    volumes: [...records(pod.volumes), { name: 'machine', hostPath: { path: '/' } }],
  })),
  finds('kube-dns-leads-beside', 'the Service kube-dns leads to a port where nobody listens', ['P-183'], (reference) =>
    service(reference, NAMESPACE, 'kube-dns', {
      ports: [
        { name: 'dns', port: 53, protocol: 'UDP', targetPort: 5353 },
        { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
      ],
    }),
  ),
  finds('service-takes-the-dns-over', 'a Service of somebody has the address of kube-dns', ['P-183'], (reference) => {
    const found = reference.api.get(resources.services, NAMESPACE, 'kube-dns');
    addService(reference, 'mitm', [String(record(found?.spec).clusterIP)], 53);
  }),
  finds(
    'service-takes-a-kubelet-over',
    'a Service of somebody has the address of a kubelet',
    ['P-183'],
    (reference) => {
      const status = { addresses: [{ type: 'InternalIP', address: '192.0.2.31' }] };
      reference.api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: resources.nodes.kind,
        metadata: { name: 'rack-1' },
        status,
      } as KubeObject);
      addService(reference, 'mitm', ['192.0.2.31'], 10250);
    },
  ),
  opens('etcd', 'NodePort', 2379),
  opens('kube-controller-manager', 'LoadBalancer', 10_257),
  finds('proxy-without-its-configuration', 'the ConfigMap of kube-proxy is gone', ['P-259'], ({ api }) =>
    api.delete(resources.configMaps, NAMESPACE, 'kube-proxy'),
  ),
  finds('proxy-without-its-account', 'the account of kube-proxy is gone', ['P-259'], ({ api }) =>
    api.delete(resources.serviceAccounts, NAMESPACE, 'kube-proxy'),
  ),
  finds('proxy-gone', 'somebody has deleted kube-proxy, and nothing does its work', ['P-259'], ({ api }) =>
    api.delete(resources.daemonSets, NAMESPACE, 'kube-proxy'),
  ),
  finds('proxy-without-its-rights', 'kube-proxy may watch no Services', ['P-259'], ({ api }) =>
    api.delete(resources.clusterRoleBindings, undefined, 'kubeadm:node-proxier'),
  ),
  finds('dns-without-its-rights', 'CoreDNS may watch no Services', ['P-259'], ({ api }) =>
    api.delete(resources.clusterRoleBindings, undefined, 'system:coredns'),
  ),
  finds('dns-that-ends', 'CoreDNS is gone, and the last of its Pods is ending', ['P-259'], (reference) => {
    reference.api.delete(resources.deployments, NAMESPACE, 'coredns');
    for (const { metadata } of reference.api.list(resources.endpointSlices, NAMESPACE))
      if (metadata.labels?.['kubernetes.io/service-name'] === 'kube-dns')
        reference.api.delete(resources.endpointSlices, NAMESPACE, metadata.name ?? '');
    addSlice(reference, NAMESPACE, 'kube-dns', ELSEWHERE, { ready: false, serving: true, terminating: true });
  }),
  finds('dns-for-no-node', 'CoreDNS wants nodes that there are none of', ['P-259'], (reference) =>
    edit<Daemon>(reference, { resource: resources.deployments, namespace: NAMESPACE, name: 'coredns' }, (found) => {
      const { template } = found.spec;
      const nodeSelector = { disk: 'none' };
      return { ...found, spec: { ...found.spec, template: { ...template, spec: { ...template.spec, nodeSelector } } } };
    }),
  ),
  finds(
    'node-of-another-system',
    'a Node is labelled with a system that its machine does not run',
    ['P-259'],
    ({ api }) =>
      void api.create(resources.nodes, {
        apiVersion: 'v1',
        kind: resources.nodes.kind,
        metadata: { name: 'rack-2', labels: { 'kubernetes.io/os': 'windows' } },
        status: { nodeInfo: { operatingSystem: 'linux' } },
      } as KubeObject),
  ),
  daemon('proxy-of-another-file', 'kube-proxy takes a kubeconfig that no volume brings', (pod) => ({
    ...pod,
    containers: records(pod.containers).map((one) => ({
      ...one,
      command: ['/usr/local/bin/kube-proxy', '--kubeconfig=/tmp/kubeconfig.conf'],
    })),
  })),
  daemon('proxy-led-by-a-flag', 'kube-proxy is led to another API server by --master', (pod) => ({
    ...pod,
    containers: records(pod.containers).map((one) => ({
      ...one,
      command: [...texts(one.command), '--master', 'https://203.0.113.9:6443'],
    })),
  })),
  {
    name: 'another-authority-in-a-namespace',
    defect: 'Pods of a namespace believe somebody else',
    killedBy: ['P-270'],
    gateway: {
      after: ({ method, query }, { status, body }) => {
        if (method !== 'GET' || status !== 200 || query.get('fieldSelector') !== 'metadata.name=kube-root-ca.crt')
          return undefined;
        const items = records(record(body).items).map((one) =>
          record(one.metadata).namespace === 'default' ? { ...one, data: { 'ca.crt': '' } } : one,
        );
        return { status, body: { ...record(body), items } };
      },
    },
  },
  {
    name: 'authority-published-nowhere',
    defect: 'nobody publishes the authority of the cluster to Pods',
    killedBy: ['P-270'],
    gateway: {
      after: ({ method, query }, { status, body }) =>
        method === 'GET' && status === 200 && query.get('fieldSelector') === 'metadata.name=kube-root-ca.crt'
          ? { status, body: { ...record(body), items: [] } }
          : undefined,
    },
  },
  finds('ingress-before-the-api-server', 'an Ingress reads along what machines send', ['P-317'], (reference) =>
    addIngress(reference, 'default', 'kubernetes', 443),
  ),
  finds('ingress-to-etcd', 'an Ingress leads to etcd', ['P-317'], (reference) => {
    addService(reference, 'etcd', [], 2379, { component: 'etcd' }, { namespace: NAMESPACE });
    addIngress(reference, NAMESPACE, 'etcd', 2379);
  }),
  finds('dns-that-nobody-may-ask', 'a policy keeps every Pod from the DNS', ['P-321'], (reference) =>
    addPolicy(reference, 'deny', { podSelector: {}, policyTypes: ['Ingress'] }),
  ),
  finds('dns-that-may-ask-nobody', 'a policy keeps the DNS from the API server', ['P-321'], (reference) =>
    addPolicy(reference, 'deny', { podSelector: OF_DNS, policyTypes: ['Egress'] }),
  ),
  finds(
    'dns-that-asks-for-names-alone',
    'a policy lets the DNS ask other servers of names, and nobody else',
    ['P-321'],
    (reference) =>
      addPolicy(reference, 'names', {
        podSelector: OF_DNS,
        policyTypes: ['Egress'],
        egress: [{ ports: [{ protocol: 'UDP', port: 53 }] }],
      }),
  ),
  {
    name: 'harmless-policies-of-the-network',
    defect: 'kube-system is shut but for names, and TLS passes through to the API server',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      addPolicy(reference, 'deny', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
      const ports = [53].flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ protocol, port })));
      addPolicy(reference, 'dns', {
        podSelector: OF_DNS,
        ingress: [{ ports, from: [{ namespaceSelector: {} }] }],
        egress: [{}],
      });
      addIngress(reference, 'default', 'kubernetes', 443, { 'nginx.ingress.kubernetes.io/ssl-passthrough': 'true' });
    },
  },
  {
    name: 'harmless-services',
    defect: 'Services with addresses beyond the cluster, as operators have them',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      const own = reference.api.get(resources.endpointSlices, 'default', 'kubernetes');
      const [address = ''] = records(record(own).endpoints).flatMap(({ addresses }) => texts(addresses));
      addService(reference, 'ingress', [address, '192.0.2.80'], 443);
      addService(reference, 'api', [address], 6443, { component: 'kube-apiserver' });
      const open = { namespace: NAMESPACE, type: 'NodePort' };
      addService(reference, 'own-api', [], 6443, { component: 'kube-apiserver', tier: 'control-plane' }, open);
      addService(reference, 'metrics', [], 2381, { component: 'etcd' }, { namespace: NAMESPACE });
      addService(reference, 'etcd', [], 2379, { component: 'etcd' }, { type: 'LoadBalancer' });
    },
  },
  {
    name: 'harmless-network',
    defect: 'names, Services and the proxy as operators change them',
    killedBy: [],
    // not as kubeadm has written it
    toldBy: ['ADDON-006', 'KUBECM-004'],
    strict: true,
    arrange: (reference) => {
      rewrite(
        reference,
        'coredns',
        'Corefile',
        (text) =>
          `${beginning('rewrite name suffix .old.example.com .default.svc.cluster.local\n    hosts /etc/coredns/own {\n       192.0.2.9 registry.example.com\n       fallthrough\n    }')(text)}corp.example.com:53 {\n    errors # of theirs\n    forward . 192.0.2.53\n}\n(own) {\n    log\n}\n`,
      );
      rewrite(reference, 'kube-proxy', 'kubeconfig.conf', (text) =>
        text.replace(/server: .*/, 'server: https://127.0.0.1:6443'),
      );
      const own = reference.api.get(resources.endpointSlices, 'default', 'kubernetes') as
        | (KubeObject & { readonly endpoints?: readonly { readonly addresses: readonly string[] }[] })
        | undefined;
      addSlice(reference, 'default', 'kubernetes', own?.endpoints?.[0]?.addresses[0] ?? '');
    },
  },
  {
    name: 'proxy-by-somebody-else',
    defect: 'a network does the work of kube-proxy',
    killedBy: [],
    // not as kubeadm has written it
    toldBy: ['ADDON-001', 'ADDON-004', 'ADDON-005', 'ADDON-006'],
    strict: true,
    arrange: ({ api }) => {
      api.delete(resources.daemonSets, NAMESPACE, 'kube-proxy');
      api.delete(resources.configMaps, NAMESPACE, 'kube-proxy');
    },
  },
];

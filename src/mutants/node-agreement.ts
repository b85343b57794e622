/** Disks of nodes that do not belong to their cluster, and clusters that do not belong to their nodes. */
import type { DiskEdit, MemoryDisk } from '../kubeadm/init/memory-disk.js';
import { record, text } from '../kubernetes/json.js';
import type { ConfigMap, KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import { createAuthority } from '../pki/authority.js';
import { generateKey, privateKeyPem, publicKeyPem } from '../pki/keys.js';
import type { Reference } from '../reference/options.js';
import { edit } from './arrange.js';
import {
  added,
  all,
  authorityOn,
  edited,
  flag,
  issued,
  KUBERNETES,
  type Leaf,
  manifest,
  PKI,
  reissued,
  reissuedIn,
  removed,
  strangersAuthority,
} from './node-disk.js';
import type { Gateway, Mutant } from './types.js';

const SYSTEM = 'kube-system';
const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'] as const;
const CONFIGS = ['admin', 'super-admin', 'controller-manager', 'scheduler', 'kubelet'] as const;
const KUBELET = '/var/lib/kubelet/config.yaml';

/** A disk that is another than its cluster has written down. */
const apart = (name: string, defect: string, killedBy: readonly string[], disk: DiskEdit): Mutant => ({
  name: `agree-${name}`,
  defect,
  killedBy,
  disk,
  beside: true,
});

/** A cluster that is another than the disk says. */
const told = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  arrange: (reference: Reference) => void,
): Mutant => ({ name: `agree-${name}`, defect, killedBy, arrange });

const onMap = (
  name: string,
  change: (data: Readonly<Record<string, string>>) => Readonly<Record<string, string>>,
  namespace = SYSTEM,
) => {
  const place = { resource: resources.configMaps, namespace, name };
  return (reference: Reference): void =>
    edit<ConfigMap>(reference, place, (map) => ({ ...map, data: change(map.data ?? {}) }));
};

const inMap = (name: string, key: string, change: (text: string) => string, namespace = SYSTEM) =>
  onMap(name, (data) => ({ ...data, [key]: change(data[key] ?? '') }), namespace);

const strangers = (commonName?: string): string => strangersAuthority(commonName).certificate.pem;
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const TRUSTED = 'extension-apiserver-authentication';

/** What Pods are told to verify the API server by: a controller would put it right. */
const showsRoot = (change: (text: string) => string): Gateway => ({
  after({ path }, answer) {
    if (!path.endsWith('/configmaps/kube-root-ca.crt') || answer.status !== 200) return undefined;
    const { data, ...map } = record(answer.body);
    return { ...answer, body: { ...map, data: { 'ca.crt': change(text(record(data)['ca.crt'])) } } };
  },
});

const authorities: readonly Mutant[] = [
  apart('folder-of-another-cluster', 'the CA on the disk is that of another cluster', ['P-151'], (disk) => {
    const other = strangersAuthority();
    return all(added('ca.crt', other.certificate.pem, 0o644), added('ca.key', privateKeyPem(other.key)))(disk);
  }),
  told(
    'other-ca-in-cluster-info',
    'cluster-info has another CA than the disk',
    ['P-151'],
    inMap(
      'cluster-info',
      'kubeconfig',
      (text) => text.replace(/(certificate-authority-data: )\S+/, `$1${base64(strangers())}`),
      'kube-public',
    ),
  ),
  {
    name: 'agree-other-ca-for-pods',
    defect: 'kube-root-ca.crt has another CA than the disk, and than cluster-info',
    killedBy: ['P-151', 'INFO-007'],
    gateway: showsRoot(() => strangers()),
  },
  {
    ...apart(
      'crossed-bundles',
      'disk and cluster have a CA in common, and each another one besides',
      ['P-151'],
      edited('ca.crt', (text) => text + strangers()),
    ),
    gateway: showsRoot((text) => text + strangers()),
  },
  apart('ca-under-another-name', 'ca.crt was made anew with its key, under another name', ['P-151'], (disk) => {
    const { key } = authorityOn(disk, 'ca');
    const { certificate } = createAuthority({ commonName: 'other', key, now: Date.now() });
    return added('ca.crt', certificate.pem, 0o644)(disk);
  }),
  apart(
    'another-serving-certificate',
    'apiserver.crt is not what the API server presents',
    ['P-152'],
    reissued('apiserver', 'ca', { commonName: 'kube-apiserver', usages: ['serverAuth'] }),
  ),
  apart('another-key-of-tokens', 'sa.key and sa.pub are those of another cluster', ['P-153'], (disk) => {
    const key = generateKey('ECDSA-P256');
    return all(added('sa.key', privateKeyPem(key)), added('sa.pub', publicKeyPem(key)))(disk);
  }),
  apart(
    'clients-of-one-more',
    'ca.crt has an authority that no API server has read',
    ['P-154'],
    edited('ca.crt', (text) => text + strangers()),
  ),
  apart('another-front-proxy', 'front-proxy-ca.crt is that of another cluster', ['P-154'], (disk) => {
    const other = strangersAuthority('front-proxy-ca');
    return all(
      added('front-proxy-ca.crt', other.certificate.pem, 0o644),
      added('front-proxy-ca.key', privateKeyPem(other.key)),
    )(disk);
  }),
  told(
    'another-front-proxy-written-down',
    'extension API servers are told of another front proxy',
    ['P-154'],
    inMap(TRUSTED, 'requestheader-client-ca-file', () => strangers('front-proxy-ca')),
  ),
];

const kubeconfigs: readonly Mutant[] = CONFIGS.flatMap((name) => [
  apart(
    `${name}-of-a-stranger`,
    `the certificate in ${name}.conf is of an authority that the cluster does not know`,
    ['P-155'],
    reissuedIn(name, 'a stranger', { commonName: 'somebody' }),
  ),
  apart(
    `${name}-asks-elsewhere`,
    `${name}.conf asks a server that is none of the cluster`,
    ['P-156'],
    edited(`${KUBERNETES}/${name}.conf`, (text) => text.replace(/server: .*/, 'server: https://192.0.2.99:6443')),
  ),
  apart(
    `${name}-asks-another-port`,
    `${name}.conf asks the machine at a port where nobody listens`,
    ['P-156'],
    edited(`${KUBERNETES}/${name}.conf`, (text) => text.replace(/server: .*/, 'server: https://192.0.2.10:1')),
  ),
]);

const inManifest = (component: string, change: (text: string) => string): DiskEdit =>
  edited(manifest(component), change);

/** What a manifest says otherwise than the Pod that runs. */
const CHANGES: Readonly<Record<string, (component: string) => DiskEdit>> = {
  flag: (component) => flag(component, component === 'etcd' ? 'snapshot-count' : 'v', '7'),
  image: (component) => inManifest(component, (text) => text.replace(/(image: \S+:)\S+/, '$1v1.36.0-other')),
  program: (component) => inManifest(component, (text) => text.replace(/- (kube-\S+|etcd)\n/, '- /opt/bin/$1\n')),
  volume: (component) => inManifest(component, (text) => text.replace(/(hostPath:\n +path: )(\S+)/, '$1$2.other')),
  right: (component) =>
    inManifest(component, (text) => text.replace('  hostNetwork: true\n', '  hostNetwork: true\n  hostPID: true\n')),
  variable: (component) =>
    inManifest(component, (text) =>
      text.replace('    image: ', '    env:\n    - name: HTTPS_PROXY\n      value: http://192.0.2.9:3128\n    image: '),
    ),
};

const gone =
  (resource: Resource, name: string, namespace?: string) =>
  (reference: Reference): void => {
    reference.api.delete(resource, namespace, name);
  };

/** The Pod that stands for one, and what its metadata say. */
function staticPod(reference: Reference, component: string) {
  const pod = reference.api.get(resources.pods, SYSTEM, `${component}-cp-1`);
  if (pod === undefined) throw new Error('the reference shows no static Pod');
  return { pod, ...pod.metadata };
}

const staticPods: readonly Mutant[] = [
  ...COMPONENTS.flatMap((component) => [
    ...Object.entries(CHANGES).map(([part, change]) =>
      apart(
        `${component}-has-another-${part}`,
        `the manifest of ${component} has another ${part} than its Pod`,
        ['P-157'],
        change(component),
      ),
    ),
    told(
      `${component}-is-no-static-pod`,
      `what runs as ${component} is no Pod of the kubelet`,
      ['P-157'],
      (reference) => {
        const { pod, labels } = staticPod(reference, component);
        const name = pod.metadata.name ?? '';
        reference.api.delete(resources.pods, SYSTEM, name, { gracePeriodSeconds: 0 });
        reference.api.create(resources.pods, { ...pod, metadata: { name, namespace: SYSTEM, labels } } as KubeObject);
      },
    ),
    apart(
      `${component}-without-a-manifest`,
      `${component} runs, and no manifest says it`,
      ['P-157'],
      removed(manifest(component)),
    ),
  ]),
  told('hidden-static-pod', 'a static Pod runs that no manifest says', ['P-157'], (reference) => {
    const { pod, annotations, labels, ownerReferences } = staticPod(reference, 'kube-scheduler');
    const metadata = { name: 'keeper-cp-1', namespace: SYSTEM, annotations, labels, ownerReferences };
    reference.api.create(resources.pods, { ...pod, metadata } as KubeObject);
  }),
];

const onNode =
  (change: (node: KubeObject) => KubeObject) =>
  (reference: Reference): void =>
    edit(reference, { resource: resources.nodes, name: 'cp-1' }, change);

const nodes: readonly Mutant[] = [
  told('no-such-node', 'the machine is no Node of the cluster', ['P-158'], gone(resources.nodes, 'cp-1')),
  told(
    'node-not-marked',
    'the Node is not marked as a control plane',
    ['P-158'],
    onNode((node) => ({ ...node, metadata: { ...node.metadata, labels: {} } })),
  ),
  apart(
    'another-node-address',
    'the kubelet is told of an address that its Node has not',
    ['P-158'],
    added('/etc/default/kubelet', 'KUBELET_EXTRA_ARGS="--node-ip=192.0.2.77"\n', 0o644),
  ),
  apart(
    'another-second-address',
    'the kubelet is told of two addresses, the second of which its Node has not',
    ['P-158'],
    added('/etc/default/kubelet', 'KUBELET_EXTRA_ARGS="--node-ip=192.0.2.10,fd00::77"\n', 0o644),
  ),
  told(
    'another-socket',
    'the Node names another socket of its runtime than the disk',
    ['P-158'],
    onNode((node) => ({
      ...node,
      metadata: {
        ...node.metadata,
        annotations: {
          ...node.metadata.annotations,
          'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/crio.sock',
        },
      },
    })),
  ),
];

/** kubeadm-config says something else. */
const written = (name: string, defect: string, from: RegExp, to: string): Mutant =>
  told(
    `written-${name}`,
    `kubeadm-config says ${defect}`,
    ['P-159'],
    inMap('kubeadm-config', 'ClusterConfiguration', (text) => text.replace(from, to)),
  );

const inAnotherDomain = edited(KUBELET, (text) => text.replace(/clusterDomain: .*/, 'clusterDomain: other.local'));

const configuration: readonly Mutant[] = [
  written('release', 'that the cluster is older', /kubernetesVersion: .*/, 'kubernetesVersion: v1.35.0'),
  written(
    'next-release',
    'that the only control plane is newer',
    /kubernetesVersion: .*/,
    'kubernetesVersion: v1.37.0',
  ),
  written('services', 'another subnet of services', /serviceSubnet: .*/, 'serviceSubnet: 10.97.0.0/16'),
  written('pods', 'another subnet of Pods', /podSubnet: .*/, 'podSubnet: 10.0.0.0/8'),
  written('data', 'another folder of etcd', /dataDir: .*/, 'dataDir: /srv/etcd'),
  written('keys', 'another folder of certificates', /certificatesDir: .*/, 'certificatesDir: /etc/kubernetes/ssl'),
  written(
    'etcd',
    'that etcd is elsewhere',
    /local:\n +dataDir: .*/,
    'external:\n    endpoints:\n    - https://192.0.2.50:2379',
  ),
  apart(
    'other-services',
    'the controller manager gives services addresses of another subnet than kubeadm-config says',
    ['P-159'],
    flag('kube-controller-manager', 'service-cluster-ip-range', '10.97.0.0/16'),
  ),
  {
    ...apart(
      'another-etcd',
      'the API server asks another etcd than kubeadm-config says, on other machines',
      ['P-159'],
      (disk) => {
        disk.files.delete(manifest('etcd'));
        return flag('kube-apiserver', 'etcd-servers', 'https://192.0.2.51:2379')(disk);
      },
    ),
    arrange: inMap('kubeadm-config', 'ClusterConfiguration', (text) =>
      text.replace(/local:\n +dataDir: .*/, 'external:\n    endpoints:\n    - https://192.0.2.50:2379'),
    ),
  },
  apart('another-domain', 'the kubelet looks names up in another domain', ['P-160'], inAnotherDomain),
  {
    ...apart(
      'another-domain-without-dns',
      'the kubelet looks names up in another domain, and nothing answers in the cluster',
      ['P-160'],
      inAnotherDomain,
    ),
    arrange: gone(resources.services, 'kube-dns', SYSTEM),
  },
  apart(
    'another-dns',
    'the kubelet asks a Service that is not that of DNS',
    ['P-160'],
    edited(KUBELET, (text) => text.replace('10.96.0.10', '10.96.0.53')),
  ),
];

/** Everything but what a worker has. */
function asWorker(disk: MemoryDisk): void {
  const kept = [`${KUBERNETES}/kubelet.conf`, `${PKI}/ca.crt`];
  for (const path of [...disk.files.keys()])
    if (path.startsWith(KUBERNETES) && !kept.includes(path)) disk.files.delete(path);
}
const NODE: Leaf = { commonName: 'system:node:worker-1', organizations: ['system:nodes'] };

/** Flags in another order. */
const reordered = (text: string): string =>
  text.replace(/(?: {4}- --.*\n)+/, (lines) => `${lines.trimEnd().split('\n').reverse().join('\n')}\n`);

/** The worker's Node, as a kubelet without a proxy before it asks. */
const worker: DiskEdit = async (disk) => {
  await reissuedIn('kubelet', 'ca', NODE)(disk);
  asWorker(disk);
};

/** A CA that is replaced: its successor is believed already. */
const NEXT = issued(strangersAuthority(), { commonName: 'kubernetes', isAuthority: true }).certificate;

const harmless: readonly Mutant[] = [
  { ...apart('worker', 'the disk is that of a worker', [], worker), name: 'harmless-agree-worker' },
  {
    ...apart(
      'order',
      'flags stand in another order in manifests than in Pods',
      [],
      all(...COMPONENTS.map((component) => inManifest(component, reordered))),
    ),
    name: 'harmless-agree-order',
  },
  {
    ...apart(
      'renewed',
      'client certificates were renewed',
      [],
      all(
        reissuedIn('scheduler', 'ca', { commonName: 'system:kube-scheduler' }),
        reissued('front-proxy-client', 'front-proxy-ca', { commonName: 'front-proxy-client' }),
      ),
    ),
    name: 'harmless-agree-renewed',
  },
  {
    ...apart(
      'next-ca',
      'the successor of the CA is believed already',
      [],
      edited('ca.crt', (text) => text + NEXT),
    ),
    name: 'harmless-agree-next-ca',
    arrange: (reference) => {
      inMap(TRUSTED, 'client-ca-file', (text) => text + NEXT)(reference);
    },
  },
  {
    ...told('flags', 'the user has told the API server of another subnet of services than kubeadm', [], () => {}),
    name: 'harmless-agree-own-flags',
    options: { extraArgs: { 'kube-apiserver': { 'event-ttl': '2h0m0s' } } },
  },
];

export const mutants: readonly Mutant[] = [
  ...authorities,
  ...kubeconfigs,
  ...staticPods,
  ...nodes,
  ...configuration,
  ...harmless,
];

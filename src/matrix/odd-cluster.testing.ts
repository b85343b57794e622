/**
 * The reference and the disk of its control plane, where whatever is usually alike differs: names and what is derived
 * from them, first ones and the one that counts, small letters and capitals. Steps that take one for the other, or
 * look at the first alone, hand their checks something else there.
 */

import { type Fields, isRecord, record, records, text } from '../kubernetes/json.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { dumpOf } from '../targets/dump.js';
import type { ReferenceTargetOptions } from '../targets/reference.js';
import type { Target } from '../targets/types.js';
import { textsOf } from './elsewhere.js';

type Disk = Parameters<NonNullable<ReferenceTargetOptions['disk']>>[0];

/** Of each map of labels and annotations the first and the last are of somebody else. */
const around = (map: unknown): Fields => ({
  'example.com/first': 'first',
  ...record(map),
  'zz.example.com/last': 'last',
});

function withMetadata(object: Fields, change: (metadata: Fields) => Fields): Fields {
  const metadata = record(object.metadata);
  return { ...object, metadata: { ...metadata, ...change(metadata) } };
}

const named = (object: Fields, name: string): Fields => withMetadata(object, () => ({ name }));
const withSpec = (object: Fields, more: Fields): Fields => ({ ...object, spec: { ...record(object.spec), ...more } });

/** One that is on no machine yet, those that are there under names of somebody else's, and one on another machine. */
function pods(items: readonly Fields[]): readonly Fields[] {
  return items.flatMap((pod) => {
    const { name, namespace, labels } = record(pod.metadata);
    if (namespace !== KUBE_SYSTEM || record(labels).component === undefined) return [pod];
    const waiting = withSpec(named(pod, `a-${text(name)}`), { nodeName: undefined });
    return [
      waiting,
      named(pod, `${text(name)}-of-old`),
      withSpec(named(pod, `z-${text(name)}`), { nodeName: 'other' }),
    ];
  });
}

/** Machines are called otherwise than their hosts; one more than there are. */
const nodes = (items: readonly Fields[]): readonly Fields[] =>
  items
    .flatMap((node) => [node, named(node, 'other')])
    .map((node) =>
      withMetadata(node, ({ labels }) => ({ labels: { ...record(labels), 'kubernetes.io/hostname': 'host' } })),
    );

/** Two addresses, of both families. */
const services = (items: readonly Fields[]): readonly Fields[] =>
  items.map((service) => {
    const { clusterIP } = record(service.spec);
    return clusterIP === undefined ? service : withSpec(service, { clusterIPs: [clusterIP, 'fd00::7'] });
  });

const leases = (items: readonly Fields[]): readonly Fields[] =>
  items.flatMap((lease) =>
    record(lease.metadata).namespace === 'kube-node-lease'
      ? [lease, named(lease, 'other'), named(lease, 'host')]
      : [lease],
  );

/**
 * What kubeadm keeps there stands between two keys of others, and its endpoint in capitals; proxies ask the second
 * address.
 */
const configMaps = (items: readonly Fields[]): readonly Fields[] =>
  items.map((map) => {
    const { name, namespace } = record(map.metadata);
    if (namespace !== KUBE_SYSTEM) return map;
    if (name === 'kube-proxy') {
      const kubeconfig = text(record(map.data)['kubeconfig.conf']);
      const elsewhere = kubeconfig.replace(/server: .*/, 'server: https://[fd00::7]:443');
      return { ...map, data: { ...record(map.data), 'kubeconfig.conf': elsewhere } };
    }
    if (name !== 'kubeadm-config') return map;
    const { ClusterConfiguration: held } = record(map.data);
    const without = text(held).replace(/^controlPlaneEndpoint:.*\n/m, '');
    const notes = '-----BEGIN EC PRIVATE KEY-----\nAA==\n-----END EC PRIVATE KEY-----\n';
    const ClusterConfiguration = `${without}controlPlaneEndpoint: Cluster.EXAMPLE.com\n`;
    return { ...map, data: { 'a-note': 'a', ClusterConfiguration, notes } };
  });

const CHANGES: Readonly<Record<string, (items: readonly Fields[]) => readonly Fields[]>> = {
  Pod: pods,
  Node: nodes,
  Service: services,
  Lease: leases,
  ConfigMap: configMaps,
};

function oddly(kind: string, list: string, within?: string): string {
  const held: unknown = JSON.parse(list);
  if (!isRecord(held)) return list;
  const items = (CHANGES[kind] ?? ((all) => all))(records(held.items))
    .filter(
      ({ metadata }) => [undefined, record(metadata).namespace].includes(within) || !('namespace' in record(metadata)),
    )
    .map((object) => withMetadata(object, ({ annotations }) => ({ annotations: around(annotations) })));
  return JSON.stringify({ ...held, items });
}

/**
 * Its objects as a dump has them, and its disk and what it presents; as kubeadm has just set it up. `within`: of this
 * namespace alone, as "kubectl get -n" lists them, and those that have none.
 */
export async function oddCluster(reference: Target, within?: string): Promise<Target> {
  const texts = await textsOf(reference);
  const dump = await dumpOf(
    texts.map(({ name, text: list }) => ({ name, text: oddly(name, list, within) })),
    'the odd reference',
  );
  const { files, tls } = reference.abilities;
  const { server, holds } = reference.facts;
  return {
    ...dump,
    facts: { ...dump.facts, server, holds: new Set([...dump.facts.holds, ...holds]) },
    abilities: { ...dump.abilities, ...(files && { files }), ...(tls && { tls }) },
  };
}

const OF_ANOTHER = 1000;

const AUTHORIZATION = '/etc/kubernetes/authorization.yaml';
const API_SERVER = '/etc/kubernetes/manifests/kube-apiserver.yaml';

/**
 * Files that others own, of all that rules ask that of and beside it; an API server that files configure which name
 * files; what a machine has asked for its certificate by lies there still, and asks another server.
 */
export function oddDisk(disk: Disk): void {
  const put = (path: string, content: string): void => disk.write(path, content, 0o644);
  for (const path of [
    ...[
      '/opt/bin/runc',
      '/opt/sbin/helper',
      '/opt/cni/bin/bridge',
      '/usr/bin/runc',
      '/usr/local/bin/crictl',
      '/opt/other',
    ],
    ...['/etc/cni/net.d/10-a.conf', '/etc/containerd/conf.d/a.toml', '/etc/kubernetes/a.yaml', '/etc/kubernetes/notes'],
  ]) {
    put(path, 'x');
    disk.owners.set(path, OF_ANOTHER);
  }
  disk.owners.set('/etc/kubernetes/pki/etcd', OF_ANOTHER);
  const manifest = disk.read(API_SERVER) ?? '';
  put(API_SERVER, manifest.replace(/--authorization-mode=.*/, `--authorization-config=${AUTHORIZATION}`));
  const webhook = { connectionInfo: { type: 'KubeConfigFile', kubeConfigFile: '/etc/kubernetes/webhook.yaml' } };
  const authorizers = [
    { type: 'Node', name: 'node' },
    { type: 'RBAC', name: 'rbac' },
    { type: 'Webhook', name: 'hook.example.com', webhook },
  ];
  const apiVersion = 'apiserver.config.k8s.io/v1';
  put(AUTHORIZATION, JSON.stringify({ apiVersion, kind: 'AuthorizationConfiguration', authorizers }));
  const clusters = [{ name: 'hook', cluster: { server: 'https://hook.example.com' } }];
  const context = { name: 'hook', context: { cluster: 'hook', user: 'hook' } };
  const users = [{ name: 'hook', user: {} }];
  const rest = { clusters, users, contexts: [context], 'current-context': 'hook' };
  put('/etc/kubernetes/webhook.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...rest }));
  const admin = disk.read('/etc/kubernetes/admin.conf') ?? '';
  put('/etc/kubernetes/bootstrap-kubelet.conf', admin.replace(/https:[^"\s]*/, 'https://bootstrap.example.com:6443'));
}

const PKI = '/etc/kubernetes/pki';
const ELSEWHERE = '/srv/kubernetes/pki';

/** The same, and all certificates lie elsewhere, as by certificatesDir of kubeadm; folders of them are of others. */
export function oddPlaces(disk: Disk): void {
  oddDisk(disk);
  const moved = (path: string): string =>
    path === PKI || path.startsWith(`${PKI}/`) ? path.replace(PKI, ELSEWHERE) : path;
  for (const [path, file] of [...disk.files]) {
    disk.files.delete(path);
    disk.files.set(moved(path), { ...file, text: file.text.replaceAll(PKI, ELSEWHERE) });
  }
  for (const [path, bits] of [...disk.folders]) {
    disk.folders.delete(path);
    disk.folders.set(moved(path), bits);
  }
  for (const path of [ELSEWHERE, `${ELSEWHERE}/etcd`, `${ELSEWHERE}/ca.crt`, '/etc/kubernetes'])
    disk.owners.set(path, OF_ANOTHER);
}

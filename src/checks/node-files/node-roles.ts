/** What a node is, as its disk shows it: found out, never asked. */
import { record, records, text } from '../../kubernetes/json.js';
import { withoutEnd } from '../written/flag-values.js';
import { CONTAINERD, RUNTIME_SOCKET } from './container-runtime.js';
import { EXTRA_ARGS, UNIT_FOLDERS } from './kubelet-service.js';
import { startedBy } from './kubelet-started.js';
import { MACHINE_FILES } from './machine-files.js';
import type { Disk, Held, KubeconfigSeen, ManifestSeen } from './node-seen.js';

export const KUBERNETES = '/etc/kubernetes';
export const KUBELET = '/var/lib/kubelet';
/** Of etcd only whose it is and who may read it. */
export const ofEtcd = (folder: string): readonly string[] =>
  ['', 'member/', 'member/snap/', 'member/snap/db/', 'member/wal/', 'member/wal/*.wal/'].map(
    (part) => `${folder}/${part}`,
  );
/** What an etcd leaves on its machine that the service manager runs. */
export const OTHER_ETCD: readonly string[] = [
  ...UNIT_FOLDERS.map((folder) => `${folder}/etcd.service`),
  '/etc/etcd',
  '/etc/etcd.env',
  '/etc/default/etcd',
];
/** What root, the kubelet and its runtime run: of programs only whose they are, and who may change them. */
const PROGRAMS: readonly string[] = [
  '/usr/bin|sbin/kubelet|kubeadm|kubectl|containerd|crio|runc|crictl|cri-dockerd|dockerd/',
  '/usr/local/bin|sbin/kubelet|kubeadm|kubectl|containerd|crio|runc|crictl|cri-dockerd|dockerd/',
  '/opt/bin/kubelet|kubeadm|kubectl|containerd|runc|crictl/',
  '/opt/cni/bin/',
  '/opt/cni/bin/*/',
  '/etc/containerd/',
  CONTAINERD,
  '/etc/containerd/*/*.toml',
  `${RUNTIME_SOCKET}/`,
];
/** What asks the API servers for a machine on its loopback, where no static Pod does. */
export const LOCAL_PROXIES: readonly string[] = [
  '/etc/haproxy/',
  '/etc/nginx/',
  '/etc/envoy/',
  '/etc/traefik/',
  '/etc/keepalived/',
  '/usr/sbin|bin/haproxy|nginx|envoy|traefik|kube-vip|gobetween|caddy|stunnel4/',
  '/usr/lib/systemd/system/haproxy.service|nginx.service|envoy.service/',
];
/** What is looked at. */
export const LOOKED_AT: readonly string[] = [
  KUBERNETES,
  `${KUBELET}/`,
  ...['device-plugins', 'plugins_registry', 'plugins', 'pods'].map((folder) => `${KUBELET}/${folder}/`),
  `${KUBELET}/config.yaml`,
  `${KUBELET}/instance-config.yaml`,
  `${KUBELET}/kubeadm-flags.env`,
  `${KUBELET}/pki`,
  ...UNIT_FOLDERS.flatMap((folder) =>
    ['kubelet', 'containerd'].flatMap((name) => [`${folder}/${name}.service`, `${folder}/${name}.service.d`]),
  ),
  ...EXTRA_ARGS,
  '/etc/systemd/system/multi-user.target.wants/',
  '/etc/systemd/system/*.wants/kubelet.service|containerd.service/',
  ...LOCAL_PROXIES,
  '/etc/crio/',
  '/etc/cni/net.d/',
  '/etc/cni/net.d/*',
  ...MACHINE_FILES,
  ...PROGRAMS,
  ...OTHER_ETCD.map((path) => `${path}/`),
  ...ofEtcd('/var/lib/etcd'),
];
/** What other distributions leave. */
export const OTHERS: Readonly<Record<string, string>> = {
  '/etc/rancher/k3s': 'k3s',
  '/etc/rancher/rke2': 'RKE2',
  '/var/lib/rancher': 'Rancher',
  '/var/lib/k0s': 'k0s',
  '/var/snap/microk8s': 'MicroK8s',
  '/etc/kubernetes/static-pod-resources': 'OpenShift',
  '/system/state': 'Talos',
};

export const COMPONENTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'] as const;
export type Component = (typeof COMPONENTS)[number];
export const manifestPath = (component: Component): string => `${KUBERNETES}/manifests/${component}.yaml`;

/** What is known of a node besides its files. */
export interface NodeFacts {
  readonly disk: Disk;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly role: 'control plane' | 'worker' | 'none';
  /** Why it is nothing that can be judged; '' where it can. */
  readonly why: string;
  readonly etcd: 'own' | 'elsewhere';
  readonly authority: 'here' | 'elsewhere';
  /** Folder of certificates. */
  readonly pki: string;
  /** '' where nothing shows it. */
  readonly name: string;
  /** Minor of its API server; null where no manifest shows it. */
  readonly minor: number | null;
  /** Users whom its files may belong to; null where the disk does not tell them apart. */
  readonly owners: readonly number[] | null;
}

export const heldAt = (disk: Disk, path: string): Held | undefined => disk[path]?.held;
export function manifestOf(disk: Disk, component: Component): ManifestSeen | undefined {
  const held = heldAt(disk, manifestPath(component));
  return held?.kind === 'manifest' ? held : undefined;
}
export function kubeconfigOf(disk: Disk, name: string): KubeconfigSeen | undefined {
  const held = heldAt(disk, `${KUBERNETES}/${name}.conf`);
  return held?.kind === 'kubeconfig' ? held : undefined;
}
/** '' where the component has no such flag. */
export const flagOf = (disk: Disk, component: Component, flag: string): string =>
  manifestOf(disk, component)?.flags[flag] ?? '';

/** Flags that name files of the folder of certificates; kubeadm's own come first. */
const IN_PKI: readonly (readonly [Component, string])[] = [
  ['kube-apiserver', 'client-ca-file'],
  ['kube-apiserver', 'tls-cert-file'],
  ['kube-apiserver', 'tls-private-key-file'],
  ['kube-apiserver', 'kubelet-client-certificate'],
  ['kube-apiserver', 'proxy-client-cert-file'],
  ['kube-apiserver', 'service-account-key-file'],
  ['kube-controller-manager', 'root-ca-file'],
  ['kube-controller-manager', 'service-account-private-key-file'],
];

/** Digests of the certificates there; '' where there is none. */
const certificatesAt = (disk: Disk, path: string): string => {
  const held = heldAt(disk, path);
  return held?.kind === 'certificates' ? held.certificates.map(({ digest }) => digest).join() : '';
};

/**
 * Where a worker was told to put the CA of its cluster, if it is the only one: its kubelet lets clients of it in.
 * Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go, JoinConfiguration.caCertPath.
 */
function joinedFolder(disk: Disk): string | undefined {
  const config = heldAt(disk, `${KUBELET}/config.yaml`);
  const { x509 } = record(config?.kind === 'settings' ? config.settings.authentication : {});
  const path = text(record(x509).clientCAFile);
  const [, folder] = /^(\/.+)\/ca\.crt$/.exec(path) ?? [];
  const there = certificatesAt(disk, path);
  const usual = certificatesAt(disk, `${KUBERNETES}/pki/ca.crt`);
  return there !== '' && ['', there].includes(usual) ? folder : undefined;
}

/** The folder that most flags name, or where a worker has its CA; kubeadm's default where nothing says it. */
function pkiFolder(disk: Disk): string {
  const counts = new Map<string, number>();
  for (const [component, flag] of IN_PKI) {
    const [, folder] = /^(\/.+)\/[^/]+$/.exec(flagOf(disk, component, flag)) ?? [];
    if (folder !== undefined) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? joinedFolder(disk) ?? `${KUBERNETES}/pki`;
}

/** What only a control plane has. */
const OF_CONTROL_PLANES = (pki: string): readonly string[] => [
  ...['apiserver.crt', 'apiserver.key', 'ca.key', 'sa.key', 'sa.pub', 'front-proxy-ca.crt'].map(
    (file) => `${pki}/${file}`,
  ),
  ...['admin', 'controller-manager', 'scheduler'].map((name) => `${KUBERNETES}/${name}.conf`),
];

function roleOf(disk: Disk, pki: string): NodeFacts['role'] {
  const isThere = (path: string): boolean => disk[path] !== undefined;
  const manifests = COMPONENTS.filter((component) => component !== 'etcd' && isThere(manifestPath(component)));
  const files = OF_CONTROL_PLANES(pki).filter(isThere);
  if (manifests.length > 0 || files.length > 2) return 'control plane';
  const ofNodes = [`${KUBERNETES}/kubelet.conf`, `${KUBERNETES}/bootstrap-kubelet.conf`, `${KUBELET}/config.yaml`];
  return ofNodes.some(isThere) ? 'worker' : 'none';
}

/** kubeadm was here: no other distribution leaves these. */
const isKubeadms = (disk: Disk): boolean =>
  disk[`${KUBELET}/kubeadm-flags.env`] !== undefined ||
  COMPONENTS.some((component) => {
    const annotations = record(record(manifestOf(disk, component)?.pod.metadata).annotations);
    return Object.keys(annotations).some((key) => key.startsWith('kubeadm.kubernetes.io/'));
  });

function nameOf(disk: Disk): string {
  const overridden = startedBy(disk).flags['hostname-override'];
  const fromEtcd = flagOf(disk, 'etcd', 'name');
  const own = kubeconfigOf(disk, 'kubelet')?.user.certificate?.facts.commonName ?? '';
  return overridden ?? (fromEtcd === '' ? own.replace(/^system:node:/, '') : fromEtcd);
}

/** Of its API server; null where no image says it. */
export function minorOf(disk: Disk): number | null {
  const spec = record(manifestOf(disk, 'kube-apiserver')?.pod.spec);
  const [container] = Array.isArray(spec.containers) ? spec.containers : [];
  const tag = /:v1\.(\d+)\.\d+/.exec(text(record(container).image))?.[1];
  return tag === undefined ? null : Number(tag);
}

const ROOT = 0;

/** root, and those that static Pods run as, where root is not the one. */
function ownersOf(disk: Disk): NodeFacts['owners'] {
  if (!Object.values(disk).some(({ owner }) => owner === ROOT)) return null;
  const users = COMPONENTS.flatMap((component) => {
    const spec = record(manifestOf(disk, component)?.pod.spec);
    const contexts = [spec, ...records(spec.containers)].map(({ securityContext }) => record(securityContext));
    return contexts.flatMap(({ runAsUser }) => (typeof runAsUser === 'number' ? [runAsUser] : []));
  });
  return [ROOT, ...new Set(users)];
}

/**
 * Whoever runs etcd on the machine did not do it by kubeadm: the API server knows it by files that are not kubeadm's,
 * and kubeadm's own are not there.
 */
function isEtcdOfOthers(disk: Disk): boolean {
  const folder = `${pkiFolder(disk)}/etcd/`;
  const authority = flagOf(disk, 'kube-apiserver', 'etcd-cafile');
  return (
    authority !== '' && !authority.startsWith(folder) && !Object.keys(disk).some((path) => path.startsWith(folder))
  );
}

/** No server that the API server asks is one of the machine: none on loopback, none at its address; or others run it. */
function asksEtcdElsewhere(disk: Disk): boolean {
  if (isEtcdOfOthers(disk)) return true;
  const servers = flagOf(disk, 'kube-apiserver', 'etcd-servers');
  const address = flagOf(disk, 'kube-apiserver', 'advertise-address');
  const told = flagOf(disk, 'etcd', 'advertise-client-urls').split(',');
  const isOwn = (url: string): boolean =>
    /\/\/(?:127\.|localhost|\[::1\])/.test(url) ||
    told.includes(url) ||
    (address !== '' && url.replace(/[[\]]/g, '').includes(`//${address}:`));
  return servers !== '' && !servers.split(',').some(isOwn);
}

/** etcd is elsewhere where the API server is told so, and kubeadm runs none here. */
const etcdOf = (disk: Disk): NodeFacts['etcd'] =>
  disk[manifestPath('etcd')] !== undefined || !asksEtcdElsewhere(disk) ? 'own' : 'elsewhere';

const NO_NODE =
  'nothing that kubeadm leaves on a node lies there: no manifest of a control plane, no kubelet.conf, no ' +
  'configuration of a kubelet';

/** Files that tell what a kubelet is. */
const OF_KUBELETS = [
  `${KUBERNETES}/kubelet.conf`,
  `${KUBERNETES}/bootstrap-kubelet.conf`,
  `${KUBELET}/config.yaml`,
  `${KUBELET}/kubeadm-flags.env`,
];
const CONTROL = COMPONENTS.filter((component) => component !== 'etcd').map(manifestPath);

/** A manifest that was cut off before the image of its container, which stands last of what is asked for, says nothing. */
function saysSomething(path: string, held: Held | undefined): boolean {
  if (held === undefined || held.kind === 'unreadable' || held.kind === 'folder') return false;
  if (!CONTROL.includes(path)) return true;
  return held.kind === 'manifest' && records(record(held.pod.spec).containers).some(({ image }) => text(image) !== '');
}

/** What of the certificates there has ended all the same; '' where none has. */
function endedIn(disk: Disk, now: number): string {
  const ended = Object.values(disk).flatMap(({ path, held }) => {
    const at = held.kind === 'certificates' ? held.certificates[0]?.facts.notAfter : undefined;
    return at !== undefined && at < now ? [`${path} on ${new Date(at).toISOString().slice(0, 10)}`] : [];
  });
  return ended.length === 0 ? '' : ` Of the certificates there these have ended: ${ended.slice(0, 5).join(', ')}.`;
}

/**
 * Why a node cannot be told from its files: neither a manifest of a control plane nor a file of a kubelet says
 * anything, so that whatever else lies there is of nobody knows what. '' where one does.
 */
function partial(disk: Disk, now: number): string {
  const telling = [...CONTROL, ...OF_KUBELETS];
  if (telling.some((path) => saysSomething(path, heldAt(disk, path)))) return '';
  const there = telling.filter((path) => disk[path] !== undefined);
  const [path = ''] = there;
  const first = heldAt(disk, path);
  const why = first?.kind === 'unreadable' ? first.why : 'it is cut off, or no manifest';
  const more = there.length > 1 ? `, and ${there.length - 1} more say nothing either` : '';
  const seen = path === '' ? 'no such file lies there' : `${path}: ${why}${more}`;
  return (
    'a part of a node cannot be judged: no manifest of a control plane and no file of its kubelet can be read ' +
    `(${seen}). Give the whole of ${KUBERNETES} and ${KUBELET}.${endedIn(disk, now)}`
  );
}

/** Its controller manager has the key of no authority. Source: cmd/kube-controller-manager/app/certificates.go. */
function signsNothing(disk: Disk): boolean {
  const flags = manifestOf(disk, 'kube-controller-manager')?.flags;
  return (
    flags !== undefined &&
    Object.entries(flags).every(([name, value]) => value === '' || !/^cluster-signing-(?:.*-)?key-file$/.test(name))
  );
}

/** `others`: of the places of other distributions those that are there. */
export function factsOf(disk: Disk, now: number, others: readonly string[]): NodeFacts {
  const pki = pkiFolder(disk);
  const role = roleOf(disk, pki);
  const [other] = others;
  const isForeign = other !== undefined && !isKubeadms(disk);
  const noNode = role === 'none' ? NO_NODE : partial(disk, now);
  const authority =
    disk[`${pki}/ca.crt`] !== undefined && disk[`${pki}/ca.key`] === undefined && signsNothing(disk)
      ? 'elsewhere'
      : 'here';
  return {
    disk,
    now,
    role: isForeign ? 'none' : role,
    why: isForeign ? `the node was set up by ${OTHERS[other] ?? 'something else'}, not by kubeadm` : noNode,
    etcd: etcdOf(disk),
    authority,
    pki,
    name: nameOf(disk),
    minor: minorOf(disk),
    owners: ownersOf(disk),
  };
}

/**
 * A worker whose kubelet asks for its certificate when it starts: it has what it bootstraps with, and nothing else yet.
 * Source: cmd/kubelet/app/server.go buildKubeletClientConfig; pkg/kubelet/certificate/bootstrap.
 */
export const isUnjoined = ({ disk, role }: NodeFacts): boolean =>
  role === 'worker' &&
  disk[`${KUBERNETES}/bootstrap-kubelet.conf`]?.held.kind === 'kubeconfig' &&
  disk[`${KUBERNETES}/kubelet.conf`] === undefined &&
  !Object.keys(disk).some((path) => path.startsWith(`${KUBELET}/pki/kubelet-client-`));

/** What a scenario is about. */
export type Wanted =
  | 'a node'
  | 'a worker'
  | 'a control plane'
  | 'a control plane with its own etcd'
  | 'a control plane whose etcd is elsewhere'
  | 'a control plane with its own CA';

/** Why a node is not what a scenario is about; '' where it is. */
export function whyNot(node: NodeFacts, wanted: Wanted): string {
  if (node.why !== '') return node.why;
  if (wanted === 'a node') return '';
  if (wanted === 'a worker') return node.role === 'worker' ? '' : `the node is a ${node.role}`;
  if (node.role !== 'control plane') return `the node is a ${node.role}, which has no control plane`;
  if (wanted === 'a control plane with its own etcd' && node.etcd === 'elsewhere')
    return 'etcd runs elsewhere, and has no files here';
  if (wanted === 'a control plane whose etcd is elsewhere' && !asksEtcdElsewhere(node.disk))
    return 'the API server asks etcd on the machine itself';
  return wanted === 'a control plane with its own CA' && node.authority === 'elsewhere'
    ? "the key of the cluster's CA is kept elsewhere (external CA mode)"
    : '';
}

/** Where etcd keeps its data. */
export const dataFolderOf = (disk: Disk): string => withoutEnd(flagOf(disk, 'etcd', 'data-dir') || '/var/lib/etcd');

/** Folders that must be read besides, because flags name them. */
export function furtherFolders(disk: Disk): readonly string[] {
  const data = dataFolderOf(disk);
  return [
    ...[pkiFolder(disk)].filter((folder) => !folder.startsWith(`${KUBERNETES}/`)),
    ...(data === '/var/lib/etcd' || !/^\/[^*]+$/.test(data) ? [] : ofEtcd(data)),
  ];
}

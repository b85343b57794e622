/**
 * What kubeadm says of machines, release by release: src/targets/recorded/machines.txt has of each machine, and of each
 * thing that may be run on it, how it ends, what is said and which files are written then. Whoever looks at less, or
 * looks otherwise in one release, says otherwise. `node dist/src/targets/preflight/odd-machines.test.js --write` writes
 * it anew.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { knownMinors, parseRelease } from '../../kubeadm/release.js';
import type { LookKind } from '../../kubernetes/preflight-run.js';
import { testRecorded, toldOnce } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import { machineNamed } from './machines.js';
import { referencePreflight } from './reference-preflight.js';

const ALL = knownMinors();
const NEW = [33, 36];
const NEWEST = ALL.slice(-1);

/** Machines of the features. */
const FOLDER = packageFile('features/preflight');
const ofFeatures = readdirSync(FOLDER).flatMap((file) =>
  [...readFileSync(`${FOLDER}/${file}`, 'utf8').matchAll(/^ +\| (\S[^|]*?) +\|/gm)].map(([, name = '']) => name),
);

const each = (before: string, values: readonly unknown[], after = ''): readonly string[] =>
  values.map((value) => `${before}${String(value)}${after}`);
const COMMANDS = 'conntrack crictl ip iptables mount nsenter ebtables ethtool socat tc touch cp losetup xcopy'.split(
  ' ',
);
const MANIFESTS = each(
  'with /etc/kubernetes/manifests/',
  ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd', 'other'],
  '.yaml',
);
const FORWARDING = [
  'net.ipv4.ip_forward',
  'net.ipv6.conf.default.forwarding',
  'net.bridge.bridge-nf-call-iptables',
  'net.bridge.bridge-nf-call-ip6tables',
];
const GROUPS = 'cpu cpuacct cpuset devices freezer memory pids hugetlb blkio io'.split(' ');
const KERNELS =
  '2.6.32 3.9.1 3.10.0-1160.el7 3.19 4.0.0 4.4.0 4.9.1 4.18.0-553.el8 4.19.1 5.3.0 5.4.0 5.15.0-100-generic 6.0.1 6.12.0+ 7.1.0 10.1'.split(
    ' ',
  );
const PROXIES = [
  '192.0.2.10',
  '10.96.0.0/12',
  '192.0.2.10+10.96.0.0/12',
  '192.0.2.0/24+10.0.0.0/8',
  '*',
  '.example',
  '192.0.2.1+10.96.0.1',
  '10.96.0.0/16',
];

/** What a machine may be like that kubeadm looks at. */
const LOOKED_AT = [
  'as it should be',
  ...each('without ', COMMANDS),
  ...each('without the control group ', GROUPS),
  ...each('with control groups of version 1, without the control group ', GROUPS),
  'with control groups of version 1',
  'without a container runtime',
  'whose container runtime is not ready',
  ...each('with ', ['1 processor', '2 processors', '1699 MiB of memory', '1700 MiB of memory']),
  ...each('with port ', [6443, 10_250, 10_251, 10_252, 10_257, 10_259, 2379, 2380, 2381, 10_256], ' in use'),
  ...MANIFESTS,
  ...each('with ', [
    '/var/lib/etcd/member/x',
    '/var/lib/etcd',
    '/etc/kubernetes/kubelet.conf',
    '/etc/kubernetes/bootstrap-kubelet.conf',
    '/etc/kubernetes/pki/ca.crt',
    '/etc/kubernetes/admin.conf',
  ]),
  ...FORWARDING.flatMap((name) => [`where ${name} is missing`, `where ${name} is 0`, `where ${name} is 2`]),
  ...FORWARDING.map((name) => `at an IPv6 address, where ${name} is 0`),
  'that swaps',
  'of another user than root',
  'of another user than root, ignoring IsPrivilegedUser',
  'whose name nobody knows',
  'named w_1',
  'named W-1',
  ...each('with kernel ', KERNELS),
  ...[1, 2, 3, 4].map((count) => `with a kubelet ${count} minor${count === 1 ? '' : 's'} older`),
  'with a kubelet 1 minor newer',
  ...[1, 2].flatMap((count) =>
    ['older', 'newer'].map((way) => `for a cluster ${count} minor${count === 1 ? '' : 's'} ${way}`),
  ),
  'for a cluster 1 minor older, with a kubelet 1 minor older',
  'for a cluster 1 minor older, with a kubelet 3 minors older',
  ...['kubelet', 'docker', 'firewalld'].flatMap((name) => [
    `without a service ${name}`,
    ...each(`whose service ${name} is `, ['disabled', 'stopped', 'active']),
  ]),
  'behind a proxy',
  ...each('behind a proxy but for ', PROXIES),
  'behind a proxy, at an IPv6 address',
  'behind a proxy but for fd00::/16, at an IPv6 address',
  'at an IPv6 address',
  ...each('with an etcd elsewhere of ', [
    '2.3.9',
    '3.1.0',
    '3.2.17',
    '3.2.18',
    '3.4.2',
    '3.4.3',
    '3.5.0',
    '3.5.20',
    '3.5.24',
    '3.6.0',
    '4.0.0',
    'x',
  ]),
  'with an etcd elsewhere whose CA is /etc/etcd/ca.crt',
  'with an etcd elsewhere whose CA is /etc/etcd/ca.crt, with /etc/etcd/ca.crt',
  'with an etcd elsewhere whose certificate is /etc/etcd/c.crt and key is /etc/etcd/c.key',
  'with an etcd elsewhere whose certificate is /etc/etcd/c.crt and key is /etc/etcd/c.key, with /etc/etcd/c.crt',
  'with Docker',
  'with Docker, without crictl',
  ...each('with Docker ', ['1.13.1', '17.03.2', '18.09.9', '19.03.5', '20.10.7', '20.11.0', '24.0.1', '2.1.0', 'x']),
  'with a Docker that does not answer',
  'with Docker, without a service docker',
  'with Docker, whose service docker is disabled',
  'with Docker, whose service docker is stopped',
  'of Windows',
  'of Windows, without xcopy',
  'that becomes a control plane',
  'that becomes a control plane, with 1 processor, with port 6443 in use',
  'that becomes a control plane, with /etc/kubernetes/pki/ca.crt',
  'that becomes a control plane, behind a proxy',
  ...each('that swaps, without a service kubelet, with 1 processor, ignoring ', [
    'numcpu',
    'NumCPU+Swap',
    'all',
    'ALL',
    'all+Swap',
    'Service-Kubelet',
    'Nothing',
    'Num',
  ]),
  ...each('with 1 processor, with 100 MiB of memory, configured to ignore ', ['NumCPU', 'all', 'Mem+NumCPU', 'mem']),
  'with 1 processor, with 100 MiB of memory, configured to ignore Mem, ignoring NumCPU',
  'with 1 processor, configured to ignore all, ignoring Mem',
];

const FILES =
  'pki/ca.crt pki/ca.key pki/apiserver.crt pki/apiserver.key pki/apiserver-kubelet-client.crt pki/front-proxy-ca.crt pki/front-proxy-ca.key pki/front-proxy-client.crt pki/etcd/ca.crt pki/etcd/ca.key pki/etcd/server.crt pki/etcd/peer.crt pki/apiserver-etcd-client.crt pki/sa.key pki/sa.pub admin.conf super-admin.conf kubelet.conf controller-manager.conf scheduler.conf'.split(
    ' ',
  );
const OF_ALL = ['is gone', 'is garbage', "is another cluster's"];
const OF_CERTIFICATES = [
  ...OF_ALL,
  'has expired',
  'is not valid yet',
  'is no authority',
  'is signed through another',
  'has another behind it',
];
const OF_KUBECONFIGS = [
  ...OF_ALL,
  'has its authority in a file',
  'asks another server',
  'has no cluster',
  'has no authority',
  'has no context',
];
const deedsOf = (file: string): readonly string[] =>
  file.endsWith('.crt') ? OF_CERTIFICATES : file.endsWith('.conf') ? OF_KUBECONFIGS : OF_ALL;
const LEFT = 'where an init has left all';
/** What an earlier init may have left. */
const INITED = [
  LEFT,
  ...FILES.flatMap((file) => each(`${LEFT}, whose ${file} `, deedsOf(file))),
  ...each('where an init has left ', [
    'pki/ca.',
    'pki/',
    'pki/sa.key',
    'pki/sa.',
    'pki/apiserver.',
    'admin.conf',
    'pki/ca.+admin.conf',
    'pki/ca.+pki/sa.',
    'pki/front-proxy-ca.',
    'pki/etcd/',
  ]),
  ...['pki/ca.key', 'pki/front-proxy-ca.key', 'pki/etcd/ca.key'].map(
    (key) => `${LEFT}, whose ${key} is gone, whose pki/apiserver.crt is gone`,
  ),
  `${LEFT}, whose pki/ca.key is gone, with the flag --upload-certs`,
  `${LEFT}, whose pki/front-proxy-ca.key is gone, with the flag --upload-certs`,
  `${LEFT}, whose pki/ca.key is gone, whose admin.conf is gone`,
  `${LEFT}, with the flag --upload-certs`,
  `${LEFT}, told that ClusterConfiguration has apiServer.certSANs=["a.example"]`,
  `${LEFT}, told that ClusterConfiguration has controlPlaneEndpoint=lb.example:6443`,
  `${LEFT}, told that ClusterConfiguration has certificatesDir=/srv/pki`,
];
const TOLD = [
  'as it should be',
  ...each('with the flag ', [
    '--token=a',
    '--config=a',
    '--cri-socket=a',
    '--node-name=a',
    '--pod-network-cidr=a',
    '--skip-phases=a',
    '--v=5',
    '--dry-run',
    '--ignore-preflight-errors=all',
    '--upload-certs',
  ]),
  ...each('told that InitConfiguration has ', [
    'skipPhases=["certs"]',
    'skipPhases=["certs/ca"]',
    'skipPhases=["kubeconfig"]',
    'skipPhases=["cert"]',
    'skipPhases=["etcd"]',
    'skipPhases=["control-plane"]',
    'skipPhases=["kubelet-start"]',
    'dryRun=true',
    'nonsense=1',
    'nodeRegistration.name=b',
    'nodeRegistration.criSocket=/run/b.sock',
    '{"certificateKey":"a","localAPIEndpoint.bindPort":0}',
  ]),
  ...each('told that ClusterConfiguration has ', [
    'clusterName=b',
    'nonsense=1',
    'certificatesDir=/srv/pki',
    'controlPlaneEndpoint=A_b',
    'encryptionAlgorithm=ECDSA-P256',
    'etcd.external.endpoints=["https://a:2379"]',
    '{"clusterName":"a","dns.imageTag":"b"}',
  ]),
  ...each('told in ', [
    'v1beta3',
    'v1beta4',
    'v1beta2',
    'v1beta5',
    'v1beta4, told that ClusterConfiguration has encryptionAlgorithm=ECDSA-P256',
  ]),
  ...each('told besides ', [
    '{"apiVersion":"v1","kind":"Pod"}',
    '{"kind":"Pod"}',
    '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration","maxPods":7}',
    '{"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"ClusterConfiguration"}',
  ]),
  ...each('told nothing but ', [
    '{}',
    '{"kind":"A"}',
    '{"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"ClusterConfiguration"}',
    '{"apiVersion":"kubeadm.k8s.io/v1beta3","kind":"InitConfiguration"}',
    '{"apiVersion":"kubelet.config.k8s.io/v1beta1","kind":"KubeletConfiguration"}',
  ]),
  ...each('with the patch ', [
    'kubeletconfiguration.yaml maxPods:7',
    'kubeletconfiguration+json.json [{"op":"add","path":"/maxPods","value":7}]',
    'kubeletconfiguration+merge.json {"maxPods":7}',
    'etcd.json {"metadata":{"labels":{"a":"b"}}}',
    'kube-apiserver1+strategic.json {"metadata":{"labels":{"a":"b"}}}',
    'nothing.json {}',
    'etcd+other.json {}',
    'etcd.json {',
    'kube-scheduler+json.json {}',
    'etcd.txt {}',
    'kubeletconfiguration0.json {"maxPods":1}, with the patch kubeletconfiguration1.json {"maxPods":2}',
  ]),
  ...each('told that JoinConfiguration has ', [
    'caCertPath=a',
    'caCertPath=/a',
    'discovery.bootstrapToken.token=a',
    'discovery.tlsBootstrapToken=a',
    'discovery.bootstrapToken.apiServerEndpoint=a',
    'discovery.bootstrapToken.apiServerEndpoint=[fd00::1]:6443',
    'discovery.bootstrapToken.caCertHashes=["a"]',
    'nodeRegistration.criSocket=/run/b.sock',
    'controlPlane.localAPIEndpoint.bindPort=70000',
    'controlPlane.certificateKey=a',
  ]),
];
const PHASES = [
  'certs',
  'certs/all',
  'certs/ca',
  'certs/apiserver',
  'certs/etcd-server',
  'certs/sa',
  'kubeconfig',
  'kubeconfig/admin',
  'kubeconfig/kubelet',
  'etcd',
  'etcd/local',
  'control-plane',
  'control-plane/apiserver',
  'kubelet-start',
  'kubelet-finalize',
  'addon',
  'nothing',
];

const plain = (text: string): string =>
  text.replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replace(/\b20\d\d-\d\d-\d\d [\d:]+( \+0000 UTC)?/g, 'TIME');

/** What a whole init writes, and what is otherwise. */
const usual = (await referencePreflight('1.36', {}).look('as it should be', 'a whole init'))?.written ?? [];
function writtenOf(written: readonly string[]): string {
  if (written.length < usual.length / 2) return written.join(' ');
  const missing = usual.filter((path) => !written.includes(path)).map((path) => ` but ${path}`);
  const more = written.filter((path) => !usual.includes(path)).map((path) => ` and ${path}`);
  return `all${[...missing, ...more].join('')}`;
}

/** What comes of it. */
async function endOf(name: string, look: LookKind, minor: number): Promise<string> {
  const run = await referencePreflight(`1.${minor}`, {}).look(name, look);
  if (run === undefined) return '  there is no such machine';
  const { exit, said, written, changed = [], left = [] } = run;
  const own = `v1.${minor}.`;
  const ownModes = left.filter(
    ({ path, mode }) => mode !== (/\.(?:crt|pub)$/.test(path) ? 0o644 : 0o600) && written.includes(path),
  );
  const lines = [
    `exit ${exit}`,
    ...said.map(plain),
    ...(written.length === 0 ? [] : [`written: ${writtenOf(written)}`]),
    ...(changed.length === 0 ? [] : [`changed: ${changed.join(' ')}`]),
    ...(ownModes.length === 0
      ? []
      : [`modes: ${ownModes.map(({ path, mode }) => `${mode.toString(8)} ${path}`).join(' ')}`]),
  ];
  return lines.map((line) => `   ${line.replaceAll(own, 'vOWN.').replaceAll(own.slice(1), 'OWN.')}`).join('\n');
}

const once = toldOnce();
const spanOf = (minors: readonly number[]): string =>
  minors
    .filter((minor) => !minors.includes(minor - 1))
    .map((first) => {
      let last = first;
      while (minors.includes(last + 1)) last += 1;
      return first === last ? `1.${first}` : `1.${first}-${last}`;
    })
    .join(' ');

/** By what comes of it, the minors in which it does. */
async function linesOf(name: string, look: LookKind, minors: readonly number[]): Promise<readonly string[]> {
  const own = new Map<string, number[]>();
  for (const minor of minors) {
    const end = await endOf(name, look, minor);
    own.set(end, [...(own.get(end) ?? []), minor]);
  }
  return [...own].flatMap(([end, of]) => [` ${look}, ${spanOf(of)}`, ...once(end)]);
}

const lines: string[] = [];
for (const name of new Set([...LOOKED_AT, ...ofFeatures])) {
  const minors = LOOKED_AT.includes(name) ? ALL : NEWEST;
  lines.push(name, ...(await linesOf(name, 'init', minors)), ...(await linesOf(name, 'join', minors)));
}
for (const [index, name] of INITED.entries()) {
  lines.push(name, ...(await linesOf(name, 'a whole init', NEWEST)));
  if (index % 12 === 0) lines.push(...(await linesOf(name, 'a dry run', NEWEST)));
}
for (const name of TOLD)
  lines.push(name, ...(await linesOf(name, 'a whole init', NEW)), ...(await linesOf(name, 'join', NEW)));
for (const name of ['as it should be', LEFT, `${LEFT}, whose pki/ca.key is gone`, 'where an init has left pki/ca.'])
  for (const phase of PHASES) lines.push(name, ...(await linesOf(name, `the phase ${phase}`, NEW)));

/** The files themselves, of those that write what others do not. */
for (const name of [
  'told that InitConfiguration has nodeRegistration.name=b',
  ...TOLD.filter((one) => one.startsWith('with the patch ')),
]) {
  const machine = machineNamed(name, parseRelease('1.36'));
  if (machine === undefined) continue;
  const run = await referencePreflight('1.36', {}).look(name, 'a whole init');
  const texts =
    run?.left?.filter(({ path }) => /kubelet\/|manifests\/(?:etcd|kube-apiserver|kube-scheduler)/.test(path)) ?? [];
  lines.push(
    name,
    ...texts.flatMap(({ path, text }) => [
      ` ${path}`,
      ...text
        .split('\n')
        .filter((line) => /maxPods|labels|^ +a:|hostname/.test(line))
        .map((line) => `  ${line}`),
    ]),
  );
}
testRecorded(
  'what kubeadm says of machines',
  packageFile('src/targets/recorded'),
  new Map([['machines.txt', `${lines.join('\n')}\n`]]),
);

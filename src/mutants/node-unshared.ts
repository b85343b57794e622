/** Keys and authorities that stand for two things, addresses that are two things', and files in the hands of others. */
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { createAuthority } from '../pki/authority.js';
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
  removed,
  strangersKey,
} from './node-disk.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KCM = 'kube-controller-manager';
const ENVIRONMENT = '/var/lib/kubelet/kubeadm-flags.env';
const CONTAINERD = '/etc/containerd/config.toml';
const PART = '/etc/systemd/system/kubelet.service.d/20-own.conf';

const bundled = (file: string, rule: string): Mutant =>
  onDisk(
    `${file.replace('/', '-')}-holds-the-clusters-too`,
    `${file}.crt holds the cluster's CA as well`,
    [rule],
    (disk) => edited(`${file}.crt`, (text) => `${text}${disk.read(`${PKI}/ca.crt`)}`)(disk),
  );

/** An authority whose curve Go does not know, in the place of one. */
const onAnotherCurve = (file: string): Mutant =>
  onDisk(`${file.replace('/', '-')}-on-another-curve`, `${file}.crt is on the curve P-224`, ['P-202'], (disk) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp224r1' });
    const { certificate } = createAuthority({ commonName: 'kubernetes', key: privateKey, now: Date.now() });
    disk.write(`${PKI}/${file}.crt`, certificate.pem, 0o644);
  });

const flagged = (name: string, defect: string, rule: string, words: string): Mutant =>
  onDisk(
    `kubelet-flags-${name}`,
    `the kubelet ${defect}`,
    [rule],
    edited(ENVIRONMENT, (text) => text.replace(/"$/m, ` ${words}"`)),
  );
const runtime = (name: string, defect: string, content: string): Mutant =>
  onDisk(`runtime-${name}`, `containerd ${defect}`, ['P-240'], added(CONTAINERD, content, 0o644));
const left = (name: string, defect: string, rule: string, path: string, content: string, bits = 0o600): Mutant =>
  onDisk(`left-${name}`, defect, [rule], added(path, content, bits));

/** All signers one by one, in the place of the flag for all. */
const signers = (half: string, suffix: string): readonly DiskEdit[] => [
  flag(KCM, `cluster-signing-${half}-file`, undefined),
  ...['kubelet-serving', 'kubelet-client', 'kube-apiserver-client', 'legacy-unknown'].map((signer) =>
    flag(KCM, `cluster-signing-${signer}-${half}-file`, `${PKI}/ca.${suffix}`),
  ),
];
const POLICY = 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n';
const SECRET = 'kind: Secret\nstringData: { token-id: abcdef, token-secret: 0123456789abcdef }\n';
const WEBHOOK = [
  ...['apiVersion: v1', 'kind: Config', 'clusters: [{ name: a, cluster: { server: "http://198.51.100.1" } }]'],
  ...['contexts: [{ name: a, context: { cluster: a } }]', 'current-context: a', ''],
].join('\n');
const LOG = '/var/log/kubernetes/audit.log';

export const mutants: readonly Mutant[] = [
  onDisk(
    'kubelet-is-not-waited-for',
    'the kubelet is given up before it is heard of',
    ['P-196'],
    flag(KCM, 'node-monitor-grace-period', '8s'),
  ),
  onDisk(
    'join-left-to-sudo',
    'a join that somebody may run stands among the rights of sudo',
    ['P-197'],
    added(
      '/etc/sudoers.d/join',
      'anna ALL = NOPASSWD: /usr/bin/kubeadm join 192.0.2.10\\:6443 --token abcdef.0123456789abcdef\n',
      0o440,
    ),
  ),
  bundled('front-proxy-ca', 'PKI-013'),
  bundled('etcd/ca', 'PKI-025'),
  ...['ca', 'front-proxy-ca', 'etcd/ca'].map(onAnotherCurve),
  onDisk('accounts-with-the-key-of-the-server', 'tokens are signed with apiserver.key', ['PKI-011'], (disk) => {
    const key = disk.read(`${PKI}/apiserver.key`) ?? '';
    disk.write(`${PKI}/sa.key`, key, 0o600);
    disk.write(`${PKI}/sa.pub`, createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(), 0o600);
  }),
  onDisk(
    'api-listens-at-another-address',
    'the API server listens at an address that nobody asks',
    ['KAPI-002'],
    flag(API, 'bind-address', '192.0.2.77'),
  ),
  onDisk(
    'pods-get-the-address-of-the-machine',
    'addresses of Pods are those of machines',
    ['KCMF-001'],
    flag(KCM, 'cluster-cidr', '192.0.2.0/24'),
  ),
  onDisk('suite-of-nobody', 'a cipher suite that Go does not know', ['P-196'], flag(API, 'tls-cipher-suites', 'TLS_A')),
  onDisk(
    'etcd-is-not-where-it-says',
    'etcd tells clients an address at which it does not listen',
    ['P-196'],
    flag('etcd', 'listen-client-urls', 'https://127.0.0.1:2379'),
  ),
  flagged('ask-another-dns', 'asks a DNS elsewhere by a flag', 'PATH-010', '--cluster-dns=198.51.100.53'),
  flagged('hold-a-word', 'has a word among its flags', 'PATH-010', 'stray'),
  flagged('ask-docker', 'asks Docker', 'P-240', '--container-runtime-endpoint=unix:///var/run/dockershim.sock'),
  runtime('elsewhere', 'listens where nobody asks it', '[grpc]\n  address = "/run/other.sock"\n'),
  runtime('of-a-group', 'gives its socket to a group', '[grpc]\n  gid = 1000\n'),
  runtime('watched-by-somebody', 'lets a user look into it', '[debug]\n  address = "/run/d.sock"\n  uid = 1000\n'),
  runtime('obeys-everybody', 'reads files of everybody', 'imports = ["/tmp/*.toml"]\n'),
  runtime('cut-off', 'has half a configuration', 'version = 2\n[plugins\n'),
  runtime(
    'without-its-runtime',
    'starts with a runtime that it does not know',
    '[plugins."io.containerd.grpc.v1.cri".containerd]\n  default_runtime_name = "kata"\n',
  ),
  onDisk(
    'unit-reads-what-everybody-writes',
    'variables of the unit come from a folder of everybody',
    ['P-193'],
    all(
      added('/etc/systemd/system/kubelet.service', '[Service]\nExecStart=/usr/bin/kubelet\n', 0o644),
      added(PART, '[Service]\nEnvironmentFile=-/tmp/kubelet.env\n', 0o644),
    ),
  ),
  onDisk(
    'unit-without-its-program',
    'the unit starts a kubelet that is not there',
    ['P-219'],
    all(
      added('/etc/systemd/system/kubelet.service', '[Service]\nExecStart=/usr/bin/kubelet\n', 0o644),
      added('/usr/bin/kubeadm', 'x', 0o755),
    ),
  ),
  left('in-a-secret', 'a token is left in a manifest', 'P-197', `${KUBERNETES}/addons/token.yaml`, SECRET),
  left('in-cloud-cfg', 'a token is left for cloud-init', 'P-197', '/etc/cloud/cloud.cfg.d/9.cfg', SECRET),
  left(
    'patches-open',
    'anybody writes patches of kubeadm',
    'P-190',
    `${KUBERNETES}/patches/etcd.yaml`,
    'a: b\n',
    0o666,
  ),
  onDisk(
    'copy-of-the-ca-in-a-backup',
    'everybody reads a copy of ca.key in a backup',
    ['P-198'],
    all(copied('ca.key', '/srv/pki-backup/ca.key'), mode('/srv/pki-backup/ca.key', 0o644)),
  ),
  left('key-store', "anybody reads an administrator's key store", 'P-198', '/home/anna/admin.p12', 'x', 0o644),
  onDisk(
    'etcd-elsewhere-with-another-key',
    'etcd elsewhere is asked with the key of another certificate',
    ['P-196'],
    all(
      removed(manifest('etcd')),
      flag(API, 'etcd-servers', 'https://etcd.example:2379'),
      added('apiserver-etcd-client.key', strangersKey()),
    ),
  ),
  onDisk(
    'traced-as-nobody-says',
    'a file that configures the API server is in no volume',
    ['MANI-011'],
    flag(API, 'tracing-config-file', '/srv/tracing'),
  ),
  onDisk(
    'webhook-without-tls',
    'a webhook that says who somebody is is asked without TLS',
    ['P-214'],
    all(
      flag(API, 'authentication-token-webhook-config-file', `${PKI}/webhook.yaml`),
      added(`${PKI}/webhook.yaml`, WEBHOOK),
    ),
  ),
  onDisk(
    'audit-without-a-policy',
    'requests are to be logged by no policy',
    ['P-243'],
    flag(API, 'audit-log-path', '-'),
  ),
  onDisk(
    'audit-in-the-container',
    'the audit log is gone with its container',
    ['P-243'],
    all(
      flag(API, 'audit-policy-file', `${PKI}/policy.yaml`),
      flag(API, 'audit-log-path', LOG),
      added(`${PKI}/policy.yaml`, POLICY),
    ),
  ),
  {
    ...onDisk(
      'of-their-own',
      'an API server at its address, etcd behind a name, a runtime of two, and a bundle of the CA and the next one',
      [],
      all(
        flag(API, 'bind-address', '192.0.2.10'),
        ...signers('cert', 'crt'),
        ...signers('key', 'key'),
        flag(API, 'tls-cipher-suites', 'TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305'),
        flag('etcd', 'advertise-client-urls', 'https://cp-1:2379,https://192.0.2.10:2379'),
        edited(ENVIRONMENT, (text) => text.replace(/"$/m, ' --node-labels team=a --v 2"')),
        added(
          CONTAINERD,
          [
            ...['version = 2', '[grpc]', '  address = "/run/containerd/containerd.sock"', '  gid = 0'],
            ...['[plugins."io.containerd.grpc.v1.cri".containerd]', '  default_runtime_name = "crun"'],
            ...['[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.crun]', '  runtime_type = "a"', ''],
          ].join('\n'),
          0o644,
        ),
        added(`${KUBERNETES}/patches/etcd.yaml`, 'a: b\n', 0o644),
        added('/home/anna/trust.p12', 'x', 0o644),
      ),
    ),
    name: 'harmless-node-of-their-own',
  },
];

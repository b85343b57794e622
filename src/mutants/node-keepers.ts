import { createPublicKey } from 'node:crypto';
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { GROUP_NODES } from '../kubernetes/names.js';
import {
  added,
  all,
  copied,
  edited,
  KUBERNETES,
  type Leaf,
  mode,
  onDisk,
  PKI,
  reissued,
  reissuedIn,
  removed,
  strangersAuthority,
  strangersKey,
} from './node-disk.js';
import type { Mutant } from './types.js';

export const CONFS = ['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'] as const;
const conf = (name: string): string => `${KUBERNETES}/${name}.conf`;

/** Every file of a kind, at once. */
const modes =
  (which: RegExp, bits: number): DiskEdit =>
  (disk) => {
    for (const [path, file] of disk.files) if (which.test(path)) file.mode = bits;
  };

/** Whom a leaf of kubeadm is for. */
export const LEAVES: readonly (readonly [string, string, string, Leaf])[] = [
  ['apiserver', 'ca', 'PKI-002', { commonName: 'kube-apiserver', usages: ['serverAuth'] }],
  ['apiserver-kubelet-client', 'ca', 'PKI-009', { commonName: 'kube-apiserver-kubelet-client' }],
  ['front-proxy-client', 'front-proxy-ca', 'PKI-014', { commonName: 'front-proxy-client' }],
  ['etcd/server', 'etcd/ca', 'PKI-025', { commonName: 'cp-1', usages: ['serverAuth', 'clientAuth'] }],
  ['etcd/peer', 'etcd/ca', 'PKI-025', { commonName: 'cp-1', usages: ['serverAuth', 'clientAuth'] }],
  ['etcd/healthcheck-client', 'etcd/ca', 'PKI-025', { commonName: 'kube-etcd-healthcheck-client' }],
  ['apiserver-etcd-client', 'etcd/ca', 'PKI-025', { commonName: 'kube-apiserver-etcd-client' }],
];
const named = (file: string): string => file.replace('/', '-');

const BOOTSTRAP = [
  'apiVersion: v1',
  'kind: Config',
  'clusters: [{ name: kubernetes, cluster: { server: "https://192.0.2.10:6443", insecure-skip-tls-verify: true } }]',
  'contexts: [{ name: a, context: { cluster: kubernetes, user: a } }]',
  'current-context: a',
  'users: [{ name: a, user: { token: abcdef.0123456789abcdef } }]',
  '',
].join('\n');

export const mutants: readonly Mutant[] = [
  ...LEAVES.map(([file, authority, rule, leaf]) =>
    onDisk(
      `${named(file)}-may-sign-others`,
      `${file}.crt is an authority`,
      [rule],
      reissued(file, authority, { ...leaf, isAuthority: true }),
    ),
  ),
  ...(['apiserver', 'etcd/healthcheck-client', 'apiserver-etcd-client'] as const).map((file) =>
    onDisk(
      `${named(file)}-is-somebody`,
      `${file}.crt has another common name`,
      [file === 'apiserver' ? 'PKI-002' : 'PKI-025'],
      reissued(file, file === 'apiserver' ? 'ca' : 'etcd/ca', {
        commonName: 'somebody',
        usages: file === 'apiserver' ? ['serverAuth'] : ['clientAuth'],
      }),
    ),
  ),
  onDisk(
    'etcd-healthcheck-client-for-servers',
    'etcd/healthcheck-client.crt is for servers',
    ['PKI-025'],
    reissued('etcd/healthcheck-client', 'etcd/ca', {
      commonName: 'kube-etcd-healthcheck-client',
      usages: ['serverAuth'],
    }),
  ),
  ...(['server', 'peer'] as const).map((file) =>
    onDisk(
      `etcd-${file}-for-nobody`,
      `etcd/${file}.crt is for no name`,
      ['PKI-025'],
      reissued(`etcd/${file}`, 'etcd/ca', { commonName: 'cp-1', usages: ['serverAuth', 'clientAuth'] }),
    ),
  ),
  onDisk('without-etcd-ca-key', "the key of etcd's authority is missing", ['PKI-025'], removed('etcd/ca.key')),
  onDisk(
    'etcd-of-the-cluster-ca',
    'the authority of etcd is that of the cluster',
    ['PKI-025'],
    all(copied('ca.crt', 'etcd/ca.crt'), copied('ca.key', 'etcd/ca.key')),
  ),
  onDisk('sa-pub-is-private', 'sa.pub holds the private key', ['PKI-011'], copied('sa.key', 'sa.pub')),
  onDisk(
    'sa-key-of-the-ca',
    'tokens of service accounts are signed with the key of the CA',
    ['PKI-011', 'P-14'],
    (disk) => {
      const key = disk.read(`${PKI}/ca.key`) ?? '';
      disk.write(`${PKI}/sa.key`, key, 0o600);
      disk.write(`${PKI}/sa.pub`, createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(), 0o600);
    },
  ),
  onDisk(
    'secrets-for-everybody',
    'everybody may read keys and kubeconfigs',
    ['PKI-024'],
    modes(/\.(?:key|conf)$/, 0o644),
  ),
  onDisk('written-by-everybody', 'everybody may write what lies there', ['PKI-024'], async (disk) => {
    await modes(/\.(?:crt|pub|yaml|env)$/, 0o666)(disk);
    for (const folder of [KUBERNETES, `${KUBERNETES}/manifests`, PKI]) disk.folders.set(folder, 0o777);
  }),
  onDisk(
    'backup-of-a-key-for-everybody',
    'a backup of ca.key is read by everybody',
    ['PKI-024'],
    all(copied('ca.key', 'ca.key.bak'), mode('ca.key.bak', 0o644)),
  ),
  onDisk(
    'keys-of-a-dry-run',
    'a dry run has left its keys',
    ['P-15'],
    copied('ca.key', `${KUBERNETES}/tmp/kubeadm-init-dryrun1/ca.key`),
  ),
  ...CONFS.flatMap((name) => [
    onDisk(
      `${name}-conf-believes-everybody`,
      `${name}.conf says insecure-skip-tls-verify`,
      ['P-18'],
      edited(conf(name), (text) => text.replace(/^( +)server: /m, '$1insecure-skip-tls-verify: true\n$1server: ')),
    ),
    onDisk(
      `${name}-conf-runs-a-program`,
      `${name}.conf has a program for its credentials beside its certificate`,
      [
        {
          admin: 'KCFG-007',
          'super-admin': 'KCFG-006',
          kubelet: 'KCFG-003',
          'controller-manager': 'KCFG-004',
          scheduler: 'KCFG-005',
        }[name],
      ],
      edited(conf(name), (text) =>
        text.replace(/^( +)client-key-data: /m, '$1exec: { command: /tmp/a }\n$1client-key-data: '),
      ),
    ),
  ]),
  ...(['admin', 'super-admin', 'kubelet'] as const).map((name) =>
    onDisk(
      `${name}-conf-asks-another-cluster`,
      `${name}.conf names a server that is none of the cluster`,
      ['KCFG-012'],
      edited(conf(name), (text) => text.replace(/server: .*/, 'server: https://198.51.100.1:6443')),
    ),
  ),
  onDisk(
    'kubelet-conf-without-tls',
    'kubelet.conf names a server without TLS',
    ['KCFG-012'],
    edited(conf('kubelet'), (text) => text.replace('server: https:', 'server: http:')),
  ),
  onDisk(
    'admin-conf-believes-two',
    'admin.conf embeds the authority of a stranger beside that of the cluster',
    ['KCFG-010'],
    (disk) => {
      const both = `${disk.read(`${PKI}/ca.crt`) ?? ''}${strangersAuthority().certificate.pem}`;
      const encoded = Buffer.from(both).toString('base64');
      return edited(conf('admin'), (text) =>
        text.replace(/certificate-authority-data: \S+/, `certificate-authority-data: ${encoded}`),
      )(disk);
    },
  ),
  onDisk(
    'bootstrap-kubeconfig-left',
    'the bootstrap kubeconfig is left beside kubelet.conf, and verifies nothing',
    ['P-11', 'P-18'],
    added(conf('bootstrap-kubelet'), BOOTSTRAP),
  ),
  onDisk(
    'bootstrap-kubeconfig-asks-through-a-proxy',
    'the bootstrap kubeconfig names a proxy',
    ['KCFG-012'],
    added(conf('bootstrap-kubelet'), BOOTSTRAP.replace('server: ', 'proxy-url: "http://198.51.100.1:3128", server: ')),
  ),
  onDisk(
    'kubelet-conf-with-two-places',
    'kubelet.conf embeds its certificate and names a file for its key',
    ['BOOT-010', 'KCFG-003'],
    all(
      added('/var/lib/kubelet/pki/kubelet.key', strangersKey()),
      edited(conf('kubelet'), (text) =>
        text.replace(/client-key-data: .*/, 'client-key: /var/lib/kubelet/pki/kubelet.key'),
      ),
    ),
  ),
  onDisk('kubelet-without-its-authority', 'the CA that the kubelet is told of is gone', ['P-209'], removed('ca.crt')),
  onDisk(
    'second-copy-is-open',
    'of two copies of admin.conf the one in the home of a user is read by anybody',
    ['P-198'],
    all(
      copied(conf('admin'), '/root/.kube/config'),
      mode('/root/.kube/config', 0o600),
      copied(conf('admin'), '/home/anna/.kube/config'),
      mode('/home/anna/.kube/config', 0o644),
    ),
  ),
  {
    ...onDisk(
      'kubeconfigs-renewed',
      'certificates of kubeconfigs are renewed, super-admin.conf is gone, and a backup lies elsewhere',
      [],
      all(
        reissuedIn('kubelet', 'ca', { commonName: 'system:node:cp-1', organizations: [GROUP_NODES] }),
        reissuedIn('scheduler', 'ca', { commonName: 'system:kube-scheduler' }),
        removed(conf('super-admin')),
        copied('ca.key', '/etc/kubernetes/backup/ca.key'),
      ),
    ),
    name: 'harmless-node-kubeconfigs-renewed',
  },
  {
    ...onDisk(
      'homes',
      'a user has a home of his own, with a key of his own that others may read',
      [],
      all(
        added('/home/anna/.ssh/id_ecdsa', strangersKey(), 0o644),
        added('/home/anna/notes.crt', 'x', 0o666),
        (disk) => {
          for (const folder of ['/home/anna', '/home/anna/.ssh']) {
            disk.folders.set(folder, 0o777);
            disk.owners.set(folder, 1000);
          }
          for (const [path] of disk.files) if (path.startsWith('/home/')) disk.owners.set(path, 1000);
        },
      ),
    ),
    name: 'harmless-node-homes',
  },
];

/** Data of etcd and files of the kubelet that are not what they were, and who works where he should not. */

import { data, unit, worker } from './node-beyond.js';
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

const DATA = '/var/lib/etcd';
const KUBELET = '/var/lib/kubelet';
const CONFIGURATION = `${KUBELET}/config.yaml`;
const SERVING = `${KUBELET}/pki/kubelet`;
const EXTRA = '/etc/default/kubelet';
const HOME = '/root/.kube/config';

/** What its machine is known by, but for one name. */
const NAMES = ['localhost', 'cp-1'];
const ADDRESSES = ['127.0.0.1', '::1', '192.0.2.10'];
const leafOf = (file: string) => LEAVES.find(([name]) => name === file)?.[3] ?? { commonName: 'cp-1' };
const without = (file: string, name: string): Mutant =>
  onDisk(
    `${file.replace('/', '-')}-is-not-for-${name.replaceAll(/[^\w]+/g, '-')}`,
    `${file}.crt is not for ${name}`,
    ['P-206'],
    reissued(file, 'etcd/ca', {
      ...leafOf(file),
      dns: NAMES.filter((one) => one !== name),
      ip: ADDRESSES.filter((one) => one !== name),
    }),
  );

const asked = (name: string, value: string): Mutant =>
  onDisk(`etcd-lets-in-by-${name}`, `etcd is started with --${name}=${value}`, ['P-207'], flag('etcd', name, value));
const unchecked = (name: string, value: string): Mutant =>
  onDisk(
    `etcd-compares-nothing-by-${name}`,
    `etcd is started with --${name}=${value}`,
    ['P-208'],
    flag('etcd', name, value),
  );
const issuer = (name: string, value: string): Mutant =>
  onDisk(
    `issuer-${name}`,
    `tokens are issued by ${value}`,
    ['P-212'],
    flag('kube-apiserver', 'service-account-issuer', value),
  );

/** What a kubelet makes for itself. */
const serving = (commonName: string, expiredDays?: number) =>
  reissued(SERVING, 'a stranger', {
    commonName,
    usages: ['serverAuth'],
    dns: [commonName.replace(/@.*/, '')],
    ...(expiredDays === undefined ? {} : { expiredDays }),
  });
const extra = (text: string) => all(unit, added(EXTRA, text, 0o644));

/** etcd of other machines, with a certificate of the cluster's etcd. */
const external = all(
  removed(manifest('etcd')),
  edited(manifest('kube-apiserver'), (text) => text.replace(/(--etcd-servers=)\S+/, '$1https://192.0.2.50:2379')),
);

/** What kubeadm writes for an etcd of its own. */
const OF_ETCD = ['etcd/ca', ...LEAVES.flatMap(([name, authority]) => (authority === 'etcd/ca' ? [name] : []))].flatMap(
  (name) => [`${name}.crt`, `${name}.key`],
);

const SHOWN = 'apiserver-etcd-client';
const shownElsewhere = (name: string, defect: string, edit: ReturnType<typeof all>): Mutant =>
  onDisk(
    `etcd-elsewhere-${name}`,
    `an etcd elsewhere is shown a certificate ${defect}`,
    ['KAPI-004'],
    all(external, edit),
  );

export const mutants: readonly Mutant[] = [
  shownElsewhere(
    'is-shown-an-expired-one',
    'that has expired',
    reissued(SHOWN, 'etcd/ca', { commonName: 'a', usages: ['clientAuth'], expiredDays: 1 }),
  ),
  shownElsewhere(
    'is-shown-that-of-a-server',
    'for servers',
    reissued(SHOWN, 'etcd/ca', { commonName: 'a', usages: ['serverAuth'] }),
  ),
  shownElsewhere('is-shown-one-with-another-key', 'with the key of another', copied('apiserver.key', `${SHOWN}.key`)),
  ...['kube-controller-manager', 'kube-scheduler'].map((component) =>
    onDisk(
      `${component}-at-a-foreign-address`,
      `${component} listens at an address that its machine has not`,
      ['P-196'],
      flag(component, 'bind-address', '198.51.100.1'),
    ),
  ),
  onDisk(
    'metrics-at-a-foreign-address',
    'etcd shows its metrics at an address that its machine has not',
    ['P-196'],
    flag('etcd', 'listen-metrics-urls', 'http://127.0.0.1:2381,http://198.51.100.1:2381'),
  ),
  onDisk(
    'etcd-logs-to-nowhere',
    'etcd writes its log to a folder that its container has not',
    ['MANI-011'],
    flag('etcd', 'log-outputs', 'stderr,/var/log/etcd.log'),
  ),
  onDisk(
    'data-of-etcd-without-its-database',
    'the database of etcd is gone',
    ['P-204'],
    all(data, removed(`${DATA}/member/snap/db`)),
  ),
  onDisk(
    'data-of-etcd-with-an-empty-database',
    'the database of etcd is empty',
    ['P-204'],
    all(
      data,
      edited(`${DATA}/member/snap/db`, () => ''),
    ),
  ),
  onDisk(
    'data-of-etcd-without-its-log',
    'the log of etcd is gone',
    ['P-204'],
    all(data, removed(`${DATA}/member/wal/0.wal`)),
  ),
  onDisk('data-of-an-etcd-of-before', 'etcd has moved, and its data are left', ['P-205'], all(data, external)),
  onDisk('data-of-an-etcd-on-a-worker', 'a worker keeps the data of an etcd of before', ['P-205'], all(data, worker)),
  onDisk(
    'kubelet-serves-under-the-name-of-another',
    'somebody has made the certificate that the kubelet serves with, for another machine',
    ['P-210'],
    reissued(SERVING, 'a stranger', { commonName: 'cp-7', usages: ['serverAuth'], dns: ['cp-7.example', 'cp-7'] }),
  ),
  {
    ...onDisk(
      'kubelet-serves-with-what-it-was-given',
      'somebody has made the certificate that the kubelet serves with, by its address or under its whole name',
      [],
      all(
        reissued(SERVING, 'a stranger', { commonName: 'kubelet', usages: ['serverAuth'], dns: ['CP-1.example'] }),
        added(`${KUBELET}/notes`, 'x', 0o644),
      ),
    ),
    name: 'harmless-node-kubelet-serves-with-what-it-was-given',
  },
  onDisk(
    'copy-of-the-data-of-etcd-open',
    'anybody reads the copy of the data of etcd that an upgrade has made',
    ['P-191'],
    added(`${KUBERNETES}/tmp/kubeadm-backup-etcd-2026/etcd/member/snap/db`, 'x', 0o644),
  ),
  ...['etcd/server', 'etcd/peer'].flatMap((file) => [...NAMES, ...ADDRESSES].map((name) => without(file, name))),
  asked('peer-cert-allowed-cn', 'nobody'),
  asked('peer-cert-allowed-hostname', 'nobody.example'),
  asked('client-cert-allowed-hostname', 'cp-1'),
  onDisk(
    'etcd-lets-in-its-probe-alone',
    'etcd asks clients for a name that only the certificate of its probe has',
    ['P-207'],
    all(
      flag('etcd', 'client-cert-allowed-hostname', 'probe.example'),
      reissued('etcd/healthcheck-client', 'etcd/ca', {
        commonName: 'kube-etcd-healthcheck-client',
        usages: ['clientAuth'],
        dns: ['probe.example'],
      }),
    ),
  ),
  unchecked('feature-gates', 'InitialCorruptCheck=false'),
  onDisk(
    'kubelet-serves-with-nothing',
    'the kubelet is told of a certificate that is not there',
    ['P-209'],
    edited(CONFIGURATION, (text) => `${text}tlsCertFile: ${SERVING}-own.crt\ntlsPrivateKeyFile: ${SERVING}-own.key\n`),
  ),
  onDisk(
    'kubelet-serves-with-what-has-ended',
    "the kubelet's serving certificate has expired",
    ['P-210'],
    serving('cp-1@1700000000', 3),
  ),
  onDisk(
    'kubelet-serves-as-another',
    "the kubelet's serving certificate is of another machine",
    ['P-210'],
    serving('w-9@1700000000'),
  ),
  onDisk(
    'flags-of-kubeadm-taken-away',
    'an operator sets KUBELET_KUBEADM_ARGS',
    ['P-211'],
    extra('KUBELET_KUBEADM_ARGS="--v=2"\nKUBELET_EXTRA_ARGS=\n'),
  ),
  issuer('without-tls', 'http://issuer.example'),
  issuer('of-another-domain', 'https://kubernetes.default.svc.other.example'),
  onDisk(
    'worker-with-an-administrator',
    'root works as an administrator on a worker',
    ['P-213'],
    all(copied(`${KUBERNETES}/admin.conf`, HOME), worker),
  ),
  onDisk(
    'super-admin-at-home',
    'root works as the super-admin',
    ['P-213'],
    copied(`${KUBERNETES}/super-admin.conf`, HOME),
  ),
  onDisk(
    'copy-is-somebodys',
    'the copy of admin.conf in the home of root belongs to a user',
    ['P-198'],
    all(copied(`${KUBERNETES}/admin.conf`, HOME), (disk) => {
      disk.owners.set(HOME, 1000);
    }),
  ),
  onDisk(
    'folder-of-the-copy-is-open',
    'anybody may put another kubeconfig into the home of root',
    ['P-198'],
    all(copied(`${KUBERNETES}/admin.conf`, HOME), (disk) => {
      disk.folders.set('/root/.kube', 0o777);
    }),
  ),
  ...['apiserver-etcd-client', 'etcd/healthcheck-client'].map((file) =>
    onDisk(`worker-with-the-key-of-${file.replace('/', '-')}`, `a worker has ${file}.key`, ['PKI-024'], (disk) => {
      const { text = '' } = disk.files.get(`${PKI}/${file}.key`) ?? {};
      return all(worker, added(`${file}.key`, text))(disk);
    }),
  ),
  onDisk(
    'own-users-in-the-network-of-the-host',
    'the API server has users of its own in the network of the host',
    ['MANI-001'],
    edited(manifest('kube-apiserver'), (text) =>
      text.replace(/^ {2}hostNetwork: true\n/m, '  hostNetwork: true\n  hostUsers: false\n'),
    ),
  ),
  onDisk(
    'kubelet-gives-half-a-block',
    'the kubelet gives each Pod one user',
    ['PATH-010'],
    edited(CONFIGURATION, (text) => `${text}userNamespaces: { idsPerPod: 1 }\n`),
  ),
  onDisk(
    'kubelet-waits-for-nothing',
    'the kubelet starts again at once what ends',
    ['PATH-010'],
    edited(CONFIGURATION, (text) => `${text}crashLoopBackOff: { maxContainerRestartPeriod: 0s }\n`),
  ),
  {
    ...onDisk(
      'data',
      'data of etcd, a serving certificate of its own making, and etcd that asks for the name of its machine',
      [],
      all(
        data,
        serving('cp-1@1700000000'),
        added(`${KUBERNETES}/tmp/kubeadm-backup-etcd-2026/etcd/member/snap/db`, 'x', 0o600),
        flag('etcd', 'peer-cert-allowed-cn', 'cp-1'),
        copied(`${KUBERNETES}/admin.conf`, HOME),
        mode(HOME, 0o600),
        extra('KUBELET_EXTRA_ARGS="--max-pods=200"\n'),
      ),
    ),
    name: 'harmless-node-data',
  },
  {
    ...onDisk(
      'data-of-another-etcd',
      'etcd runs elsewhere, and another one on the machine by its service manager',
      [],
      all(data, external, added('/etc/systemd/system/etcd.service', '[Service]\nExecStart=/usr/bin/etcd\n', 0o644)),
    ),
    name: 'harmless-node-data-of-another-etcd',
  },
  {
    ...onDisk(
      'etcd-by-another-tool',
      'etcd runs on the machine by its service manager, with files of its own',
      [],
      all(
        data,
        unit,
        removed(manifest('etcd'), ...OF_ETCD),
        flag('kube-apiserver', 'etcd-servers', 'https://192.0.2.10:2379'),
        ...['ca', 'cert', 'key'].map((name) =>
          flag('kube-apiserver', `etcd-${name}file`, `/etc/ssl/certs/etcd-${name}.pem`),
        ),
        added('/etc/systemd/system/etcd.service', '[Service]\nExecStart=/usr/bin/etcd\n', 0o644),
      ),
    ),
    name: 'harmless-node-etcd-by-another-tool',
  },
];

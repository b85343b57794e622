import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { GROUP_NODES } from '../kubernetes/names.js';
import {
  added,
  all,
  copied,
  edited,
  flag,
  issued,
  KUBERNETES,
  type Leaf,
  mode,
  onDisk,
  PKI,
  reissued,
  reissuedIn,
  strangersAuthority,
  strangersKey,
} from './node-disk.js';
import type { Mutant } from './types.js';

const NAMES = ['cp-1', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc'];
const DOMAIN = 'kubernetes.default.svc.cluster.local';
const ADDRESSES = ['10.96.0.1', '192.0.2.10', '127.0.0.1'];
const SERVER: Leaf = {
  commonName: 'kube-apiserver',
  usages: ['serverAuth'],
  dns: [...NAMES, DOMAIN],
  ip: ADDRESSES,
};

/** The API server's certificate without a name. */
const unnamed = (name: string, rule: string, lost: string): Mutant =>
  onDisk(`apiserver-not-for-${name}`, `apiserver.crt is not for ${lost}`, [rule], (disk) => {
    const without = (names: readonly string[] = []): readonly string[] => names.filter((one) => one !== lost);
    return reissued('apiserver', 'ca', { ...SERVER, dns: without(SERVER.dns), ip: without(SERVER.ip) })(disk);
  });

/** The keys that a worker lacks, besides those that leave the rest of a control plane there. */
const WORKERS_LACK = [
  'ca',
  'front-proxy-ca',
  'etcd/ca',
  'sa',
  'apiserver',
  'apiserver-kubelet-client',
  'front-proxy-client',
  'etcd/server',
  'etcd/peer',
];

/** A worker that keeps one file of a control plane. */
const workerWith =
  (path: string): DiskEdit =>
  (disk) => {
    const own = [`${KUBERNETES}/kubelet.conf`, '/var/lib/kubelet/config.yaml', `${PKI}/ca.crt`, path];
    for (const there of [...disk.files.keys()]) if (!own.includes(there)) disk.files.delete(there);
  };

/** Everything that can be wrong with a pair that kubeadm would keep. */
interface Pair {
  readonly file: string;
  readonly authority: string;
  readonly rule: string;
  readonly leaf: Leaf;
  /** What its certificate must be for, and is not then. */
  readonly otherUsage?: Leaf['usages'];
  readonly isNamed?: true;
}

const PAIRS: readonly Pair[] = [
  { file: 'apiserver', authority: 'ca', rule: 'PKI-002', leaf: SERVER, otherUsage: ['clientAuth'] },
  {
    file: 'apiserver-kubelet-client',
    authority: 'ca',
    rule: 'PKI-009',
    leaf: { commonName: 'kube-apiserver-kubelet-client' },
    otherUsage: ['serverAuth'],
    isNamed: true,
  },
  {
    file: 'front-proxy-client',
    authority: 'front-proxy-ca',
    rule: 'PKI-014',
    leaf: { commonName: 'front-proxy-client' },
    otherUsage: ['serverAuth'],
    isNamed: true,
  },
  {
    file: 'etcd/server',
    authority: 'etcd/ca',
    rule: 'PKI-025',
    leaf: { commonName: 'cp-1', usages: ['serverAuth', 'clientAuth'] },
    otherUsage: ['clientAuth'],
  },
  {
    file: 'etcd/peer',
    authority: 'etcd/ca',
    rule: 'PKI-025',
    leaf: { commonName: 'cp-1', usages: ['serverAuth', 'clientAuth'] },
    otherUsage: ['serverAuth'],
  },
  {
    file: 'etcd/healthcheck-client',
    authority: 'etcd/ca',
    rule: 'PKI-025',
    leaf: { commonName: 'kube-etcd-healthcheck-client' },
  },
  {
    file: 'apiserver-etcd-client',
    authority: 'etcd/ca',
    rule: 'PKI-025',
    leaf: { commonName: 'kube-apiserver-etcd-client' },
    otherUsage: ['serverAuth'],
  },
];

const defectsOf = ({ file, authority, rule, leaf, otherUsage, isNamed }: Pair): readonly Mutant[] => {
  const name = file.replace('/', '-');
  return [
    onDisk(`${name}-of-a-stranger`, `${file}.crt is of another authority`, [rule], reissued(file, 'a stranger', leaf)),
    onDisk(
      `${name}-expired`,
      `${file}.crt has expired`,
      [rule],
      reissued(file, authority, { ...leaf, expiredDays: 2 }),
    ),
    onDisk(`${name}-of-another-key`, `${file}.key is another key`, [rule], added(`${file}.key`, strangersKey())),
    ...(otherUsage === undefined
      ? []
      : [
          onDisk(
            `${name}-for-something-else`,
            `${file}.crt is for ${otherUsage.join()} alone`,
            [rule],
            reissued(file, authority, { ...leaf, usages: otherUsage }),
          ),
        ]),
    ...(isNamed === undefined
      ? []
      : [
          onDisk(
            `${name}-of-somebody-else`,
            `${file}.crt names somebody else`,
            [rule],
            reissued(file, authority, { ...leaf, commonName: 'somebody' }),
          ),
        ]),
  ];
};

/** Authorities in whose place lies something else. */
const authorities = [
  { file: 'ca', rule: 'PKI-001' },
  { file: 'front-proxy-ca', rule: 'PKI-012' },
  { file: 'etcd/ca', rule: 'PKI-025' },
].flatMap(({ file, rule }) => {
  const name = file.replace('/', '-');
  return [
    onDisk(`${name}-of-another-key`, `${file}.key is another key`, [rule], added(`${file}.key`, strangersKey())),
    onDisk(`${name}-is-a-leaf`, `${file}.crt is no authority`, [rule], (disk) => {
      const { certificate } = issued(strangersAuthority(), { commonName: 'kubernetes' });
      return added(`${file}.crt`, certificate)(disk);
    }),
    onDisk(`${name}-of-another`, `${file}.crt is an authority that another one has signed`, [rule], (disk) => {
      const { certificate } = issued(strangersAuthority(), { commonName: 'kubernetes', isAuthority: true });
      return added(`${file}.crt`, certificate)(disk);
    }),
    onDisk(`${name}-expired`, `${file}.crt has expired`, [rule], (disk) => {
      const old = strangersAuthority('kubernetes', 3);
      return added(`${file}.crt`, old.certificate.pem)(disk);
    }),
  ];
});

/** Of a key on a curve as SEC 1 writes it; the number begins at its eighth byte. Source: RFC 5915, 3. */
function withAnotherBit(pem: string): string {
  const [begin = '', ...lines] = pem.trim().split('\n');
  const end = lines.pop() ?? '';
  const der = Buffer.from(lines.join(''), 'base64');
  der.writeUInt8(der.readUInt8(20) ^ 1, 20);
  return [begin, der.toString('base64').replace(/(.{64})(?=.)/g, '$1\n'), end, ''].join('\n');
}

export const mutants: readonly Mutant[] = [
  unnamed('service-address', 'PKI-003', '10.96.0.1'),
  ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc'].map((name) => unnamed(name, 'PKI-004', name)),
  unnamed('the-domain', 'PKI-005', DOMAIN),
  unnamed('the-node', 'PKI-006', 'cp-1'),
  unnamed('its-address', 'PKI-007', '192.0.2.10'),
  unnamed('the-endpoint', 'PKI-008', '127.0.0.1'),
  ...PAIRS.flatMap(defectsOf),
  ...authorities,
  onDisk(
    'etcd-server-for-servers',
    'etcd/server.crt is for servers alone',
    ['PKI-025'],
    reissued('etcd/server', 'etcd/ca', { commonName: 'cp-1', usages: ['serverAuth'] }),
  ),
  onDisk(
    'etcd-peer-for-clients',
    'etcd/peer.crt is for clients alone',
    ['PKI-025'],
    reissued('etcd/peer', 'etcd/ca', { commonName: 'cp-1', usages: ['clientAuth'] }),
  ),
  onDisk(
    'kubelet-client-of-nodes',
    "the API server's client certificate for kubelets is in system:nodes",
    ['PKI-010'],
    reissued('apiserver-kubelet-client', 'ca', {
      commonName: 'kube-apiserver-kubelet-client',
      organizations: [GROUP_NODES],
    }),
  ),
  onDisk('sa-of-another-key', 'sa.pub is not of sa.key', ['PKI-011'], added('sa.key', strangersKey())),
  onDisk(
    'one-authority-for-all',
    "the front proxy has the cluster's CA",
    ['PKI-013'],
    all(copied('ca.crt', 'front-proxy-ca.crt'), copied('ca.key', 'front-proxy-ca.key')),
  ),
  ...(
    [
      ['kube-apiserver', 'tls-cert-file', 'apiserver.crt'],
      ['kube-apiserver', 'client-ca-file', 'ca.crt'],
      ['kube-controller-manager', 'root-ca-file', 'ca.crt'],
    ] as const
  ).map(([component, name, file]) =>
    onDisk(
      `${name}-in-another-folder`,
      `--${name} names another folder than the other flags`,
      ['PKI-015'],
      flag(component, name, `/etc/kubernetes/ssl/${file}`),
    ),
  ),
  ...['ca.key', 'front-proxy-ca.key', 'etcd/ca.key'].map((file) =>
    onDisk(
      `${file.replace('/', '-').replace('.', '-')}-open`,
      `everybody may read ${file}`,
      ['PKI-024'],
      mode(file, 0o644),
    ),
  ),
  ...['sa', 'ca', 'etcd/peer'].map((file) =>
    onDisk(
      `${file.replace('/', '-')}-key-damaged`,
      `a bit of the private number in ${file}.key is another, its public half is as it was`,
      [file === 'sa' ? 'PKI-011' : file === 'ca' ? 'PKI-001' : 'PKI-025'],
      edited(`${file}.key`, withAnotherBit),
    ),
  ),
  ...WORKERS_LACK.map((key) =>
    onDisk(
      `worker-with-${key.replace('/', '-')}-key`,
      `a worker keeps ${key}.key`,
      ['PKI-024'],
      workerWith(`${PKI}/${key}.key`),
    ),
  ),
  ...['admin', 'super-admin', 'controller-manager', 'scheduler'].map((name) =>
    onDisk(
      `worker-with-${name}-conf`,
      `a worker keeps ${name}.conf`,
      ['PKI-024'],
      workerWith(`${KUBERNETES}/${name}.conf`),
    ),
  ),
  {
    ...onDisk(
      'renewed',
      'certificates were renewed, and backups lie beside them',
      [],
      all(
        reissued('apiserver', 'ca', SERVER),
        reissuedIn('scheduler', 'ca', { commonName: 'system:kube-scheduler' }),
        copied('apiserver.key', `${KUBERNETES}/backup/apiserver.key`),
        copied('ca.crt', `${PKI}/ca.crt.2025`),
      ),
    ),
    name: 'harmless-node-renewed',
  },
];

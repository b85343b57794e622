/**
 * Servers that are honest until they are believed, and lie then: configuration, Nodes, shared certificates, requests.
 */
import { generateKey, privateKeyPem } from '../../pki/keys.js';
import { ADDRESS_OF_IPV6, OTHER_PORT } from '../addresses.js';
import { answer, configMap, json, notFound, refusal, refusalAsSuccess } from '../answers.js';

import type { EtcdLie } from '../etcd.js';
import type { Lie, Reply, Right } from '../lie.js';
import type { Data } from '../scene.js';
import { encrypted } from '../shared-certificates.js';

const SYSTEM = '/api/v1/namespaces/kube-system';
const forbidden = (what: string): Reply =>
  refusal(403, 'Forbidden', `${what} is forbidden: User "system:bootstrap:abcdef" cannot get resource`);

/** What a request is answered at this path. */
type At = readonly [path: string, reply: Reply];
const at = (name: string, server: string, right: Right, [path, reply]: At): Lie => ({
  name,
  server,
  right,
  answer: (asked) => (asked.path === path ? reply : undefined),
});
const map = (name: string, reply: Reply): At => [`${SYSTEM}/configmaps/${name}`, reply];
const missing = (name: string): At => map(name, notFound('configmaps', name));
const closed = (name: string): At => map(name, forbidden(`configmaps "${name}"`));
const holds = (name: string, data: Data): At => map(name, json(200, configMap(name, 'kube-system', data)));

const cluster = (version: string, kubernetes = 'v1.36.1'): Data => ({
  ClusterConfiguration: [
    `apiVersion: kubeadm.k8s.io/${version}`,
    'kind: ClusterConfiguration',
    `kubernetesVersion: ${kubernetes}`,
    '',
  ].join('\n'),
});

/** The cluster is so many minors newer than who joins. */
const skewed = (name: string, server: string, right: Right, by: number): Lie => ({
  name,
  server,
  right,
  answer: ({ path }, { release }) => {
    const [, minor = ''] = release.split('.');
    const [at, reply] = holds('kubeadm-config', cluster('v1beta4', `v1.${Number(minor) + by}.0`));
    return path === at ? reply : undefined;
  },
});

/** The first time that either is asked for. */
const OF_JOINS = ['kubeadm-config', 'kubelet-config'].map((name) => `${SYSTEM}/configmaps/${name}`);

const configurations: readonly Lie[] = [
  at(
    'config-403-true',
    'kubeadm-config: 403, and the true one as its body',
    'fails later',
    map('kubeadm-config', json(403, configMap('kubeadm-config', 'kube-system', cluster('v1beta4')))),
  ),
  {
    name: 'config-late',
    onlyPlayed: 'kubeadm asks again for a third of a second, which a busy machine may not have',
    server: 'kubeadm-config and kubelet-config fail once',
    right: 'joins',
    ofKubeadm: true,
    answer: ({ path, nth }) =>
      nth === 1 && OF_JOINS.includes(path) ? refusal(500, 'InternalError', 'etcdserver: leader changed') : undefined,
  },
  at(
    'config-more-fields',
    'kubeadm-config with fields that nobody knows',
    'joins',
    holds('kubeadm-config', {
      ClusterConfiguration: `${cluster('v1beta4').ClusterConfiguration}madeUp: {of: [later]}\nnetworking: {madeUp: 1}\n`,
    }),
  ),
  at('no-kubeadm-config-cm', 'no kubeadm-config', 'fails later', missing('kubeadm-config')),
  at('no-group', 'kubeadm-config is forbidden', 'fails later', closed('kubeadm-config')),
  {
    name: 'sign-only',
    server: 'the token does not log in',
    right: 'fails later',
    answer: ({ authorization }) =>
      authorization === undefined ? undefined : refusal(401, 'Unauthorized', 'Unauthorized'),
  },
  at('config-v1beta2', 'kubeadm-config in v1beta2', 'fails later', holds('kubeadm-config', cluster('v1beta2'))),
  at('config-v1beta3', 'kubeadm-config in v1beta3', 'joins', holds('kubeadm-config', cluster('v1beta3'))),
  at(
    'config-garbage',
    'kubeadm-config is no YAML',
    'fails later',
    holds('kubeadm-config', { ClusterConfiguration: '{ [ not' }),
  ),
  at('config-key-missing', 'kubeadm-config without its key', 'fails later', holds('kubeadm-config', {})),
  skewed('version-skew-old', 'the cluster is three minors older', 'fails later', -3),
  skewed('version-skew-two', 'the cluster is two minors older', 'fails later', -2),
  skewed('version-skew-one', 'the cluster is a minor older', 'joins', -1),
  skewed('version-skew-new', 'the cluster is a minor newer', 'joins', 1),
  at('no-kube-proxy-cm', 'no kube-proxy', 'joins', missing('kube-proxy')),
  at('no-kube-proxy-binding', 'kube-proxy is forbidden', 'joins', closed('kube-proxy')),
  {
    ...at(
      'kube-proxy-500',
      'kube-proxy fails',
      'fails later',
      map('kube-proxy', refusal(500, 'InternalError', 'boom')),
    ),
    ofKubeadm: true,
  },
  at('no-kubelet-config-cm', 'no kubelet-config', 'fails later', missing('kubelet-config')),
  at('no-kubelet-config-binding', 'kubelet-config is forbidden', 'fails later', closed('kubelet-config')),
  at(
    'kubelet-config-status',
    'kubelet-config is answered by a Status of failure with 200',
    'fails later',
    map('kubelet-config', refusalAsSuccess(503, 'ServiceUnavailable', 'unavailable')),
  ),
  at(
    'kubelet-config-garbage',
    'kubelet-config is no YAML',
    'fails later',
    holds('kubelet-config', { kubelet: '{ [ not' }),
  ),
  at(
    'kubelet-config-html',
    'kubelet-config is an HTML page',
    'fails later',
    map('kubelet-config', answer(200, '<html>', 'text/html')),
  ),
];

const NODE = '/api/v1/nodes/worker-9';
const REQUESTS = '/apis/certificates.k8s.io/v1/certificatesigningrequests';

/**
 * What is true of a machine in need is that it is in need. Others than kubelets add conditions of their own, whose names
 * may hold that of theirs.
 */
const conditions = (ready: string) => [
  { type: 'MemoryPressure', status: ready === 'True' ? 'False' : 'True' },
  { type: 'DiskPressure', status: 'False' },
  { type: 'Ready', status: ready },
  { type: 'ContainerRuntimeNotReady', status: ready === 'True' ? 'False' : 'True' },
];
const node = (
  name: string,
  status?: string,
  { metadata, spec }: { readonly metadata?: object; readonly spec?: object } = {},
): Reply =>
  json(200, {
    kind: 'Node',
    apiVersion: 'v1',
    metadata: { name, ...metadata },
    ...(spec === undefined ? {} : { spec }),
    status: { conditions: status === undefined ? [] : conditions(status) },
  });

/** A Node of that name that is Ready. */
export const ready = (name: string): Reply => node(name, 'True');
/** Its machine works until its Node is gone. */
const leaving = (name: string): Reply =>
  node(name, 'True', {
    metadata: { deletionTimestamp: '2026-01-01T00:00:00Z', finalizers: ['example.com/kept'] },
    spec: { unschedulable: true },
  });

/** What is asked for once the server is believed is never answered. */
const silent: readonly Lie[] = [
  at('hang-configuration', 'kubeadm-config is never answered', 'fails later', map('kubeadm-config', 'hang')),
  at('hang-kubelet-config', 'kubelet-config is never answered', 'fails later', map('kubelet-config', 'hang')),
  { ...at('hang-node', 'Nodes are never answered', 'fails later', [NODE, 'hang']), ofKubeadm: true },
  at('hang-requests', 'requests are never answered', 'fails later', [REQUESTS, 'hang']),
  {
    ...at('hang-shared', 'kubeadm-certs is never answered', 'fails later', [`${SYSTEM}/secrets/kubeadm-certs`, 'hang']),
    told: { certificateKey: 'right' },
  },
];

const taken = (name: string, how: string, right: Right, there: (node: string) => Reply): Lie => ({
  name: `node-taken-${name}`,
  server: `a Node of that name ${how}`,
  right,
  taken: there,
});

const nodes: readonly Lie[] = [
  taken('ready', 'is Ready', 'fails later', ready),
  taken('leaving', 'is Ready, cordoned, and is being deleted', 'fails later', leaving),
  taken('not', 'is not Ready', 'joins', (name) => node(name, 'False')),
  taken('unknown', 'is unknown', 'joins', (name) => node(name, 'Unknown')),
  taken('none', 'has no conditions', 'joins', (name) => node(name)),
  ...(
    [
      ['no-get-nodes', 'Nodes are forbidden', forbidden('nodes "worker-9"')],
      ['node-unavailable', 'Nodes are never to be had', refusal(503, 'ServiceUnavailable', 'unavailable')],
      [
        'node-broken',
        'Nodes cannot be read',
        refusal(500, 'InternalError', 'etcdserver: mvcc: database space exceeded'),
      ],
      [
        'node-status',
        'Nodes are answered by a Status of failure with 200',
        refusalAsSuccess(503, 'ServiceUnavailable', ''),
      ],
    ] as const
  ).map(([name, server, reply]): Lie => ({ ...at(name, server, 'fails later', [NODE, reply]), ofKubeadm: true })),
];

/** A control plane joins. */
const shared = (name: string, server: string, right: Right, more: Partial<Lie>): Lie => ({
  name,
  server,
  right,
  ...more,
  told: { certificateKey: 'right', ...more.told },
});
const entries = (name: string, server: string, right: Right, change: (given: Record<string, Buffer>) => void): Lie =>
  shared(name, server, right, {
    sharedCertificates: (given) => {
      const changed = { ...given };
      change(changed);
      return changed;
    },
  });
const without = (entry: string): Lie =>
  entries(`cp-missing-${entry}`, `${entry} is missing in kubeadm-certs`, 'fails later', (given) => {
    delete given[entry];
  });
/** What was encrypted is the same; what shows that nobody has changed it is not. */
const otherTag = (entry: Buffer): Buffer => {
  const changed = Buffer.from(entry);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  return changed;
};
const NO_KEY = 'no key\n';
const CERTS = `${SYSTEM}/secrets/kubeadm-certs`;

const ofKubeadm = (...told: Parameters<typeof shared>): Lie => ({ ...shared(...told), ofKubeadm: true });

/** An etcd that the control plane is to join. */
const withEtcd = (name: string, server: string, right: Right, etcd: EtcdLie): Lie =>
  ofKubeadm(name, server, right, { etcd, since: 33 });
/** It has a Node for the control plane, which is to be marked. */
const marked = (name: string, server: string, right: Right, more: Partial<Lie>): Lie =>
  ofKubeadm(name, server, right, { hasNode: true, ...more });

/** What the manifests of the control plane say runs. */
const running = (name: string, server: string, right: Right, components: Lie['components'] & object): Lie =>
  ofKubeadm(name, server, right, { components, since: 33 });

const CONFIGURED = `certificatesDir: /etc/kubernetes/certs
clusterName: blue
certificateValidityPeriod: 720h0m0s
encryptionAlgorithm: ECDSA-P384
imageRepository: registry.example/blue
networking: {dnsDomain: blue.example, serviceSubnet: 172.20.0.0/16, podSubnet: 10.32.0.0/12}
apiServer:
  certSANs: [api.blue.example]
  extraArgs: [{name: audit-log-maxage, value: "7"}]
  extraVolumes: [{name: audit, hostPath: /var/log/audit, mountPath: /var/log/audit, pathType: DirectoryOrCreate}]
  extraEnvs: [{name: GOGC, value: "80"}]
controllerManager:
  extraArgs: [{name: node-cidr-mask-size, value: "25"}]
  extraEnvs: [{name: GOGC, value: "81"}]
scheduler:
  extraArgs: [{name: kube-api-qps, value: "60"}]
  extraEnvs: [{name: GOGC, value: "82"}]
etcd:
  local:
    dataDir: /var/lib/etcd-blue
    imageTag: 3.6.4-0
    extraArgs: [{name: quota-backend-bytes, value: "4294967296"}]
    extraEnvs: [{name: GOGC, value: "83"}]
`;
/** What control planes share says so. `more`: YAML of a ClusterConfiguration. */
const sharing =
  (more: string): Lie['answer'] & object =>
  ({ path }, { endpoint, release }) => {
    const text = `${cluster('v1beta4', `v${release}`).ClusterConfiguration}controlPlaneEndpoint: ${endpoint}\n${more}`;
    const [own, reply] = holds('kubeadm-config', { ClusterConfiguration: text });
    return path === own ? reply : undefined;
  };
/** A cluster that is configured otherwise than by default in all that control planes share. */
const configured = (name: string, more: Partial<Lie>): Lie =>
  ofKubeadm(name, 'honest; nothing of the control planes is as by default', 'joins', {
    answer: sharing(CONFIGURED),
    // Keys of P-384. Source: apis/kubeadm/types.go, EncryptionAlgorithmECDSAP384.
    since: 34,
    ...more,
  });

const etcds: readonly Lie[] = [
  configured('cp-configured', {}),
  configured('cp-configured-etcd', { etcd: {} }),
  withEtcd('cp-etcd', 'honest, with its etcd', 'joins', {}),
  withEtcd('cp-etcd-there', 'its etcd has a learner of the peer URL of the machine', 'joins', { isThere: true }),
  withEtcd('cp-etcd-learner', 'its etcd has a learner of another machine, which has not started', 'joins', {
    hasLearner: true,
  }),
  withEtcd('cp-etcd-slow', 'its etcd promotes a learner at the fourth time', 'joins', { isSlow: true }),
  withEtcd('cp-etcd-sick', 'its etcd has no leader', 'fails later', { isSick: true }),
  withEtcd('cp-etcd-stranger', 'its etcd has a certificate of another authority', 'fails later', { isStranger: true }),
];

const certificates: readonly Lie[] = [
  shared('cp-download-certs', 'honest', 'joins', {}),
  ofKubeadm('cp-own-port', 'honest; the API server of the machine is to have another port', 'joins', {
    told: { bindPort: OTHER_PORT },
  }),
  ofKubeadm('cp-of-ipv6', 'honest, with its etcd; the machine and Services have addresses of IPv6', 'joins', {
    etcd: {},
    since: 33,
    answer: sharing('networking: {dnsDomain: cluster.local, serviceSubnet: "fd00:10:96::/112"}\n'),
    told: { advertiseAddress: ADDRESS_OF_IPV6 },
    onlyPlayed: 'kubeadm looks first at whether its machine passes packets of IPv6 on',
  }),
  marked('cp-marked', 'honest; the Node has a taint', 'joins', {}),
  marked('cp-untainted', 'honest; the machine is told that its Node has no taint', 'joins', {
    told: { registration: { taints: [] } },
  }),
  marked(
    'cp-marks-late',
    'honest; the Node is shown late, its labels later, and the first marks are in conflict',
    'joins',
    {
      marks: 'late',
    },
  ),
  marked('cp-marks-refused', 'nobody may mark the Node', 'fails later', { marks: 'refused' }),
  running('cp-well', 'honest; what runs on the machine becomes well', 'joins', {}),
  ofKubeadm('cp-well-at-its-port', 'honest; what runs on the machine becomes well, at another port', 'joins', {
    told: { bindPort: OTHER_PORT },
    components: {},
    since: 33,
  }),
  running('cp-server-sick', 'the API server of the machine never becomes well', 'fails later', {
    sick: 'kube-apiserver',
  }),
  running('cp-controllers-sick', 'the controller manager of the machine never becomes well', 'fails later', {
    sick: 'kube-controller-manager',
  }),
  running('cp-scheduler-sick', 'the scheduler of the machine never becomes well', 'fails later', {
    sick: 'kube-scheduler',
  }),
  ...etcds,
  {
    ...shared('cp-no-endpoint', 'the cluster has no endpoint that its control planes share', 'fails later', {
      answer: ({ path }, { release }) =>
        path === `${SYSTEM}/configmaps/kubeadm-config`
          ? json(200, configMap('kubeadm-config', 'kube-system', cluster('v1beta4', `v${release}`)))
          : undefined,
    }),
    byPreflight: true,
    ofKubeadm: true,
  },
  shared('cp-upper-key', 'honest; the key in upper case', 'joins', { told: { certificateKey: 'upper' } }),
  shared('cp-wrong-key', 'honest; another key', 'fails later', { told: { certificateKey: 'wrong' } }),
  shared('cp-short-key', 'honest; a key of 62 digits', 'asks nothing', { told: { certificateKey: 'short' } }),
  shared('cp-16-byte-key', 'honest; a key of 32 digits', 'asks nothing', { told: { certificateKey: 'half' } }),
  shared('cp-long-key', 'honest; a key of 66 digits, the right one before the last two', 'asks nothing', {
    told: { certificateKey: 'long' },
  }),
  shared('cp-not-hex', 'honest; a key that is no hex', 'asks nothing', { told: { certificateKey: 'zz' } }),
  ...[
    'ca.crt',
    'ca.key',
    'sa.key',
    'sa.pub',
    'front-proxy-ca.crt',
    'front-proxy-ca.key',
    'etcd-ca.crt',
    'etcd-ca.key',
  ].map(without),
  // Who signs with it finds out. Source: crypto/x509, CreateCertificate.
  ...['ca', 'front-proxy-ca', 'etcd-ca'].map((authority) =>
    entries(`cp-other-${authority}.key`, `${authority}.key is not that of ${authority}.crt`, 'fails later', (given) => {
      given[`${authority}.key`] = encrypted(privateKeyPem(generateKey('ECDSA-P256')));
    }),
  ),
  {
    ...entries('cp-empty-ca.key', 'ca.key is empty', 'joins', (given) => {
      given['ca.key'] = Buffer.alloc(0);
    }),
    externalCa: true,
  },
  entries('cp-short-data', 'sa.key has five bytes', 'fails later', (given) => {
    given['sa.key'] = Buffer.from('short');
  }),
  entries('cp-garbage-data', 'sa.key is text', 'fails later', (given) => {
    given['sa.key'] = Buffer.alloc(60, 'x');
  }),
  entries('cp-bad-tag', 'the tag of sa.pub is another', 'fails later', (given) => {
    given['sa.pub'] = otherTag(given['sa.pub'] ?? Buffer.alloc(0));
  }),
  entries('cp-no-pem', 'sa.pub is rightly encrypted, and is no key', 'fails later', (given) => {
    given['sa.pub'] = encrypted(NO_KEY);
  }),
  shared('cp-certs-expired', 'no kubeadm-certs', 'fails later', {
    answer: ({ path }) => (path === CERTS ? notFound('secrets', 'kubeadm-certs') : undefined),
  }),
  shared('cp-certs-forbidden', 'kubeadm-certs is forbidden', 'fails later', {
    answer: ({ path }) => (path === CERTS ? forbidden('secrets "kubeadm-certs"') : undefined),
  }),
];

const signing = (name: string, server: string, right: Right, how: Lie['signing'] & string): Lie => ({
  name,
  server,
  right,
  signing: how,
});

const requests: readonly Lie[] = [
  signing('no-autoapprove', 'requests are never approved', 'fails later', 'never'),
  signing('csr-denied', 'requests are denied', 'fails later', 'denied'),
  { ...signing('csr-gone', 'the first request is deleted before it is signed', 'joins', 'gone'), ofKubeadm: true },
  signing('signer-off', 'requests are approved and never signed', 'fails later', 'no certificate'),
  signing('csr-unapproved', 'requests carry a certificate, and nobody has approved them', 'fails later', 'unapproved'),
  signing('csr-failed', 'requests have failed, and carry a certificate', 'fails later', 'failed'),
  signing('csr-other-key', 'certificates are for another key', 'fails later', 'other key'),
  {
    name: 'no-node-bootstrapper',
    server: 'requests are forbidden',
    right: 'fails later',
    answer: ({ path, method }) =>
      method === 'POST' && path.endsWith('/certificatesigningrequests')
        ? forbidden('certificatesigningrequests.certificates.k8s.io')
        : undefined,
  },
  {
    name: 'csr-401',
    server: 'its token does not log in where it makes a request',
    right: 'fails later',
    answer: ({ path, method, authorization }) =>
      method === 'POST' && path.endsWith('/certificatesigningrequests') && authorization !== undefined
        ? refusal(401, 'Unauthorized', 'Unauthorized')
        : undefined,
  },
];

/** Who has no use for it does not look. */
const isOfKubelet = ({ name }: Lie): boolean => /kubelet-config/.test(name);

export const clusterLies: readonly Lie[] = [
  ...[...configurations, ...silent].map(
    (lie): Lie => (isOfKubelet(lie) ? { ...lie, about: 'kubelet-configuration' } : lie),
  ),
  ...nodes,
  ...certificates,
  ...requests,
];

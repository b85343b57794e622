/** What others tell a machine that finds its cluster by token, told to one that finds it, or joins, in another way. */
import { answer } from '../answers.js';
import type { Lie, Told } from '../lie.js';
import { clusterInfo, payload, type Scene } from '../scene.js';
import { answerLies } from './answers.js';
import { clusterLies } from './clusters.js';
import { connectionLies } from './connections.js';
import { fileLies } from './files.js';
import { honestLies } from './honest.js';
import { kubeletLies } from './kubelets.js';
import { machineLies } from './machines.js';
import { payloadLies } from './payloads.js';
import { pinLies } from './pins.js';
import { signatureLies } from './signatures.js';
import { strangerLies } from './strangers.js';

const MINUTE = 60_000;
const slow: Lie = {
  name: 'signed-in-a-while',
  server: 'honest; signs each request after a quarter of a minute',
  right: 'joins',
  signsIn: MINUTE / 4,
};

const byName = new Map(
  [
    slow,
    ...honestLies,
    ...answerLies,
    ...connectionLies,
    ...fileLies,
    ...clusterLies,
    ...machineLies,
    ...kubeletLies,
    ...payloadLies,
    ...pinLies,
    ...signatureLies,
    ...strangerLies,
  ].map((lie) => [lie.name, lie]),
);

/** Throws where there is none: a mistake of this file. */
function named(name: string): Lie {
  const lie = byName.get(name);
  if (lie === undefined) throw new Error(`there is no lie "${name}" that could be told otherwise`);
  return lie;
}

const FILE = '/f.conf';

/** How a machine finds its cluster, or what it joins as. */
interface Way {
  readonly words: string;
  readonly told: Told;
  /** Its server has the discovery file, too. */
  readonly isServed?: true;
}

const RENOUNCED: Told = { pins: () => [], skipsPins: true };
const BY_FILE: Told = { file: (scene) => payload(scene) };
const BY_URL: Told = { path: 'https://{endpoint}/f.conf', hostTrusts: 'ca' };
const DOTTED: Told = { registration: { name: 'worker-9.rack.example' } };
const CONTROL: Told = { certificateKey: 'right' };

const WAYS = {
  unsafe: { words: 'pins renounced', told: RENOUNCED },
  cli: { words: 'flags instead of a configuration', told: { byFlags: true } },
  file: { words: 'a discovery file', told: BY_FILE },
  https: { words: 'a discovery file at an https URL', told: BY_URL, isServed: true },
  cp: { words: 'a control plane', told: CONTROL },
  old: { words: 'a configuration of v1beta3', told: { isOld: true } },
  dotted: { words: 'the machine is told a name with dots', told: DOTTED },
  'cp-unsafe': { words: 'a control plane; pins renounced', told: { ...CONTROL, ...RENOUNCED } },
  'cp-file': { words: 'a control plane; a discovery file', told: { ...CONTROL, ...BY_FILE } },
  'cp-https': {
    words: 'a control plane; a discovery file at an https URL',
    told: { ...CONTROL, ...BY_URL },
    isServed: true,
  },
  'cp-dotted': { words: 'a control plane; the machine is told a name with dots', told: { ...CONTROL, ...DOTTED } },
} as const satisfies Readonly<Record<string, Way>>;
type WayName = keyof typeof WAYS;

/** Who may be told in this way alone. */
const OF_KUBEADM: readonly WayName[] = ['old'];
/** Who is not told there for how long to wait, and waits for minutes. */
const PATIENT: readonly WayName[] = ['cli', 'old'];
const MINUTES = 'nobody waits for minutes to see whether its kubelet does';

/** Whether it is waited for, for as long as a machine is told, or as it does by itself. */
const waits = (name: WayName, { right, told = {} }: Lie): boolean =>
  PATIENT.includes(name) &&
  (right === 'fails later' || (right === 'gives up' && (name === 'cli' || told.byFlags === true)));

function inWay(name: WayName, lie: Lie): Lie {
  const way: Way = WAYS[name];
  const { file, registration, ...told } = lie.told ?? {};
  const there = way.isServed === true || file === undefined ? {} : { file };
  const own = { ...registration, ...way.told.registration };
  return {
    ...lie,
    name: `${name}-${lie.name}`,
    server: `${lie.server}; ${way.words}`,
    told: {
      ...told,
      ...there,
      ...way.told,
      ...(way.told.hostTrusts === undefined || told.hostTrusts === undefined
        ? {}
        : { hostTrusts: [...new Set([way.told.hostTrusts, told.hostTrusts].flat())] }),
      ...(Object.keys(own).length === 0 ? {} : { registration: own }),
    },
    ...(OF_KUBEADM.includes(name) ? { ofKubeadm: true as const } : {}),
    ...(waits(name, lie) ? { onlyPlayed: MINUTES } : {}),
    ...(way.isServed === true ? { answer: serving(file ?? payload, lie.answer) } : {}),
  };
}

/** The discovery file, beside what is answered. */
const serving =
  (file: (scene: Scene) => string, others: Lie['answer']): Lie['answer'] & object =>
  (asked, scene) =>
    asked.path === FILE ? answer(200, file(scene), 'text/plain') : others?.(asked, scene);

/** By token: those that are told one, and verify a signature by it. */
const BY_TOKEN = ['unsafe', 'cli', 'old', 'dotted', 'cp', 'cp-unsafe'] as const;
/** Those of them that are told a pin. */
const PINNED = ['cli', 'old', 'dotted', 'cp'] as const;
const PATIENT_BY_TOKEN = ['unsafe', 'old', 'dotted', 'cp'] as const;
const BY_EACH_FILE = ['https', 'cp', 'cp-https'] as const;
const BY_FILES = ['file', 'https', 'cp-file', 'cp-https'] as const;
/** However the cluster was found. */
const FOUND = ['unsafe', 'file', 'https', 'cp', 'dotted'] as const;
const FOUND_OR_BOTH = [...FOUND, 'cp-file'] as const;
const EVERY = [...FOUND_OR_BOTH, 'cli', 'old'] as const;
/** Of control planes. */
const PLANES = ['unsafe', 'file', 'https', 'dotted'] as const;

/** In which ways these are told as well, each under a name that begins with the way. */
const EACH: readonly (readonly [ways: readonly WayName[], ...lies: readonly string[]])[] = [
  // cluster-info
  [BY_TOKEN, 'jws-wrong-secret', 'jws-empty', 'jws-alg-none', 'jws-stale', 'jws-kid-other', 'jws-not-detached'],
  [BY_TOKEN, '503-twice', 'kc-ca-bundle-right-first', 'token-tls-other'],
  [PATIENT_BY_TOKEN, 'no-jws', 'jws-late', 'tcp-close', '404-plain', '429-for-ever', 'many-refusals'],
  [['cp-unsafe'], 'no-jws'],
  [['unsafe', 'file', 'https', 'cp', 'cp-file'], 'minutes-of-refusals'],
  [['cp'], 'second-minutes-of-refusals'],
  [['unsafe', 'cp'], 'kc-users', 'tcp-close-twice', 'cert-ip-alone-named', '401'],
  [['unsafe', 'cp', 'cp-unsafe', 'dotted'], 'jws-late-wrong'],
  [['unsafe', 'cp', 'cp-unsafe'], 'jws-stale-document', 'jws-hs512', 'jws-no-mac', 'jws-bit', 'jws-first-letter'],
  [['cp'], 'kc-insecure-later'],
  [['unsafe', 'cp'], 'kc-yaml-code', 'kc-shell-code'],
  [['unsafe', 'cli', 'cp', ...BY_FILES], 'kc-context-token', 'kc-context-plugin'],
  [['unsafe', 'cp', 'file', 'cp-file'], '503-retry-after-4'],
  [['cp'], 'pin-wrong-after-503', 'second-503-differs', 'pin-leaf', 'pin-between'],
  [['unsafe', 'cp'], 'jws-wrong-after-many'],
  [['cp'], 'pin-wrong-after-many'],
  [['file', 'cp'], 'cert-other-ca-for-long'],
  [['cp'], 'cert-expired-by-its-clock', 'cert-stale-ca'],
  [['cp'], 'pin-first-digit', 'pin-middle-digit', 'pin-last-digit'],
  [['unsafe', 'cp', 'cp-unsafe', 'file', 'cp-file'], 'huge'],
  [['cp-unsafe', 'cp-file'], 'hang-tls', 'drip'],
  [['cp', 'file'], '503-retry-after-tomorrow'],
  [['cp'], 'jws-of-tls-token', 'token-tls-refused'],
  [['cli', 'old', 'unsafe', 'cp'], 'endpoint-no-port', 'endpoint-scheme'],
  [['old', 'dotted', 'cp'], 'cert-host-ca'],
  [PINNED, 'pin-wrong', 'pin-fingerprint', 'pin-upper-hex', 'pin-short', 'pin-none', 'wrong-pin-and-unsafe'],
  [PINNED, 'pin-two-first', 'pin-two-second', 'pin-two-wrong', 'kc-ca-other', 'kc-two-clusters-second-pinned'],
  [PINNED, 'second-differs', 'second-503-once', 'pin-right-then-short'],
  [['old', 'dotted', 'cp'], 'cert-other-ca', 'tls-old-after-look'],
  [['cp', 'file', 'cp-file'], 'cert-brings-ca'],
  [['cp'], 'cert-by-leaf', 'cert-beside-ca', 'kc-ca-beside'],
  [['cp-unsafe'], 'kc-no-ca-unsafe', 'cert-other-ca-unsafe', 'kc-ca-other-unsafe'],
  // files
  [
    BY_EACH_FILE,
    'file-current-context',
    'file-other-server',
    'file-several-users',
    'file-token-inside',
    'file-other-token',
  ],
  [BY_EACH_FILE, 'file-ca-bundle', 'file-no-clusters', 'file-two-named', 'file-wrong-ca'],
  [BY_EACH_FILE, 'file-403', 'file-401', 'file-500', 'file-no-kubeconfig', 'file-other-ca', 'file-404'],
  [['cp'], 'file-ca-skip', 'file-no-jws', 'file-token-path', 'file-ca-path', 'file-client-paths', 'file-http-url'],
  [['https'], 'file-no-jws'],
  [BY_EACH_FILE, 'file-token-both'],
  [['cp'], 'file-ca-ended'],
  [['cp'], 'https-redirect-http'],
  [['cp'], 'https-unknown-ca', 'https-404', 'https-404-kubeconfig', 'https-hang'],
  // certificates of a server that was believed
  [FOUND, 'cert-expired-after-configuration', 'cert-other-name-after-configuration', 'cert-changes-after-node'],
  [FOUND, 'cert-client-eku-after-configuration', 'tls-old-after-configuration', 'cert-changes-after-request'],
  [['cp-file', 'cp-https'], 'cert-changes-after-node', 'cert-changes-after-request'],
  [['cp', 'cp-file', 'cp-https'], 'cert-changes-after-configuration'],
  [BY_FILES, ...['changes', 'other-name', 'expired', 'host-ca'].map((how) => `cert-${how}-after-look`)],
  [BY_FILES, ...['future', 'client-eku', 'by-leaf'].map((how) => `cert-${how}-after-look`)],
  [['file', 'https'], 'cert-beside-ca-after-look'],
  [['cp-unsafe'], 'cert-changes-after-look', 'cert-other-name-after-look', 'cert-changes-after-request'],
  [['file', 'https', 'cp', 'cp-file'], 'cert-changes-after-503'],
  [['file', 'cp-file'], 'cert-other-name', 'cert-expired', 'tls-old'],
  [['file'], 'cert-future', 'cert-client-eku', 'cert-host-ca', 'cert-by-leaf', 'cert-self-signed'],
  [BY_FILES, 'tls-old-once-found'],
  [['unsafe', ...BY_FILES, 'cp'], 'cookie'],
  [['unsafe', 'file'], 'cert-changes-after-login', 'cert-changes-before-download'],
  [['https'], 'cert-changes-before-download'],
  [['old', 'dotted', 'cli'], 'cert-changes-after-configuration'],
  [['cp'], 'cert-expired-after-node', 'cert-other-name-after-node', 'redirect-late', 'redirect-late-http'],
  [['unsafe', 'file'], 'redirect-late-http'],
  [['cp'], 'cert-expired', 'cert-other-name', 'cert-client-eku', 'cert-self-signed', 'tls-old', 'plain-http'],
  [['cp', 'dotted'], 'kc-server-http', 'kc-insecure-skip', 'kc-ca-file', 'kc-proxy-url'],
  // what a machine is told, and has
  [FOUND_OR_BOTH, 'node-told', 'node-patched', 'dry-run'],
  [['old'], 'node-patched'],
  [['unsafe', 'file', 'https', 'old', 'dotted'], 'ca-elsewhere'],
  [['unsafe', 'file', 'https', 'cp', 'old'], 'node-no-name', 'node-has-bootstrap-kubelet.conf'],
  [['unsafe', 'file', 'cp'], 'node-upper-case'],
  [['unsafe', ...BY_FILES, 'cp'], 'disk-closed'],
  [['unsafe', 'file', 'https', 'dotted'], 'node-has-pki-ca.crt'],
  // the cluster
  [['unsafe', 'file', 'https', 'cp'], 'no-get-nodes', 'kube-proxy-500', 'hang-configuration'],
  [['unsafe', 'file', 'https'], 'version-skew-old'],
  [['file', 'https', 'cp', 'old'], 'config-late'],
  [['unsafe', 'file', 'https', 'old'], 'no-kubeadm-config-cm'],
  [['file'], 'config-garbage'],
  [['file', 'cp'], 'no-kubelet-config-cm', 'kubelet-elsewhere', 'kubelet-silent', 'kubelet-unrotated-signed'],
  [['unsafe', 'https', 'dotted'], 'kubelet-unrotated-signed'],
  [['unsafe', ...BY_FILES, 'cp', 'old'], 'kubelet-configured-much'],
  [[...EVERY, 'cp-unsafe', 'cp-https', 'cp-dotted'], 'node-taken-ready'],
  [EVERY, 'csr-500-once'],
  [['unsafe', 'file', 'cp'], 'csr-429-twice'],
  [FOUND_OR_BOTH, 'csr-denied', 'csr-failed', 'csr-unapproved', 'csr-other-key', 'no-autoapprove', 'kubelet-unhealthy'],
  [['cp-unsafe', 'cp-https'], 'csr-denied', 'csr-failed', 'csr-unapproved', 'csr-other-key'],
  [['cp-unsafe', 'cp-https', 'cp-dotted'], 'no-autoapprove'],
  [['old'], 'no-autoapprove', 'kubelet-unhealthy'],
  [[...FOUND, 'cp-file', 'cp-https'], 'signed-in-a-while'],
  [['unsafe', 'cp', ...BY_FILES], 'signed-late', 'approved-first'],
  // kubelets
  [['unsafe', ...BY_FILES, 'cp'], 'kubelet-seconds'],
  [['file', 'cp', 'cp-https'], 'kubelet-seconds-denied'],
  [['file', 'https', 'cp'], 'kubelet-seconds-at-other-ca'],
  [['unsafe', 'file', 'https', 'cp', 'cp-file'], 'csr-look-503-once', 'csr-look-cut-once'],
  [[...EVERY, 'cp-unsafe', 'cp-https', 'cp-dotted'], 'kubelet-stays'],
  [['unsafe', 'file', 'https', 'cp', 'cp-file'], 'kubelet-renewal-denied'],
  [['unsafe', 'file'], 'kubelet-ended'],
  [['unsafe', 'file', 'cp', 'dotted'], 'kubelet-unrotated'],
  [['unsafe', 'cli', 'file', 'https', 'cp'], 'kubelet-renews-at-other-ca'],
  [['file'], 'kubelet-renewed-late'],
  [['unsafe', 'file', 'cp'], 'kubelet-registers-at-other-ca'],
  [['file', 'cp'], 'kubelet-node-there', 'kubelet-registers-late'],
  // control planes
  [
    ['old'],
    'cp-download-certs',
    'cp-empty-ca.key',
    'cp-marks-late',
    'cp-marked',
    'cp-marks-refused',
    'cp-well',
    'cp-server-sick',
    'cp-etcd',
    'cp-configured',
  ],
  [
    PLANES,
    'cp-etcd',
    'cp-etcd-sick',
    'cp-etcd-stranger',
    'cp-configured',
    'cp-marked',
    'cp-marks-late',
    'cp-untainted',
    'cp-marks-refused',
  ],
  [PLANES, 'cp-well', 'cp-server-sick', 'cp-patched', 'cp-dry-run', 'cp-wrong-key', 'cp-bad-tag', 'cp-missing-sa.key'],
  [PLANES, 'cp-not-hex', 'cp-short-key', 'cp-16-byte-key', 'cp-long-key', 'cp-no-endpoint', 'cp-no-key'],
  [
    ['unsafe', 'file'],
    'cp-well-at-its-port',
    'cp-of-ipv6',
    'cp-scheduler-sick',
    'cp-etcd-there',
    'cp-etcd-learner',
    'cp-etcd-slow',
    'cp-own-port',
    'cp-by-hand',
  ],
  [PLANES, 'cp-no-images'],
  [['unsafe', 'file', 'https'], 'cp-has-etcd', 'cp-has-kube-apiserver'],
  [['file', 'https'], 'cp-has-kubelet.conf'],
  [['https', 'dotted'], 'cp-etcd-there'],
  [['unsafe', 'file'], 'cp-empty-ca.key'],
  [['file', 'https'], 'cp-other-ca.key', 'cp-other-etcd-ca.key'],
  [['file', 'dotted'], 'cp-configured-etcd', 'cp-stale-keys', 'cp-certs-expired', 'cp-no-pem'],
];

const inEach: readonly Lie[] = EACH.flatMap(([ways, ...lies]) =>
  lies.flatMap((lie) => ways.flatMap((way) => (byName.has(`${way}-${lie}`) ? [] : [inWay(way, named(lie))]))),
);

/** Who tells the truth, in each way. */
const PLAIN_PLANES = ['cp-unsafe', 'cp-file', 'cp-https', 'cp-dotted', 'old-cp-download-certs'];
const HONEST: Readonly<Record<string, readonly string[]>> = {
  'ok-pin': [
    ...['ok-unsafe', 'cli-ok', 'file-ok', 'https-ok', 'old-ok', 'node-dotted'],
    ...['cp-download-certs', ...PLAIN_PLANES],
  ],
  'cp-download-certs': PLAIN_PLANES,
};

/** The server of this name, and those that do the same to machines that join in other ways. */
export const inEachWay = (server: string): readonly string[] => [
  server,
  ...(HONEST[server] ??
    EACH.flatMap(([ways, ...lies]) => (lies.includes(server) ? ways.map((way) => `${way}-${server}`) : []))),
];

/** Right certificate, and one of another CA once this was asked for. */
const changing = (name: string, words: string, after: RegExp, way: WayName, more: Partial<Lie> = {}): Lie => ({
  ...inWay(way, {
    name,
    server: `right certificate, and one of another CA after ${words}`,
    right: 'fails later',
    changes: { after: [after], to: 'by other ca' },
    ...more,
  }),
});

const byLocalName = ({ endpoint }: Scene): string => `https://${endpoint.replace(/^[^:]*/, 'localhost')}`;

const localFile = (scene: Scene): string => payload(scene, [{ server: byLocalName(scene) }]);
const namedByFile: Lie = { name: 'server-by-name', server: 'honest; the file names another server', right: 'joins' };

const elsewhere: readonly Lie[] = [
  ...(['https', 'cp-https'] as const).map((way) => ({
    ...inWay(way, namedByFile),
    cluster: { server: byLocalName },
    answer: serving(localFile, undefined),
  })),
  ...(['file', 'cp-file'] as const).map((way) => {
    const lie = inWay(way, namedByFile);
    return { ...lie, cluster: { server: byLocalName }, told: { ...lie.told, file: localFile } };
  }),
  ...(['unsafe', 'cp', 'cli', 'old'] as const).map((way) => ({
    ...inWay(way, { name: 'server-by-name', server: 'honest; cluster-info names another server', right: 'joins' }),
    cluster: { server: byLocalName },
    data: (scene: Scene) => clusterInfo(payload(scene, [{ server: byLocalName(scene) }])),
  })),
];

const hostOfIpv6 = ({ endpoint }: Scene): string => endpoint.replace(/^[^:]*/, '[::1]');
const serverOfIpv6 = (scene: Scene): string => `https://${hostOfIpv6(scene)}`;
const fileOfIpv6 = (scene: Scene): string => payload(scene, [{ server: serverOfIpv6(scene) }]);
const OF_IPV6: Lie = {
  name: 'server-of-ipv6',
  server: 'honest, at an address of IPv6',
  right: 'joins',
  told: { endpoint: hostOfIpv6 },
  cluster: { server: serverOfIpv6 },
  data: (scene) => clusterInfo(fileOfIpv6(scene)),
  onlyPlayed: 'who listens in real time has an address of IPv4',
};

const ofIpv6: readonly Lie[] = [
  OF_IPV6,
  ...(['unsafe', 'cli', 'old', 'dotted'] as const).map((way) => inWay(way, OF_IPV6)),
  { ...inWay('file', { ...OF_IPV6, told: {} }), told: { file: fileOfIpv6 } },
  { ...inWay('https', { ...OF_IPV6, told: {} }), answer: serving(fileOfIpv6, undefined) },
];

/** Control planes that find their cluster otherwise than by token, or have another name. */
const controlPlanes: readonly Lie[] = (['unsafe', 'file', 'https', 'dotted'] as const).map((way) => ({
  ...inWay(way, named('cp-download-certs')),
  name: `cp-${way}`,
}));

export const eachWayLies: readonly Lie[] = [
  ...inEach,
  inWay('old', { name: 'ok', server: 'honest', right: 'joins' }),
  inWay('old', {
    name: 'node-told',
    server: 'honest; the machine is told its runtime, a taint and an argument',
    right: 'joins',
    told: {
      registration: {
        criSocket: 'unix:///run/other/runtime.sock',
        taints: [{ key: 'example.com/kept', value: 'for-others', effect: 'NoSchedule' }],
        kubeletExtraArgs: [{ name: 'node-labels', value: 'example.com/rack=r7' }],
      },
    },
  }),
  ...(['unsafe', 'https'] as const).flatMap((way) => [
    changing('changes-after-configuration', 'the configuration', /\/configmaps\/kubeadm-config$/, way),
    changing('changes-after-node', 'the Node', /\/api\/v1\/nodes\/[^/]+$/, way),
  ]),
  changing('changes-after-file', 'the file', /^\/f\.conf$/, 'https', { right: 'gives up' }),
  {
    ...changing('kubelet-unrotated-changes', 'the Node', /\/api\/v1\/nodes\/[^/]+$/, 'unsafe'),
    name: 'kubelet-unrotated-changes',
    isUnrotated: true,
    ofKubeadm: true,
  },
  ...elsewhere,
  ...ofIpv6,
  ...controlPlanes,
  slow,
  {
    name: 'cli-signed-in-minutes',
    server: 'honest; signs each request after two minutes and a half; flags',
    right: 'joins',
    told: { byFlags: true },
    signsIn: 2.5 * MINUTE,
    onlyPlayed: MINUTES,
  },
];

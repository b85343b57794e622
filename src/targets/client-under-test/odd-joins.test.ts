/**
 * What the reference client makes of every lie, and of servers, files and documents that are odd in one place each:
 * src/targets/recorded/joins.txt has how it ends, what it says, whom it asks what, and what it writes;
 * join-times.txt how long it takes, and waits between what it asks.
 * `node dist/src/targets/client-under-test/odd-joins.test.js --write` writes it anew.
 */
import { configurationOfFlags, type JoinFlags, readConfiguration } from '../../joining/configuration.js';
import { type JoiningDecisions, joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { readKubeconfig, validate } from '../../joining/kubeconfig.js';
import { problemsOf } from '../../joining/validation.js';
import { KINDS } from '../../kubeadm/init/fields.js';
import { ODD, placesOf, ranges, shortened, withValue } from '../../kubeadm/odd-values.testing.js';
import type { Transcript } from '../../kubernetes/transcript.js';
import { answer, CLUSTER_INFO_PATH, configMap, json, refusal } from '../../liars/answers.js';
import type { Asked, Lie, Reply, Told } from '../../liars/lie.js';
import { clusterInfo, payload, type Scene } from '../../liars/scene.js';
import { testRecorded, toldOnce } from '../../report/recorded.testing.js';
import { packageFile } from '../../run/package-root.js';
import { lies, playLie } from './reference-client.js';

const START = Date.UTC(2026, 0, 1);
const once = toldOnce();
const known = toldOnce();
const bodies = (text: string): string => known(text).join(' ').trim();

/** Without what is random. */
const plain = (text: string): string =>
  text
    .replace(/-----BEGIN ([A-Z ]+)-----[^-]*-----END [A-Z ]+-----/g, 'PEM $1')
    .replace(/(sha256:)?\b[0-9a-f]{40,}\b/g, 'HEX')
    .replace(/[A-Za-z0-9+/_-]{64,}={0,2}/g, 'BASE64')
    .replace(/sha256:[A-Za-z0-9+/=]{20,}/g, 'sha256:BASE64')
    .replace(/kubelet-client-\d[\d-]+/g, 'kubelet-client-DATE')
    .replace(/\b(csr|node-csr|bootstrap-token)-[A-Za-z0-9_-]+/g, '$1-…')
    .replace(/\.\.[A-Za-z0-9_-]{20,}/g, '..SIGNATURE');

/** Whatever is repeated at once is told once. */
const collapsed = (all: readonly string[]): readonly string[] => all.filter((one, index) => one !== all[index - 1]);
/** Nothing goes by chance. */
const decisions: Partial<JoiningDecisions> = {
  renewalDeadline: (validity) => joiningDecisions.renewalDeadline(validity, 0.5),
};

function asked({ entries, etcd = [], components = [] }: Transcript): readonly string[] {
  const requests = entries.flatMap((entry) => {
    if (entry.kind !== 'request') return [`connection ${entry.event}`];
    const { method, target, authorization = 'nobody', clientCertificate = '', answered, body, headers } = entry;
    const type = headers['content-type'] ?? '';
    const from = target.replace('/api/v1/namespaces/kube-', '…').replace('/apis/certificates.k8s.io/v1/', '…');
    const short = from.endsWith('?timeout=10s') ? from.slice(0, -'?timeout=10s'.length) : `${from} in any time`;
    const who = authorization.replace('Bearer abcdef.0123456789abcdef', 'token');
    const what = body === '' ? '' : ` ${type} ${bodies(plain(body))}`;
    return [
      `${method} ${short} as ${who}${clientCertificate === '' ? '' : ` ${clientCertificate}`}: ${answered}${what}`,
    ];
  });
  return collapsed([
    ...requests,
    ...etcd.map(
      (one) => `etcd ${JSON.stringify(one, (key, value) => (key === 'at' || key === 'after' ? undefined : value))}`,
    ),
    ...components.map(
      (one) =>
        `component ${JSON.stringify(one, (key, value) => (key === 'at' || key === 'after' ? undefined : value))}`,
    ),
  ]);
}

function told(transcript: Transcript): readonly string[] {
  const { exit, message, said, deeds = [], files, astray = [] } = transcript;
  const did = deeds.map((deed) =>
    deed.kind === 'wrote'
      ? `wrote ${deed.path}`
      : deed.kind === 'removed'
        ? `removed ${deed.path}`
        : `ran ${deed.command} ${deed.environment}`,
  );
  const texts = Object.entries(files).flatMap(([path, { mode, text }]) =>
    once(plain(`   ${path} ${mode.toString(8)}\n${text.replace(/^/gm, '    ')}`)),
  );
  return [
    `  exit ${exit}: ${plain(message)}`,
    ...once(collapsed(said.map((line) => `   ${plain(line)}`)).join('\n')),
    ...once(
      asked(transcript)
        .map((line) => `   ${plain(line)}`)
        .join('\n'),
    ),
    ...once(
      collapsed(did.map(plain))
        .map((line) => `   ${line}`)
        .join('\n'),
    ),
    ...(astray.length === 0 ? [] : [`  astray ${astray.join(' ')}`]),
    ...texts,
  ];
}

const lines: string[] = [];
const times: string[] = [];
const record = async (name: string, lie: Lie): Promise<void> => {
  const transcript = await playLie(lie, { start: START, decisions });
  lines.push(name, ...told(transcript));
  times.push(`${name}: ${transcript.milliseconds} ms${pausesIn(transcript)}`);
};

/** ", 5000 ×12, 250": between what it asked, where it waited. */
function pausesIn({ entries, components = [] }: Transcript): string {
  const asked = [...entries, ...components].map(({ at }) => at).sort((a, b) => a - b);
  const pauses = asked.map((at, index) => at - (asked[index - 1] ?? 0)).filter((pause) => pause > 0);
  const runs: [pause: number, times: number][] = [];
  for (const pause of pauses) {
    const last = runs.at(-1);
    if (last?.[0] === pause) last[1] += 1;
    else runs.push([pause, 1]);
  }
  return runs.map(([pause, count]) => `, ${pause}${count === 1 ? '' : ` ×${count}`}`).join('');
}
for (const lie of lies) await record(lie.name, lie);

/** Servers that are odd in one answer. */
const SYSTEM = '/api/v1/namespaces/kube-system/configmaps/';
const odd = (reply: (asked: Asked, scene: Scene) => Reply | undefined, told?: Told): Lie => ({
  name: 'odd',
  server: 'is odd in one place',
  right: 'joins',
  answer: reply,
  ...(told === undefined ? {} : { told }),
});
const CONTROL_PLANE: Told = { certificateKey: 'right' };
const map = (name: string, data: Readonly<Record<string, unknown>>): Reply =>
  json(200, configMap(name, 'kube-system', data as Readonly<Record<string, string>>));
const at = (path: string, reply: Reply, told?: Told): Lie =>
  odd((asked) => (asked.path === path ? reply : undefined), told);

const CLUSTER = {
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'ClusterConfiguration',
  kubernetesVersion: 'v1.36.1',
  controlPlaneEndpoint: 'lb.example:6443',
};
const clusters: readonly unknown[] = [
  CLUSTER,
  ...[undefined, '', 'A_b', 'lb.example', '192.0.2.1:1'].map((controlPlaneEndpoint) => ({
    ...CLUSTER,
    controlPlaneEndpoint,
  })),
  ...['v1.35.0', 'v1.34.0', 'v1.33.9', 'v1.37.0', '1.36', 'x', 5, ''].map((kubernetesVersion) => ({
    ...CLUSTER,
    kubernetesVersion,
  })),
  ...['kubeadm.k8s.io/v1beta3', 'kubeadm.k8s.io/v1beta2', 'v1', '', undefined].map((apiVersion) => ({
    ...CLUSTER,
    apiVersion,
  })),
  ...['Other', ''].map((kind) => ({ ...CLUSTER, kind })),
  ...['/srv/pki', '', 'pki'].map((certificatesDir) => ({ ...CLUSTER, certificatesDir })),
  ...['registry.example/k8s', ''].map((imageRepository) => ({ ...CLUSTER, imageRepository })),
  { ...CLUSTER, clusterName: 'blue' },
  { ...CLUSTER, networking: { serviceSubnet: '10.100.0.0/16', dnsDomain: 'blue.example', podSubnet: '10.32.0.0/12' } },
  { ...CLUSTER, networking: { serviceSubnet: 'fd01::/108' } },
  {
    ...CLUSTER,
    apiServer: { certSANs: ['api.blue.example'], extraArgs: [{ name: 'v', value: '3' }] },
    controllerManager: { extraArgs: [{ name: 'v', value: '4' }] },
    scheduler: { extraArgs: [{ name: 'v', value: '5' }] },
  },
  {
    ...CLUSTER,
    etcd: {
      external: {
        endpoints: ['https://192.0.2.9:2379'],
        caFile: '/e/ca.crt',
        certFile: '/e/c.crt',
        keyFile: '/e/c.key',
      },
    },
  },
  { ...CLUSTER, etcd: { local: { dataDir: '/srv/etcd', extraArgs: [{ name: 'v', value: '6' }] } } },
  { ...CLUSTER, encryptionAlgorithm: 'ECDSA-P384', certificateValidityPeriod: '240h' },
  {
    ...CLUSTER,
    featureGates: { ControlPlaneKubeletLocalMode: false, NodeLocalCRISocket: false, EtcdLearnerMode: false },
  },
];
for (const cluster of clusters)
  for (const [way, told] of [
    ['a worker', undefined],
    ['a control plane', CONTROL_PLANE],
  ] as const)
    await record(
      `kubeadm-config says ${JSON.stringify(cluster)}, to ${way}`,
      at(`${SYSTEM}kubeadm-config`, map('kubeadm-config', { ClusterConfiguration: JSON.stringify(cluster) }), told),
    );
for (const text of ['', '[]', 'a', '{', '- a', 'a: *b'])
  await record(
    `kubeadm-config says ${text}`,
    at(`${SYSTEM}kubeadm-config`, map('kubeadm-config', { ClusterConfiguration: text })),
  );
for (const [name, data] of [
  ['kubeadm-config', {}],
  ['kubeadm-config', { ClusterConfiguration: 5 }],
  ['kubelet-config', {}],
  ['kubelet-config', { kubelet: '[]' }],
  ['kubelet-config', { kubelet: '{' }],
  [
    'kubelet-config',
    {
      kubelet:
        'kind: KubeletConfiguration\nrotateCertificates: false\nclusterDNS: [192.0.2.53]\nserverTLSBootstrap: true\n',
    },
  ],
  [
    'kubelet-config',
    {
      kubelet: 'containerRuntimeEndpoint: unix:///a\nstaticPodPath: /b\nhealthzPort: 1\nhealthzBindAddress: 0.0.0.0\n',
    },
  ],
  ['kubelet-config', { kubelet: '', other: 'a' }],
  ['kube-proxy', {}],
  ['kube-proxy', { 'config.conf': '{' }],
] as const)
  await record(`${name} has ${JSON.stringify(data)}`, at(`${SYSTEM}${name}`, map(name, data)));

/** Answers that no API server gives, or in other circumstances. */
const ANSWERS: Readonly<Record<string, Reply>> = {
  nothing: answer(200, ''),
  'no JSON': answer(200, 'hello', 'text/plain'),
  'JSON as HTML': answer(200, '{}', 'text/html'),
  'an array': json(200, []),
  null: json(200, null),
  'an object without a kind': json(200, { metadata: {} }),
  'another kind': json(200, { kind: 'Secret', apiVersion: 'v1', metadata: {} }),
  'a Status of success': json(200, { kind: 'Status', apiVersion: 'v1', status: 'Success' }),
  'a Status without a status': json(200, { kind: 'Status', apiVersion: 'v1' }),
  '201': json(201, { kind: 'ConfigMap', apiVersion: 'v1', metadata: {}, data: {} }),
  '204': answer(204, ''),
  '301': { status: 301, headers: { location: 'https://192.0.2.9/' }, body: '' },
  '302 to nowhere': { status: 302, headers: {}, body: '' },
  '307 to itself': { status: 307, headers: { location: '.' }, body: '' },
  '400': refusal(400, 'BadRequest', 'bad'),
  '401': refusal(401, 'Unauthorized', 'Unauthorized'),
  '401 in plain text': answer(401, 'no\n', 'text/plain'),
  '403': refusal(403, 'Forbidden', 'forbidden: User "a" cannot'),
  '403 without words': answer(403, ''),
  '404': refusal(404, 'NotFound', 'not found'),
  '404 in HTML': answer(404, '<html>no</html>', 'text/html'),
  '405': answer(405, 'no', 'text/plain'),
  '409': refusal(409, 'AlreadyExists', 'already exists'),
  '409 of a conflict': refusal(409, 'Conflict', 'the object has been modified'),
  '410': refusal(410, 'Gone', 'gone'),
  '422': refusal(422, 'Invalid', 'invalid'),
  '429': refusal(429, 'TooManyRequests', 'slow down', { 'retry-after': '1' }),
  '429 without a time': answer(429, ''),
  '500': refusal(500, 'InternalError', 'broken'),
  '502': answer(502, 'bad gateway', 'text/plain'),
  '503': refusal(503, 'ServiceUnavailable', 'unavailable'),
  '504': answer(504, ''),
  '600': answer(600, ''),
  'half of it': { status: 200, headers: { 'content-type': 'application/json' }, body: '{"kind":', isHalf: true },
  'a cut': 'cut',
  'a reset': 'reset',
};
const ASKED: readonly (readonly [string, RegExp, Told?])[] = [
  ['cluster-info', new RegExp(`${CLUSTER_INFO_PATH}$`)],
  ['kubeadm-config', /\/kubeadm-config$/],
  ['kube-proxy', /\/kube-proxy$/],
  ['kubelet-config', /\/kubelet-config$/],
  ['a Node', /\/nodes\/[^/]+$/],
  ['requests for certificates', /\/certificatesigningrequests$/],
  ['a request for a certificate', /\/certificatesigningrequests\/[^/]+$/],
  ['kubeadm-certs', /\/secrets\/kubeadm-certs$/, CONTROL_PLANE],
];
for (const [what, pattern, told] of ASKED)
  for (const [name, reply] of Object.entries(ANSWERS))
    for (const [often, until] of [
      ['always', 999],
      ['once', 1],
    ] as const)
      await record(
        `${what} answers ${name} ${often}`,
        odd(({ path, nth }) => (pattern.test(path) && nth <= until ? reply : undefined), {
          discoveryTimeout: 4000,
          ...told,
        }),
      );

/** Kubeconfigs of cluster-info that are signed, and odd. */
const PAYLOADS: readonly ((scene: Scene) => string)[] = [
  (scene) => payload(scene, []),
  (scene) => payload(scene, [{}, { name: 'other', server: 'https://192.0.2.9:6443' }]),
  (scene) => payload(scene, [{ name: 'other' }]),
  (scene) =>
    payload(scene, [{ name: 'other' }], { current: 'a', contexts: '[{name: a, context: {cluster: other, user: ""}}]' }),
  (scene) =>
    payload(scene, [{}, { name: 'other', server: 'https://192.0.2.9:6443' }], {
      current: 'a',
      contexts: '[{name: a, context: {cluster: other}}]',
    }),
  (scene) => payload(scene, [{}], { current: 'a' }),
  (scene) => payload(scene, [{}], { users: '[{name: a, user: {token: b}}]' }),
  (scene) => payload(scene, [{ ca: null }]),
  (scene) => payload(scene, [{ ca: '' }]),
  (scene) => payload(scene, [{ ca: 'garbage' }]),
  ...[
    '',
    'http://192.0.2.9',
    '192.0.2.9:6443',
    'https://',
    'https://192.0.2.9:99999',
    'ftp://a',
    '5',
    'https://a b',
    'https://u:p@192.0.2.9:6443',
  ].map((server) => (scene: Scene) => payload(scene, [{ server: server === '' ? '""' : server }])),
  ...[
    'insecure-skip-tls-verify: true',
    'tls-server-name: a.example',
    'proxy-url: http://127.0.0.1:1',
    'certificate-authority: /a',
    'disable-compression: true',
    'nonsense: 1',
    'insecure-skip-tls-verify: a',
  ].map((line) => (scene: Scene) => payload(scene, [{ lines: [line] }])),
  () => '',
  () => '{',
  () => '[]',
  () => 'kind: Config',
  () => 'clusters: a',
  () => 'clusters: [{name: 5, cluster: {server: 5}}]',
  (scene) => payload(scene).replace('kind: Config', 'kind: Other'),
  (scene) => payload(scene).replace('apiVersion: v1', 'apiVersion: v2'),
  (scene) => `${payload(scene)}---\n${payload(scene)}`,
  (scene) => payload(scene).replace(/^users.*$/m, 'users: []\nextensions: []\npreferences: {}'),
];
const base = { name: 'odd', server: 'says something odd', right: 'joins' } as const;
for (const [index, text] of PAYLOADS.entries())
  await record(`cluster-info has the kubeconfig ${index}`, {
    ...base,
    data: (scene) => clusterInfo(text(scene)),
    told: { discoveryTimeout: 4000 },
  });
for (const [index, file] of PAYLOADS.entries())
  for (const tlsToken of ['', undefined])
    await record(`a file has the kubeconfig ${index}${tlsToken === '' ? ', and no token is told' : ''}`, {
      ...base,
      told: { file, discoveryTimeout: 4000, ...(tlsToken === undefined ? {} : { tlsToken }) },
    });
const USERS = [
  'token: abcdef.0123456789abcdef',
  'token: ""',
  'token: x',
  'tokenFile: /t',
  'username: a, password: b',
  'client-certificate: /c, client-key: /k',
  'client-certificate-data: AAAA, client-key-data: AAAA',
  'exec: {command: a, apiVersion: client.authentication.k8s.io/v1}',
  'auth-provider: {name: gcp}',
  'as: a',
  'token: a, tokenFile: /t',
];
for (const user of USERS)
  for (const tlsToken of ['', undefined])
    await record(`a file has the user ${user}${tlsToken === '' ? ', and no token is told' : ''}`, {
      ...base,
      told: {
        file: (scene) =>
          payload(scene, [{ name: 'c' }], {
            current: 'x',
            contexts: '[{name: x, context: {cluster: c, user: u}}]',
            users: `[{name: u, user: {${user}}}]`,
          }),
        ...(tlsToken === undefined ? {} : { tlsToken }),
      },
    });

/** Kubeconfigs as they are read. */
for (const text of [
  '',
  'a',
  '[]',
  '{',
  'a: *b',
  'clusters: []',
  'clusters: {}',
  'clusters: [5]',
  'clusters: [{name: a}]',
  'clusters: [{name: a, cluster: {server: [a]}}]',
  'clusters: [{name: a, cluster: {certificate-authority-data: "?"}}]',
  'contexts: [{name: a, context: {cluster: b, user: c, namespace: d}}]\ncurrent-context: a',
  'users: [{name: a, user: {client-key-data: "?"}}]',
  'current-context: 5',
  'clusters: [{name: a, cluster: {server: a}}, {name: a, cluster: {server: b}}]',
  'clusters: [{name: a, cluster: {server: a, certificate-authority: b, certificate-authority-data: YQ==}}]',
  'clusters: [{name: a, cluster: {server: a, insecure-skip-tls-verify: true, certificate-authority-data: YQ==}}]',
  'users: [{name: a, user: {token: b, username: c}}]',
  'users: [{name: a, user: {client-certificate-data: YQ==}}]',
  'users: [{name: a, user: {client-key-data: YQ==}}]',
  'users: [{name: a, user: {exec: {}, auth-provider: {}}}]',
]) {
  const said = (act: () => unknown): string => {
    try {
      return JSON.stringify(act()) ?? 'it is';
    } catch (error) {
      if (!(error instanceof JoinFailed)) throw error;
      return error.message;
    }
  };
  lines.push(
    `the kubeconfig ${JSON.stringify(text)}`,
    `  ${said(() => readKubeconfig(text))}`,
    `  ${said(() => validate(readKubeconfig(text)))}`,
    `  ${said(() => validate(readKubeconfig(text), true))}`,
  );
}

/** What a machine may be told in a file, or by flags. */
const judgedOf = (read: () => ReturnType<typeof readConfiguration>): string => {
  try {
    const configuration = read();
    const nodeName = configuration.nodeRegistration.name || 'node-1';
    const problems = problemsOf(configuration, {
      decisions: joiningDecisions,
      nodeName,
      exists: (path) => path === '/a',
    });
    return problems.length === 0 ? `is read as ${JSON.stringify(configuration)}` : problems.join(', ');
  } catch (error) {
    if (!(error instanceof JoinFailed)) throw error;
    return error.message;
  }
};
const HONEST = {
  token: 'abcdef.0123456789abcdef',
  apiServerEndpoint: '192.0.2.1:6443',
  unsafeSkipCAVerification: true,
};
const merged = (one: unknown, other: unknown): unknown =>
  typeof one === 'object' &&
  one !== null &&
  typeof other === 'object' &&
  other !== null &&
  !Array.isArray(one) &&
  !Array.isArray(other)
    ? Object.fromEntries(
        [...new Set([...Object.keys(one), ...Object.keys(other)])].map((key) => [
          key,
          key in other
            ? merged((one as Readonly<Record<string, unknown>>)[key], (other as Readonly<Record<string, unknown>>)[key])
            : (one as Readonly<Record<string, unknown>>)[key],
        ]),
      )
    : other;
const before = new Map<string, string>();
for (const version of ['v1beta4', 'v1beta3'] as const) {
  const places = placesOf(KINDS.JoinConfiguration?.(version) ?? {}).filter(
    ([first]) => first !== 'apiVersion' && first !== 'kind',
  );
  const document = {
    apiVersion: `kubeadm.k8s.io/${version}`,
    kind: 'JoinConfiguration',
    discovery: { bootstrapToken: HONEST },
  };
  const honest = judgedOf(() => readConfiguration(JSON.stringify(document), joiningDecisions));
  if (version === 'v1beta4') lines.push('JoinConfiguration', ` ${honest}`);
  for (const place of places) {
    const said = new Map<string, number[]>();
    for (const [index, value] of ODD.entries()) {
      const words = judgedOf(() =>
        readConfiguration(JSON.stringify(merged(document, withValue(place, value))), joiningDecisions),
      );
      const short = words === honest ? 'is as without it' : shortened(words.replaceAll(JSON.stringify(value), '…'));
      said.set(short, [...(said.get(short) ?? []), index]);
    }
    const own = [...said].map(([words, indexes]) => ` ${ranges(indexes)}: ${differing(words, honest)}`);
    if (before.get(place.join('.')) !== own.join('\n'))
      lines.push(`JoinConfiguration of ${version}: ${place.join('.')}`, ...own);
    before.set(place.join('.'), own.join('\n'));
  }
}
/** What of two texts of JSON is not alike, from where they part. */
function differing(words: string, honest: string): string {
  if (!words.startsWith('is read as ')) return words;
  let start = 0;
  while (words[start] === honest[start]) start += 1;
  let end = 0;
  while (words.at(-1 - end) === honest.at(-1 - end) && end < words.length - start) end += 1;
  return `is read with ${words.slice(Math.max(0, start - 30), words.length - end + 1)}`;
}
for (const text of [
  '',
  '{}',
  'kind: JoinConfiguration',
  'a: [',
  JSON.stringify({ kind: 'JoinConfiguration', apiVersion: 'kubeadm.k8s.io/v1beta2' }),
  JSON.stringify({ kind: 'InitConfiguration', apiVersion: 'kubeadm.k8s.io/v1beta4' }),
  JSON.stringify({ kind: 'JoinConfiguration', apiVersion: 'kubeadm.k8s.io/v1beta4' }),
])
  lines.push(`told ${text}`, ` ${judgedOf(() => readConfiguration(text, joiningDecisions))}`);
const FLAGS: readonly Partial<JoinFlags>[] = [
  {},
  { token: 'abcdef.0123456789abcdef' },
  { token: 'abcdef.0123456789abcdef', discoveryToken: 'ghijkl.0123456789abcdef' },
  { token: 'abcdef.0123456789abcdef', tlsBootstrapToken: 'ghijkl.0123456789abcdef' },
  { discoveryToken: 'ghijkl.0123456789abcdef' },
  { caCertHashes: ['sha256:a,sha256:b', 'sha256:c'] },
  { unsafeSkipCAVerification: true },
  { unsafeSkipCAVerification: false },
  { discoveryFile: '/a' },
  { nodeName: 'B', criSocket: 'unix:///b' },
  { controlPlane: true },
  { controlPlane: true, certificateKey: 'a', advertiseAddress: '192.0.2.7', bindPort: 1 },
  { controlPlane: false, certificateKey: 'a' },
];
for (const flags of FLAGS)
  for (const endpoint of [undefined, '192.0.2.1:6443'])
    lines.push(
      `by flags ${JSON.stringify({ ...flags, endpoint })}`,
      ` ${judgedOf(() => configurationOfFlags({ caCertHashes: [], endpoint, ...flags }, joiningDecisions))}`,
    );

testRecorded(
  'what the reference client makes of servers',
  packageFile('src/targets/recorded'),
  new Map([
    ['joins.txt', `${lines.join('\n')}\n`],
    ['join-times.txt', `${times.join('\n')}\n`],
  ]),
);

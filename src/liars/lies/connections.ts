/** Lies below the answer: second copies that differ, certificates, connections. */
import { clusterInfoMap, isClusterInfo, json, redirect, refusal } from '../answers.js';
import type { ServingName } from '../cast.js';
import type { Accepted, Lie, Reply, Right, Told } from '../lie.js';
import { authorityPem, clusterInfo, type Data, payload, type Scene, SIGNATURE_KEY, sign } from '../scene.js';

const DAY = 24 * 3_600_000;

/** Honest once, then this. */
const second = (name: string, server: string, right: Right, data: (scene: Scene) => Data): Lie => ({
  name,
  server: `second fetch: ${server}`,
  right,
  data: (scene, nth) => (nth === 1 ? undefined : data(scene)),
});
const secondAnswer = (name: string, server: string, right: Right, reply: (scene: Scene) => Reply): Lie => ({
  name,
  server: `second fetch: ${server}`,
  right,
  answer: (asked, scene) => (isClusterInfo(asked) && asked.nth > 1 ? reply(scene) : undefined),
});

const copies: readonly Lie[] = [
  second('second-differs', 'a comment more, rightly signed', 'refuses', (scene) =>
    clusterInfo(`${payload(scene)}# more\n`),
  ),
  {
    name: 'second-same-length',
    server: 'second fetch: another comment of the same length, rightly signed',
    right: 'refuses',
    data: (scene, nth) => clusterInfo(`${payload(scene)}# ${nth === 1 ? 'one' : 'two'}\n`),
  },
  {
    name: 'second-differs-once',
    server: 'second fetch: a comment more, rightly signed; then honest',
    right: 'refuses',
    data: (scene, nth) => (nth === 2 ? clusterInfo(`${payload(scene)}# more\n`) : undefined),
  },
  second('second-server', 'another server, rightly signed', 'refuses', (scene) =>
    clusterInfo(payload(scene, [{ server: 'https://192.0.2.1:6443' }])),
  ),
  second('second-jws-bad', 'the same, wrong signature', 'joins', (scene) => clusterInfo(payload(scene), 'a..b')),
  second('second-no-jws', 'the same, no signature', 'gives up', (scene) => ({ kubeconfig: payload(scene) })),
  {
    ...secondAnswer('second-503', '503, whenever it is asked', 'gives up', () =>
      refusal(503, 'ServiceUnavailable', 'unavailable'),
    ),
    told: { discoveryTimeout: 14_000 },
  },
  secondAnswer('second-403', '403', 'gives up', () => refusal(403, 'Forbidden', 'configmaps is forbidden')),
  {
    name: 'second-503-once',
    server: 'second fetch: 503, then honest',
    right: 'joins',
    told: { discoveryTimeout: 20_000 },
    answer: (asked) =>
      isClusterInfo(asked) && asked.nth === 2 ? refusal(503, 'ServiceUnavailable', 'unavailable') : undefined,
  },
  second('second-no-kubeconfig', 'signature, no kubeconfig', 'refuses', (scene) => ({
    [SIGNATURE_KEY]: sign(payload(scene)),
  })),
  secondAnswer('second-metadata', 'other resourceVersion, one more signature', 'joins', (scene) => {
    const data = { ...clusterInfo(payload(scene)), 'jws-kubeconfig-zzzzzz': 'a..b' };
    return json(200, clusterInfoMap(data, { resourceVersion: '2' }));
  }),
  secondAnswer('hang-second', 'never answered', 'gives up', () => 'hang'),
];

/** Served under a certificate: always the same, or by the number of the connection. */
const under = (
  name: string,
  server: string,
  right: Right,
  certificate: ServingName | ((connection: number) => ServingName),
  more: Partial<Lie> = {},
): Lie => ({
  name,
  server,
  right,
  certificate: typeof certificate === 'function' ? certificate : () => certificate,
  ...more,
});
const UNSAFE = { told: { pins: () => [], skipsPins: true } };

const ELSEWHERE = '/elsewhere';
/** Whoever shows a token is sent on at the same port. */
const sendingTokens =
  (scheme: 'http' | 'https'): Lie['answer'] & object =>
  ({ authorization, path }, { endpoint }) =>
    authorization === undefined || path === ELSEWHERE ? undefined : redirect(`${scheme}://${endpoint}${ELSEWHERE}`);
const localhost = (endpoint: string): string => endpoint.replace(/^[^:]*/, 'localhost');
const ofLocalhost = (scene: Scene): Data =>
  clusterInfo(payload(scene, [{ server: `https://${localhost(scene.endpoint)}` }]));

/** Certificates that are wrong in other ways than by their authority, and one whose authority the host believes. */
export const WRONG_CERTIFICATES: readonly (readonly [
  how: string,
  words: string,
  to: ServingName,
  told?: Lie['told'],
])[] = [
  ['other-name', 'one for another name', 'other name'],
  ['expired', 'an expired one', 'expired'],
  ['future', 'one that is not yet valid', 'future'],
  ['client-eku', 'one for clients only', 'client eku'],
  ['by-leaf', 'one that a serving certificate of the cluster has issued', 'by leaf'],
  ['beside-ca', 'one of another CA, with that of the cluster behind it,', 'beside ca'],
  ['ip-as-name', 'one with the address among its DNS names', 'ip as name'],
  ['host-ca', 'one of another CA, which the host believes,', 'by other ca', { hostTrusts: 'other ca' }],
];

/** Whoever believes these once does so at each step. */
const ISSUED_ODDLY = ['by-leaf', 'beside-ca', 'ip-as-name'];

/** After the one look at cluster-info of whoever is told no pins: what comes next shows a credential, whatever it is. */
const AFTER_LOOK: typeof WRONG_CERTIFICATES = [['changes', 'one of another CA', 'by other ca'], ...WRONG_CERTIFICATES];
const LOOKED_AT = /\/cluster-info$/;

const CONFIGURED = /\/configmaps\/kubeadm-config$/;
const LOOKED_FOR = /\/api\/v1\/nodes\/[^/]+$/;

/** Steps of a join, and what they ask last. */
const TURNS: readonly (readonly [step: string, after: RegExp])[] = [
  ['configuration', CONFIGURED],
  ['kubelet-configuration', /\/configmaps\/kubelet-config$/],
  ['node', LOOKED_FOR],
  ['request', /\/certificatesigningrequests$/],
];

/** The same of joins that are not by token, or not of a worker. */
const BESIDE_TOKENS: readonly (readonly [name: string, words: string, after: RegExp, told: Told])[] = [
  [
    'file-changes-after-configuration',
    'configuration, with a discovery file',
    CONFIGURED,
    { file: (scene) => payload(scene) },
  ],
  [
    'file-changes-after-node',
    'look for its Node, with a discovery file',
    LOOKED_FOR,
    { file: (scene) => payload(scene) },
  ],
  ['cp-changes-after-node', 'look for the Node of a control plane', LOOKED_FOR, { certificateKey: 'right' }],
];

const certificates: readonly Lie[] = [
  under('cert-other-ca', 'certificate of another CA', 'gives up', 'by other ca', {
    told: { discoveryTimeout: 12_000 },
  }),
  under(
    'cert-other-ca-for-long',
    'certificate of another CA, to a machine that has time for five looks',
    'gives up',
    'by other ca',
    { told: { discoveryTimeout: 25_000 } },
  ),
  under(
    'cert-stale-ca',
    'certificate of another CA, whose certificate lies as ca.crt on the machine; its checks are passed over',
    'gives up',
    'by other ca',
    {
      told: {
        present: (scene) => ({ '/etc/kubernetes/pki/ca.crt': authorityPem(scene, 'other ca') }),
        registration: { ignorePreflightErrors: ['all'] },
      },
    },
  ),
  under('cert-other-ca-first', 'certificate of another CA on the first connection only', 'joins', (connection) =>
    connection === 1 ? 'by other ca' : 'good',
  ),
  under(
    'cert-other-ca-elsewhere',
    'the address of cluster-info is another one than was told, and under it is a certificate of another CA',
    'gives up',
    (connection) => (connection === 1 ? 'good' : 'by other ca'),
    { told: { endpoint: ({ endpoint }) => localhost(endpoint), discoveryTimeout: 12_000 } },
  ),
  under(
    'cert-ip-alone-elsewhere',
    'the address of cluster-info is a name, and under it is a certificate for addresses alone',
    'gives up',
    'ip alone',
    {
      told: { endpoint: ({ endpoint }) => localhost(endpoint), discoveryTimeout: 12_000 },
      data: ofLocalhost,
    },
  ),
  {
    ...under(
      'cert-ip-alone-named',
      'cluster-info names the server otherwise than the endpoint does, and its certificate is for addresses alone',
      'fails later',
      'ip alone',
    ),
    data: ofLocalhost,
  },
  under('cert-other-ca-unsafe', 'certificate of another CA; pins renounced', 'fails later', 'by other ca', UNSAFE),
  under('cert-host-ca', 'certificate of another CA, which the host believes', 'gives up', 'by other ca', {
    told: { hostTrusts: 'other ca' },
  }),
  under(
    'cert-host-ca-unsafe',
    'certificate of another CA, which the host believes; pins renounced',
    'fails later',
    'by other ca',
    { told: { ...UNSAFE.told, hostTrusts: 'other ca' } },
  ),
  under('cert-self-signed', 'self-signed certificate', 'gives up', 'self-signed'),
  {
    ...under(
      'cert-changes-late',
      'right certificate, and one of another CA for who asks for his own',
      'fails later',
      'good',
    ),
    changes: { after: [/\/configmaps\/kubelet-config$/, /\/nodes\/[^/]+$/], to: 'by other ca' },
  },
  {
    ...under(
      'cert-changes-before-download',
      'right certificate, and one of another CA for a control plane that has its configuration',
      'fails later',
      'good',
    ),
    changes: { after: [/\/configmaps\/kubeadm-config$/, /\/configmaps\/kubelet-config$/], to: 'by other ca' },
    told: { certificateKey: 'right' },
  },
  ...TURNS.map(
    ([step, after]): Lie => ({
      ...under(
        `cert-changes-after-${step}`,
        `right certificate, and one of another CA after the ${step}`,
        'fails later',
        'good',
      ),
      changes: { after: [after], to: 'by other ca' },
      // Whoever is answered with his certificate asks no more.
      ...(step === 'request' ? { signing: 'late' } : {}),
    }),
  ),
  ...BESIDE_TOKENS.map(
    ([name, words, after, told]): Lie => ({
      ...under(name, `right certificate, and one of another CA after the ${words}`, 'fails later', 'good'),
      changes: { after: [after], to: 'by other ca' },
      told,
    }),
  ),
  ...TURNS.filter(([step]) => step === 'configuration' || step === 'node').flatMap(([step, after]) =>
    WRONG_CERTIFICATES.filter(([how]) => step === 'configuration' || !ISSUED_ODDLY.includes(how)).map(
      ([how, words, to, told]): Lie => ({
        ...under(
          `cert-${how}-after-${step}`,
          `right certificate, and ${words} after the ${step}`,
          'fails later',
          'good',
        ),
        changes: { after: [after], to },
        ...(told === undefined ? {} : { told }),
      }),
    ),
  ),
  ...AFTER_LOOK.map(
    ([how, words, to, told]): Lie => ({
      ...under(
        `cert-${how}-after-look`,
        `right certificate, and ${words} after cluster-info; pins renounced`,
        'fails later',
        'good',
      ),
      changes: { after: [LOOKED_AT], to },
      told: { ...UNSAFE.told, ...told },
    }),
  ),
  {
    ...under(
      'cert-changes-after-503',
      '503 at the first look at cluster-info, right certificate, and one of another CA after the Node',
      'fails later',
      'good',
    ),
    changes: { after: [LOOKED_FOR], to: 'by other ca' },
    told: { discoveryTimeout: 20_000 },
    answer: (asked) =>
      isClusterInfo(asked) && asked.nth === 1 ? refusal(503, 'ServiceUnavailable', 'unavailable') : undefined,
  },
  {
    ...under(
      'kc-insecure-later',
      'insecure-skip-tls-verify beside the CA; right certificate, and one of another CA after the Node',
      'fails later',
      'good',
    ),
    changes: { after: [LOOKED_FOR], to: 'by other ca' },
    data: (scene) => clusterInfo(payload(scene, [{ lines: ['insecure-skip-tls-verify: true'] }])),
  },
  {
    ...under(
      'cert-changes-after-login',
      'right certificate, and one of another CA once somebody has shown a certificate of his own; a control plane',
      'fails later',
      'good',
    ),
    changes: { after: [/./], to: 'by other ca', isCertified: true },
    told: { certificateKey: 'right' },
    hasNode: true,
    ofKubeadm: true,
  },
  {
    ...under('redirect-late', 'sends whoever shows a token to a server of another CA', 'fails later', 'good'),
    changes: { after: [/^(?!.*\/cluster-info$)/], to: 'by other ca' },
    answer: sendingTokens('https'),
  },
  {
    ...under('redirect-late-http', 'sends whoever shows a token to http:// of the same port', 'fails later', 'good'),
    answer: sendingTokens('http'),
  },
  under('cert-other-name', 'certificate for another name', 'gives up', 'other name'),
  under('cert-no-san', 'certificate without SAN, CN 127.0.0.1', 'gives up', 'no san'),
  under('cert-by-leaf', 'certificate that a serving certificate of the cluster has issued', 'gives up', 'by leaf'),
  under('cert-beside-ca', 'certificate of another CA, with that of the cluster behind it', 'gives up', 'beside ca'),
  under('cert-brings-ca', 'certificate of another CA of the same name, which comes along', 'gives up', 'brings ca'),
  under('cert-ip-as-name', 'certificate with the address among its DNS names', 'gives up', 'ip as name'),
  under('cert-expired', 'expired certificate', 'gives up', 'expired'),
  {
    ...under(
      'cert-expired-by-its-clock',
      'expired certificate, and answers of a day on which it had not ended',
      'gives up',
      'expired',
    ),
    answer: (asked, scene) =>
      isClusterInfo(asked)
        ? json(200, clusterInfoMap(clusterInfo(payload(scene))), { date: new Date(Date.now() - 2 * DAY).toUTCString() })
        : undefined,
  },
  under('cert-expired-unsafe', 'expired certificate; pins renounced', 'fails later', 'expired', UNSAFE),
  under('cert-future', 'certificate that is not yet valid', 'gives up', 'future'),
  under('cert-client-eku', 'certificate for clients only', 'gives up', 'client eku'),
  under('cert-changes', 'right certificate twice, then one of another CA', 'joins', (connection) =>
    connection <= 2 ? 'good' : 'by other ca',
  ),
];

/** What becomes of connections. */
const accepts = (
  name: string,
  server: string,
  right: Right,
  how: Accepted | ((connection: number) => Accepted),
  more: Partial<Lie> = {},
): Lie => ({ name, server, right, accepts: typeof how === 'function' ? how : () => how, ...more });
/** Every request of cluster-info ends like this. */
const ends = (name: string, server: string, reply: Reply): Lie => ({
  name,
  server,
  right: 'gives up',
  answer: (asked) => (isClusterInfo(asked) ? reply : undefined),
});

const wire: readonly Lie[] = [
  accepts('plain-http', 'speaks HTTP without TLS', 'gives up', 'plain http'),
  accepts('tls-no-cipher', 'no cipher in common', 'gives up', 'no common cipher'),
  accepts('tls-old', 'speaks TLS 1.1 and nothing newer', 'gives up', 'old tls'),
  accepts('tls-null', 'enciphers nothing', 'gives up', 'null cipher'),
  accepts('tls-anonymous', 'shows no certificate in its handshake', 'gives up', 'anonymous cipher'),
  {
    name: 'tls-old-after-look',
    server: 'speaks TLS 1.1 and nothing newer after the first look',
    right: 'gives up',
    changes: { after: [LOOKED_AT], to: 'good', how: 'old tls' },
  },
  {
    name: 'tls-old-once-found',
    server: 'speaks TLS 1.1 and nothing newer once cluster-info was looked at; pins renounced',
    right: 'fails later',
    changes: { after: [LOOKED_AT], to: 'good', how: 'old tls' },
    ...UNSAFE,
  },
  {
    name: 'tls-old-after-configuration',
    server: 'speaks TLS 1.1 and nothing newer after the configuration',
    right: 'fails later',
    changes: { after: [/\/configmaps\/kubeadm-config$/], to: 'good', how: 'old tls' },
  },
  {
    name: 'tls-old-after-node',
    server: 'speaks TLS 1.1 and nothing newer after the node',
    right: 'fails later',
    changes: { after: [/\/api\/v1\/nodes\/[^/]+$/], to: 'good', how: 'old tls' },
  },
  accepts('tcp-close', 'closes every connection at once', 'gives up', 'closed'),
  accepts(
    'tcp-close-twice',
    'closes two connections at once, then honest',
    'joins',
    (connection) => (connection <= 2 ? 'closed' : 'tls'),
    { told: { discoveryTimeout: 20_000 } },
  ),
  { name: 'refused', server: 'nobody listens', right: 'gives up', listens: false },
  accepts('hang-tls', 'no TLS byte ever', 'gives up', 'silent'),
  ends('hang-http', 'never answers', 'hang'),
  ends('drip', 'answers 100 bytes a second', 'drip'),
  ends('cut', 'ends in the middle of the body', 'cut'),
  ends('reset', 'resets after the request', 'reset'),
];

export const connectionLies: readonly Lie[] = [...copies, ...certificates, ...wire];

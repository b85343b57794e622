/** Strangers between a client and its cluster, and what tells them apart: certificates, signatures, pins, copies. */
import { createHash } from 'node:crypto';
import { parseCertificate } from '../../pki/certificate.js';
import { answer } from '../answers.js';
import type { ServingName } from '../cast.js';
import type { Lie, Right, Told } from '../lie.js';
import { authorityPem, clusterInfo, type Data, payload, type Scene, sign, TOKEN } from '../scene.js';

const UNSAFE: Told = { pins: () => [], skipsPins: true };
const OTHER_SECRET = { secret: 'fedcba9876543210' };

/** Another CA in the payload, and a server certified by it. */
const stranger = (name: string, server: string, right: Right, data: (own: string, scene: Scene) => Data): Lie => ({
  name: `mitm-${name}`,
  server: `a stranger with a CA of its own; ${server}`,
  right,
  certificate: () => 'by other ca',
  data: (scene) => data(payload(scene, [{ ca: authorityPem(scene, 'other ca') }]), scene),
});
const guessed = (own: string): Data => clusterInfo(own, sign(own, OTHER_SECRET));

const strangers: readonly Lie[] = [
  stranger('guessed', 'signed with a secret that it guessed', 'refuses', guessed),
  {
    ...stranger('guessed-unsafe', 'signed with a secret that it guessed; pins renounced', 'refuses', guessed),
    told: UNSAFE,
  },
  stranger('stolen-signature', 'under the signature of the true payload', 'refuses', (own, scene) =>
    clusterInfo(own, sign(payload(scene))),
  ),
  stranger('no-signature', 'without a signature', 'gives up', (own) => ({ kubeconfig: own })),
  {
    name: 'pin-wrong-and-stranger',
    server: 'certificate of another CA; wrong pin',
    right: 'refuses',
    certificate: () => 'by other ca',
    told: { pins: (of) => [of('expired ca')] },
  },
  {
    name: 'jws-wrong-and-stranger',
    server: 'certificate of another CA; wrong signature',
    right: 'refuses',
    certificate: () => 'by other ca',
    data: (scene) => clusterInfo(payload(scene), sign(payload(scene), OTHER_SECRET)),
  },
];

/** Signatures that are wrong, told to a client that renounces pins. */
const unsafeSignatures: readonly Lie[] = (
  [
    ['wrong-secret', "signed with another token's secret", (text) => sign(text, OTHER_SECRET)],
    ['garbage', 'no base64 at all', () => '***'],
    ['empty', 'the signature is empty', () => ''],
    ['alg-none', 'alg none, right HMAC-SHA256 over it', (text) => sign(text, { header: '{"alg":"none"}' })],
  ] as const satisfies readonly (readonly [string, string, (text: string) => string])[]
).map(([name, server, make]) => ({
  name: `unsafe-jws-${name}`,
  server: `${server}; pins renounced`,
  right: 'refuses',
  told: UNSAFE,
  data: (scene) => clusterInfo(payload(scene), make(payload(scene))),
}));

const digest = (bytes: string | Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
const wrongPin = (name: string, server: string, pins: Told['pins'] & object): Lie => ({
  name: `pin-${name}`,
  server: `honest; ${server}`,
  right: 'refuses',
  told: { pins },
});
/** Bytes of the key itself, without the algorithm: the last 65 of an uncompressed point. */
const POINT = 65;

const pins: readonly Lie[] = [
  wrongPin('md5', 'format md5', (of) => [`md5:${of('ca').slice(7, 39)}`]),
  wrongPin('pem', 'hash of the PEM text of the CA', (_, scene) => [digest(authorityPem(scene, 'ca'))]),
  wrongPin('bits', 'hash of the key without its algorithm', (_, { cast }) => [
    digest(parseCertificate(cast.authorities.ca.certificate.der).spki.subarray(-POINT)),
  ]),
  wrongPin('right-then-bad', 'the right pin and a malformed one', (of) => [of('ca'), 'sha256:xyz']),
  wrongPin('right-then-empty', 'the right pin and an empty one', (of) => [of('ca'), '']),
  {
    name: 'pin-p384',
    server: 'honest, with a CA whose key is of another curve; its pin',
    right: 'joins',
    told: { pins: (of) => [of('p384 ca')] },
    cluster: { ca: 'p384 ca' },
    certificate: () => 'by p384 ca',
    data: (scene) => clusterInfo(payload(scene, [{ ca: authorityPem(scene, 'p384 ca') }])),
  },
];

/** A cluster that is right, and whose authority is another than those of the other servers. */
const ofAuthority = (
  name: string,
  server: string,
  ca: 'rsa ca' | 'named ca',
  more: Partial<Lie> = {},
): readonly Lie[] => {
  const text = (scene: Scene): string => payload(scene, [{ ca: authorityPem(scene, ca) }]);
  const lie = (way: string, words: string, told: Told): Lie => ({
    name: `${way}${name}`,
    server: `honest; ${server}${words}`,
    right: 'joins',
    told,
    cluster: { ca },
    certificate: () => `by ${ca}`,
    data: (scene) => clusterInfo(text(scene)),
    ...more,
  });
  return [
    lie('', '', { pins: (of) => [of(ca)] }),
    lie('unsafe-', '; pins renounced', UNSAFE),
    lie('cli-', '; flags instead of a configuration', { pins: (of) => [of(ca)], byFlags: true }),
    lie('file-', '; a discovery file', { file: text }),
  ];
};
/** Milliseconds: less than the hundred years of that authority. */
const NINETY_YEARS = 90 * 365 * 86_400_000;
const authorities: readonly Lie[] = [
  ...ofAuthority('ca-rsa', 'the key of its CA is one of RSA', 'rsa ca'),
  ...ofAuthority(
    'ca-named',
    'its CA has another name, and lives for a century, as what it signs nearly does',
    'named ca',
    {
      certificateLife: NINETY_YEARS,
    },
  ),
];

const first = (name: ServingName): Lie => ({
  name: `cert-${name.replaceAll(' ', '-')}-first`,
  server: `certificate that is wrong ("${name}") on the first connection only`,
  right: 'joins',
  certificate: (connection) => (connection === 1 ? name : 'good'),
});
const unsafe = (name: string, server: string, certificate: (connection: number) => ServingName): Lie => ({
  name: `cert-${name}-unsafe`,
  server: `${server}; pins renounced`,
  right: 'fails later',
  told: UNSAFE,
  certificate,
});

const certificates: readonly Lie[] = [
  ...(['self-signed', 'expired', 'future', 'other name'] as const).map(first),
  unsafe('self-signed', 'self-signed certificate', () => 'self-signed'),
  unsafe('other-name', 'certificate for another name', () => 'other name'),
  unsafe('changes', 'right certificate once, then one of another CA', (connection) =>
    connection === 1 ? 'good' : 'by other ca',
  ),
];

const second = (name: string, server: string, data: (scene: Scene) => string): Lie => ({
  name: `second-${name}`,
  server: `second fetch: ${server}, rightly signed`,
  right: 'refuses',
  data: (scene, nth) => (nth === 1 ? undefined : clusterInfo(data(scene))),
});

const copies: readonly Lie[] = [
  second('ca', 'another CA', (scene) => payload(scene, [{ ca: authorityPem(scene, 'other ca') }])),
  second('newline', 'a newline more', (scene) => `${payload(scene)}\n`),
];

const byName = ({ endpoint }: Scene): string => `https://${endpoint.replace(/^[^:]*/, 'localhost')}`;
const MORE: readonly string[] = ['extensions: [{name: x, extension: {a: 1}}]', 'made-up-field: 1'];

/** As client-go takes a server: at the port of https where it names none, and one slash before every path. */
const OTHERWISE: readonly (readonly [name: string, server: string, make: (scene: Scene) => string])[] = [
  ['server-no-port', 'cluster-info names it without a port', () => 'https://localhost'],
  ['server-slash', 'cluster-info names it with a slash behind it', ({ endpoint }) => `https://${endpoint}/`],
  [
    'server-mapped',
    'cluster-info names it by an IPv4 address written as one of IPv6',
    ({ endpoint }) => `https://[::ffff:127.0.0.1]${endpoint.replace(/^.*(?=:)/, '')}`,
  ],
];

const payloads: readonly Lie[] = [
  {
    name: 'server-by-name',
    server: 'honest; cluster-info names it otherwise than the endpoint does',
    right: 'joins',
    cluster: { server: byName },
    data: (scene) => clusterInfo(payload(scene, [{ server: byName(scene) }])),
  },
  ...OTHERWISE.map(
    ([name, server, make]): Lie => ({
      name,
      server: `honest; ${server}`,
      right: 'joins',
      ofKubeadm: true,
      cluster: { server: make },
      data: (scene) => clusterInfo(payload(scene, [{ server: make(scene) }])),
      onlyPlayed: 'nobody listens there in real time',
    }),
  ),
  {
    name: 'payload-more',
    server: 'honest; fields that nobody knows',
    right: 'joins',
    data: (scene) =>
      clusterInfo(`${payload(scene, [{ lines: MORE }])}preferences: {colors: true}\nmade-up-list: [1, 2]\n`),
  },
];

const CONTEXT = { contexts: '[{name: c, context: {cluster: named, user: u}}]', current: 'c' };
const fileWith = (token: string) => (scene: Scene) =>
  payload(scene, [{ name: 'named' }], { ...CONTEXT, users: `[{name: u, user: {token: ${token}}}]` });

const files: readonly Lie[] = [
  {
    name: 'file-cert-other-ca',
    server: 'certificate of another CA than that of the file',
    right: 'gives up',
    told: { file: (scene) => payload(scene) },
    certificate: () => 'by other ca',
  },
  {
    name: 'file-ca-skip',
    server: 'certificate of another CA than that of the file, which says insecure-skip-tls-verify as well',
    right: 'refuses',
    told: { file: (scene) => payload(scene, [{ lines: ['insecure-skip-tls-verify: true'] }]) },
    certificate: () => 'by other ca',
  },
  {
    name: 'file-token-both',
    server: 'honest; file with a token, and another for TLS bootstrap',
    right: 'joins',
    told: { file: fileWith('uvwxyz.0123456789abcdef'), tlsToken: TOKEN },
  },
  {
    name: 'file-token-opaque',
    server: 'honest; file with a token of another form than bootstrap tokens have',
    right: 'joins',
    told: { file: fileWith('Opaque_Token~9'), tlsToken: '' },
    cluster: { token: 'Opaque_Token~9' },
  },
  ...(['expired', 'other name', 'self-signed'] as const).map(
    (certificate): Lie => ({
      name: `https-${certificate.replace(' ', '-')}`,
      server: `serves the file under a certificate that is wrong ("${certificate}"), everything else under a right one`,
      right: 'refuses',
      told: { path: 'https://{endpoint}/f.conf', hostTrusts: 'ca' },
      certificate: () => certificate,
      changes: { after: [/^\/f\.conf$/], to: 'good' },
      answer: ({ path }, scene) => (path === '/f.conf' ? answer(200, payload(scene), 'text/plain') : undefined),
    }),
  ),
];

export const strangerLies: readonly Lie[] = [
  ...strangers,
  ...unsafeSignatures,
  ...pins,
  ...authorities,
  ...certificates,
  ...copies,
  ...payloads,
  ...files,
];

/** Signatures that are not the one canonical form, whether their MAC fits or not. */
import type { Lie } from '../lie.js';
import {
  authorityPem,
  clusterInfo,
  HEADER,
  payload,
  type Signing,
  sign,
  signatureParts,
  TOKEN,
  TOKEN_ID,
  TOKEN_SECRET,
} from '../scene.js';

const other = 'fedcba9876543210';
const text = (value: object): string => JSON.stringify(value);
const encoded = (value: string | Buffer): string => Buffer.from(value).toString('base64url');

const otherCase = (letters: string): string =>
  letters.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()));
const afterDots = (signature: string, change: (mac: string) => string): string => signature.replace(/[^.]*$/, change);

/** A signature by the content that it is about. */
type Make = (content: string) => string;
const signedAs =
  (signing: Signing): Make =>
  (content) =>
    sign(content, signing);
const changed =
  (change: (signature: string) => string): Make =>
  (content) =>
    change(sign(content));
const withHeader = (header: string): Make => signedAs({ header });
/** The alphabet's letter at the place of another whose low bits count for nothing. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const neighbour = (letter: string): string => ALPHABET[ALPHABET.indexOf(letter) ^ 1] ?? '';
const afterLast = (signature: string, last: (letter: string) => string): string =>
  signature.slice(0, -1) + last(signature.slice(-1));

const FORMS: readonly (readonly [name: string, server: string, make: Make])[] = [
  ['jws-empty', 'the signature is empty', () => ''],
  ['jws-blank', 'the signature is a blank', () => ' '],
  ['jws-wrong-secret', "signed with another token's secret", signedAs({ secret: other })],
  ['jws-no-secret', 'signed with an empty secret', signedAs({ secret: '' })],
  ['jws-id-secret', 'signed with the token id', signedAs({ secret: TOKEN_ID })],
  [
    'jws-half-secret',
    "signed with the first half of the token's secret",
    signedAs({ secret: TOKEN_SECRET.slice(0, 8) }),
  ],
  ['jws-full-token', 'signed with the whole token', signedAs({ secret: TOKEN })],
  ['jws-bit', 'last letter of the signature changed', changed((one) => afterLast(one, (l) => (l === 'A' ? 'Q' : 'A')))],
  [
    'jws-first-letter',
    'first letter of the signature changed',
    changed((one) => afterDots(one, (mac) => (mac[0] === 'A' ? 'B' : 'A') + mac.slice(1))),
  ],
  ['jws-cut', 'the last letter of the signature is missing', changed((one) => one.slice(0, -1))],
  ['jws-no-mac', 'the right header, and nothing after the dots', changed((one) => one.replace(/[^.]*$/, ''))],
  ['jws-other-case', 'letters of the signature in the other case', changed((one) => afterDots(one, otherCase))],
  ['jws-lastbits', 'only low bits that count for nothing changed', changed((one) => afterLast(one, neighbour))],
  ['jws-alg-none', 'alg none, no signature', () => `${encoded(text({ alg: 'none', kid: TOKEN_ID }))}..`],
  ['jws-alg-none-signed', 'alg none, right HMAC-SHA256 over it', withHeader(text({ alg: 'none', kid: TOKEN_ID }))],
  ['jws-hs512', 'alg HS512, right', signedAs({ header: text({ alg: 'HS512', kid: TOKEN_ID }), hash: 'sha512' })],
  ['jws-hs384', 'alg HS384, right', signedAs({ header: text({ alg: 'HS384', kid: TOKEN_ID }), hash: 'sha384' })],
  ['jws-hs512-sha256', 'says HS512, HMAC-SHA256 over it', withHeader(text({ alg: 'HS512', kid: TOKEN_ID }))],
  ['jws-rs256', 'says RS256, HMAC-SHA256 over it', withHeader(text({ alg: 'RS256', kid: TOKEN_ID }))],
  ['jws-alg-lower', 'alg in lower case, right', withHeader(text({ alg: 'hs256', kid: TOKEN_ID }))],
  ['jws-no-alg', 'no alg', withHeader(text({ kid: TOKEN_ID }))],
  ['jws-kid-other', 'kid of another token, right over it', withHeader(text({ alg: 'HS256', kid: 'zzzzzz' }))],
  [
    'jws-kid-longer',
    'kid that begins with the own id, right over it',
    withHeader(text({ alg: 'HS256', kid: `${TOKEN_ID}x` })),
  ],
  [
    'jws-kid-upper',
    'the own id in upper case as kid, right over it',
    withHeader(text({ alg: 'HS256', kid: TOKEN_ID.toUpperCase() })),
  ],
  ['jws-kid-none', 'no kid, right', withHeader(text({ alg: 'HS256' }))],
  ['jws-key-order', 'kid before alg, right', withHeader(text({ kid: TOKEN_ID, alg: 'HS256' }))],
  ['jws-extra-typ', 'one more header field, right', withHeader(text({ alg: 'HS256', kid: TOKEN_ID, typ: 'JWT' }))],
  [
    'jws-crit',
    'crit b64, HMAC over the encoded payload',
    withHeader(text({ alg: 'HS256', b64: false, crit: ['b64'], kid: TOKEN_ID })),
  ],
  ['jws-space-header', 'blanks in the header, right', withHeader(`{"alg": "HS256", "kid": "${TOKEN_ID}"}`)],
  ['jws-dup-alg', 'alg twice, right', withHeader(`{"alg":"none","alg":"HS256","kid":"${TOKEN_ID}"}`)],
  ['jws-header-not-json', 'the header is no JSON', withHeader('HS256')],
  ['jws-not-detached', 'the payload inside, right', (content) => Object.values(signatureParts(content)).join('.')],
  [
    'jws-other-payload-inside',
    'another payload inside, right over the kubeconfig',
    changed((one) => one.replace('..', `.${encoded('another')}.`)),
  ],
  ['jws-4-segments', 'a fourth segment', changed((one) => `${one}.AAAA`)],
  ['jws-2-segments', 'one dot only', changed((one) => one.replace('..', '.'))],
  ['jws-pad-signature', '"=" after the signature', changed((one) => `${one}=`)],
  [
    'jws-pad-header',
    'padding after the header',
    changed((one) => one.replace('..', `${'='.repeat((4 - (encoded(HEADER).length % 4)) % 4 || 1)}..`)),
  ],
  [
    'jws-std-base64',
    'the other base64 alphabet, padded',
    (content) => {
      const { header, mac } = signatureParts(content);
      return `${header}..${Buffer.from(mac, 'base64url').toString('base64')}`;
    },
  ],
  ['jws-newline', 'a newline after the signature', changed((one) => `${one}\n`)],
  ['jws-garbage', 'no base64 at all', () => '***'],
  [
    'jws-json',
    'flattened JSON serialization, detached, right',
    (content) => {
      const { header, mac } = signatureParts(content);
      return text({ protected: header, signature: mac });
    },
  ],
];

export const signatureLies: readonly Lie[] = [
  ...FORMS.map(
    ([name, server, make]): Lie => ({
      name,
      server,
      right: 'refuses',
      data: (scene) => clusterInfo(payload(scene), make(payload(scene))),
    }),
  ),
  {
    name: 'jws-elsewhere',
    server: "its signature under another token's id, and none that is one under its own",
    right: 'refuses',
    data: (scene) => ({ ...clusterInfo(payload(scene), 'a..b'), 'jws-kubeconfig-zzzzzz': sign(payload(scene)) }),
  },
  {
    name: 'jws-stale',
    server: 'the kubeconfig was changed after it was signed',
    right: 'refuses',
    data: (scene) => clusterInfo(`${payload(scene)}\n`, sign(payload(scene))),
  },
  {
    name: 'jws-stale-comment',
    server: 'a comment stands in the kubeconfig that was not there when it was signed',
    right: 'refuses',
    data: (scene) => clusterInfo(`# more\n${payload(scene)}`, sign(payload(scene))),
  },
  {
    name: 'jws-stale-end',
    server: 'blanks and line ends at the end of the kubeconfig were not there when it was signed',
    right: 'refuses',
    data: (scene) => clusterInfo(`${payload(scene).trim()} \n\n`, sign(payload(scene).trim())),
  },
  {
    name: 'jws-stale-line-end',
    server: 'the last line ended once more when the kubeconfig was signed',
    right: 'refuses',
    data: (scene) => clusterInfo(payload(scene), sign(`${payload(scene)}\n`)),
  },
  {
    name: 'jws-stale-document',
    server: 'another document, with the CA of somebody else, stands behind the one that was signed',
    right: 'refuses',
    data: (scene) =>
      clusterInfo(
        `${payload(scene)}---\n${payload(scene, [{ ca: authorityPem(scene, 'other ca') }])}`,
        sign(payload(scene)),
      ),
  },
  {
    name: 'jws-stale-lines',
    server: 'lines end with CR LF, and ended with LF when it was signed',
    right: 'refuses',
    data: (scene) => clusterInfo(payload(scene).replaceAll('\n', '\r\n'), sign(payload(scene))),
  },
];

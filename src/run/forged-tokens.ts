/** Tokens of service accounts as attackers make them: without the key of the cluster, or of a good token. */
import { createHmac, createPublicKey, type KeyObject } from 'node:crypto';
import type { Account } from '../checks/authenticators/service-accounts.js';
import { record } from '../kubernetes/json.js';
import { publicAnew } from '../pki/keys.js';
import { bodyOf, boundClaims, type Part, secretClaims, signed as signedBy } from './token-parts.js';

/** What everybody may know of a cluster. */
export interface Known {
  readonly issuer: string;
  /** JSON Web Keys, as /openid/v1/jwks shows them. */
  readonly keys: readonly Readonly<Record<string, unknown>>[];
  /** Whom the token is to name. */
  readonly account: Account;
  /** A private key that the cluster does not know, of the kind of its own. */
  readonly stranger: KeyObject;
  /** Seconds since the epoch. */
  readonly now: number;
}

/** Nobody listens there. */
const ELSEWHERE = 'https://127.0.0.1:1';

const hmac = (body: string, secret: string | Buffer): string =>
  `${body}.${createHmac('sha256', secret).update(body).digest('base64url')}`;

const claimsOf = ({ account, issuer, now }: Known): Part => ({
  ...boundClaims(account, { issuer, audience: issuer, now }),
  jti: '6f1c1c2e-0d3b-4b0e-9d47-6a1f6f3f5b11',
});
const legacyClaims = ({ account }: Known): Part => secretClaims(account, `${account.name}-token`);
const signed = (header: Part, claims: Part, { stranger }: Known): string =>
  signedBy(stranger, { typ: 'JWT', ...header }, claims);

const publicKey = ({ keys: [key = {}] }: Known): KeyObject => createPublicKey({ key: { ...key }, format: 'jwk' });
const pemOf = (known: Known, type: 'spki' | 'pkcs1' = 'spki'): string =>
  publicKey(known)
    .export({ type: type as 'spki', format: 'pem' })
    .toString();
const kidOf = ({ keys: [key] }: Known): Part => (typeof key?.kid === 'string' ? { kid: key.kid } : {});
const HS256 = { alg: 'HS256', typ: 'JWT' };

/** Made without a token, by what is wrong with them. */
const FROM_SCRATCH: Readonly<Record<string, (known: Known) => string>> = {
  'unsigned, of the algorithm none': (known) => `${bodyOf({ alg: 'none', typ: 'JWT' }, claimsOf(known))}.`,
  'of the algorithm none, with a signature': (known) => `${bodyOf({ alg: 'none' }, claimsOf(known))}.AAAA`,
  'of the algorithm None, with a signature': (known) =>
    `${bodyOf({ alg: 'None', ...kidOf(known) }, claimsOf(known))}.AAAA`,
  'without an algorithm, with a signature': (known) => `${bodyOf(kidOf(known), claimsOf(known))}.AAAA`,
  'signed with the public key as a password': (known) =>
    hmac(bodyOf({ ...HS256, ...kidOf(known) }, claimsOf(known)), pemOf(known)),
  'signed with the public key as a password, without its end of line': (known) =>
    hmac(bodyOf(HS256, claimsOf(known)), pemOf(known).trimEnd()),
  'signed with the bytes of the public key as a password': (known) =>
    hmac(
      bodyOf({ ...HS256, ...kidOf(known) }, claimsOf(known)),
      publicKey(known).export({ type: 'spki', format: 'der' }),
    ),
  'signed with an empty password': (known) =>
    hmac(bodyOf({ ...HS256, kid: '../../../../dev/null' }, claimsOf(known)), ''),
  'signed with another key': (known) => signed({}, claimsOf(known), known),
  "signed with another key, under the cluster's key id": (known) => signed(kidOf(known), claimsOf(known), known),
  'signed with another key, which comes along': (known) =>
    signed({ jwk: publicAnew(known.stranger).export({ format: 'jwk' }) }, claimsOf(known), known),
  'signed with another key, which lies elsewhere': (known) =>
    signed({ jku: `${ELSEWHERE}/jwks`, kid: 'elsewhere' }, claimsOf(known), known),
  'of a Secret, signed with another key': (known) => signed({}, legacyClaims(known), known),
  'of a Secret, of the algorithm none': (known) => `${bodyOf({ alg: 'none' }, legacyClaims(known))}.AAAA`,
  'of another issuer, signed with another key': (known) =>
    signed(kidOf(known), { ...claimsOf(known), iss: ELSEWHERE }, known),
};

/** undefined where nobody knows how. Throws where the cluster's first key is none. */
export const forged = (how: string, known: Known): string | undefined => FROM_SCRATCH[how]?.(known);

/** A good token in its three parts. */
interface Parts {
  readonly head: string;
  readonly body: string;
  readonly signature: string;
  /** Another good token of the same account. */
  readonly other: string;
}

function flipped(part: string, at: (length: number) => number): string {
  const bytes = Buffer.from(part, 'base64url');
  const index = at(bytes.length);
  bytes[index] = (bytes[index] ?? 0) ^ 1;
  return bytes.toString('base64url');
}
/** What is signed, with other fields in the header or in the claims; the signature stays. */
function changed({ head, body, signature }: Parts, fields: { readonly head?: Part; readonly body?: Part }): string {
  const edit = (part: string, more: Part = {}): Part => ({
    ...record(JSON.parse(Buffer.from(part, 'base64url').toString())),
    ...more,
  });
  return `${bodyOf(edit(head, fields.head), edit(body, fields.body))}.${signature}`;
}
const resigned = ({ head, body }: Parts, signature: string): string => `${head}.${body}.${signature}`;

const CHANGES: Readonly<Record<string, (parts: Parts) => string>> = {
  'the first bit of its signature': (parts) =>
    resigned(
      parts,
      flipped(parts.signature, () => 0),
    ),
  'a bit in the middle of its signature': (parts) =>
    resigned(
      parts,
      flipped(parts.signature, (length) => length >> 1),
    ),
  'the last bit of its signature': (parts) =>
    resigned(
      parts,
      flipped(parts.signature, (length) => length - 1),
    ),
  'no signature': (parts) => resigned(parts, ''),
  'two parts only': ({ head, body }) => `${head}.${body}`,
  'a fourth part': (parts) => resigned(parts, `${parts.signature}.${parts.signature}`),
  'half of its signature': (parts) => resigned(parts, parts.signature.slice(0, parts.signature.length >> 1)),
  'a signature of zeros': (parts) =>
    resigned(parts, Buffer.alloc(Buffer.from(parts.signature, 'base64url').length).toString('base64url')),
  'a signature of ones': (parts) =>
    resigned(parts, Buffer.alloc(Buffer.from(parts.signature, 'base64url').length, 0xff).toString('base64url')),
  'a byte behind its signature': (parts) =>
    resigned(parts, Buffer.concat([Buffer.from(parts.signature, 'base64url'), Buffer.alloc(1)]).toString('base64url')),
  'its signature twice': (parts) =>
    resigned(parts, Buffer.concat([1, 2].map(() => Buffer.from(parts.signature, 'base64url'))).toString('base64url')),
  'the signature of another token': (parts) => resigned(parts, parts.other.split('.')[2] ?? ''),
  'another account as its subject': (parts) =>
    changed(parts, { body: { sub: 'system:serviceaccount:kube-system:default' } }),
  'another account in its claims': (parts) =>
    changed(parts, {
      body: { 'kubernetes.io': { namespace: 'kube-system', serviceaccount: { name: 'default', uid: 'another' } } },
    }),
  'a later end': (parts) => changed(parts, { body: { exp: 4_102_444_800 } }),
  'another issuer': (parts) => changed(parts, { body: { iss: ELSEWHERE } }),
  'the algorithm none': (parts) => changed(parts, { head: { alg: 'none' } }),
  'the algorithm none, and no signature': (parts) => changed({ ...parts, signature: '' }, { head: { alg: 'none' } }),
  'another key id': (parts) => changed(parts, { head: { kid: 'another' } }),
};

/** A good token with something changed; undefined where nobody knows how. */
export function tampered(how: string, token: string, other: string): string | undefined {
  const [head = '', body = '', signature = ''] = token.split('.');
  return CHANGES[how]?.({ head, body, signature, other });
}

/** What tokens of service accounts are made of, whoever signs them, and whatever is wrong with them. */
import { type KeyObject, sign } from 'node:crypto';
import type { Account } from '../checks/authenticators/service-accounts.js';
import { accountUser } from '../kubernetes/names.js';
import { publicAnew } from '../pki/keys.js';

export type Part = Readonly<Record<string, unknown>>;

const encoded = (part: Part): string => Buffer.from(JSON.stringify(part)).toString('base64url');
/** Header and claims, as they are signed. */
export const bodyOf = (header: Part, claims: Part): string => `${encoded(header)}.${encoded(claims)}`;

const ALGORITHMS: Readonly<Record<string, readonly [alg: string, digest: string]>> = {
  prime256v1: ['ES256', 'sha256'],
  secp384r1: ['ES384', 'sha384'],
  secp521r1: ['ES512', 'sha512'],
};

/** Of the algorithm of the key, where the header names no other. */
export function signed(key: KeyObject, header: Part, claims: Part): string {
  const [alg, digest] = ALGORITHMS[publicAnew(key).asymmetricKeyDetails?.namedCurve ?? ''] ?? ['RS256', 'sha256'];
  const body = bodyOf({ alg, ...header }, claims);
  return `${body}.${sign(digest, Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

/** What says of whom a bound token is. */
export const ownerClaims = (account: Account, boundTo: Part = {}): Part => ({
  'kubernetes.io': {
    namespace: account.namespace,
    serviceaccount: { name: account.name, uid: account.uid },
    ...boundTo,
  },
  sub: accountUser(account),
});

/** Of a bound token for an hour. `now` in seconds since the epoch. Source: pkg/serviceaccount/claims.go. */
export const boundClaims = (
  account: Account,
  { issuer, audience, now }: { readonly issuer: string; readonly audience: string; readonly now: number },
): Part => ({
  aud: [audience],
  exp: now + 3600,
  iat: now,
  iss: issuer,
  nbf: now,
  ...ownerClaims(account),
});

/** Of the token that lies in a Secret. Source: pkg/serviceaccount/legacy.go. */
export const secretClaims = (account: Account, secret: string): Part => ({
  iss: 'kubernetes/serviceaccount',
  sub: accountUser(account),
  'kubernetes.io/serviceaccount/namespace': account.namespace,
  'kubernetes.io/serviceaccount/secret.name': secret,
  'kubernetes.io/serviceaccount/service-account.name': account.name,
  'kubernetes.io/serviceaccount/service-account.uid': account.uid,
});

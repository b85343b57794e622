/**
 * What an API server publishes of the tokens of service accounts, beside a token that it has signed: whoever is shown
 * one elsewhere verifies it by that.
 * Source: pkg/serviceaccount/openidmetadata.go; OpenID Connect Discovery 1.0, 3; RFC 7517.
 */
import { createPublicKey, verify } from 'node:crypto';
import { type Fields, records, text, texts } from '../../kubernetes/json.js';
import { claimsOf, headerOf } from '../../kubernetes/jwt.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';

/** A token, and what is said of it. Nothing of its signature stays. */
export interface Published {
  readonly subject: string;
  readonly token: { readonly issuer: string; readonly kid: string; readonly alg: string };
  readonly document: { readonly issuer: string; readonly keysAt: string; readonly algorithms: readonly string[] };
  readonly keys: readonly PublishedKey[];
}
interface PublishedKey {
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
  /** It verifies the token. */
  readonly verifies: boolean;
  /** Fields of a private key, or of a password. */
  readonly secrets: readonly string[];
}

const SECRETS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];

function holds(token: string, alg: string, jwk: Fields): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.');
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(
      `sha${alg.slice(2)}`,
      Buffer.from(`${header}.${claims}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  } catch {
    return false;
  }
}

/** Reader of both documents. */
export function readPublished(
  { subject, token }: { readonly subject: string; readonly token: string },
  document: Fields,
  keySet: Fields,
): Published {
  const { alg, kid } = headerOf(token) ?? {};
  const { iss } = claimsOf(token) ?? {};
  return {
    subject,
    token: { issuer: text(iss), kid: text(kid), alg: text(alg) },
    document: {
      issuer: text(document.issuer),
      keysAt: text(document.jwks_uri),
      algorithms: texts(document.id_token_signing_alg_values_supported),
    },
    keys: records(keySet.keys).map((jwk) => ({
      kid: text(jwk.kid),
      alg: text(jwk.alg),
      use: text(jwk.use),
      verifies: holds(token, text(alg), jwk),
      secrets: SECRETS.filter((field) => jwk[field] !== undefined),
    })),
  };
}

const shown = (all: readonly string[]): string => all.join(', ') || 'none';

export const publishedVerifies: Check<Published> = {
  id: 'openid/verifies',
  source: 'pkg/serviceaccount/openidmetadata.go; OpenID Connect Discovery 1.0, 3; RFC 7517, 4',
  judge: ({ subject, token, document, keys }): readonly Finding[] => {
    const named = keys.filter(({ kid }) => kid === token.kid);
    const secrets = keys.flatMap((key) => key.secrets);
    return [
      demand({
        subject,
        demanded: 'the published issuer is that of the token',
        seen: document.issuer === token.issuer ? 'it is' : document.issuer || 'none',
        ok: document.issuer === token.issuer,
      }),
      demand({
        subject,
        demanded: 'keys are said to lie at an address of their own, of https',
        seen: document.keysAt || 'none',
        ok: document.keysAt.startsWith('https://') && document.keysAt !== document.issuer,
      }),
      demand({
        subject,
        demanded: 'the algorithm of the token is among those that are named',
        seen: shown(document.algorithms),
        ok: document.algorithms.includes(token.alg),
      }),
      demand({
        subject,
        demanded: 'a key is published under the key id of the token, for signatures of its algorithm, and verifies it',
        seen: shown(keys.map(({ alg, verifies }) => `${alg || 'a key of nothing'}${verifies ? ', which does' : ''}`)),
        ok: named.some(({ alg, use, verifies }) => verifies && alg === token.alg && use === 'sig'),
      }),
      refusal({
        subject,
        demanded: 'keys are published without their private halves',
        seen: secrets.length === 0 ? 'they are' : shown(secrets),
        ok: secrets.length === 0,
      }),
    ];
  },
};

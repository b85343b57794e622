import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { claimsOf, headerOf } from '../kubernetes/jwt.js';
import { boundClaims, ownerClaims, secretClaims, signed } from './token-parts.js';

interface Keys {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}
const isSigned = (token: string, { publicKey }: Keys, digest: string): boolean => {
  const [header, claims, signature = ''] = token.split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify(digest, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
};
const account = { namespace: 'team', name: 'worker', uid: 'u1' };

describe('a token of an account', () => {
  it('is signed by the algorithm of its key, and says so', () => {
    const ec = (namedCurve: string): Keys => generateKeyPairSync('ec', { namedCurve });
    for (const [keys, alg, digest] of [
      [ec('prime256v1'), 'ES256', 'sha256'],
      [ec('secp384r1'), 'ES384', 'sha384'],
      [ec('secp521r1'), 'ES512', 'sha512'],
      [generateKeyPairSync('rsa', { modulusLength: 2048 }), 'RS256', 'sha256'],
    ] as const) {
      const token = signed(keys.privateKey, { kid: 'k' }, { sub: 's' });
      assert.deepEqual([headerOf(token), claimsOf(token)], [{ alg, kid: 'k' }, { sub: 's' }]);
      assert.ok(isSigned(token, keys, digest), alg);
      const other = signed(keys.privateKey, { alg: 'none' }, {});
      assert.deepEqual(headerOf(other), { alg: 'none' });
      assert.ok(isSigned(other, keys, digest), alg);
    }
  });

  it('says for an hour of whom it is, or what it is bound to, or in which Secret it lies', () => {
    const owner = { namespace: 'team', serviceaccount: { name: 'worker', uid: 'u1' } };
    const sub = 'system:serviceaccount:team:worker';
    assert.deepEqual(ownerClaims(account), { 'kubernetes.io': owner, sub });
    const pod = { pod: { name: 'p', uid: 'u2' } };
    assert.deepEqual(ownerClaims(account, pod), { 'kubernetes.io': { ...owner, ...pod }, sub });
    assert.deepEqual(boundClaims(account, { issuer: 'i', audience: 'a', now: 1_000 }), {
      ...{ aud: ['a'], iss: 'i', iat: 1_000, nbf: 1_000, exp: 4_600, sub },
      'kubernetes.io': owner,
    });
    assert.deepEqual(secretClaims(account, 's'), {
      iss: 'kubernetes/serviceaccount',
      sub,
      'kubernetes.io/serviceaccount/namespace': 'team',
      'kubernetes.io/serviceaccount/secret.name': 's',
      'kubernetes.io/serviceaccount/service-account.name': 'worker',
      'kubernetes.io/serviceaccount/service-account.uid': 'u1',
    });
  });
});

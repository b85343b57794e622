import assert from 'node:assert/strict';
import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, it } from 'node:test';
import { claimsOf, headerOf } from '../kubernetes/jwt.js';
import { boundToken, type Signing, secretToken, wrongSecretToken, wrongToken } from './signed-tokens.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const SIGNING: Signing = {
  key: privateKey,
  issuer: 'https://issuer.example.com',
  audience: 'api',
  account: { namespace: 'team', name: 'worker', uid: 'u1' },
  now: 1_000_000,
};
const isSigned = (token: string): boolean => {
  const [header, claims, signature = ''] = token.split('.');
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
  return verify('sha256', Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'));
};
const saidBy = (token: string): Readonly<Record<string, unknown>> => ({ ...headerOf(token), ...claimsOf(token) });
const differing = (one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): string[] =>
  [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .filter((key) => JSON.stringify(one[key]) !== JSON.stringify(other[key]))
    .sort();

describe('a token of an account that is signed', () => {
  it('says of a bound one for whom, how long and of whom it is', () => {
    const token = boundToken(SIGNING);
    assert.ok(isSigned(token));
    assert.deepEqual(saidBy(token), {
      alg: 'ES256',
      aud: ['api'],
      exp: 1_003_600,
      iat: 1_000_000,
      iss: 'https://issuer.example.com',
      nbf: 1_000_000,
      'kubernetes.io': { namespace: 'team', serviceaccount: { name: 'worker', uid: 'u1' } },
      sub: 'system:serviceaccount:team:worker',
    });
  });

  it('is wrong in nothing but what is said of it', () => {
    const sound = saidBy(boundToken(SIGNING));
    for (const [what, ...fields] of [
      ['of another issuer', 'iss'],
      ['of no issuer', 'iss'],
      ['of the issuer with a slash behind it', 'iss'],
      ['of the issuer with a zero behind it', 'iss'],
      ['for another audience', 'aud'],
      ['for an audience that is a number', 'aud'],
      ['for the audience in capitals', 'aud'],
      ['whose end is beyond all dates', 'exp'],
      ['that has ended', 'exp'],
      ['that ended in 1970', 'exp'],
      ['whose end is a word', 'exp'],
      ['that begins later', 'nbf'],
      ['issued in the future', 'iat'],
      ['of no account', 'kubernetes.io'],
      ['of the account in capitals', 'kubernetes.io', 'sub'],
      ['of an account that nobody has', 'kubernetes.io', 'sub'],
      ['of an earlier account of that name', 'kubernetes.io'],
      ['of an account without its UID', 'kubernetes.io'],
      ['of that account in another namespace', 'kubernetes.io', 'sub'],
      ['bound to a Pod that nobody has', 'kubernetes.io'],
      ['bound to a Secret that nobody has', 'kubernetes.io'],
      ['bound to a Node that nobody has', 'kubernetes.io'],
      ['whose claims are said not to be encoded', 'b64'],
      ['of the algorithm none', 'alg'],
      ['of the algorithm HS256', 'alg'],
      ['of an algorithm of another kind of key', 'alg'],
      ['of an algorithm in small letters', 'alg'],
      ['of the key id of nobody', 'kid'],
      ['of a key id that is a path', 'kid'],
      ['of a key id that is a list', 'kid'],
      ['under a critical field that nobody knows', 'crit', 'joinproof'],
    ] as const) {
      const token = wrongToken(what, SIGNING) ?? assert.fail(what);
      assert.ok(isSigned(token), what);
      assert.deepEqual(differing(sound, saidBy(token)), [...fields], what);
    }
    assert.equal(wrongToken('of what nobody knows', SIGNING), undefined);
    const endsBefore = claimsOf(wrongToken('that has ended', SIGNING) ?? '')?.exp as number;
    const beginsAt = claimsOf(wrongToken('that begins later', SIGNING) ?? '')?.nbf as number;
    assert.ok(endsBefore < SIGNING.now && beginsAt > SIGNING.now + 300);
    const boundTo = claimsOf(wrongToken('bound to a Pod that nobody has', SIGNING) ?? '')?.['kubernetes.io'];
    assert.deepEqual(Object.keys(boundTo as object).sort(), ['namespace', 'pod', 'serviceaccount']);
  });

  it('of a Secret has no end, and is wrong in one field alone', () => {
    const token = secretToken(SIGNING, 'worker-token');
    const sound = saidBy(token);
    assert.ok(isSigned(token) && !('exp' in sound) && !('aud' in sound));
    assert.equal(sound['kubernetes.io/serviceaccount/secret.name'], 'worker-token');
    for (const [what, field] of [
      ['of no namespace', 'kubernetes.io/serviceaccount/namespace'],
      ['of no UID', 'kubernetes.io/serviceaccount/service-account.uid'],
      ['of another account as its subject', 'sub'],
      ['for another audience', 'aud'],
    ] as const)
      assert.deepEqual(differing(sound, saidBy(wrongSecretToken(what, SIGNING, 'worker-token') ?? '')), [field], what);
    assert.equal(wrongSecretToken('of what nobody knows', SIGNING, 'worker-token'), undefined);
  });
});

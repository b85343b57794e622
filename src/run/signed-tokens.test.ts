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
    const account = { name: 'worker', uid: 'u1' };
    const owned = (namespace: string, serviceaccount: object, more = {}) => ({
      'kubernetes.io': { namespace, serviceaccount, ...more },
    });
    const gone = { name: 'gone', uid: 'gone' };
    const user = (namespace: string, name: string) => ({ sub: `system:serviceaccount:${namespace}:${name}` });
    for (const [what, fields] of Object.entries({
      'of another issuer': { iss: 'https://issuer.example' },
      'of no issuer': { iss: undefined },
      'of the issuer with a slash behind it': { iss: 'https://issuer.example.com/' },
      'of the issuer with a zero behind it': { iss: 'https://issuer.example.com\0' },
      'for another audience': { aud: ['https://audience.example'] },
      'for an audience that is a number': { aud: 5 },
      'for the audience in capitals': { aud: ['API'] },
      'whose end is beyond all dates': { exp: 1e300 },
      'that has ended': { exp: 999_880 },
      'that ended in 1970': { exp: 0 },
      'whose end is a word': { exp: '1003600' },
      'that begins later': { nbf: 1_000_600 },
      'issued in the future': { iat: 1_000_600 },
      'of no account': { 'kubernetes.io': undefined },
      'of the account in capitals': {
        ...owned('team', { name: 'WORKER', uid: 'u1' }),
        ...user('team', 'WORKER'),
      },
      'of an account that nobody has': { ...owned('team', { name: 'gone', uid: 'u1' }), ...user('team', 'gone') },
      'of an earlier account of that name': owned('team', { name: 'worker', uid: 'gone' }),
      'of an account without its UID': owned('team', { name: 'worker', uid: '' }),
      'of that account in another namespace': { ...owned('kube-system', account), ...user('kube-system', 'worker') },
      'bound to a Pod that nobody has': owned('team', account, { pod: gone }),
      'bound to a Secret that nobody has': owned('team', account, { secret: gone }),
      'bound to a Node that nobody has': owned('team', account, { node: gone }),
      'whose claims are said not to be encoded': { b64: false },
      'of the algorithm none': { alg: 'none' },
      'of the algorithm HS256': { alg: 'HS256' },
      'of an algorithm of another kind of key': { alg: 'RS256' },
      'of an algorithm in small letters': { alg: 'es256' },
      'of the key id of nobody': { kid: 'nobody' },
      'of a key id that is a path': { kid: '../../../../dev/null' },
      'of a key id that is a list': { kid: ['nobody'] },
      'under a critical field that nobody knows': { crit: ['joinproof'], joinproof: true },
    })) {
      const token = wrongToken(what, SIGNING) ?? assert.fail(what);
      assert.ok(isSigned(token), what);
      assert.deepEqual(saidBy(token), JSON.parse(JSON.stringify({ ...sound, ...fields })), what);
    }
    assert.equal(wrongToken('of what nobody knows', SIGNING), undefined);
  });

  it('of a Secret has no end, and is wrong in one field alone', () => {
    const token = secretToken(SIGNING, 'worker-token');
    const sound = saidBy(token);
    assert.ok(isSigned(token) && !('exp' in sound) && !('aud' in sound));
    assert.equal(sound['kubernetes.io/serviceaccount/secret.name'], 'worker-token');
    for (const [what, field] of Object.entries({
      'of no namespace': { 'kubernetes.io/serviceaccount/namespace': undefined },
      'of no UID': { 'kubernetes.io/serviceaccount/service-account.uid': undefined },
      'of another account as its subject': { sub: 'system:serviceaccount:kube-system:default' },
      'for another audience': { aud: ['https://audience.example'] },
    })) {
      const wrong = wrongSecretToken(what, SIGNING, 'worker-token') ?? assert.fail(what);
      assert.ok(isSigned(wrong), what);
      assert.deepEqual(saidBy(wrong), JSON.parse(JSON.stringify({ ...sound, ...field })), what);
    }
    assert.equal(wrongSecretToken('of what nobody knows', SIGNING, 'worker-token'), undefined);
  });
});

import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { generateKey, publicAnew } from '../pki/keys.js';
import { forged, tampered } from './forged-tokens.js';

const key = generateKey('ECDSA-P256');
const jwk = publicAnew(key).export({ format: 'jwk' });
const known = {
  issuer: 'https://issuer.example',
  keys: [{ ...jwk, kid: 'the-key' }],
  account: { namespace: 'ns', name: 'sa', uid: 'u1' },
  stranger: generateKey('ECDSA-P256'),
  now: 1_800_000_000,
};
const part = (token: string, index: number) =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

test('a token is forged as it is called, for the account', () => {
  const token = forged("signed with another key, under the cluster's key id", known) ?? '';
  assert.deepEqual(part(token, 0), { alg: 'ES256', typ: 'JWT', kid: 'the-key' });
  assert.equal(part(token, 1).sub, 'system:serviceaccount:ns:sa');
  const [head, body, signature = ''] = token.split('.');
  const holds = (with_: typeof key): boolean =>
    verify(
      'sha256',
      Buffer.from(`${head}.${body}`),
      { key: createPublicKey(with_), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    );
  assert.deepEqual([holds(known.stranger), holds(key)], [true, false]);
  assert.equal(part(forged('signed with the public key as a password', known) ?? '', 0).alg, 'HS256');
  assert.match(forged('unsigned, of the algorithm none', known) ?? '', /^[\w-]+\.[\w-]+\.$/);
  assert.equal(forged('by magic', known), undefined);
});

test('a token is changed in one thing, and never the same', () => {
  const token = forged('signed with another key', known) ?? '';
  for (const how of ['the first bit of its signature', 'the last bit of its signature', 'a signature of zeros']) {
    const made = tampered(how, token, token) ?? '';
    assert.notEqual(made, token);
    assert.deepEqual(made.split('.').slice(0, 2), token.split('.').slice(0, 2));
    assert.notDeepEqual(
      Buffer.from(made.split('.')[2] ?? '', 'base64url'),
      Buffer.from(token.split('.')[2] ?? '', 'base64url'),
    );
  }
  assert.equal(part(tampered('another issuer', token, '') ?? '', 1).iss, 'https://127.0.0.1:1');
  assert.equal(part(tampered('the algorithm none', token, '') ?? '', 0).alg, 'none');
  assert.equal(tampered('nothing', token, ''), undefined);
});

import assert from 'node:assert/strict';
import { createHmac, createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { generateKey, publicAnew } from '../pki/keys.js';
import { forged, tampered } from './forged-tokens.js';
import { signed } from './token-parts.js';

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

const BOUND = {
  aud: [known.issuer],
  exp: 1_800_003_600,
  iat: 1_800_000_000,
  iss: known.issuer,
  nbf: 1_800_000_000,
  'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'sa', uid: 'u1' } },
  sub: 'system:serviceaccount:ns:sa',
  jti: '6f1c1c2e-0d3b-4b0e-9d47-6a1f6f3f5b11',
};
const LEGACY = {
  iss: 'kubernetes/serviceaccount',
  sub: 'system:serviceaccount:ns:sa',
  'kubernetes.io/serviceaccount/namespace': 'ns',
  'kubernetes.io/serviceaccount/secret.name': 'sa-token',
  'kubernetes.io/serviceaccount/service-account.name': 'sa',
  'kubernetes.io/serviceaccount/service-account.uid': 'u1',
};
const publicPem = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString();
const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
const password = (secret: string | Buffer) => (body: string) =>
  createHmac('sha256', secret).update(body).digest('base64url');

test('a token that is no JWT of the cluster says in its header how it pretends to be one', () => {
  const kid = 'the-key';
  for (const [how, header, signatureOf, claims] of [
    ['unsigned, of the algorithm none', { alg: 'none', typ: 'JWT' }, () => '', BOUND],
    ['of the algorithm none, with a signature', { alg: 'none' }, () => 'AAAA', BOUND],
    ['of the algorithm None, with a signature', { alg: 'None', kid }, () => 'AAAA', BOUND],
    ['without an algorithm, with a signature', { kid }, () => 'AAAA', BOUND],
    ['signed with the public key as a password', { alg: 'HS256', typ: 'JWT', kid }, password(publicPem), BOUND],
    [
      'signed with the public key as a password, without its end of line',
      { alg: 'HS256', typ: 'JWT' },
      password(publicPem.trimEnd()),
      BOUND,
    ],
    [
      'signed with the bytes of the public key as a password',
      { alg: 'HS256', typ: 'JWT', kid },
      password(publicDer),
      BOUND,
    ],
    ['signed with an empty password', { alg: 'HS256', typ: 'JWT', kid: '../../../../dev/null' }, password(''), BOUND],
    ['of a Secret, of the algorithm none', { alg: 'none' }, () => 'AAAA', LEGACY],
  ] as const) {
    const token = forged(how, known) ?? assert.fail(how);
    assert.deepEqual([part(token, 0), part(token, 1)], [header, claims], how);
    const [head, body, signature, ...others] = token.split('.');
    assert.deepEqual([signature, others], [signatureOf(`${head}.${body}`), []], how);
  }
});

test('a token of a stranger is signed with his key, whatever it says of that', () => {
  const jwkOf = publicAnew(known.stranger).export({ format: 'jwk' });
  for (const [how, header, claims] of [
    ['signed with another key', {}, BOUND],
    ["signed with another key, under the cluster's key id", { kid: 'the-key' }, BOUND],
    ['signed with another key, which comes along', { jwk: jwkOf }, BOUND],
    ['signed with another key, which lies elsewhere', { jku: 'https://127.0.0.1:1/jwks', kid: 'elsewhere' }, BOUND],
    ['of a Secret, signed with another key', {}, LEGACY],
    ['of another issuer, signed with another key', { kid: 'the-key' }, { ...BOUND, iss: 'https://127.0.0.1:1' }],
  ] as const) {
    const token = forged(how, known) ?? assert.fail(how);
    assert.deepEqual([part(token, 0), part(token, 1)], [{ alg: 'ES256', typ: 'JWT', ...header }, claims], how);
    const [head, body, signature = ''] = token.split('.');
    const by = { key: publicAnew(known.stranger), dsaEncoding: 'ieee-p1363' } as const;
    assert.ok(verify('sha256', Buffer.from(`${head}.${body}`), by, Buffer.from(signature, 'base64url')), how);
  }
  const nameless = { ...known, keys: [jwk] };
  assert.deepEqual(part(forged('without an algorithm, with a signature', nameless) ?? '', 0), {});
  assert.throws(() => forged('signed with the public key as a password', { ...known, keys: [] }));
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

test('a token keeps all but what is changed in it', () => {
  const token = forged('signed with another key', known) ?? '';
  const [, , signature = ''] = token.split('.');
  const claims = part(token, 1);
  const bytes = Buffer.from(signature, 'base64url');
  const signatureOf = (how: string): string => (tampered(how, token, 'a.b.c') ?? '').split('.').slice(2).join('.');
  const of = (...all: readonly Buffer[]): string => Buffer.concat(all).toString('base64url');
  assert.deepEqual(
    ['no signature', 'two parts only', 'a fourth part', 'the signature of another token'].map(signatureOf),
    ['', '', `${signature}.${signature}`, 'c'],
  );
  assert.equal(signatureOf('half of its signature'), signature.slice(0, signature.length / 2));
  assert.equal(signatureOf('a signature of zeros'), of(Buffer.alloc(bytes.length)));
  assert.equal(signatureOf('a signature of ones'), of(Buffer.alloc(bytes.length, 255)));
  assert.equal(signatureOf('a byte behind its signature'), of(bytes, Buffer.alloc(1)));
  assert.equal(signatureOf('its signature twice'), of(bytes, bytes));
  for (const [how, at] of [
    ['the first bit of its signature', 0],
    ['a bit in the middle of its signature', bytes.length / 2],
    ['the last bit of its signature', bytes.length - 1],
  ] as const) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    assert.equal(signatureOf(how), of(flipped), how);
  }
  for (const [how, more] of [
    ['another account as its subject', { sub: 'system:serviceaccount:kube-system:default' }],
    [
      'another account in its claims',
      { 'kubernetes.io': { namespace: 'kube-system', serviceaccount: { name: 'default', uid: 'another' } } },
    ],
    ['a later end', { exp: 4_102_444_800 }],
  ] as const) {
    const made = tampered(how, token, '') ?? '';
    assert.deepEqual([part(made, 0), part(made, 1)], [part(token, 0), { ...claims, ...more }], how);
    assert.equal(made.split('.')[2], signature);
  }
  assert.equal(part(tampered('another key id', token, '') ?? '', 0).kid, 'another');
  assert.match(tampered('the algorithm none, and no signature', token, '') ?? '', /\.$/);
});

test('a token is signed by the algorithm of its key', () => {
  for (const [kind, alg, digest] of [
    ['ECDSA-P256', 'ES256', 'sha256'],
    ['ECDSA-P384', 'ES384', 'sha384'],
    ['RSA-2048', 'RS256', 'sha256'],
  ] as const) {
    const signing = generateKey(kind);
    const token = signed(signing, { typ: 'JWT' }, { a: 1 });
    assert.deepEqual(part(token, 0), { alg, typ: 'JWT' });
    const [head, body, signature = ''] = token.split('.');
    const by = { key: publicAnew(signing), dsaEncoding: 'ieee-p1363' } as const;
    assert.ok(verify(digest, Buffer.from(`${head}.${body}`), by, Buffer.from(signature, 'base64url')), alg);
  }
});

import assert from 'node:assert/strict';
import { createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { test } from 'node:test';
import type { UserInfo } from '../../kubernetes/objects.js';
import { generateKey } from '../../pki/keys.js';
import { splitUsername } from '../decisions/service-account-names.js';
import { context, NOW, put, testWorld } from '../world.test.js';
import { createServiceAccountTokens } from './service-account-tokens.js';
import { requestToken } from './token-requests.js';

const ISSUER = 'https://kubernetes.default.svc.cluster.local';
const nobody: UserInfo = { username: 'x', groups: [] };

function setUp(algorithm: 'RSA-2048' | 'ECDSA-P256' = 'ECDSA-P256') {
  const world = testWorld();
  const account = put(world, '', 'serviceaccounts', { metadata: { namespace: 'ns', name: 'sa' } });
  const key = generateKey(algorithm);
  const tokens = createServiceAccountTokens({
    ...world,
    random: randomBytes,
    issuer: ISSUER,
    key,
  });
  const request = (spec: object, metadata: object = {}) =>
    requestToken(
      { tokens, decisions: world.decisions, minor: 36 },
      account,
      { metadata, spec },
      context(world, nobody, 'ns'),
    ).object;
  const token = (spec: object = {}): string => (request(spec).status as { token: string }).token;
  return { world, account, tokens, request, token, key };
}
const claims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

test('a token is its service account, by either kind of key', () => {
  for (const algorithm of ['RSA-2048', 'ECDSA-P256'] as const) {
    const { tokens, token, account } = setUp(algorithm);
    const issued = token();
    const answer = tokens.authenticate(issued, [ISSUER], NOW);
    assert.equal(answer.user?.username, 'system:serviceaccount:ns:sa');
    assert.equal(answer.user?.uid, account.metadata.uid);
    assert.deepEqual(answer.user?.groups, ['system:serviceaccounts', 'system:serviceaccounts:ns']);
    assert.deepEqual(answer.user?.extra, {
      'authentication.kubernetes.io/credential-id': [`JTI=${claims(issued).jti}`],
    });
    assert.deepEqual(answer.audiences, [ISSUER]);
    const [head, , signature] = issued.split('.');
    const forged = Buffer.from(JSON.stringify({ ...claims(issued), sub: 'system:serviceaccount:ns:other' })).toString(
      'base64url',
    );
    assert.ok(tokens.authenticate(`${head}.${forged}.${signature}`, [ISSUER], NOW).error);
  }
});

test('a token is good by whichever of the keys that verify has signed it', () => {
  const world = testWorld();
  put(world, '', 'serviceaccounts', { metadata: { namespace: 'ns', name: 'sa', uid: 'u' } });
  const pem = (one: KeyObject): string => String(createPublicKey(one).export({ type: 'spki', format: 'pem' }));
  const keys = (['RSA-2048', 'ECDSA-P256', 'ECDSA-P384'] as const).map(generateKey);
  const at = (key: KeyObject, files: readonly KeyObject[]) =>
    createServiceAccountTokens({
      ...{ ...world, random: randomBytes, issuer: ISSUER, key },
      flags: { serviceAccountKeyFiles: files.map(pem) },
    });
  const account = { namespace: 'ns', name: 'sa', uid: 'u', secretName: 's' };
  const revoked = 'Token has been invalidated';
  for (const key of keys) {
    const token = at(key, keys).issueForSecret(account);
    assert.equal(at(key, keys).authenticate(token, [ISSUER], NOW).error, revoked, 'the signature holds');
    // A header that names no key is tried with every one.
    const [, body] = token.split('.');
    const { alg } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
    const unnamed = `${Buffer.from(JSON.stringify({ alg })).toString('base64url')}.${body}`;
    const digest = alg === 'ES384' ? 'sha384' : 'sha256';
    const signature = sign(digest, Buffer.from(unnamed), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url');
    assert.equal(at(key, keys).authenticate(`${unnamed}.${signature}`, [ISSUER], NOW).error, revoked);
    const others = keys.filter((one) => one !== key);
    assert.equal(at(key, others).authenticate(token, [ISSUER], NOW).error, 'invalid signature, no keys found');
    assert.match(
      at(key, others).authenticate(`${unnamed}.${signature}`, [ISSUER], NOW).error ?? '',
      /: error in cryptographic primitive$/,
    );
    assert.equal(at(key, keys).keySet().keys.length, 3);
  }
});

test('a token ends: by time with sixty seconds of leeway, by audience, by its account', () => {
  const { world, tokens, token } = setUp();
  const issued = token({ expirationSeconds: 600 });
  assert.ok(tokens.authenticate(issued, [ISSUER], NOW + 660_000).user);
  assert.equal(tokens.authenticate(issued, [ISSUER], NOW + 661_000).error, 'service account token has expired');
  assert.equal(tokens.authenticate(issued, [ISSUER], NOW - 61_000).error, 'service account token is not valid yet');
  assert.equal(
    tokens.authenticate(token({ audiences: ['a', 'b'] }), [ISSUER], NOW).error,
    `token audiences ["a" "b"] is invalid for the target audiences ["${ISSUER}"]`,
  );
  world.store.delete({ group: '', resource: 'serviceaccounts' }, 'ns', 'sa');
  assert.equal(tokens.authenticate(issued, [ISSUER], NOW).error, 'serviceaccounts "sa" not found');
  assert.deepEqual(tokens.authenticate('a.b.c', [ISSUER], NOW), {});
  assert.deepEqual(tokens.authenticate('abcdef.0123456789abcdef', [ISSUER], NOW), {});
});

test('a bound token names its pod and node and ends with the pod', () => {
  const { world, tokens, token } = setUp();
  const node = put(world, '', 'nodes', { metadata: { name: 'n1' } });
  const pod = put(world, '', 'pods', {
    metadata: { namespace: 'ns', name: 'p' },
    spec: { serviceAccountName: 'sa', nodeName: 'n1' },
  });
  const bound = { boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } };
  const issued = token(bound);
  const { extra = {} } = tokens.authenticate(issued, [ISSUER], NOW).user ?? nobody;
  assert.deepEqual(extra['authentication.kubernetes.io/pod-uid'], [pod.metadata.uid]);
  assert.deepEqual(extra['authentication.kubernetes.io/node-uid'], [node.metadata.uid]);
  const long = claims(token({ ...bound, expirationSeconds: 3607 }));
  assert.equal(long.exp - long.iat, 31_536_000);
  assert.equal(long['kubernetes.io'].warnafter - long.iat, 3607);
  world.store.delete({ group: '', resource: 'pods' }, 'ns', 'p');
  assert.equal(tokens.authenticate(issued, [ISSUER], NOW).error, 'service account token has been invalidated');
});

test('what may be asked', () => {
  const { request } = setUp();
  assert.throws(() => request({ expirationSeconds: 599 }), {
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not ' +
      'specify a duration less than 10 minutes',
  });
  assert.throws(() => request({}, { name: 'other' }), {
    code: 422,
    message:
      'TokenRequest.authentication.k8s.io "sa" is invalid: metadata.name: Invalid value: "other": must match the ' +
      'service account name if specified',
  });
  assert.throws(() => request({}, { uid: 'other' }), { code: 409 });
  assert.throws(() => request({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'none' } }), {
    code: 404,
    message: 'pods "none" not found',
  });
  assert.throws(() => request({ boundObjectRef: { apiVersion: 'apps/v1', kind: 'X', name: 'none' } }), {
    code: 400,
    message: 'cannot bind token to object of type apps/v1, Kind=X',
  });
  assert.deepEqual(request({}).spec, { audiences: [ISSUER], expirationSeconds: 3600, boundObjectRef: null });
});

test('the token of a Secret is good while the Secret holds it', () => {
  const { world, tokens, account, key } = setUp();
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = [
    { alg: 'ES256' },
    {
      iss: 'kubernetes/serviceaccount',
      'kubernetes.io/serviceaccount/namespace': 'ns',
      'kubernetes.io/serviceaccount/secret.name': 's',
      'kubernetes.io/serviceaccount/service-account.name': 'sa',
      'kubernetes.io/serviceaccount/service-account.uid': account.metadata.uid,
      sub: 'system:serviceaccount:ns:sa',
    },
  ]
    .map(part)
    .join('.');
  const signature = sign('sha256', Buffer.from(body), { key, dsaEncoding: 'ieee-p1363' });
  const token = `${body}.${signature.toString('base64url')}`;
  assert.equal(tokens.authenticate(token, [ISSUER], NOW).error, 'Token has been invalidated');
  put(world, '', 'secrets', {
    metadata: { namespace: 'ns', name: 's' },
    data: { token: Buffer.from(token).toString('base64') },
  });
  assert.equal(tokens.authenticate(token, [ISSUER], NOW).user?.username, 'system:serviceaccount:ns:sa');
});

test('names of service accounts', () => {
  assert.deepEqual(splitUsername('system:serviceaccount:ns:a.b'), { namespace: 'ns', name: 'a.b' });
  for (const bad of [
    'system:serviceaccount:ns',
    'system:serviceaccount:ns:a:b',
    'system:serviceaccount:Ns:a',
    'system:serviceaccount::a',
    'ns:a',
  ]) {
    assert.equal(splitUsername(bad), undefined, bad);
  }
});

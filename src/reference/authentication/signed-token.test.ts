import assert from 'node:assert/strict';
import { constants, generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority } from '../../pki/authority.js';
import { claimedIssuer, parseSigned, type SignedToken, signatureHolds } from './signed-token.js';
import { readTokenClaims } from './token-claims.js';

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const tokenOf = (header: unknown, claims: unknown = { iss: 'us' }): string =>
  `${encoded(header)}.${encoded(claims)}.AAAA`;
const parsed = (token: string) => parseSigned(token, (fits) => fits);

test('a header of fields of other types, or of one field twice, is no header', () => {
  for (const header of [
    { alg: 5 },
    { alg: ['ES256'] },
    { alg: 'ES256', kid: ['a'] },
    { alg: 'ES256', kid: 5 },
    { alg: 'ES256', nonce: 5 },
    { alg: 'ES256', jwk: { kty: 'EC' } },
    { alg: 'ES256', x5c: ['no certificate'] },
    '{"alg":"ES256","alg":"none"}',
    '[]',
    'no JSON',
  ])
    assert.equal(parsed(tokenOf(header)), undefined, JSON.stringify(header));
  assert.equal(parsed(`${tokenOf({ alg: 'ES256' })}=`), undefined);
  assert.equal(parsed('a.b.c'), undefined);
});

test('a key in a header is a public one, and certificates are certificates', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [open, closed] = [publicKey.export({ format: 'jwk' }), privateKey.export({ format: 'jwk' })];
  const der = createAuthority({ commonName: 'x', key: 'ECDSA-P256', now: 0 }).certificate.der.toString('base64');
  const counts = (more: object): boolean => parsed(tokenOf({ alg: 'ES256', ...more })) !== undefined;
  for (const more of [{ jwk: open }, { x5c: [] }, { x5c: [der, der] }, { jwk: null, x5c: null }, { other: 5 }])
    assert.ok(counts(more), JSON.stringify(more));
  for (const more of [
    { jwk: closed },
    { jwk: { kty: 'oct', k: 'AA' } },
    { jwk: 'x' },
    { jwk: [] },
    { x5c: der },
    { x5c: [der, 'AA=='] },
    { x5c: [5] },
    { x5c: [''] },
  ])
    assert.ok(!counts(more), JSON.stringify(more));
});

test('null is as good as a field that is not there, and white space within a token does not count', () => {
  const said = parsed(tokenOf({ alg: null, kid: null }));
  assert.deepEqual([said?.alg, said?.kid, said?.critical], ['', '', []]);
  assert.equal(parsed(`\u00a0${tokenOf({ alg: 'ES256' })}\u2003`)?.alg, 'ES256');
  assert.deepEqual(parsed(tokenOf({ alg: 'ES256', crit: ['a'] }))?.critical, ['a']);
  assert.deepEqual(parsed(tokenOf({ alg: 'ES256', crit: 'a' }))?.critical, {
    error: 'json: cannot unmarshal string into Go value of type []string',
  });
  assert.deepEqual(parsed(tokenOf({ alg: 'ES256', crit: ['b64', 1] }))?.critical, {
    error: 'json: cannot unmarshal number into Go value of type string',
  });
});

test('the issuer is found whatever the case of its name, and only as a text', () => {
  assert.equal(claimedIssuer(tokenOf({}, { ISS: 'us' })), 'us');
  assert.equal(claimedIssuer(tokenOf({}, { iss: ['us'] })), undefined);
  assert.equal(claimedIssuer(tokenOf({}, { iss: null })), '');
  assert.equal(claimedIssuer(tokenOf({}, [])), undefined);
  assert.equal(claimedIssuer('{"iss":"us"}'), undefined);
});

test('a signature is judged by the algorithm of the header, if it is one of the kind of the key', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const input = Buffer.from('what is signed');
  const of = (alg: string, signature: Buffer): SignedToken => ({
    alg,
    kid: '',
    critical: [],
    input,
    signature,
    payload: '{}',
  });
  const pss = { key: rsa.privateKey, padding: constants.RSA_PKCS1_PSS_PADDING };
  assert.ok(signatureHolds(of('RS256', sign('sha256', input, rsa.privateKey)), rsa.publicKey));
  assert.ok(signatureHolds(of('RS512', sign('sha512', input, rsa.privateKey)), rsa.publicKey));
  assert.ok(signatureHolds(of('PS384', sign('sha384', input, pss)), rsa.publicKey));
  for (const alg of ['RS384', 'PS256', 'ES256', 'none', 'HS256', 'rs256', ''])
    assert.ok(!signatureHolds(of(alg, sign('sha256', input, rsa.privateKey)), rsa.publicKey), alg);
  const ec = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const made = (digest: string) => sign(digest, input, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' });
  assert.ok(signatureHolds(of('ES256', made('sha256')), ec.publicKey));
  const [r, s] = [made('sha384').subarray(0, 32), Buffer.alloc(0)];
  assert.ok(!signatureHolds(of('ES384', Buffer.concat([r, s])), ec.publicKey));
  const wide = made('sha384');
  const padded = Buffer.concat([Buffer.alloc(16), wide.subarray(0, 32), Buffer.alloc(16), wide.subarray(32)]);
  assert.ok(signatureHolds(of('ES384', padded), ec.publicKey));
  for (const alg of ['RS256', 'none', 'ES512']) assert.ok(!signatureHolds(of(alg, made('sha256')), ec.publicKey), alg);
});

test('claims of other types are told as upstream does, one that reads itself before the others', () => {
  const read = (claims: unknown) =>
    readTokenClaims(typeof claims === 'string' ? claims : JSON.stringify(claims), { isLegacy: false, library: 'jose' });
  const problem = (claims: unknown) => {
    const said = read(claims);
    return 'error' in said ? said.error : undefined;
  };
  assert.equal(problem({ sub: 5, aud: 6 }), 'jose/jwt: expected string or array value to unmarshal to Audience');
  assert.equal(problem({ exp: '1' }), 'jose/jwt: expected number value to unmarshal NumericDate');
  assert.equal(problem({ sub: 5 }), 'json: cannot unmarshal number into Go value of type string');
  assert.equal(
    problem({ 'kubernetes.io': { serviceaccount: ['a'] } }),
    'json: cannot unmarshal array into Go value of type serviceaccount.ref',
  );
  assert.equal(problem('{"iss":"a","iss":"b"}'), "json: duplicate key 'iss' in object");
  assert.equal(problem({ aud: ['a'], exp: null, 'kubernetes.io': { pod: null } }), undefined);
  const whole = read({ exp: 5.9, nbf: 1e30 });
  assert.deepEqual('claims' in whole && [whole.claims.exp, whole.claims.nbf], [5, -(2 ** 63)]);
});

test('claims are judged by their types, whatever else an object has by itself', () => {
  const read = (payload: string) => readTokenClaims(payload, { isLegacy: false, library: 'jose' });
  const named = '"constructor":1,"toString":2,"__proto__":{"iss":"another"}';
  assert.deepEqual(Object.keys(read(`{${named},"iss":"us","kubernetes.io":{${named}}}`)), ['claims']);
  assert.deepEqual(read('{"kubernetes.io":{},"kubernetes.io":{}}'), {
    error: "json: duplicate key 'kubernetes.io' in object",
  });
  assert.deepEqual(read('{"kubernetes.io":{"pod":{"name":"a","name":"b"}}}'), {
    error: "json: duplicate key 'name' in object",
  });
  assert.deepEqual(read('{"exp":1e999}'), {
    error: 'jose/jwt: expected number value to unmarshal NumericDate',
  });
});

import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { PkiError } from './asn1-go.js';
import { generateKey, type KeyAlgorithm } from './keys.js';
import { EXTENSION } from './oids.js';
import { encodePem } from './pem.js';
import { createRequest, parseRequest, parseRequestPem } from './request.js';
import type { SignatureName } from './signature.js';

const node = { commonName: 'system:node:a', organizations: ['system:nodes'] };
const key = generateKey('ECDSA-P256');

for (const [algorithm, signature, bits] of [
  ['ECDSA-P224', 'ECDSA-SHA256', 224],
  ['ECDSA-P256', 'ECDSA-SHA256', 256],
  ['ECDSA-P384', 'ECDSA-SHA384', 384],
  ['ECDSA-P521', 'ECDSA-SHA512', 521],
  ['Ed25519', 'Ed25519', 256],
  ['RSA-2048', 'SHA256-RSA', 2048],
] as const satisfies readonly (readonly [KeyAlgorithm, SignatureName, number])[])
  test(`a request with ${algorithm} says what went into it, and its signature holds`, () => {
    const altNames = { dns: ['a.example'], ip: ['10.0.0.1', 'fd00::1'], email: ['a@b'], uri: ['spiffe://a/b'] };
    const request = parseRequestPem(createRequest({ key: generateKey(algorithm), subject: node, altNames }).pem);
    assert.equal(request.signatureProblem, undefined);
    assert.ok(request.canonical);
    assert.equal(request.signatureName, signature);
    assert.equal(request.key?.bits, bits);
    assert.equal(request.commonName, 'system:node:a');
    assert.deepEqual(request.organizations, ['system:nodes']);
    assert.deepEqual(request.altNames, { ...altNames, other: [] });
  });

test('names keep their order, several values of one RDN and attributes without a short name', () => {
  const subject = [
    [
      { oid: '2.5.4.10', value: 'b' },
      { oid: '2.5.4.10', value: 'a' },
    ],
    [{ oid: '2.5.4.3', value: 'first' }],
    [{ oid: '2.5.4.3', value: 'Zweiter ä', type: 'BMP' }],
    [{ oid: '1.3.6.1.4.1.57683.2', value: 'uid' }],
  ] as const;
  const request = parseRequest(createRequest({ key, subject }).der);
  assert.deepEqual(
    request.subject.rdns.map((rdn) => rdn.map((attribute) => attribute.value)),
    [['a', 'b'], ['first'], ['Zweiter ä'], ['uid']],
  );
  assert.equal(request.commonName, 'Zweiter ä');
});

test('SHA-1 is taken for requests', () => {
  const request = parseRequest(createRequest({ key, subject: node, signature: 'ECDSA-SHA1' }).der);
  assert.equal(request.signatureProblem, undefined);
});

test('what Go refuses to verify is refused with its words', () => {
  const problem = (algorithm: KeyAlgorithm, signature?: SignatureName): string | undefined =>
    parseRequest(
      createRequest({ key: generateKey(algorithm), subject: node, ...(signature === undefined ? {} : { signature }) })
        .der,
    ).signatureProblem;
  assert.equal(
    problem('RSA-512'),
    'crypto/rsa: 512-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)',
  );
  assert.equal(problem('RSA-1024'), undefined);
  assert.equal(problem('RSA-2048', 'MD5-RSA'), 'x509: cannot verify signature: insecure algorithm MD5-RSA');
});

test('an unknown curve and a point off the curve are refused when the request is read', () => {
  const { der } = createRequest({ key: generateKey('ECDSA-secp256k1'), subject: node });
  assert.throws(() => parseRequest(der), new PkiError('x509: unsupported elliptic curve'));
  const off = Buffer.from(createRequest({ key, subject: node }).der);
  const point = off.indexOf(Buffer.from('0342 0004'.replace(' ', ''), 'hex')) + 4;
  off[point] = (off[point] ?? 0) ^ 1;
  assert.throws(() => parseRequest(off), /P256 point not on curve|invalid P256Element encoding/);
});

test('a key type that Go does not know parses, and its signature cannot be checked', () => {
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey;
  const request = parseRequest(createRequest({ key: pss, subject: node }).der);
  assert.equal(request.signatureProblem, 'x509: cannot verify signature: algorithm unimplemented');
});

for (const [what, bytes, message] of [
  ['empty', '', 'asn1: syntax error: sequence truncated'],
  [
    'an OCTET STRING',
    '040100',
    "asn1: structure error: tags don't match (16 vs {class:0 tag:4 length:1 isCompound:false}) " +
      '{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> ' +
      'stringType:0 timeType:0 set:false omitEmpty:false} certificateRequest @2',
  ],
  ['cut off', '3082', 'asn1: syntax error: truncated tag or length'],
  ['shorter than it says', '300500', 'asn1: syntax error: data truncated'],
  ['an indefinite length', '3080', 'asn1: syntax error: indefinite length found (not DER)'],
  ['a length with a leading zero', '30820005', 'asn1: structure error: superfluous leading zeros in length'],
  ['a long form for a short length', '308105', 'asn1: structure error: non-minimal length'],
] as const)
  test(`bytes that are no request: ${what}`, () =>
    assert.throws(() => parseRequest(Buffer.from(bytes, 'hex')), new PkiError(message)));

test('bytes behind a request are refused', () => {
  const { der } = createRequest({ key, subject: node });
  assert.throws(
    () => parseRequest(Buffer.concat([der, Buffer.from([0])])),
    new PkiError('asn1: syntax error: trailing data'),
  );
});

test('the first PEM block must be a request; others may follow', () => {
  const { pem, der } = createRequest({ key, subject: node });
  assert.equal(parseRequestPem(`text\n${pem}${encodePem('CERTIFICATE', der)}`).commonName, 'system:node:a');
  for (const text of ['hello', encodePem('CERTIFICATE', der) + pem, encodePem('NEW CERTIFICATE REQUEST', der)])
    assert.throws(() => parseRequestPem(text), new PkiError('PEM block type must be CERTIFICATE REQUEST'));
});

test('two requests for one extension are refused', () => {
  const extension = { oid: '1.2.3.4', critical: false, value: Buffer.from([5, 0]) };
  const { der } = createRequest({ key, subject: node, extensions: [extension, extension] });
  assert.throws(
    () => parseRequest(der),
    new PkiError('x509: certificate request contains duplicate requested extensions'),
  );
});

for (const [what, value, message] of [
  ['an address of three bytes', '300587030a0000', 'x509: cannot parse IP address of length 3'],
  ['a name beyond ASCII', '30048202c3a9', 'x509: SAN dNSName is malformed'],
  ['a URI without a scheme', '300586033a2f2f', 'x509: cannot parse URI "://": parse "://": missing protocol scheme'],
  [
    'a URI with a control character',
    '300486026107',
    'x509: cannot parse URI "a\\a": parse "a\\a": net/url: invalid control character in URL',
  ],
  ['no sequence', '0500', 'x509: invalid subject alternative names'],
] as const)
  test(`alternative names are refused: ${what}`, () => {
    const extension = { oid: EXTENSION.subjectAltName, critical: false, value: Buffer.from(value, 'hex') };
    assert.throws(
      () => parseRequest(createRequest({ key, subject: node, extensions: [extension] }).der),
      new PkiError(message),
    );
  });

test('kinds of alternative names that Go drops are only named', () => {
  const value = Buffer.from('30088801 2a820161 8000'.replaceAll(' ', ''), 'hex');
  const request = parseRequest(
    createRequest({ key, subject: node, extensions: [{ oid: EXTENSION.subjectAltName, critical: false, value }] }).der,
  );
  assert.deepEqual(request.altNames, { dns: ['a'], email: [], ip: [], uri: [], other: ['registeredID', 'otherName'] });
});

// All 256 values at every position take half a minute and were tried by hand; these find every looseness that was ever
// found.
for (const algorithm of ['ECDSA-P256', 'RSA-2048'] as const)
  test(`no change of one byte leaves a sound request (${algorithm})`, () => {
    const { der } = createRequest({
      key: generateKey(algorithm),
      subject: node,
      altNames: { dns: ['a.b'], ip: ['10.0.0.1'] },
    });
    for (let at = 0; at < der.length; at++)
      for (const value of [0x05, 0x30, (der[at] ?? 0) ^ 1, (der[at] ?? 0) ^ 0x80]) {
        if (value === der[at]) continue;
        const changed = Buffer.from(der);
        changed[at] = value;
        assert.ok(!isSound(changed), `byte ${at} as ${value}`);
      }
  });

function isSound(der: Buffer): boolean {
  try {
    const { canonical, signatureProblem } = parseRequest(der);
    return canonical && signatureProblem === undefined;
  } catch (error) {
    if (error instanceof PkiError) return false;
    throw error;
  }
}

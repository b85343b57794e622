import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import forge from 'node-forge';
import { PkiError } from './asn1-go.js';
import {
  authorityFromPem,
  CA_VALIDITY,
  createAuthority,
  FIVE_MINUTES,
  issue,
  issueCredential,
  LEAF_VALIDITY,
} from './authority.js';
import { createCertificate, isSignedBy, parseCertificate, parseCertificates, randomSerial } from './certificate.js';
import { generateKey, type KeyAlgorithm, parsePrivateKey, privateKeyPem, sameKey, spkiOf, spkiPin } from './keys.js';
import { createRequest, parseRequest } from './request.js';

const now = Date.parse('2026-01-02T03:04:05.678Z');
const seconds = (at: number): number => Math.floor(at / 1000) * 1000;
const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now });
/** Signed by itself, with a name and a key that say nothing. */
const plain = { subject: { commonName: 'a' }, publicKey: ca.key, signingKey: ca.key, notBefore: now, notAfter: now };

test('an authority has the shape that kubeadm gives it', () => {
  const { facts } = ca;
  assert.equal(facts.version, 3);
  assert.equal(facts.commonName, 'kubernetes');
  assert.deepEqual(facts.keyUsage, ['digitalSignature', 'keyEncipherment', 'keyCertSign']);
  assert.deepEqual(facts.basicConstraints, { ca: true });
  assert.deepEqual(facts.altNames.dns, ['kubernetes']);
  assert.equal(facts.subjectKeyId?.length, 20);
  assert.equal(facts.authorityKeyId, undefined);
  assert.equal(facts.extendedKeyUsage, undefined);
  assert.equal(facts.notBefore, seconds(now - FIVE_MINUTES));
  assert.equal(facts.notAfter, seconds(now + CA_VALIDITY));
  assert.ok(isSignedBy(facts, facts));
});

test('a leaf has the shape that kubeadm gives it, with EC keys too', () => {
  const { certificate, key } = issueCredential(ca, {
    subject: { commonName: 'kubernetes-admin', organizations: ['kubeadm:cluster-admins', 'zz', 'aa'], uid: '42' },
    key: 'ECDSA-P256',
    now,
    extendedKeyUsage: ['serverAuth', 'clientAuth', '1.2.3.4'],
    altNames: { dns: ['*.example.com'], ip: ['::ffff:10.0.0.1', 'fd00:0:0:1::5'], uri: ['urn:x'], email: ['a@b'] },
  });
  const facts = parseCertificate(certificate.der);
  assert.deepEqual(facts.organizations, ['kubeadm:cluster-admins', 'zz', 'aa']);
  assert.deepEqual(facts.keyUsage, ['digitalSignature', 'keyEncipherment']);
  assert.deepEqual(facts.extendedKeyUsage, ['serverAuth', 'clientAuth', '1.2.3.4']);
  assert.deepEqual(facts.basicConstraints, { ca: false });
  assert.equal(facts.subjectKeyId, undefined);
  assert.deepEqual(facts.authorityKeyId, ca.facts.subjectKeyId);
  assert.deepEqual(facts.altNames, {
    dns: ['*.example.com'],
    ip: ['10.0.0.1', 'fd00:0:0:1::5'],
    uri: ['urn:x'],
    email: ['a@b'],
    other: [],
  });
  assert.equal(facts.notBefore, seconds(now - FIVE_MINUTES));
  assert.equal(facts.notAfter, seconds(now + LEAF_VALIDITY));
  assert.ok(BigInt(`0x${facts.serial}`) > 0n && BigInt(`0x${facts.serial}`) < 2n ** 63n);
  assert.equal(facts.pin, spkiPin(spkiOf(key)));
  assert.ok(isSignedBy(facts, ca.facts));
  assert.ok(!isSignedBy(facts, createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now }).facts));
});

test('a certificate says what it is told to, and leaves out what it is told to', () => {
  const leaf = { subject: { commonName: 'a' }, publicKey: ca.key, notBefore: now, notAfter: now + 1000 };
  const oids = (input: Partial<Parameters<typeof issue>[1]>, authority = ca): readonly string[] =>
    parseCertificate(issue(authority, { ...leaf, ...input }).der).extensions.map(
      ({ oid, critical, value }) =>
        `${oid}${critical ? '!' : ''} ${value.length > 12 ? value.length : value.toString('hex')}`,
    );
  const [usage, basic, authorityKey] = ['2.5.29.15! 030205a0', '2.5.29.19! 3000', '2.5.29.35 24'];
  assert.deepEqual(oids({}), [usage, basic, authorityKey]);
  assert.deepEqual(oids({ ca: false }), [usage, basic, authorityKey]);
  assert.deepEqual(oids({ ca: true }), [usage, '2.5.29.19! 30030101ff', authorityKey]);
  assert.deepEqual(oids({ ca: 'unsaid' }), [usage, authorityKey]);
  assert.deepEqual(oids({ keyUsage: [] }), [basic, authorityKey]);
  assert.deepEqual(oids({ keyUsage: ['digitalSignature'] }), ['2.5.29.15! 03020780', basic, authorityKey]);
  assert.deepEqual(oids({ extendedKeyUsage: ['clientAuth'] }), [
    usage,
    '2.5.29.37 300a06082b06010505070302',
    basic,
    authorityKey,
  ]);
  assert.deepEqual(oids({ extendedKeyUsage: [] }), [usage, basic, authorityKey]);
  assert.deepEqual(oids({ altNames: { dns: ['a'] } }), [usage, basic, authorityKey, '2.5.29.17 3003820161']);
  const more = { oid: '1.2.3', critical: true, value: Buffer.from([5, 0]) };
  assert.deepEqual(oids({ extensions: [more] }), [usage, basic, authorityKey, '1.2.3! 0500']);
  const unnamed = { ...ca, facts: { ...ca.facts, subjectKeyId: undefined } };
  assert.deepEqual(oids({}, unnamed), [usage, basic]);
  const serial = Buffer.from([7]);
  assert.equal(parseCertificate(issue(ca, { ...leaf, serial }).der).serial, '7');
});

test('alternative names of each kind alone, and several of a kind, are written and read back', () => {
  const none = { dns: [], email: [], ip: [], uri: [], other: [] };
  for (const altNames of [
    { dns: ['a', 'b'] },
    { email: ['a@b', 'c@d'] },
    { ip: ['10.0.0.1', 'fd00::1'] },
    { uri: ['urn:x', 'spiffe://a/b'] },
  ]) {
    const expected = { ...none, ...altNames };
    assert.deepEqual(parseCertificate(createCertificate({ ...plain, altNames }).der).altNames, expected);
    const request = createRequest({ key: ca.key, subject: { commonName: 'a' }, altNames });
    assert.deepEqual(parseRequest(request.der).altNames, expected);
  }
  for (const altNames of [{}, { dns: [], email: [], ip: [], uri: [] }]) {
    assert.deepEqual(parseCertificate(createCertificate({ ...plain, altNames }).der).extensions, []);
    assert.deepEqual(parseRequest(createRequest({ key: ca.key, subject: {}, altNames }).der).extensions, []);
  }
});

test('a subject holds all that it is told, in the order of kubeadm, and alternative names are critical without one', () => {
  const subject = {
    commonName: 'a',
    organizations: ['b', 'c'],
    organizationalUnits: ['d', 'e'],
    uid: 'f',
    extra: [{ oid: '2.5.4.7', value: 'g' }],
  };
  const { rdns } = parseCertificate(createCertificate({ ...plain, subject }).der).subject;
  assert.deepEqual(
    rdns.map((rdn) => rdn.map(({ oid, value }) => `${oid} ${value}`)),
    [
      ['2.5.4.10 b'],
      ['2.5.4.10 c'],
      ['2.5.4.11 d'],
      ['2.5.4.11 e'],
      ['2.5.4.3 a'],
      ['1.3.6.1.4.1.57683.2 f'],
      ['2.5.4.7 g'],
    ],
  );
  const critical = (name: typeof subject | []): readonly boolean[] =>
    parseCertificate(createCertificate({ ...plain, subject: name, altNames: { dns: ['a'] } }).der).extensions.map(
      (extension) => extension.critical,
    );
  assert.deepEqual([critical([]), critical(subject)], [[true], [false]]);
});

test('basic constraints keep a path of no length apart from none', () => {
  const read = (pathLength?: number) =>
    parseCertificate(
      createCertificate({
        ...plain,
        basicConstraints: { ca: true, ...(pathLength === undefined ? {} : { pathLength }) },
      }).der,
    ).basicConstraints;
  assert.deepEqual(
    [read(), read(0), read(3)],
    [{ ca: true }, { ca: true, pathLength: 0 }, { ca: true, pathLength: 3 }],
  );
  for (const [hex, expected] of [
    ['300d0101ff02087fffffffffffffff', Number(2n ** 63n - 1n)],
    ['300e0101ff020900ffffffffffffffff', undefined],
    ['30060101ff0201ff', undefined],
  ] as const) {
    const extension = { oid: '2.5.29.19', critical: true, value: Buffer.from(hex, 'hex') };
    const { der } = createCertificate({ ...plain, extensions: [extension] });
    if (expected === undefined)
      assert.throws(() => parseCertificate(der), new PkiError('x509: invalid basic constraints'), hex);
    else assert.equal(parseCertificate(der).basicConstraints?.pathLength, expected);
  }
});

test('what node:crypto and node-forge read agrees with what was read here', () => {
  const rsa = createAuthority({ commonName: 'kubernetes', key: 'RSA-2048', now });
  const { facts } = rsa;
  const theirs = new X509Certificate(rsa.certificate.pem);
  assert.equal(theirs.serialNumber.toLowerCase().replace(/^0+/, ''), facts.serial);
  assert.equal(Date.parse(theirs.validTo), facts.notAfter);
  assert.ok(theirs.ca && theirs.checkIssued(theirs) && theirs.verify(theirs.publicKey));
  const forged = forge.pki.certificateFromPem(rsa.certificate.pem);
  assert.equal(forged.subject.getField('CN')?.value, 'kubernetes');
  assert.ok(forged.verify(forged));
});

test('dates from 2050 on are GeneralizedTime and are read back', () => {
  const notAfter = Date.parse('2051-01-01T00:00:00Z');
  const { der } = issue(ca, { subject: { commonName: 'a' }, publicKey: ca.key, notBefore: now, notAfter });
  assert.equal(parseCertificate(der).notAfter, notAfter);
});

test('an authority is read from PEM, with its own key only', () => {
  const keyPem = privateKeyPem(ca.key);
  assert.deepEqual(authorityFromPem(ca.certificate.pem, keyPem)?.facts.spki, ca.facts.spki);
  assert.equal(authorityFromPem(ca.certificate.pem, privateKeyPem(generateKey('ECDSA-P256'))), undefined);
  assert.equal(authorityFromPem('nothing', keyPem), undefined);
});

test('private keys are written as kubeadm writes them, and read back', () => {
  for (const [algorithm, label] of [
    ['RSA-1024', 'RSA PRIVATE KEY'],
    ['ECDSA-P256', 'EC PRIVATE KEY'],
    ['Ed25519', 'PRIVATE KEY'],
  ] as const satisfies readonly (readonly [KeyAlgorithm, string])[]) {
    const key = generateKey(algorithm);
    const pem = privateKeyPem(key);
    assert.ok(pem.startsWith(`-----BEGIN ${label}-----\n`), pem.split('\n', 1)[0]);
    const read = parsePrivateKey(pem);
    assert.ok(read !== undefined && sameKey(read, key));
  }
});

test('serial numbers stay below their width and are never zero', () => {
  assert.deepEqual(
    randomSerial(63, (length) => Buffer.alloc(length, 0xff)),
    Buffer.from('7fffffffffffffff', 'hex'),
  );
  assert.deepEqual(
    randomSerial(8, (length) => Buffer.alloc(length)),
    Buffer.from([1]),
  );
});

test('a certificate with two extensions of one kind is refused, wherever they stand', () => {
  const extension = (oid: string) => ({ oid, critical: false, value: Buffer.from([5, 0]) });
  const made = (...oids: readonly string[]) => createCertificate({ ...plain, extensions: oids.map(extension) });
  assert.equal(parseCertificate(made('1.2.3.4', '1.2.3.5', '1.2.3.6').der).extensions.length, 3);
  for (const oids of [
    ['1.2.3.4', '1.2.3.4'],
    ['1.2.3.4', '1.2.3.5', '1.2.3.4'],
  ])
    assert.throws(
      () => parseCertificate(made(...oids).der),
      new PkiError('x509: certificate contains duplicate extension with OID "1.2.3.4"'),
    );
});

test('bytes that are no certificate are refused with the words of Go', () => {
  const { der } = ca.certificate;
  assert.throws(() => parseCertificate(Buffer.from('0500', 'hex')), new PkiError('x509: malformed certificate'));
  assert.throws(() => parseCertificate(Buffer.concat([der, Buffer.from([0])])), new PkiError('x509: trailing data'));
  assert.throws(
    () => parseCertificate(createRequest({ key: ca.key, subject: { commonName: 'a' } }).der),
    new PkiError("x509: inner and outer signature algorithm identifiers don't match"),
  );
  assert.throws(
    () => parseCertificate(Buffer.from('30020500', 'hex')),
    new PkiError('x509: malformed tbs certificate'),
  );
  assert.equal(parseCertificates(Buffer.concat([der, der])).length, 2);
  const sha1 = createCertificate({ ...plain, signature: 'ECDSA-SHA1' });
  const facts = parseCertificate(sha1.der);
  assert.ok(!isSignedBy(facts, facts), 'a certificate signed with SHA-1 counts for nothing');
});

const OPENSSL = process.env.OPENSSL ?? 'openssl';
const openssl = spawnSync(OPENSSL, ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'joinproof-pki-'));
after(() => rmSync(folder, { recursive: true }));

for (const algorithm of ['RSA-2048', 'ECDSA-P256', 'ECDSA-P384', 'Ed25519'] as const satisfies readonly KeyAlgorithm[])
  test(`openssl accepts what is made with ${algorithm}`, { skip: openssl ? false : 'openssl is not installed' }, () => {
    const authority = createAuthority({ commonName: 'kubernetes', key: algorithm, now: Date.now() });
    const path = (name: string): string => join(folder, `${algorithm}-${name}`);
    writeFileSync(path('ca'), authority.certificate.pem);
    for (const [usage, purpose] of [
      ['clientAuth', 'sslclient'],
      ['serverAuth', 'sslserver'],
    ] as const) {
      const leaf = issueCredential(authority, {
        subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
        key: algorithm,
        now: Date.now(),
        extendedKeyUsage: [usage],
        altNames: { dns: ['a'], ip: ['10.0.0.1'] },
      });
      writeFileSync(path(usage), leaf.certificatePem);
      const verified = execFileSync(OPENSSL, [
        'verify',
        '-x509_strict',
        '-purpose',
        purpose,
        '-CAfile',
        path('ca'),
        path(usage),
      ]).toString();
      assert.equal(verified.trim(), `${path(usage)}: OK`);
    }
    writeFileSync(
      path('request'),
      createRequest({ key: generateKey(algorithm), subject: { commonName: 'a' }, altNames: { ip: ['::1'] } }).pem,
    );
    const asked = spawnSync(OPENSSL, ['req', '-verify', '-noout', '-in', path('request')]);
    assert.match(`${asked.stdout}${asked.stderr}`, /verify OK/);
  });

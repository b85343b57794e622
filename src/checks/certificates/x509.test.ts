import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { workOf } from '../../model/work.testing.js';
import { createAuthority, issue } from '../../pki/authority.js';
import { createCertificate, isSignedBy as isSignedByMaker, parseCertificate } from '../../pki/certificate.js';
import type { ReadAltNames } from '../../pki/extensions.js';
import { generateKey, type KeyAlgorithm } from '../../pki/keys.js';
import { KEY_USAGES } from '../../pki/oids.js';
import { pemBlocks } from '../../pki/pem.js';
import { createRequest, parseRequestPem } from '../../pki/request.js';
import { readRequest, readRequestPem } from './csr.js';
import { readDer } from './der.js';
import { blocksOf } from './pem.js';
import { isSignedAmong, isSignedBy, leafIn, readCertificate, tryCertificate } from './x509.js';

const NOW = Date.UTC(2026, 0, 1);
const KINDS: readonly KeyAlgorithm[] = ['ECDSA-P256', 'ECDSA-P384', 'ECDSA-P521', 'Ed25519', 'RSA-2048'];
const keys = KINDS.map((kind) => generateKey(kind));
const authorities = KINDS.map((key) => createAuthority({ commonName: 'kubernetes', key, now: NOW }));
const [ca, other] = authorities as [(typeof authorities)[0], (typeof authorities)[0]];

const label = fc.stringMatching(/^[a-z0-9]{1,12}$/);
const text = fc.oneof(label, fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter(isWellFormed));
function isWellFormed(value: string): boolean {
  return Buffer.from(value, 'utf8').toString('utf8') === value;
}
const names = fc.record({
  dns: fc.array(label, { maxLength: 3 }),
  email: fc.array(
    label.map((name) => `${name}@example.com`),
    { maxLength: 1 },
  ),
  ip: fc.array(fc.oneof(fc.ipV4(), fc.ipV6()), { maxLength: 3 }),
  uri: fc.array(
    label.map((name) => `https://${name}/x`),
    { maxLength: 1 },
  ),
});
const subject = fc.record({ commonName: text, organizations: fc.array(text, { maxLength: 3 }) });
const key = fc.constantFrom(...keys);
const leaf = fc.record({
  subject,
  altNames: names,
  key,
  days: fc.integer({ min: 1, max: 20_000 }),
  keyUsage: fc.subarray([...KEY_USAGES]),
  extendedKeyUsage: fc.subarray(['any', 'serverAuth', 'clientAuth', '1.2.3.4']),
  ca: fc.boolean(),
});

const plain = ({ dns, email, ip, uri, other: rest }: ReadAltNames) => ({ dns, email, ip, uri, other: rest.length });

/** What both readers say of a certificate; they must say the same. */
function compare(der: Buffer): void {
  const made = parseCertificate(der);
  const read = readCertificate(der);
  assert.deepEqual(
    {
      commonName: read.commonName,
      organizations: read.organizations,
      serial: read.serial,
      issuer: read.issuer.commonName,
      notBefore: read.notBefore,
      notAfter: read.notAfter,
      altNames: read.altNames,
      keyUsage: read.keyUsage,
      extendedKeyUsage: read.extendedKeyUsage,
      ca: read.ca,
      ids: read.ids,
      critical: read.critical ?? [],
      pin: read.pin,
    },
    {
      commonName: made.commonName,
      organizations: made.organizations,
      serial: made.serial,
      issuer: made.issuer.rdns.flat().at(-1)?.value,
      notBefore: made.notBefore,
      notAfter: made.notAfter,
      altNames: plain(made.altNames),
      keyUsage: made.keyUsage,
      extendedKeyUsage: made.extendedKeyUsage,
      ca: made.basicConstraints?.ca ?? false,
      ids: made.extensions.map(({ oid }) => oid),
      critical: made.extensions.flatMap(({ oid, critical }) => (critical ? [oid] : [])),
      pin: made.pin,
    },
  );
}

describe('certificates, as the judge reads them', () => {
  it('say what their maker reads in them, whatever they say', () => {
    fc.assert(
      fc.property(leaf, fc.constantFrom(...authorities), ({ key: own, days, ...input }, authority) => {
        const { der } = issue(authority, {
          ...input,
          publicKey: own,
          notBefore: NOW,
          notAfter: NOW + days * 86_400_000,
        });
        compare(der);
        for (const issuer of authorities)
          assert.equal(
            isSignedBy(der, issuer.certificate.der),
            isSignedByMaker(parseCertificate(der), issuer.facts),
            `${issuer.facts.signatureName}`,
          );
      }),
      { numRuns: 40 },
    );
    for (const { certificate } of authorities) compare(certificate.der);
  });

  it('say the same to both where a byte is another, or are refused', () => {
    const { der } = issue(ca, {
      subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
      publicKey: keys[0] as (typeof keys)[0],
      notBefore: NOW,
      notAfter: NOW + 86_400_000,
      extendedKeyUsage: ['clientAuth'],
      altNames: { dns: ['a'], ip: ['192.0.2.1', '2001:db8::1'] },
    });
    fc.assert(
      fc.property(fc.integer({ min: 0, max: der.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const bytes = Buffer.from(der);
        bytes[at] = (bytes[at] ?? 0) ^ change;
        const read = tryCertificate(bytes);
        let made: ReturnType<typeof parseCertificate> | undefined;
        try {
          made = parseCertificate(bytes);
        } catch {
          made = undefined;
        }
        if (made === undefined || 'unreadable' in read) return;
        assert.equal(read.commonName, made.commonName);
        assert.deepEqual(read.organizations, made.organizations);
        assert.equal(read.pin, made.pin);
        assert.equal(read.notAfter, made.notAfter);
        // names of usages and forms of alternative names are read from what is well formed only: nobody has signed this
        assert.equal(isSignedBy(bytes, ca.certificate.der), isSignedByMaker(made, ca.facts), `byte ${at}`);
      }),
      { numRuns: 500 },
    );
  });

  it('are signed by the authority that signed them, and by no other of the same name', () => {
    const pem = issue(ca, {
      subject: { commonName: 'x' },
      publicKey: keys[1] as (typeof keys)[0],
      notBefore: NOW,
      notAfter: NOW + 1_000,
    }).pem;
    assert.equal(isSignedAmong(pem, other.certificate.pem + ca.certificate.pem), true);
    assert.equal(isSignedAmong(pem, other.certificate.pem), false);
    assert.equal(isSignedAmong('', ca.certificate.pem), false);
    assert.equal(isSignedAmong(pem, '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'), false);
    assert.equal(leafIn(pem)?.commonName, 'x');
    assert.equal(leafIn('no PEM'), undefined);
  });

  it('are not signed by anybody with SHA-1', () => {
    const rsa = generateKey('RSA-2048');
    const issuer = createAuthority({ commonName: 'old', key: rsa, now: NOW });
    const { der } = createCertificate({
      subject: { commonName: 'x' },
      issuer: issuer.facts.subject.der,
      publicKey: rsa,
      signingKey: rsa,
      notBefore: NOW,
      notAfter: NOW + 1_000,
      signature: 'SHA1-RSA',
    });
    assert.equal(isSignedBy(der, issuer.certificate.der), false);
  });

  it('are refused where they are none', () => {
    assert.deepEqual(tryCertificate(Buffer.from('no DER')), { unreadable: 'it is no DER' });
    assert.ok('unreadable' in tryCertificate(Buffer.from([0x30, 0])));
    assert.ok('unreadable' in tryCertificate(Buffer.concat([ca.certificate.der, Buffer.from([0])])));
  });
});

describe('requests, as the judge reads them', () => {
  const same = (pem: string): void => {
    const made = parseRequestPem(pem);
    const read = readRequestPem(pem);
    assert.ok(!('unreadable' in read));
    assert.equal(read.commonName, made.commonName);
    assert.deepEqual(read.organizations, made.organizations);
    assert.deepEqual(read.altNames, plain(made.altNames));
    assert.deepEqual(
      read.ids,
      made.extensions.map(({ oid }) => oid),
    );
    assert.equal(read.problem === undefined, made.signatureProblem === undefined);
  };

  it('say what their maker reads in them, whatever they say', () => {
    fc.assert(
      fc.property(subject, names, key, text, (own, altNames, signer, around) =>
        same(`${around.replaceAll('-', '')}\n${createRequest({ key: signer, subject: own, altNames }).pem}\n${around}`),
      ),
      { numRuns: 40 },
    );
    for (const signature of ['SHA1-RSA', 'SHA512-RSA'] as const)
      same(createRequest({ key: generateKey('RSA-2048'), subject: { commonName: 'x' }, signature }).pem);
  });

  it('say names whose characters have two bytes, of any number', () => {
    for (const name of ['abc', 'abcd']) {
      const wide = Buffer.from(name, 'utf16le').swap16();
      const { der } = createRequest({
        key: keys[0] as (typeof keys)[0],
        subject: { commonName: 'x'.repeat(wide.length) },
      });
      const bytes = Buffer.from(der);
      const at = bytes.indexOf('x'.repeat(wide.length));
      wide.copy(bytes, at);
      // the tag of its UTF8String or PrintableString becomes that of a BMPString
      bytes[at - 2] = 30;
      assert.equal(readRequest(bytes).commonName, name);
    }
  });

  it('are not proven where a byte is another', () => {
    const { der } = createRequest({ key: keys[0] as (typeof keys)[0], subject: { commonName: 'system:node:a' } });
    const at = der.indexOf('system:node:a');
    const bytes = Buffer.from(der);
    bytes[at] = 'S'.charCodeAt(0);
    assert.equal(readRequest(bytes).commonName, 'System:node:a');
    assert.equal(readRequest(bytes).problem, 'the signature is not by that key');
    assert.equal(readRequest(der).problem, undefined);
  });

  it('are refused where they are none', () => {
    assert.deepEqual(readRequestPem('x'), { unreadable: 'it is no PEM' });
    assert.deepEqual(readRequestPem(ca.certificate.pem), { unreadable: 'it is PEM of a CERTIFICATE' });
    const empty = '-----BEGIN CERTIFICATE REQUEST-----\nMAA=\n-----END CERTIFICATE REQUEST-----\n';
    assert.deepEqual(readRequestPem(empty), { unreadable: 'what is signed is no sequence' });
  });
});

describe('PEM, as the judge reads it', () => {
  it('holds the blocks that its maker finds', () => {
    const { pem } = ca.certificate;
    for (const written of [
      pem,
      `${pem}${other.certificate.pem}`,
      `text\n${pem}text\n`,
      pem.replace('\n', '\nProc-Type: 4\n\n'),
      pem.replaceAll('\n', '\r\n'),
      pem.replace('-----END CERTIFICATE', '-----END KEY'),
      `-----BEGIN CERTIFICATE-----\n${pem}`,
      pem.replace('M', '*'),
      '',
    ]) {
      const read = blocksOf(written).map(({ label: name, bytes }) => [name, bytes.toString('hex')]);
      const made = pemBlocks(written).map(({ label: name, bytes }) => [name, bytes.toString('hex')]);
      assert.deepEqual(read, made, JSON.stringify(written.slice(0, 60)));
    }
  });

  it('is read in one pass', () => {
    const text = '-----BEGIN CERTIFICATE-----\n'.repeat(100_000);
    assert.ok(workOf(() => assert.deepEqual(blocksOf(text), []), 2_000) < 2_000);
  });
});

describe('the parts of a certificate', () => {
  const NAMES = { altNames: { dns: ['a.example'] } };
  const made = createCertificate({
    subject: { commonName: 'a' },
    publicKey: ca.key,
    signingKey: ca.key,
    notBefore: NOW,
    notAfter: NOW + 86_400_000,
    ...NAMES,
  }).der;
  const length = (bytes: number): Buffer =>
    bytes < 128
      ? Buffer.from([bytes])
      : bytes < 256
        ? Buffer.from([0x81, bytes])
        : Buffer.from([0x82, bytes >> 8, bytes & 255]);
  const sequenceOf = (...parts: readonly Buffer[]): Buffer => {
    const content = Buffer.concat(parts);
    return Buffer.concat([Buffer.from([0x30]), length(content.length), content]);
  };
  const [tbs, ...rest] = readDer(made).parts;
  assert.ok(tbs);
  const parts = tbs.parts.map((part) => part.der());
  const rebuilt = (...fields: readonly Buffer[]): Buffer =>
    sequenceOf(sequenceOf(...fields), ...rest.map((part) => part.der()));

  it('are extensions behind identifiers that stand before them', () => {
    assert.deepEqual(readCertificate(rebuilt(...parts)).altNames.dns, ['a.example']);
    const identifiers = [1, 2].map((tag) => Buffer.from([0x80 + tag, 2, 0, 0xff]));
    const read = readCertificate(rebuilt(...parts.slice(0, -1), ...identifiers, ...parts.slice(-1)));
    assert.deepEqual(read.altNames.dns, ['a.example']);
  });
  it('are no extensions in a version that has none', () => {
    const second = rebuilt(Buffer.from([0xa0, 3, 2, 1, 1]), ...parts.slice(1));
    const read = tryCertificate(second);
    assert.deepEqual('unreadable' in read ? 'refused' : read.altNames.dns, []);
  });
});

/** Certificates whose parts are moved, broken or missing, and who has signed them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import asn1 from 'node-forge/lib/asn1.js';
import { type Authority, createAuthority, issue } from '../../pki/authority.js';
import { bits, context, type DerTree, der, nothing, sequence } from '../../pki/der-write.js';
import { generateKey } from '../../pki/keys.js';
import { encodePem } from '../../pki/pem.js';
import {
  certificatesIn,
  isSignedAmong,
  isSignedBy,
  leafIn,
  longestOf,
  readLeaf,
  signersAmong,
  tryCertificate,
} from './x509.js';

const NOW = Date.UTC(2026, 0, 1);
const YEAR = 365 * 86_400_000;
const key = generateKey('ECDSA-P256');
const authorityOf = (commonName: string, validity = YEAR): Authority =>
  createAuthority({ commonName, key, now: NOW, validity });
const ca = authorityOf('kubernetes');
const issued = (serial = Buffer.from([7])) =>
  issue(ca, {
    subject: { commonName: 'system:node:a', organizations: ['system:nodes'] },
    publicKey: key,
    notBefore: NOW,
    notAfter: NOW + YEAR,
    altNames: { dns: ['a'] },
    serial,
  });
const leaf = issued();
const endOfSigner = (pem: string, authorities: string): number | undefined => longestOf(signersAmong(pem, authorities));

/** A certificate of other fields: version, serial, algorithm, issuer, validity, subject, key, what is optional. */
function changed(bytes: Buffer, change: (fields: readonly DerTree[]) => readonly DerTree[]): Buffer {
  const how = { strict: true, decodeBitStrings: false, parseAllBytes: true };
  const [tbs, ...others] = asn1.fromDer(bytes.toString('latin1'), how).value as DerTree[];
  return der(sequence(sequence(...change(tbs?.value as DerTree[])), ...others));
}
const unreadable = (bytes: Buffer): string => {
  const read = tryCertificate(bytes);
  return 'unreadable' in read ? read.unreadable : 'it is read';
};
/** The same, but for the month of the year in which it begins or ends. */
function withoutTime(bytes: Buffer, text: string): Buffer {
  const at = bytes.indexOf(text);
  assert.ok(at > 0);
  return Buffer.concat([bytes.subarray(0, at + 2), Buffer.from('13'), bytes.subarray(at + 4)]);
}
const pemOf = (bytes: Buffer): string => encodePem('CERTIFICATE', bytes);

describe('a certificate that cannot be read', () => {
  it('says why', () => {
    assert.equal(unreadable(der(nothing())), 'a certificate is no sequence');
    assert.equal(unreadable(der(sequence())), 'what is signed is no sequence');
    assert.equal(unreadable(der(sequence(sequence()))), 'the signature is no string of whole bytes');
    assert.equal(unreadable(der(sequence(sequence(), sequence(), bits(Buffer.alloc(1))))), 'it is no certificate');
    assert.equal(unreadable(changed(leaf.der, ([, ...rest]) => [context(0, []), ...rest])), 'it is no certificate');
  });

  it('has a time that is none, at its beginning or its end', () => {
    assert.equal(unreadable(withoutTime(leaf.der, '260101000000Z')), 'its times cannot be read');
    assert.equal(unreadable(withoutTime(leaf.der, '270101000000Z')), 'its times cannot be read');
  });

  it('is not in a text without its block', () => {
    const none = { unreadable: 'there is no PEM block CERTIFICATE' };
    assert.deepEqual(readLeaf(''), none);
    assert.deepEqual(readLeaf(encodePem('CERTIFICATE REQUEST', leaf.der)), none);
    assert.deepEqual(readLeaf(pemOf(der(sequence()))), { unreadable: 'what is signed is no sequence' });
    assert.equal(leafIn(pemOf(der(sequence()))), undefined);
  });
});

describe('the certificates of a text', () => {
  it('are those of the blocks of that name', () => {
    const text = `${encodePem('X509 CRL', ca.certificate.der)}${leaf.pem}between\n${ca.certificate.pem}`;
    assert.deepEqual(certificatesIn(text), [leaf.der, ca.certificate.der]);
    assert.deepEqual(certificatesIn(encodePem('CERTIFICATE REQUEST', leaf.der)), []);
    assert.equal(leafIn(text)?.commonName, 'system:node:a');
  });
});

describe('a certificate', () => {
  it('has its serial number without zeros in front', () => {
    const serial = (...bytes: readonly number[]) => leafIn(issued(Buffer.from(bytes)).pem)?.serial;
    assert.deepEqual([serial(7), serial(0x0a, 0xbc), serial(0xab), serial(0x10, 0)], ['7', 'abc', 'ab', '1000']);
  });

  it('of version 1 is read without the field that names the version', () => {
    const first = changed(leaf.der, (fields) => fields.slice(1, 7));
    const read = leafIn(pemOf(first));
    assert.equal(read?.commonName, 'system:node:a');
    assert.equal(read.issuer.commonName, 'kubernetes');
    assert.deepEqual([read.ids, read.altNames.dns], [[], []]);
    assert.equal(
      isSignedBy(
        leaf.der,
        changed(ca.certificate.der, (fields) => fields.slice(1, 7)),
      ),
      true,
    );
  });

  it('has its extensions behind what else is optional', () => {
    const unique = [context(1, Buffer.from([0, 1])), context(2, Buffer.from([0, 2]))];
    const moved = changed(leaf.der, (fields) => [...fields.slice(0, 7), ...unique, ...fields.slice(7)]);
    assert.deepEqual(leafIn(pemOf(moved))?.altNames.dns, ['a']);
    assert.deepEqual(leafIn(pemOf(changed(leaf.der, (fields) => fields.slice(0, 7))))?.ids, []);
  });
});

describe('a signer', () => {
  it('is one of that name, whoever else has its key', () => {
    assert.equal(isSignedBy(leaf.der, ca.certificate.der), true);
    assert.equal(isSignedBy(leaf.der, authorityOf('front-proxy-ca').certificate.der), false);
  });

  it('and what it signed have all their fields', () => {
    for (let count = 0; count < 7; count += 1) {
      const short = (bytes: Buffer): Buffer => changed(bytes, (fields) => fields.slice(0, count));
      assert.equal(isSignedBy(leaf.der, short(ca.certificate.der)), false, `signer of ${count}`);
      assert.equal(isSignedBy(short(leaf.der), ca.certificate.der), false, `signed of ${count}`);
    }
    const whole = changed(ca.certificate.der, (fields) => fields.slice(0, 7));
    assert.equal(isSignedBy(leaf.der, whole), true);
    assert.equal(isSignedBy(Buffer.from('none'), ca.certificate.der), false);
    assert.equal(isSignedBy(leaf.der, Buffer.from('none')), false);
  });

  it('is not found with a broken signature, nor for what is no certificate', () => {
    const broken = Buffer.from(leaf.der);
    broken[broken.indexOf('system:node:a')] = 'S'.charCodeAt(0);
    assert.equal(isSignedAmong(pemOf(broken), ca.certificate.pem), false);
    assert.equal(isSignedAmong(leaf.pem, ''), false);
    assert.equal(isSignedAmong('', ca.certificate.pem), false);
    assert.equal(isSignedAmong(ca.certificate.pem + leaf.pem, authorityOf('front-proxy-ca').certificate.pem), false);
  });

  it('ends when the longest of its certificates does', () => {
    const [short, long] = [ca.certificate.pem, authorityOf('kubernetes', 3 * YEAR).certificate.pem];
    assert.equal(endOfSigner(leaf.pem, short), NOW + YEAR);
    assert.equal(endOfSigner(leaf.pem, short + long), NOW + 3 * YEAR);
    assert.equal(endOfSigner(leaf.pem, long + short), NOW + 3 * YEAR);
    assert.equal(endOfSigner(leaf.pem, authorityOf('front-proxy-ca').certificate.pem), undefined);
    assert.equal(endOfSigner('', short), undefined);
  });

  it('whose times cannot be read has no end', () => {
    const timeless = withoutTime(ca.certificate.der, '270101000000Z');
    assert.equal(isSignedBy(leaf.der, timeless), true);
    assert.equal(endOfSigner(leaf.pem, pemOf(timeless)), undefined);
    assert.equal(endOfSigner(leaf.pem, pemOf(timeless) + ca.certificate.pem), NOW + YEAR);
  });
});

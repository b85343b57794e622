import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { createCertificate } from '../../pki/certificate.js';
import { context, der, octets, sequence } from '../../pki/der-write.js';
import { generateKey } from '../../pki/keys.js';
import { besidesIn } from './certificate-oddities.js';

const NOW = Date.UTC(2026, 0, 1);
const signingKey = generateKey('ECDSA-P256');
const rsa = (publicExponent?: number): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength: 1024, ...(publicExponent === undefined ? {} : { publicExponent }) })
    .privateKey;

type More = Partial<Parameters<typeof createCertificate>[0]>;
const certificate = (more: More = {}): Buffer =>
  createCertificate({
    subject: { commonName: 'a' },
    publicKey: signingKey,
    signingKey,
    notBefore: NOW,
    notAfter: NOW + 86_400_000,
    ...more,
  }).der;
const of = (more: More = {}) => besidesIn(certificate(more));
const extension = (oid: string, critical = true) => ({ oid, critical, value: der(octets(Buffer.from('x'))) });

describe('oddities of a certificate', () => {
  it('are none of what Go takes', () => {
    for (const key of ['ECDSA-P256', 'ECDSA-P384', 'ECDSA-P521', 'Ed25519'] as const)
      assert.deepEqual(of({ publicKey: generateKey(key) }), {}, key);
    assert.deepEqual(of({ publicKey: rsa() }), {});
    assert.deepEqual(of({ keyUsage: ['digitalSignature'], extendedKeyUsage: ['clientAuth'] }), {});
  });

  it('tell of a negative number', () => {
    assert.deepEqual(of({ serial: Buffer.from([0x7f]) }), {});
    const made = certificate({ serial: Buffer.from([0x7f]) });
    // version, then the number: 02 01 7f
    made[made.indexOf(Buffer.from([2, 1, 0x7f])) + 2] = 0xff;
    assert.deepEqual(besidesIn(made), { odd: ['its number is negative'] });
  });

  it('tell of a key why Go takes it not', () => {
    assert.deepEqual(of({ publicKey: rsa(3) }), { odd: ['the exponent of its key is 3'] });
    assert.deepEqual(of({ publicKey: generateKey('ECDSA-P224') }), { odd: ['its key is on the curve secp224r1'] });
    assert.deepEqual(of({ publicKey: generateKey('ECDSA-secp256k1') }), { odd: ['its key is on the curve secp256k1'] });
    assert.deepEqual(of({ publicKey: generateKey('Ed448') }), { odd: ['its key is of the kind ed448'] });
    assert.deepEqual(of({ publicKey: rsa(65_539) }), {});
  });

  it('tell critical extensions that Go does not know', () => {
    const odd = (id: string, critical = true) => of({ extensions: [extension(id, critical)] }).odd;
    assert.deepEqual(odd('1.2.3.4'), ['the extension 1.2.3.4']);
    assert.deepEqual(odd('1.2.5.29.15'), ['the extension 1.2.5.29.15']);
    assert.deepEqual(odd('2.5.29.37.1'), ['the extension 2.5.29.37.1']);
    assert.equal(odd('1.2.3.4', false), undefined);
    assert.equal(odd('2.5.29.54'), undefined);
    assert.equal(odd('1.3.6.1.5.5.7.1.1'), undefined);
    // what is not critical may begin as what is
    const begun = { oid: '1.2.3.4', critical: false, value: Buffer.from([0xff, 0xff]) };
    assert.deepEqual(of({ extensions: [begun] }), {});
    const written = certificate({ extensions: [extension('1.2.3.4')] });
    // the identifier, then "critical": 06 03 2a 03 04 01 01 ff
    written[written.indexOf(Buffer.from([6, 3, 0x2a, 3, 4, 1, 1, 0xff])) + 7] = 0;
    assert.deepEqual(besidesIn(written), {});
    const all = of({ publicKey: rsa(3), extensions: [extension('1.2.3.4'), extension('1.2.3.5')] }).odd;
    assert.deepEqual(all, ['the exponent of its key is 3', 'the extension 1.2.3.4', 'the extension 1.2.3.5']);
  });

  it('come with the identifiers of its key and of its issuer’s', () => {
    const [subjectKeyId, authorityKeyId] = [Buffer.from('0a0b', 'hex'), Buffer.from('0c0d', 'hex')];
    assert.deepEqual(of({ subjectKeyId }), { keyId: '0a0b' });
    assert.deepEqual(of({ authorityKeyId }), { issuersKeyId: '0c0d' });
    assert.deepEqual(of({ subjectKeyId, authorityKeyId, extensions: [extension('1.2.3.4')] }), {
      odd: ['the extension 1.2.3.4'],
      keyId: '0a0b',
      issuersKeyId: '0c0d',
    });
    const critical = { oid: '2.5.29.14', critical: true, value: der(octets(subjectKeyId)) };
    assert.deepEqual(of({ extensions: [critical] }), { keyId: '0a0b' });
    const identifier = (...parts: readonly ReturnType<typeof context>[]) =>
      of({ extensions: [{ oid: '2.5.29.35', critical: false, value: der(sequence(...parts)) }] });
    assert.deepEqual(identifier(), {});
    assert.deepEqual(identifier(context(1, Buffer.from('a')), context(0, Buffer.from('b'))), { issuersKeyId: '62' });
    assert.deepEqual(identifier(octets(Buffer.from('a')), context(0, Buffer.from('b'))), { issuersKeyId: '62' });
    assert.deepEqual(identifier(context(2, Buffer.from('serial'))), {});
    const bySerial = { oid: '2.5.29.35', critical: false, value: der(sequence(context(2, Buffer.from('serial')))) };
    assert.deepEqual(of({ subjectKeyId, extensions: [bySerial, extension('1.2.3.4')] }), {
      odd: ['the extension 1.2.3.4'],
      keyId: '0a0b',
    });
  });

  it('come with the names that an authority is limited to', () => {
    const names = Buffer.from('a.example');
    const excluded = der(sequence(context(1, [sequence(context(2, names))])));
    const limits = { permitted: { dns: [], ip: [] }, excluded: { dns: ['a.example'], ip: [] } };
    assert.deepEqual(of({ extensions: [{ oid: '2.5.29.30', critical: true, value: excluded }] }), { limits });
    assert.deepEqual(of({ extensions: [{ oid: '1.2.3.30', critical: false, value: excluded }] }), {});
  });

  it('come with no identifier of another kind or place', () => {
    const identifier = (...parts: readonly ReturnType<typeof context>[]) =>
      of({ extensions: [{ oid: '2.5.29.35', critical: false, value: der(sequence(...parts)) }] });
    assert.deepEqual(identifier(context(10, Buffer.from('a'))), {});
    assert.deepEqual(identifier(octets(Buffer.from('a'))), {});
    for (const oid of ['2.5.29.140', '2.5.29.1', '12.5.29.14'.slice(1), '2.5.29.350'])
      assert.deepEqual(
        of({ extensions: [{ oid, critical: false, value: der(octets(Buffer.from('a'))) }] }).keyId,
        oid === '2.5.29.14' ? '61' : undefined,
        oid,
      );
  });

  it('are none of what cannot be read', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('x'), certificate().subarray(0, 100)])
      assert.deepEqual(besidesIn(bytes), {});
    const value = Buffer.from('x');
    const unreadable = { oid: '2.5.29.35', critical: false, value };
    assert.deepEqual(of({ publicKey: rsa(3), extensions: [unreadable] }), { odd: ['the exponent of its key is 3'] });
  });
});

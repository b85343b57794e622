import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import { createAuthority, issue } from '../pki/authority.js';
import { generateKey, privateKeyPem } from '../pki/keys.js';
import { forgedPair, type Good } from './forging.js';

const NOW = Date.UTC(2026, 4, 3, 12);
const HOUR = 3_600_000;
const authority = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: NOW });
const ca = new X509Certificate(authority.certificate.pem);
const key = generateKey('ECDSA-P256');
const commonName = 'system:node:jp-forged';
const good: Good = {
  certificate: issue(authority, {
    subject: { commonName, organizations: ['system:nodes'] },
    publicKey: key,
    notBefore: NOW - HOUR,
    notAfter: NOW + HOUR,
    extendedKeyUsage: ['clientAuth'],
  }).pem,
  key: privateKeyPem(key),
  commonName,
  now: NOW,
};
const SUBJECT = `O=system:nodes\nCN=${commonName}`;

/** The certificates of a forged pair, whose key is that of the first of them. */
function forged(how: string): readonly [X509Certificate, ...X509Certificate[]] {
  const pair = forgedPair(how, good);
  assert.ok(pair);
  const [leaf, ...others] = (pair.certificate.match(/-----BEGIN [\s\S]*?-----END CERTIFICATE-----/g) ?? []).map(
    (pem) => new X509Certificate(pem),
  );
  assert.ok(leaf !== undefined);
  assert.ok(leaf.checkPrivateKey(createPrivateKey(pair.key)), how);
  return [leaf, ...others];
}
const shownOf = ({ subject, issuer, keyUsage, validFrom, validTo }: X509Certificate) => ({
  ...{ subject, issuer, keyUsage },
  life: [Date.parse(validFrom) - NOW, Date.parse(validTo) - NOW],
});
const CLIENT = { keyUsage: ['1.3.6.1.5.5.7.3.2'], life: [-HOUR, HOUR] };

describe('a forged certificate', () => {
  it('is a good one, but for its signature', () => {
    const [leaf] = forged('whose signature was changed');
    assert.deepEqual(shownOf(leaf), shownOf(new X509Certificate(good.certificate)));
    assert.equal(leaf.verify(ca.publicKey), false);
  });

  it('is a good one, but for its name, which the signature does not cover', () => {
    for (const name of [commonName, `${commonName}x`]) {
      const { pem: certificate } = issue(authority, {
        subject: { commonName: name, organizations: ['system:nodes'] },
        publicKey: key,
        notBefore: NOW - HOUR,
        notAfter: NOW + HOUR,
      });
      const pair = forgedPair('whose name was changed after it was signed', { ...good, certificate, commonName: name });
      const leaf = new X509Certificate(pair?.certificate ?? '');
      assert.equal(leaf.verify(ca.publicKey), false);
      assert.equal(leaf.issuer, 'CN=kubernetes');
      assert.equal(leaf.subject.length, SUBJECT.length - commonName.length + name.length);
      assert.notEqual(leaf.subject, `O=system:nodes\nCN=${name}`);
    }
  });

  it('is signed by itself', () => {
    const [leaf, ...others] = forged('that is signed by itself');
    assert.deepEqual(shownOf(leaf), { subject: SUBJECT, issuer: SUBJECT, ...CLIENT });
    assert.deepEqual([leaf.verify(leaf.publicKey), leaf.ca, others], [true, false, []]);
  });

  it('comes of another CA of the same name, with that or before a good one', () => {
    for (const [how, isAuthority] of [
      ['of another CA that comes along with it', true],
      ['of another CA, before a good one', false],
    ] as const) {
      const [leaf, beside, ...others] = forged(how);
      assert.deepEqual(shownOf(leaf), { subject: SUBJECT, issuer: ca.subject, ...CLIENT });
      assert.equal(leaf.verify(ca.publicKey), false);
      assert.ok(beside);
      assert.deepEqual([beside.ca, others], [isAuthority, []]);
      if (isAuthority) assert.deepEqual([beside.subject, leaf.verify(beside.publicKey)], [ca.subject, true]);
      else assert.equal(beside.raw.equals(new X509Certificate(good.certificate).raw), true);
    }
  });

  it('makes an administrator of whoever has the certificate of a node', () => {
    const [leaf, node, ...others] = forged('that the node has issued to an administrator with its own');
    assert.deepEqual(shownOf(leaf), { subject: 'O=system:masters\nCN=kubernetes-admin', issuer: SUBJECT, ...CLIENT });
    assert.ok(node !== undefined);
    assert.ok(node.raw.equals(new X509Certificate(good.certificate).raw));
    assert.ok(leaf.verify(node.publicKey) && !leaf.publicKey.equals(node.publicKey));
    assert.deepEqual(others, []);
  });

  it('is none in a way that nobody knows', () => {
    assert.equal(forgedPair('in another way', good), undefined);
    assert.throws(() => forgedPair('that is signed by itself', { ...good, key: 'none' }), /cannot be read/);
    const other = { ...good, key: privateKeyPem(generateKey('ECDSA-P256')) };
    assert.throws(() => forgedPair('that the node has issued to an administrator with its own', other), /do not fit/);
  });
});

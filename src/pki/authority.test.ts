import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorityFromPem, createAuthority, issueCredential } from './authority.js';
import { parseCertificate } from './certificate.js';

test('an authority is read of one certificate and its own key, and of nothing less', () => {
  const make = () => createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now: Date.UTC(2026, 10, 28) });
  const [one, other] = [make(), make()];
  const keyOf = (authority: typeof one): string => String(authority.key.export({ type: 'pkcs8', format: 'pem' }));
  const { pem } = one.certificate;
  const read = authorityFromPem(pem, keyOf(one));
  assert.deepEqual(read?.certificate.der, one.certificate.der);
  assert.ok(read?.facts.subject.der.includes('kubernetes'));
  // The first of several counts.
  assert.deepEqual(
    authorityFromPem(`${pem}${other.certificate.pem}`, keyOf(one))?.certificate.der,
    one.certificate.der,
  );
  for (const [certificate, key] of [
    [pem, keyOf(other)],
    [`${other.certificate.pem}${pem}`, keyOf(one)],
    [pem, ''],
    [pem, pem],
    ['', keyOf(one)],
    [keyOf(one), keyOf(one)],
    ['', ''],
  ] as const)
    assert.equal(authorityFromPem(certificate, key), undefined);
});

test('a leaf has what kubeadm gives it, and more where it is asked for', () => {
  const now = Date.UTC(2026, 10, 28);
  const ca = createAuthority({ commonName: 'kubernetes', key: 'ECDSA-P256', now });
  const leaf = (more: Partial<Parameters<typeof issueCredential>[1]> = {}) =>
    parseCertificate(
      issueCredential(ca, { subject: { commonName: 'a' }, key: 'ECDSA-P256', now, ...more }).certificate.der,
    );
  const idsOf = ({ extensions }: ReturnType<typeof leaf>) => extensions.map(({ oid }) => oid);
  const [USAGE, BASIC, AUTHORITY] = ['2.5.29.15', '2.5.29.19', '2.5.29.35'];
  const bare = leaf();
  assert.deepEqual(idsOf(bare), [USAGE, BASIC, AUTHORITY]);
  assert.deepEqual(bare.keyUsage, ['digitalSignature', 'keyEncipherment']);
  assert.deepEqual([bare.notBefore, bare.notAfter], [now - 300_000, now + 8760 * 3_600_000]);
  assert.deepEqual(bare.authorityKeyId, ca.facts.subjectKeyId);
  assert.deepEqual(idsOf(leaf({ ca: 'unsaid', keyUsage: [] })), [AUTHORITY]);
  assert.deepEqual(idsOf(leaf({ extendedKeyUsage: ['clientAuth'] })), [USAGE, '2.5.29.37', BASIC, AUTHORITY]);
  const own = { oid: '1.2.3.4', critical: false, value: Buffer.from([5, 0]) };
  assert.deepEqual(leaf({ extensions: [own] }).extensions.at(-1), own);
  assert.equal(idsOf(leaf({ extensions: [own] })).length, 4);
  const short = leaf({ validity: 60_000, notBefore: now, serial: Buffer.from([7]) });
  assert.deepEqual([short.notBefore, short.notAfter], [now, now + 60_000]);
});

test('an authority lives ten years, or as long as it is told, and signs', () => {
  const now = Date.UTC(2026, 10, 28);
  const { facts } = createAuthority({ commonName: 'etcd-ca', key: 'ECDSA-P256', now });
  assert.deepEqual([facts.notBefore, facts.notAfter], [now - 300_000, now + 87_600 * 3_600_000]);
  assert.deepEqual(facts.keyUsage, ['digitalSignature', 'keyEncipherment', 'keyCertSign']);
  assert.deepEqual(facts.altNames.dns, ['etcd-ca']);
  assert.equal(facts.basicConstraints?.ca, true);
  const brief = createAuthority({ commonName: 'x', key: 'ECDSA-P256', now, validity: 1000 });
  assert.equal(brief.facts.notAfter, now + 1000);
});

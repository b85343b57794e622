import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorityFromPem, createAuthority } from './authority.js';

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

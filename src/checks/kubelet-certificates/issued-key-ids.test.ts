import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createAuthority, issue } from '../../pki/authority.js';
import { createCertificate } from '../../pki/certificate.js';
import { generateKey } from '../../pki/keys.js';
import { resultsOf } from '../common/judged.testing.js';
import { issuedNamesKey, readKeyNamed } from './issued-key-ids.js';

const now = Date.UTC(2026, 0, 1);
const times = { notBefore: now, notAfter: now + 86_400_000 };
const key = generateKey('ECDSA-P256');
const leaf = { subject: { commonName: 'leaf' }, publicKey: key, ...times };
const authority = createAuthority({ commonName: 'a', key: 'ECDSA-P256', now });
const other = createAuthority({ commonName: 'b', key: 'ECDSA-P256', now });
const nameless = createCertificate({ ...leaf, signingKey: key });

it('a certificate names the key of one of its authorities', () => {
  const [ca, second] = [authority, other].map(({ certificate }) => certificate.der) as [Buffer, Buffer];
  const named = issue(authority, leaf).pem;
  const found = (pem: string, ...signers: Buffer[]) =>
    resultsOf(issuedNamesKey, readKeyNamed('a certificate', pem, signers), undefined);
  assert.deepEqual(found(named, ca), ['met']);
  assert.deepEqual(found(named, second, ca), ['met']);
  assert.deepEqual(found(named, second), ['unmet']);
  assert.deepEqual(found(nameless.pem, ca), ['unmet']);
});

it('nothing is demanded where its authority has no identifier, or there is no certificate', () => {
  assert.deepEqual(readKeyNamed('a certificate', nameless.pem, [nameless.der]), []);
  assert.deepEqual(readKeyNamed('a certificate', nameless.pem, []), []);
  assert.deepEqual(readKeyNamed('a certificate', 'no PEM', [authority.certificate.der]), []);
});

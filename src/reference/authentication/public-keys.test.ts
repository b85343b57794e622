import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { test } from 'node:test';
import { createAuthority } from '../../pki/authority.js';
import { generateKey, publicKeyPem, sameKey } from '../../pki/keys.js';
import { NOW } from '../world.test.js';
import { publicKeysOf } from './public-keys.js';

const [rsa, ec] = [generateKey('RSA-2048'), generateKey('ECDSA-P256')];
const pem = (key: typeof rsa, type: 'pkcs1' | 'pkcs8' | 'sec1'): string =>
  key.export({ type: type as 'pkcs8', format: 'pem' }).toString();

test('keys are found in every form that upstream reads, beside what is none', () => {
  const authority = createAuthority({ commonName: 'ca', key: 'ECDSA-P256', now: NOW });
  const text = [
    pem(rsa, 'pkcs1'),
    pem(rsa, 'pkcs8'),
    'words\n',
    publicKeyPem(rsa),
    pem(ec, 'sec1'),
    publicKeyPem(ec),
    authority.certificate.pem,
    // upstream reads no elliptic private key in PKCS#8
    pem(ec, 'pkcs8'),
    publicKeyPem(generateKey('Ed25519')),
  ].join('');
  const keys = publicKeysOf(text);
  assert.deepEqual(
    keys.map(({ asymmetricKeyType, type }) => `${asymmetricKeyType} ${type}`),
    ['rsa public', 'rsa public', 'rsa public', 'ec public', 'ec public', 'ec public'],
  );
  assert.ok(keys.slice(0, 3).every((key) => sameKey(key, createPublicKey(rsa))));
});

test('a file without a key is refused', () => {
  for (const text of ['', 'x', pem(ec, 'pkcs8')])
    assert.throws(() => publicKeysOf(text), { name: 'ConfigurationError', message: /holds no RSA or ECDSA key/ });
});

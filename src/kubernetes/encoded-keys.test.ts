import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { mayHoldKey } from './encoded-keys.js';

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const der = privateKey.export({ type: 'sec1', format: 'der' });

describe('a text that may hold a private key', () => {
  it('has it as PEM, or PEM or DER in base64 or hex, whatever stands around', () => {
    for (const key of [
      pem,
      Buffer.from(pem).toString('base64'),
      Buffer.from(pem).toString('base64url'),
      Buffer.from(pem).toString('hex'),
      der.toString('base64'),
      der.toString('hex').toUpperCase(),
    ])
      for (const text of [key, `key: ${key}\n`, `{"client-key-data":"${key}"}`])
        assert.equal(mayHoldKey(text), true, text);
  });
  it('is no text with a public key, a hash, a token or nothing', () => {
    const shown = publicKey.export({ type: 'spki', format: 'der' });
    for (const text of [
      '',
      'joined',
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      shown.toString('base64'),
      `sha256:${'0f'.repeat(32)}`,
      'abcdef.0123456789abcdef',
    ])
      assert.equal(mayHoldKey(text), false, text);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generateKey, privateKeyPem, spkiOf, spkiPin } from '../../pki/keys.js';
import { holdsPrivateKey, keyPinIn } from './joining-key-reader.js';

const [ec, rsa] = [generateKey('ECDSA-P256'), generateKey('RSA-2048')];
const base64 = (bytes: string | Buffer): string => Buffer.from(bytes).toString('base64');
const PIN = spkiPin(spkiOf(ec));

describe('the private key of a text', () => {
  it('is read as PEM, in JSON, in base64 and in hex', () => {
    for (const key of [ec, rsa])
      for (const format of ['native', 'pkcs8'] as const) {
        const pem = privateKeyPem(key, format);
        const der = Buffer.from(pem.replace(/-----[^-]*-----|\n/g, ''), 'base64');
        for (const content of [
          pem,
          `a certificate before it\n${pem}`,
          JSON.stringify({ a: 'b', data: { key: pem }, c: 'd' }),
          base64(pem),
          `key: ${base64(pem)}\n`,
          base64(der),
          der.toString('hex'),
          base64(JSON.stringify({ key: pem })),
        ]) {
          assert.equal(keyPinIn(content), spkiPin(spkiOf(key)), content);
          assert.equal(holdsPrivateKey(content), true, content);
        }
      }
  });

  it('is the first of several that can be read', () => {
    const other = base64(privateKeyPem(rsa));
    assert.equal(keyPinIn(`${base64(privateKeyPem(ec))} ${other}`), PIN);
    assert.equal(
      keyPinIn(`${'A'.repeat(80)} ${base64('PRIVATE KEY-----'.repeat(6))} ${base64(privateKeyPem(ec))}`),
      PIN,
    );
    assert.equal(keyPinIn(JSON.stringify([privateKeyPem(ec), privateKeyPem(rsa)])), PIN);
  });

  it('is none where none stands, or none can be read', () => {
    for (const content of ['', 'a', base64('a'.repeat(100)), base64(Buffer.alloc(100))]) {
      assert.equal(keyPinIn(content), '', content);
      assert.equal(holdsPrivateKey(content), false, content);
    }
    const cut = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n';
    for (const content of [cut, JSON.stringify({ key: cut }), base64(cut + cut)])
      assert.equal(keyPinIn(content), '', content);
  });
});

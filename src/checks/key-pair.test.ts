import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { isWhole } from './key-pair.js';

describe('the numbers of a private key', () => {
  it('belong together', () => {
    assert.equal(isWhole(generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey), true);
    assert.equal(isWhole(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey), true);
    assert.equal(isWhole(generateKeyPairSync('ed25519').privateKey), true);
  });

  it('are not whole where one of an RSA key is another', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = privateKey.export({ format: 'jwk' });
    for (const name of ['d', 'p', 'q', 'dp', 'dq', 'qi'] as const) {
      const bytes = Buffer.from(jwk[name] ?? '', 'base64url');
      bytes.writeUInt8(bytes.readUInt8(40) ^ 4, 40);
      const key = createPrivateKey({ key: { ...jwk, [name]: bytes.toString('base64url') }, format: 'jwk' });
      assert.equal(isWhole(key), false, name);
    }
  });

  it('are not whole where a key on a curve signs for another public half', () => {
    const [one, other] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
    assert.ok(one !== undefined && other !== undefined);
    const [der, foreign] = [one, other].map((key) => key.export({ type: 'sec1', format: 'der' }));
    assert.ok(der !== undefined && foreign !== undefined);
    foreign.copy(der, 7, 7, 39);
    assert.equal(isWhole(createPrivateKey({ key: der, type: 'sec1', format: 'der' })), false);
  });
});

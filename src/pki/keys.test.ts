import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { describe, it } from 'node:test';
import { generateKey, KEY_ALGORITHMS, parsePrivateKey, privateKeyPem, sameKey, spkiOf } from './keys.js';

describe('the SubjectPublicKeyInfo of a key', () => {
  for (const algorithm of KEY_ALGORITHMS.filter((one) => !one.startsWith('RSA-') || one === 'RSA-2048')) {
    it(`of ${algorithm} is what OpenSSL writes, of the first key and of later ones`, () => {
      const keys = Array.from({ length: algorithm === 'RSA-2048' ? 2 : 12 }, () => generateKey(algorithm));
      for (const key of keys) {
        const whole = createPublicKey(key).export({ type: 'spki', format: 'der' });
        assert.deepEqual(spkiOf(key), whole);
        assert.deepEqual(spkiOf(createPublicKey(key)), whole);
        const again = parsePrivateKey(privateKeyPem(key));
        assert.ok(again !== undefined && sameKey(again, key));
      }
      const [one, other] = keys;
      assert.ok(one !== undefined && other !== undefined && !sameKey(one, other));
    });
  }
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  generateKey,
  generateKeyAsync,
  KEY_ALGORITHMS,
  parsePrivateKey,
  privateKeyPem,
  sameKey,
  spkiOf,
} from './keys.js';

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

describe('a key that is made', () => {
  it('is of the kind that its name says, and there are these', () => {
    const kinds = Object.fromEntries(
      KEY_ALGORITHMS.filter((one) => one !== 'RSA-3072' && one !== 'RSA-4096').map((algorithm) => {
        const { asymmetricKeyType, asymmetricKeyDetails } = generateKey(algorithm);
        return [
          algorithm,
          [asymmetricKeyType, asymmetricKeyDetails?.namedCurve ?? asymmetricKeyDetails?.modulusLength],
        ];
      }),
    );
    assert.deepEqual(kinds, {
      'RSA-2048': ['rsa', 2048],
      'ECDSA-P256': ['ec', 'prime256v1'],
      'ECDSA-P384': ['ec', 'secp384r1'],
      'ECDSA-P521': ['ec', 'secp521r1'],
      'ECDSA-P224': ['ec', 'secp224r1'],
      Ed25519: ['ed25519', undefined],
      'RSA-1024': ['rsa', 1024],
      'RSA-512': ['rsa', 512],
      'ECDSA-secp256k1': ['ec', 'secp256k1'],
      Ed448: ['ed448', undefined],
    });
    // These take seconds to be made.
    for (const slow of ['RSA-3072', 'RSA-4096'] as const) assert.ok(KEY_ALGORITHMS.includes(slow));
  });
});

describe('a key that is made off the main thread', () => {
  it('is one of its kind', async () => {
    const key = await generateKeyAsync('RSA-1024');
    assert.deepEqual(
      [key.type, key.asymmetricKeyType, key.asymmetricKeyDetails?.modulusLength],
      ['private', 'rsa', 1024],
    );
  });

  it('lets its thread be ended when it is ready and a promise keeps that thread busy', () => {
    const busy = `import { parentPort } from 'node:worker_threads';
      import { generateKeyAsync } from ${JSON.stringify(new URL('./keys.js', import.meta.url).href)};
      for (let keys = 0; keys < 8; keys += 1) void generateKeyAsync('RSA-512');
      setTimeout(async () => { await null; parentPort.postMessage('busy'); for (;;); }, 1);`;
    const script = `import { Worker } from 'node:worker_threads';
      const thread = new Worker(new URL(${JSON.stringify(`data:text/javascript,${encodeURIComponent(busy)}`)}));
      thread.once('message', () => setTimeout(() => thread.terminate(), 500));
      thread.once('exit', () => { process.exitCode = 3; });`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' });
    assert.deepEqual([ended.status, ended.stderr], [3, '']);
  });
});

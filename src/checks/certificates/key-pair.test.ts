import assert from 'node:assert/strict';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { privateJwk, privateKeyPem, publicAnew } from '../../pki/keys.js';
import { isWhole, pinOfPrivateJwk, pinOfPrivateKey } from './key-pair.js';
import { pinOf } from './signature.js';

describe('the numbers of a private key', () => {
  it('belong together', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    assert.equal(isWhole(createPrivateKey(privateKeyPem(privateKey))), true);
    assert.equal(isWhole(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey), true);
    assert.equal(isWhole(generateKeyPairSync('ed25519').privateKey), true);
  });

  it('are not whole where one of an RSA key is another', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const jwk = privateJwk(privateKey);
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

  it('are not whole where they do not multiply to the modulus, are no factors, or fit one factor alone', () => {
    const [one, other] = [1, 2].map(() => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
    const [own = {}, foreign = {}] = [one, other].map((key) => key && privateJwk(key));
    const isWholeWith = (changes: Readonly<Record<string, unknown>>): boolean =>
      isWhole({ asymmetricKeyType: 'rsa', export: () => ({ ...own, ...changes }) } as unknown as KeyObject);
    assert.equal(isWholeWith({}), true);
    assert.equal(isWholeWith({ n: foreign.n }), false);
    for (const factor of ['AA', 'AQ', '', undefined])
      for (const name of ['p', 'q']) assert.equal(isWholeWith({ [name]: factor }), false, `${name} ${factor}`);
    // one is a factor of everything, and everything is a remainder of it
    assert.equal(isWholeWith({ p: 'AQ', q: own.n }), false);
    assert.equal(isWholeWith({ q: 'AQ', p: own.n }), false);
  });

  it('are not whole where the exponents fit one factor alone', () => {
    const numberOf = (text = ''): bigint => BigInt(`0x${Buffer.from(text, 'base64url').toString('hex')}`);
    const textOf = (number: bigint): string => {
      const hex = number.toString(16);
      return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
    };
    const own = privateJwk(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey);
    const [d, p, q] = [own.d, own.p, own.q].map(numberOf) as [bigint, bigint, bigint];
    // what is left of d by one factor stays, and by the other one does not
    for (const more of [p - 1n, q - 1n]) {
      const [other, dp, dq] = [d + more, (d + more) % (p - 1n), (d + more) % (q - 1n)].map(textOf);
      const changed = { ...own, d: other, dp, dq };
      assert.equal(isWhole({ asymmetricKeyType: 'rsa', export: () => changed } as unknown as KeyObject), false);
    }
    const two = { n: 'Bg', e: 'AQ', d: 'AQ', p: 'Ag', q: 'Aw', dp: 'AA', dq: 'AQ', qi: 'AQ' };
    assert.equal(isWhole({ asymmetricKeyType: 'rsa', export: () => two } as unknown as KeyObject), false);
  });

  it('are verified by what signed: a key that cannot sign is not whole', () => {
    const { privateKey } = generateKeyPairSync('x25519');
    assert.equal(isWhole(privateKey), false);
  });
});

describe('the pin of a private key', () => {
  const [rsa, ec, ed] = [
    generateKeyPairSync('rsa', { modulusLength: 1024 }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('ed25519'),
  ] as const;
  const pin = ({ publicKey }: { readonly publicKey: KeyObject }): string =>
    pinOf(publicKey.export({ type: 'spki', format: 'der' }));

  it('is that of its public half, whatever block holds it', () => {
    for (const [label, type, pair] of [
      ['PRIVATE KEY', 'pkcs8', rsa],
      ['PRIVATE KEY', 'pkcs8', ec],
      ['PRIVATE KEY', 'pkcs8', ed],
      ['RSA PRIVATE KEY', 'pkcs1', rsa],
      ['EC PRIVATE KEY', 'sec1', ec],
    ] as const) {
      const der = pair.privateKey.export({ type: type as 'pkcs8', format: 'der' });
      assert.equal(pinOfPrivateKey(label, der), pin(pair), `${label} ${type}`);
      for (const other of ['ENCRYPTED PRIVATE KEY', 'PUBLIC KEY', 'CERTIFICATE', '', 'toString'])
        assert.equal(pinOfPrivateKey(other, der), undefined, other);
      assert.equal(pinOfPrivateKey(label, der.subarray(0, 20)), undefined);
    }
  });

  it('is told of a key as JSON where it is whole', () => {
    for (const pair of [rsa, ec, ed]) assert.equal(pinOfPrivateJwk(privateJwk(pair.privateKey)), pin(pair));
    assert.equal(pinOfPrivateJwk(publicAnew(rsa.publicKey).export({ format: 'jwk' })), undefined);
    assert.equal(pinOfPrivateJwk({ ...privateJwk(rsa.privateKey), dp: 'AQ' }), undefined);
    assert.equal(pinOfPrivateJwk({ kty: 'RSA', d: 'REDACTED' }), undefined);
    assert.equal(pinOfPrivateJwk({}), undefined);
  });
});

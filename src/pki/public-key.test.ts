/** What Go makes of public keys. Source: Go crypto/x509 parsePublicKey, crypto/internal/fips140/rsa checkPublicKey. */
import assert from 'node:assert/strict';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { describe, it } from 'node:test';
import { PkiError } from './asn1-go.js';
import { der, integer, nothing, octets, oid, sequence } from './der-write.js';
import { generateKey } from './keys.js';
import { KEY_TYPE } from './oids.js';
import { factsOf, readPublicKey, type SubjectPublicKeyInfo } from './public-key.js';

/** An INTEGER of these bytes in hex, which may be negative. */
const number = (hex: string): Buffer => Buffer.concat([Buffer.from([2, hex.length / 2]), Buffer.from(hex, 'hex')]);
/** A SEQUENCE of elements, less than 128 bytes. */
const list = (...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([0x30, content.length]), content]);
};
const NULL = der(nothing());
const info = (algorithm: string, parameters: Buffer, bits: Buffer): SubjectPublicKeyInfo => ({
  algorithm,
  parameters,
  bits,
});
const refused = (one: SubjectPublicKeyInfo, text: string, what = text): void =>
  assert.throws(() => readPublicKey(one), new PkiError(text), what);
const spki = (key: KeyObject): Buffer => createPublicKey(key).export({ type: 'spki', format: 'der' });
const same = (key: KeyObject | undefined, other: KeyObject): boolean =>
  key !== undefined && createPublicKey(key.export({ type: 'spki', format: 'pem' })).equals(createPublicKey(other));

describe('a DSA key', () => {
  const dsa = (y: string, ...parameters: readonly string[]): SubjectPublicKeyInfo =>
    info(KEY_TYPE.dsa, list(...parameters.map(number)), number(y));
  it('is of four numbers above zero, and Go can do nothing with it', () => {
    const key = readPublicKey(dsa('01', '02', '03', '04'));
    assert.deepEqual([key, factsOf(key)], [{ kind: 'DSA' }, undefined]);
    for (let at = 0; at < 4; at += 1)
      for (const bad of ['00', '80', 'ff'])
        refused(
          dsa(...(['01', '02', '03', '04'].map((good, place) => (place === at ? bad : good)) as [string])),
          'x509: zero or negative DSA parameter',
          `${bad} at ${at}`,
        );
  });
  it('is none where a number is missing', () => {
    refused(info(KEY_TYPE.dsa, list(number('01'), number('01'), number('01')), NULL), 'x509: invalid DSA public key');
    for (const parameters of [list(), list(number('01')), list(number('01'), number('01')), NULL, Buffer.alloc(0)])
      refused(info(KEY_TYPE.dsa, parameters, number('01')), 'x509: invalid DSA parameters');
  });
});

describe('an Ed25519 key', () => {
  const made = generateKey('Ed25519');
  const bytes = spki(made).subarray(-32);
  it('has 32 bytes and no parameters', () => {
    const key = readPublicKey(info(KEY_TYPE.ed25519, Buffer.alloc(0), bytes));
    assert.ok(key.kind === 'Ed25519' && same(key.key, made));
    assert.deepEqual(factsOf(key), { type: 'Ed25519', bits: 256 });
    refused(info(KEY_TYPE.ed25519, NULL, bytes), 'x509: Ed25519 key encoded with illegal parameters');
    for (const size of [0, 31, 33])
      refused(info(KEY_TYPE.ed25519, Buffer.alloc(0), Buffer.alloc(size, 1)), 'x509: wrong Ed25519 public key size');
  });
});

describe('an RSA key', () => {
  const MODULUS = `00${'c1'.repeat(64)}`;
  const rsa = (modulus = MODULUS, exponent = '010001'): SubjectPublicKeyInfo =>
    info(KEY_TYPE.rsa, NULL, list(number(modulus), number(exponent)));
  const read = (...numbers: Parameters<typeof rsa>) => {
    const key = readPublicKey(rsa(...numbers));
    assert.ok(key.kind === 'RSA');
    return key;
  };
  it('is of two numbers', () => {
    const key = read();
    assert.deepEqual([key.bits, key.problem, factsOf(key)], [512, undefined, { type: 'RSA', bits: 512 }]);
    assert.equal(key.key?.asymmetricKeyDetails?.modulusLength, 512);
    assert.equal(key.key, key.key, 'it is made once');
    for (const parameters of [Buffer.alloc(0), der(octets(Buffer.alloc(1)))])
      refused(info(KEY_TYPE.rsa, parameters, rsa().bits), 'x509: RSA key missing NULL parameters');
    refused(info(KEY_TYPE.rsa, NULL, NULL), 'x509: invalid RSA public key');
    refused(info(KEY_TYPE.rsa, NULL, list(NULL)), 'x509: invalid RSA modulus');
    refused(info(KEY_TYPE.rsa, NULL, list(number('03'), NULL)), 'x509: invalid RSA public exponent');
    refused(rsa(MODULUS, `01${'00'.repeat(8)}`), 'x509: invalid RSA public exponent');
    for (const bad of ['00', '80', 'ff']) {
      refused(rsa(bad), 'x509: RSA modulus is not a positive number');
      refused(rsa(MODULUS, bad), 'x509: RSA public exponent is not a positive number');
    }
  });
  it('verifies nothing where a number is of no use', () => {
    for (const [modulus, exponent, problem] of [
      [MODULUS.replace(/c1$/, 'c2'), '03', 'crypto/rsa: public modulus is even'],
      [MODULUS, '01', 'crypto/rsa: public exponent too small or negative'],
      [MODULUS, '02', 'crypto/rsa: public exponent is even'],
      [MODULUS, '03', undefined],
      [MODULUS, '7fffffff', undefined],
      [MODULUS, '0080000001', 'crypto/rsa: public exponent too large'],
      [MODULUS, `7f${'ff'.repeat(7)}`, 'crypto/rsa: public exponent too large'],
    ] as const)
      assert.equal(read(modulus, exponent).problem, problem, `${modulus} ${exponent}`);
  });
  it('is small below 1024 bits', () => {
    const of = (first: number) => {
      const modulus = Buffer.concat([Buffer.from([first]), Buffer.alloc(127, 0xff)]);
      const key = readPublicKey(
        info(KEY_TYPE.rsa, NULL, der(sequence(integer(modulus), integer(Buffer.from([1, 0, 1]))))),
      );
      assert.ok(key.kind === 'RSA');
      return [key.bits, key.small];
    };
    const text = (bits: number): string =>
      `crypto/rsa: ${bits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`;
    assert.deepEqual(
      [of(0x80), of(0x7f), of(1)],
      [
        [1024, undefined],
        [1023, text(1023)],
        [1017, text(1017)],
      ],
    );
    assert.equal(read().small, text(512));
  });
});

describe('an ECDSA key', () => {
  const CURVES = [
    ['ECDSA-P224', 'P-224', 224, '1.3.132.0.33', `${'f'.repeat(32)}${'0'.repeat(23)}1`],
    ['ECDSA-P256', 'P-256', 256, '1.2.840.10045.3.1.7', `ffffffff00000001${'0'.repeat(24)}${'f'.repeat(24)}`],
    ['ECDSA-P384', 'P-384', 384, '1.3.132.0.34', `${'f'.repeat(63)}effffffff${'0'.repeat(16)}ffffffff`],
    ['ECDSA-P521', 'P-521', 521, '1.3.132.0.35', `01${'f'.repeat(130)}`],
  ] as const;
  const curve = (id: string): Buffer => der(oid(id));
  for (const [algorithm, name, bits, id, prime] of CURVES)
    it(`of ${name} is a point of it, in full`, () => {
      const made = generateKey(algorithm);
      const bytes = Math.ceil(bits / 8);
      const point = spki(made).subarray(-(1 + 2 * bytes));
      const of = (one: Buffer): SubjectPublicKeyInfo => info(KEY_TYPE.ec, curve(id), one);
      const key = readPublicKey(of(point));
      assert.ok(key.kind === 'ECDSA' && same(key.key, made));
      assert.deepEqual(factsOf(key), { type: 'ECDSA', bits, curve: name });
      const goName = name.replace('-', '');
      for (const first of [2, 3, 5]) {
        const other = Buffer.concat([Buffer.from([first]), point.subarray(1)]);
        refused(of(other), 'ecdsa: invalid uncompressed public key');
      }
      refused(of(Buffer.alloc(0)), 'ecdsa: invalid uncompressed public key');
      for (const other of [point.subarray(0, -1), Buffer.concat([point, Buffer.alloc(1)])])
        refused(of(other), `invalid ${goName} point encoding`);
      const [x, y] = [point.subarray(1, 1 + bytes), point.subarray(1 + bytes)];
      const large = Buffer.from(prime, 'hex');
      const below = Buffer.from((BigInt(`0x${prime}`) - 1n).toString(16).padStart(2 * bytes, '0'), 'hex');
      const head = Buffer.from([4]);
      refused(of(Buffer.concat([head, large, y])), `invalid ${goName}Element encoding`);
      refused(of(Buffer.concat([head, x, large])), `invalid ${goName}Element encoding`);
      refused(of(Buffer.concat([head, x, below])), `${goName} point not on curve`);
      refused(of(Buffer.concat([head, y, x])), `${goName} point not on curve`);
    });
  it('is of a curve that Go knows', () => {
    const point = spki(generateKey('ECDSA-P256')).subarray(-65);
    for (const parameters of [Buffer.alloc(0), NULL])
      refused(info(KEY_TYPE.ec, parameters, point), 'x509: invalid ECDSA parameters');
    refused(info(KEY_TYPE.ec, curve('1.3.132.0.10'), point), 'x509: unsupported elliptic curve');
  });
});

it('a key of another type is passed over', () => {
  for (const algorithm of [KEY_TYPE.ed448, KEY_TYPE.x25519, '1.2.3']) {
    const key = readPublicKey(info(algorithm, NULL, Buffer.alloc(3)));
    assert.deepEqual([key, factsOf(key)], [{ kind: 'opaque' }, undefined]);
  }
});

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { secretReader } from './secret-forms.js';

const HALF = 'k3xq9zt07wmb5c1d';
const TOKEN = `abcdef.${HALF}`;
const hex = (text: string): string => Buffer.from(text).toString('hex');
const hash = (name: string, text: string): Buffer => createHash(name).update(text).digest();
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a secret in a text', () => {
  const holds = secretReader([TOKEN]);
  it('is found in whatever form it can be read from', () => {
    for (const text of [
      `a ${TOKEN}, b`,
      HALF.toUpperCase(),
      [...HALF].reverse().join(''),
      [...HALF].join(' '),
      `${HALF.slice(0, 8)}", "${HALF.slice(8)}`,
      `${TOKEN.slice(0, 20)}...`,
      `***${HALF.slice(3)}`,
      hex(HALF),
      hex(TOKEN).toUpperCase(),
      hex(TOKEN).replace(/../g, '%$&'),
      ...['', 'a', 'ab', 'abc'].map((before) => base64(`${before}${HALF}more`)),
      Buffer.from(`??>${TOKEN}??>`).toString('base64url'),
      ...['md5', 'sha1', 'sha256', 'sha512'].map((name) => `id=${hash(name, HALF).toString('hex').toUpperCase()}`),
      hash('sha256', TOKEN).toString('base64url'),
    ])
      assert.equal(holds(text), true, text);
  });
  it('is found byte by byte, as programs print bytes', () => {
    const bytes = [...Buffer.from(HALF)];
    const digits = bytes.map((byte) => byte.toString(16));
    for (const text of [
      `[${bytes.join(' ')}]`,
      `[]byte{${digits.map((byte) => `0x${byte}`).join(', ')}}`,
      `b'${digits.map((byte) => `\\x${byte}`).join('')}'`,
      JSON.stringify(bytes, null, 1),
    ])
      for (let again = 0; again < 2; again += 1) assert.equal(holds(text), true, text);
    assert.equal(holds(`[${bytes.slice(1).join(' ')}]`), false);
    assert.equal(holds(`0x${digits.slice(1).join(' 0x')}`), false);
  });
  it('may be megabytes of hex', () => {
    const long = 'c1'.repeat(4_000_000);
    assert.equal(secretReader([long])('nothing of it'), false);
  });

  it('is what its hex stands for, too', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 37 + 200) % 256));
    const holdsKey = secretReader([key.toString('hex')]);
    for (const text of [
      `--key ${key.toString('base64')}`,
      key.toString('base64url'),
      Buffer.concat([Buffer.from('k:'), key]).toString('base64'),
      `[${[...key].join(' ')}]`,
      `{${[...key].map((byte) => `0x${byte.toString(16).padStart(2, '0')}`).join(', ')}}`,
    ])
      assert.equal(holdsKey(text), true, text);
    assert.equal(holdsKey(key.subarray(2).toString('base64')), false);
    assert.equal(secretReader(['k3xq9zt07wmb5c1dk3xq9zt07wmb5c1d'])(key.toString('base64')), false);
  });
  it('is not found where half of it stands, or its id', () => {
    for (const text of [
      '',
      'abcdef',
      HALF.slice(0, 12),
      hex(HALF.slice(1)),
      base64(HALF.slice(2)),
      base64('abcdef'),
      hash('sha256', 'abcdef').toString('hex'),
    ])
      assert.equal(holds(text), false, text);
  });
  it('is one of several, and what is short is found as it is alone', () => {
    const several = secretReader(['', 'a.short', '0a'.repeat(32)]);
    assert.equal(several('some short text'), true);
    assert.equal(several('SHORT'), false);
    assert.equal(several('0a'.repeat(30)), false);
    assert.equal(several('0A'.repeat(32)), true);
    assert.equal(several(''), false);
    assert.equal(secretReader(['-'.repeat(20)])('nothing'), false);
    assert.equal(secretReader([])('nothing'), false);
  });
});

import assert from 'node:assert/strict';
import { createCipheriv, createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseRelease } from '../../kubeadm/release.js';
import { joiningDecisions as upstream } from './index.js';

const token = { id: 'abcdef', secret: '0123456789abcdef' };

describe('a pin', () => {
  const digits = '705e96450dbcd91eacff96a9d2d050fbf634cc7964d2a05a3c1cbe3f51f9fafe';
  it('is sha256 and 64 digits, of either case', () => {
    for (const pin of [`sha256:${digits}`, `SHA256:${digits.toUpperCase()}`])
      assert.deepEqual(upstream.readPin(pin), { hash: digits });
  });
  const refused: readonly (readonly [string, RegExp])[] = [
    [digits, /expected "format:hex-value"/],
    ['', /expected "format:hex-value"/],
    [`sha1:${digits.slice(24)}`, /unknown hash format "sha1"/],
    [` sha256:${digits}`, /unknown hash format " sha256"/],
    [`sha256:${digits.slice(2)}`, /found 31 bytes/],
    [`sha256:${digits}0`, /odd length/],
    [`sha256:${digits.slice(1)}g`, /invalid byte: U\+0067 'g'/],
    [`sha256:${(digits.match(/../g) ?? []).join(':')}`, /expected "format:hex-value"/],
  ];
  for (const [pin, why] of refused)
    it(`is not ${JSON.stringify(pin)}`, () => {
      const reading = upstream.readPin(pin);
      assert.match('problem' in reading ? reading.problem : '', why);
    });
  it('is of the key, not of the certificate', () => {
    const spki = Buffer.from('key');
    const hash = createHash('sha256').update(spki).digest('hex');
    assert.equal(upstream.pinOf({ spki, der: Buffer.from('whole') }), hash);
    assert.equal(upstream.isPinned(['x', hash], [hash]), true);
    assert.equal(upstream.isPinned([], [hash]), false);
  });
});

describe('a token', () => {
  it('is six, a dot and sixteen of a-z and 0-9', () => {
    assert.deepEqual(upstream.readToken('abcdef.0123456789abcdef'), token);
    for (const text of [
      '',
      'foo.bar',
      'ABCDEF.0123456789ABCDEF',
      ' abcdef.0123456789abcdef',
      'abcdef.0123456789abcdef\n',
    ])
      assert.equal(upstream.readToken(text), undefined);
  });
});

describe('attempts', () => {
  const context = { release: parseRelease('1.36'), chance: 0.5 };
  it('are five seconds apart, or the whole time if that is less', () => {
    assert.equal(upstream.discoveryInterval('token', 7000, context), 5000);
    assert.equal(upstream.discoveryInterval('token', 2000, context), 2000);
    assert.equal(upstream.discoveryInterval('file', 2000, context), 5000);
  });
  it('are repeated within a call where the server asks for it, and after a reset', () => {
    assert.equal(upstream.repeatsAfter(429, '1'), 1000);
    assert.equal(upstream.repeatsAfter(503, '2'), 2000);
    assert.equal(upstream.repeatsAfter(503, undefined), undefined);
    assert.equal(upstream.repeatsAfter(404, '1'), undefined);
    assert.equal(upstream.repeatsFailed('reset'), 1000);
    assert.equal(upstream.repeatsFailed('other'), undefined);
  });
});

describe('a certificate key', () => {
  it('is 64 hexadecimal digits', () => {
    assert.equal(upstream.certificateKeyProblem('Ab'.repeat(32)), undefined);
    assert.match(upstream.certificateKeyProblem('zz') ?? '', /certificate key decoding error/);
    assert.match(upstream.certificateKeyProblem('ab'.repeat(16)) ?? '', /invalid certificate key size 16/);
    assert.match(
      upstream.newCertificateKey((length) => Buffer.alloc(length, 7)),
      /^(07){32}$/,
    );
  });
  it('opens what was encrypted with it: nonce, ciphertext, tag', () => {
    const key = Buffer.from(Array.from({ length: 32 }, (_, at) => at));
    const vector = Buffer.from('101112131415161718191a1b1791f17839bb55dcac27e051a6e97c6b9c15992d4cd6d575af', 'hex');
    assert.deepEqual(upstream.decrypt(vector, key), { plain: Buffer.from('joinproof') });
    const failed = { problem: 'cipher: message authentication failed' };
    assert.deepEqual(upstream.decrypt(vector, Buffer.alloc(32)), failed);
    assert.deepEqual(upstream.decrypt(Buffer.alloc(20), key), failed);
    assert.deepEqual(upstream.decrypt(Buffer.alloc(5), key), { problem: 'size of data is less than the nonce' });
    const cipher = createCipheriv('aes-256-gcm', key, vector.subarray(0, 12));
    const empty = Buffer.concat([vector.subarray(0, 12), cipher.final(), cipher.getAuthTag()]);
    assert.deepEqual(upstream.decrypt(empty, key), { plain: Buffer.alloc(0) });
  });
});

describe('the bootstrap kubeconfig', () => {
  it('is removed by whoever waits for the bootstrap, and before 1.33 by any end', () => {
    const removed = (version: string): readonly boolean[] =>
      (['bootstrapped', 'not bootstrapped', 'failed before the kubelet'] as const).map((ended) =>
        upstream.removesBootstrapFile(ended, parseRelease(version)),
      );
    assert.deepEqual(removed('1.36'), [true, true, false]);
    assert.deepEqual(removed('1.32'), [true, true, true]);
  });
  it('names the own API server of a control plane since 1.33', () => {
    const server = (own: string | undefined, version: string): string =>
      upstream.bootstrapServer('shared', own, parseRelease(version));
    assert.deepEqual(
      [server('own', '1.33'), server('own', '1.32'), server(undefined, '1.36')],
      ['own', 'shared', 'shared'],
    );
  });
});

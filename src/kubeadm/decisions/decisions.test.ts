import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kubeadmDecisions as upstream } from './index.js';

describe('tokens', () => {
  const now = Date.UTC(2026, 10, 21, 10, 3, 45, 678);
  it('live 24 h unless told otherwise; zero and less is for ever', () => {
    assert.equal(upstream.tokenExpires(upstream.defaultTokenTtl(), now), now + 86_400_000);
    assert.equal(upstream.tokenExpires(0, now), undefined);
    assert.equal(upstream.tokenExpires(-5, now), undefined);
  });
  it('become Secrets without what is empty', () => {
    const secret = upstream.tokenSecret({
      id: 'abcdef',
      secret: '0123456789abcdef',
      description: '',
      expires: now,
      usages: ['signing'],
      groups: [],
    });
    const plain = Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
    assert.deepEqual(plain, {
      'token-id': 'abcdef',
      'token-secret': '0123456789abcdef',
      expiration: '2026-11-21T10:03:45Z',
      'usage-bootstrap-signing': 'true',
    });
  });
  it('are drawn evenly: bytes that would favour some characters are thrown away', () => {
    let calls = 0;
    const token = upstream.newToken((length) => Buffer.alloc(length, calls++ === 0 ? 255 : 10));
    assert.equal(token, 'aaaaaa.aaaaaaaaaaaaaaaa');
    assert.match(
      upstream.newToken((length) => crypto.getRandomValues(Buffer.alloc(length))),
      /^[a-z0-9]{6}\.[a-z0-9]{16}$/,
    );
  });
});

describe('a restart', () => {
  const good = { isToken: true, isExpired: false, signing: 'true', authentication: 'true' };
  it('keeps tokens by which a machine could join', () => {
    assert.equal(upstream.letsJoin(good), true);
    const bad = [{ isToken: false }, { isExpired: true }, { signing: 'TRUE' }, { authentication: '' }];
    assert.deepEqual(
      bad.map((one) => upstream.letsJoin({ ...good, ...one })),
      [false, false, false, false],
    );
  });
  it('publishes another address, and nothing where nothing is published', () => {
    assert.deepEqual(
      [upstream.republishes('a', 'b'), upstream.republishes('a', 'a'), upstream.republishes(undefined, 'b')],
      [true, false, false],
    );
  });
});

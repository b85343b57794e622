import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimsOf, headerOf } from './jwt.js';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('the claims of a token', () => {
  it('are its second part of three', () => {
    assert.deepEqual(claimsOf(`${part({ alg: 'none' })}.${part({ sub: 'somebody', exp: 1 })}.c2ln`), {
      sub: 'somebody',
      exp: 1,
    });
  });
  it('are none of what is no JWT', () => {
    const claims = part({ sub: 'somebody' });
    for (const token of ['', claims, `x.${claims}`, `x.${claims}.y.z`, 'x.y.z', `x.${part(['a'])}.z`, `x.${part(1)}.z`])
      assert.equal(claimsOf(token), null, token);
  });
});

describe('the header of a token', () => {
  it('is its first part of three, and none of what is no JWT', () => {
    const [header, claims] = [part({ alg: 'RS256', kid: 'one' }), part({ sub: 'somebody' })];
    assert.deepEqual(headerOf(`${header}.${claims}.c2ln`), { alg: 'RS256', kid: 'one' });
    for (const token of [
      '',
      header,
      `${header}.${claims}`,
      `${header}.${claims}.y.z`,
      `x.${claims}.z`,
      `${part(1)}.y.z`,
    ])
      assert.equal(headerOf(token), null, token);
  });
});

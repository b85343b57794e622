import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inRelease, parseRelease, releaseOf } from './release.js';

describe('releases', () => {
  it('are read with and without v and patch', () => {
    assert.deepEqual(parseRelease('1.33'), { text: 'v1.33.0', minor: 33, patch: 0 });
    assert.deepEqual(parseRelease('v1.36.1'), { text: 'v1.36.1', minor: 36, patch: 1 });
  });
  for (const text of ['', 'v2.0.0', '1.21.14', 'v1.99.0', 'latest', '1.36.1.2']) {
    it(`refuses ${JSON.stringify(text)} with a sentence`, () =>
      assert.throws(() => parseRelease(text), /is no Kubernetes version that the reference plays/));
  }
  it('know backports', () => {
    const at = (text: string): boolean =>
      inRelease(parseRelease(text), { since: 36, patch: 1, backports: { 35: 5, 34: 8, 33: 12 } });
    assert.deepEqual(['1.36.0', '1.36.1', '1.35.4', '1.35.5', '1.34.8', '1.33.11', '1.33.12', '1.32.99'].map(at), [
      false,
      true,
      false,
      true,
      true,
      false,
      true,
      false,
    ]);
  });
  it('of servers may be older or newer than what is known', () => {
    assert.deepEqual(
      ['1.22.17', 'v1.36.0-rc.1', '1.99.3', 'unknown'].map((text) => releaseOf(text).text),
      ['v1.22.17', 'v1.36.0', 'v1.36.0', 'v1.36.0'],
    );
  });
});

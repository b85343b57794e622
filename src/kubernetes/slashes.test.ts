import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withoutSlashes } from './slashes.js';

it('leaves what stands before slashes at the end', () => {
  for (const [text, left] of [
    ['https://a:6443', 'https://a:6443'],
    ['https://a:6443/', 'https://a:6443'],
    ['a/b///', 'a/b'],
    ['/a//b/', '/a//b'],
    ['///', ''],
    ['/', ''],
    ['', ''],
    [`${'/'.repeat(200_000)}a`, `${'/'.repeat(200_000)}a`],
  ] as const)
    assert.equal(withoutSlashes(text), left);
});

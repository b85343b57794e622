import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstLine } from './first-line.js';

test('of an error its message counts, of anything else its text, and of both the first line', () => {
  assert.deepEqual(
    [new Error('a\nb'), new SyntaxError('c'), 'd\ne', 7, new Error(''), { toString: () => 'f\n' }].map(firstLine),
    ['a', 'c', 'd', '7', '', 'f'],
  );
});

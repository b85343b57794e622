/** How much of lists is kept, and from when on memory is spared. */
import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import v8 from 'node:v8';
import { costOf, KeptLists } from './kept-lists.js';

const MIB = 1024 * 1024;
const MOST = 104 * MIB;
let flags: unknown[] = [];
beforeEach(() => {
  flags = [];
  mock.method(v8, 'setFlagsFromString', (flag: string) => void flags.push(flag));
  syncBuiltinESMExports();
});
afterEach(() => {
  mock.restoreAll();
  syncBuiltinESMExports();
});

describe('what an item takes', () => {
  it('is its texts and what holds them together, and for an object what judging it takes', () => {
    assert.deepEqual(['', 'abc', 5, true, undefined].map(costOf), [24, 27, 8, 8, 8]);
    assert.equal(costOf({}), 24 + 2_500);
    assert.equal(costOf({ ab: 'c' }), 24 + (8 + 2 + 25) + 2_500);
    assert.equal(costOf([1, 'ab']), 24 + (8 + 8) + (8 + 26) + 2_500);
    assert.equal(costOf({ a: { b: [null] } }), 24 + (9 + 24 + (9 + 24 + (8 + 8))) + 2_500);
    assert.equal(costOf(null), 8 + 2_500);
  });
});

describe('lists that are kept', () => {
  it('fit up to a limit for all together, each counted as it is now', () => {
    const lists = new KeptLists();
    assert.equal(lists.fits('a', MOST), true);
    assert.equal(lists.fits('b', 1), false);
    assert.equal(lists.fits('b', 0), true);
    assert.equal(lists.fits('a', MOST - 10), true);
    assert.equal(lists.fits('b', 10), true);
    assert.equal(lists.fits('b', 11), false);
    assert.equal(lists.fits('a', 0), true);
    assert.equal(lists.fits('b', MOST), true);
    assert.equal(new KeptLists().fits('a', MOST + 1), false);
  });

  it('make memory spared once they are large, and once only', () => {
    const lists = new KeptLists();
    lists.fits('a', 8 * MIB);
    assert.deepEqual(flags, []);
    lists.fits('b', 1);
    lists.fits('c', 1);
    assert.deepEqual(flags, ['--heap-growing-percent=8']);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isStarved, lostIn } from './starved.js';
import type { Transcript } from './transcript.js';

describe('a client on a machine that may be busy', () => {
  it('is late by three turns of what is noticed', () => {
    assert.deepEqual(
      [undefined, 0, 499, 500, 501, 1500].map((lag) => lostIn(lag)),
      [0, 0, 0, 0, 3, 3000],
    );
  });
  const cases: readonly (readonly [string, Partial<Transcript>, boolean])[] = [
    ['that ended well', { exit: 0, milliseconds: 5000, lag: 9000 }, false],
    ['that had to be ended', { exit: undefined, milliseconds: 5000, lag: 9000 }, true],
    ['that ended of itself, before any time was over', { exit: 1, milliseconds: 2999, lag: 9000 }, false],
    ['that may have waited for half of its time', { exit: 1, milliseconds: 3000, lag: 1000 }, true],
    ['that may have waited for less', { exit: 1, milliseconds: 3001, lag: 1000 }, false],
    ['that nobody kept waiting', { exit: 1, milliseconds: 3000 }, false],
    ['that was late for half of its time', { exit: 1, milliseconds: 4000, late: 2000 }, true],
    ['that was late for less', { exit: 1, milliseconds: 4000, late: 1999 }, false],
    ['that was late in one way or the other', { exit: 1, milliseconds: 4000, late: 1, lag: 1200 }, true],
  ];
  for (const [what, transcript, expected] of cases)
    it(what, () => assert.equal(isStarved(transcript as Transcript), expected));
});

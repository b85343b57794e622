import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isGivenUp } from './given-up.js';

describe('a command that was told to stop', () => {
  const until = (busy: boolean, signalled: boolean, more: 'still' | 'since'): number | undefined =>
    [2_000, 10_000].find((time) => {
      const stopping = { busy, signalled, still: 0, since: 0 };
      const [then, after] = [time, time + 1].map((at) => isGivenUp({ ...stopping, [more]: at }));
      return then === false && after === true;
    });

  it('is given up when nothing is heard of it: sooner where it has nothing to remove or to write', () => {
    for (const signalled of [true, false])
      assert.deepEqual([until(false, signalled, 'still'), until(true, signalled, 'still')], [2_000, 10_000]);
  });
  it('is given up when it goes on, where it has nothing to do and a signal has told it', () => {
    assert.equal(until(false, true, 'since'), 10_000);
    for (const [busy, signalled] of [
      [false, false],
      [true, true],
      [true, false],
    ] as const)
      assert.equal(isGivenUp({ busy, signalled, still: 0, since: 1_000_000 }), false);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { poll } from './poll.js';

/** Instants at which attempts began that each take `takes`, and when it was over. */
async function attempts(interval: number, timeout: number, takes: number): Promise<readonly number[]> {
  let now = 0;
  const begun: number[] = [];
  const clock = {
    now: () => now,
    async sleep(milliseconds: number) {
      now += milliseconds;
    },
  };
  await poll(clock, { interval, timeout }, async () => {
    begun.push(now);
    now += takes;
    return undefined;
  });
  return [...begun, now];
}

describe('asking again and again', () => {
  it('begins at once and ends with the time', async () => {
    assert.deepEqual(await attempts(5, 12, 0), [0, 5, 10, 12]);
    assert.deepEqual(await attempts(2, 2, 0), [0, 2]);
    assert.deepEqual(await attempts(0, 0, 0), [0, 0]);
  });
  it('lets an attempt end that takes longer', async () => {
    assert.deepEqual(await attempts(5, 7, 10), [0, 10]);
    assert.deepEqual(await attempts(5, 20, 7), [0, 7, 14, 21]);
  });
});

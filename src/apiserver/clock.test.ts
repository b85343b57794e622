import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock, rfc3339 } from './clock.js';

test('a manual clock fires what falls due, in the order of time, at the time asked for', () => {
  const clock = manualClock(0);
  const seen: [string, number][] = [];
  clock.at(20, () => seen.push(['late', clock.now()]));
  clock.at(10, () => {
    seen.push(['early', clock.now()]);
    clock.at(15, () => seen.push(['between', clock.now()]));
  });
  const cancel = clock.at(12, () => seen.push(['cancelled', clock.now()]));
  cancel();
  clock.advance(30);
  assert.deepEqual(seen, [
    ['early', 10],
    ['between', 15],
    ['late', 20],
  ]);
  assert.equal(clock.now(), 30);
});

test('what is past already fires soon, but not at once', async () => {
  const clock = manualClock(100);
  let fired = false;
  clock.at(50, () => {
    fired = true;
  });
  assert.equal(fired, false);
  await Promise.resolve();
  assert.equal(fired, true);
});

test('times are written in whole seconds', () =>
  assert.equal(rfc3339(Date.parse('2026-01-02T03:04:05.678Z')), '2026-01-02T03:04:05Z'));

import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { type TestContext, test } from 'node:test';
import { breathe, pause } from './pause.js';

/** How often somebody waits for the end of it. */
const waiting = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

function timed(context: TestContext): (milliseconds: number) => void {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  return (milliseconds) => context.mock.timers.tick(milliseconds);
}

test('a pause takes its time, and leaves nothing behind at the signal', async (context) => {
  const tick = timed(context);
  const { signal } = new AbortController();
  let isOver = false;
  const over = pause(100, signal).then(() => {
    isOver = true;
  });
  tick(99);
  await Promise.resolve();
  assert.deepEqual([isOver, waiting(signal)], [false, 1]);
  tick(1);
  await over;
  assert.deepEqual([isOver, waiting(signal)], [true, 0]);
});

test('a pause is broken off with the reason of the signal, which no timer outlives', async (context) => {
  timed(context);
  const cleared = context.mock.method(globalThis, 'clearTimeout');
  const reason = new Error('enough');
  const end = new AbortController();
  const broken = pause(100, end.signal);
  end.abort(reason);
  await assert.rejects(broken, (error) => error === reason);
  assert.deepEqual([cleared.mock.callCount(), waiting(end.signal)], [1, 0]);
  await assert.rejects(pause(100, end.signal), (error) => error === reason);
  assert.equal(waiting(end.signal), 0);
});

test('whoever works on lets others in between, but not at every step', async (context) => {
  let now = performance.now() + 1_000;
  context.mock.method(performance, 'now', () => now);
  /** Whether somebody who waits gets his turn. */
  const letsIn = async (): Promise<boolean> => {
    let came = false;
    setImmediate(() => {
      came = true;
    });
    await breathe();
    const hasCome = came;
    await new Promise((resolve) => setImmediate(resolve));
    return hasCome;
  };
  assert.equal(await letsIn(), true);
  now += 49;
  assert.equal(await letsIn(), false);
  now += 1;
  assert.equal(await letsIn(), true);
  assert.equal(await letsIn(), false);
});

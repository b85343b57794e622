import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Turns } from './turns.js';

it('turns are taken in order, so many at a time', async () => {
  const turns = new Turns(2);
  const said: string[] = [];
  const leave: (() => void)[] = [];
  const enter = (name: string): Promise<void> =>
    turns.enter(async () => {
      said.push(name);
      await new Promise<void>((resolve) => leave.push(resolve));
    });
  const all = ['a', 'b', 'c', 'd'].map(enter);
  await new Promise(setImmediate);
  assert.deepEqual(said, ['a', 'b']);
  leave.shift()?.();
  await all[0];
  await new Promise(setImmediate);
  assert.deepEqual(said, ['a', 'b', 'c']);
  while (leave.length > 0) {
    leave.shift()?.();
    await new Promise(setImmediate);
  }
  await Promise.all(all);
  assert.deepEqual(said, ['a', 'b', 'c', 'd']);
});

it('it is quiet when nobody has a turn, and nobody waits for one', async () => {
  const turns = new Turns(1);
  await turns.quiet();
  let isQuiet = false;
  await turns.take();
  const second = turns.take();
  const quiet = turns.quiet().then(() => {
    isQuiet = true;
  });
  turns.leave();
  await second;
  await new Promise(setImmediate);
  assert.equal(isQuiet, false);
  turns.leave();
  await quiet;
  // a turn that is left does not make another one
  await turns.take();
  assert.equal(
    await Promise.race([turns.take().then(() => 'two'), new Promise((resolve) => setImmediate(() => resolve('one')))]),
    'one',
  );
});

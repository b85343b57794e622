import { deepEqual, equal } from 'node:assert/strict';
import { it } from 'node:test';
import { AskingAgain } from './asking-again.js';

it('a reason to ask again is told when it is another, and the last is kept', () => {
  const told: string[] = [];
  const again = new AskingAgain({ tell: (line) => told.push(line) }, '[discovery]');
  equal(again.why, '');
  for (const why of ['refused', 'refused', 'unsigned', 'refused']) again.because(why);
  equal(again.why, 'refused');
  deepEqual(
    told,
    ['refused', 'unsigned', 'refused'].map((why) => `[discovery] Will ask again: ${why}`),
  );
});

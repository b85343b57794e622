import assert from 'node:assert/strict';
import test from 'node:test';
import { MONTH, timeLeft, YEAR } from './time-left.js';

const DAY = 86_400_000;
const life = (days: number) => ({ notBefore: 1_000 * DAY, notAfter: (1_000 + days) * DAY });
const at = (days: number, left: number, most: number) => timeLeft(life(days), (1_000 + days - left) * DAY, most);

test('a month is enough, or a tenth of what is shorter', () => {
  for (const [days, left, most, ok] of [
    [365, 31, MONTH, true],
    [365, 30, MONTH, true],
    [365, 29, MONTH, false],
    [3_650, 31, MONTH, true],
    [10, 1, MONTH, true],
    [10, 0.9, MONTH, false],
    [10, -1, MONTH, false],
    [3_650, 366, YEAR, true],
    [3_650, 364, YEAR, false],
    [36_500, 366, YEAR, true],
    [365, 37, YEAR, true],
    [365, 36, YEAR, false],
  ] as const)
    assert.equal(at(days, left, most).ok, ok, `${days}, ${left}`);
});

test('what is left is told in days', () => {
  assert.equal(at(365, 12.5, MONTH).seen, 'it ends in 12 days');
  assert.equal(at(365, 1.5, MONTH).seen, 'it ends in 1 day');
  assert.equal(at(365, 0.5, MONTH).seen, 'it ends within a day');
  assert.equal(at(365, -0.5, MONTH).seen, 'it has ended');
});

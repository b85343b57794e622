import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aheadBy } from './server-clock.js';

test('clocks are one where a stamp of whole seconds lies within its way, however long that was', () => {
  const at = Date.parse('2026-03-01T12:00:05Z');
  for (const [sentAt, heardAt] of [
    [at, at],
    [at + 999, at + 1_000],
    [at - 30_000, at + 1],
    [at + 1, at + 30_000],
    [at - 30_000, at + 30_000],
  ] as const)
    assert.equal(aheadBy(at, { sentAt, heardAt }), 0, `${sentAt - at} ${heardAt - at}`);
});

test('what lies beyond the way is the difference of the clocks, to its middle', () => {
  const at = Date.parse('2026-03-01T12:00:05Z');
  assert.equal(aheadBy(at, { sentAt: at + 60_000, heardAt: at + 60_000 }), -59_500);
  assert.equal(aheadBy(at, { sentAt: at - 60_000, heardAt: at - 60_000 }), 60_500);
  assert.equal(aheadBy(at, { sentAt: at - 60_000, heardAt: at - 50_000 }), 55_500);
});

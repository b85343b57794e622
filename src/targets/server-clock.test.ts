import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aheadBy, ServerClock } from './server-clock.js';

test('clocks are one where a stamp of whole seconds lies within its way, however long that was', () => {
  const at = Date.parse('2026-03-01T12:00:05Z');
  for (const [sentAt, heardAt] of [
    [at, at],
    [at + 999, at + 1_000],
    [at + 1_000, at + 9_000],
    [at - 9_000, at],
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
  assert.equal(aheadBy(at, { sentAt: at + 1_001, heardAt: at + 1_001 }), -501);
  assert.equal(aheadBy(at, { sentAt: at - 1, heardAt: at - 1 }), 501);
});

test('the clock of a server is this machine’s but for what its first telling stamp says', (context) => {
  const at = Date.parse('2026-03-01T12:00:05Z');
  context.mock.timers.enable({ apis: ['Date'], now: at });
  const stamped = (seconds: number): string => new Date(at + seconds * 1_000).toUTCString();
  const ahead = (...heard: readonly (readonly [date: unknown, ago: number])[]): string => {
    const clock = new ServerClock();
    for (const [date, ago] of heard) clock.heard(date as string, at - ago);
    return `${(clock.now() - at) / 1_000}${clock.isSkewed ? ', skewed' : ''}`;
  };
  assert.deepEqual(
    {
      nothing: ahead(),
      'no stamp': ahead([undefined, 0], [['a', 'b'], 0], ['yesterday', 0]),
      'the same': ahead([stamped(0), 0]),
      'two seconds more': ahead([stamped(2), 0]),
      'three seconds more': ahead([stamped(3), 0]),
      'three seconds less': ahead([stamped(-3), 0]),
      'a minute more, long under way': ahead([stamped(60), 5_000]),
      'a minute more, too long under way': ahead([stamped(60), 5_001]),
      'the same, then another': ahead([stamped(0), 0], [stamped(60), 0]),
      'the same but long under way, then another': ahead([stamped(0), 2_001], [stamped(60), 0]),
      'another, then the same': ahead([stamped(60), 0], [stamped(0), 0]),
    },
    {
      nothing: '0',
      'no stamp': '0',
      'the same': '0',
      'two seconds more': '2.5, skewed',
      'three seconds more': '3.5, skewed',
      'three seconds less': '-2.5, skewed',
      'a minute more, long under way': '63, skewed',
      'a minute more, too long under way': '0',
      'the same, then another': '0',
      'the same but long under way, then another': '60.5, skewed',
      'another, then the same': '60.5, skewed',
    },
  );
  const clock = new ServerClock();
  clock.shows(at + 2_000);
  assert.equal(clock.isSkewed, false);
  clock.shows(at + 2_001);
  assert.equal(clock.now(), at + 2_001);
});

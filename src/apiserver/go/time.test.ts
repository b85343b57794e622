import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeFault } from './time.js';

test('a time is read as Go reads it', () => {
  for (const [text, micro] of [
    ['2026-01-01T00:00:00Z', false],
    ['2026-12-31T23:59:59Z', false],
    ['2026-01-31T09:00:00Z', false],
    ['2024-02-29T00:00:00Z', false],
    ['2026-01-01T9:00:00Z', false],
    ['2026-01-01T23:59:59+01:00', false],
    ['2026-01-01T23:59:59.123Z', false],
    ['2026-01-01T23:59:59,5-01:00', false],
    ['2026-01-01T23:59:59.123456Z', true],
  ] as const)
    assert.equal(timeFault(text, micro), undefined, text);
});

test('what is out of range is told by its name', () => {
  for (const [text, what] of [
    ['2026-00-01T00:00:00Z', 'month'],
    ['2026-13-01T00:00:00Z', 'month'],
    ['2026-01-00T00:00:00Z', 'day'],
    ['2026-01-32T00:00:00Z', 'day'],
    ['2026-02-29T00:00:00Z', 'day'],
    ['2026-04-31T00:00:00Z', 'day'],
    ['2026-01-01T24:00:00Z', 'hour'],
    ['2026-01-01T23:60:00Z', 'minute'],
    ['2026-01-01T23:59:60Z', 'second'],
  ] as const)
    assert.equal(timeFault(text, false), `parsing time "${text}": ${what} out of range`);
});

test('what is no time is told by where it is none, quoted byte by byte', () => {
  const seconds = '2006-01-02T15:04:05Z07:00';
  const micro = '2006-01-02T15:04:05.000000Z07:00';
  for (const [text, isMicro, rest, layout] of [
    ['', false, '', '2006'],
    ['26-01-01T00:00:00Z', false, '26-01-01T00:00:00Z', '2006'],
    ['2026/01-01T00:00:00Z', false, '/01-01T00:00:00Z', '-'],
    ['2026-1-01T00:00:00Z', false, '1-01T00:00:00Z', '01'],
    ['2026-01-1T00:00:00Z', false, '1T00:00:00Z', '02'],
    ['2026-01-01 00:00:00Z', false, ' 00:00:00Z', 'T'],
    ['2026-01-01Tx', false, 'x', '15'],
    ['2026-01-01T00-00:00Z', false, '-00:00Z', ':'],
    ['2026-01-01T00:0:00Z', false, '0:00Z', '04'],
    ['2026-01-01T00:00:0Z', false, '0Z', '05'],
    ['2026-01-01T23:59:59', false, '', 'Z07:00'],
    ['2026-01-01T23:59:59.Z', false, '.Z', 'Z07:00'],
    ['2026-01-01T23:59:59+0100', false, '+0100', 'Z07:00'],
    ['2026-01-01T23:59:59Z', true, 'Z', '.000000'],
    ['2026-01-01T23:59:59.123Z', true, '.123Z', '.000000'],
  ] as const) {
    const why = `parsing time "${text}" as "${isMicro ? micro : seconds}": cannot parse "${rest}" as "${layout}"`;
    assert.equal(timeFault(text, isMicro), why);
  }
  const odd = '"a\\"b\\\\\\xc3\\xa9\\x01~"';
  assert.equal(timeFault('a"b\\é\u0001~', false), `parsing time ${odd} as "${seconds}": cannot parse ${odd} as "2006"`);
  const extra = '2026-01-01T23:59:59Zx';
  assert.equal(timeFault(extra, false), `parsing time "${extra}": extra text: "x"`);
});

/** As Go has it: time.ParseDuration and Duration.String. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { durationText, parseDuration } from './duration.js';

it('a duration is the sum of its parts', () => {
  for (const [text, milliseconds] of [
    ['0', 0],
    ['-0', 0],
    ['0s', 0],
    ['1ns', 1e-6],
    ['1us', 1e-3],
    ['1µs', 1e-3],
    ['1ms', 1],
    ['1s', 1000],
    ['1m', 60_000],
    ['1h', 3_600_000],
    ['1.5h', 5_400_000],
    ['.5s', 500],
    ['1.s', 1000],
    ['1h2m3s4ms', 3_723_004],
    ['3s1h', 3_603_000],
    ['+2s', 2000],
    ['-1m30s', -90_000],
  ] as const)
    assert.equal(Math.abs((parseDuration(text) ?? Number.NaN) - milliseconds) < 1e-9, true, text);
});

it('a text that has anything else in it is none', () => {
  for (const text of [
    '',
    '+',
    '-',
    '1',
    '1.5',
    's',
    '.s',
    '1d',
    '1S',
    ' 1s',
    '1s ',
    '1s 2s',
    '--1s',
    '1,5s',
    '1s2',
    '00',
  ])
    assert.equal(parseDuration(text), undefined, text);
});

it('a duration is written from its largest part down to the seconds', () => {
  for (const [milliseconds, text] of [
    [0, '0s'],
    [1000, '1s'],
    [1500, '1.5s'],
    [59_000, '59s'],
    [60_000, '1m0s'],
    [90_000, '1m30s'],
    [3_599_000, '59m59s'],
    [3_600_000, '1h0m0s'],
    [3_661_000, '1h1m1s'],
    [8760 * 3_600_000, '8760h0m0s'],
  ] as const) {
    assert.equal(durationText(milliseconds), text);
    assert.equal(parseDuration(text), milliseconds);
  }
});

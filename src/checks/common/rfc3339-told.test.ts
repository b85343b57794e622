/** What readRfc3339 says: the instant, whether RFC 3339 has that form, and why it refuses. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRfc3339, writeRfc3339, writeWithOffset } from './rfc3339.js';

const at = (text: string): number => {
  const read = readRfc3339(text);
  assert.ok(read.readable, text);
  return read.at;
};
const strict = (text: string): boolean => {
  const read = readRfc3339(text);
  assert.ok(read.readable, text);
  return read.strict;
};

describe('a time stamp that is refused', () => {
  const date = 'it does not begin with a date such as 2027-03-10';
  const time = 'it has no time such as 03:22:11';
  const zone = 'it has no time zone: Z, or an offset such as +08:00';
  const offset = 'its offset is not written like +08:00';
  const far = 'its offset is longer than a day';
  for (const [text, because] of [
    ['', date],
    ['202-11-20T10:30:00Z', date],
    ['2026', date],
    ['2026/11-20T10:30:00Z', date],
    ['2026-1-20T10:30:00Z', date],
    ['2026-11/20T10:30:00Z', date],
    ['2026-11-2T10:30:00Z', date],
    ['2026-11-:0T10:30:00Z', date],
    ['2026-11-/0T10:30:00Z', date],
    ['2026-11-20', 'date and time are not joined by a capital T'],
    ['2026-11-20t10:30:00Z', 'date and time are not joined by a capital T'],
    ['2026-11-20T', time],
    ['2026-11-20T10', time],
    ['2026-11-20T10.30:00Z', time],
    ['2026-11-20T10:3:00Z', time],
    ['2026-11-20T10:30.00Z', time],
    ['2026-11-20T10:30:0Z', time],
    ['2026-11-20T10:30:00.Z', 'no digit follows the decimal point'],
    ['2026-11-20T10:30:00,Z', 'no digit follows the decimal point'],
    ['2026-11-20T10:30:00', zone],
    ['2026-11-20T10:30:00z', zone],
    ['2026-11-20T10:30:00.5', zone],
    ['2026-11-20T10:30:00+1:00', offset],
    ['2026-11-20T10:30:00+0100', offset],
    ['2026-11-20T10:30:00+01:0', offset],
    ['2026-11-20T10:30:00-01', offset],
    ['2026-11-20T10:30:00Zx', 'something follows the time zone'],
    ['2026-11-20T10:30:00+01:000', 'something follows the time zone'],
    ['2026-00-20T10:30:00Z', 'there is no month 00'],
    ['2026-13-20T10:30:00Z', 'there is no month 13'],
    ['2026-11-00T10:30:00Z', 'the month 2026-11 has no day 00'],
    ['2026-11-31T10:30:00Z', 'the month 2026-11 has no day 31'],
    ['1900-02-29T10:30:00Z', 'the month 1900-02 has no day 29'],
    ['2026-02-29T10:30:00Z', 'the month 2026-02 has no day 29'],
    ['2028-02-30T10:30:00Z', 'the month 2028-02 has no day 30'],
    ['2026-11-20T24:00:00Z', 'there is no hour 24'],
    ['2026-11-20T10:60:00Z', 'there is no minute 60'],
    ['2026-11-20T10:30:60Z', 'there is no second 60 (Go knows no leap seconds)'],
    ['2026-11-20T10:30:00+25:00', far],
    ['2026-11-20T10:30:00-00:61', far],
  ] as const)
    it(`${JSON.stringify(text)} says why`, () => assert.deepEqual(readRfc3339(text), { readable: false, because }));
});

describe('a time stamp that is read', () => {
  it('has every month as long as it is, in ordinary and in leap years', () => {
    const lengths = (february: number) => [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    for (const [year, february] of [
      ['2026', 28],
      ['2028', 29],
      ['1900', 28],
      ['2000', 29],
      ['0000', 29],
    ] as const)
      for (const [index, days] of lengths(february).entries()) {
        const month = String(index + 1).padStart(2, '0');
        assert.equal(readRfc3339(`${year}-${month}-01T00:00:00Z`).readable, true);
        assert.equal(readRfc3339(`${year}-${month}-${days}T23:59:59Z`).readable, true, `${year}-${month}-${days}`);
        assert.equal(readRfc3339(`${year}-${month}-${days + 1}T00:00:00Z`).readable, false, `${year}-${month}`);
      }
  });

  it('is an instant, to the fraction of a second', () => {
    const base = Date.UTC(2026, 10, 20, 10, 30, 15);
    assert.equal(at('2026-11-20T10:30:15Z'), base);
    assert.equal(at('2026-11-20T10:30:15.5Z'), base + 500);
    assert.equal(at('2026-11-20T10:30:15,25Z'), base + 250);
    assert.equal(at('2026-11-20T10:30:15.125000000Z'), base + 125);
    assert.equal(at('2026-11-20T9:30:15Z'), base - 3_600_000);
    assert.equal(at('0001-01-01T00:00:00Z'), Date.parse('0001-01-01T00:00:00Z'));
  });

  it('is earlier in UTC where its clock is ahead', () => {
    const base = Date.UTC(2026, 10, 20, 10, 30);
    assert.equal(at('2026-11-20T10:30:00+01:30'), base - 5_400_000);
    assert.equal(at('2026-11-20T10:30:00-07:30'), base + 27_000_000);
    assert.equal(at('2026-11-20T10:30:00+24:60'), base - 90_000_000);
  });

  it('is of RFC 3339 up to the longest offset that it has, and with two digits of the hour', () => {
    const of = (rest: string): boolean => strict(`2026-11-20T10:30:00${rest}`);
    assert.deepEqual(['+23:59', '-23:59', '.5Z', 'Z'].map(of), [true, true, true, true]);
    assert.deepEqual(['+24:00', '+23:60', ',5Z'].map(of), [false, false, false]);
    assert.deepEqual([strict('2026-11-20T09:30:00Z'), strict('2026-11-20T9:30:00Z')], [true, false]);
  });

  it('is of UTC only where it says Z', () => {
    const utc = (text: string): unknown => ({ utc: false, ...readRfc3339(text) }).utc;
    assert.deepEqual(
      ['Z', '+00:00', '-00:00', '+01:00'].map((zone) => utc(`2026-11-20T10:30:00${zone}`)),
      [true, false, false, false],
    );
  });
});

describe('a time stamp that is written', () => {
  const instant = Date.UTC(2026, 10, 20, 10, 30, 15, 999);
  it('is as kubeadm writes it', () => assert.equal(writeRfc3339(instant), '2026-11-20T10:30:15Z'));
  it('is the same instant on another clock', () => {
    assert.equal(writeWithOffset(instant, '+08:00'), '2026-11-20T18:30:15+08:00');
    assert.equal(writeWithOffset(instant, '-11:00'), '2026-11-19T23:30:15-11:00');
    assert.equal(writeWithOffset(instant, '+00:00'), '2026-11-20T10:30:15+00:00');
    assert.equal(writeWithOffset(instant, '+05:45'), '2026-11-20T16:15:15+05:45');
    assert.equal(writeWithOffset(instant, '-03:30'), '2026-11-20T07:00:15-03:30');
  });
});

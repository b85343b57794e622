import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readRfc3339, writeRfc3339, writeWithOffset } from './rfc3339.js';

const BASE = '2026-11-20T10:30:00';
// What Go's time.Parse(time.RFC3339, …) was seen to take and to refuse.
const ACCEPTED = [
  `${BASE}Z`,
  `${BASE}+00:00`,
  `${BASE}-00:00`,
  `${BASE}+01:00`,
  `${BASE}-07:30`,
  `${BASE}+14:00`,
  `${BASE}+23:59`,
  `${BASE}+24:00`,
  `${BASE}+12:60`,
  `${BASE}.5Z`,
  `${BASE}.123456789Z`,
  `${BASE}.1234567890123Z`,
  `${BASE},5Z`,
  `${BASE}.5+02:00`,
  '2026-11-20T9:30:00Z',
  '2026-11-20T1:30:00Z',
  '2028-02-29T10:30:00Z',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
];
const REFUSED = [
  '',
  `${BASE}z`,
  '2026-11-20t10:30:00Z',
  BASE,
  '2026-11-20 10:30:00Z',
  `${BASE} Z`,
  `${BASE} +01:00`,
  `${BASE}UTC`,
  `${BASE}GMT`,
  `${BASE}\u221201:00`,
  `${BASE}+25:00`,
  `${BASE}+99:99`,
  `${BASE}+0100`,
  `${BASE}+01`,
  `${BASE}+1:00`,
  `${BASE}.Z`,
  '2026-1-20T10:30:00Z',
  '2026-11-2T10:30:00Z',
  '2026-11-20T10:3:00Z',
  '2026-11-20T10:30:0Z',
  '2026-11-20T10:30Z',
  '2026-11-20T10Z',
  '2026-02-29T10:30:00Z',
  '2026-04-31T10:30:00Z',
  '2026-00-20T10:30:00Z',
  '2026-13-20T10:30:00Z',
  '2026-11-00T10:30:00Z',
  '2026-11-32T10:30:00Z',
  '2026-11-20T24:00:00Z',
  '2026-11-20T25:00:00Z',
  '2026-11-20T10:60:00Z',
  '2026-11-20T10:30:60Z',
  '10000-01-01T00:00:00Z',
  `+${BASE}Z`,
  `-${BASE}Z`,
  '2026-11-20',
  '2026-11-20Z',
  '20261120T103000Z',
  'Fri, 20 Nov 2026 10:30:00 GMT',
  '1795170600',
  '0',
  'never',
  `\uff12026-11-20T10:30:00Z`,
  ` ${BASE}Z`,
  `${BASE}Z `,
  `${BASE}Z\n`,
  `${BASE}Zx`,
  `"${BASE}Z"`,
];

describe('readRfc3339', () => {
  for (const text of ACCEPTED) it(`reads ${text}`, () => assert.equal(readRfc3339(text).readable, true));
  for (const text of REFUSED)
    it(`refuses ${JSON.stringify(text)}`, () => assert.equal(readRfc3339(text).readable, false));

  it('honours the offset', () => {
    const [utc, ahead] = [readRfc3339('2022-04-03T03:13:09Z'), readRfc3339('2022-04-03T11:13:09+08:00')];
    assert.ok(utc.readable && ahead.readable);
    assert.equal(utc.at, ahead.at);
    assert.equal(utc.utc, true);
    assert.equal(ahead.utc, false);
  });

  it('says which forms are Go’s alone', () => {
    for (const text of [`${BASE},5Z`, '2026-11-20T9:30:00Z', `${BASE}+24:00`, `${BASE}+12:60`]) {
      const read = readRfc3339(text);
      assert.ok(read.readable && !read.strict, text);
    }
  });

  it('agrees with Date on what both read, in every year and at every offset', () => {
    const at = fc
      .integer({ min: Date.UTC(1, 0, 1), max: Date.UTC(9998, 11, 31) })
      .map((ms) => Math.floor(ms / 1000) * 1000);
    fc.assert(
      fc.property(at, fc.stringMatching(/^[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]$/), (instant, offset) => {
        for (const text of [writeRfc3339(instant), writeWithOffset(instant, offset)]) {
          const read = readRfc3339(text);
          assert.ok(read.readable, text);
          assert.equal(read.at, instant);
          assert.equal(read.strict, true);
        }
      }),
    );
  });

  it('never throws, and reads nothing with something around it', () => {
    fc.assert(fc.property(fc.string(), (text) => void readRfc3339(text)));
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => assert.equal(readRfc3339(`${BASE}Z${text}`).readable, false)),
    );
  });
});

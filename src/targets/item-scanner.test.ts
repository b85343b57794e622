import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ItemScanner } from './item-scanner.js';

/** What the scanner finds in a text that comes in chunks of so many bytes. */
function scanned(text: string, size = text.length): { items: unknown[]; rest: string } {
  const items: unknown[] = [];
  const scanner = new ItemScanner((item) => items.push(item));
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) scanner.push(bytes.subarray(at, at + size));
  return { items, rest: scanner.end() };
}

const TRICKY = [
  { a: '],}{[,"\\' },
  { b: ['\u2028 ü 😀', { items: [1, [2]] }] },
  {},
  null,
  'text, with "quotes"',
  [[[]]],
  -1.5e3,
  { '\\"items': '\\' },
];

describe('ItemScanner', () => {
  it('finds every item, however the bytes are cut', () => {
    for (const space of [undefined, 2]) {
      const text = JSON.stringify(
        { kind: 'XList', metadata: { items: [0] }, items: TRICKY, after: ['items'] },
        null,
        space,
      );
      for (let size = 1; size < 40; size += 1) assert.deepEqual(scanned(text, size).items, TRICKY);
    }
  });

  it('keeps what stands around them, and says how many there were', () => {
    const { rest } = scanned('{"metadata":{"continue":"x"},"items":[{},{}],"kind":"XList"}', 7);
    const { items, ...others } = JSON.parse(rest);
    assert.deepEqual(others, { metadata: { continue: 'x' }, kind: 'XList' });
    assert.match(items[0], /^2 items, 60 bytes/);
    assert.equal(scanned('{"items":[ ]}').rest, '{"items":[]}');
  });

  it('takes only the member of the object itself that is named so, escaped or not', () => {
    const unescaped = scanned('{"\\u0069tems":[1],"x":{"items":[2]},"y":"items","z":[3]}', 5);
    assert.deepEqual(unescaped.items, [1]);
    const among = '{"count":2,"items":[1],"after":{"a":["b","items"],"items":[4,5]}}';
    for (const one of [among, among.replace('"count":2', '"before":{"a":[1,2],"b":3}')])
      for (let size = 1; size < 40; size += 1) assert.deepEqual(scanned(one, size).items, [1], one);
    for (const none of [
      '[{"items":[1]}]',
      '["items",[1]]',
      '{"items":null}',
      '{"items":{"items":[1]}}',
      '"items"',
      '{}',
      '',
    ])
      assert.deepEqual(scanned(none, 3).items, [], none);
  });

  it('refuses what is too deep, too large, or no JSON', () => {
    assert.throws(() => scanned(`{"items":[${'['.repeat(200)}`), /nested deeper than 128 levels/);
    assert.throws(
      () => scanned(`{"items":["${'x'.repeat(13 << 20)}`, 1 << 16),
      /one of its items is larger than 12 MiB/,
    );
    assert.throws(() => scanned(`{"x":"${'x'.repeat(2 << 20)}`, 1 << 16), /what stands around its items/);
    for (const none of ['{"items":[{"a":1]}', '{"items":[nothing]}'])
      assert.throws(() => scanned(none), { message: 'one of its items is no JSON' });
  });

  it('reads what is as large as it may be, and nothing larger', () => {
    const text = (bytes: number): string => `"${'x'.repeat(bytes - 2)}"`;
    const list = (items: string): string => `{"items":[${items}]}`;
    const largest = text(12 << 20);
    for (const size of [1 << 16, 100 << 20]) {
      assert.equal(scanned(list(`${largest},${largest}`), size).items.length, 2);
      assert.throws(() => scanned(list(text((12 << 20) + 1)), size), {
        message: 'one of its items is larger than 12 MiB',
      });
      const around = `{"x":${text((1 << 20) - 6)}}`;
      assert.equal(scanned(around, size).rest, around);
      assert.throws(() => scanned(`${around} `, size), {
        message: 'what stands around its items is larger than 1 MiB',
      });
    }
    const deep = (levels: number): string => list('['.repeat(levels - 2) + ']'.repeat(levels - 2));
    assert.equal(scanned(deep(128)).items.length, 1);
    assert.throws(() => scanned(deep(129)), { message: 'it is nested deeper than 128 levels' });
    const values = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
    assert.equal(scanned(list(`${values(999_000)},${values(999_000)}`)).items.length, 2);
    const many = { message: 'one of its items holds more than 1000000 values' };
    assert.throws(() => scanned(list(values(1_001_000))), many);
    assert.equal(scanned(list(`[${'[],'.repeat(499_000)}0]`)).items.length, 1);
    assert.throws(() => scanned(list(`[${'[],'.repeat(500_000)}0]`)), many);
    assert.equal(scanned(list(`{${'"":0,'.repeat(900_000)}"":0}`)).items.length, 1);
  });
});

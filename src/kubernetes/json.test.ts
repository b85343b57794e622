import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { argumentsIn } from './extra-args.js';
import {
  base64,
  count,
  isRecord,
  list,
  mergePatched,
  record,
  records,
  text,
  textMap,
  texts,
  unpadded,
} from './json.js';

const ODD = [undefined, null, 0, 1, true, 'a', [1], { a: 1 }];

describe('JSON of which nothing is known', () => {
  it('reads as empty where it is of another type', () => {
    assert.deepEqual(ODD.map(isRecord), [false, false, false, false, false, false, false, true]);
    assert.deepEqual(ODD.map(record), [{}, {}, {}, {}, {}, {}, {}, { a: 1 }]);
    assert.deepEqual(ODD.map(textMap), ODD.map(record));
    assert.deepEqual(ODD.map(list), [[], [], [], [], [], [], [1], []]);
    assert.deepEqual(ODD.map(text), ['', '', '', '', '', 'a', '', '']);
    assert.deepEqual(ODD.map(count), [0, 0, 0, 1, 0, 0, 0, 0]);
  });

  it('keeps the places of a list, whatever stands there', () => {
    assert.deepEqual(texts(['a', 1, null, 'b']), ['a', '', '', 'b']);
    assert.deepEqual(records([{ a: 1 }, 'b', null, []]), [{ a: 1 }, {}, {}, {}]);
    assert.deepEqual([texts('a'), records({ a: 1 })], [[], []]);
  });

  it('is base64 of UTF-8, with or without what fills it', () => {
    assert.deepEqual(['', 'a', 'ab', 'abc', 'é'].map(base64), ['', 'YQ==', 'YWI=', 'YWJj', 'w6k=']);
    assert.deepEqual(['YQ==', 'YWI=', 'YWJj', '=a=', '===', ''].map(unpadded), ['YQ', 'YWI', 'YWJj', '=a', '', '']);
    assert.equal(base64(Buffer.from([0xff, 0])), '/wA=');
  });
});

describe('a merge patch', () => {
  it('changes, adds and takes away as RFC 7396 has it', () => {
    for (const [target, patch, result] of [
      [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
      [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
      [{ a: 'b' }, { a: null }, {}],
      [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
      [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
      [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
      [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
      [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
      [
        ['a', 'b'],
        ['c', 'd'],
        ['c', 'd'],
      ],
      [{ a: 'b' }, ['c'], ['c']],
      [{ a: 'foo' }, null, null],
      [{ a: 'foo' }, 'bar', 'bar'],
      [{ e: null }, { a: 1 }, { e: null, a: 1 }],
      [[1, 2], { a: 'b', c: null }, { a: 'b' }],
      [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    ] as const)
      assert.deepEqual(mergePatched(target, patch), result, JSON.stringify(patch));
  });

  it('leaves what it is applied to as it is, and lists to who says how they are patched', () => {
    const target = { a: { b: [1] }, c: [2] };
    const together = (one: readonly unknown[], other: readonly unknown[]): unknown => [...one, ...other];
    assert.deepEqual(mergePatched(target, { a: { b: [3] } }, together), { a: { b: [1, 3] }, c: [2] });
    assert.deepEqual(mergePatched(target, { c: 'd' }, together), { a: { b: [1] }, c: 'd' });
    assert.deepEqual(target, { a: { b: [1] }, c: [2] });
  });
});

it('arguments of kubeadm are a list of names and values, or a map, which is sorted', () => {
  const pairs = [
    ['v', '2'],
    ['a', '1'],
    ['v', '3'],
  ] as const;
  assert.deepEqual(argumentsIn(pairs.map(([name, value]) => ({ name, value }))), pairs);
  assert.deepEqual(argumentsIn({ v: '2', a: '1', b: '' }), [
    ['a', '1'],
    ['b', ''],
    ['v', '2'],
  ]);
  assert.deepEqual(argumentsIn([{ name: 'a' }, 'x']), [
    ['a', ''],
    ['', ''],
  ]);
  assert.deepEqual(argumentsIn(undefined), []);
});

/** Sets of fields. Source: structured-merge-diff, fieldpath/{set,element,serialize,serialize-pe}.go. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testConversation } from '../recorded/testing.js';
import {
  difference,
  EMPTY,
  type FieldNode,
  fromFieldsV1,
  intersection,
  isEmpty,
  LEAF,
  paths,
  pathTree,
  prune,
  toFieldsV1,
  union,
  withNamedParents,
} from './field-set.js';

testConversation('apply');

const of = (fields: unknown): FieldNode => fromFieldsV1(fields);
const A = { 'f:a': { '.': {}, 'f:b': {} }, 'f:c': { 'f:d': {} } };

describe('a set of fields', () => {
  it('is read and written as FieldsV1, in the order of the letters', () => {
    for (const fields of [{}, A, { 'f:a': {} }, { 'f:l': { 'k:{"name":"x"}': { '.': {}, 'f:y': {} } } }])
      assert.deepEqual(toFieldsV1(of(fields)), fields);
    assert.deepEqual(Object.keys(toFieldsV1(of({ 'f:b': {}, 'f:a': {}, 'f:B': {} }))), ['f:B', 'f:a', 'f:b']);
    assert.deepEqual(Object.keys(toFieldsV1(of({ 'f:a': { 'f:b': {}, '.': {} } }))['f:a'] as object), ['.', 'f:b']);
    // The root itself is no field.
    assert.deepEqual([of({ '.': {} }), of({}), of(null), of('f:a')], [EMPTY, EMPTY, EMPTY, EMPTY]);
    for (const part of [null, 5, 'x', []]) assert.deepEqual(paths(of({ 'f:a': part })), [], String(part));
  });

  it('has paths, as conflicts name them', () => {
    assert.deepEqual(paths(of(A)), ['.a', '.a.b', '.c.d']);
    assert.deepEqual(
      paths(
        of({
          'f:l': {
            'i:3': {},
            'k:{"name":"a\\"b","port":80}': {},
            'k:{"x":true}': { 'f:y': {} },
            'v:"z"': {},
            'v:5': {},
          },
        }),
      ),
      ['.l[3]', '.l[name="a\\"b",port=80]', '.l[="z"]', '.l[=5]', '.l[x=true].y'],
    );
    assert.deepEqual(paths(of({ 'f:l': { 'k:5': {} } })), ['.l[]']);
    assert.deepEqual(paths(of({ 'f:m': { 'f:b': {}, 'f:a': { 'f:x': {} } }, 'f:r': {} })), ['.r', '.m.b', '.m.a.x']);
  });

  it('is empty without members', () => {
    assert.ok(isEmpty(EMPTY) && isEmpty(of({})));
    assert.ok(!isEmpty(LEAF) && !isEmpty(of({ 'f:a': {} })));
  });

  it('is joined with, cut from and cut with another', () => {
    const B = { 'f:a': { 'f:b': {}, 'f:e': {} }, 'f:c': {} };
    for (const [how, combine, expected] of [
      ['union', union, ['.a', '.c', '.a.b', '.a.e', '.c.d']],
      ['difference', difference, ['.a', '.c.d']],
      ['intersection', intersection, ['.a.b']],
    ] as const)
      assert.deepEqual(paths(combine(of(A), of(B))), expected, how);
    assert.deepEqual(paths(difference(of(B), of(A))), ['.c', '.a.e']);
    for (const empty of [EMPTY, of({})]) {
      assert.deepEqual(union(of(A), empty), of(A));
      assert.deepEqual(union(empty, of(A)), of(A));
      assert.deepEqual(difference(of(A), empty), of(A));
      assert.ok(isEmpty(difference(empty, of(A))) && isEmpty(intersection(of(A), empty)));
    }
    assert.ok(isEmpty(difference(of(A), of(A))), 'nothing is left that is empty below');
    assert.deepEqual([...difference(of(A), of({ 'f:c': { 'f:d': {} } })).children.keys()], ['f:a']);
    assert.deepEqual(intersection(of(A), of(A)), of(A));
  });

  it('loses paths with all below them, and no more', () => {
    const without = (...list: string[][]): readonly string[] => paths(prune(of(A), pathTree(list)));
    assert.deepEqual(without(), ['.a', '.a.b', '.c.d']);
    assert.deepEqual(without(['f:a']), ['.c.d']);
    assert.deepEqual(without(['f:a', 'f:b']), ['.a', '.c.d']);
    assert.deepEqual(without(['f:c', 'f:d'], ['f:a']), []);
    assert.deepEqual(without(['f:x'], ['f:c', 'f:x']), ['.a', '.a.b', '.c.d']);
    assert.deepEqual(without(['f:c'], ['f:c', 'f:x']), ['.a', '.a.b'], 'the shorter path counts');
  });

  it('gains named fields on the way to a member, and no others', () => {
    const gained = paths(withNamedParents(of({ 'f:a': { 'f:b': { 'k:{"n":1}': { 'f:c': {} } } } })));
    assert.deepEqual(gained, ['.a', '.a.b', '.a.b[n=1].c']);
    assert.deepEqual(paths(withNamedParents(EMPTY)), []);
  });
});

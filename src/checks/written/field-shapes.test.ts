import assert from 'node:assert/strict';
import { it } from 'node:test';
import { kinds, oddFields, type Type } from './field-shapes.js';

const VALUES = {
  text: 'a',
  empty: '',
  number: 1,
  fraction: 1.5,
  switch: false,
  fields: {},
  list: [1],
  texts: ['a'],
  mixed: ['a', 1],
} as const;

it('a field is of its type', () => {
  const fits: Readonly<Record<Type, readonly (keyof typeof VALUES)[]>> = {
    text: ['text', 'empty'],
    number: ['number'],
    switch: ['switch'],
    fields: ['fields'],
    list: ['list', 'texts', 'mixed'],
    texts: ['texts'],
    'number or text': ['text', 'empty', 'number'],
    quotient: ['number', 'fraction'],
  };
  for (const [type, names] of Object.entries(fits)) {
    const shape = { a: type as Type };
    const taken = Object.entries(VALUES).filter(([, value]) => oddFields({ a: value }, shape).length === 0);
    assert.deepEqual(
      taken.map(([name]) => name),
      names,
      type,
    );
    assert.deepEqual(oddFields({ a: null }, shape), []);
    assert.deepEqual(oddFields({ a: undefined }, shape), []);
  }
});

it('what is amiss is told by its path', () => {
  const shape = { ...kinds('text', 'a b'), deep: { one: 'text', list: [{ c: 'number' }] } } as const;
  assert.deepEqual(oddFields({ a: 'x', b: 'y', deep: { one: 'z', list: [{ c: 1 }, {}] } }, shape), []);
  assert.deepEqual(oddFields({ a: 1, c: 'x', deep: { two: 1, list: [{ c: 'x' }, { d: 1 }, null] } }, shape), [
    'a is of another type',
    'c is no field',
    'deep.two is no field',
    'deep.list[0].c is of another type',
    'deep.list[1].d is no field',
  ]);
  assert.deepEqual(oddFields({ deep: [] }, shape), ['deep is of another type']);
  assert.deepEqual(oddFields({ deep: { list: {} } }, shape), ['deep.list is of another type']);
  assert.deepEqual(oddFields({ deep: { list: ['x'] } }, shape), ['deep.list[0] is of another type']);
  assert.deepEqual(oddFields({ constructor: 'x', toString: null }, shape), [
    'constructor is no field',
    'toString is no field',
  ]);
});

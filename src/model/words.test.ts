import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LONGEST_WORD, SHORTEST_WORD, Words } from './words.js';

const letters = fc.constantFrom(...'ab');

test('finds what a search for each word by itself finds, at every place', () => {
  const word = fc.string({ minLength: SHORTEST_WORD, maxLength: LONGEST_WORD, unit: letters });
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.string({ maxLength: 200, unit: letters }), (all, text) => {
      const words = new Words();
      for (const one of all) words.add(one);
      const found: string[] = [];
      words.each(text, (at, here) => {
        for (const one of here) found.push(`${at} ${one}`);
        return at + 1;
      });
      const expected = Array.from({ length: text.length }, (_, at) =>
        [...new Set(all)]
          .filter((one) => text.startsWith(one, at))
          .sort((a, b) => a.length - b.length)
          .map((one) => `${at} ${one}`),
      ).flat();
      assert.deepEqual(found, expected);
    }),
    { numRuns: 300 },
  );
});

test('goes on where it is told to', () => {
  const words = new Words();
  words.add('aaaaaa');
  const places: number[] = [];
  words.each('a'.repeat(20), (at) => {
    places.push(at);
    return at + 6;
  });
  assert.deepEqual(places, [0, 6, 12]);
});

test('thousands of words are held apart', () => {
  const words = new Words();
  const all = Array.from({ length: 20_000 }, (_, index) => `common-prefix-${String(index).padStart(6, '0')}`);
  for (const one of all) words.add(one);
  assert.equal(words.size, all.length);
  assert.ok(all.every((one) => words.has(one)));
  let found = 0;
  words.each(all.join(' '), (at, here) => {
    found += here.length;
    return at + 1;
  });
  assert.equal(found, all.length);
});

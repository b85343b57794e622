import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LONGEST_WORD, SHORTEST_WORD, Words } from './words.js';

const letters = fc.constantFrom(...'ab');

test('finds what a search for each word by itself finds, at every place, whatever the shortest word has', () => {
  const several = fc.integer({ min: SHORTEST_WORD, max: 20 }).chain((minLength) => {
    const word = fc.string({ minLength, maxLength: LONGEST_WORD, unit: letters });
    // words that stand in it, among letters that make others
    const text = fc.array(fc.oneof(word, fc.string({ maxLength: 9, unit: letters })), { maxLength: 12 });
    return fc.tuple(fc.array(word, { maxLength: 30 }), text);
  });
  fc.assert(
    fc.property(several, ([all, parts]) => {
      const text = [...parts, ...all.slice(0, 3)].join('');
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
    { numRuns: 600 },
  );
});

test('words of all lengths, the long ones first, are found beside each other', () => {
  const words = new Words();
  const all = Array.from({ length: LONGEST_WORD - SHORTEST_WORD + 1 }, (_, n) =>
    String.fromCharCode(97 + n).repeat(LONGEST_WORD - n),
  );
  for (const [index, word] of all.entries()) {
    words.add(word);
    const found: string[] = [];
    words.each(all.join('-'), (at, [first = '']) => {
      found.push(first);
      return at + first.length;
    });
    assert.deepEqual(found, all.slice(0, index + 1));
  }
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

test('words that are too short or too long to be told apart are left out', () => {
  const words = new Words();
  for (const length of [SHORTEST_WORD - 1, LONGEST_WORD + 1, LONGEST_WORD + 9, SHORTEST_WORD, LONGEST_WORD])
    words.add(String(length).padEnd(length, 'x'));
  assert.equal(words.size, 2);
  assert.ok(!words.has(`${LONGEST_WORD + 1}`.padEnd(LONGEST_WORD + 1, 'x')));
});

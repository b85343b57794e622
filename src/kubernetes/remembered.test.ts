import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMemory, remembered, rememberedText } from './remembered.js';

describe('a memory', () => {
  it('forgets what was neither set nor asked for longest', () => {
    const memory = createMemory<string, number>(3);
    for (const [at, key] of ['a', 'b', 'c'].entries()) memory.set(key, at);
    assert.equal(memory.get('a'), 0);
    memory.set('b', 7);
    memory.set('d', 3);
    assert.deepEqual(
      ['a', 'b', 'c', 'd'].map((key) => memory.get(key)),
      [0, 7, undefined, 3],
    );
    memory.clear();
    assert.deepEqual([memory.get('a'), memory.get('d')], [undefined, undefined]);
  });
});

describe('what is made of a text', () => {
  const counting = () => {
    let made = 0;
    const of = rememberedText((text) => {
      made += 1;
      if (text === 'bad') throw new Error('bad');
      return text === '' ? undefined : { text };
    });
    return { of, made: () => made };
  };
  it('is made once, whatever it is', () => {
    const { of, made } = counting();
    assert.equal(of('a'), of('a'));
    assert.deepEqual([of(''), of(''), made()], [undefined, undefined, 2]);
    for (const _ of [1, 2]) assert.throws(() => of('bad'), /bad/);
    assert.equal(made(), 4);
  });
  it('is made again where the text is long, or 256 others have come since', () => {
    const { of, made } = counting();
    const before = of('a');
    for (let count = 0; count < 255; count += 1) of(`${count}`);
    assert.equal(of('a'), before);
    for (let count = 0; count < 256; count += 1) of(`${count} again`);
    assert.notEqual(of('a'), before);
    const so = made();
    for (const length of [16_384, 16_385]) for (const _ of [1, 2]) of('x'.repeat(length));
    assert.equal(made() - so, 3);
  });
});

it('what is made of an object is made once for each', () => {
  let made = 0;
  const of = remembered((key: object) => ({ key, at: ++made }));
  const [one, other] = [{}, {}];
  assert.deepEqual(
    [of(one), of(other), of(one)],
    [
      { key: one, at: 1 },
      { key: other, at: 2 },
      { key: one, at: 1 },
    ],
  );
});

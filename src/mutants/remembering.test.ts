import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectMutants } from '../matrix/collect.js';
import { begun } from './remembering.js';

const mutants = await collectMutants();
const played = (name: string) => {
  const found = mutants.find((mutant) => mutant.name === name);
  assert.ok(found, name);
  return begun(found).options?.decisions ?? {};
};

describe('a mutant that remembers', () => {
  it('has seen nothing when it is played again', () => {
    for (let time = 1; time <= 2; time += 1) {
      const { tokenIdMatches } = played('single-use-tokens');
      assert.deepEqual(
        [1, 2].map(() => tokenIdMatches?.('a1b2c3', 'a1b2c3')),
        [true, false],
        `played ${time} times`,
      );
    }
  });
  it('is the same mutant whenever it is played', () => {
    const whole = mutants.filter(({ anew }) => anew !== undefined);
    assert.ok(whole.length > 20);
    for (const mutant of whole) {
      const { name, defect, killedBy } = begun(mutant);
      assert.deepEqual(
        { name, defect, killedBy },
        { name: mutant.name, defect: mutant.defect, killedBy: mutant.killedBy },
      );
    }
  });
  it('is played as it is where it remembers nothing', () => {
    const plain = mutants.find(({ anew }) => anew === undefined);
    assert.ok(plain);
    assert.equal(begun(plain), plain);
  });
});

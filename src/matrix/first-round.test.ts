import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Mutant } from '../mutants/types.js';
import { ELSEWHERE } from './elsewhere.js';
import { type FirstRound, firstPlayed } from './first-round.js';
import { MINIATURES } from './miniatures.js';

const mutant = (name: string, killedBy: readonly string[], more: Partial<Mutant> = {}): Mutant => ({
  name,
  defect: 'none',
  killedBy,
  ...more,
});
const disk = { disk: () => {} };
const MUTANTS = [
  mutant('bad', ['LIM-001', 'X-01']),
  mutant('other', ['X-01']),
  mutant('fine', []),
  mutant('fine-disk', [], disk),
  mutant('bad-disk', ['NODE-001'], disk),
];
const IDS = ['LIM-001', 'NODE-001'];
/** "mutant bad: LIM-001" */
const played = (more: Partial<FirstRound> = {}): readonly string[] =>
  firstPlayed({
    mutants: MUTANTS,
    ids: new Set(IDS),
    someRules: false,
    someMutants: false,
    full: false,
    rowsOnly: false,
    ...more,
  })
    .filter(({ name }) => !(ELSEWHERE as readonly string[]).includes(name) || name === ELSEWHERE[0])
    .filter(({ name }) => !(MINIATURES as readonly string[]).includes(name) || name === MINIATURES[0])
    .map((job) => `${job.kind} ${job.name}${job.kind === 'miniature' ? '' : `: ${job.rules?.join() ?? 'all'}`}`);

const [ELSE, SMALL] = [ELSEWHERE[0], MINIATURES[0]];
const UNCHANGED = 'baseline the unchanged reference:';

describe('what is played first', () => {
  it('is all, each mutant by the rules that it names', () => {
    assert.deepEqual(played(), [
      `${UNCHANGED} all`,
      `elsewhere ${ELSE}: all`,
      `miniature ${SMALL}`,
      'mutant bad: LIM-001',
      'mutant bad-disk: NODE-001',
    ]);
  });

  it('is no miniature where only some rules are asked for', () => {
    assert.deepEqual(played({ someRules: true }), [
      `${UNCHANGED} LIM-001,NODE-001`,
      `elsewhere ${ELSE}: LIM-001,NODE-001`,
      'mutant bad: LIM-001',
      'mutant bad-disk: NODE-001',
    ]);
  });

  it('is nothing beside the mutants that are asked for, and the rules that they name', () => {
    assert.deepEqual(played({ someMutants: true, mutants: MUTANTS.slice(0, 2) }), [
      `${UNCHANGED} LIM-001`,
      'mutant bad: LIM-001',
    ]);
  });

  it('is every mutant by all rules where that is wanted, and each harmless variant but for disks', () => {
    assert.deepEqual(played({ full: true }), [
      `${UNCHANGED} all`,
      'mutant fine: all',
      `elsewhere ${ELSE}: all`,
      `miniature ${SMALL}`,
      'mutant bad: all',
      'mutant bad-disk: all',
    ]);
  });

  it('is what breaks rows, and what is listed elsewhere, where lists are written', () => {
    const all = [`${UNCHANGED} all`, `elsewhere ${ELSE}: all`, 'mutant bad: LIM-001', 'mutant bad-disk: NODE-001'];
    assert.deepEqual(played({ rowsOnly: true }), all);
    assert.deepEqual(played({ rowsOnly: true, full: true }).slice(0, 2), all.slice(0, 2));
  });

  it('is each sound disk by the rules that look at disks', () => {
    const jobs = firstPlayed({
      mutants: MUTANTS,
      ids: new Set(['PATH-001', 'LIM-002']),
      someRules: true,
      someMutants: true,
      full: false,
      rowsOnly: false,
    });
    assert.deepEqual(jobs.slice(1), [{ kind: 'mutant', name: 'fine-disk', rules: ['PATH-001'] }]);
  });
});

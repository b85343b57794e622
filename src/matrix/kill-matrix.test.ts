/** What is played of groups of harmless variants, until it is seen whom something is about; and who they are. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { collectedOf } from './collect.js';
import type { Job, Played } from './job.js';
import { halvesOf, perMember } from './kill-matrix.js';
import type { Failure } from './pool.js';

const played = (job: Job, verdict: string): Played => ({ job, verdicts: { 'A-01': verdict } }) as unknown as Played;
const group = (...members: readonly string[]): Job => ({ kind: 'group', name: 'group 0', members, rules: ['A-01'] });
const namesOf = (jobs: readonly Job[]): readonly (readonly string[])[] =>
  jobs.map((job) => (job.kind === 'group' ? job.members : [job.name]));
const failure = (job: Job): Failure => ({ job, failure: 'it cannot be begun' }) as Failure;

describe('a group of harmless variants', () => {
  it('is played in halves that have every member where somebody noticed it, or it could not be played', () => {
    for (const members of [
      ['a', 'b'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c', 'd', 'e'],
    ])
      for (const result of [
        played(group(...members), 'failed'),
        played(group(...members), 'error'),
        failure(group(...members)),
      ]) {
        const halves = namesOf(halvesOf([result]));
        assert.equal(halves.length, 2);
        assert.deepEqual(halves.flat(), members);
        for (const half of halves) assert.ok(half.length > 0 && half.length < members.length);
      }
  });
  it('is not played again where nobody noticed it, nor is who was played alone', () => {
    for (const verdict of ['passed', 'skipped', 'waived', 'advised'])
      assert.deepEqual(halvesOf([played(group('a', 'b'), verdict)]), []);
    assert.deepEqual(halvesOf([played({ kind: 'mutant', name: 'a', rules: undefined }, 'failed')]), []);
  });
  it('says of each member what it says where nobody noticed it, and nothing where somebody did', () => {
    const members = (result: Played | Failure) => namesOf(perMember(result).map(({ job }) => job));
    assert.deepEqual(members(played(group('a', 'b'), 'passed')), [['a'], ['b']]);
    assert.deepEqual(members(played(group('a', 'b'), 'failed')), []);
    assert.deepEqual(members(failure(group('a', 'b'))), [['a', 'b']]);
    assert.deepEqual(members(played({ kind: 'mutant', name: 'c', rules: undefined }, 'failed')), [['c']]);
  });
});

describe('mutants', () => {
  const mutant = (name: string) => ({ name, defect: `the defect of ${name}`, killedBy: ['A-01'] });
  it('are all that modules export as such, once each, sorted', () => {
    const shared = [mutant('b')];
    const modules = [
      { file: 'one.js', module: { shared, more: [mutant('c')], helper: () => {}, list: ['no mutant'] } },
      { file: 'two.js', module: { shared, mutants: [mutant('a')] } },
    ];
    assert.deepEqual(
      collectedOf(modules).map(({ name }) => name),
      ['a', 'b', 'c'],
    );
  });
  it('are refused where two have a name', () => {
    const modules = ['one.js', 'two.js'].map((file) => ({ file, module: { mutants: [mutant('a')] } }));
    assert.throws(() => collectedOf(modules), /Two mutants are named "a"; the second is in two\.js/);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Played } from './job.js';
import { toMarkdown } from './markdown.js';
import { computeMatrix, type Matrix } from './matrix.js';
import { MINIATURES, startMiniature } from './miniatures.js';

const rules = ['A-01', 'A-02'].map((id) => ({ id, title: `rule ${id}`, chapter: 'a' }));
const played = (job: Played['job'], verdicts: Record<string, string>): Played => ({
  job,
  verdicts,
  reasons: { 'A-02': 'because' },
  refusing: ['A-02'],
  heldBack: [],
  replayedOtherwise: [],
  rows: { all: [], unmet: [], uncontrolled: [] },
  milliseconds: 1,
});
const baseline = played(
  { kind: 'baseline', name: 'unchanged', rules: undefined },
  { 'A-01': 'passed', 'A-02': 'passed' },
);
const mutants = [
  { name: 'first', defect: 'the first', killedBy: ['A-01'] },
  { name: 'second', defect: 'the second', killedBy: ['A-02'] },
  { name: 'same', defect: 'nothing', killedBy: [] },
];
const run = (name: string, verdicts: Record<string, string>): Played =>
  played({ kind: 'mutant', name, rules: undefined }, verdicts);
const sound = [
  baseline,
  run('first', { 'A-01': 'failed', 'A-02': 'error' }),
  run('second', { 'A-01': 'passed', 'A-02': 'failed' }),
  run('same', { 'A-01': 'passed', 'A-02': 'skipped' }),
];

const matrix = (runs: readonly Played[], more: object = {}): Matrix =>
  computeMatrix({ rules, mutants, played: runs, failures: [], complete: true, ...more });

describe('the kill matrix', () => {
  it('is sound where every rule is killed by the mutant that names it', () => {
    const { problems, rules: rows } = matrix(sound);
    assert.deepEqual(problems, []);
    assert.deepEqual(
      rows.map(({ killedBy }) => killedBy),
      [['first'], ['second']],
    );
  });

  it('takes error and skipped for survival', () => {
    const { problems } = matrix([
      baseline,
      run('first', { 'A-01': 'failed' }),
      run('second', { 'A-02': 'error' }),
      run('same', {}),
    ]);
    assert.deepEqual(problems, ['no mutant kills A-02', 'second survives A-02: error (because)']);
  });

  it('sees a harmless variant that is noticed, a reference that is not sound, and names that are none', () => {
    const { problems } = matrix(
      [played(baseline.job, { 'A-02': 'failed' }), ...sound.slice(1, 3), run('same', { 'A-01': 'error' })],
      {
        mutants: [...mutants, { name: 'lost', defect: 'x', killedBy: ['A-09'] }],
      },
    );
    assert.deepEqual(problems, [
      'A-02 is not met by the unchanged reference: failed (because)',
      'lost names A-09, and there is no such rule',
      'the harmless same is noticed by A-01: error',
    ]);
  });

  it('lets no rule pass on a miniature', () => {
    const { problems } = matrix([
      ...sound,
      played({ kind: 'miniature', name: 'always 200' }, { 'A-01': 'passed', 'A-02': 'error' }),
    ]);
    assert.deepEqual(problems, ['A-01 passes on the miniature "always 200"']);
  });

  it('lets no rule about refusing pass on a paralysed variant', () => {
    const name = 'no approver';
    const verdicts = { 'A-01': 'passed', 'A-02': 'passed' };
    const run = played({ kind: 'paralysed', name, rules: undefined }, verdicts);
    assert.deepEqual(matrix([...sound, run]).problems, [], 'a control of its own was met');
    const { problems } = matrix([...sound, { ...run, heldBack: ['A-01', 'A-02'] }]);
    assert.deepEqual(problems, ['A-02, which is about refusing, passes on the paralysed variant "no approver"']);
  });

  it('demands that a report can be judged again', () => {
    const { problems } = matrix([{ ...baseline, replayedOtherwise: ['A-01'] }, ...sound.slice(1)]);
    assert.deepEqual(problems, ['A-01 on unchanged is judged otherwise from the report than on the target']);
  });

  it('demands an error of every rule that has an unmet control, wherever it was played', () => {
    const uncontrolled = (run: Played, ...ids: readonly string[]): Played => ({
      ...run,
      rows: { ...run.rows, uncontrolled: ids },
    });
    const [first, second, ...rest] = sound as [Played, Played, ...Played[]];
    const { problems } = matrix([uncontrolled(first, 'A-01', 'A-02'), uncontrolled(second, 'A-02'), ...rest]);
    assert.deepEqual(problems, [
      'A-01 on unchanged does not err, although a control is unmet',
      'A-02 on first does not err, although a control is unmet',
      'A-02 on unchanged does not err, although a control is unmet',
    ]);
  });

  it('tells what could not be played', () => {
    assert.deepEqual(matrix(sound, { failures: [{ name: 'first', failure: 'it crashed' }] }).problems, [
      'first could not be played: it crashed',
    ]);
  });

  it('is written as tables whose cells are not broken by what they hold', () => {
    const page = toMarkdown(matrix(sound, { mutants: mutants.map((mutant) => ({ ...mutant, defect: 'a | b\nc' })) }));
    assert.match(page, /\| first \| a \\\| b c \| A-01 \|/);
    assert.match(page, /2 of 2 rules killed by 2 mutants; 1 harmless variants; 0 miniatures; 0 problems/);
  });
});

describe('miniatures', () => {
  for (const name of MINIATURES) {
    it(`${name} starts and ends`, async () => {
      const miniature = await startMiniature(name);
      assert.match(miniature.server, /^https:\/\/127\.0\.0\.1:\d+$/);
      await miniature.close();
    });
  }
});

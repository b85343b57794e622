import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Played } from './job.js';
import { toMarkdown } from './markdown.js';
import { computeMatrix, type Matrix } from './matrix.js';
import { MINIATURES, startMiniature } from './miniatures.js';
import type { Row } from './rows.js';

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

  const paralysed = (name: string, verdicts: Record<string, string>): Played =>
    played({ kind: 'paralysed', name, rules: undefined }, verdicts);

  it('lets no rule fail where answers say nothing of it', () => {
    const verdicts = { 'A-01': 'failed', 'A-02': 'error' };
    const { problems } = matrix([...sound, paralysed('lists are tables', verdicts)]);
    assert.deepEqual(problems, ['A-01 fails on "lists are tables", whose answers say nothing of it: failed']);
    assert.deepEqual(matrix([...sound, paralysed('every write refused', verdicts)]).problems, []);
    const passed = { 'A-01': 'passed', 'A-02': 'passed' };
    assert.deepEqual(matrix([...sound, paralysed('lists are tables', passed)]).problems, []);
  });

  it('lets no rule pass on a client that does nothing', () => {
    const { problems } = matrix([...sound, paralysed('a client that hangs', { 'A-01': 'passed', 'A-02': 'failed' })]);
    assert.deepEqual(problems, ['A-01 passes on the paralysed variant "a client that hangs"']);
  });

  it('lets no rule about refusing pass where nobody does what it says is left undone', () => {
    const [id = ''] = ['CSR-014'];
    const more = { rules: [{ id, title: 'x', chapter: 'a' }], mutants: [], complete: false };
    const [before, verdicts] = [{ ...played(baseline.job, { [id]: 'passed' }), refusing: [id] }, { [id]: 'passed' }];
    const said = `${id}, which is about refusing, passes on the paralysed variant "no approver"`;
    assert.deepEqual(matrix([before, paralysed('no approver', verdicts)], more).problems, [said]);
    const other = { ...before, refusing: [] };
    assert.deepEqual(matrix([other, paralysed('no approver', verdicts)], more).problems, []);
    assert.deepEqual(matrix([before, paralysed('no approver', { [id]: 'error' })], more).problems, []);
    assert.deepEqual(matrix([before, paralysed('every write refused', verdicts)], more).problems, []);
  });

  it('lets a harmless variant be told of by the rules that it names, and by no others', () => {
    const told = mutants.map((mutant) => (mutant.name === 'same' ? { ...mutant, toldBy: ['A-01'] } : mutant));
    const noticed = [...sound.slice(0, 3), run('same', { 'A-01': 'failed', 'A-02': 'failed' })];
    const { problems, harmless } = matrix(noticed, { mutants: told });
    assert.deepEqual(problems, ['the harmless same is noticed by A-02: failed (because)']);
    assert.deepEqual(harmless, [{ name: 'same', defect: 'nothing', noticedBy: ['A-01', 'A-02'] }]);
  });

  it('is about the rules that were asked for', () => {
    const some = { rules: rules.slice(0, 1), existing: ['A-01', 'A-02'], complete: false };
    assert.deepEqual(matrix(sound.slice(0, 2), some).problems, []);
    assert.deepEqual(matrix(sound.slice(0, 2), { ...some, existing: ['A-01'] }).problems, [
      'second names A-02, and there is no such rule',
    ]);
    assert.deepEqual(matrix([baseline], { complete: false }).problems, []);
    assert.deepEqual(matrix([baseline]).problems, ['no mutant kills A-01', 'no mutant kills A-02']);
  });

  it('says of each mutant and miniature how it fared', () => {
    const small = played({ kind: 'miniature', name: 'always 200' }, { 'A-01': 'error', 'A-02': 'error' });
    const found = matrix([
      ...sound,
      small,
      { ...small, refusal: 'no cluster' },
      paralysed('no approver', { 'A-01': 'error' }),
    ]);
    assert.deepEqual(found.mutants, [
      { name: 'first', defect: 'the first', named: ['A-01'], failed: ['A-01'], errors: ['A-02'] },
      { name: 'second', defect: 'the second', named: ['A-02'], failed: ['A-02'], errors: [] },
    ]);
    assert.deepEqual(found.miniatures, [
      { name: 'always 200', counts: { error: 2 }, refusal: 'asks it all the same' },
      { name: 'always 200', counts: { error: 2 }, refusal: 'no cluster' },
    ]);
    assert.deepEqual(found.paralysed, [{ name: 'no approver', counts: { error: 1 } }]);
  });

  it('has rows of the reference, broken by mutants in the rules that they name and by who is paralysed', () => {
    const row = (rule: string): Row => ({
      rule,
      scenario: `${rule}/one`,
      role: 'demand',
      check: 'a/b',
      subject: 'x',
      demanded: 'y',
    });
    const both = ['A-01', 'A-02'].map(row);
    const unmet = (of: Played): Played => ({ ...of, rows: { all: [], unmet: both, uncontrolled: [] } });
    const [first, second, third, fourth] = sound as [Played, Played, Played, Played];
    const shown = { ...first, rows: { all: both, unmet: [], uncontrolled: [] } };
    const verdicts = { 'A-01': 'error', 'A-02': 'error' };
    const runs = [shown, unmet(second), third, fourth];
    const more = [unmet(paralysed('no approver', verdicts)), unmet(paralysed('lists are tables', verdicts))];
    const by = (...of: readonly Played[]) => matrix(of).rows.map((one) => one.by);
    assert.deepEqual(by(...runs), [['first'], []]);
    assert.deepEqual(by(...runs, ...more), [['first', 'no approver'], ['no approver']]);
    assert.deepEqual(matrix(runs).problems, []);
    assert.equal(matrix(runs, { listed: [] }).problems.filter((problem) => /A-0[12]\/one/.test(problem)).length, 3);
  });

  it('tells what could not be played', () => {
    assert.deepEqual(matrix(sound, { failures: [{ name: 'first', failure: 'it crashed' }] }).problems, [
      'first could not be played: it crashed',
    ]);
  });

  it('is written as a page', () => {
    const verdicts = { 'A-01': 'passed', 'A-02': 'error' };
    const rows = [
      { rule: 'A-01', scenario: 'A-01/one', text: 'demand a', times: 1, by: ['first'] },
      { rule: 'A-01', scenario: 'A-01/one', text: 'control b', times: 2, by: [] },
    ];
    const found = matrix([
      ...sound.slice(0, 3),
      run('same', { 'A-01': 'failed' }),
      played({ kind: 'miniature', name: 'always 200' }, verdicts),
      paralysed('no approver', { 'A-01': 'error' }),
    ]);
    const page = toMarkdown({ ...found, rows }).split('\n');
    const has = (...lines: readonly string[]) => {
      for (const line of lines) assert.ok(page.includes(line), line);
    };
    has(
      '2 of 2 rules killed by 2 mutants; 1 harmless variants; 1 miniatures; 2 problems.',
      '## Problems',
      '- A-01 passes on the miniature "always 200"',
      '- the harmless same is noticed by A-01: failed',
      '| A-01 | a | rule A-01 | first |',
      '| A-01/one | demand a | first |',
      '| A-01/one | 2 × control b | – |',
      '| first | the first | A-01 | – |',
      '| same | nothing | A-01 |',
      '| always 200 | 1 | 0 | 0 | 1 | asks it all the same |',
      '| no approver | 0 | 0 | 0 | 1 |',
    );
    assert.match(page.join(' '), /1 demands and 1 controls/);
    assert.ok(!toMarkdown(matrix(sound)).includes('## Problems'));
    const also = matrix([
      ...sound.slice(0, 2),
      run('second', { 'A-01': 'failed', 'A-02': 'failed' }),
      ...sound.slice(3),
    ]);
    assert.ok(toMarkdown(also).includes('| second | the second | A-02 | A-01 |'));
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

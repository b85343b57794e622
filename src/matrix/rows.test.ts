import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../model/finding.js';
import type { Report } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { reached } from './demands.js';
import { FeatureLists } from './feature-lists.js';
import type { Played } from './job.js';
import { listedRows } from './row-files.js';
import { fromText, type Listed, problemsOf, renewed, toText } from './row-lists.js';
import { type Row, rowsOf, stable } from './rows.js';

const finding = (more: Partial<Finding>): Finding => ({
  subject: 'Secret kube-system/bootstrap-token-a1b2c3',
  role: 'demand',
  demanded: 'kid is "a1b2c3"',
  seen: 'something',
  result: 'met',
  ...more,
});
const report = (verdict: VerdictKind, ...findings: readonly Finding[]): Report =>
  ({
    rules: [
      {
        id: 'A-01',
        scenarios: [{ id: 'A-01/one', verdict, judgements: [{ check: 'a/b', observation: null, findings }] }],
      },
    ],
  }) as unknown as Report;

describe('rows', () => {
  it('leave out what every run names anew, and keep what a feature says', () => {
    assert.equal(stable('get jp-1a2b3c4d, as system:bootstrap:a1b2c3'), 'get jp-…, as system:bootstrap:…');
    assert.equal(stable('https://127.0.0.1:40123/api'), 'https://127.0.0.1:…/api');
    assert.equal(stable('CertificateSigningRequest csr-x2z4q'), 'CertificateSigningRequest csr-…');
    assert.equal(stable('the token a1b2c3 (expiration 2099-01-01)'), 'the token … (expiration 2099-01-01)');
    assert.equal(stable('"true\n"'), '"true\\n"');
  });

  it('know the id of a token wherever it stands', () => {
    const [row] = rowsOf(report('passed', finding({}))).all;
    assert.deepEqual([row?.subject, row?.demanded], ['Secret kube-system/bootstrap-token-…', 'kid is "…"']);
  });

  it('are broken by what decided the verdict only', () => {
    const [bad, uncontrolled] = [finding({ result: 'unmet' }), finding({ result: 'unmet', role: 'control' })];
    assert.equal(rowsOf(report('failed', bad)).unmet.length, 1);
    assert.deepEqual(
      rowsOf(report('error', bad, uncontrolled)).unmet.map(({ role }) => role),
      ['control'],
    );
    assert.deepEqual(rowsOf(report('error', uncontrolled)).uncontrolled, []);
    assert.deepEqual(rowsOf(report('failed', uncontrolled)).uncontrolled, ['A-01/one']);
    assert.equal(rowsOf(report('error', finding({ result: 'unclear' }))).unmet.length, 0);
    const unclear = finding({ result: 'unclear', role: 'control' });
    assert.deepEqual(rowsOf(report('failed', unclear, finding({ result: 'unclear' }))).uncontrolled, ['A-01/one']);
    assert.equal(rowsOf(report('error', unclear)).unmet.length, 1);
    const met = [finding({}), finding({ role: 'control' })];
    for (const verdict of ['failed', 'error', 'passed'] as const) {
      const { unmet, uncontrolled } = rowsOf(report(verdict, ...met));
      assert.deepEqual([unmet, uncontrolled], [[], []]);
    }
    assert.deepEqual(rowsOf(report('failed', bad)).uncontrolled, []);
  });

  it('are of every rule, scenario and judgement, and of the harness itself', () => {
    const two = 'Secrets bootstrap-token-a1b2c3 and bootstrap-token-d4e5f6';
    const judgement = (check: string | null, ...findings: readonly Finding[]) => ({
      check,
      observation: null,
      findings,
    });
    const scenario = (id: string, ...judgements: readonly unknown[]) => ({ id, verdict: 'failed', judgements });
    const whole = {
      rules: [
        {
          id: 'A-01',
          scenarios: [
            scenario(
              'A-01/one',
              judgement('a/b', finding({ subject: 'x' })),
              judgement(null, finding({ subject: 'd4e5f6' })),
            ),
            scenario('A-01/two', judgement('a/b', finding({ subject: 'y', result: 'unmet' }))),
          ],
        },
        {
          id: 'A-02',
          scenarios: [scenario('A-02/one', judgement('a/b', finding({ subject: two, demanded: 'is so' })))],
        },
      ],
    } as unknown as Report;
    const { all, unmet } = rowsOf(whole);
    assert.deepEqual(
      all.map(({ rule, scenario: of, check, subject }) => `${rule} ${of} ${check}: ${subject}`),
      [
        'A-01 A-01/one a/b: x',
        'A-01 A-01/one -: …',
        'A-01 A-01/two a/b: y',
        'A-02 A-02/one a/b: Secrets bootstrap-token-… and bootstrap-token-…',
      ],
    );
    assert.deepEqual(
      unmet.map(({ scenario: of }) => of),
      ['A-01/two'],
    );
  });
});

const row = (subject: string, demanded = 'is so'): Row => ({
  rule: 'A-01',
  scenario: 'A-01/one',
  role: 'demand',
  check: 'a/b',
  subject,
  demanded,
});
const played = (
  kind: 'baseline' | 'mutant' | 'paralysed' | 'miniature',
  name: string,
  rows: readonly Row[],
): Played => ({
  job: { kind, name, rules: undefined } as Played['job'],
  verdicts: {},
  reasons: {},
  refusing: [],
  heldBack: [],
  replayedOtherwise: [],
  rows: kind === 'baseline' ? { all: rows, unmet: [], uncontrolled: [] } : { all: [], unmet: rows, uncontrolled: [] },
  milliseconds: 1,
});
const told = (runs: readonly Played[]): readonly string[] =>
  reached(runs).map(({ text, times, by }) => `${times} ${text} < ${by.join(', ')}`);

describe('who breaks a row', () => {
  const baseline = played('baseline', 'unchanged', [row('x'), row('y'), row('y')]);

  it('is the mutant in whose run it is unmet', () => {
    assert.deepEqual(told([baseline, played('mutant', 'm', [row('y')])]), [
      '1 demand a/b: x: is so < ',
      '2 demand a/b: y: is so < m',
    ]);
  });

  it('is a mutant with another subject of the same demand', () => {
    assert.deepEqual(told([baseline, played('mutant', 'm', [row('z')])]), [
      '1 demand a/b: x: is so < ~m',
      '2 demand a/b: y: is so < ~m',
    ]);
  });

  it('is told of demands, too, that only mutants show', () => {
    assert.equal(
      told([baseline, played('mutant', 'm', [row('z', 'is otherwise')])])[2],
      '0 demand a/b: z: is otherwise < m',
    );
  });
});

describe('who breaks several rows', () => {
  const other = (subject: string): Row => ({ ...row(subject), scenario: 'A-01/two' });
  const baseline = played('baseline', 'unchanged', [row('x'), other('y')]);

  it('is told of each scenario, and each by its name', () => {
    const runs = [played('mutant', 'n', [row('x')]), played('paralysed', 'm', [row('x'), other('y')])];
    const expected = ['1 demand a/b: x: is so < m, n', '1 demand a/b: y: is so < m'];
    assert.deepEqual(told([baseline, ...runs]), expected);
    assert.deepEqual(told([...runs, baseline]), expected);
  });

  it('is nobody whose run is about something else', () => {
    const miniature = {
      ...played('miniature', 'z', [row('x')]),
      rows: { all: [row('v')], unmet: [row('x')], uncontrolled: [] },
    };
    assert.deepEqual(told([baseline, miniature]), ['1 demand a/b: x: is so < ', '1 demand a/b: y: is so < ']);
  });

  it('is told of a row that only mutants show by those that show it', () => {
    const [m, n] = [played('mutant', 'm', [row('z', 'w')]), played('mutant', 'n', [row('u', 'w')])];
    assert.deepEqual(told([n, m]), ['0 demand a/b: z: w < m', '0 demand a/b: u: w < n']);
  });
});

describe('the lists of rows', () => {
  const rows = reached([played('baseline', 'unchanged', [row('x'), row('y')]), played('mutant', 'm', [row('y')])]);
  const [x, y] = ['A-01/one: demand a/b: x: is so', 'A-01/one: demand a/b: y: is so'];
  const listed = fromText(toText(rows));

  it('are read as they are written', () => {
    assert.deepEqual(listed, rows);
    const reasoned = rows.map((one) => (one.by.length === 0 ? { ...one, reason: 'because: it is' } : one));
    assert.deepEqual(fromText(toText(reasoned)), reasoned);
    assert.deepEqual(renewed(rows, reasoned), reasoned);
    const several = rows.map((one) => ({ ...one, several: true as const }));
    assert.deepEqual(fromText(toText(several)), several);
    assert.deepEqual(renewed(rows, several), several);
    assert.throws(() => fromText('  a row of no scenario'), /Line 1 is no part of a list of rows/);
  });

  it('are written as they are read: of each scenario once, with who breaks what, and who does not', () => {
    for (const text of new FeatureLists('src/matrix/rows').read((content) => content))
      assert.equal(toText(fromText(text)), text);
    const open = toText([...rows, { ...(rows[0] as Listed), scenario: 'A-01/two', times: 3, by: ['m', 'n'] }]);
    assert.deepEqual(open.split('\n').slice(2), [
      '',
      'A-01/one',
      '  demand a/b: x: is so',
      '    ? nobody',
      '  demand a/b: y: is so',
      '    < m',
      '',
      'A-01/two',
      '  3 × demand a/b: x: is so',
      '    < m, n',
      '',
    ]);
    for (const line of ['    < m', 'A-01/one\n    < m', 'A-01/one\n x', 'A-01/one\n     < m'])
      assert.throws(() => fromText(line), /is no part of a list of rows/, line);
  });

  it('let a row have a reason as long as nobody reaches it', () => {
    assert.deepEqual(problemsOf(rows, listed), [`${x}: no mutant breaks it`]);
    const reasoned = listed.map((one) => ({ ...one, reason: 'because' }));
    assert.deepEqual(problemsOf(rows, reasoned), [
      `${y}: is said to be out of reach, and is reached: take the reason out of its list`,
    ]);
  });

  it('notice what vanishes, comes, or is reached by others', () => {
    const gap = `${x}: no mutant breaks it`;
    assert.deepEqual(problemsOf(rows.slice(1), listed), [`${x}: is gone from the rows`]);
    assert.deepEqual(problemsOf(rows, listed.slice(1)), [`${x}: is new among the rows`, gap]);
    const by = (...names: string[]) => rows.map((one) => (one.by.length === 0 ? one : { ...one, by: names }));
    assert.deepEqual(problemsOf(by('n'), listed), [
      gap,
      `${y}: is no longer broken by m`,
      `${y}: is newly broken by n`,
    ]);
    const twice = rows.map((one) => (one.by.length === 0 ? { ...one, times: 2 } : one));
    assert.deepEqual(problemsOf(twice, listed), [`${x}: is found 2 times, and was 1 times`, gap]);
    const several = listed.map((one) => ({ ...one, several: true as const }));
    assert.deepEqual(problemsOf(twice, several), [gap]);
    assert.deepEqual(problemsOf(rows.slice(1), several), [`${x}: is gone from the rows`]);
  });

  it('that are committed leave no row to nobody', () => {
    const open = listedRows().filter(({ by, reason }) => by.length === 0 && reason === undefined);
    assert.deepEqual(
      open.map(({ scenario, text }) => `${scenario}: ${text}`),
      [],
    );
  });
});

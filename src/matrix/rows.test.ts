import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../model/finding.js';
import type { Report } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { reached } from './demands.js';
import type { Played } from './job.js';
import { listedRows } from './row-files.js';
import { fromText, problemsOf, renewed, toText } from './row-lists.js';
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
const played = (kind: 'baseline' | 'mutant', name: string, rows: readonly Row[]): Played => ({
  job: { kind, name, rules: undefined },
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

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { report } from '../report/testing-report.js';
import { Redactor } from '../targets/redaction.js';
import { finished, MOST_LEFT } from './finished.js';
import { parseGate } from './gate.js';
import type { OpenTarget } from './open-target.js';

const target = (changed: Partial<OpenTarget> = {}): OpenTarget => {
  const facts = { holds: new Set() };
  return { redactor: new Redactor(), facts, abilities: {}, why: () => 'so it is', ...changed } as unknown as OpenTarget;
};
const passed = {
  ...report,
  rules: report.rules.filter(({ verdict }) => verdict === 'passed' || verdict === 'skipped'),
};
passed.summary = { ...passed.summary, skipped: 1 };
const judgement = { report: passed, learned: [] };
const finish = { demanded: parseGate({}), waivers: [] };
const left = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ kind: 'Pod', what: `Pod a/${n}`, why: 'b' }));

describe('a run that is finished', () => {
  it('shows no secret that one of its threads alone has seen', () => {
    const open = target();
    const learned = ['f395accd246ae52d', '0123456789abcdef'].map((half) => ({ values: [half], alone: [], names: [] }));
    finished({ report: passed, learned }, { target: open, ...finish });
    assert.equal(open.redactor.redact('f395accd246ae52d, 0123456789abcdef'), '[redacted], [redacted]');
  });

  it('ends with 0 only where nothing is left', () => {
    assert.equal(finished(judgement, { target: target(), ...finish }).summary.exitCode, 0);
    assert.equal(finished(judgement, { target: target({ leftovers: [] }), ...finish }).summary.exitCode, 0);
    const told = finished(judgement, { target: target({ leftovers: left(1) }), ...finish });
    assert.equal(told.summary.exitCode, 3);
    assert.deepEqual(told.left, { count: 1, examples: ['Pod a/0'] });
    const many = finished(judgement, { target: target({ leftovers: left(MOST_LEFT + 2) }), ...finish });
    assert.deepEqual([many.left?.count, many.left?.examples.length], [12, 10]);
  });

  it('ends with 3 where something that was demanded is missing', () => {
    const demanding = (gate: Parameters<typeof parseGate>[0]) =>
      finished(judgement, { target: target(), ...finish, demanded: parseGate(gate) }).summary.exitCode;
    assert.deepEqual([demanding({ maxSkipped: '1' }), demanding({ maxSkipped: '0' })], [0, 3]);
    assert.equal(demanding({ require: ['writes'] }), 3);
  });

  it('takes what is waived, or was there before, for no failure', () => {
    const [failed] = report.rules.filter(({ verdict }) => verdict === 'failed');
    if (failed === undefined) throw new Error('there is no rule that failed');
    const judged = { report: { ...report, rules: [failed] }, learned: [] };
    const waiver = { rule: failed.id, subject: '*', owner: 'anna', reason: 'a toy', expires: '2999-01-31' };
    const ends = (changed: object): string =>
      finished(judged, { target: target(), ...finish, ...changed }).rules[0]?.verdict ?? '';
    assert.equal(ends({}), 'failed');
    assert.equal(ends({ waivers: [waiver] }), 'waived');
    assert.equal(ends({ waivers: [{ ...waiver, rule: 'OTHER' }] }), 'failed');
    assert.equal(ends({ baseline: { startedAt: '2026-01-01T00:00:00Z', known: [] } }), 'failed');
  });
});

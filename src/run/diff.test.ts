import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demand } from '../model/finding.js';
import type { Report, RuleResult } from '../model/report.js';
import { VERDICTS, type VerdictKind } from '../model/verdict.js';
import { report } from '../report/testing-report.js';
import { differences, isWorse } from './diff.js';

const [pattern] = report.rules;
const [scenario] = pattern?.scenarios ?? [];

/** A rule that ended so, and found these unmet. */
const rule = (id: string, verdict: VerdictKind, subjects: readonly string[] = []): RuleResult => {
  assert.ok(pattern && scenario);
  const findings = subjects.map((subject) => demand({ subject, demanded: 'is sound', seen: 'it is not', ok: false }));
  const judgements = [{ check: 'toys/sound', observation: 'o1', findings }];
  return { ...pattern, id, verdict, title: `rule ${id} ${verdict}`, scenarios: [{ ...scenario, verdict, judgements }] };
};
const told = (rules: readonly RuleResult[]): Report => ({ ...report, rules });
const between = (before: readonly RuleResult[], after: readonly RuleResult[]) => differences(told(before), told(after));

describe('what became of a rule', () => {
  it('is told by its verdicts: what fails is the worst, and what is judged no more is not mended', () => {
    const expected: Readonly<Record<VerdictKind, readonly VerdictKind[]>> = {
      // what each of them is better than
      passed: ['waived', 'skipped', 'advised', 'error', 'failed'],
      waived: ['skipped', 'advised', 'error', 'failed'],
      skipped: ['advised', 'error'],
      advised: ['error', 'failed'],
      error: [],
      failed: [],
    };
    for (const before of VERDICTS)
      for (const after of VERDICTS) {
        const [change, ...others] = between([rule('A', before)], [rule('A', after)]);
        const isBetter = expected[after].includes(before);
        const kind = before === after ? undefined : isBetter ? 'better' : 'worse';
        assert.deepEqual([change?.change, others], [kind, []], `${before} → ${after}`);
        assert.equal(isWorse(change === undefined ? [] : [change]), kind === 'worse', `${before} → ${after}`);
      }
  });

  it('is told by what is found where it ends as before', () => {
    for (const verdict of ['failed', 'waived', 'advised'] as const) {
      const kinds = (before: readonly string[], after: readonly string[]) =>
        between([rule('A', verdict, before)], [rule('A', verdict, after)]).map(({ change }) => change);
      assert.deepEqual(kinds(['a'], ['a']), [], verdict);
      assert.deepEqual(kinds(['a'], ['a', 'b']), ['worse'], verdict);
      assert.deepEqual(kinds(['a'], ['b']), ['worse'], verdict);
      assert.deepEqual(kinds(['a', 'b'], ['a']), ['better'], verdict);
    }
    for (const verdict of ['passed', 'skipped', 'error'] as const)
      assert.deepEqual(between([rule('A', verdict, ['a'])], [rule('A', verdict, ['b'])]), [], verdict);
  });

  it('is no worse where less is found, and is so as a whole where one rule is', () => {
    const better = between([rule('A', 'failed', ['a', 'b'])], [rule('A', 'failed', ['a'])]);
    assert.equal(isWorse(better), false);
    assert.equal(isWorse([...better, ...between([rule('B', 'passed')], [rule('B', 'failed')])]), true);
    assert.equal(isWorse([]), false);
  });

  it('names what is found and gone, and the rule as it is now', () => {
    const [change] = between([rule('A', 'failed', ['a', 'b'])], [rule('A', 'failed', ['b', 'c'])]);
    assert.deepEqual(
      [change?.rule, change?.title, change?.level, change?.before, change?.after],
      ['A', 'rule A failed', 'MUST', 'failed', 'failed'],
    );
    assert.deepEqual(
      [change?.found.map(({ subject }) => subject), change?.gone.map(({ subject }) => subject)],
      [['c'], ['a']],
    );
    assert.equal(between([rule('A', 'failed')], [rule('A', 'passed')])[0]?.title, 'rule A passed');
  });

  it('is that it appeared or went where one report has it alone', () => {
    const [appeared] = between([], [rule('A', 'failed', ['a'])]);
    assert.deepEqual([appeared?.change, appeared?.before, appeared?.after], ['appeared', null, 'failed']);
    const [went] = between([rule('A', 'failed', ['a'])], []);
    assert.deepEqual([went?.change, went?.before, went?.after, went?.title], ['went', 'failed', null, 'rule A failed']);
    const worse = (before: readonly RuleResult[], after: readonly RuleResult[]) => isWorse(between(before, after));
    assert.equal(worse([], [rule('A', 'failed')]), true);
    for (const verdict of ['passed', 'waived', 'skipped', 'advised', 'error'] as const)
      assert.equal(worse([], [rule('A', verdict)]), false, verdict);
    assert.equal(worse([rule('A', 'failed')], []), false);
  });

  it('stands by its kind, then by its rule', () => {
    const changes = between(
      ['D', 'B', 'F', 'E'].map((id) => rule(id, 'passed')).concat(['H', 'G'].map((id) => rule(id, 'failed'))),
      ['D', 'B'].map((id) => rule(id, 'failed')).concat(['H', 'G', 'A', 'C'].map((id) => rule(id, 'passed'))),
    );
    assert.deepEqual(
      changes.map(({ change, rule: id }) => `${change} ${id}`),
      ['worse B', 'worse D', 'better G', 'better H', 'appeared A', 'appeared C', 'went E', 'went F'],
    );
  });
});

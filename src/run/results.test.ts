import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { demand } from '../model/finding.js';
import type { RuleResult, ScenarioResult } from '../model/report.js';
import { error, passed, type ReasonKind, skipped, VERDICTS, type VerdictKind } from '../model/verdict.js';
import type { Rule, Scenario } from './features.js';
import { Observations } from './observations.js';
import { asAdvice, exitCodeOf, rolledUp, ruleResult, scenarioResult, summarise } from './results.js';

const ended = (verdict: VerdictKind, text = 'why', kind: ReasonKind = 'unmet'): ScenarioResult =>
  ({
    id: 'TOY-01/s',
    name: 's',
    verdict,
    reason: verdict === 'passed' ? null : { kind, text },
    ended: null,
    seconds: 0.0005,
    judgements: [],
  }) as ScenarioResult;
const rolled = (...scenarios: readonly ScenarioResult[]) => rolledUp(scenarios, 'malformed');

describe('a rule rolled up', () => {
  it('has the worst verdict of its scenarios, and says how many are as bad', () => {
    assert.deepEqual(rolled(ended('passed'), ended('passed')), { verdict: 'passed', reason: null });
    assert.deepEqual(rolled(ended('failed', 'a'), ended('passed'), ended('failed', 'b')), {
      verdict: 'failed',
      reason: { kind: 'unmet', text: '2 of 3 scenarios failed: a; b' },
    });
    assert.deepEqual(rolled(ended('failed', 'a'), ended('error', 'b', 'target')), {
      verdict: 'error',
      reason: { kind: 'target', text: '1 of 2 scenarios could not be judged: b' },
    });
    assert.deepEqual(rolled(ended('skipped', 'a', 'nothing')), {
      verdict: 'skipped',
      reason: { kind: 'nothing', text: 'a' },
    });
  });

  it('tells each reason once, three of them, and how many more there are', () => {
    const all = (...texts: readonly string[]) => rolled(...texts.map((text) => ended('failed', text))).reason?.text;
    assert.equal(all('a', 'a'), 'a');
    assert.equal(all('a', 'b', 'c'), 'a; b; c');
    assert.equal(all('a', 'b', 'c', 'd'), 'a; b; c; and 1 more reasons');
    assert.equal(all('a', 'b', 'c', 'd', 'e'), 'a; b; c; and 2 more reasons');
    assert.deepEqual(rolled({ ...ended('failed'), reason: null }).reason, {
      kind: 'joinproof',
      text: 'no reason was given',
    });
  });

  it('is waived where something is, whatever was skipped beside it, and never for what failed', () => {
    assert.equal(rolled(ended('waived'), ended('skipped')).verdict, 'waived');
    assert.equal(rolled(ended('waived'), ended('passed')).verdict, 'waived');
    assert.equal(rolled(ended('waived'), ended('failed')).verdict, 'failed');
    assert.equal(rolled(ended('waived'), ended('error')).verdict, 'error');
    assert.equal(rolled(ended('passed'), ended('skipped')).verdict, 'skipped');
  });

  it('leaves out scenarios of other releases, and nothing else that was skipped', () => {
    const other = ended('skipped', 'since 1.40', 'version');
    assert.equal(rolled(other, ended('passed')).verdict, 'passed');
    assert.equal(rolled(ended('skipped', 'no writes', 'ability'), ended('passed')).verdict, 'skipped');
    assert.equal(rolled(other, other).verdict, 'skipped');
    assert.equal(rolled({ ...other, verdict: 'error' }, ended('passed')).verdict, 'error');
  });

  it('is an error without a scenario, with what is wrong', () => {
    assert.deepEqual(rolled(), { verdict: 'error', reason: { kind: 'joinproof', text: 'malformed' } });
  });
});

describe('what nobody demands', () => {
  it('is advice where it is unmet, and nothing else is', () => {
    assert.deepEqual(asAdvice(ended('failed', 'a')), {
      ...ended('failed', 'a'),
      verdict: 'advised',
      reason: { kind: 'profile', text: 'a' },
    });
    for (const verdict of VERDICTS.filter((kind) => kind !== 'failed'))
      assert.equal(asAdvice(ended(verdict)).verdict, verdict);
    assert.deepEqual(asAdvice({ ...ended('failed'), reason: null }).reason, { kind: 'profile', text: '' });
  });
});

describe('the result of a rule', () => {
  const rule = {
    id: 'TOY-01',
    level: 'MUST',
    chapter: 'toys',
    title: 't',
    why: 'w',
    repair: { for: 'operator', text: 'r' },
    place: 'a.feature:1',
    problems: [],
  } as unknown as Rule;
  const sentence = (documents: readonly string[]) => ({ id: 's', documents, statement: 'x' });
  const beside = { sentences: [sentence(['002', '001']), sentence(['003', '001'])], errata: [] };

  it('has its documents once each, sorted, and its seconds in all', () => {
    const result = ruleResult(rule, [ended('passed'), { ...ended('failed', 'a'), seconds: 1.25 }], beside);
    assert.deepEqual(
      [result.sources, result.seconds, result.verdict, result.scenarios.length, 'advice' in result],
      [['001', '002', '003'], 1.251, 'failed', 2, false],
    );
  });

  it('is advice where nobody demands it', () => {
    const result = ruleResult(rule, [ended('failed', 'a')], { ...beside, advice: true });
    assert.deepEqual([result.verdict, result.scenarios[0]?.verdict, result.advice], ['advised', 'advised', true]);
    const several = ruleResult(rule, [ended('passed'), ended('failed', 'a')], { ...beside, advice: true });
    assert.deepEqual(
      several.scenarios.map(({ verdict }) => verdict),
      ['passed', 'advised'],
    );
  });

  it('says of a rule without scenarios what is wrong with it', () => {
    const without = (problems: readonly string[]) => ruleResult({ ...rule, problems } as Rule, [], beside).reason?.text;
    assert.equal(without([]), 'the rule is malformed (a.feature:1): it has no scenario');
    assert.equal(without(['a', 'b']), 'the rule is malformed (a.feature:1): a; b');
  });
});

describe('the result of a scenario', () => {
  const scenario = { id: 'TOY-01/s', name: 's' } as Scenario;
  const finding = demand({ subject: 'it', demanded: 'is sound', seen: 'so', ok: true });
  const judged = { check: 'toys/sound', observation: { a: 1 }, parameters: undefined, taken: false, exchanges: [] };

  it('is an error where it has no outcome', () => {
    const result = scenarioResult(scenario, undefined, new Observations());
    assert.deepEqual(
      [result.verdict, result.reason, result.ended?.kind, result.played, result.seconds],
      ['error', { kind: 'joinproof', text: 'the scenario was not executed' }, 'error', 0, 0],
    );
  });

  it('says what was judged, and what ended it', () => {
    const observations = new Observations();
    const full = {
      ...judged,
      parameters: { p: 1 },
      taken: true,
      findings: [finding],
      more: { met: 1, unmet: 0, unclear: 0 },
      exchanges: [{ as: 'admin', request: 'GET /', status: 200 }],
    };
    const harness = { ...judged, check: null, findings: [] };
    const outcome = { verdict: passed, ended: undefined, judged: [full, harness], played: 2, milliseconds: 12.4 };
    assert.deepEqual(scenarioResult(scenario, outcome, observations), {
      id: 'TOY-01/s',
      name: 's',
      verdict: 'passed',
      reason: null,
      ended: null,
      seconds: 0.012,
      played: 2,
      judgements: [
        {
          check: 'toys/sound',
          observation: 'o1',
          parameters: { p: 1 },
          taken: true,
          findings: [finding],
          more: { met: 1, unmet: 0, unclear: 0 },
          exchanges: [{ as: 'admin', request: 'GET /', status: 200 }],
        },
        { check: null, observation: null, findings: [] },
      ],
    });
    assert.deepEqual(observations.all, { o1: { a: 1 } });
    const skip = skipped('nothing', 'there is none');
    const result = scenarioResult(scenario, { ...outcome, verdict: skip, ended: skip }, observations);
    assert.deepEqual([result.verdict, result.reason, result.ended], ['skipped', skip.reason, skip]);
    const lost = error('target', 'lost');
    assert.deepEqual(scenarioResult(scenario, { ...outcome, verdict: lost, ended: lost }, observations).ended, lost);
  });
});

describe('the exit code of a run', () => {
  const code = (verdicts: readonly VerdictKind[], beside?: Parameters<typeof exitCodeOf>[1], level = 'MUST') =>
    exitCodeOf(
      verdicts.map((verdict) => ({ verdict, level }) as RuleResult),
      beside,
    );
  const gate = (failOn: 'MUST' | 'SHOULD' | 'MAY', ...shortfalls: readonly string[]) => ({
    gate: { failOn, require: [], maxSkipped: null, shortfalls },
  });
  const left = { left: { count: 1, examples: ['Secret a'] } };

  it('is 1 where a rule fails that may not, whatever else', () => {
    for (const others of [[], ['passed'], ['error'], ['skipped', 'waived']] as const)
      assert.equal(code(['failed', ...others]), 1);
    assert.equal(code(['failed'], { ...left, ...gate('MUST', 'x') }), 1);
    for (const [level, failOn, expected] of [
      ['MUST', 'MUST', 1],
      ['SHOULD', 'MUST', 0],
      ['MAY', 'MUST', 0],
      ['SHOULD', 'SHOULD', 1],
      ['MAY', 'SHOULD', 0],
      ['MAY', 'MAY', 1],
    ] as const)
      assert.equal(code(['failed'], gate(failOn), level), expected, `${level} of ${failOn}`);
  });

  it('is 3 where something could not be judged, is left or is missing', () => {
    assert.equal(code(['passed', 'error']), 3);
    assert.equal(code(['passed'], left), 3);
    assert.equal(code(['passed'], gate('MUST', 'x')), 3);
    assert.equal(code(['passed'], gate('MUST')), 0);
    assert.equal(code([]), 3);
    assert.equal(code(['skipped', 'skipped']), 3);
  });

  it('is 0 where something was judged, and nothing decisive failed', () => {
    for (const verdict of ['passed', 'waived', 'advised'] as const) {
      assert.equal(code([verdict]), 0, verdict);
      assert.equal(code(['skipped', verdict]), 0, verdict);
    }
  });
});

describe('a summary', () => {
  it('counts every verdict, and all scenarios', () => {
    const rule = (verdict: VerdictKind, scenarios = 1): RuleResult =>
      ({
        id: 'TOY-01',
        level: 'MUST',
        verdict,
        scenarios: Array(scenarios).fill(ended(verdict)),
      }) as unknown as RuleResult;
    const rules = [rule('passed', 3), rule('passed'), rule('waived'), rule('skipped'), rule('advised'), rule('error')];
    const expected = { passed: 2, waived: 1, skipped: 1, advised: 1, failed: 0, error: 1 };
    assert.deepEqual(summarise(rules), { rules: 6, scenarios: 8, ...expected, exitCode: 3 });
    assert.equal(summarise([rule('advised')]).exitCode, 0);
    assert.equal(summarise([rule('failed'), rule('passed')]).exitCode, 1);
    assert.equal(summarise([rule('skipped'), rule('passed')]).exitCode, 0);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isThere } from '../checks/common/presence.js';
import type { Judgement, Report, RuleResult, ScenarioResult } from '../model/report.js';
import { report } from '../report/testing-report.js';
import { judgeOf, replay, saidOf } from './replay.js';

const there = (n: number, ok: boolean) => ({ subject: `Secret a/${n}`, there: ok });
const PARAMETERS = { demanded: 'is there' };
const OBSERVATIONS = {
  sound: [there(0, true)],
  broken: [there(0, true), there(1, false)],
  unclear: [{ subject: 'Secret a/0' }],
  many: Array.from({ length: 60 }, (_, n) => there(n, n % 2 === 0)),
  alien: 7,
};
type Name = keyof typeof OBSERVATIONS;

const judgement = (observation: Name, changed: Partial<Judgement> = {}): Judgement => ({
  check: 'presence/there',
  observation,
  parameters: PARAMETERS,
  findings: [],
  ...changed,
});
/** A rule of one scenario, recorded as passed. */
const rule = (judgements: readonly Judgement[], changed: Partial<RuleResult & ScenarioResult> = {}): RuleResult => {
  const [pattern] = report.rules as [RuleResult];
  const [scenario] = pattern.scenarios as [ScenarioResult];
  const { ended = null, ...rest } = changed;
  return { ...pattern, ...rest, scenarios: [{ ...scenario, ended, judgements }] } as RuleResult;
};
const recorded = (...rules: readonly RuleResult[]): Report => ({ ...report, rules, observations: OBSERVATIONS });
const again = async (...rules: readonly RuleResult[]) => {
  const { report: replayed, differences } = await replay(recorded(...rules));
  return { differences, rules: replayed.rules, summary: replayed.summary };
};
const verdictOf = async (...judgements: readonly Judgement[]) => {
  const { rules } = await again(rule(judgements));
  return `${rules[0]?.verdict}: ${rules[0]?.reason?.text ?? ''}`;
};

describe('a report that is judged again', () => {
  it('is judged by what was seen, not by what was said of it', async () => {
    const sound = await again(rule([judgement('sound')]));
    assert.deepEqual([sound.differences, sound.rules[0]?.verdict, sound.summary.exitCode], [[], 'passed', 0]);
    const broken = await again(rule([judgement('sound')]), rule([judgement('broken')], { id: 'TOY-02' }));
    assert.deepEqual(broken.differences, ['TOY-02 was passed when it was recorded, and is failed now']);
    assert.equal(broken.summary.exitCode, 1);
    assert.equal(broken.rules[1]?.scenarios[0]?.verdict, 'failed');
    assert.match(broken.rules[1]?.scenarios[0]?.reason?.text ?? '', /^Secret a\/1/);
    assert.equal(broken.rules[1]?.scenarios[0]?.judgements[0]?.findings.length, 2);
    assert.match(await verdictOf(judgement('unclear')), /^error: Secret a\/0/);
  });

  it('is judged scenario by scenario', async () => {
    const whole = rule([judgement('sound')]);
    const second = rule([judgement('broken')]).scenarios.map((scenario) => ({ ...scenario, id: 'TOY-01/t' }));
    const { rules } = await again({ ...whole, scenarios: [...whole.scenarios, ...second] });
    assert.deepEqual(
      rules[0]?.scenarios.map(({ verdict, reason }) => [verdict, reason === null]),
      [
        ['passed', true],
        ['failed', false],
      ],
    );
    assert.deepEqual((await again({ ...whole, scenarios: [] })).rules[0]?.reason?.text, 'it has no scenario');
    const reason = { kind: 'joinproof', text: 'malformed' } as const;
    assert.deepEqual((await again({ ...whole, scenarios: [], reason })).rules[0]?.reason, reason);
  });

  it('is judged by the check of a name, where there is one', async () => {
    const asked = { check: 'presence/there', observation: OBSERVATIONS.broken, parameters: PARAMETERS };
    const findings = isThere.judge(OBSERVATIONS.broken, PARAMETERS);
    assert.deepEqual(await saidOf(asked), findings);
    assert.deepEqual(
      (await saidOf({ ...asked, taken: true }))?.map(({ role }) => role),
      ['control', 'control'],
    );
    assert.equal(await saidOf({ ...asked, check: 'no/such' }), undefined);
    assert.equal(await judgeOf('no/such'), undefined);
    assert.deepEqual((await judgeOf('presence/there'))?.(OBSERVATIONS.broken, PARAMETERS), findings);
  });

  it('keeps controls controls', async () => {
    assert.match(await verdictOf(judgement('sound'), judgement('broken', { taken: true })), /^error: positive control/);
    assert.match(await verdictOf(judgement('sound', { taken: true })), /^error: the scenario demanded nothing/);
    const { rules } = await again(rule([judgement('sound', { taken: true }), judgement('sound')]));
    assert.deepEqual(
      rules[0]?.scenarios[0]?.judgements.map(({ findings }) => findings[0]?.role),
      ['control', 'demand'],
    );
  });

  it('says what it cannot judge, as an error of the scenario', async () => {
    for (const [asked, said] of [
      [judgement('sound', { check: 'no/such' }), /^error: this joinproof has no check no\/such$/],
      [judgement('gone' as Name), /^error: the report lacks the observation gone$/],
      [judgement('toString' as Name), /^error: the report lacks the observation toString$/],
      [judgement('alien'), /^error: the check presence\/there cannot judge the observation alien: [^\n]+$/],
    ] as const) {
      assert.match(await verdictOf(asked), said);
      assert.equal((await again(rule([asked]))).rules[0]?.reason?.kind, 'joinproof');
      const { rules } = await again(rule([{ ...asked, findings: isThere.judge([there(1, true)], PARAMETERS) }]));
      assert.deepEqual(rules[0]?.scenarios[0]?.judgements[0]?.findings, []);
    }
  });

  it('takes what the harness itself found, what ended a scenario and what was only counted as they are', async () => {
    const [own] = isThere.judge([there(1, false)], PARAMETERS);
    assert.ok(own);
    assert.match(await verdictOf(judgement('sound', { check: null, observation: null, findings: [own] })), /^failed/);
    const lost = { kind: 'error', reason: { kind: 'target', text: 'it was lost' } } as const;
    const { rules } = await again(rule([judgement('sound')], { ended: lost }));
    assert.deepEqual([rules[0]?.verdict, rules[0]?.scenarios[0]?.ended], ['error', lost]);
    assert.match(
      await verdictOf(judgement('broken', { more: { met: 0, unmet: 7, unclear: 0 } })),
      /^failed: .*\(and 7 more\)$/,
    );
    assert.match(
      await verdictOf(judgement('sound'), judgement('broken', { more: { met: 0, unmet: 7, unclear: 0 } })),
      /\(and 7 more\)$/,
    );
    // no observation is none, whatever has its name
    const named = {
      ...recorded(rule([judgement('sound', { observation: null })])),
      observations: { null: OBSERVATIONS.sound },
    };
    assert.match((await replay(named)).report.rules[0]?.reason?.text ?? '', /cannot judge the observation null: \S+/);
  });

  it('stays advice where nobody demands it, and waived where somebody answers for it', async () => {
    const advice = await again(rule([judgement('broken')], { advice: true }));
    assert.deepEqual([advice.rules[0]?.verdict, advice.summary.exitCode], ['advised', 0]);
    const waiver = {
      rule: '*',
      subject: 'Secret a/1',
      owner: 'ops',
      reason: 'known',
      expires: '2026-11-21',
      findings: 1,
      state: 'used',
    } as const;
    const whole = { ...recorded(rule([judgement('broken')], { verdict: 'waived' })), waivers: [waiver] };
    const { report: waived, differences } = await replay(whole);
    assert.deepEqual([waived.rules[0]?.verdict, waived.waivers?.[0]?.state, differences], ['waived', 'used', []]);
    const late = await replay({ ...whole, startedAt: '2026-11-22T00:00:00.000Z' });
    assert.deepEqual(late.differences, ['TOY-01 was waived when it was recorded, and is failed now']);
  });

  it('keeps all that it was judged by, or examples where those are wanted', async () => {
    const whole = recorded(rule([judgement('many'), judgement('many', { taken: true }), judgement('sound')]));
    const { report: full } = await replay(whole);
    assert.equal(full.observations, whole.observations);
    assert.equal(full.rules[0]?.scenarios[0]?.judgements[0]?.findings.length, 60);
    const { report: less } = await replay(whole, 'examples');
    const [first, second] = less.rules[0]?.scenarios[0]?.judgements ?? [];
    assert.ok(first && second);
    assert.equal(first.findings.length + (first.more?.met ?? 0) + (first.more?.unmet ?? 0), 60);
    assert.ok(first.findings.length < 60 && first.findings.some(({ result }) => result === 'unmet'));
    assert.ok(second.findings.every(({ role }) => role === 'control'));
    assert.deepEqual(
      [first.parameters, 'more' in (less.rules[0]?.scenarios[0]?.judgements[2] ?? {})],
      [PARAMETERS, false],
    );
    assert.equal((less.observations[first.observation ?? ''] as readonly unknown[]).length, first.findings.length);
    const counted = recorded(rule([judgement('many', { more: { met: 1, unmet: 2, unclear: 3 } })]));
    const more = (await replay(counted, 'examples')).report.rules[0]?.scenarios[0]?.judgements[0]?.more;
    assert.deepEqual(more, {
      met: (first.more?.met ?? 0) + 1,
      unmet: (first.more?.unmet ?? 0) + 2,
      unclear: 3,
    });
    const few = await replay(
      recorded(rule([judgement('broken', { more: { met: 1, unmet: 2, unclear: 3 } })])),
      'examples',
    );
    assert.deepEqual(few.report.rules[0]?.scenarios[0]?.judgements[0]?.more, { met: 1, unmet: 2, unclear: 3 });
  });
});

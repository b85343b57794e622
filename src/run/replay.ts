/** Judges a report's observations again, without the target: the same checks, the same roll-up, the same exit code. */

import { firstLine } from '../kubernetes/first-line.js';
import type { Check } from '../model/check.js';
import { asControls, type Evidence, type Finding, summed } from '../model/finding.js';
import type { Judgement, Report, RuleResult, ScenarioResult } from '../model/report.js';
import { error, verdictOf } from '../model/verdict.js';
import { breathe } from '../targets/pause.js';
import { examplesOf } from './examples.js';
import { Observations } from './observations.js';
import { checkOf } from './registry.js';
import { asAdvice, rolledUp, summarise } from './results.js';
import { waive } from './waivers.js';

export interface Replayed {
  readonly report: Report;
  /** Rules that are judged otherwise than recorded, one sentence each. */
  readonly differences: readonly string[];
}

/** What a report is judged by, and what of it is kept. */
interface Judging {
  readonly recorded: Report['observations'];
  readonly evidence: Evidence;
  /** Of the new report. */
  readonly kept: Observations;
}

/**
 * Never throws for what a report holds: an observation that a check cannot judge is an error of its scenario.
 * `evidence`: of thousands of findings of one check keep some examples, or all that the report holds (default).
 */
export async function replay(recorded: Report, evidence: Evidence = 'full'): Promise<Replayed> {
  const rules: RuleResult[] = [];
  const judging: Judging = { recorded: recorded.observations, evidence, kept: new Observations() };
  for (const rule of recorded.rules) {
    const scenarios: ScenarioResult[] = [];
    for (const scenario of rule.scenarios) {
      const again = await scenarioAgain(scenario, judging);
      scenarios.push(rule.advice === true ? asAdvice(again) : again);
    }
    const malformed = rule.reason?.text ?? 'it has no scenario';
    rules.push({ ...rule, ...rolledUp(scenarios, malformed), scenarios });
  }
  const judged: Report = { ...recorded, rules, summary: summarise(rules, recorded) };
  const again = waive(judged, { waivers: recorded.waivers ?? [], baseline: recorded.baseline });
  const differences = again.rules.flatMap(({ id, verdict }, index) => {
    const before = recorded.rules[index]?.verdict;
    return before === verdict ? [] : [`${id} was ${before} when it was recorded, and is ${verdict} now`];
  });
  const observations = evidence === 'full' ? recorded.observations : judging.kept.all;
  return { report: { ...again, observations }, differences };
}

interface Recorded {
  readonly check: string;
  /** undefined where the check needs none. */
  readonly observation: unknown;
  readonly parameters?: unknown;
  readonly taken?: true;
}

const roles = (taken: true | undefined, findings: readonly Finding[]): readonly Finding[] =>
  taken === true ? asControls(findings) : findings;

/** What judges as the check of this name in this build does; undefined where there is none. */
export async function judgeOf(id: string): Promise<Check<unknown, unknown>['judge'] | undefined> {
  const check = (await checkOf(id)) as Check<unknown, unknown> | undefined;
  return check === undefined ? undefined : (...handed) => check.judge(...handed);
}

/** What the check of this build says of it; undefined where there is none. Throws what the check throws. */
export async function saidOf({ check, observation, parameters, taken }: Recorded) {
  const judge = await judgeOf(check);
  return judge === undefined ? undefined : roles(taken, judge(observation, parameters));
}

async function scenarioAgain(scenario: ScenarioResult, judging: Judging): Promise<ScenarioResult> {
  const judgements: Judgement[] = [];
  let { ended } = scenario;
  for (const judgement of scenario.judgements) {
    await breathe();
    const again = await judgementAgain(judgement, judging);
    if ('problem' in again) {
      const { reason } = error('joinproof', again.problem);
      ended = { kind: 'error', reason };
      judgements.push({ ...judgement, findings: [] });
    } else judgements.push(again.judgement);
  }
  const findings = judgements.flatMap((judgement) => judgement.findings);
  // what a report only counts cannot be judged again: it stays as it was
  const verdict = verdictOf(findings, ended ?? undefined, summed(judgements.map(({ more }) => more)));
  const reason = verdict.kind === 'passed' ? null : verdict.reason;
  return { ...scenario, verdict: verdict.kind, reason, ended, judgements };
}

async function judgementAgain(
  judgement: Judgement,
  { recorded, evidence, kept }: Judging,
): Promise<{ readonly judgement: Judgement } | { readonly problem: string }> {
  const { check: id, observation: key, parameters, taken } = judgement;
  if (id === null) return { judgement };
  const check = (await checkOf(id)) as Check<unknown, unknown> | undefined;
  if (check === undefined) return { problem: `this joinproof has no check ${id}` };
  if (key !== null && !Object.hasOwn(recorded, key)) return { problem: `the report lacks the observation ${key}` };
  try {
    const observation = key === null ? undefined : recorded[key];
    const found = check.judge(observation, parameters);
    if (evidence === 'full') return { judgement: { ...judgement, findings: roles(taken, found) } };
    const less = examplesOf(check, { observation, parameters, findings: found });
    const more = less.more === undefined ? judgement.more : summed([judgement.more, less.more]);
    return {
      judgement: {
        ...judgement,
        observation: kept.keyOf(less.observation),
        ...(less.parameters === undefined ? {} : { parameters: less.parameters }),
        findings: roles(taken, less.findings),
        ...(more === undefined ? {} : { more }),
      },
    };
  } catch (thrown) {
    return {
      problem: `the check ${id} cannot judge the observation ${key}: ${firstLine(thrown)}`,
    };
  }
}

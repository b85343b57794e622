/** Judges a report's observations again, without the target: the same checks, the same roll-up, the same exit code. */

import { checkOf } from '../checks/registry.js';
import type { AnyCheck, Check } from '../model/check.js';
import { asControls, summed } from '../model/finding.js';
import type { Judgement, Report, RuleResult, ScenarioResult } from '../model/report.js';
import { error, verdictOf } from '../model/verdict.js';
import { breathe } from '../targets/pause.js';
import { rolledUp, summarise } from './results.js';

export interface Replayed {
  readonly report: Report;
  /** Rules that are judged otherwise than recorded, one sentence each. */
  readonly differences: readonly string[];
}

/** Never throws for what a report holds: an observation that a check cannot judge is an error of its scenario. */
export async function replay(recorded: Report): Promise<Replayed> {
  const rules: RuleResult[] = [];
  for (const rule of recorded.rules) {
    const scenarios: ScenarioResult[] = [];
    for (const scenario of rule.scenarios) scenarios.push(await scenarioAgain(scenario, recorded.observations));
    const malformed = rule.reason?.text ?? 'it has no scenario';
    rules.push({ ...rule, ...rolledUp(scenarios, malformed), scenarios });
  }
  const differences = rules.flatMap(({ id, verdict }, index) => {
    const before = recorded.rules[index]?.verdict;
    return before === verdict ? [] : [`${id} was ${before} when it was recorded, and is ${verdict} now`];
  });
  return { report: { ...recorded, rules, summary: summarise(rules, recorded.left) }, differences };
}

async function scenarioAgain(scenario: ScenarioResult, observations: Report['observations']): Promise<ScenarioResult> {
  const judgements: Judgement[] = [];
  let { ended } = scenario;
  for (const judgement of scenario.judgements) {
    await breathe();
    const again = await judgementAgain(judgement, observations);
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
  observations: Report['observations'],
): Promise<{ readonly judgement: Judgement } | { readonly problem: string }> {
  const { check: id, observation: key, parameters, taken } = judgement;
  if (id === null) return { judgement };
  const check: AnyCheck | undefined = await checkOf(id);
  if (check === undefined) return { problem: `this joinproof has no check ${id}` };
  if (key !== null && !Object.hasOwn(observations, key)) return { problem: `the report lacks the observation ${key}` };
  try {
    const found = (check as unknown as Check<unknown, unknown>).judge(
      key === null ? undefined : observations[key],
      parameters,
    );
    return { judgement: { ...judgement, findings: taken === true ? asControls(found) : found } };
  } catch (thrown) {
    return {
      problem: `the check ${id} cannot judge the observation ${key}: ${(thrown as Error).message.split('\n')[0]}`,
    };
  }
}

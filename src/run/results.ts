/** Rolls outcomes of scenarios up to rule results and counts them. */

import type { RuleResult, ScenarioResult, Summary } from '../model/report.js';
import { VERDICTS, type Verdict, type VerdictKind, worse } from '../model/verdict.js';
import type { Rule } from './features.js';
import { error, type Outcome } from './outcome.js';

/** One rule's result from the outcomes of its chosen scenarios; a chosen scenario without outcome is an error. */
export function ruleResult(
  rule: Rule,
  chosen: ReadonlySet<string>,
  outcomes: ReadonlyMap<string, Outcome>,
): RuleResult {
  const scenarios = rule.scenarios
    .filter(({ key }) => chosen.has(key))
    .map(({ key, name }): ScenarioResult => {
      const verdict: Verdict = outcomes.get(key)?.verdict ?? error('the scenario was not executed');
      return {
        name,
        verdict: verdict.kind,
        reason: verdict.kind === 'passed' ? null : verdict.reason,
        evidence: verdict.evidence,
      };
    });
  const verdict = scenarios
    .map((scenario) => scenario.verdict)
    .reduce<VerdictKind>(worse, scenarios.length === 0 ? 'error' : 'passed');
  return {
    id: rule.id,
    level: rule.level,
    chapter: rule.chapter,
    title: rule.title,
    verdict,
    reason: verdict === 'passed' ? null : reasonOf(rule, verdict, scenarios),
    sources: rule.sources,
    scenarios,
  };
}

/** The reasons of those scenarios that are as bad as the rule, each once; how many of how many where others are better. */
function reasonOf(rule: Rule, verdict: VerdictKind, scenarios: readonly ScenarioResult[]): string {
  if (scenarios.length === 0)
    return `the rule is malformed (${rule.place}): ${rule.problems.join('; ') || 'it has no scenario'}`;
  const worst = scenarios.filter((scenario) => scenario.verdict === verdict);
  const reasons = [...new Set(worst.map(({ reason }) => reason ?? 'no reason was given'))];
  const shown = reasons.slice(0, 3).join('; ') + (reasons.length > 3 ? `; and ${reasons.length - 3} more reasons` : '');
  return worst.length === scenarios.length
    ? shown
    : `${worst.length} of ${scenarios.length} scenarios ${verdict === 'error' ? 'could not be judged' : verdict}: ${shown}`;
}

/** 1 where a rule failed, whatever else; 3 where one could not be judged or none passed; else 0. */
export function exitCodeOf(rules: readonly RuleResult[]): Summary['exitCode'] {
  const has = (kind: VerdictKind): boolean => rules.some(({ verdict }) => verdict === kind);
  if (has('failed')) return 1;
  return has('error') || !(has('passed') || has('waived')) ? 3 : 0;
}

export function summarise(rules: readonly RuleResult[]): Summary {
  const count = (kind: VerdictKind): number => rules.filter(({ verdict }) => verdict === kind).length;
  const counts = Object.fromEntries(VERDICTS.map((kind) => [kind, count(kind)])) as Record<VerdictKind, number>;
  return {
    rules: rules.length,
    scenarios: rules.reduce((sum, { scenarios }) => sum + scenarios.length, 0),
    ...counts,
    exitCode: exitCodeOf(rules),
  };
}

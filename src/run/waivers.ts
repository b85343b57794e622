/**
 * Takes what somebody answers for, or what was there before, out of what fails a run. Only unmet demands are waived:
 * what could not be judged stays so.
 */
import { type Evidence, type Finding, summed } from '../model/finding.js';
import { unmetDemands } from '../model/fingerprint.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import type { Reason } from '../model/verdict.js';
import { type Baseline, endOf, likens, type Waiver, type WaiverSeen } from '../model/waiver.js';
import { rolledUp, summarise } from './results.js';

export interface Waiving {
  readonly waivers: readonly Waiver[];
  readonly baseline?: Baseline | undefined;
}

/** The unmet demands of a report, by their fingerprints: what a later run may know of. */
export function baselineOf({ startedAt, rules }: Report): Baseline {
  const known = rules.flatMap(({ scenarios }) => scenarios.flatMap(unmetDemands).map(([print]) => print));
  return { startedAt, known: [...new Set(known)].sort() };
}

/** What is told by examples only cannot be held against what is known. */
export const evidenceFor = ({ waivers, baseline }: Waiving, given: Evidence | undefined): Evidence | undefined =>
  waivers.length > 0 || baseline !== undefined ? 'full' : given;

const isUnmet = ({ verdict }: Pick<RuleResult, 'verdict'>): boolean => verdict === 'failed' || verdict === 'advised';

/**
 * The report with verdicts of what is waived, and what became of each waiver. A waiver holds on the day of the run, so
 * that a report that is judged again later says the same. Findings that a report counts only are covered by no
 * baseline, and by a waiver only where it is for every subject.
 */
export function waive(report: Report, { waivers, baseline }: Waiving): Report {
  if (waivers.length === 0 && baseline === undefined) return report;
  const now = Date.parse(report.startedAt);
  const counts = new Map<Waiver, number>();
  const known = new Set(baseline?.known ?? []);
  const coveredBy = (rule: string, print: string, finding: Finding): string | undefined => {
    const fitting = waivers.filter((one) => likens(one.rule, rule) && likens(one.subject, finding.subject));
    for (const waiver of fitting) counts.set(waiver, (counts.get(waiver) ?? 0) + 1);
    const valid = fitting.find((waiver) => now < endOf(waiver));
    if (valid !== undefined) return `waived until ${valid.expires} by ${valid.owner}: ${valid.reason}`;
    return baseline !== undefined && known.has(print) ? `known since the baseline of ${baseline.startedAt}` : undefined;
  };
  const coversAll = (rule: string): boolean =>
    waivers.some((one) => likens(one.rule, rule) && one.subject === '*' && now < endOf(one));
  const scenarioOf = (rule: string, scenario: ScenarioResult): ScenarioResult => {
    if (!isUnmet(scenario)) return scenario;
    const texts = unmetDemands(scenario).map(([print, finding]) => coveredBy(rule, print, finding));
    const uncounted = summed(scenario.judgements.map(({ more }) => more)).unmet;
    const whole = texts.every((text) => text !== undefined) && (uncounted === 0 || coversAll(rule));
    if (!whole || texts.length === 0) return scenario;
    const reason: Reason = { kind: 'waiver', text: [...new Set(texts)].join('; ') };
    return { ...scenario, verdict: 'waived', reason };
  };
  const rules = report.rules.map((rule): RuleResult => {
    if (!isUnmet(rule)) return rule;
    const scenarios = rule.scenarios.map((scenario) => scenarioOf(rule.id, scenario));
    return { ...rule, ...rolledUp(scenarios, rule.reason?.text ?? ''), scenarios };
  });
  const seen = waivers.map((waiver): WaiverSeen => {
    const findings = counts.get(waiver) ?? 0;
    return { ...waiver, findings, state: now >= endOf(waiver) ? 'expired' : findings > 0 ? 'used' : 'unused' };
  });
  const whole: Report = {
    ...report,
    rules,
    ...(seen.length === 0 ? {} : { waivers: seen }),
    ...(baseline === undefined ? {} : { baseline }),
  };
  return { ...whole, summary: summarise(rules, whole) };
}

/** Rolls outcomes of scenarios up to rule results and counts them. */
import type { Judgement, Report, RuleResult, ScenarioResult, Summary } from '../model/report.js';
import { error, type Reason, VERDICTS, type VerdictKind, worse } from '../model/verdict.js';
import type { Rule, Scenario } from './features.js';
import { DEFAULT_FAIL_ON } from './gate.js';
import type { Observations } from './observations.js';
import type { Outcome } from './outcome.js';
import { LEVELS } from './tags.js';

const NOT_EXECUTED = error('joinproof', 'the scenario was not executed');

/** What a report says of one scenario; one without outcome is an error. */
export function scenarioResult(
  { id, name }: Scenario,
  outcome: Outcome | undefined,
  observations: Observations,
): ScenarioResult {
  const { verdict = NOT_EXECUTED, ended = NOT_EXECUTED, judged = [], played = 0, milliseconds = 0 } = outcome ?? {};
  return {
    id,
    name,
    verdict: verdict.kind,
    reason: verdict.kind === 'passed' ? null : verdict.reason,
    ended: outcome !== undefined && outcome.ended === undefined ? null : ended,
    seconds: Math.round(milliseconds) / 1000,
    played,
    judgements: judged.map(
      ({ check, observation, parameters, taken, findings, more, exchanges }): Judgement => ({
        check,
        observation: check === null ? null : observations.keyOf(observation),
        ...(parameters === undefined ? {} : { parameters }),
        ...(taken ? { taken: true } : {}),
        findings,
        ...(more === undefined ? {} : { more }),
        ...(exchanges.length === 0 ? {} : { exchanges }),
      }),
    ),
  };
}

/** What an unmet demand of a rule is that nobody demands. */
export function asAdvice(scenario: ScenarioResult): ScenarioResult {
  const { verdict, reason } = scenario;
  if (verdict !== 'failed') return scenario;
  return { ...scenario, verdict: 'advised', reason: { kind: 'profile', text: reason?.text ?? '' } };
}

/** One rule's result from those of its chosen scenarios. */
export function ruleResult(
  rule: Rule,
  judged: readonly ScenarioResult[],
  { sentences, errata, advice }: Pick<RuleResult, 'sentences' | 'errata' | 'advice'>,
): RuleResult {
  const { id, level, chapter, title, why, repair, place } = rule;
  const scenarios = advice === true ? judged.map(asAdvice) : judged;
  const sources = [...new Set(sentences.flatMap(({ documents }) => documents))].sort();
  return {
    id,
    level,
    chapter,
    title,
    why,
    repair,
    place,
    ...(advice === true ? { advice } : {}),
    ...rolledUp(scenarios, whyMalformed(rule)),
    sources,
    sentences,
    errata,
    seconds: Math.round(scenarios.reduce((sum, scenario) => sum + scenario.seconds, 0) * 1000) / 1000,
    scenarios,
  };
}

const whyMalformed = ({ place, problems }: Rule): string =>
  `the rule is malformed (${place}): ${problems.join('; ') || 'it has no scenario'}`;

/** A scenario of another release says nothing of this one, while the rule has others that do. */
function applying(scenarios: readonly ScenarioResult[]): readonly ScenarioResult[] {
  const ofThisRelease = scenarios.filter(({ verdict, reason }) => verdict !== 'skipped' || reason?.kind !== 'version');
  return ofThisRelease.length === 0 ? scenarios : ofThisRelease;
}

/**
 * The worst verdict, and the reasons of those scenarios that are as bad, each once; how many of how many where others
 * are better. What somebody answers for is told as that, whatever could not be looked at beside it.
 */
export function rolledUp(
  all: readonly ScenarioResult[],
  malformed: string,
): { readonly verdict: VerdictKind; readonly reason: Reason | null } {
  const scenarios = applying(all);
  const kinds = scenarios.map((scenario) => scenario.verdict);
  const found = kinds.reduce<VerdictKind>(worse, scenarios.length === 0 ? 'error' : 'passed');
  const verdict = found === 'skipped' && kinds.includes('waived') ? 'waived' : found;
  if (verdict === 'passed') return { verdict, reason: null };
  if (scenarios.length === 0) return { verdict, reason: { kind: 'joinproof', text: malformed } };
  const worst = scenarios.filter((scenario) => scenario.verdict === verdict);
  const kind = worst[0]?.reason?.kind ?? 'joinproof';
  const texts = [...new Set(worst.map(({ reason }) => reason?.text ?? 'no reason was given'))];
  const shown = texts.slice(0, 3).join('; ') + (texts.length > 3 ? `; and ${texts.length - 3} more reasons` : '');
  const said = verdict === 'error' ? 'could not be judged' : verdict;
  const text =
    worst.length === scenarios.length ? shown : `${worst.length} of ${scenarios.length} scenarios ${said}: ${shown}`;
  return { verdict, reason: { kind, text } };
}

/** What decides beside the verdicts. */
type Beside = Pick<Report, 'left' | 'gate'>;

/**
 * 1 where a rule failed that may not, whatever else; 3 where one could not be judged, none passed, something demanded
 * of the run is missing or something of ours is left; else 0.
 */
export function exitCodeOf(rules: readonly RuleResult[], { left, gate }: Beside = {}): Summary['exitCode'] {
  const has = (kind: VerdictKind): boolean => rules.some(({ verdict }) => verdict === kind);
  const decisive = LEVELS.slice(0, LEVELS.indexOf(gate?.failOn ?? DEFAULT_FAIL_ON) + 1);
  if (rules.some(({ verdict, level }) => verdict === 'failed' && decisive.includes(level))) return 1;
  if (has('error') || left !== undefined || (gate?.shortfalls ?? []).length > 0) return 3;
  return has('passed') || has('waived') || has('advised') || has('failed') ? 0 : 3;
}

/** `beside`: what the run has made and could not remove, what was demanded of it. */
export function summarise(rules: readonly RuleResult[], beside: Beside = {}): Summary {
  const count = (kind: VerdictKind): number => rules.filter(({ verdict }) => verdict === kind).length;
  const counts = Object.fromEntries(VERDICTS.map((kind) => [kind, count(kind)])) as Record<VerdictKind, number>;
  return {
    rules: rules.length,
    scenarios: rules.reduce((sum, { scenarios }) => sum + scenarios.length, 0),
    ...counts,
    exitCode: exitCodeOf(rules, beside),
  };
}

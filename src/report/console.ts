/**
 * What a person reads: one block for each rule that is not met, the reasons of what was not judged, and a last line
 * that counts.
 */

import { type Finding, summed } from '../model/finding.js';
import { visible } from '../model/foreign.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { authenticatorsSeen } from './authenticators.js';
import { alike, bindingBehind, causeOf } from './causes.js';
import { documentName } from './documents.js';
import { ownLines } from './own-lines.js';
import { conformity, countsOf, heldTo, notJudged } from './told.js';

export interface ConsoleOptions {
  readonly colour: boolean;
  /** Default: what is not met, with its reasons. */
  readonly detail?: Detail | undefined;
}

/** `quiet`: what is not met, a line each; `verbose`: what passed, too, and no two rules in one block. */
export type Detail = 'quiet' | 'verbose';

const COLOURS: Readonly<Record<VerdictKind, string>> = {
  passed: '32',
  waived: '36',
  skipped: '33',
  advised: '93',
  failed: '31',
  error: '35',
};
/** Observations shown of one scenario, scenarios of one rule, and rules of one reason. */
const MOST = 5;

type Paint = (text: string, verdict: VerdictKind | 'dim' | 'bold') => string;
const painter =
  (colour: boolean): Paint =>
  (text, as) =>
    colour ? `\u001b[${as === 'dim' ? '2' : as === 'bold' ? '1' : COLOURS[as]}m${text}\u001b[0m` : text;

const block = (label: string, text: string): string => `    ${`${label}:`.padEnd(10)} ${visible(text)}`;
/** For what rules say, which may take several lines. */
const paragraph = (label: string, text: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? block(label, line) : `${' '.repeat(15)}${visible(line)}`))
    .join('\n');
const more = (all: number, what: string): readonly string[] =>
  all > MOST ? [`    … and ${all - MOST} more ${what}`] : [];

/** The whole text, ending with a newline. */
export function toConsole(report: Report, { colour, detail }: ConsoleOptions): string {
  const paint = painter(colour);
  const of = (verdict: VerdictKind): readonly RuleResult[] => report.rules.filter((rule) => rule.verdict === verdict);
  const errors = of('error');
  if (detail === 'quiet') return briefly(report, [...of('failed'), ...errors, ...of('advised')], paint);
  const verbose = detail === 'verbose';
  const shared = sharesCause(errors);
  const held = heldTo(report);
  const believes = authenticatorsSeen(report);
  const version = report.target.version === null ? '' : `, Kubernetes ${report.target.version}`;
  const parts = [
    [
      `${paint(visible(report.target.name), 'bold')}${visible(version)}`,
      ...(held === '' ? [] : [`profile ${visible(held)}`]),
      ...(believes === '' ? [] : [`authenticators ${visible(believes)}`]),
    ].join('\n'),
    ...(verbose ? of('passed').map((rule) => headline(rule, paint)) : []),
    ...failures(of('failed'), verbose, paint),
    ...errors.filter((rule) => !shared(rule)).map((rule) => unmet(rule, paint)),
    ...byReason('error', errors.filter(shared), paint),
    ...failures(of('advised'), verbose, paint),
    ...byReason('skipped', of('skipped'), paint),
    ...byReason('waived', of('waived'), paint),
    ...ownLines(report).map(visible),
    countLine(report, paint),
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A line for each of the rules, what the run has to say of itself, and the line that counts. */
const briefly = (report: Report, unmet: readonly RuleResult[], paint: Paint): string =>
  `${[...unmet.map((rule) => headline(rule, paint)), ...ownLines(report).map(visible), countLine(report, paint)].join('\n')}\n`;

const headline = (rule: RuleResult, paint: Paint): string =>
  `${paint(rule.verdict, rule.verdict)}  ${paint(visible(rule.id), 'bold')} ${rule.level}  ${visible(rule.title)} ${paint(`(${visible(rule.chapter)})`, 'dim')}`;

function unmet(rule: RuleResult, paint: Paint): string {
  const scenarios = rule.scenarios.filter(({ verdict }) => verdict === rule.verdict);
  const details = scenarios.slice(0, MOST).flatMap((scenario) => {
    const { name, reason } = scenario;
    const bad = unmetIn(scenario);
    if (bad.length === 0 || rule.verdict === 'error') return [`  ${visible(name)}`, block('why', reason?.text ?? '')];
    return [`  ${visible(name)}`, ...bad.slice(0, MOST).flatMap(observation), ...more(unmetCount(scenario), 'objects')];
  });
  return [
    headline(rule, paint),
    ...(scenarios.length === 0 ? [block('why', rule.reason?.text ?? '')] : details),
    ...more(scenarios.length, 'scenarios'),
    ...(rule.verdict === 'error'
      ? []
      : [
          paragraph('matters', rule.why),
          paragraph(rule.repair.for === 'maker' ? 'makers' : 'repair', rule.repair.text),
        ]),
    block('source', `${documents(rule.sources)}; features/${rule.place}`),
  ].join('\n');
}

const unmetIn = ({ judgements }: ScenarioResult): readonly Finding[] =>
  judgements.flatMap(({ findings }) => findings).filter(({ result }) => result !== 'met');

/** Also those that the report counts only. */
const unmetCount = (scenario: ScenarioResult): number => {
  const { unmet, unclear } = summed(scenario.judgements.map(({ more: counted }) => counted));
  return unmetIn(scenario).length + unmet + unclear;
};

const observation = ({ subject, demanded, seen }: Finding): readonly string[] => [
  block('object', subject),
  block('demanded', demanded),
  block('seen', seen),
];

const documents = (sources: readonly string[]): string => sources.map(documentName).join(', ') || 'no document';

/** One block for each cause: the first rule that it fails, and the ids of the others. */
const failures = (rules: readonly RuleResult[], verbose: boolean, paint: Paint): readonly string[] =>
  [...alike(rules, (rule) => (verbose ? rule.id : (bindingOf(rule) ?? failureOf(rule))))].map(([first, group]) => {
    if (group.length === 1) return unmet(first, paint);
    const binding = bindingOf(first);
    return binding !== undefined
      ? brokenBy(binding, first, group, paint)
      : `${unmet(first, paint)}\n${block('alike', `${idsOf(group.slice(1).map(({ id }) => id))} ended as this one did`)}`;
  });

const bindingOf = ({ scenarios }: RuleResult): string | undefined => bindingBehind(scenarios.flatMap(unmetIn));

/** One binding that grants too much, with every rule that it breaks. */
function brokenBy(binding: string, first: RuleResult, rules: readonly RuleResult[], paint: Paint): string {
  const told = rules.flatMap((rule) => {
    const bad = rule.scenarios.flatMap(unmetIn);
    const all = rule.scenarios.reduce((sum, scenario) => sum + unmetCount(scenario), 0);
    return [
      `  ${paint(visible(rule.id), 'bold')} ${rule.level}  ${visible(rule.title)} ${paint(`(${visible(rule.chapter)})`, 'dim')}`,
      ...bad
        .slice(0, 1)
        .flatMap(({ demanded, seen }) => [
          block('demanded', demanded),
          block('seen', `${seen}${all > 1 ? ` (and ${all - 1} more)` : ''}`),
        ]),
    ];
  });
  const { verdict, why, repair } = first;
  return [
    `${paint(verdict, verdict)}  ${paint(visible(binding), 'bold')} breaks ${rules.length} rules`,
    ...told,
    paragraph('matters', why),
    paragraph('repair', repair.text),
  ].join('\n');
}

const failureOf = ({ scenarios }: RuleResult): string =>
  [
    ...new Set(
      scenarios.flatMap((scenario) => unmetIn(scenario)).map(({ demanded, seen }) => causeOf(`${demanded}; ${seen}`)),
    ),
  ].join('\n');

const reasonsOf = ({ scenarios, reason, verdict }: RuleResult): readonly string[] => {
  const texts = scenarios.filter((scenario) => scenario.verdict === verdict).map((one) => one.reason?.text ?? '');
  return texts.length === 0 ? [reason?.text ?? ''] : [...alike(texts, causeOf).keys()];
};

/** Has a rule a cause that another one of these has as well? */
const sharesCause = (rules: readonly RuleResult[]): ((rule: RuleResult) => boolean) => {
  const counts = new Map<string, number>();
  for (const rule of rules)
    for (const text of reasonsOf(rule)) counts.set(causeOf(text), (counts.get(causeOf(text)) ?? 0) + 1);
  return (rule) => reasonsOf(rule).some((text) => (counts.get(causeOf(text)) ?? 0) > 1);
};

const idsOf = (ids: readonly string[]): string =>
  visible(ids.slice(0, 12).join(' ')) + (ids.length > 12 ? ` and ${ids.length - 12} more` : '');

/** Each reason once, with the rules that were not judged for it, or for one like it. */
function byReason(
  verdict: 'skipped' | 'waived' | 'error',
  rules: readonly RuleResult[],
  paint: Paint,
): readonly string[] {
  if (rules.length === 0) return [];
  const told = rules.flatMap((rule) => {
    const whole = rule.scenarios.every((scenario) => scenario.verdict === verdict);
    // what else was looked at passed, or the verdict would be worse
    return reasonsOf(rule).map((why) => ({ why, id: whole ? rule.id : `${rule.id}*` }));
  });
  const lines = [...alike(told, ({ why }) => causeOf(why))].map(
    ([{ why }, group]) => `  ${idsOf(group.map(({ id }) => id))}\n    ${visible(why)}`,
  );
  const others =
    verdict === 'waived' ? 'other scenarios of it passed, or could not be judged' : 'some of its scenarios passed';
  const star = told.some(({ id }) => id.endsWith('*')) ? [paint(`  * ${others}`, 'dim')] : [];
  return [[paint(verdict, verdict), ...lines, ...star].join('\n')];
}

function countLine(report: Report, paint: Paint): string {
  const { summary, seconds } = report;
  const counts = countsOf(report).map(([verdict, text]) => paint(text, verdict));
  const open = notJudged(report);
  const verdict = conformity(report);
  const rules = summary.rules === 1 ? '1 rule' : `${summary.rules} rules`;
  const rest = open === '' ? '' : `; not judged: ${visible(open)}`;
  return `${rules}: ${counts.join(', ')}; ${paint(verdict, 'bold')}${rest} (${seconds.toFixed(1)} s)`;
}

/** What a person reads: one block for each rule that is not met, the reasons of what was not judged, and a last line that counts. */

import type { Finding } from '../model/finding.js';
import type { Report, RuleResult, ScenarioResult } from '../model/report.js';
import type { VerdictKind } from '../model/verdict.js';
import { documentName } from './documents.js';

export interface ConsoleOptions {
  readonly colour: boolean;
  /** Name every rule that passed too. */
  readonly verbose?: boolean;
}

const COLOURS: Readonly<Record<VerdictKind, string>> = {
  passed: '32',
  waived: '36',
  skipped: '33',
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

/** Control characters of a target must not reach the terminal. */
const plain = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are dangerous on a terminal.
  text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

const block = (label: string, text: string): string =>
  `    ${`${label}:`.padEnd(10)} ${plain(text)
    .split('\n')
    .join(`\n${' '.repeat(15)}`)}`;
const more = (all: number, what: string): readonly string[] =>
  all > MOST ? [`    … and ${all - MOST} more ${what}`] : [];

/** The whole text, ending with a newline. */
export function toConsole(report: Report, { colour, verbose = false }: ConsoleOptions): string {
  const paint = painter(colour);
  const of = (verdict: VerdictKind): readonly RuleResult[] => report.rules.filter((rule) => rule.verdict === verdict);
  const version = report.target.version === null ? '' : `, Kubernetes ${report.target.version}`;
  const parts = [
    `${paint(plain(report.target.name), 'bold')}${plain(version)}`,
    ...(verbose ? of('passed').map((rule) => headline(rule, paint)) : []),
    ...of('failed').map((rule) => unmet(rule, paint)),
    ...alone(of('error')).map((rule) => unmet(rule, paint)),
    ...byReason('error', together(of('error')), paint),
    ...byReason('skipped', of('skipped'), paint),
    ...byReason('waived', of('waived'), paint),
    countLine(report, paint),
  ];
  return `${parts.join('\n\n')}\n`;
}

const headline = (rule: RuleResult, paint: Paint): string =>
  `${paint(rule.verdict, rule.verdict)}  ${paint(rule.id, 'bold')} ${rule.level}  ${plain(rule.title)} ${paint(`(${rule.chapter})`, 'dim')}`;

function unmet(rule: RuleResult, paint: Paint): string {
  const scenarios = rule.scenarios.filter(({ verdict }) => verdict === rule.verdict);
  const details = scenarios.slice(0, MOST).flatMap((scenario) => {
    const { name, reason } = scenario;
    const bad = unmetIn(scenario);
    if (bad.length === 0 || rule.verdict === 'error') return [`  ${plain(name)}`, block('why', reason?.text ?? '')];
    return [`  ${plain(name)}`, ...bad.slice(0, MOST).flatMap(observation), ...more(bad.length, 'objects')];
  });
  return [
    headline(rule, paint),
    ...(scenarios.length === 0 ? [block('why', rule.reason?.text ?? '')] : details),
    ...more(scenarios.length, 'scenarios'),
    ...(rule.verdict === 'error'
      ? []
      : [block('matters', rule.why), block(rule.repair.for === 'maker' ? 'makers' : 'repair', rule.repair.text)]),
    block('source', `${documents(rule.sources)}; features/${rule.place}`),
  ].join('\n');
}

const unmetIn = ({ judgements }: ScenarioResult): readonly Finding[] =>
  judgements.flatMap(({ findings }) => findings).filter(({ result }) => result !== 'met');

const observation = ({ subject, demanded, seen }: Finding): readonly string[] => [
  block('object', subject),
  block('demanded', demanded),
  block('seen', seen),
];

const documents = (sources: readonly string[]): string => sources.map(documentName).join(', ') || 'no document';

/** Rules in error whose cause is theirs alone, and those that share it. */
const sharesCause = (rules: readonly RuleResult[], { reason }: RuleResult): boolean =>
  rules.filter((other) => other.reason?.text === reason?.text).length > 1;
const alone = (rules: readonly RuleResult[]): readonly RuleResult[] =>
  rules.filter((rule) => !sharesCause(rules, rule));
const together = (rules: readonly RuleResult[]): readonly RuleResult[] =>
  rules.filter((rule) => sharesCause(rules, rule));

/** Rules that were not judged for the same reason share a line. */
function byReason(
  verdict: 'skipped' | 'waived' | 'error',
  rules: readonly RuleResult[],
  paint: Paint,
): readonly string[] {
  if (rules.length === 0) return [];
  const reasons = new Map<string, string[]>();
  for (const rule of rules) {
    const whole = rule.scenarios.every((scenario) => scenario.verdict === verdict);
    const why =
      [
        ...new Set(
          rule.scenarios.filter((scenario) => scenario.verdict === verdict).map(({ reason }) => reason?.text ?? ''),
        ),
      ].join('; ') ||
      (rule.reason?.text ?? '');
    const ids = reasons.get(why) ?? [];
    // What was looked at passed, or the verdict would be worse.
    ids.push(whole ? rule.id : `${rule.id}*`);
    reasons.set(why, ids);
  }
  const lines = [...reasons].map(
    ([reason, ids]) =>
      `  ${ids.length > 12 ? `${ids.slice(0, 12).join(' ')} and ${ids.length - 12} more` : ids.join(' ')}\n    ${plain(reason)}`,
  );
  const star = [...reasons.values()].flat().some((id) => id.endsWith('*'))
    ? [paint('  * some of its scenarios passed', 'dim')]
    : [];
  return [[paint(verdict, verdict), ...lines, ...star].join('\n')];
}

function countLine({ summary, seconds }: Report, paint: Paint): string {
  const counted = (['passed', 'waived', 'skipped', 'failed', 'error'] as const)
    .filter((verdict) => summary[verdict] > 0)
    .map((verdict) => paint(`${summary[verdict]} ${verdict === 'error' ? 'not judged (error)' : verdict}`, verdict));
  const verdict = { 0: 'conformant', 1: 'not conformant', 3: 'could not be judged' }[summary.exitCode];
  const rules = summary.rules === 1 ? '1 rule' : `${summary.rules} rules`;
  return `${rules}: ${counted.join(', ')}; ${paint(verdict, 'bold')} (${seconds.toFixed(1)} s)`;
}

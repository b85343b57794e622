/**
 * TAP 14, a test point for each rule. What is waived is a TODO; what could not be judged is not ok, with the reason in
 * its diagnostics.
 */
import { visible } from '../model/foreign.js';
import type { Report, RuleResult } from '../model/report.js';
import { conformity, counted, heldTo, targetName, toldOf, unmetCount } from './told.js';

/** A description must not begin a directive. */
const escaped = (text: string): string => visible(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
/** A YAML scalar that says nothing but itself; JSON strings are YAML. */
const scalar = (text: string): string => JSON.stringify(visible(text));

export function toTap(report: Report): string {
  const points = report.rules.flatMap((rule, index) => point(rule, index + 1));
  const head = [
    'TAP version 14',
    `# ${escaped(targetName(report))}`,
    `# profile ${escaped(heldTo(report))}`,
    `1..${report.rules.length}`,
  ];
  return `${[...head, ...points, `# ${escaped(`${counted(report)}; ${conformity(report)}`)}`].join('\n')}\n`;
}

function point(rule: RuleResult, number: number): readonly string[] {
  const { id, title, verdict, reason } = rule;
  const why = escaped(reason?.text ?? '');
  const ok = verdict === 'passed' || verdict === 'skipped';
  const directive =
    verdict === 'skipped'
      ? ` # SKIP ${why}`
      : verdict === 'waived' || verdict === 'advised'
        ? ` # TODO ${verdict}: ${why}`
        : '';
  const line = `${ok ? 'ok' : 'not ok'} ${number} - ${escaped(`${id} ${title}`)}${directive}`;
  return ok ? [line] : [line, ...diagnostics(rule)];
}

function diagnostics(rule: RuleResult): readonly string[] {
  const { level, chapter, verdict, reason, seconds, why, repair, place } = rule;
  const findings = toldOf(rule);
  const left = unmetCount(rule) - findings.length;
  const fields: readonly (readonly [string, string])[] = [
    ['verdict', verdict],
    ['severity', verdict === 'error' ? 'error' : verdict === 'failed' ? 'fail' : 'todo'],
    ['message', reason?.text ?? ''],
    ['level', level],
    ['chapter', chapter],
    ['why', why],
    ['repair', repair.text],
    ['at', `features/${place}`],
  ];
  return [
    '  ---',
    ...fields.map(([name, text]) => `  ${name}: ${scalar(text)}`),
    `  duration_ms: ${Math.round(seconds * 1000)}`,
    ...(findings.length === 0 ? [] : ['  findings:']),
    ...findings.flatMap(({ finding: { subject, demanded, seen } }) => [
      `    - subject: ${scalar(subject)}`,
      `      demanded: ${scalar(demanded)}`,
      `      seen: ${scalar(seen)}`,
    ]),
    ...(left > 0 ? [`  more: ${left}`] : []),
    '  ...',
  ];
}

/**
 * The text format of Prometheus, for the textfile collector: no timestamps, and written whole. A run that could not
 * judge is told apart from one that found something.
 */
import { visible } from '../model/foreign.js';
import type { Report } from '../model/report.js';
import { VERDICTS } from '../model/verdict.js';
import { chaptersOf, rulesOf, unmetCount } from './told.js';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

const label = (text: string): string => visible(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"');

function metric(name: string, help: string, samples: readonly Sample[]): readonly string[] {
  if (samples.length === 0) return [];
  const lines = samples.map(([labels, value]) => {
    const inside = Object.entries(labels).map(([key, text]) => `${key}="${label(text)}"`);
    return `joinproof_${name}${inside.length === 0 ? '' : `{${inside.join(',')}}`} ${value}`;
  });
  return [`# HELP joinproof_${name} ${help}`, `# TYPE joinproof_${name} gauge`, ...lines];
}

export function toPrometheus(report: Report): string {
  const { target, tool, summary } = report;
  const chapters = chaptersOf(report);
  const started = Date.parse(report.startedAt) / 1000;
  const info = {
    target: target.name,
    kind: target.kind,
    kubernetes: target.version ?? '',
    profile: report.profile.held?.name ?? '',
    version: tool.version,
  };
  const counts = chapters.flatMap((chapter) =>
    VERDICTS.map((verdict): Sample => {
      const count = rulesOf(report, verdict).filter((rule) => rule.chapter === chapter).length;
      return [{ chapter, verdict }, count];
    }),
  );
  const unmet = (verdict: 'failed' | 'advised'): readonly Sample[] =>
    rulesOf(report, verdict).map((rule) => [
      { rule: rule.id, level: rule.level, chapter: rule.chapter },
      unmetCount(rule),
    ]);
  const lines = [
    ...metric('run_info', 'What was judged, and by which joinproof.', [[info, 1]]),
    ...metric('rules', 'Rules by chapter and verdict.', counts),
    ...metric('findings', 'Unmet demands of each rule that failed.', unmet('failed')),
    ...metric('advice', 'What each rule found that the profile does not demand.', unmet('advised')),
    ...metric('conformant', '1 where every rule that was judged is met, 0 otherwise.', [
      [{}, summary.exitCode === 0 ? 1 : 0],
    ]),
    ...metric('last_run_success', '1 where the last run could judge, whatever it found.', [
      [{}, summary.exitCode === 3 ? 0 : 1],
    ]),
    ...metric('last_run_exit_code', 'Exit code of the last run.', [[{}, summary.exitCode]]),
    ...metric('last_run_timestamp_seconds', 'When the last run ended, in seconds since 1970.', [
      [{}, Math.round(started + report.seconds)],
    ]),
    ...metric('last_run_duration_seconds', 'How long the last run took.', [[{}, report.seconds]]),
  ];
  return `${lines.join('\n')}\n`;
}

/** What became of a target, as text for people, Markdown or JSON. */
import type { Finding } from '../model/finding.js';
import { visible, visibleJson } from '../model/foreign.js';
import type { RuleResult } from '../model/report.js';

/** As the comparison of two reports says it. */
interface Changed {
  readonly change: string;
  readonly rule: string;
  readonly title: string;
  readonly level: RuleResult['level'];
  readonly before: string | null;
  readonly after: string | null;
  readonly found: readonly Finding[];
  readonly gone: readonly Finding[];
}

export const DIFF_FORMATS = ['text', 'markdown', 'json'] as const;
export type DiffFormat = (typeof DIFF_FORMATS)[number];

/** Findings shown of one rule. */
const MOST = 10;

export function diffText(changes: readonly Changed[], format: DiffFormat): string {
  if (format === 'json') return `${visibleJson(JSON.stringify({ changes }, undefined, 2))}\n`;
  if (changes.length === 0) return 'nothing has changed\n';
  const kinds = [...new Set(changes.map(({ change }) => change))];
  const counts = kinds.map((kind) => `${changes.filter(({ change }) => change === kind).length} ${kind}`).join(', ');
  if (format === 'text') return `${[...changes.map(block), counts].join('\n')}\n`;
  const rows = changes.map(
    ({ change, rule, level, title, before, after, found, gone }) =>
      `| ${change} | ${rule} ${level} | ${cell(title)} | ${before ?? '–'} → ${after ?? '–'} | ${found.length} | ${gone.length} |`,
  );
  const head = ['| | rule | | verdict | new findings | gone |', '|---|---|---|---|---:|---:|'];
  return `${[...head, ...rows, '', counts].join('\n')}\n`;
}

const cell = (text: string): string => visible(text).replace(/[\\|`<>[\]*_]/g, '\\$&');

function block({ change, rule, level, title, before, after, found, gone }: Changed): string {
  const verdicts = before === after ? `${after}` : `${before ?? 'not there'} → ${after ?? 'not there'}`;
  return [
    `${change.padEnd(8)}  ${rule} ${level}  ${visible(title)}: ${verdicts}`,
    ...listed('+', found),
    ...listed('-', gone),
  ].join('\n');
}

const listed = (sign: string, findings: readonly Finding[]): readonly string[] => [
  ...findings
    .slice(0, MOST)
    .map(({ subject, demanded, seen }) => `    ${sign} ${visible(`${subject}: ${demanded}; seen: ${seen}`)}`),
  ...(findings.length > MOST ? [`    ${sign} … and ${findings.length - MOST} more`] : []),
];

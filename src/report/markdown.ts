/** GitHub-flavoured Markdown for the summary of a CI job: what failed is open to read, the rest is folded. */

import { visible } from '../model/foreign.js';
import type { Report, RuleResult } from '../model/report.js';
import { VERDICTS, type VerdictKind } from '../model/verdict.js';
import { authenticatorsSeen } from './authenticators.js';
import { alike, causeOf } from './causes.js';
import { documentNames } from './documents.js';
import {
  chaptersOf,
  conformity,
  counted,
  heldTo,
  notJudged,
  repairer,
  rulesOf,
  targetName,
  toldOf,
  unmetCount,
} from './told.js';

/** A job's summary may have 1 MiB. */
const LONGEST = 900_000;
/** Findings shown of one rule. */
const MOST = 10;

/** Text of ours and of others that is nothing but text. */
const plain = (text: string): string => visible(text).replace(/[\\`*_{}[\]()#+!|<>&~@$-]/g, '\\$&');

/** A code span that no backtick inside can end. */
function code(text: string): string {
  const shown = visible(text);
  const longest = Math.max(0, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? ' ' : '';
  return shown === '' ? '(nothing)' : `${fence}${pad}${shown}${pad}${fence}`;
}

export function toMarkdown(report: Report): string {
  const parts = [
    `## joinproof: ${conformity(report)}`,
    `${code(targetName(report))}: ${counted(report)} (${report.summary.rules} rules, ${report.seconds.toFixed(1)} s).`,
    ...asides(report),
    chapterTable(report),
    ...section('Failed', rulesOf(report, 'failed').map(failure)),
    ...section('Advice: told, and not demanded by the profile', rulesOf(report, 'advised').map(failure)),
    ...reasons(report, 'error', 'Not judged'),
    ...reasons(report, 'waived', 'Waived'),
    ...reasons(report, 'skipped', 'Skipped'),
  ];
  const kept: string[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length + 2;
    if (length > LONGEST) {
      kept.push('_The rest is left out: a summary must not be longer. The JSON report holds all of it._');
      break;
    }
    kept.push(part);
  }
  return `${kept.join('\n\n')}\n`;
}

/** What was not judged, and what was demanded of the run and is missing. */
function asides(report: Report): readonly string[] {
  const open = notJudged(report);
  const held = heldTo(report);
  const believes = authenticatorsSeen(report);
  return [
    ...(held === '' ? [] : [`Profile: ${code(held)}`]),
    ...(believes === '' ? [] : [`Authenticators: ${code(believes)}`]),
    ...(open === '' ? [] : [`Not judged: ${plain(open)}.`]),
    ...(report.gate?.shortfalls ?? []).map((text) => `Demanded: ${code(text)}`),
  ];
}

const section = (title: string, blocks: readonly string[]): readonly string[] =>
  blocks.length === 0 ? [] : [`### ${title}`, ...blocks];

function chapterTable(report: Report): string {
  const chapters = chaptersOf(report);
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;
  const count = (chapter: string, verdict: VerdictKind): number =>
    rulesOf(report, verdict).filter((rule) => rule.chapter === chapter).length;
  return [
    row(['chapter', ...VERDICTS]),
    row(['---', ...VERDICTS.map(() => '---:')]),
    ...chapters.map((chapter) => row([plain(chapter), ...VERDICTS.map((verdict) => count(chapter, verdict))])),
  ].join('\n');
}

function failure(rule: RuleResult): string {
  const findings = toldOf(rule);
  const left = unmetCount(rule) - Math.min(findings.length, MOST);
  return [
    `<details open><summary><b>${rule.id}</b> ${rule.level}: ${htmlText(rule.title)}</summary>`,
    '',
    ...findings
      .slice(0, MOST)
      .map(
        ({ finding: { subject, demanded, seen } }) =>
          `- ${code(subject)}\n  - demanded: ${code(demanded)}\n  - seen: ${code(seen)}`,
      ),
    ...(left > 0 ? [`- and ${left} more`] : []),
    '',
    `**Why:** ${plain(oneLine(rule.why))}  `,
    `**${repairer(rule)}:** ${plain(oneLine(rule.repair.text))}  `,
    `**Source:** ${plain(documentNames(rule.sources))}; ${code(`features/${rule.place}`)}`,
    '',
    '</details>',
  ].join('\n');
}

const oneLine = (text: string): string => text.replaceAll('\n', ' ');
const htmlText = (text: string): string =>
  visible(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Each reason once, with the rules that it holds for. */
function reasons(report: Report, verdict: VerdictKind, title: string): readonly string[] {
  const rules = rulesOf(report, verdict);
  if (rules.length === 0) return [];
  const lines = [...alike(rules, ({ reason }) => causeOf(reason?.text ?? ''))].map(
    ([{ reason }, group]) => `- ${code(reason?.text ?? '')}: ${group.map(({ id }) => id).join(', ')}`,
  );
  return [`<details><summary>${title}: ${rules.length}</summary>\n\n${lines.join('\n')}\n\n</details>`];
}

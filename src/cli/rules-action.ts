/** What joinproof rules does once its arguments are parsed. */

import { prepareSteps } from '../run/execute.js';
import type { Rule } from '../run/features.js';
import { documentsOf, plan } from '../run/judge.js';
import { didYouMean } from '../run/nearest.js';
import { trapsOf } from '../run/sentences.js';
import { needsOf } from '../run/traits.js';
import { UsageError } from '../run/usage-error.js';
import type { ExitCode } from './main.js';

interface RulesOptions {
  readonly format?: string;
  readonly tags?: string;
  readonly rule?: readonly string[];
  readonly chapter?: readonly string[];
  readonly level?: string;
  readonly errata?: boolean;
}

const FORMATS = ['table', 'json', 'markdown'] as const;

export async function rules({ format = 'table', tags, rule, chapter, level, errata }: RulesOptions): Promise<ExitCode> {
  if (!(FORMATS as readonly string[]).includes(format))
    throw new UsageError(
      `There is no format "${format}".${didYouMean(format, FORMATS)} The formats are ${FORMATS.join(', ')}.`,
    );
  const { selected } = await plan({ tags, rules: rule, chapters: chapter, level });
  if (errata === true) {
    const { toldErrata } = await import('./errata.js');
    const all = tags === undefined && level === undefined && (rule ?? []).length + (chapter ?? []).length === 0;
    process.stdout.write(toldErrata(selected.rules, { all, format }));
    return 0;
  }
  const library = await prepareSteps();
  if (format === 'markdown') {
    const [{ rulesMarkdown }, { specification }] = await Promise.all([
      import('../report/rule-text.js'),
      import('../run/specification.js'),
    ]);
    process.stdout.write(rulesMarkdown(specification(selected.rules, library)));
    return 0;
  }
  const needs = (rule: Rule): readonly string[] =>
    [...new Set(rule.scenarios.flatMap((scenario) => needsOf(scenario, library)))].sort();
  const sorted = [...selected.rules].sort((a, b) => (a.id < b.id ? -1 : 1));
  process.stdout.write(
    format === 'json'
      ? `${JSON.stringify(
          sorted.map((one) => listed(one, needs(one))),
          undefined,
          2,
        )}\n`
      : table(sorted, needs),
  );
  return 0;
}

const listed = (rule: Rule, needs: readonly string[]): object => {
  const { id, level, chapter, title, why, repair, place } = rule;
  return {
    id,
    level,
    chapter,
    title,
    why,
    repair,
    sources: documentsOf(id),
    errata: trapsOf(id).map((trap) => trap.id),
    feature: place,
    needs,
    scenarios: rule.scenarios.map(({ name, tags }) => ({ name, tags })),
  };
};

function table(all: readonly Rule[], needsOf: (rule: Rule) => readonly string[]): string {
  const rows = [
    ['ID', 'LEVEL', 'CHAPTER', 'SCENARIOS', 'NEEDS', 'RULE'],
    ...all.map((rule) => [
      rule.id,
      rule.level,
      rule.chapter,
      String(rule.scenarios.length),
      needsOf(rule).join(',') || '-',
      rule.title,
    ]),
  ];
  const widths = rows.reduce(
    (most, row) => row.map((cell, index) => Math.max(cell.length, most[index] ?? 0)),
    [] as readonly number[],
  );
  const last = (rows[0]?.length ?? 1) - 1;
  return `${rows.map((row) => row.map((cell, index) => (index === last ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')).join('\n')}\n`;
}

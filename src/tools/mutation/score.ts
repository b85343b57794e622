/**
 * The score of the judge, told row by row in reports/mutation.md with the day on which each was measured, since a whole
 * run takes its time: rows of a run replace those of before, be they kept there or published.
 */
import { existsSync, readFileSync } from 'node:fs';
import { writeWhole } from '../../report/files.js';
import { packageFile } from '../../run/package-root.js';

export interface Score {
  readonly noticed: number;
  /** Of those that were not: how many are explained in the list of survivors. */
  readonly explained: number;
  readonly all: number;
  /** The day of the measurement, "2026-01-31". */
  readonly on: string;
}

/** By what was weakened: "features/policy", "steps, a sample (seed x)", "checks/login.js". */
type Scores = Readonly<Record<string, Score>>;

const TOLD = packageFile('reports/mutation.md');
const PUBLISHED = packageFile('reports/published/mutation.md');
const KINDS = ['features', 'steps', 'checks'] as const;
const wholeOf = (kind: string): string => `**${kind}**`;

export const percent = (count: number, all: number): string => `${((100 * count) / Math.max(1, all)).toFixed(1)} %`;

const total = (scores: readonly Score[], of: 'noticed' | 'explained' | 'all'): number =>
  scores.reduce((sum, score) => sum + score[of], 0);

/** Of several no younger than the oldest. */
const sum = (scores: readonly Score[]): Score => ({
  noticed: total(scores, 'noticed'),
  explained: total(scores, 'explained'),
  all: total(scores, 'all'),
  on: scores.map(({ on }) => on).sort()[0] ?? '',
});

const row = (name: string, { noticed, explained, all, on }: Score): string =>
  `| ${name} | ${noticed} | ${all} | ${percent(noticed, all)} | ${explained} | ${all - noticed - explained} | ${on} |`;

export function toMarkdown(scores: Scores): string {
  const sorted = Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1));
  const samples = sorted.filter(([name]) => !KINDS.some((kind) => name.startsWith(`${kind}/`)));
  const rows = KINDS.flatMap((kind) => {
    const parts = sorted.filter(([name]) => name.startsWith(`${kind}/`));
    const whole = parts.length === 0 ? [] : [[wholeOf(kind), sum(parts.map(([, score]) => score))] as const];
    return [...whole, ...parts];
  });
  return `# Weakenings of the judge that are noticed

Written by \`npm run mutation\`: features lose a line and steps are weakened in a place, held against the kill matrix;
checks are weakened by StrykerJS, held against their unit tests; rooms of src are weakened in a place, held against the
nearest unit tests. What is not noticed is explained in \`src/tools/mutation/survivors.txt\`, or open.

| weakened | noticed | of | score | explained | open | measured |
|---|---|---|---|---|---|---|
${[...samples, ...rows].map(([name, score]) => row(name, score)).join('\n')}
`;
}

const ROW = /^\| ([^|]{1,120}) \| (\d+) \| (\d+) \| [\d.]+ % \| (\d+) \| \d+ \| (\d{4}-\d\d-\d\d) \|$/gm;

export const fromMarkdown = (told: string): Scores =>
  Object.fromEntries(
    [...told.matchAll(ROW)]
      .filter(([, name]) => !KINDS.some((kind) => name === wholeOf(kind)))
      .map(([, name = '', noticed, all, explained, on = '']) => [
        name,
        { noticed: Number(noticed), explained: Number(explained), all: Number(all), on },
      ]),
  );

/** Of each row the youngest; of two of one day that of the last. */
export const newest = (all: readonly Scores[]): Scores =>
  Object.fromEntries(
    all
      .flatMap((scores) => Object.entries(scores))
      .sort(([, { on: a }], [, { on: b }]) => Number(a > b) - Number(a < b)),
  );

/** Beside those that are told already. */
export function keepScores(found: Scores, isThere: (name: string) => boolean): void {
  const told = [PUBLISHED, TOLD].filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
  const scores = Object.entries(newest([...told.map(fromMarkdown), found])).filter(([name]) => isThere(name));
  writeWhole(TOLD, toMarkdown(Object.fromEntries(scores)));
}

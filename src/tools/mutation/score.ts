/**
 * The score of the judge, kept file by file in reports/mutation.json, since a whole run takes its time, and told in
 * reports/mutation.md.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isRecord } from '../../kubernetes/json.js';
import { writeWhole } from '../../report/files.js';
import { packageFile } from '../../run/package-root.js';

export interface Score {
  readonly noticed: number;
  /** Of those that were not: how many are explained in the list of survivors. */
  readonly explained: number;
  readonly all: number;
}

/** By what was weakened: "features", "steps", "checks/login.js". */
type Scores = Readonly<Record<string, Score>>;

const DATA = packageFile('reports/mutation.json');
const TOLD = packageFile('reports/mutation.md');

const isScore = (value: unknown): value is Score =>
  isRecord(value) && [value.noticed, value.explained, value.all].every((count) => typeof count === 'number');

function known(): Scores {
  if (!existsSync(DATA)) return {};
  const data: unknown = JSON.parse(readFileSync(DATA, 'utf8'));
  return isRecord(data)
    ? Object.fromEntries(Object.entries(data).flatMap(([name, score]) => (isScore(score) ? [[name, score]] : [])))
    : {};
}

export const percent = (count: number, all: number): string => `${((100 * count) / Math.max(1, all)).toFixed(1)} %`;

const sum = (scores: readonly Score[]): Score => ({
  noticed: scores.reduce((total, { noticed }) => total + noticed, 0),
  explained: scores.reduce((total, { explained }) => total + explained, 0),
  all: scores.reduce((total, { all }) => total + all, 0),
});

const row = (name: string, { noticed, explained, all }: Score): string =>
  `| ${name} | ${noticed} | ${all} | ${percent(noticed, all)} | ${explained} | ${all - noticed - explained} |`;

export function toMarkdown(scores: Scores): string {
  const sorted = Object.entries(scores).sort(([a], [b]) => (a < b ? -1 : 1));
  const checks = sorted.filter(([name]) => name.startsWith('checks/'));
  const rest = sorted.filter(([name]) => !name.startsWith('checks/'));
  const whole = checks.length === 0 ? [] : [row('**checks**', sum(checks.map(([, score]) => score)))];
  return `# Weakenings of the judge that are noticed

Written by \`npm run mutation\`: features lose a line and steps are weakened in a place, held against the kill matrix;
checks are weakened by StrykerJS, held against their unit tests. What is not noticed is explained in
\`src/tools/mutation/survivors.txt\`.

| weakened | noticed | of | score | explained | open |
|---|---|---|---|---|---|
${[...rest.map(([name, score]) => row(name, score)), ...whole, ...checks.map(([name, score]) => row(name, score))].join('\n')}
`;
}

/** Beside those that were kept before. */
export function keepScores(found: Scores, isThere: (name: string) => boolean): void {
  const scores = Object.fromEntries(Object.entries({ ...known(), ...found }).filter(([name]) => isThere(name)));
  writeWhole(DATA, `${JSON.stringify(scores, undefined, 2)}\n`);
  writeWhole(TOLD, toMarkdown(scores));
}

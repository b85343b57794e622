/** Whether the matrix notices that a rule was weakened: its rows on the unchanged reference, then those that its mutants break. */
import { collectMutants } from '../../matrix/collect.js';
import { reached } from '../../matrix/demands.js';
import { type Changed, type Job, type Played, play } from '../../matrix/job.js';
import { PARALYSED } from '../../matrix/paralysed.js';
import { listedRows } from '../../matrix/row-files.js';
import { type Listed, nameOf } from '../../matrix/row-lists.js';
import { passedSince } from '../../matrix/switch.js';

export interface Weakening {
  readonly name: string;
  /** Rules that it can touch. */
  readonly rules: readonly string[];
  readonly changed: Changed;
}

export interface Outcome {
  readonly weakening: Weakening;
  /** By what it was noticed first; undefined: by nothing. */
  readonly noticed: string | undefined;
  /** Changes of steps that the rules pass when nothing is changed; only of a weakening without any. */
  readonly passed?: readonly number[];
}

let lists: readonly Listed[] | undefined;
const listedOf = (rule: string): readonly Listed[] => {
  lists ??= listedRows();
  return lists.filter((row) => row.rule === rule);
};

/** Never more than is needed to notice it: a rule as it is, then the mutants that it notices, before the next rule. */
export async function weakened(weakening: Weakening): Promise<Outcome> {
  const { rules, changed } = weakening;
  const isChanged = changed.features !== undefined || changed.change !== undefined;
  for (const rule of rules) {
    const baseline = await play({ kind: 'baseline', name: 'the unchanged reference', rules: [rule] }, changed);
    const noticed = otherwise(rule, baseline);
    if (noticed !== undefined) return { weakening, noticed };
    if (!isChanged) return { weakening, noticed: undefined, passed: passedSince() };
    for (const job of await breakers(rule)) {
      const less = notBroken(rule, baseline, await play(job, changed));
      if (less !== undefined) return { weakening, noticed: less };
    }
  }
  return { weakening, noticed: undefined };
}

/** The rows of the unchanged reference are others than those listed. */
function otherwise(rule: string, baseline: Played): string | undefined {
  const verdict = baseline.verdicts[rule];
  // skipped: only mutants have what some of its scenarios look at; where more is skipped, rows are gone
  if (verdict !== 'passed' && verdict !== 'skipped') return `${rule} is ${verdict ?? 'gone'}`;
  const now = new Map(reached([baseline]).map((row) => [nameOf(row), row.times]));
  const then = new Map(listedOf(rule).flatMap((row) => (row.times === 0 ? [] : [[nameOf(row), row]])));
  for (const [name, { times, several }] of then) {
    const found = now.get(name) ?? 0;
    if (several === true ? found === 0 : found !== times) return `${name} is found ${found} times`;
  }
  for (const name of now.keys()) if (!then.has(name)) return `${name} is new`;
  return undefined;
}

async function breakers(rule: string): Promise<readonly Job[]> {
  const named = (await collectMutants()).filter(({ killedBy }) => killedBy.includes(rule));
  const listed = listedOf(rule).flatMap(({ by }) => by.map((name) => name.replace(/^~/, '')));
  const held = PARALYSED.filter(({ name }) => listed.includes(name));
  return [
    ...named.map(({ name }) => ({ kind: 'mutant', name, rules: [rule] }) as const),
    ...held.map(({ name }) => ({ kind: 'paralysed', name, rules: [rule] }) as const),
  ];
}

const brokenBy = (name: string, rows: readonly Pick<Listed, 'scenario' | 'text' | 'by' | 'rule' | 'times'>[]) =>
  rows.filter(({ by }) => by.includes(name) || by.includes(`~${name}`)).map(nameOf);

/** A mutant breaks other rows than those listed. */
function notBroken(rule: string, baseline: Played, run: Played): string | undefined {
  const { name } = run.job;
  if (run.job.kind === 'mutant' && run.verdicts[rule] !== 'failed')
    return `${name} survives ${rule}: ${run.verdicts[rule] ?? 'not judged'}`;
  const listed = listedOf(rule);
  const loose = new Set(listed.flatMap((row) => (row.several === true ? [nameOf(row)] : [])));
  const [now, then] = [reached([baseline, run]), listed].map((rows) =>
    brokenBy(name, rows).filter((row) => !loose.has(row)),
  ) as [string[], string[]];
  const less = then.find((row) => !now.includes(row));
  const more = now.find((row) => !then.includes(row));
  if (less !== undefined) return `${less} is no longer broken by ${name}`;
  return more === undefined ? undefined : `${more} is newly broken by ${name}`;
}

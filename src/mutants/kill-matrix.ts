/** Plays all that belongs to the kill matrix, in a few processes, and computes it. */
import { availableParallelism } from 'node:os';
import { plan } from '../run/judge.js';
import { didYouMean } from '../run/nearest.js';
import { collectMutants } from './index.js';
import type { Job } from './job.js';
import { computeMatrix, type Matrix } from './matrix.js';
import { MINIATURES } from './miniatures.js';
import { playAll } from './pool.js';

export interface MatrixOptions {
  readonly mutants?: readonly string[];
  readonly chapters?: readonly string[];
  readonly full?: boolean;
  readonly workers?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Plays and computes; throws UsageError for unknown names. */
export async function killMatrix(options: MatrixOptions = {}): Promise<Matrix> {
  const { mutants: names = [], chapters = [], full = false } = options;
  const rules = plan({ chapters })
    .selected.rules.map(({ id, title, chapter }) => ({ id, title, chapter }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const all = await collectMutants();
  for (const name of names)
    if (!all.some((mutant) => mutant.name === name))
      throw new Error(
        `There is no mutant "${name}".${didYouMean(
          name,
          all.map((mutant) => mutant.name),
        )}`,
      );
  const ids = new Set(rules.map(({ id }) => id));
  const partial = names.length > 0 || chapters.length > 0;
  const mutants = all
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter(({ killedBy }) => chapters.length === 0 || killedBy.length === 0 || killedBy.some((id) => ids.has(id)));
  const known = (killedBy: readonly string[]): readonly string[] => killedBy.filter((id) => ids.has(id));
  const everything = chapters.length === 0 ? undefined : [...ids];
  const jobs: readonly Job[] = [
    ...(names.length > 0 ? [] : [{ kind: 'baseline', name: 'the unchanged reference', rules: everything } as const]),
    ...mutants.filter(({ killedBy }) => killedBy.length === 0).map(({ name }) => ({ kind: 'mutant', name, rules: everything }) as const),
    ...(partial ? [] : MINIATURES.map((name) => ({ kind: 'miniature', name }) as const)),
    ...mutants
      .filter(({ killedBy }) => known(killedBy).length > 0)
      .map(({ name, killedBy }) => ({ kind: 'mutant', name, rules: full ? everything : known(killedBy) }) as const),
  ];
  const workers = options.workers ?? Math.min(4, availableParallelism());
  const results = await playAll(jobs, workers, (done) => options.onProgress?.(done, jobs.length));
  return computeMatrix({
    rules,
    mutants,
    played: results.flatMap((result) => ('failure' in result ? [] : [result])),
    failures: results.flatMap((result) => ('failure' in result ? [{ name: result.job.name, failure: result.failure }] : [])),
    complete: names.length === 0,
  });
}

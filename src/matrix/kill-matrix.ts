/** Plays all that belongs to the kill matrix, in a few processes, and computes it. */
import { availableParallelism } from 'node:os';
import { plan } from '../run/judge.js';
import { didYouMean } from '../run/nearest.js';
import { collectMutants } from './collect.js';
import { groupsOf } from './groups.js';
import type { Job, Played } from './job.js';
import { computeMatrix, type Matrix } from './matrix.js';
import { MINIATURES } from './miniatures.js';
import { PARALYSED } from './paralysed.js';
import { type Failure, playAll } from './pool.js';

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
  const { selected, catalogue } = await plan({ chapters });
  const rules = selected.rules
    .map(({ id, title, chapter }) => ({ id, title, chapter }))
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
  const harmless = mutants.filter(({ killedBy }) => killedBy.length === 0);
  const groups = full ? [] : groupsOf(harmless);
  const alone = (members: readonly string[]): readonly Job[] =>
    members.map((name) => ({ kind: 'mutant', name, rules: everything }) as const);
  const jobs: readonly Job[] = [
    ...(names.length > 0 ? [] : [{ kind: 'baseline', name: 'the unchanged reference', rules: everything } as const]),
    ...groups.map(
      (members, index) =>
        ({
          kind: 'group',
          name: `group ${index}`,
          members: members.map(({ name }) => name),
          rules: everything,
        }) as const,
    ),
    ...(full ? alone(harmless.map(({ name }) => name)) : []),
    ...(partial ? [] : MINIATURES.map((name) => ({ kind: 'miniature', name }) as const)),
    ...mutants
      .filter(({ killedBy }) => known(killedBy).length > 0)
      .map(({ name, killedBy }) => ({ kind: 'mutant', name, rules: full ? everything : known(killedBy) }) as const),
  ];
  const workers = options.workers ?? Math.min(4, availableParallelism());
  const first = await playAll(jobs, workers, (done) => options.onProgress?.(done, jobs.length));
  const noticed = first.flatMap((result) =>
    result.job.kind === 'group' && ('failure' in result || isNoticed(result)) ? result.job.members : [],
  );
  // Of paralysed variants only rules about refusing are of interest, and the unchanged reference has shown which those
  // are.
  const baseline = first.find((result) => result.job.kind === 'baseline');
  const refusing = baseline === undefined || 'failure' in baseline ? [] : baseline.refusing;
  const paralysed = PARALYSED.map(
    ({ name, idle }) => ({ kind: 'paralysed', name, rules: [...new Set([...refusing, ...known(idle)])] }) as const,
  );
  const second = [...alone(noticed), ...(refusing.length === 0 ? [] : paralysed)];
  const results = [...first, ...(await playAll(second, workers, () => {}))].flatMap(perMember(noticed));
  return computeMatrix({
    rules,
    mutants,
    played: results.flatMap((result) => ('failure' in result ? [] : [result])),
    failures: results.flatMap((result) =>
      'failure' in result ? [{ name: result.job.name, failure: result.failure }] : [],
    ),
    complete: names.length === 0,
    existing: catalogue.rules.map(({ id }) => id),
  });
}

const isNoticed = ({ verdicts }: Played): boolean =>
  Object.values(verdicts).some((verdict) => verdict === 'failed' || verdict === 'error');

/** A quiet group is quiet for each of its members; one that was noticed has been played again. */
const perMember =
  (noticed: readonly string[]) =>
  (result: Played | Failure): readonly (Played | Failure)[] => {
    const { job } = result;
    if (job.kind !== 'group') return [result];
    return job.members
      .filter((name) => !noticed.includes(name))
      .map((name) => ({ ...result, job: { kind: 'mutant', name, rules: job.rules } }));
  };

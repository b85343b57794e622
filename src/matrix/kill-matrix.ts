/** Plays all that belongs to the kill matrix, in a few processes, and computes it. */
import { plan } from '../run/judge.js';
import { didYouMean } from '../run/nearest.js';
import { givenOnBroken } from './broken.js';
import { collectMutants } from './collect.js';
import { givenOnDisks, merged } from './disks.js';
import { elsewhereLists } from './elsewhere.js';
import { firstPlayed } from './first-round.js';
import { givenLists } from './given.js';
import { groupsOf } from './groups.js';
import type { Job, Played } from './job.js';
import { computeMatrix, type Matrix } from './matrix.js';
import { type Failure, playAll, usualWorkers } from './pool.js';
import { requestLists } from './requests.js';
import { listedRows, writeRows } from './row-files.js';
import type { Listed } from './row-lists.js';
import { type Lines, linesOtherwise } from './rule-lines.js';
import { groupsPlayed, paralysedPlayed, playedTogether } from './second-round.js';

export interface MatrixOptions {
  readonly mutants?: readonly string[];
  readonly chapters?: readonly string[];
  readonly rules?: readonly string[];
  /** Writes the lists of rows anew, instead of comparing with them. */
  readonly update?: boolean;
  readonly full?: boolean;
  readonly workers?: number;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Plays and computes; throws UsageError for unknown names. */
export async function killMatrix(options: MatrixOptions = {}): Promise<Matrix> {
  const { mutants: names = [], chapters = [], rules: chosen = [], full = false } = options;
  const { selected, catalogue } = await plan({ chapters, rules: chosen });
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
  const some = chapters.length > 0 || chosen.length > 0;
  const mutants = all
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .filter(({ killedBy }) => !some || killedBy.length === 0 || killedBy.some((id) => ids.has(id)));
  const everything = some ? [...ids] : undefined;
  const harmless = mutants.filter(({ killedBy }) => killedBy.length === 0);
  const rowsOnly = options.update === true;
  const groups = full || rowsOnly ? [] : groupsOf(harmless);
  const jobs = firstPlayed({ mutants, ids, someRules: some, someMutants: names.length > 0, full, rowsOnly });
  const workers = options.workers ?? usualWorkers();
  const first = await playAll(jobs, workers, (done) => options.onProgress?.(done, jobs.length));
  const baseline = first.find((result) => result.job.kind === 'baseline');
  const shown = baseline === undefined || 'failure' in baseline ? undefined : baseline;
  const second = { shown, ids, everything };
  const results = [...first];
  const paralysed = names.length > 0 ? [] : paralysedPlayed(second);
  for (let next: readonly Job[] = [...groupsPlayed(groups, second), ...paralysed]; next.length > 0; ) {
    const played = await playAll<Job>(next, workers, () => {});
    results.push(...played);
    next = halvesOf(played);
  }
  const each = results.filter((result) => 'failure' in result || result.job.kind !== 'elsewhere').flatMap(perMember);
  const elsewhere = first
    .flatMap((result) => ('failure' in result ? [] : [result.elsewhere ?? {}]))
    .reduce(merged, Object.fromEntries(rules.map(({ id }) => [id, []])));
  const sound = new Set(harmless.map(({ name }) => name));
  const successes = each.flatMap((result) => ('failure' in result ? [] : [result]));
  const onDisks = givenOnDisks(successes.filter(({ job }) => sound.has(job.name)));
  const given = [onDisks, givenOnBroken(successes, mutants)].reduce(merged, shown?.given ?? {});
  const isListed = ({ rule }: Listed): boolean =>
    ids.has(rule) || (!some && !catalogue.rules.some(({ id }) => id === rule));
  const listed = names.length > 0 || options.update === true ? undefined : listedRows().filter(isListed);
  const matrix = computeMatrix({
    listed,
    rules,
    mutants,
    played: successes,
    failures: each.flatMap((result) =>
      'failure' in result ? [{ name: result.job.name, failure: result.failure }] : [],
    ),
    complete: names.length === 0,
    existing: catalogue.rules.map(({ id }) => id),
  });
  if (options.update === true) {
    if (shown === undefined || isNoticed(shown))
      throw new Error(
        'Nothing is written: the unchanged reference does not meet the rules, or was not judged in time.',
      );
    writeRows(matrix.rows, ids, catalogue.rules);
    requestLists.write(shown.asked ?? {}, catalogue.rules);
    givenLists.write(given, catalogue.rules);
    elsewhereLists.write(elsewhere, catalogue.rules);
  }
  const otherwise =
    listed === undefined
      ? []
      : [
          ...linesOtherwise('asks', shown?.asked ?? {}, requestLists.read()),
          ...linesOtherwise('is judged by', given, givenLists.read()),
          ...faresOtherwise(elsewhere, some),
        ];
  return { ...matrix, problems: [...matrix.problems, ...otherwise].sort() };
}

/** Of a rule that is new nothing is listed: that is told where all rules are played. */
function faresOtherwise(found: Lines, some: boolean): readonly string[] {
  const listed = elsewhereLists.read();
  const isTold = ([rule]: readonly [string, unknown]): boolean => !some || listed[rule] !== undefined;
  return linesOtherwise('fares', Object.fromEntries(Object.entries(found).filter(isTold)), listed);
}

const isNoticed = ({ verdicts }: Played): boolean =>
  Object.values(verdicts).some((verdict) => verdict === 'failed' || verdict === 'error');

const isQuiet = (result: Played | Failure): boolean => !('failure' in result) && !isNoticed(result);

/** Groups that somebody noticed, or that could not be played, in halves: until it is seen whom that is about. */
export const halvesOf = (results: readonly (Played | Failure)[]): Job[] =>
  results.flatMap((result): readonly Job[] => {
    const { job } = result;
    if (job.kind !== 'group' || isQuiet(result)) return [];
    const { members, rules } = job;
    const half = Math.ceil(members.length / 2);
    return [members.slice(0, half), members.slice(half)].map((some, index) =>
      playedTogether(`${job.name}.${index}`, some, rules),
    );
  });

/**
 * A quiet group is quiet for each of its members; one that was noticed has been played again. One that could not be
 * played is a failure, however its halves fare: what its members arrange has to have names of its own.
 */
export function perMember(result: Played | Failure): readonly (Played | Failure)[] {
  const { job } = result;
  if (job.kind !== 'group' || 'failure' in result) return [result];
  return isQuiet(result)
    ? job.members.map((name) => ({ ...result, job: { kind: 'mutant', name, rules: job.rules } }))
    : [];
}

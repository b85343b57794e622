/**
 * What checks are given on disks of sound nodes other than the one that init leaves: data of etcd, workers, copies in
 * homes, programs of operators. Each disk is played alone, since one that is a worker's hides whatever another one has
 * done to a control plane.
 */
import { createHash } from 'node:crypto';
import { isOfDisk, type Mutant } from '../mutants/types.js';
import { readFeatures } from '../run/features.js';
import { featuresFolder } from '../run/package-root.js';
import type { Job, Played } from './job.js';
import type { Lines } from './rule-lines.js';

/** A harmless variant that is a disk, and nothing else. */
export const isSoundDisk = (variant: Mutant): boolean => variant.killedBy.length === 0 && isOfDisk(variant);

let places: ReadonlyMap<string, string> | undefined;
/** Those whose feature lies in a folder, "policy/". */
export function rulesIn(folder: string, rules: Iterable<string>): readonly string[] {
  places ??= new Map(readFeatures(featuresFolder).rules.map(({ id, place }) => [id, place]));
  const known = places;
  return [...rules].filter((id) => known.get(id)?.startsWith(folder));
}
/** Rules that look at disks. */
export const rulesOfDisks = (rules: Iterable<string>): readonly string[] => rulesIn('node-files/', rules);

/** Each of these disks by the rules that look at some. */
export function disksPlayed(variants: readonly Mutant[], ids: Iterable<string>): readonly Job[] {
  const rules = rulesOfDisks(ids);
  return rules.length === 0
    ? []
    : variants.filter(isSoundDisk).map(({ name }) => ({ kind: 'mutant' as const, name, rules }));
}

/** "scenario check" of a line of what checks are given. */
const placeIn = (line: string): string => line.split(' ').slice(0, 2).join(' ');

export type DiskPlayed = Pick<Played, 'job' | 'given'>;

const OTHER = 'other disks';

/** A line for each scenario and check: all that it is given, on whichever of these disks. */
export const givenOnDisks = (played: readonly DiskPlayed[]): Lines => givenOn(OTHER, played);

/** The same, of whatever was played there. */
export function givenOn(where: string, played: readonly DiskPlayed[]): Lines {
  const found = new Map<string, Map<string, string[]>>();
  for (const { job, given = {} } of played)
    for (const [rule, lines] of Object.entries(given)) {
      const places = found.get(rule) ?? new Map<string, string[]>();
      found.set(rule, places);
      for (const line of lines)
        places.set(placeIn(line), [...(places.get(placeIn(line)) ?? []), `${job.name} ${line}`]);
    }
  const digestOf = (lines: readonly string[]): string =>
    createHash('sha256')
      .update([...lines].sort().join('\n'))
      .digest('hex')
      .slice(0, 8);
  return Object.fromEntries(
    [...found].map(([rule, places]) => [
      rule,
      [...places].map(([place, lines]) => `${place} on ${where} (${lines.length}) ${digestOf(lines)}`),
    ]),
  );
}

/** Whether a line is one of those. */
export const isOnDisks = (line: string): boolean => line.includes(` on ${OTHER} (`);

/** Lines of the same rules together. */
export const merged = (one: Lines, other: Lines): Lines =>
  Object.fromEntries(
    Object.entries(one).map(([rule, lines]) => [rule, [...lines, ...(other[rule] ?? [])].sort()] as const),
  );

/**
 * What checks are given on disks other than the one that init leaves: of sound nodes (data of etcd, workers, copies in
 * homes, programs of operators), and of broken ones, where who looks at less, or at too much, may still find what is
 * wrong. Each disk is played alone, since one that is a worker's hides whatever another one has done to a control plane.
 */
import { createHash } from 'node:crypto';
import { isOfDisk, type Mutant } from '../mutants/types.js';
import { readFeatures } from '../run/features.js';
import { featuresFolder } from '../run/package-root.js';
import type { Job, Played } from './job.js';
import type { Lines } from './rule-lines.js';

/** A harmless variant that is a disk, and nothing else. */
export const isSoundDisk = (variant: Mutant): boolean => variant.killedBy.length === 0 && isOfDisk(variant);

const CHAPTER = 'node-files/';
let ofDisks: ReadonlySet<string> | undefined;
/** Rules that look at disks. */
export function rulesOfDisks(rules: Iterable<string>): readonly string[] {
  ofDisks ??= new Set(
    readFeatures(featuresFolder).rules.flatMap(({ id, place }) => (place.startsWith(CHAPTER) ? [id] : [])),
  );
  const known = ofDisks;
  return [...rules].filter((id) => known.has(id));
}

/** Each of these disks by the rules that look at some. */
export function disksPlayed(variants: readonly Mutant[], ids: Iterable<string>): readonly Job[] {
  const rules = rulesOfDisks(ids);
  return rules.length === 0
    ? []
    : variants.filter(isSoundDisk).map(({ name }) => ({ kind: 'mutant' as const, name, rules }));
}

/** "scenario check" of a line of what checks are given. */
const placeIn = (line: string): string => line.split(' ').slice(0, 2).join(' ');

/** A disk on which some rules find what is wrong, and nothing else. */
export const isBrokenDisk = (variant: Mutant): boolean => variant.killedBy.length > 0 && isOfDisk(variant);

type DiskPlayed = Pick<Played, 'job' | 'given'>;

const OTHER = 'other disks';
const BROKEN = 'broken disks';

/** A line for each scenario and check: all that it is given, on whichever of these disks. */
export const givenOnDisks = (played: readonly DiskPlayed[]): Lines => givenOn(OTHER, played);

/** The same of broken ones: of each by those rules that name it. */
export const givenOnBroken = (played: readonly DiskPlayed[], variants: readonly Mutant[]): Lines => {
  const named = new Map(variants.filter(isBrokenDisk).map(({ name, killedBy }) => [name, killedBy]));
  return givenOn(
    BROKEN,
    played.flatMap(({ job, given = {} }) => {
      const rules = named.get(job.name);
      if (rules === undefined) return [];
      return [{ job, given: Object.fromEntries(Object.entries(given).filter(([rule]) => rules.includes(rule))) }];
    }),
  );
};

function givenOn(where: string, played: readonly DiskPlayed[]): Lines {
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
export const isOnBroken = (line: string): boolean => line.includes(` on ${BROKEN} (`);

/** Lines of the same rules together. */
export const merged = (one: Lines, other: Lines): Lines =>
  Object.fromEntries(
    Object.entries(one).map(([rule, lines]) => [rule, [...lines, ...(other[rule] ?? [])].sort()] as const),
  );

/**
 * What checks are given where something is wrong: who hands over less, or too much, may still find it. Of disks alone,
 * and of clusters that rules of the policy look at, which see what is at rest; what else is done to clusters is
 * answered by the clock.
 */
import { isOfDisk, type Mutant } from '../mutants/types.js';
import { type DiskPlayed, givenOn, rulesIn } from './disks.js';
import type { Lines } from './rule-lines.js';

const WHERE = 'broken ones';

/** Somebody has to notice it, and what checks are given there is recorded. */
export function isBroken(variant: Mutant): boolean {
  const { killedBy } = variant;
  return killedBy.length > 0 && (isOfDisk(variant) || rulesIn('policy/', killedBy).length === killedBy.length);
}

/** A line for each scenario and check: all that it is given there, of each by those rules that name it. */
export function givenOnBroken(played: readonly DiskPlayed[], variants: readonly Mutant[]): Lines {
  const named = new Map(variants.filter(isBroken).map(({ name, killedBy }) => [name, killedBy]));
  return givenOn(
    WHERE,
    played.flatMap(({ job, given = {} }) => {
      const rules = named.get(job.name);
      if (job.kind !== 'mutant' || rules === undefined) return [];
      return [{ job, given: Object.fromEntries(Object.entries(given).filter(([rule]) => rules.includes(rule))) }];
    }),
  );
}

/** Whether a line is one of those. */
export const isOnBroken = (line: string): boolean => line.includes(` on ${WHERE} (`);

/** What is played first: the unchanged reference, what is looked at beside it, and mutants by the rules that they name. */
import type { Mutant } from '../mutants/types.js';
import { disksPlayed, isSoundDisk } from './disks.js';
import { ELSEWHERE } from './elsewhere.js';
import type { Job } from './job.js';
import { MINIATURES } from './miniatures.js';

export interface FirstRound {
  /** Those that were asked for, or that name a rule that was. */
  readonly mutants: readonly Mutant[];
  /** Ids of the rules that the matrix is about. */
  readonly ids: ReadonlySet<string>;
  /** Only some rules were asked for. */
  readonly someRules: boolean;
  /** Only some mutants were asked for. */
  readonly someMutants: boolean;
  /** Every mutant by all rules, and each harmless variant alone. */
  readonly full: boolean;
  /** Rows are of the unchanged reference, and broken by mutants: nothing else is played. */
  readonly rowsOnly: boolean;
}

export function firstPlayed({ mutants, ids, someRules, someMutants, full, rowsOnly }: FirstRound): readonly Job[] {
  const known = ({ killedBy }: Mutant): readonly string[] => killedBy.filter((id) => ids.has(id));
  const everything = someRules ? [...ids] : undefined;
  const named = [...new Set(mutants.flatMap(known))];
  const harmless = mutants.filter(({ killedBy }) => killedBy.length === 0);
  const alone = full && !rowsOnly ? harmless.filter((one) => !isSoundDisk(one)) : [];
  const elsewhere = someMutants ? [] : ELSEWHERE;
  const miniatures = someMutants || someRules || rowsOnly ? [] : MINIATURES;
  return [
    { kind: 'baseline', name: 'the unchanged reference', rules: someMutants ? named : everything },
    ...alone.map(({ name }) => ({ kind: 'mutant', name, rules: everything }) as const),
    ...disksPlayed(harmless, ids),
    ...elsewhere.map((name) => ({ kind: 'elsewhere', name, rules: everything }) as const),
    ...miniatures.map((name) => ({ kind: 'miniature', name }) as const),
    ...mutants
      .filter((mutant) => known(mutant).length > 0)
      .map((mutant) => ({ kind: 'mutant', name: mutant.name, rules: full ? everything : known(mutant) }) as const),
  ];
}

/** Mutants that remember what they have seen: a cluster that is played anew has seen nothing yet. */
import type { Mutant } from './types.js';

/** `make`: the mutant, with what it remembers. */
export const remembering = (make: () => Mutant): Mutant => ({ ...make(), anew: make });

/** As it is played: with nothing remembered of whoever was played before. */
export const begun = (mutant: Mutant): Mutant => mutant.anew?.() ?? mutant;

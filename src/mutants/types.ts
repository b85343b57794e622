/** A named deviation of the reference. Data: what is replaced, and which rules must notice. */
import type { Reference, ReferenceOptions } from '../reference/options.js';

export interface Mutant {
  /** kebab-case, unique, says the defect: "expiry-left-to-cleaner". */
  readonly name: string;
  /** The defect in one sentence, in the words of the rule's violating example. */
  readonly defect: string;
  /**
   * Ids of the rules that must fail ("failed", not "error" or "skipped"). Empty: a harmless variant that no rule may
   * fail or err on.
   */
  readonly killedBy: readonly string[];
  /** Decisions replaced and switches changed. */
  readonly options?: Partial<ReferenceOptions>;
  /** Objects arranged after the start, before the suite runs. */
  arrange?(reference: Reference): void | Promise<void>;
}

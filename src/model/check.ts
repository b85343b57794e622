/**
 * The one shape of a check. Checks are pure: no network, no files, no clock, no randomness; the same input gives the
 * same findings.
 */
import type { Finding } from './finding.js';

/**
 * `Observation` and `Parameters` are plain JSON without secrets: a report holds them, and `joinproof replay` judges
 * them again. What a secret has to be judged by (its length, what it fits, whether a signature verifies with it) is
 * read from it beforehand.
 */
export interface Check<Observation, Parameters = undefined> {
  /** "<file of src/checks>/<name>", kebab-case: by it a replay finds the check again. */
  readonly id: string;
  /** Document and heading, or path upstream. */
  readonly source: string;
  /** Why nothing was judged where there are no findings. Without it, no finding means nothing to say. */
  readonly nothing?: string;
  judge(observation: Observation, parameters: Parameters): readonly Finding[];
}

/** A check whose types are known where it is defined only. */
export type AnyCheck = Check<never, never>;

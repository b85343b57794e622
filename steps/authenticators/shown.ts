/** What one shows to an API server of ours, and whom it stands for. */
import type { Pair } from '../../src/run/making.js';
import type { Identity, Question } from '../../src/targets/types.js';

/** What one shows. */
export interface Shown {
  readonly identity: Identity;
  readonly headers?: Question['headers'];
  /** Who that is, where it is made anew each time. */
  readonly itself?: Expected;
}

/** Whom a login is to be. */
export interface Expected {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** undefined: whatever there is. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export const token = (value: string): Shown => ({ identity: { kind: 'token', token: value } });
export const certificate = (pair: Pair, headers: Shown['headers'] = {}): Shown => ({
  identity: { kind: 'certificate', ...pair },
  headers,
});

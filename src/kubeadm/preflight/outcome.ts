/** What a check says. */
import type { Found } from './host.js';

export type Level = 'error' | 'warning';

/** One line of what is wrong, or could not be found out. */
export interface Said {
  readonly level: Level | 'unknown';
  /** In kubeadm's words. */
  readonly message: string;
}

/** A check of kubeadm, by the name that --ignore-preflight-errors takes. */
export interface Check {
  readonly name: string;
  look(): Promise<readonly Said[]>;
}

/** One line with the name of its check. */
export interface Line extends Said {
  readonly check: string;
}

export const said = (level: Level, message: string): readonly Said[] => [{ level, message }];
export const NOTHING: readonly Said[] = [];

/** What is to be said of what was found; where it was not found out, that is said. */
export const of = <T>(found: Found<T>, tell: (is: T) => readonly Said[]): readonly Said[] =>
  'unknown' in found ? [{ level: 'unknown', message: found.unknown }] : tell(found.is);

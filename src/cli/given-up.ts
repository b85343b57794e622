/** When a command that was told to stop is waited for no longer. */

/** A command is broken off when its event loop has stood still for so long after it was told to stop; */
const STILL_MS = 2_000;
/** one that has something to remove, or to write, when it has for so long; */
const HOLDING_STILL_MS = 10_000;
/** and one that has not, and was told by a signal, when it goes on for so long although it hears. */
const DEAF_MS = 10_000;

export interface Stopping {
  /** It has something to remove, or reports to write. */
  readonly busy: boolean;
  /** Told by a signal; else its time is over, and it still has its report to write. */
  readonly signalled: boolean;
  /** Milliseconds since it was heard of. */
  readonly still: number;
  /** Milliseconds since it was told. */
  readonly since: number;
}

export const isGivenUp = ({ busy, signalled, still, since }: Stopping): boolean =>
  (!busy && signalled && since > DEAF_MS) || still > (busy ? HOLDING_STILL_MS : STILL_MS);

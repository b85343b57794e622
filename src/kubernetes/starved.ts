/** Whether a client had the time to do what it does, on a machine that may have been busy. */
import type { Transcript } from './transcript.js';

/** Milliseconds below which no time limit of a client is over: what ends earlier has ended of itself. */
const NO_LIMIT = 3_000;
/** Milliseconds that nobody notices of a wait for a turn, and how many turns a client may have waited for. */
const UNNOTICED = 500;
const TURNS = 3;

/** Milliseconds that a client may be late, which need not be its doing. */
export const lostIn = (lag = 0): number => TURNS * Math.max(0, lag - UNNOTICED);

/** One that has not ended well, and that may have waited for half of its time. */
export const isStarved = ({ exit, milliseconds, lag, late = 0 }: Transcript): boolean =>
  exit !== 0 && milliseconds >= NO_LIMIT && 2 * Math.max(lostIn(lag), late) >= milliseconds;

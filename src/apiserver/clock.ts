/** The two clocks of the reference: the machine's, and one that a test or a joinproof run moves by hand. */
import type { Clock } from './types.js';

/** Node's timers fire at once above this many milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's clock. Its timers never keep the process alive. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    at(at, fire) {
      let timer: NodeJS.Timeout;
      const arm = (): void => {
        const left = at - Date.now();
        timer = left > LONGEST_TIMER ? setTimeout(arm, LONGEST_TIMER) : setTimeout(fire, Math.max(0, left));
        timer.unref();
      };
      arm();
      return () => clearTimeout(timer);
    },
  };
}

/** A clock that stands still until it is moved. */
export interface ManualClock extends Clock {
  /**
   * Moves time forward by `milliseconds`; what falls due runs in order of its time, each seeing the time it asked for.
   */
  advance(milliseconds: number): void;
}

/** @param start milliseconds since the epoch at which the clock stands */
export function manualClock(start: number): ManualClock {
  let now = start;
  let sequence = 0;
  const waiting = new Map<number, { readonly at: number; readonly fire: () => void }>();
  const runDue = (until: number): void => {
    for (;;) {
      let next: [number, { readonly at: number; readonly fire: () => void }] | undefined;
      for (const entry of waiting) {
        if (entry[1].at <= until && (next === undefined || entry[1].at < next[1].at)) next = entry;
      }
      if (next === undefined) return;
      waiting.delete(next[0]);
      now = Math.max(now, next[1].at);
      next[1].fire();
    }
  };
  return {
    now: () => now,
    at(at, fire) {
      sequence += 1;
      const key = sequence;
      waiting.set(key, { at, fire });
      if (at <= now) queueMicrotask(() => runDue(now));
      return () => {
        waiting.delete(key);
      };
    },
    advance(milliseconds) {
      const target = now + milliseconds;
      runDue(target);
      now = target;
    },
  };
}

/**
 * RFC 3339 in UTC with second precision, as the API server writes times. Source: apimachinery, pkg/apis/meta/v1/time.go
 * MarshalJSON.
 */
export const rfc3339 = (milliseconds: number): string => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

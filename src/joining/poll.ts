/** Asking again and again. Source: apimachinery, pkg/util/wait/{poll,loop}.go PollUntilContextTimeout. */
import type { Clock } from './ports.js';

/** Milliseconds from the beginning of one attempt to that of the next, and for all of them together. */
export interface Rhythm {
  readonly interval: number;
  readonly timeout: number;
}

/**
 * Attempts at once, then at each interval, until one gives a value; undefined when the time is over. An attempt under
 * way at that instant is not broken off, and one that took longer than the interval is followed by the next at once.
 */
export async function poll<T>(
  clock: Clock,
  { interval, timeout }: Rhythm,
  attempt: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const end = clock.now() + timeout;
  for (;;) {
    const next = clock.now() + interval;
    const value = await attempt();
    if (value !== undefined) return value;
    const due = Math.max(next, clock.now());
    if (due >= end) {
      await clock.sleep(Math.max(0, end - clock.now()));
      return undefined;
    }
    await clock.sleep(due - clock.now());
  }
}

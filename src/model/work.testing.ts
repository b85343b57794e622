/** For tests that hold work to a bound, on any machine and beside anybody. */

const TRIES = 5;

/** Work in proportion to a text of a million characters, which takes some 40 ms where nobody else works. */
const TEXT = 'a1b2c3d4e5f6g7h8i9j0k1l2m3n4 '.repeat(34_483);
const PATTERN = /[a-z0-9_.-]{29,}/g;
const USUAL_MS = 40;

function processorMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** By how much longer than usual this processor takes for the same now: others share it, or it is a slow one. */
const slowness = (): number => Math.max(1, processorMs(() => void TEXT.replace(PATTERN, '')) / USUAL_MS);

/**
 * Milliseconds of this process's own work, as a processor that nobody shares would take: of several tries the first
 * that takes less than `bound`, or the one that takes least, since collecting garbage and compiling are counted as well.
 */
export function workOf(work: () => void, bound: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES && least >= bound; time += 1) {
    const spent = processorMs(work);
    least = Math.min(least, spent < bound ? spent : spent / slowness());
  }
  return least;
}

/** For tests that hold work to a bound. */

const TRIES = 5;

/**
 * Milliseconds of this process's own work: of several tries the first that takes less than `bound`, or the one that
 * takes least, since collecting garbage and compiling are counted as well and a busy processor does less in its time.
 */
export function workOf(work: () => void, bound: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < TRIES && least >= bound; time += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

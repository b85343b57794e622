/** How quick a target is, measured by every request from its asking to its answer, tries and turns included. */

/** Requests that are looked back on. */
const RECENT = 48;
/** Milliseconds within which a target is quick. */
const QUICK_MS = 300;
/** A target that is slower than that is not waited for any longer. */
const SLOWEST = 8;

export class Pace {
  readonly #recent: number[] = [];
  #next = 0;

  /** Milliseconds of one request. */
  took(milliseconds: number): void {
    this.#recent[this.#next % RECENT] = milliseconds;
    this.#next += 1;
  }

  /** By how many times waiting takes longer here than on a quick target: a whole number from 1 to 8. */
  get times(): number {
    const mean = this.#recent.reduce((sum, one) => sum + one, 0) / Math.max(1, this.#recent.length);
    return Math.min(SLOWEST, Math.max(1, Math.ceil(mean / QUICK_MS)));
  }
}

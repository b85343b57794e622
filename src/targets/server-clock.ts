/** The clock of a server, by what it stamps: where that cannot be told from this machine's, it is this machine's. */

/** Stamps have whole seconds; below this the clocks count as one. */
const SKEW_MS = 2_000;
/** An answer that took longer, or came after several tries, shows too little of when it was given. */
const LONGEST_WAY_MS = 5_000;

export class ServerClock {
  /** Milliseconds that it is ahead; undefined: nothing has told yet. */
  #ahead: number | undefined;

  /** Milliseconds since the epoch. */
  now(): number {
    return Date.now() + (this.#ahead ?? 0);
  }

  /** Does a Date header say another time than this machine's clock? */
  get isSkewed(): boolean {
    return this.#ahead !== undefined && this.#ahead !== 0;
  }

  /** What it shows now, where that is known better than by Date headers. Milliseconds since the epoch. */
  shows(now: number): void {
    this.#differs(now - Date.now());
  }

  /**
   * The Date header of an answer to a question that left at `sentAt`. The first one decides: later ones would let time
   * jump within a scenario.
   */
  heard(date: string | readonly string[] | undefined, sentAt: number): void {
    if (this.#ahead !== undefined || typeof date !== 'string') return;
    const way = { sentAt, heardAt: Date.now() };
    const stamp = Date.parse(date);
    if (Number.isNaN(stamp) || way.heardAt - sentAt > LONGEST_WAY_MS) return;
    const ahead = aheadBy(stamp, way);
    // of one that was long under way it is not known that the clocks are one, but that they are not
    if (ahead !== 0 || way.heardAt - sentAt <= SKEW_MS) this.#differs(ahead);
  }

  #differs(milliseconds: number): void {
    this.#ahead = Math.abs(milliseconds) > SKEW_MS ? Math.round(milliseconds) : 0;
  }
}

/**
 * How far a server's clock is ahead of this machine's, where it has stamped what was under way then. Milliseconds; 0
 * where both may be one, however long that took.
 * @param stamp whole seconds, in milliseconds since the epoch
 */
export function aheadBy(stamp: number, way: { readonly sentAt: number; readonly heardAt: number }): number {
  const [least, most] = [stamp - way.heardAt, stamp + 1_000 - way.sentAt];
  return least <= 0 && most >= 0 ? 0 : (least + most) / 2;
}

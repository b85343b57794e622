/** At most so many at a time; the others wait for their turn, in order. */
export class Turns {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  readonly #quiet: (() => void)[] = [];
  #free: number;

  constructor(most: number) {
    this.#most = most;
    this.#free = most;
  }

  /** Resolves when it is the caller's turn; who takes a turn gives it back with `leave`. */
  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
    if (this.#free === this.#most) for (const resolve of this.#quiet.splice(0)) resolve();
  }

  /** Resolves when nobody has a turn, and nobody waits for one. */
  async quiet(): Promise<void> {
    if (this.#free < this.#most) await new Promise<void>((resolve) => this.#quiet.push(resolve));
  }

  async enter<T>(body: () => Promise<T>): Promise<T> {
    await this.take();
    try {
      return await body();
    } finally {
      this.leave();
    }
  }
}

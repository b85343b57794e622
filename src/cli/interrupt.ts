/**
 * One AbortSignal for a run: signals of the terminal and the time limit end in it. Clean-up is not aborted by the first
 * of them. The keeper of the thread (keeper.ts) is told what to be patient with.
 */
import { parentPort } from 'node:worker_threads';
import type { Word } from './keeper.js';

/** Messages end up as reasons of scenarios: they are sentences. */
class Interrupted extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'CannotJudge';
  }
}

const tell = (word: Word): void => parentPort?.postMessage(word);

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class Interrupt {
  /**
   * The signal's name; undefined while none came. The time limit is no signal: what was judged until then is reported.
   */
  by: string | undefined;
  readonly #controller = new AbortController();
  readonly #listener: (name: NodeJS.Signals) => void;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #holds: boolean;
  #second: () => void = () => {};

  /**
   * `seconds`: limit of the whole run; undefined: none. `holds`: it makes things that it has to remove before it ends.
   */
  constructor(seconds: number | undefined, holds = false) {
    this.#holds = holds;
    if (holds) tell({ holds });
    this.#listener = (name) => this.#take(name);
    for (const name of SIGNALS) process.on(name, this.#listener);
    if (seconds !== undefined) {
      this.#timer = setTimeout(
        () => this.#controller.abort(new Interrupted(`the time limit of ${seconds} s was over (--timeout)`)),
        seconds * 1000,
      );
      tell({ deadline: seconds * 1000 });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** What a second signal breaks off: the clean-up. */
  onSecond(action: () => void): void {
    this.#second = action;
  }

  /** Reports are about to be written. */
  writing(): void {
    tell({ writes: true });
  }

  end(): void {
    clearTimeout(this.#timer);
    for (const name of SIGNALS) process.off(name, this.#listener);
  }

  #take(name: NodeJS.Signals): void {
    if (this.by !== undefined) {
      this.#second();
      return;
    }
    this.by = name;
    const holding = this.#holds ? ' and removing what this run made; once more breaks that off' : '';
    process.stderr.write(`\njoinproof: ${name}: stopping${holding}.\n`);
    this.#controller.abort(new Interrupted(`interrupted by ${name}`));
  }
}

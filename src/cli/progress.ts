import { visible } from '../model/foreign.js';

/** A clean-up that takes no longer is not worth a line. Milliseconds. */
const PATIENCE_MS = 5_000;

/** One line on a terminal that says how far the run is; nothing anywhere else. */
export class Progress {
  readonly #terminal: NodeJS.WriteStream | undefined;
  #shownAt = 0;

  /** Says nothing at all without a stream. */
  constructor(stream: NodeJS.WriteStream | undefined) {
    this.#terminal = stream?.isTTY && process.env.TERM !== 'dumb' ? stream : undefined;
  }

  /** `what`: of which `total` are to be done, and what is done just now. */
  show(done: number, total: number, what: string): void {
    const now = performance.now();
    if (this.#terminal === undefined || (now - this.#shownAt < 50 && done < total)) return;
    this.#shownAt = now;
    this.#terminal.write(`\r\u001b[2K${done}/${total} ${visible(what)}`);
  }

  clear(): void {
    if (this.#terminal !== undefined && this.#shownAt > 0) this.#terminal.write('\r\u001b[2K');
    this.#shownAt = 0;
  }
}

/** How far a clean-up is: on standard error, which is where people look when a run seems to hang. */
export class CleaningProgress {
  readonly #stream: NodeJS.WriteStream;
  readonly #now: () => number;
  readonly #line: Progress;
  readonly #beganAt: number;
  #told = false;

  /** `now`: milliseconds of a steady clock. */
  constructor(stream: NodeJS.WriteStream = process.stderr, now: () => number = () => performance.now()) {
    this.#stream = stream;
    this.#now = now;
    this.#line = new Progress(stream);
    this.#beganAt = now();
  }

  show(gone: number, known: number): void {
    this.#line.show(gone, known, 'objects of joinproof removed');
    if (this.#told || this.#stream.isTTY || this.#now() - this.#beganAt < PATIENCE_MS) return;
    this.#told = true;
    this.#stream.write(`joinproof: removing what joinproof made takes longer: ${gone} of ${known} objects are gone.\n`);
  }

  clear(): void {
    this.#line.clear();
  }
}

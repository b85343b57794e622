import { visible } from '../model/foreign.js';

/** One line on a terminal that says how far the run is; nothing anywhere else. */
export class Progress {
  readonly #terminal: NodeJS.WriteStream | undefined;
  #shownAt = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#terminal = stream.isTTY && process.env.TERM !== 'dumb' ? stream : undefined;
  }

  show(done: number, total: number, rule: string): void {
    const now = performance.now();
    if (this.#terminal === undefined || (now - this.#shownAt < 50 && done < total)) return;
    this.#shownAt = now;
    this.#terminal.write(`\r\u001b[2K${done}/${total} scenarios  ${visible(rule)}`);
  }

  clear(): void {
    if (this.#terminal !== undefined && this.#shownAt > 0) this.#terminal.write('\r\u001b[2K');
  }
}

/** Why it is asked again, for who looks on: kubeadm and the kubelet say so at higher verbosity alone. */
import type { Machine } from './ports.js';

export class AskingAgain {
  readonly #machine: Pick<Machine, 'tell'>;
  readonly #place: string;
  /** The reason of the last attempt; '': there was none. It holds no secret. */
  why = '';

  /** @param place what the lines begin with, "[discovery]" */
  constructor(machine: Pick<Machine, 'tell'>, place: string) {
    this.#machine = machine;
    this.#place = place;
  }

  /** Tells a reason where it is another than before. */
  because(why: string): void {
    if (why !== this.why) this.#machine.tell(`${this.#place} Will ask again: ${why}`);
    this.why = why;
  }
}

/**
 * What one run knows of a controller that may never act: it is waited for in earnest once. Who comes later looks for a
 * moment only, as long as nobody has seen it act; one act is enough, and all wait in earnest again.
 */
export class Silence {
  #acts = false;
  #vain = false;

  /** It was waited for in vain, and nobody has seen it act. */
  get isSilent(): boolean {
    return this.#vain && !this.#acts;
  }

  /** How long it is waited for now. */
  within({ earnest, moment }: { readonly earnest: number; readonly moment: number }): number {
    return this.isSilent ? Math.min(earnest, moment) : earnest;
  }

  /** How a wait has ended: it has done something, be it good or not, or the time was over. */
  ended(acted: boolean): void {
    if (acted) this.#acts = true;
    else this.#vain = true;
  }
}

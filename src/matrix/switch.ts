/**
 * Which of the changes in changed steps is made. Steps that were changed on purpose ask for it at each place, by a
 * global name, since they import nothing for it.
 */
export const SWITCH = '__joinproofChange';

class Switch {
  readonly #passed = new Set<number>();

  constructor(readonly change: number | undefined) {}

  is(change: number): boolean {
    this.#passed.add(change);
    return change === this.change;
  }

  get passed(): readonly number[] {
    return [...this.#passed];
  }
}

const all = globalThis as unknown as Record<string, Switch | undefined>;

/** From here on that change is made, and none where there is none. */
export const switchTo = (change: number | undefined): void => {
  all[SWITCH] = new Switch(change);
};

/** The places that were passed since, whichever change is made there. */
export const passedSince = (): readonly number[] => all[SWITCH]?.passed ?? [];

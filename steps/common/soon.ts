/** Observations that are taken again until they are good, or the time is over. */
import type { Check } from '../../src/model/check.js';
import type { World } from '../../src/run/world.js';

/** What is waited for. */
export interface Awaited<Observation, Parameters> {
  readonly check: Check<Observation, Parameters>;
  /** Milliseconds. */
  readonly within: number;
  /** Milliseconds between two looks; default 100. */
  readonly every?: number;
}

/** Would everything that the check finds be met? Nothing to look at is met, too. */
export const isMet = <O, P>(check: Check<O, P>, observation: O, parameters: P): boolean =>
  check.judge(observation, parameters).every(({ result }) => result === 'met');

/**
 * Observes until the check finds everything met; returns the last observation, which is then put to the check once.
 * Nothing is judged here. `this.check(signedFor, await soon(this, { check: signedFor, within: IN_TIME }, () => …))`
 */
export function soon<O>(world: World, awaited: Awaited<O, undefined>, observe: () => Promise<O>): Promise<O>;
export function soon<O, P>(
  world: World,
  awaited: Awaited<O, P> & { readonly parameters: P },
  observe: () => Promise<O>,
): Promise<O>;
export async function soon<O, P>(
  world: World,
  { check, within, every, parameters }: Awaited<O, P> & { readonly parameters?: P },
  observe: () => Promise<O>,
): Promise<O> {
  let last!: O;
  await world.eventually(
    // what was written down does not change any more
    world.target.kind === 'dump' ? 0 : within,
    async () => {
      last = await observe();
      return isMet(check, last, parameters as P) ? true : undefined;
    },
    every,
  );
  return last;
}

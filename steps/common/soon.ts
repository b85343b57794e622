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
      if (isMet(check, last, parameters as P)) return true;
      world.lookAfresh();
      return undefined;
    },
    every,
  );
  return last;
}

/**
 * What was put together from objects that were read one after another: where the check finds it wanting it is looked at
 * once more, since somebody may have been at work in between.
 */
export async function settled<O, P>(
  world: World,
  { check, parameters }: { readonly check: Check<O, P>; readonly parameters: P },
  first: O,
  again: () => Promise<O>,
): Promise<O> {
  if (isMet(check, first, parameters)) return first;
  world.lookAfresh();
  return again();
}

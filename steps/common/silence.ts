/** Waiting for a controller that may never act: in earnest once a run. */
import { Silence } from '../../src/run/silence.js';
import type { World } from '../../src/run/world.js';
import { type Awaited, soon } from './soon.js';
import { A_MOMENT } from './waiting.js';

/** What a controller is to do. */
export interface Act<O> extends Awaited<O, undefined> {
  readonly controller: string;
  /** It has done something, be it good or not. */
  readonly acted: (seen: O) => boolean;
}

const silenceOf = (world: World, controller: string): Promise<Silence> =>
  world.shared(`${controller} of ${world.target.name}`, () => Promise.resolve(new Silence()));

/** It was waited for in vain, and nobody has seen it act. */
export const isSilent = async (world: World, controller: string): Promise<boolean> =>
  (await silenceOf(world, controller)).isSilent;

/** As `soon`, of what a controller does. Where time is moved nobody waits, and all wait in earnest. */
export async function soonBy<O>(
  world: World,
  { controller, acted, ...awaited }: Act<O>,
  observe: () => Promise<O>,
): Promise<O> {
  const silence = await silenceOf(world, controller);
  const moved = world.target.abilities.clock !== undefined;
  const within = moved ? awaited.within : silence.within({ earnest: awaited.within, moment: A_MOMENT });
  const seen = await soon(world, { ...awaited, within }, observe);
  silence.ended(acted(seen));
  return seen;
}

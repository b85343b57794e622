/** A client before a server, once a run: whoever looks at what it did sees the same. */
import type { ClientRun } from '../../src/kubernetes/transcript.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';

/** What the scenario looks at. */
export const RUNS = slot<readonly ClientRun[]>('a client before servers');

/** Ends the scenario as error where there is no such server: a mistake of the feature. */
export async function runBefore(world: World, server: string): Promise<ClientRun> {
  const client = world.ability('client');
  const run = await world.shared(`a client before ${server}`, () => client.join(server));
  return run ?? world.unknown(`there is no server "${server}" that a client could be before`);
}

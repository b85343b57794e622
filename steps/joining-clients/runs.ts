/** A client before a server, once a run: whoever looks at what it did sees the same. */

import type { Machines } from '../../src/checks/joined-files.js';
import { readMachine } from '../../src/checks/joined-files-reader.js';
import type { Attempts } from '../../src/checks/joining-client.js';
import { readAttempt } from '../../src/checks/joining-client-reader.js';
import { remembered } from '../../src/kubernetes/remembered.js';
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

/** What was read of a run, which many sentences look at. */
export const attemptOf = remembered(readAttempt);
const machineOf = remembered(readMachine);

/** Of every server of the scenario. */
export const attempts = (world: World): Attempts => world.get(RUNS).map(attemptOf);
export const machines = (world: World): Machines => world.get(RUNS).map(machineOf);

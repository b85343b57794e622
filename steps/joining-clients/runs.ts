/** A client before a server, once a run: whoever looks at what it did sees the same. */

import type { Machines } from '../../src/checks/joining-clients/joined-files.js';
import { readMachine } from '../../src/checks/joining-clients/joined-files-reader.js';
import type { Attempts } from '../../src/checks/joining-clients/joining-attempts.js';
import { clientIsOne, clientJoins, showsOne, whyNotJoined } from '../../src/checks/joining-clients/joining-client.js';
import { readAttempt } from '../../src/checks/joining-clients/joining-client-reader.js';
import { remembered } from '../../src/kubernetes/remembered.js';
import type { ClientRun } from '../../src/kubernetes/transcript.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { NodeFile } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';

/** What the scenario looks at. */
export const RUNS = slot<readonly ClientRun[]>('a client before servers');

/** Ends the scenario as error where there is no such server: a mistake of the feature. */
export async function runBefore(world: World, server: string): Promise<ClientRun> {
  const client = world.ability('client');
  const run = await world.shared(`a client before ${server}`, () => client.join(server));
  return run ?? world.unknown(`there is no server "${server}" that a client could be before`);
}

/** Those servers that the client can be before; why it cannot be before all is said of the scenario. */
export function possible(world: World, servers: readonly string[]): readonly string[] {
  const { program } = world.ability('client');
  const lacking = new Map(servers.map((server) => [server, program?.lacks(server)] as const));
  const there = servers.filter((server) => lacking.get(server) === undefined);
  if (there.length === servers.length) return servers;
  const text = [...new Set(lacking.values())].filter((why) => why !== undefined).join('; ');
  if (there.length === 0) world.skip('ability', text);
  world.partly('ability', text);
  return there;
}

/** The server by which it is seen that the client joins: this one, or one that it can be before. */
export function soundServer(world: World, server: string): string {
  const { program } = world.ability('client');
  const why = program?.lacks(server);
  if (program === undefined || why === undefined) return server;
  return program.honest(server) ?? world.skip('ability', why);
}

/** What a program does before the honest twins of these servers; of a client that is known to be one: nothing. */
export function honestRuns(world: World, servers: readonly string[]): Promise<readonly ClientRun[]> {
  const { program } = world.ability('client');
  const honest = new Set(servers.flatMap((server) => program?.honest(server) ?? []));
  return Promise.all([...honest].map((server) => runBefore(world, server)));
}

/**
 * That it joins in all of these, which demands take for granted. `otherwise` is told why it does not, of a client that
 * is seen to be one before other servers. False for what is no client: the scenario has ended as error.
 */
export async function grantJoins(
  world: World,
  runs: readonly ClientRun[],
  otherwise: (why: string) => void,
): Promise<boolean> {
  const { program } = world.ability('client');
  const tried = runs.map(attemptOf);
  const why = whyNotJoined(tried);
  if (why === undefined || program === undefined) return tried.length === 0 || world.grant(clientJoins, tried);
  const others = showsOne(tried) ? [] : await forEach(world, program.telling, (server) => runBefore(world, server));
  if (!world.grant(clientIsOne, [...tried, ...others.map(attemptOf)])) return false;
  otherwise(why);
  return true;
}

/** Whether nothing is known of this file; what rests on it is left out, and the scenario says so. */
export function lacksFile(world: World, role: NodeFile): boolean {
  const why = world.ability('client').program?.lacksFile(role);
  if (why !== undefined) world.partly('ability', why);
  return why !== undefined;
}

/** What was read of a run, which many sentences look at. */
export const attemptOf = remembered(readAttempt);
const machineOf = remembered(readMachine);

/** Of every server of the scenario. */
export const attempts = (world: World): Attempts => world.get(RUNS).map(attemptOf);
export const machines = (world: World): Machines => world.get(RUNS).map(machineOf);

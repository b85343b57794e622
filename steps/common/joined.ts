/** Machines of the scenario's own: joining with a token, and the nodes that came of it. */
import { type Ended, machineIssued, readEnded } from '../../src/checks/bootstrap-tokens/machine.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { decide, type Machine, machineOf, type Outcome, type Pair } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { CONTROLLER_MS, OWN_REQUESTS } from './csr-requests.js';
import { joinsWithTokens, type Made } from './tokens.js';

export interface Joined {
  readonly kubelet: Machine;
  /** Its first one. */
  readonly request: CertificateSigningRequest;
  /** Its first one. */
  readonly pair: Pair;
}

/** A machine that has not joined yet. */
export const MACHINE = slot<Machine>('a machine');
/** "the node" */
export const NODE = slot<Joined>('a node that has joined');

/** The same node, asking as this scenario. */
export const here = (world: World, { kubelet, ...rest }: Joined): Joined => ({
  ...rest,
  kubelet: kubelet.on(world.cluster),
});

export const machineWith = (world: World, token: Made): Machine =>
  machineOf({
    cluster: world.cluster,
    nodeName: `jp-${world.random(10)}`,
    token: token.token,
    generateName: OWN_REQUESTS,
  });

interface Tried {
  readonly kubelet: Machine;
  readonly outcome: Outcome;
  readonly ended: Ended;
}

/** How a machine fares that bootstraps with the token; where nobody approves automatically an administrator does. */
export async function tryToJoin(world: World, token: Made): Promise<Tried> {
  const kubelet = machineWith(world, token);
  let outcome = await kubelet.start(5_000);
  if (outcome.kind === 'waiting') {
    await decide(world.admin, outcome.request.metadata.name ?? '', 'Approved');
    outcome = await kubelet.goOn(world.patiently(CONTROLLER_MS));
  }
  if (outcome.kind === 'refused') joinsWithTokens(world, outcome.answer.status);
  return { kubelet, outcome, ended: readEnded(`the machine ${kubelet.nodeName}`, outcome) };
}

/** A machine that has joined with the token. */
export async function join(world: World, token: Made): Promise<Joined> {
  const { kubelet, outcome, ended } = await tryToJoin(world, token);
  world.grant(machineIssued, [ended], { demanded: 'joins, so that there is a node to ask as' });
  if (outcome.kind !== 'issued') return world.unknown(`a machine could not join to begin with: ${outcome.kind}`);
  world.secret(outcome.pair.key);
  return { kubelet, request: outcome.request, pair: outcome.pair };
}

/** A node that scenarios of one cluster share, because they only ask as it. */
export async function sharedNode(world: World, make: () => Promise<Joined>): Promise<Joined> {
  return world.put(NODE, here(world, await world.shared(`a joined node of ${world.target.name}`, make)));
}

/** Two machines that have joined, and what came of what they try. */
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { here, type Joined, join } from '../common/node-client.js';
import { joiningToken } from '../common/tokens.js';

const NODES = slot<{ readonly first: Joined; readonly second: Joined }>('two nodes');
/** Their kubelets. */
export const nodes = (world: World) => {
  const { first, second } = world.get(NODES);
  return { first: first.kubelet, second: second.kubelet };
};

export async function twoNodes(world: World): Promise<void> {
  const { first, second } = await world.shared('two joined nodes', async () => {
    const token = await joiningToken(world);
    return { first: await join(world, token), second: await join(world, token) };
  });
  world.put(NODES, { first: here(world, first), second: here(world, second) });
}

/** Authorization and admission have let it through: what is not there, or there already, is found out after them. */
export const THROUGH = { statuses: [200, 201, 202, 404, 409] };

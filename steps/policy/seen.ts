/** What several sentences of the policy look at, read once a run: before anything else is, as it is shared. */
import type { DaemonSeen, NodeSeen } from '../../src/checks/policy/kubeadm-addons.js';
import type { World } from '../../src/run/world.js';
import { atRest } from '../common/searched.js';

/** Labels and taints of all Nodes. */
export const nodesSeen = async (world: World): Promise<readonly NodeSeen[]> =>
  (await atRest(world, 'nodes')).map(({ seen }) => seen);

/** DaemonSets of all namespaces. */
export const daemonsSeen = (world: World): Promise<readonly DaemonSeen[]> => atRest(world, 'daemonSets');

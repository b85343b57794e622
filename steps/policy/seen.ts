/** What several sentences of the policy look at, read once a run. */
import { type DaemonSeen, type NodeSeen, readDaemonSeen, readNodeSeen } from '../../src/checks/kubeadm-addons.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';

/** Labels and taints of all Nodes. */
export const nodesSeen = (world: World): Promise<readonly NodeSeen[]> =>
  world.shared(`labels of nodes of ${world.target.name}`, () => world.objects.list(resources.nodes, {}, readNodeSeen));

/** DaemonSets of all namespaces. */
export const daemonsSeen = (world: World): Promise<readonly DaemonSeen[]> =>
  world.shared(`DaemonSets of ${world.target.name}`, () =>
    world.objects.list(resources.daemonSets, {}, readDaemonSeen),
  );

/** The bootstrap tokens of the cluster and whom their bearers are taken for. */

import type { Asked } from '../../src/checks/authorization/access-questions.js';
import { tokensWithGroups } from '../../src/checks/bootstrap-tokens/token-groups.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
} from '../../src/kubernetes/names.js';
import type { World } from '../../src/run/world.js';
import { tokensOfKubeSystem } from './token-secrets.js';

const holderOf = (groups: string): Asked => ({
  user: `${BOOTSTRAP_USER_PREFIX}abcdef`,
  groups: [GROUP_BOOTSTRAPPERS, ...groups.split(','), GROUP_AUTHENTICATED],
});

/** The bearer of a token of kubeadm's group. */
export const JOINING = holderOf(GROUP_DEFAULT_NODE_TOKEN);

/** Every set of groups that a bearer of a token of this cluster can have; kubeadm's default among them. */
export async function bootstrapHolders(world: World): Promise<readonly Asked[]> {
  const groups = tokensWithGroups(await tokensOfKubeSystem(world)).map((token) => [...token.groups].sort().join(','));
  return [...new Set([GROUP_DEFAULT_NODE_TOKEN, ...groups])].sort().map(holderOf);
}

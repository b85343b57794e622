/** The bootstrap tokens of the cluster and whom their bearers are taken for. */

import type { Asked } from '../../src/checks/access-questions.js';
import { tokensWithGroups } from '../../src/checks/token-groups.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  KUBE_SYSTEM,
  TOKEN_SECRET_TYPE,
} from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';

export const tokenSecrets = (world: World): Promise<Secret[]> =>
  world.objects.list<Secret>(resources.secrets, { namespace: KUBE_SYSTEM, fieldSelector: `type=${TOKEN_SECRET_TYPE}` });

const holderOf = (groups: string): Asked => ({
  user: `${BOOTSTRAP_USER_PREFIX}abcdef`,
  groups: [GROUP_BOOTSTRAPPERS, ...groups.split(','), GROUP_AUTHENTICATED],
});

/** The bearer of a token of kubeadm's group. */
export const JOINING = holderOf(GROUP_DEFAULT_NODE_TOKEN);

/** Every set of groups that a bearer of a token of this cluster can have; kubeadm's default among them. */
export async function bootstrapHolders(world: World): Promise<readonly Asked[]> {
  const groups = tokensWithGroups(await tokenSecrets(world)).map((token) => [...token.groups].sort().join(','));
  return [...new Set([GROUP_DEFAULT_NODE_TOKEN, ...groups])].sort().map(holderOf);
}

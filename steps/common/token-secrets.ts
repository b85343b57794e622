/**
 * The bootstrap token Secrets of the cluster, without joinproof's own, each read once by the scenarios that only look.
 */
import { tokenSecretIn } from '../../src/checks/bootstrap-tokens/token-secrets.js';
import { KUBE_SYSTEM, TOKEN_SECRET_TYPE } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import type { Keep } from '../../src/targets/types.js';

const OF_THE_TYPE = `type=${TOKEN_SECRET_TYPE}`;

const theirTokens = (world: World): Keep<Secret> => world.theirs(resources.secrets, tokenSecretIn);

/** Those of kube-system that have the type, or a name like one. */
export const tokensAndLikes = (world: World): Promise<readonly Secret[]> =>
  world.atRest('Secrets of kube-system', () =>
    world.objects.list(resources.secrets, { namespace: KUBE_SYSTEM }, theirTokens(world)),
  );

/** Those of kube-system that have the type. */
export const tokensOfKubeSystem = (world: World): Promise<readonly Secret[]> =>
  world.atRest('bootstrap tokens', async () =>
    (await tokensAndLikes(world)).filter(({ type }) => type === TOKEN_SECRET_TYPE),
  );

/** Those of all namespaces that have the type. */
export const tokensEverywhere = (world: World): Promise<readonly Secret[]> =>
  world.atRest('bootstrap tokens of all namespaces', async () => {
    const fieldSelector = `${OF_THE_TYPE},metadata.namespace!=${KUBE_SYSTEM}`;
    const [here, elsewhere] = await Promise.all([
      tokensOfKubeSystem(world),
      world.objects.list(resources.secrets, { fieldSelector }, theirTokens(world)),
    ]);
    return [...here, ...elsewhere];
  });

/**
 * The bootstrap token Secrets of the cluster, without joinproof's own, each read once by the scenarios that only look.
 */
import { tokenSecretIn } from '../../src/checks/bootstrap-tokens/token-secrets.js';
import { type ShownBy, shownByDescription } from '../../src/checks/policy/shown-keys.js';
import { KUBE_SYSTEM, TOKEN_SECRET_TYPE } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import type { Keep } from '../../src/targets/types.js';

const OF_THE_TYPE = `type=${TOKEN_SECRET_TYPE}`;

const theirTokens = (world: World): Keep<Secret> => world.theirs(resources.secrets, tokenSecretIn);

/** Of a long description nothing but the beginning is kept: what it shows is looked for before. */
const secretsOfKubeSystem = (world: World) =>
  world.atRest('Secrets of kube-system', async () => {
    const described = new Map<string, ShownBy>();
    const keep = world.theirs(resources.secrets, (object) => {
      const token = tokenSecretIn(object);
      const shown = token?.type === TOKEN_SECRET_TYPE ? shownByDescription(object) : undefined;
      if (shown !== undefined) described.set(shown.subject, shown);
      return token;
    });
    const tokens = await world.objects.list(resources.secrets, { namespace: KUBE_SYSTEM }, keep);
    return { tokens, described: [...described.values()] };
  });

/** Those of kube-system that have the type, or a name like one. */
export const tokensAndLikes = async (world: World): Promise<readonly Secret[]> =>
  (await secretsOfKubeSystem(world)).tokens;

/** What tokens of kube-system are described by that shows something. */
export const shownByDescriptions = async (world: World): Promise<readonly ShownBy[]> =>
  (await secretsOfKubeSystem(world)).described;

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

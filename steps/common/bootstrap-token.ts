/** A bootstrap token of the scenario's own, proven to work before anything is concluded from a refusal. */
import { writeRfc3339 } from '../../src/checks/rfc3339.js';
import { GROUP_DEFAULT_NODE_TOKEN, KUBE_SYSTEM, TOKEN_KEYS, TOKEN_SECRET_PREFIX } from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import { clientOf, eventually, makeToken } from './tokens.js';

/** How long a token of ours lives if nobody deletes it, in milliseconds; where the clock is moved by hours, longer than all moves. */
const LIFE = 30 * 60_000;
const LIFE_ON_A_MOVED_CLOCK = 30 * 86_400_000;
/** An API server learns of a new Secret by its watch. */
const SEEN_WITHIN = 10_000;

export interface JoinToken {
  readonly id: string;
  readonly token: string;
  readonly client: Asker;
}

/** Makes a token that logs in, in kubeadm's group (or `groups`), on the cluster that the scenario is about, and waits until its API server takes it. */
export async function joinToken(world: World, groups: string = GROUP_DEFAULT_NODE_TOKEN): Promise<JoinToken> {
  const life = world.target.abilities.clock !== undefined ? LIFE_ON_A_MOVED_CLOCK : LIFE;
  const made = await makeToken(world, '', {
    [TOKEN_KEYS.groups]: groups,
    [TOKEN_KEYS.expiration]: writeRfc3339(world.now() + life),
  });
  const client = clientOf(world, made);
  // /version is public: a good token gets 200, one that is not yet known 401
  const answered = await eventually(world, SEEN_WITHIN, async () =>
    (await client.ask({ path: '/version' })).status === 401 ? undefined : true,
  );
  world.control({
    object: `the new bootstrap token ${made.id}`,
    demanded: 'logs in',
    seen: answered === undefined ? 'the API server answers 401' : 'it does',
    ok: answered !== undefined,
  });
  return { id: made.id, token: made.token, client };
}

/** A refusal (403) of a joining token's request says nothing where kubeadm did not set the cluster up: machines may join it in another way. */
export function joinsWithTokens(world: World, status: number): void {
  if (status !== 403 || world.holds('kubeadm')) return;
  world.skip(
    'nothing',
    'kubeadm has not set this cluster up, and RBAC lets no joining token ask for a certificate: machines do not join it with tokens',
  );
}

/** Deletes the Secret of a token of ours. */
export async function deleteToken(world: World, id: string): Promise<void> {
  await world.writes.delete(resources.secrets, `${TOKEN_SECRET_PREFIX}${id}`, KUBE_SYSTEM);
}

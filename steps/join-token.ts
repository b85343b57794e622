/** A bootstrap token of the scenario's own, proven to work before anything is concluded from a refusal. */
import { GROUP_DEFAULT_NODE_TOKEN, KUBE_SYSTEM, TOKEN_KEYS, TOKEN_SECRET_PREFIX, TOKEN_SECRET_TYPE, USAGE_AUTHENTICATION } from '../src/kubernetes/names.js';
import type { Secret } from '../src/kubernetes/objects.js';
import { resources } from '../src/kubernetes/resources.js';
import type { World } from '../src/run/world.js';
import type { Client, Target } from '../src/targets/types.js';

/** How long a token of ours lives if nobody deletes it, in milliseconds; where the clock is moved by hours, longer than all moves. */
const LIFE = 30 * 60_000;
const LIFE_ON_A_MOVED_CLOCK = 30 * 86_400_000;
/** An API server learns of a new Secret by its watch. */
const SEEN_WITHIN = 10_000;

export interface JoinToken {
  readonly id: string;
  readonly token: string;
  readonly client: Client;
}

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Makes a token that logs in, in kubeadm's group (or `groups`), and waits until the API server takes it. */
export async function joinToken(world: World, groups: string = GROUP_DEFAULT_NODE_TOKEN): Promise<JoinToken> {
  world.need('write');
  return joinTokenOn(world, world.target, groups);
}

/** The same on a cluster of the scenario's own. */
export async function joinTokenOn(world: World, target: Target, groups: string = GROUP_DEFAULT_NODE_TOKEN): Promise<JoinToken> {
  const id = world.random(6);
  const half = world.random(16);
  const token = `${id}.${half}`;
  target.secret(half);
  await target.admin.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `${TOKEN_SECRET_PREFIX}${id}`, namespace: KUBE_SYSTEM },
    type: TOKEN_SECRET_TYPE,
    data: {
      [TOKEN_KEYS.id]: base64(id),
      [TOKEN_KEYS.secret]: base64(half),
      [TOKEN_KEYS.description]: base64('made by joinproof'),
      [TOKEN_KEYS.expiration]: base64(
        new Date(target.clock.now() + (target.capabilities.has('clock') ? LIFE_ON_A_MOVED_CLOCK : LIFE)).toISOString().replace(/\.\d+Z$/, 'Z'),
      ),
      [TOKEN_KEYS.groups]: base64(groups),
      [USAGE_AUTHENTICATION]: base64('true'),
    },
  });
  const client = target.as({ kind: 'token', token });
  // /version is public: a good token gets 200, one that is not yet known 401
  const answered = await world.eventually(
    SEEN_WITHIN,
    async () => ((await client.ask({ path: '/version' })).status === 401 ? undefined : true),
    100,
    target.clock,
  );
  world.control({
    object: `the new bootstrap token ${id}`,
    demanded: 'logs in',
    seen: answered === undefined ? 'the API server answers 401' : 'it does',
    ok: answered !== undefined,
  });
  return { id, token, client };
}

/** A refusal (403) of a joining token's request says nothing where kubeadm did not set the cluster up: machines may join it in another way. */
export function joinsWithTokens(world: World, status: number): void {
  if (status !== 403 || world.target.capabilities.has('kubeadm')) return;
  world.skip('kubeadm has not set this cluster up, and RBAC lets no joining token ask for a certificate: machines do not join it with tokens');
}

/** Deletes the Secret of a token of ours. */
export async function deleteToken(world: World, id: string): Promise<void> {
  await world.target.admin.delete(resources.secrets, `${TOKEN_SECRET_PREFIX}${id}`, KUBE_SYSTEM);
}

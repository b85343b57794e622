/** What the sentences about joining machines and their nodes share: joining, asking as a node, Pods on a node. */
import { messageOf } from '../../src/checks/access.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { Machine as Kubelet } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Asker } from '../../src/targets/types.js';
import type { Joined } from './joined.js';

export { here, type Joined, join } from './joined.js';

export const nodeOf = (world: World, which: string): Kubelet => world.kept<Joined>(which).kubelet;
export const textOf = ({ status, body }: Answer): string => `${status} ${messageOf(body)}`.trimEnd();

/** A request of a node must come through. */
export async function may(
  world: World,
  client: Pick<Asker, 'ask'>,
  what: string,
  question: Parameters<Asker['ask']>[0],
  wanted: readonly number[] = [200, 201],
): Promise<Answer> {
  const answer = await client.ask(question);
  world.expect({ object: what, demanded: 'is allowed', seen: textOf(answer), ok: wanted.includes(answer.status) });
  return answer;
}

/** A request of a node must be forbidden. */
export async function mayNot(
  world: World,
  client: Pick<Asker, 'ask'>,
  what: string,
  question: Parameters<Asker['ask']>[0],
): Promise<void> {
  const answer = await client.ask(question);
  if (answer.status === 401 || answer.status >= 500) return world.unknown(`${what}: ${textOf(answer)}`);
  world.expect({ object: what, demanded: 'is forbidden (403)', seen: textOf(answer), ok: answer.status === 403 });
}

export const merge = 'application/merge-patch+json';
export const ownStatus = (name: string): Parameters<Asker['ask']>[0] => ({
  method: 'PATCH',
  path: pathOf(resources.nodes, { name, subresource: 'status' }),
  contentType: merge,
  body: {
    status: {
      conditions: [{ type: 'Ready', status: 'False', reason: 'JoinproofSays', message: 'a node of joinproof' }],
    },
  },
});

export async function register(world: World, kubelet: Kubelet): Promise<void> {
  const answer = await kubelet.registerNode();
  world.expect({
    object: `create nodes, as ${NODE_USER_PREFIX}${kubelet.nodeName}`,
    demanded: 'is allowed (201)',
    seen: textOf(answer),
    ok: [201, 409].includes(answer.status),
  });
}

/** A Pod that nothing runs: bound by its creator, without a service account's token. */
export const podObject = (world: World, nodeName: string, secret?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
  spec: {
    nodeName,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'nothing', image: 'joinproof.invalid/nothing' }],
    ...(secret === undefined ? {} : { volumes: [{ name: 'secret', secret: { secretName: secret } }] }),
  },
});

export async function podOn(world: World, kubelet: Kubelet, secret?: string): Promise<string> {
  await register(world, kubelet);
  const pod = await world.writes.create(resources.pods, podObject(world, kubelet.nodeName, secret));
  return world.keep('pod', pod.metadata.name ?? '');
}

export const podsOf = (nodeName: string): Parameters<Asker['ask']>[0] => ({
  path: pathOf(resources.pods),
  query: { fieldSelector: `spec.nodeName=${nodeName}` },
});

export async function seesPod(world: World, kubelet: Kubelet): Promise<void> {
  const pod = world.kept<string>('pod');
  const answer = await may(
    world,
    kubelet.node,
    `list pods bound to ${kubelet.nodeName}, as that node`,
    podsOf(kubelet.nodeName),
  );
  const names = itemNames(answer.body);
  world.expect({
    object: `the Pods bound to ${kubelet.nodeName}`,
    demanded: `include ${pod}`,
    seen: names.join(', ') || 'none',
    ok: names.includes(pod),
  });
}

export function itemNames(body: unknown): string[] {
  const items =
    typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items)
      ? (body.items as readonly KubeObject[])
      : [];
  return items.map((item) => item.metadata.name ?? '');
}

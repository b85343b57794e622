/** What the sentences about joining machines and their nodes share: joining, asking as a node, Pods on a node. */

import { requestAllowed } from '../../src/checks/authorization/access.js';
import { type Answered, seenIn } from '../../src/checks/common/answers.js';
import { isThere } from '../../src/checks/common/presence.js';
import { record, records, text } from '../../src/kubernetes/json.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { noContainer } from '../../src/kubernetes/own-objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { Machine as Kubelet } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Asker, Question } from '../../src/targets/types.js';

export { here, type Joined, join } from './joined.js';

/** A request of a node must come through. */
export async function may(world: World, client: Pick<Asker, 'ask'>, what: string, question: Question): Promise<Answer> {
  const answer = await client.ask(question);
  world.check(requestAllowed, [{ subject: what, answer: seenIn(answer) }], {});
  return answer;
}

/** What a refusal of the scenario takes for granted: the same node, allowed something. */
export async function grantMay(
  world: World,
  client: Pick<Asker, 'ask'>,
  what: string,
  question: Question,
): Promise<void> {
  world.grant(requestAllowed, [{ subject: what, answer: seenIn(await client.ask(question)) }], {
    statuses: [200, 201, 202],
  });
}

/** What our nodes report: nothing is to be scheduled to them. */
export const NOT_READY = { type: 'Ready', status: 'False', reason: 'JoinproofSays', message: 'a node of joinproof' };
export const ownStatus = (name: string): Question => ({
  method: 'PATCH',
  path: pathOf(resources.nodes, { name, subresource: 'status' }),
  contentType: PATCH_TYPES.merge,
  body: { status: { conditions: [NOT_READY] } },
});

const registering = async (kubelet: Kubelet): Promise<readonly Answered[]> => [
  {
    subject: `create nodes, as ${NODE_USER_PREFIX}${kubelet.nodeName}`,
    answer: seenIn(await kubelet.registerNode()),
  },
];
/** 409: another scenario has registered it. */
const REGISTERED = { statuses: [201, 409] };

export async function register(world: World, kubelet: Kubelet): Promise<boolean> {
  return world.check(requestAllowed, await registering(kubelet), REGISTERED);
}

/** The node may register itself and write its own status: whatever it is refused is refused to it. */
export async function grantOwnNode(world: World, kubelet: Kubelet): Promise<void> {
  const { node, nodeName } = kubelet;
  world.grant(requestAllowed, await registering(kubelet), REGISTERED);
  await grantMay(world, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
}

/**
 * A Pod that nothing runs: bound by its creator, without a service account's token. No taint of its Node, which
 * nobody keeps ready, ends it.
 */
export const podObject = (world: World, nodeName: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
  spec: {
    nodeName,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    tolerations: [{ operator: 'Exists' }],
    containers: [noContainer()],
  },
});

/** The Pod of the scenario, by its name in the namespace "default". */
export const POD = slot<string>('a Pod that is bound to a node');

/** Made and bound by the run's own credential once its node has registered itself. */
export async function podOn(world: World, kubelet: Kubelet): Promise<void> {
  if (!(await register(world, kubelet))) return;
  const pod = await world.writes.create(resources.pods, podObject(world, kubelet.nodeName));
  world.put(POD, pod.metadata.name ?? '');
}

export const podsOf = (nodeName: string): Question => ({
  path: pathOf(resources.pods),
  query: { fieldSelector: `spec.nodeName=${nodeName}` },
});

export async function seesPod(world: World, kubelet: Kubelet): Promise<void> {
  const pod = world.get(POD);
  const what = `list pods bound to ${kubelet.nodeName}, as that node`;
  const { status, body } = await may(world, kubelet.node, what, podsOf(kubelet.nodeName));
  const subject = `Pod default/${pod}, in the list of its node`;
  const names = itemNames(body);
  // who may not see it is refused: a list of nothing comes from something that hides all
  const there = status === 200 && names.length === 0 ? undefined : names.includes(pod);
  world.check(isThere, [{ subject, there }], { demanded: 'is listed' });
}

export const itemNames = (body: unknown): string[] =>
  records(record(body).items).map(({ metadata }) => text(record(metadata).name));

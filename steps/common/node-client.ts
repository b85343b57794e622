/** What the sentences about joining machines and their nodes share: joining, asking as a node, Pods on a node. */
import { type Answered, messageOf, requestAllowed, requestForbidden, seenIn } from '../../src/checks/access.js';
import { isThere } from '../../src/checks/presence.js';
import { Kubelet, type Outcome, type Pair } from '../../src/joining/kubelet.js';
import { decide } from '../../src/joining/request.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest, KubeObject } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Answer, Asker, Question } from '../../src/targets/types.js';
import { CONTROLLER_MS, OWN_REQUESTS } from './csr-requests.js';
import { joinsWithTokens, type Made } from './tokens.js';

export interface Joined {
  readonly kubelet: Kubelet;
  readonly request: CertificateSigningRequest;
  readonly pair: Pair;
}

/** The same node, asking as this scenario. */
export const here = (world: World, { kubelet, ...rest }: Joined): Joined => ({
  ...rest,
  kubelet: kubelet.on(world.cluster),
});

/** A machine that bootstraps with the token; where nobody approves automatically an administrator does. */
export async function join(world: World, token: Made): Promise<Joined> {
  const kubelet = new Kubelet({
    cluster: world.cluster,
    nodeName: `jp-${world.random(10)}`,
    token: token.token,
    generateName: OWN_REQUESTS,
  });
  let outcome = await kubelet.start(5_000);
  if (outcome.kind === 'waiting') {
    await decide(world.admin, outcome.request.metadata.name ?? '', 'Approved');
    outcome = await kubelet.goOn(CONTROLLER_MS);
  }
  if (outcome.kind === 'refused') joinsWithTokens(world, outcome.answer.status);
  const seen =
    outcome.kind === 'refused'
      ? `its request is answered with ${outcome.answer.status}`
      : `its request is ${outcome.kind}`;
  if (outcome.kind !== 'issued') return world.unknown(`a machine could not join to begin with: ${seen}`);
  world.secret(outcome.pair.key);
  return { kubelet, request: outcome.request, pair: outcome.pair };
}

export const machine = (world: World): Kubelet => world.kept<Kubelet>('machine');
export const joined = (world: World): Joined => world.kept<Joined>('joined');
export const textOf = ({ status, body }: Answer): string => `${status} ${messageOf(body)}`.trimEnd();

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

/** A request of a node must be forbidden. */
export async function mayNot(
  world: World,
  client: Pick<Asker, 'ask'>,
  what: string,
  question: Question,
): Promise<void> {
  world.check(requestForbidden, [{ subject: what, answer: seenIn(await client.ask(question)) }]);
}

export const merge = 'application/merge-patch+json';
export const ownStatus = (name: string): Question => ({
  method: 'PATCH',
  path: pathOf(resources.nodes, { name, subresource: 'status' }),
  contentType: merge,
  body: {
    status: {
      conditions: [{ type: 'Ready', status: 'False', reason: 'JoinproofSays', message: 'a node of joinproof' }],
    },
  },
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
export const podObject = (world: World, nodeName: string, secret?: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
  spec: {
    nodeName,
    automountServiceAccountToken: false,
    terminationGracePeriodSeconds: 0,
    tolerations: [{ operator: 'Exists' }],
    containers: [{ name: 'nothing', image: 'joinproof.invalid/nothing' }],
    ...(secret === undefined ? {} : { volumes: [{ name: 'secret', secret: { secretName: secret } }] }),
  },
});

/** The Pod of the scenario, by its name in the namespace "default". */
export const POD = slot<string>('a Pod that is bound to a node');

/** Made and bound by the run's own credential once its node has registered itself. */
export async function podOn(world: World, kubelet: Kubelet, secret?: string): Promise<void> {
  if (!(await register(world, kubelet))) return;
  const pod = await world.writes.create(resources.pods, podObject(world, kubelet.nodeName, secret));
  world.put(POD, pod.metadata.name ?? '');
}

export const podsOf = (nodeName: string): Question => ({
  path: pathOf(resources.pods),
  query: { fieldSelector: `spec.nodeName=${nodeName}` },
});

export async function seesPod(world: World, kubelet: Kubelet): Promise<void> {
  const pod = world.get(POD);
  const what = `list pods bound to ${kubelet.nodeName}, as that node`;
  const { body } = await may(world, kubelet.node, what, podsOf(kubelet.nodeName));
  const subject = `Pod default/${pod}, in the list of its node`;
  world.check(isThere, [{ subject, there: itemNames(body).includes(pod) }], { demanded: 'is listed' });
}

export function itemNames(body: unknown): string[] {
  const items =
    typeof body === 'object' && body !== null && 'items' in body && Array.isArray(body.items)
      ? (body.items as readonly KubeObject[])
      : [];
  return items.map((item) => item.metadata.name ?? '');
}

/** The request of an outcome, whatever became of it; a refusal ends the scenario as failed. */
export function requestOf(world: World, outcome: Outcome, what: string): CertificateSigningRequest {
  const seen = outcome.kind === 'refused' ? textOf(outcome.answer) : outcome.kind;
  const request = outcome.kind === 'issued' || outcome.kind === 'waiting' ? outcome.request : undefined;
  world.expect({ object: what, demanded: 'is taken by the API server', seen, ok: request !== undefined });
  return request as CertificateSigningRequest;
}

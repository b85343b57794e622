/** Sentences about machines that join, and about what becomes of their tokens. */

import { loginRefused } from '../../src/checks/authenticators/login.js';
import { requestForbidden, requestRefused } from '../../src/checks/authorization/access.js';
import {
  type Ended,
  machineIssued,
  machineOrder,
  phaseOf,
  readEnded,
  readWay,
  readyReason,
} from '../../src/checks/bootstrap-tokens/machine.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isKept } from '../../src/checks/common/presence.js';
import type { CertificateSigningRequest, KubeObject } from '../../src/kubernetes/objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { Given, Then, When } from '../../src/run/define.js';
import { type Machine, type Outcome, send } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { ask, CONTROLLER_MS, remember, bearer as requester } from '../common/csr-requests.js';
import { wantedRequest } from '../common/csr-shapes.js';
import { join, MACHINE, machineWith, NODE, sharedNode } from '../common/joined.js';
import { login } from '../common/login.js';
import { NOT_READY, ownStatus, POD, podOn, register, seesPod } from '../common/node-client.js';
import { bearer, clientOf, deleteToken, joiningToken, TOKEN } from '../common/tokens.js';
import { FORGOTTEN, seconds } from '../common/waiting.js';

/** A machine joins where controllers approve and sign. */
const JOINS = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;

Given('a machine with a bootstrap token', JOINS, async function (this: World) {
  this.put(MACHINE, machineWith(this, this.put(TOKEN, await joiningToken(this))));
});

Given('a node that has joined with a bootstrap token', JOINS, async function (this: World) {
  await sharedNode(this, async () => join(this, await joiningToken(this)));
});

Given('a node that has joined with a bootstrap token of its own', JOINS, async function (this: World) {
  this.put(NODE, await join(this, this.put(TOKEN, await joiningToken(this))));
});

interface Bootstrapped {
  readonly ended: Ended;
  readonly request: CertificateSigningRequest | undefined;
}
const BOOTSTRAPPED = slot<Bootstrapped>('a machine that has bootstrapped');
const inTime = (world: World) => ({ demanded: `bootstraps within ${seconds(world, CONTROLLER_MS)}` });

const requestOf = (outcome: Outcome): CertificateSigningRequest | undefined =>
  outcome.kind === 'issued' || outcome.kind === 'waiting' ? outcome.request : undefined;

async function bootstrap(world: World): Promise<Bootstrapped> {
  const machine = world.get(MACHINE);
  const outcome = await machine.start(world.patiently(CONTROLLER_MS));
  if (outcome.kind === 'issued') world.secret(outcome.pair.key);
  const request = requestOf(outcome);
  if (request !== undefined) remember(world, 'its first certificate', request);
  return world.put(BOOTSTRAPPED, { ended: readEnded(`the machine ${machine.nodeName}`, outcome), request });
}

When('the machine bootstraps', async function (this: World) {
  await bootstrap(this);
});

Given('the machine has bootstrapped', async function (this: World) {
  this.grant(machineIssued, [(await bootstrap(this)).ended], inTime(this));
});

Then('it is given its certificate', function (this: World) {
  this.check(machineIssued, [this.get(BOOTSTRAPPED).ended], inTime(this));
});

Then('the machine is forbidden to register its Node with the token', async function (this: World) {
  const { nodeName } = this.get(MACHINE);
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: nodeName }, spec: {} };
  const question = { method: 'POST', path: pathOf(resources.nodes), body: node } as const;
  const answer = seenIn(await clientOf(this, this.get(TOKEN)).ask(question));
  this.check(requestForbidden, [{ subject: `create nodes ${nodeName}, as the token of that machine`, answer }]);
});

Then('the machine registers its Node', async function (this: World) {
  await register(this, this.get(MACHINE));
});

Then(
  'the cluster shows that it asked, was approved and registered its Node, in this order',
  async function (this: World) {
    const { nodeName } = this.get(MACHINE);
    const { request } = this.get(BOOTSTRAPPED);
    this.check(
      machineOrder,
      readWay(`the machine ${nodeName}`, request, await this.objects.get<KubeObject>(resources.nodes, nodeName)),
    );
  },
);

Then('nobody may ask for the same without a token', { needs: ['anonymous'] }, async function (this: World) {
  const object = wantedRequest(this, 'a node');
  await ask(this, requester(this), 'a node', object);
  const { metadata } = wantedRequest(this, 'a node');
  const answer = seenIn(await send(this.as({ kind: 'anonymous' }), { ...object, metadata }));
  const subject = 'create a certificate request for a node, without a credential';
  this.check(requestRefused, [{ subject, answer }], { statuses: [401, 403] });
});

When('a Pod is bound to its Node', async function (this: World) {
  await podOn(this, this.get(MACHINE));
});

Then('the machine sees that Pod', async function (this: World) {
  await seesPod(this, this.get(MACHINE));
});

/** It writes down the state of its Node, and what that shows afterwards is what it wrote. */
async function reports(world: World, { node, nodeName }: Machine): Promise<void> {
  const answer = seenIn(await node.ask(ownStatus(nodeName)));
  const shown = readyReason(await world.objects.get<KubeObject>(resources.nodes, nodeName));
  const subject = `patch nodes/status ${nodeName}, as that node`;
  world.check(isKept, [{ subject, answer, told: NOT_READY.reason, shown }]);
}

Then('the machine may report the state of its Node', async function (this: World) {
  await reports(this, this.get(MACHINE));
});

const running = (name: string): Question => ({
  method: 'PATCH',
  path: pathOf(resources.pods, { namespace: 'default', name, subresource: 'status' }),
  contentType: PATCH_TYPES.merge,
  body: { status: { phase: 'Running' } },
});

Then('the machine may report that the Pod runs', async function (this: World) {
  const pod = this.get(POD);
  const answer = seenIn(await this.get(MACHINE).node.ask(running(pod)));
  const shown = phaseOf(await this.objects.get<KubeObject>(resources.pods, pod, 'default'));
  this.check(isKept, [{ subject: `patch pods/status ${pod}, as its node`, answer, told: 'Running', shown }]);
});

When('that token is deleted and the API server has forgotten it', { waits: true }, async function (this: World) {
  await deleteToken(this, this.get(TOKEN));
  await this.sleep(this.patiently(FORGOTTEN));
});

const afterwards = async (world: World) => {
  const made = world.get(TOKEN);
  return [{ subject: `${made.label}, deleted`, heard: await login(world, bearer(made)) }];
};

Then('the token is refused as unauthorized', async function (this: World) {
  this.check(loginRefused, await afterwards(this));
});

Then('the node still reports its own status', async function (this: World) {
  const { kubelet } = this.get(NODE);
  await register(this, kubelet);
  await reports(this, kubelet);
});

Then('the machine is given its next certificate', async function (this: World) {
  const machine = this.get(MACHINE);
  const ended = readEnded(
    `the renewal of ${machine.nodeName}`,
    await machine.renew(this.patiently(CONTROLLER_MS), { take: false }),
  );
  this.check(machineIssued, [ended], { demanded: `is issued within ${seconds(this, CONTROLLER_MS)}` });
});

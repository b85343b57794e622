/** Sentences about machines that join, and about what becomes of their tokens. */
import { requestAllowed } from '../../src/checks/access.js';
import { seenIn } from '../../src/checks/answers.js';
import { loginRefused } from '../../src/checks/login.js';
import { machineIssued, machineSteps, readEnded } from '../../src/checks/machine.js';
import { isThere } from '../../src/checks/presence.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { Machine } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import { CONTROLLER_MS } from '../common/csr-requests.js';
import { join, MACHINE, machineWith, NODE, sharedNode } from '../common/joined.js';
import { ownStatus, podOn, register, seesPod } from '../common/node-client.js';
import { bearer, deleteToken, joiningToken, login, TOKEN } from '../common/tokens.js';
import { FORGOTTEN } from '../common/waiting.js';

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

async function bootstrap(world: World): Promise<boolean> {
  const machine = world.get(MACHINE);
  const ended = readEnded(`the machine ${machine.nodeName}`, await machine.start(CONTROLLER_MS));
  return world.check(machineIssued, [ended], { demanded: 'bootstraps within 30 s' });
}

When('the machine bootstraps and registers its Node', async function (this: World) {
  if (await bootstrap(this)) await register(this, this.get(MACHINE));
});

When('the machine bootstraps, its token is deleted, and it registers its Node', async function (this: World) {
  if (!(await bootstrap(this))) return;
  await deleteToken(this, this.get(TOKEN));
  await register(this, this.get(MACHINE));
});

Then('its steps were, in this order:', function (this: World, table: DataTable) {
  const { nodeName, steps } = this.get(MACHINE);
  const wanted = { steps: table.hashes().map((row) => row.step ?? '') };
  this.check(machineSteps, { subject: `the machine ${nodeName}`, steps: [...steps] }, wanted);
});

Then('the Node is there, made by the node itself', async function (this: World) {
  const { nodeName } = this.get(MACHINE);
  const there = (await this.objects.get(resources.nodes, nodeName)) !== undefined;
  this.check(isThere, [{ subject: `Node ${nodeName}`, there }], { demanded: 'exists' });
});

When('a Pod is bound to its Node', async function (this: World) {
  await podOn(this, this.get(MACHINE));
});

Then('the machine sees that Pod', async function (this: World) {
  await seesPod(this, this.get(MACHINE));
});

async function reports(world: World, { node, nodeName }: Machine): Promise<void> {
  const { status, body } = await node.ask(ownStatus(nodeName));
  const subject = `patch nodes/status ${nodeName}, as that node`;
  world.check(requestAllowed, [{ subject, answer: seenIn({ status, body }) }], {});
}

Then('the machine may report its Node ready', async function (this: World) {
  await reports(this, this.get(MACHINE));
});

When('that token is deleted and the API server has forgotten it', { waits: true }, async function (this: World) {
  await deleteToken(this, this.get(TOKEN));
  await this.sleep(FORGOTTEN);
});

Then('the token is refused as unauthorized', async function (this: World) {
  const made = this.get(TOKEN);
  this.grant(loginRefused, [{ subject: `${made.label}, deleted`, heard: await login(this, bearer(made)) }]);
});

Then('the node still reports its own status', async function (this: World) {
  const { kubelet } = this.get(NODE);
  await register(this, kubelet);
  await reports(this, kubelet);
});

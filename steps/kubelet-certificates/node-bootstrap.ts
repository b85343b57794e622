/** Sentences about machines that join, and about what becomes of their tokens. */

import { Kubelet } from '../../src/joining/kubelet.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { CONTROLLER_MS, OWN_REQUESTS } from '../common/csr-requests.js';
import {
  here,
  join,
  joined,
  machine,
  may,
  ownStatus,
  podOn,
  register,
  seesPod,
  textOf,
} from '../common/node-client.js';
import { clientOf, deleteToken, joiningToken, TOKEN } from '../common/tokens.js';

/** How long an API server may go on remembering a login, with slack. */
const FORGETTING_MS = 12_000;

Given('a machine with a bootstrap token', async function (this: World) {
  const token = this.put(TOKEN, await joiningToken(this));
  this.keep(
    'machine',
    new Kubelet({
      cluster: this.cluster,
      nodeName: `jp-${this.random(10)}`,
      token: token.token,
      generateName: OWN_REQUESTS,
    }),
  );
});

Given('a node that has joined with a bootstrap token', async function (this: World) {
  this.keep('joined', here(this, await this.shared('a joined node', async () => join(this, await joiningToken(this)))));
});

Given('a node that has joined with a bootstrap token of its own', async function (this: World) {
  const token = this.put(TOKEN, await joiningToken(this));
  this.keep('joined', await join(this, token));
});

When('the machine bootstraps and registers its Node', async function (this: World) {
  await bootstrap(this);
  await register(this, machine(this));
});

async function bootstrap(world: World): Promise<void> {
  const outcome = await machine(world).start(CONTROLLER_MS);
  const seen = outcome.kind === 'refused' ? textOf(outcome.answer) : outcome.kind;
  world.expect({
    object: `the machine ${machine(world).nodeName}`,
    demanded: 'bootstraps within 30 s',
    seen,
    ok: outcome.kind === 'issued',
  });
}

When('the machine bootstraps, its token is deleted, and it registers its Node', async function (this: World) {
  await bootstrap(this);
  await deleteToken(this, this.get(TOKEN));
  await register(this, machine(this));
});

Then('its steps were, in this order:', function (this: World, table: DataTable) {
  const wanted = table.hashes().map((row) => row.step ?? '');
  const seen = machine(this).steps;
  this.expect({
    object: `the machine ${machine(this).nodeName}`,
    demanded: wanted.join('; '),
    seen: seen.join('; '),
    ok: seen.join() === wanted.join(),
  });
});

Then('the Node is there, made by the node itself', async function (this: World) {
  const node = await this.objects.get(resources.nodes, machine(this).nodeName);
  this.expect({
    object: `Node ${machine(this).nodeName}`,
    demanded: 'exists',
    seen: node === undefined ? 'it does not' : 'it does',
    ok: node !== undefined,
  });
});

When('a Pod is bound to its Node', async function (this: World) {
  await podOn(this, machine(this));
});

Then('the machine sees that Pod', async function (this: World) {
  await seesPod(this, machine(this));
});

Then('the machine may report its Node ready', async function (this: World) {
  const { node, nodeName } = machine(this);
  await may(this, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
});

When('that token is deleted and the API server has forgotten it', async function (this: World) {
  await deleteToken(this, this.get(TOKEN));
  await this.sleep(FORGETTING_MS);
});

Then('the token is refused as unauthorized', async function (this: World) {
  const { status } = await clientOf(this, this.get(TOKEN)).ask({ path: '/version' });
  this.control({ object: 'the deleted token', demanded: 'is refused (401)', seen: String(status), ok: status === 401 });
});

Then('the node still reports its own status', async function (this: World) {
  const { kubelet } = joined(this);
  await register(this, kubelet);
  await may(this, kubelet.node, `patch nodes/status ${kubelet.nodeName}, as that node`, ownStatus(kubelet.nodeName));
});

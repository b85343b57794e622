/** Sentences about what a node may do. */

import { type Attempt, requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { accessText, questionOf } from '../../src/checks/authorization/access-questions.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isThere } from '../../src/checks/common/presence.js';
import { record, records } from '../../src/kubernetes/json.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker, Question } from '../../src/targets/types.js';
import { onceKnown } from '../common/grants.js';
import { grantOwnNode, may, ownStatus, POD, podOn, register, seesPod } from '../common/node-client.js';
import { accessesOf } from '../common/permission-tables.js';
import { DRY } from '../common/trials.js';
import { attempts } from './attempts.js';
import { attemptOf, type Neighbours } from './node-attempts.js';
import { areThere, formerSecret, makeClaim, makeSecret, neighbour, seesItsSecret } from './node-objects.js';
import { create, lease, leaseSpec, read } from './node-questions.js';
import { nodes, THROUGH, twoNodes } from './two-nodes.js';

const JOINING = { needs: ['writes', 'requests', 'controllers'] } as const;

/** The first of them is who tries. */
const NEIGHBOURS = slot<Neighbours>('two nodes with a Pod each');

Given('two nodes with certificates of their own', JOINING, async function (this: World) {
  await twoNodes(this);
});

Given('two nodes that may report their own status', JOINING, async function (this: World) {
  await twoNodes(this);
  const { first, second } = nodes(this);
  await grantOwnNode(this, first);
  await grantOwnNode(this, second);
});

Given('a Pod that is bound to the first node', async function (this: World) {
  await podOn(this, nodes(this).first);
});

Then('the first node lists the Pods bound to it', async function (this: World) {
  await seesPod(this, nodes(this).first);
});

Given(
  'on each of them a Pod that uses a Secret, a ConfigMap and a claim',
  { waits: true },
  async function (this: World) {
    const { first, second } = nodes(this);
    const neighbours = await this.shared('two nodes with a Pod each', async () => ({
      own: await neighbour(this, first.nodeName),
      other: await neighbour(this, second.nodeName),
      unused: await makeSecret(this),
    }));
    this.put(NEIGHBOURS, neighbours);
    await seesItsSecret(this, first.node, neighbours.own);
    await seesItsSecret(this, second.node, neighbours.other);
  },
);

// of a cluster of somebody else it might take a volume that is not ours
Given('the claim of the Pod of the first node is there', { needs: ['ours'] }, async function (this: World) {
  const { own } = this.get(NEIGHBOURS);
  await this.shared('the claim of the first node', () => makeClaim(this, own));
});

/** By its name in the namespace "default". */
const FORMER = slot<string>('a Secret that a Pod of the node used');

Given(
  'a Secret that a Pod on the first node used, and its Pod is deleted',
  { waits: true },
  async function (this: World) {
    const { node, nodeName } = nodes(this).first;
    this.put(FORMER, await formerSecret(this, node, nodeName));
  },
);

Then('the first node is soon refused to read that Secret', { waits: true }, async function (this: World) {
  const { node, nodeName } = nodes(this).first;
  const what = { subject: `read the Secret of a Pod that is gone, as ${NODE_USER_PREFIX}${nodeName}` };
  const question = { ...what, question: read([resources.secrets, 'default', this.get(FORMER)]) };
  const answers = await onceKnown(
    this,
    () => attempts(this, node, [question]),
    ({ answer }) => answer.status === 403,
  );
  this.check(requestForbidden, answers);
});

/** Two nodes, with what an earlier step has made of their own. */
function around(world: World): Neighbours {
  if (world.has(NEIGHBOURS)) return world.get(NEIGHBOURS);
  const { first, second } = nodes(world);
  const name = world.has(POD) ? world.get(POD) : '';
  const bare = { uid: '', secret: '', configMap: '', claim: '' };
  return {
    own: { node: first.nodeName, pod: { name, uid: '' }, ...bare },
    other: { node: second.nodeName, pod: { name: '', uid: '' }, ...bare },
    unused: '',
  };
}

const question = (world: World, what: string): Question =>
  attemptOf(what, around(world)) ?? world.unknown(`the steps know no attempt "${what}"`);

/** What somebody is answered who tries that: a node, or an administrator in its place. */
const triedBy = (world: World, who: string, client: Pick<Asker, 'ask'>, table: DataTable): Promise<Attempt[]> =>
  attempts(
    world,
    client,
    table.raw().map(([what = '']) => ({
      subject: `${who}, trying to ${what}`,
      question: question(world, what),
    })),
  );

const tried = (world: World, table: DataTable): Promise<Attempt[]> => {
  const { node, nodeName } = nodes(world).first;
  return triedBy(world, `${NODE_USER_PREFIX}${nodeName}`, node, table);
};
const triedByAdministrator = (world: World, table: DataTable): Promise<Attempt[]> =>
  triedBy(world, 'an administrator', world.admin, table);

Then('the first node may:', async function (this: World, table: DataTable) {
  this.check(requestAllowed, await tried(this, table), THROUGH);
});

Given('the first node is let through who tries to:', async function (this: World, table: DataTable) {
  this.grant(requestAllowed, await tried(this, table), THROUGH);
});

Then('the first node is refused who tries to:', async function (this: World, table: DataTable) {
  const found = await tried(this, table);
  // "not found" of what a controller has removed meanwhile says nothing of the node
  const lost = this.has(NEIGHBOURS) && found.some(({ answer }) => answer.status === 404);
  const gone = lost && !(await areThere(this, this.get(NEIGHBOURS)));
  this.check(requestForbidden, gone ? found.map((one) => ({ ...one, gone })) : found);
});

Given(
  'an administrator is let through who tries, as the first node does, to:',
  async function (this: World, table: DataTable) {
    this.grant(requestAllowed, await triedByAdministrator(this, table), THROUGH);
  },
);

Then(
  'an administrator is refused who tries, as the first node does, to:',
  async function (this: World, table: DataTable) {
    this.check(requestForbidden, await triedByAdministrator(this, table));
  },
);

Then(
  'a Node that registers is given the taint {string} with the effect {string}',
  { needs: ['writes', 'requests'] },
  async function (this: World, key: string, effect: string) {
    const question = create([resources.nodes, undefined, `jp-${this.random(10)}`]);
    const answer = await this.admin.ask(question);
    this.grant(requestAllowed, [{ subject: 'create nodes, as an administrator', answer: seenIn(answer) }], {});
    const taints = records(record(record(answer.body).spec).taints);
    const there = taints.some((taint) => taint.key === key && taint.effect === effect);
    this.check(isThere, [{ subject: `the taint ${key}:${effect} of a new Node`, there }], { demanded: 'is given' });
  },
);

Then('the first node registers itself', async function (this: World) {
  await register(this, nodes(this).first);
});

Then('the first node may report its own status', async function (this: World) {
  const { node, nodeName } = nodes(this).first;
  await may(this, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
});

Then('the first node may renew its own Lease', async function (this: World) {
  const { node, nodeName } = nodes(this).first;
  await may(
    this,
    node,
    `create leases ${nodeName}, as that node`,
    create(lease({ node: nodeName }), leaseSpec({ node: nodeName })),
  );
});

Then('the first node may create an Event', async function (this: World) {
  const { node, nodeName } = nodes(this).first;
  await may(this, node, `create events, as ${NODE_USER_PREFIX}${nodeName}`, {
    method: 'POST',
    path: pathOf(resources.events, { namespace: 'default' }),
    query: DRY,
    body: {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `jp-${this.random(12)}`, namespace: 'default' },
      involvedObject: { kind: 'Node', name: nodeName, uid: nodeName },
      reason: 'JoinproofLooks',
      message: 'made by joinproof',
      type: 'Normal',
      source: { component: 'joinproof', host: nodeName },
    },
  });
});

Then('the first node is forbidden to:', async function (this: World, table: DataTable) {
  const { node, nodeName } = nodes(this).first;
  const requests = accessesOf(this, table).map((item) => ({
    subject: `${accessText(item)}, as ${NODE_USER_PREFIX}${nodeName}`,
    question: questionOf(item),
  }));
  this.check(requestForbidden, await attempts(this, node, requests));
});

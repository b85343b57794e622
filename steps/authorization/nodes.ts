/** Sentences about what a node may do. */

import { type Attempt, requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { accessText, questionOf } from '../../src/checks/authorization/access-questions.js';
import { seenIn } from '../../src/checks/common/answers.js';
import { isThere } from '../../src/checks/common/presence.js';
import { record, records } from '../../src/kubernetes/json.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { Machine as Kubelet } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { onceKnown } from '../common/grants.js';
import {
  grantOwnNode,
  here,
  type Joined,
  join,
  may,
  ownStatus,
  POD,
  podOn,
  register,
  seesPod,
} from '../common/node-client.js';
import { accessesOf } from '../common/permission-tables.js';
import { joiningToken } from '../common/tokens.js';
import { attempts } from './attempts.js';
import { attemptOf, type Neighbours } from './node-attempts.js';
import {
  mirrorWithMap,
  objectUsed,
  type Using,
  usesDevices,
  usesEphemeralContainer,
  usesVolumes,
} from './node-graph.js';
import { areThere, formerSecret, makeClaim, makeSecret, neighbour, seesItsSecret } from './node-objects.js';
import { create, DRY, lease, leaseSpec, read } from './node-questions.js';

const JOINING = { needs: ['writes', 'requests', 'controllers'] } as const;

const NODES = slot<{ readonly first: Joined; readonly second: Joined }>('two nodes');
/** The first of them is who tries. */
const NEIGHBOURS = slot<Neighbours>('two nodes with a Pod each');

const nodes = (world: World) => {
  const { first, second } = world.get(NODES);
  return { first: first.kubelet, second: second.kubelet };
};

async function twoNodes(world: World): Promise<void> {
  const { first, second } = await world.shared('two joined nodes', async () => {
    const token = await joiningToken(world);
    return { first: await join(world, token), second: await join(world, token) };
  });
  world.put(NODES, { first: here(world, first), second: here(world, second) });
}

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

const USING = slot<Using>('a Pod of the first node');
const MIRROR = slot<Using>('a mirror Pod of the first node');

const GRAPH = { needs: ['writes', 'requests', 'ours'], waits: true } as const;

Given('a Pod on the first node that uses Secrets and volumes in other ways', GRAPH, async function (this: World) {
  this.put(USING, await usesVolumes(this, nodes(this).first.nodeName));
});

Given('a Pod on the first node that a container was added to', GRAPH, async function (this: World) {
  this.put(USING, await usesEphemeralContainer(this, nodes(this).first.nodeName));
});

Given('a Pod on the first node that uses device claims', GRAPH, async function (this: World) {
  this.put(USING, await usesDevices(this, nodes(this).first.nodeName));
});

Given(
  'a mirror Pod on the first node that an administrator has made, with a ConfigMap',
  GRAPH,
  async function (this: World) {
    this.put(MIRROR, await mirrorWithMap(this, nodes(this).first.nodeName));
  },
);

/** What a node is answered that reads what a Pod uses. */
const readBy = (
  world: World,
  { node, nodeName }: Kubelet,
  table: DataTable,
  of = world.get(USING),
): Promise<Attempt[]> =>
  attempts(
    world,
    node,
    table.raw().map(([what = '']) => ({
      subject: `${NODE_USER_PREFIX}${nodeName}, trying to read ${what}`,
      question: read(objectUsed(what, of) ?? world.unknown(`the steps know no object "${what}"`)),
    })),
  );

Then(
  'the first node may read of that Pod, and the second may not:',
  GRAPH,
  async function (this: World, table: DataTable) {
    const { first, second } = nodes(this);
    const isThrough = ({ answer }: Attempt): boolean => THROUGH.statuses.includes(answer.status);
    this.check(requestAllowed, await onceKnown(this, () => readBy(this, first, table), isThrough), THROUGH);
    this.check(requestForbidden, await readBy(this, second, table));
  },
);

Then('the first node may not read of that Pod:', GRAPH, async function (this: World, table: DataTable) {
  this.check(requestForbidden, await readBy(this, nodes(this).first, table));
});

Then('the first node may not read of the mirror Pod:', GRAPH, async function (this: World, table: DataTable) {
  this.check(requestForbidden, await readBy(this, nodes(this).first, table, this.get(MIRROR)));
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

const tried = (world: World, table: DataTable): Promise<Attempt[]> => {
  const { node, nodeName } = nodes(world).first;
  return attempts(
    world,
    node,
    table.raw().map(([what = '']) => ({
      subject: `${NODE_USER_PREFIX}${nodeName}, trying to ${what}`,
      question: question(world, what),
    })),
  );
};

/** Authorization and admission have let it through: what is not there, or there already, is found out after them. */
const THROUGH = { statuses: [200, 201, 202, 404, 409] };

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

/** Sentences about what a node may do. */

import { requestForbidden } from '../../src/checks/access.js';
import { accessText, questionOf } from '../../src/checks/access-questions.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import {
  grantMay,
  grantOwnNode,
  here,
  type Joined,
  join,
  may,
  mayNot,
  merge,
  ownStatus,
  POD,
  podOn,
  podsOf,
  register,
  seesPod,
} from '../common/node-client.js';
import { accessesOf } from '../common/permission-tables.js';
import { joiningToken } from '../common/tokens.js';
import { attempts } from './attempts.js';

/** How long the Node authorizer may take to learn of a Pod. */
const GRAPH_MS = 10_000;

const JOINING = { needs: ['writes', 'requests', 'controllers'] } as const;
const DRY = { dryRun: 'All' };

const NODES = slot<{ readonly first: Joined; readonly second: Joined }>('two nodes');
/** Names, in the namespace "default". */
const USED = slot<string>('a Secret that a Pod uses');
const UNUSED = slot<string>('a Secret that no Pod uses');

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

const podStatus = (name: string): Question => ({
  method: 'PATCH',
  path: pathOf(resources.pods, { namespace: 'default', name, subresource: 'status' }),
  query: DRY,
  contentType: merge,
  body: { status: { message: 'seen by joinproof' } },
});

Then('the first node may report the status of that Pod', async function (this: World) {
  const pod = this.get(POD);
  await may(this, nodes(this).first.node, `patch pods/status ${pod}, as its node`, podStatus(pod));
});

Then('the second node is forbidden to list the Pods bound to the first', async function (this: World) {
  const { first, second } = nodes(this);
  const what = `list pods bound to ${first.nodeName}`;
  // whether the first may is demanded by itself
  await grantOwnNode(this, second);
  await mayNot(this, second.node, `${what}, as another node`, podsOf(first.nodeName));
});

Then('the second node is forbidden to list all Pods', async function (this: World) {
  await mayNot(this, nodes(this).second.node, 'list pods, as a node', { path: pathOf(resources.pods) });
});

Then('the first node registers itself', async function (this: World) {
  await register(this, nodes(this).first);
});

Then('the first node may report its own status', async function (this: World) {
  const { node, nodeName } = nodes(this).first;
  await may(this, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
});

const lease = (name: string): Question => ({
  method: 'POST',
  path: pathOf(resources.leases, { namespace: 'kube-node-lease' }),
  query: DRY,
  body: {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity: name },
  },
});

Then('the first node may renew its own Lease', async function (this: World) {
  const { node, nodeName } = nodes(this).first;
  await may(this, node, `create leases ${nodeName}, as that node`, lease(nodeName));
});

Then('the first node is forbidden to renew the Lease of the second', async function (this: World) {
  const { first, second } = nodes(this);
  await grantMay(this, first.node, `create leases ${first.nodeName}, as that node`, lease(first.nodeName));
  await mayNot(this, first.node, `create leases ${second.nodeName}, as another node`, lease(second.nodeName));
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

Then('the first node is forbidden to report the status of the second', async function (this: World) {
  const { first, second } = nodes(this);
  await mayNot(this, first.node, `patch nodes/status ${second.nodeName}, as another node`, {
    ...ownStatus(second.nodeName),
    query: DRY,
  });
});

Then('the first node is forbidden to label itself {string}', async function (this: World, label: string) {
  const { node, nodeName } = nodes(this).first;
  const change = (metadata: Readonly<Record<string, unknown>>): Question => ({
    method: 'PATCH',
    path: pathOf(resources.nodes, { name: nodeName }),
    query: DRY,
    contentType: merge,
    body: { metadata },
  });
  const annotation = change({ annotations: { 'joinproof.invalid/seen': 'yes' } });
  await grantMay(this, node, `patch nodes ${nodeName} with an annotation, as that node`, annotation);
  await mayNot(
    this,
    node,
    `patch nodes ${nodeName} with the label ${label}, as that node`,
    change({ labels: { [label]: 'gold' } }),
  );
});

const removal = (name: string): Question => ({
  method: 'DELETE',
  path: pathOf(resources.pods, { namespace: 'default', name }),
  query: DRY,
});

Given('a Pod that is bound to the second node, which may delete it', async function (this: World) {
  const { second } = nodes(this);
  await podOn(this, second);
  const pod = this.get(POD);
  await grantMay(this, second.node, `delete pods ${pod}, as its node`, removal(pod));
});

Then('the first node is forbidden to delete that Pod', async function (this: World) {
  const pod = this.get(POD);
  const subject = `delete pods ${pod}, as another node`;
  const [tried] = await attempts(this, nodes(this).first.node, [{ subject, question: removal(pod) }]);
  if (tried === undefined) return;
  // "not found" of a Pod that a controller has removed meanwhile says nothing of the node
  const there = await this.objects.get(resources.pods, pod, 'default');
  this.check(requestForbidden, [{ ...tried, ...(there === undefined ? { gone: true } : {}) }]);
});

Then('the first node is forbidden to:', async function (this: World, table: DataTable) {
  const { node, nodeName } = nodes(this).first;
  const requests = accessesOf(this, table).map((item) => ({
    subject: `${accessText(item)}, as ${NODE_USER_PREFIX}${nodeName}`,
    question: questionOf(item),
  }));
  this.check(requestForbidden, await attempts(this, node, requests));
});

async function makeSecret(world: World): Promise<string> {
  const secret = await world.writes.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
    type: 'Opaque',
    data: { text: Buffer.from('made by joinproof').toString('base64') },
  });
  return secret.metadata.name ?? '';
}

const secretOf = (name: string): Question => ({ path: pathOf(resources.secrets, { namespace: 'default', name }) });

Given(
  'a Secret that a Pod on the first node uses, which the node reads',
  { waits: true },
  async function (this: World) {
    const { first } = nodes(this);
    const question = secretOf(this.put(USED, await makeSecret(this)));
    await podOn(this, first, this.get(USED));
    await this.eventually(GRAPH_MS, async () => ((await first.node.ask(question)).status === 200 ? true : undefined));
    await grantMay(this, first.node, 'a Secret that its Pod uses, as the node', question);
  },
);

Given('a Secret that no Pod uses', async function (this: World) {
  this.put(UNUSED, await makeSecret(this));
});

Then('the first node is forbidden to read the Secret that no Pod uses', async function (this: World) {
  const question = secretOf(this.get(UNUSED));
  await mayNot(this, nodes(this).first.node, 'a Secret that no Pod uses, as a node', question);
});

Then('the second node is forbidden to read the Secret that a Pod on the first node uses', async function (this: World) {
  const question = secretOf(this.get(USED));
  await mayNot(this, nodes(this).second.node, 'a Secret that a Pod of another node uses, as a node', question);
});

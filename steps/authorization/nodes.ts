/** Sentences about what a node may do. */

import { type Access, access, judgeForbidden, questionOf } from '../../src/checks/access.js';
import { NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import {
  here,
  join,
  may,
  mayNot,
  merge,
  nodeOf,
  ownStatus,
  podOn,
  podsOf,
  register,
  seesPod,
} from '../common/node-client.js';
import { joiningToken } from '../common/tokens.js';

/** How long the Node authorizer may take to learn of a Pod. */
const GRAPH_MS = 10_000;

Given('two nodes with certificates of their own', async function (this: World) {
  if (this.target.abilities.writes === undefined || !this.holds('controllers')) return;
  const pair = await this.shared('two joined nodes', async () => {
    const token = await joiningToken(this);
    return { first: await join(this, token), second: await join(this, token) };
  });
  this.keep('first', here(this, pair.first));
  this.keep('second', here(this, pair.second));
});

Given(/^a Pod that is bound to the (first|second) node$/, async function (this: World, which: string) {
  await podOn(this, nodeOf(this, which));
});

Then('the first node lists the Pods bound to it', async function (this: World) {
  await seesPod(this, nodeOf(this, 'first'));
});

const podStatus = (name: string): Parameters<Asker['ask']>[0] => ({
  method: 'PATCH',
  path: pathOf(resources.pods, { namespace: 'default', name, subresource: 'status' }),
  query: { dryRun: 'All' },
  contentType: merge,
  body: { status: { message: 'seen by joinproof' } },
});

Then('the first node may report the status of that Pod', async function (this: World) {
  const pod = this.kept<string>('pod');
  await may(this, nodeOf(this, 'first').node, `patch pods/status ${pod}, as its node`, podStatus(pod));
});

Then('the second node is forbidden to list the Pods bound to the first', async function (this: World) {
  const first = nodeOf(this, 'first').nodeName;
  await may(this, nodeOf(this, 'first').node, `list pods bound to ${first}, as that node`, podsOf(first));
  await mayNot(this, nodeOf(this, 'second').node, `list pods bound to ${first}, as another node`, podsOf(first));
});

Then('the second node is forbidden to list all Pods', async function (this: World) {
  await mayNot(this, nodeOf(this, 'second').node, 'list pods, as a node', { path: pathOf(resources.pods) });
});

Then('the first node registers itself', async function (this: World) {
  await register(this, nodeOf(this, 'first'));
});

Then('the first node may report its own status', async function (this: World) {
  const { node, nodeName } = nodeOf(this, 'first');
  await may(this, node, `patch nodes/status ${nodeName}, as that node`, ownStatus(nodeName));
});

Then('the first node may report its own status after registering', async function (this: World) {
  const first = nodeOf(this, 'first');
  await register(this, first);
  await may(this, first.node, `patch nodes/status ${first.nodeName}, as that node`, ownStatus(first.nodeName));
});

const lease = (name: string): Parameters<Asker['ask']>[0] => ({
  method: 'POST',
  path: pathOf(resources.leases, { namespace: 'kube-node-lease' }),
  query: { dryRun: 'All' },
  body: {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, namespace: 'kube-node-lease' },
    spec: { holderIdentity: name },
  },
});

Then('the first node may renew its own Lease', async function (this: World) {
  const { node, nodeName } = nodeOf(this, 'first');
  await may(this, node, `create leases ${nodeName}, as that node`, lease(nodeName));
});

Then('the first node is forbidden to renew the Lease of the second', async function (this: World) {
  const second = nodeOf(this, 'second').nodeName;
  await mayNot(this, nodeOf(this, 'first').node, `create leases ${second}, as another node`, lease(second));
});

Then('the first node may create an Event', async function (this: World) {
  const { node, nodeName } = nodeOf(this, 'first');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `jp-${this.random(12)}`, namespace: 'default' },
    involvedObject: { kind: 'Node', name: nodeName, uid: nodeName },
    reason: 'JoinproofLooks',
    message: 'made by joinproof',
    type: 'Normal',
    source: { component: 'joinproof', host: nodeName },
  };
  await may(this, node, `create events, as ${NODE_USER_PREFIX}${nodeName}`, {
    method: 'POST',
    path: pathOf(resources.events, { namespace: 'default' }),
    query: { dryRun: 'All' },
    body: event,
  });
});

Given('both nodes have registered themselves', async function (this: World) {
  await register(this, nodeOf(this, 'first'));
  await register(this, nodeOf(this, 'second'));
});

Then('the first node is forbidden to report the status of the second', async function (this: World) {
  const second = nodeOf(this, 'second').nodeName;
  await mayNot(this, nodeOf(this, 'first').node, `patch nodes/status ${second}, as another node`, {
    ...ownStatus(second),
    query: { dryRun: 'All' },
  });
});

Then('the first node is forbidden to label itself {string}', async function (this: World, label: string) {
  const { node, nodeName } = nodeOf(this, 'first');
  const question = {
    method: 'PATCH' as const,
    path: pathOf(resources.nodes, { name: nodeName }),
    query: { dryRun: 'All' },
    contentType: merge,
  };
  await may(this, node, `patch nodes ${nodeName} with an annotation, as that node`, {
    ...question,
    body: { metadata: { annotations: { 'joinproof.invalid/seen': 'yes' } } },
  });
  await mayNot(this, node, `patch nodes ${nodeName} with the label ${label}, as that node`, {
    ...question,
    body: { metadata: { labels: { [label]: 'gold' } } },
  });
});

const removePod = (name: string): Parameters<Asker['ask']>[0] => ({
  method: 'DELETE',
  path: pathOf(resources.pods, { namespace: 'default', name }),
  query: { dryRun: 'All' },
});

Then('the second node may delete that Pod', async function (this: World) {
  const pod = this.kept<string>('pod');
  await may(this, nodeOf(this, 'second').node, `delete pods ${pod}, as its node`, removePod(pod), [200, 202]);
});

Then('the first node is forbidden to delete that Pod', async function (this: World) {
  const pod = this.kept<string>('pod');
  await mayNot(this, nodeOf(this, 'first').node, `delete pods ${pod}, as another node`, removePod(pod));
});

Then('the first node is forbidden to:', async function (this: World, table: DataTable) {
  const { node, nodeName } = nodeOf(this, 'first');
  const wanted: Access[] = table
    .hashes()
    .map((row) => access(row.verb ?? '', row.what ?? '', row.where ?? '', row.name ?? ''));
  for (const item of wanted) {
    const judged = judgeForbidden(item, `${NODE_USER_PREFIX}${nodeName}`, await node.ask(questionOf(item)));
    if ('unclear' in judged) return this.unknown(judged.unclear);
    this.expect(judged);
  }
});

async function secretObject(world: World): Promise<string> {
  const secret = await world.writes.create<Secret>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `jp-${world.random(10)}`, namespace: 'default' },
    type: 'Opaque',
    data: { text: Buffer.from('made by joinproof').toString('base64') },
  });
  return secret.metadata.name ?? '';
}

Given('a Secret that a Pod on the first node uses', async function (this: World) {
  const name = this.keep('used', await secretObject(this));
  await podOn(this, nodeOf(this, 'first'), name);
});

Given('a Secret that no Pod uses', async function (this: World) {
  this.keep('unused', await secretObject(this));
});

const secret = (name: string): Parameters<Asker['ask']>[0] => ({
  path: pathOf(resources.secrets, { namespace: 'default', name }),
});

Then('the first node reads the Secret that its Pod uses', async function (this: World) {
  const { node } = nodeOf(this, 'first');
  const name = this.kept<string>('used');
  const read = await this.eventually(GRAPH_MS, async () =>
    (await node.ask(secret(name))).status === 200 ? true : undefined,
  );
  this.control({
    object: 'a Secret that its Pod uses, as the node',
    demanded: 'is readable',
    seen: read === undefined ? 'it is not' : 'it is',
    ok: read !== undefined,
  });
});

Then('the first node is forbidden to read the Secret that no Pod uses', async function (this: World) {
  await mayNot(
    this,
    nodeOf(this, 'first').node,
    'a Secret that no Pod uses, as a node',
    secret(this.kept<string>('unused')),
  );
});

Then('the second node is forbidden to read the Secret that a Pod on the first node uses', async function (this: World) {
  await mayNot(
    this,
    nodeOf(this, 'second').node,
    'a Secret that a Pod of another node uses, as a node',
    secret(this.kept<string>('used')),
  );
});

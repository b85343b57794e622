/** Sentences about the way from a request to a certificate: who has it approved, and when it is signed. */

import { requestAllowed } from '../../src/checks/authorization/access.js';
import {
  readSent,
  requestApproved,
  requestIn,
  requestTaken,
} from '../../src/checks/kubelet-certificates/request-progress.js';
import type { Binding } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { send } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import {
  ASKED,
  type Asked,
  administrator,
  ask,
  bearer,
  bindingOfAllTokens,
  byItself,
  checkIssued,
  checkNotApproved,
  checkNotIssued,
  decideAs,
  decided,
  grantApproved,
  grantIssued,
  lastAsked,
  OTHERS,
  patchStatus,
  progressOf,
  subjectOf,
} from '../common/csr-requests.js';
import { wantedRequest } from '../common/csr-shapes.js';
import { clusterBinding, group as groupNamed } from '../common/grants.js';
import { clientOf, joiningToken, OTHER_TOKEN } from '../common/tokens.js';
import { SOON } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** A controller has to act, and it takes its time. */
const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;
/** Binds more than the right to ask to somebody. */
const BINDING = { needs: ['writes', 'requests', 'controllers', 'ours'], waits: true } as const;

Then('the request is approved automatically', CONTROLLED, async function (this: World) {
  this.check(requestApproved, await decided(this, lastAsked(this)), { ...byItself(this), reason: 'AutoApproved' });
});

const NODECLIENT = 'create certificatesigningrequests.certificates.k8s.io/nodeclient';

/** A token of a group of its own that is bound to these roles. */
async function otherToken(world: World, ...roles: readonly string[]): Promise<void> {
  // any token of ours is in the group of all tokens as well
  const everybody = await bindingOfAllTokens(world, NODECLIENT);
  if (everybody !== undefined)
    return world.skip('fact', `${everybody} has the requests of every bootstrap token approved`);
  const group = `system:bootstrappers:jp-${world.random(10)}`;
  for (const role of roles)
    await world.writes.create<Binding>(
      resources.clusterRoleBindings,
      clusterBinding(`jp-${world.random(10)}`, role, groupNamed(group)),
    );
  world.put(OTHER_TOKEN, await joiningToken(world, group));
}

const ASKS = 'system:node-bootstrapper';

Given('a user who may ask for certificates but not have them approved', CONTROLLED, async function (this: World) {
  await otherToken(this, ASKS);
});

Given(
  'a user who may ask for certificates and have those of its own name approved',
  BINDING,
  async function (this: World) {
    // the right to ask comes last: once it counts, the other one does
    await otherToken(this, 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient', ASKS);
  },
);

/** Taken, once the API server has learned of the new binding by its watch. */
async function askAsOther(world: World, what: string): Promise<Asked> {
  const object = wantedRequest(world, 'a node');
  const other = clientOf(world, world.get(OTHER_TOKEN));
  let sent = readSent('', { status: 0, body: undefined });
  const asked = await world.eventually<Asked>(SOON, async () => {
    const answer = await send(other, object);
    sent = readSent('a certificate request for a node, as the user with the new binding', answer);
    const created = requestIn(answer);
    return created && { what, name: created.metadata.name ?? '', sent: object, created, answer: sent };
  });
  world.grant(requestTaken, [sent]);
  return asked ?? world.unknown('the user with the new binding could not ask');
}

const UNPERMITTED = 'a node, from the user without the permission';

When('both ask for a certificate for a node', CONTROLLED, async function (this: World) {
  this.put(OTHERS, [await askAsOther(this, UNPERMITTED)]);
  await ask(this, bearer(this), 'a node');
});

/** The control first: its twin is approved. */
async function onlyTheFirst(world: World, approved: Asked, ...others: readonly Asked[]): Promise<void> {
  if (await grantApproved(world, approved)) await checkNotApproved(world, ...others);
}

Then('the request of the token is approved, and that of the user is not', CONTROLLED, async function (this: World) {
  await onlyTheFirst(this, lastAsked(this), ...this.get(OTHERS));
});

Then('the request for the node is approved, and none of the others is', CONTROLLED, async function (this: World) {
  const asked = this.get(ASKED);
  const node = asked.find((item) => item.what === 'a node');
  if (node === undefined || asked.length < 2) return this.unknown('the scenario sent no two requests');
  await onlyTheFirst(this, node, ...asked.filter((item) => item !== node));
});

const UNAPPROVED = 'an API client that nobody approves automatically';

/** A request that nobody approves by itself, made by an administrator. */
const unapproved = (world: World): Promise<Asked> => ask(world, administrator(world), UNAPPROVED);

Given('a request that nobody approves automatically', WRITES, async function (this: World) {
  await unapproved(this);
});

/** As an administrator, who has none of them approved. */
async function askEach(world: World, table: DataTable): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const { request = '' } of table.hashes()) asked.push(await ask(world, administrator(world), request));
  return world.put(OTHERS, asked);
}

Given('requests that nobody approves:', WRITES, async function (this: World, table: DataTable) {
  await askEach(this, table);
});

Given('requests that an administrator has denied:', WRITES, async function (this: World, table: DataTable) {
  for (const asked of await askEach(this, table)) await decideAs(this, asked, 'Denied', 'granted');
});

Given('requests that an administrator has approved:', WRITES, async function (this: World, table: DataTable) {
  for (const asked of await askEach(this, table)) await decideAs(this, asked, 'Approved', 'granted');
});

Given('a request of that user for a node', CONTROLLED, async function (this: World) {
  this.put(OTHERS, [await askAsOther(this, UNPERMITTED)]);
});

Given('a request of that user for a node, which an administrator has denied', CONTROLLED, async function (this: World) {
  const asked = await askAsOther(this, UNPERMITTED);
  this.put(OTHERS, [asked]);
  await decideAs(this, asked, 'Denied', 'granted');
});

Given('a request that an administrator approves', WRITES, async function (this: World) {
  await decideAs(this, await unapproved(this), 'Approved', 'granted');
});

Given('a request that an administrator denies', WRITES, async function (this: World) {
  await decideAs(this, await unapproved(this), 'Denied', 'granted');
});

/** Failed is no verdict: it may be approved later. */
async function markAsFailed(world: World, asked: Asked): Promise<void> {
  const failed = { type: 'Failed', status: 'True', reason: 'JoinproofFails', message: 'Marked so by hand.' };
  const answer = await patchStatus(world, asked, 'status', { conditions: [failed] });
  const subject = `marked as failed: ${subjectOf(asked)}, as an administrator`;
  world.grant(requestAllowed, [{ subject, answer }], { statuses: [200] });
}

Given('a request that an administrator marks as failed', WRITES, async function (this: World) {
  await markAsFailed(this, await unapproved(this));
});

Given('a request that an administrator marks as failed and approves', WRITES, async function (this: World) {
  const asked = await unapproved(this);
  await markAsFailed(this, asked);
  await decideAs(this, asked, 'Approved', 'granted');
  this.put(OTHERS, [asked]);
});

When('an administrator approves it', WRITES, async function (this: World) {
  await decideAs(this, lastAsked(this), 'Approved', 'demanded');
});

Then('a certificate is issued', CONTROLLED, async function (this: World) {
  await checkIssued(this, lastAsked(this));
});

Given('a certificate is issued for a request that an administrator approves', CONTROLLED, async function (this: World) {
  const asked = await unapproved(this);
  await decideAs(this, asked, 'Approved', 'granted');
  await grantIssued(this, asked);
});

/** The approved one was asked for behind the others, and is the last. */
Then('the approved one has a certificate, and the others have none', CONTROLLED, async function (this: World) {
  if (await grantIssued(this, lastAsked(this))) await checkNotIssued(this, ...this.get(OTHERS));
});

Then('no certificate is issued for it', CONTROLLED, async function (this: World) {
  const asked = lastAsked(this);
  await checkNotIssued(this, asked);
  this.grant(requestApproved, await progressOf(this, asked), { kubeadm: true });
});

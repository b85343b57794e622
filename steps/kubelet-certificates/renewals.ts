/** Sentences about a node that asks again: for its next client certificate, and for a serving certificate. */
import { requestAllowed, requestForbidden } from '../../src/checks/access.js';
import { seenIn } from '../../src/checks/answers.js';
import { issuedForRole, readIssued } from '../../src/checks/issued.js';
import { type Ended, machineIssued, machineLater, readEnded } from '../../src/checks/machine.js';
import {
  readProgress,
  readSent,
  requestIn,
  requestRequester,
  requestTaken,
  type Sent,
} from '../../src/checks/request-progress.js';
import { GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { Then, When } from '../../src/run/define.js';
import { keyOfKind, nodeRequest, nodeServingRequest, type Outcome, send } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import {
  askedFor,
  CONTROLLER_MS,
  checkIssued,
  checkNotApproved,
  decideAs,
  grantApproved,
  lastAsked,
  OTHERS,
  progressOf,
  remember,
  stored,
  subjectOf,
} from '../common/csr-requests.js';
import { ownName } from '../common/csr-shapes.js';
import { NODE } from '../common/joined.js';
import { checkClusterSigned } from './issued-certificates.js';

const NEXT = 'its next certificate';
const SERVING = 'a serving certificate';
/** What a node asks is answered by controllers. */
const WAITS = { needs: ['controllers'], waits: true } as const;

/** The answer to the request of a machine, and what became of it. */
function sentBy(outcome: Outcome, what: string): { sent: Sent; request: CertificateSigningRequest | undefined } {
  const request = outcome.kind === 'issued' || outcome.kind === 'waiting' ? outcome.request : undefined;
  const status = outcome.kind === 'refused' ? outcome.answer.status : request === undefined ? 0 : 201;
  // items of lists come without their kind
  const body = request === undefined ? undefined : { kind: 'CertificateSigningRequest', ...request };
  const answer = { status, body: outcome.kind === 'refused' ? outcome.answer.body : body };
  return { sent: readSent(`the request for ${what}, as the node`, answer), request };
}

/** Keeps the request of an outcome as "the request", whatever became of it; that it was taken is granted. */
export function rememberOutcome(world: World, outcome: Outcome, what: string): void {
  const { sent, request } = sentBy(outcome, what);
  world.grant(requestTaken, [sent]);
  if (request !== undefined) remember(world, what, request);
}

When('the node asks for its next certificate', async function (this: World) {
  rememberOutcome(this, await this.get(NODE).kubelet.renew(0, { take: false }), NEXT);
});

When(/^the node asks for its next certificate with a key of (\S+)$/, async function (this: World, kind: string) {
  const key = await keyOfKind(kind);
  rememberOutcome(this, await this.get(NODE).kubelet.renew(0, { take: false, key }), NEXT);
});

/** That a node's own request for a serving certificate is taken is a demand of all that follows. */
async function askForServing(world: World): Promise<boolean> {
  const { kubelet } = world.get(NODE);
  const outcome = await kubelet.askForServing({ dns: [kubelet.nodeName], ip: ['192.0.2.10'] }, 0);
  const { sent, request } = sentBy(outcome, SERVING);
  if (request !== undefined) remember(world, SERVING, request);
  return world.check(requestTaken, [sent]);
}

When('the node asks for a serving certificate', async function (this: World) {
  await askForServing(this);
});

async function approveServing(world: World): Promise<void> {
  await decideAs(world, askedFor(world, SERVING), 'Approved', 'demanded');
}

When('the node asks for a serving certificate, which an administrator approves', async function (this: World) {
  if (await askForServing(this)) await approveServing(this);
});

Then('the stored request names the node and its group', async function (this: World) {
  this.check(requestRequester, await progressOf(this, lastAsked(this)), {
    username: `${NODE_USER_PREFIX}${this.get(NODE).kubelet.nodeName}`,
    groups: [GROUP_NODES],
    exactly: false,
  });
});

interface Attempt {
  readonly subject: string;
  readonly answer: { readonly status: number; readonly body: unknown };
}
const FOREIGN = slot<Attempt>("a node's request for another node");

/** The request of a node that wants to be another one. */
async function asAnother(world: World): Promise<Attempt> {
  const object = nodeRequest(`jp-${world.random(10)}`, ownName(world));
  const answer = await send(world.get(NODE).kubelet.node, object);
  const created = requestIn(answer);
  if (created !== undefined)
    world.put(OTHERS, [
      { what: 'another node', name: created.metadata.name ?? '', sent: object, created, answer: undefined },
    ]);
  return { subject: "a node's request for another node", answer: seenIn(answer) };
}

When('the node asks for a certificate of another node', async function (this: World) {
  this.put(FOREIGN, await asAnother(this));
});

Then(
  'its own request is approved, and that for the other is refused or not approved',
  WAITS,
  async function (this: World) {
    if (!(await grantApproved(this, askedFor(this, NEXT)))) return;
    if (this.has(OTHERS)) await checkNotApproved(this, ...this.get(OTHERS));
    else this.check(requestForbidden, [this.get(FOREIGN)]);
  },
);

Then('the node is forbidden to ask for a certificate of another node', async function (this: World) {
  this.check(requestForbidden, [await asAnother(this)]);
});

Then('the node is forbidden to ask for a serving certificate of another node', async function (this: World) {
  const other = `jp-${this.random(10)}`;
  const object = nodeServingRequest(other, ownName(this), { dns: [other], ip: ['192.0.2.11'] });
  const { status, body } = await send(this.get(NODE).kubelet.node, object);
  const subject = "a node's request for another node's serving certificate";
  this.check(requestForbidden, [{ subject, answer: seenIn({ status, body }) }]);
});

Then('both certificates are issued', WAITS, async function (this: World) {
  await checkIssued(this, askedFor(this, NEXT));
  await checkIssued(this, askedFor(this, SERVING));
});

interface Renewed {
  readonly ended: Ended;
  readonly request: CertificateSigningRequest | undefined;
  readonly answers: readonly Attempt[];
}
const RENEWED = slot<Renewed>('a renewed certificate');

When('the node renews its certificate and keeps asking meanwhile', WAITS, async function (this: World) {
  const { kubelet } = this.get(NODE);
  const old = kubelet.node;
  const answers: Attempt[] = [];
  const look = async (client: Pick<Asker, 'ask'>, when: string): Promise<void> => {
    const { status, body } = await client.ask({ path: '/api' });
    answers.push({ subject: `GET /api, as the node ${when}`, answer: seenIn({ status, body }) });
  };
  await look(old, 'before its renewal');
  // both are waited for, so that neither can fail unheard
  const [outcome] = await Promise.all([kubelet.renew(CONTROLLER_MS), look(old, 'during its renewal')]);
  await look(old, 'with the old certificate, afterwards');
  if (outcome.kind === 'issued') {
    this.secret(outcome.pair.key);
    await look(kubelet.node, 'with the new certificate');
  }
  await look(old, 'with the old certificate, once more');
  const request = outcome.kind === 'waiting' ? outcome.request : undefined;
  this.put(RENEWED, { ended: readEnded("the node's renewal", outcome), request, answers });
});

Then('none of its requests was refused, with the old certificate or with the new', async function (this: World) {
  const { ended, request, answers } = this.get(RENEWED);
  // a node that is refused cannot renew either
  if (!this.check(requestAllowed, answers, { statuses: [200] })) return;
  if (request !== undefined) await grantApproved(this, remember(this, NEXT, request));
  this.grant(machineIssued, [ended], { demanded: 'is issued within 30 s' });
});

Then("that request is younger than the node's first one, and made by the node", async function (this: World) {
  const { request, kubelet } = this.get(NODE);
  const serving = askedFor(this, SERVING);
  const progress = readProgress(subjectOf(serving), serving.created);
  const { subject, created } = progress;
  this.check(machineLater, { subject, created, first: request.metadata.creationTimestamp ?? '' });
  const username = `${NODE_USER_PREFIX}${kubelet.nodeName}`;
  this.check(requestRequester, progress, { username, groups: [GROUP_NODES], exactly: false });
});

Then(
  "that certificate is signed by the cluster's CA, for servers and not for clients",
  WAITS,
  async function (this: World) {
    const asked = askedFor(this, SERVING);
    if (!(await checkIssued(this, asked))) return;
    const request = await stored(this, asked);
    if (request === undefined) return this.unknown('the request for a serving certificate is gone');
    const subject = 'the serving certificate';
    await checkClusterSigned(this, request, subject);
    this.check(issuedForRole, [readIssued(subject, request)], { role: 'serverAuth', other: 'clientAuth' });
  },
);

Then('the renewal is approved, and the serving request waits', WAITS, async function (this: World) {
  if (await grantApproved(this, askedFor(this, NEXT))) await checkNotApproved(this, askedFor(this, SERVING));
});

When('an administrator approves the serving request', async function (this: World) {
  await approveServing(this);
});

Then('the serving certificate is issued', WAITS, async function (this: World) {
  await checkIssued(this, askedFor(this, SERVING));
});

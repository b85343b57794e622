/** Sentences about a node that asks again for its client certificate: who may, what comes of it, what it breaks. */
import { requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { type Ended, machineIssued, readEnded } from '../../src/checks/bootstrap-tokens/machine.js';
import { leafIn } from '../../src/checks/certificates/x509.js';
import { type Answered, seenIn } from '../../src/checks/common/answers.js';
import {
  type Issued,
  issuedForAYear,
  issuedForKey,
  issuedForRole,
  issuedForSubject,
  issuedPem,
  readIssued,
} from '../../src/checks/kubelet-certificates/issued.js';
import { cameWithIts, readCame } from '../../src/checks/kubelet-certificates/node-requests.js';
import { goodAtOnce, renewalApproved, sameIdentity } from '../../src/checks/kubelet-certificates/renewals.js';
import { requestRequester } from '../../src/checks/kubelet-certificates/request-progress.js';
import { GROUP_AUTHENTICATED, GROUP_NODES, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { type DataTable, Then, When } from '../../src/run/define.js';
import { type Keyed, type KeyObject, keyOfKind, nodeRequest, type Pair } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Asker } from '../../src/targets/types.js';
import {
  type Asked,
  ask,
  askedFor,
  byItself,
  CONTROLLER_MS,
  checkIssued,
  checkNotApproved,
  decided,
  grantApproved,
  grantIssued,
  lastAsked,
  OTHERS,
  progressOf,
  type Requester,
  remember,
  sendRequest,
  stored,
} from '../common/csr-requests.js';
import { ownName, wantedRequest } from '../common/csr-shapes.js';
import { forEach } from '../common/each.js';
import { NODE } from '../common/joined.js';
import { login } from '../common/login.js';
import { podsOf } from '../common/node-client.js';
import { seconds } from '../common/waiting.js';
import { checkClusterSigned } from './issued-certificates.js';
import { otherName } from './other-names.js';

export const NEXT = 'its next certificate';
/** What a node asks is answered by controllers. */
export const WAITS = { needs: ['controllers'], waits: true } as const;

/** The node, asking with the certificate that it has joined with. */
export const nodeAsking = (world: World): Requester => ({
  client: world.as({ kind: 'certificate', ...world.get(NODE).pair }),
  who: 'the node',
});

/** A renewal, kept as "the request", whatever becomes of it; that it is taken is granted. */
export async function askNext(world: World, what: string = NEXT, key?: KeyObject): Promise<Keyed> {
  const renewal = nodeRequest(world.get(NODE).kubelet.nodeName, ownName(world), key);
  await ask(world, nodeAsking(world), what, renewal.object);
  return renewal;
}

When('the node asks for its next certificate', async function (this: World) {
  await askNext(this);
});

When(/^the node asks for its next certificate with a key of (\S+)$/, async function (this: World, kind: string) {
  await askNext(this, NEXT, await keyOfKind(kind));
});

Then('the stored request names the node and its group', async function (this: World) {
  this.check(requestRequester, await progressOf(this, lastAsked(this)), {
    username: `${NODE_USER_PREFIX}${this.get(NODE).kubelet.nodeName}`,
    groups: [GROUP_NODES, GROUP_AUTHENTICATED],
    exactly: true,
  });
});

Then('the stored request says which certificate the node came with', async function (this: World) {
  const asked = lastAsked(this);
  const { pair } = this.get(NODE);
  this.check(cameWithIts, readCame(`the request for ${asked.what}`, await stored(this, asked), pair.certificate));
});

Then("the request is approved automatically, as a node's for itself", WAITS, async function (this: World) {
  this.check(renewalApproved, await decided(this, lastAsked(this)), byItself(this));
});

/** Sent as the node, and kept beside its own renewal: nothing good must come of them, whether they are taken or not. */
async function tryEach(
  world: World,
  objects: readonly (readonly [string, CertificateSigningRequest])[],
): Promise<void> {
  const others: Asked[] = [];
  for (const [what, object] of objects) others.push((await sendRequest(world, nodeAsking(world), what, object)).asked);
  world.put(OTHERS, others);
}

const rowsOf = (table: DataTable): string[] => table.raw().map(([what = '']) => what);

When('the node asks for certificates of:', async function (this: World, table: DataTable) {
  const { nodeName } = this.get(NODE).kubelet;
  const rows = rowsOf(table).map((whom) => {
    const name = otherName(this, whom, nodeName);
    return [whom, wantedRequest(this, 'a node', undefined, name)] as const;
  });
  await tryEach(this, rows);
});

When('the node asks in its name for:', async function (this: World, table: DataTable) {
  const { nodeName } = this.get(NODE).kubelet;
  const rows = rowsOf(table).map((what) => [what, wantedRequest(this, what, undefined, nodeName)] as const);
  await tryEach(this, rows);
});

/** Nothing comes of them while the good one is served, and for a while after. */
Then('its renewal is approved, and none of the others is', WAITS, async function (this: World) {
  if (await grantApproved(this, askedFor(this, NEXT))) await checkNotApproved(this, ...this.get(OTHERS));
});

Then('each of them is forbidden at once', function (this: World) {
  const answers = this.get(OTHERS).flatMap(({ answer }) => answer ?? []);
  this.check(
    requestForbidden,
    answers.map(({ subject, status, message }) => ({ subject, answer: { status, body: { message } } })),
  );
});

/** A node before, during and after a renewal. */
interface Renewed {
  readonly ended: Ended;
  readonly request: CertificateSigningRequest | undefined;
  readonly answers: readonly Answered[];
  readonly pair: Pair | undefined;
}
const RENEWED = slot<Renewed>('a renewed certificate');

/** What a node asks all the time: the Pods that it has to run, and where the API is. */
const looked = async (world: World, client: Pick<Asker, 'ask'>, when: string): Promise<readonly Answered[]> => {
  const { nodeName } = world.get(NODE).kubelet;
  const questions = { 'GET /api': { path: '/api' }, 'list its pods': podsOf(nodeName) };
  return forEach(world, Object.entries(questions), async ([what, question]) => ({
    subject: `${what}, as the node ${when}`,
    answer: seenIn(await client.ask(question)),
  }));
};

When('the node renews its certificate and keeps asking meanwhile', WAITS, async function (this: World) {
  const { kubelet } = this.get(NODE);
  const old = kubelet.node;
  const answers = [...(await looked(this, old, 'before its renewal'))];
  const first = await kubelet.renew(0);
  answers.push(...(await looked(this, old, 'while it renews')));
  const outcome = first.kind === 'waiting' ? await kubelet.goOn(this.patiently(CONTROLLER_MS)) : first;
  answers.push(...(await looked(this, old, 'with the old certificate, afterwards')));
  const pair = outcome.kind === 'issued' ? outcome.pair : undefined;
  if (pair !== undefined) {
    this.secret(pair.key);
    answers.push(...(await looked(this, kubelet.node, 'with the new certificate')));
    answers.push(...(await looked(this, old, 'with the old certificate, once the new one was used')));
  }
  const request = outcome.kind === 'issued' || outcome.kind === 'waiting' ? outcome.request : undefined;
  this.put(RENEWED, { ended: readEnded("the node's renewal", outcome), request, answers, pair });
});

Then(
  'none of its requests was refused, with the old certificate or with the new, which is good when it comes',
  async function (this: World) {
    const { ended, request, answers, pair } = this.get(RENEWED);
    const came =
      pair === undefined ? [] : [{ subject: 'the new certificate', certificate: leafIn(pair.certificate) ?? null }];
    const good = this.check(goodAtOnce, came, { now: this.now() });
    // a node that is refused cannot renew either
    if (!this.check(requestAllowed, answers, { statuses: [200] }) || !good) return;
    if (request !== undefined) await grantApproved(this, remember(this, NEXT, request));
    this.grant(machineIssued, [ended], { demanded: `is issued within ${seconds(this, CONTROLLER_MS)}` });
  },
);

const GIVEN = slot<{ readonly issued: Issued; readonly request: CertificateSigningRequest; readonly pair: Pair }>(
  "a node's next certificate",
);
const SUBJECT = "the node's next certificate";

When('the node is given its next certificate', WAITS, async function (this: World) {
  const renewal = await askNext(this);
  const asked = lastAsked(this);
  if (!(await grantIssued(this, asked))) return;
  const request = (await stored(this, asked)) ?? this.unknown('the request of the node is gone');
  const pair = renewal.pair(issuedPem(request));
  this.secret(pair.key);
  this.put(GIVEN, { issued: readIssued(SUBJECT, request), request, pair });
});

Then('that certificate is for its key, its node, clients alone and a year at most', function (this: World) {
  const { issued } = this.get(GIVEN);
  this.check(issuedForKey, [issued]);
  this.check(issuedForSubject, [issued]);
  this.check(issuedForRole, [issued], { role: 'clientAuth', other: 'serverAuth' });
  this.check(issuedForAYear, [issued]);
});

Then("that certificate is signed by the cluster's CA", async function (this: World) {
  await checkClusterSigned(this, [{ request: this.get(GIVEN).request, subject: SUBJECT }]);
});

Then('its bearer is who the bearer of the first one was', async function (this: World) {
  const { pair } = this.get(GIVEN);
  const before = await login(this, { kind: 'certificate', ...this.get(NODE).pair });
  const heard = await login(this, { kind: 'certificate', ...pair });
  this.check(sameIdentity, { subject: SUBJECT, heard, before });
});

Then('a certificate for that key is issued', WAITS, async function (this: World) {
  const asked = lastAsked(this);
  if (!(await checkIssued(this, asked))) return;
  const request = await stored(this, asked);
  if (request === undefined) return this.unknown('the request of the node is gone');
  this.check(issuedForKey, [readIssued(SUBJECT, request)]);
});

Then('its renewal is issued', WAITS, async function (this: World) {
  await checkIssued(this, askedFor(this, NEXT));
});

/** Sentences about a node's serving certificate: who asks for it, who approves it, what is issued, what it opens. */

import { heardIn, loginRefused } from '../../src/checks/authenticators/login.js';
import { requestForbidden } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import {
  issuedForAYear,
  issuedForKey,
  issuedForRole,
  issuedForSubject,
  issuedPem,
  readIssued,
} from '../../src/checks/kubelet-certificates/issued.js';
import { requestTaken } from '../../src/checks/kubelet-certificates/request-progress.js';
import { requestAtRest } from '../../src/checks/kubelet-certificates/seen-requests.js';
import { readServingNames, servingIssuedNames } from '../../src/checks/kubelet-certificates/serving-requests.js';
import type { CertificateSigningRequest } from '../../src/kubernetes/objects.js';
import { type DataTable, Then, When } from '../../src/run/define.js';
import { type Keyed, nodeServingRequest, send } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import {
  askedFor,
  checkIssued,
  checkNotApproved,
  decideAs,
  grantApproved,
  issued,
  sendRequest,
  stored,
} from '../common/csr-requests.js';
import { ownName } from '../common/csr-shapes.js';
import { forEach } from '../common/each.js';
import { NODE } from '../common/joined.js';
import { checkClusterSigned } from './issued-certificates.js';
import { otherName } from './other-names.js';
import { NEXT, nodeAsking, WAITS } from './renewals.js';

const SERVING = 'a serving certificate';
const SUBJECT = 'the serving certificate';

const KEYED = slot<Keyed>('a request for a serving certificate');

/** That a node's own request for a serving certificate is taken is a demand of all that follows. */
async function askForServing(world: World): Promise<boolean> {
  const { nodeName } = world.get(NODE).kubelet;
  const addresses = { dns: [nodeName], ip: ['192.0.2.10'] };
  const { object } = world.put(KEYED, nodeServingRequest(nodeName, ownName(world), addresses));
  const { sent } = await sendRequest(world, nodeAsking(world), SERVING, object);
  return world.check(requestTaken, [sent]);
}

When('the node asks for a serving certificate', async function (this: World) {
  await askForServing(this);
});

const approveServing = (world: World): Promise<void> =>
  decideAs(world, askedFor(world, SERVING), 'Approved', 'demanded');

When('the node asks for a serving certificate, which an administrator approves', async function (this: World) {
  if (await askForServing(this)) await approveServing(this);
});

When('an administrator approves the serving request', async function (this: World) {
  await approveServing(this);
});

Then('the node is forbidden to ask for serving certificates of:', async function (this: World, table: DataTable) {
  const { nodeName } = this.get(NODE).kubelet;
  const answers = await forEach(this, table.raw(), async ([whom = '']) => {
    const other = otherName(this, whom, nodeName);
    const { object } = nodeServingRequest(other, ownName(this), { dns: [other], ip: ['192.0.2.11'] });
    const answer = seenIn(await send(nodeAsking(this).client, object));
    return { subject: `a node's request for a serving certificate of ${whom}`, answer };
  });
  this.check(requestForbidden, answers);
});

/** The request as it is once it is issued; undefined where that is not so, which has been judged. */
async function issuedServing(world: World): Promise<CertificateSigningRequest | undefined> {
  const asked = askedFor(world, SERVING);
  if (!(await checkIssued(world, asked))) return undefined;
  return (await stored(world, asked)) ?? world.unknown('the request for a serving certificate is gone');
}

Then(
  "that certificate is signed by the cluster's CA, for its key, its node, servers alone and a year at most",
  WAITS,
  async function (this: World) {
    const request = await issuedServing(this);
    if (request === undefined) return;
    await checkClusterSigned(this, [{ request, subject: SUBJECT }]);
    const facts = [readIssued(SUBJECT, request)];
    this.check(issuedForKey, facts);
    this.check(issuedForSubject, facts);
    this.check(issuedForRole, facts, { role: 'serverAuth', other: 'clientAuth' });
    this.check(issuedForAYear, facts);
  },
);

Then('that certificate names exactly what was asked for', WAITS, async function (this: World) {
  const request = await issuedServing(this);
  if (request === undefined) return;
  const [names] = readServingNames([requestAtRest(request).seen], []);
  if (names === undefined) return this.unknown('the request for a serving certificate cannot be read');
  this.check(servingIssuedNames, names);
});

Then('the renewal is approved, and the serving request waits', WAITS, async function (this: World) {
  if (!(await grantApproved(this, askedFor(this, NEXT)))) return;
  const asked = askedFor(this, SERVING);
  await checkNotApproved(this, asked);
});

Then('the serving certificate is issued', WAITS, async function (this: World) {
  await checkIssued(this, askedFor(this, SERVING));
});

Then('its serving certificate is refused as unauthorized', WAITS, async function (this: World) {
  const asked = askedFor(this, SERVING);
  await issued(this, asked);
  const request = await stored(this, asked);
  const pem = request === undefined ? '' : issuedPem(request);
  if (pem === '') return this.unknown('nobody has issued a serving certificate');
  const pair = this.get(KEYED).pair(pem);
  this.secret(pair.key);
  const heard = heardIn(await this.as({ kind: 'certificate', ...pair }).ask({ path: '/api' }));
  this.check(loginRefused, [{ subject: "GET /api, with the node's serving certificate", heard }]);
});

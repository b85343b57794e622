/** Sentences about asking for certificates: who may, what is taken, what is kept. */
import { requestAllowed, requestForbidden } from '../../src/checks/access.js';
import { isInternal, seenIn } from '../../src/checks/answers.js';
import {
  apiOffers,
  IMPOSSIBLE_VERSION,
  keptAsSent,
  readOffered,
  watchAllowed,
} from '../../src/checks/request-access.js';
import {
  readProgress,
  readSent,
  requestInvalid,
  requestRequester,
  requestTaken,
  requestUndecided,
} from '../../src/checks/request-progress.js';
import { BOOTSTRAP_USER_PREFIX, GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { brokenRequest, send } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import {
  administrator,
  ask,
  bearer,
  bindingOfAllTokens,
  lastAsked,
  progressOf,
  sendRequest,
  stored,
  subjectOf,
} from '../common/csr-requests.js';
import { ownName, wantedRequest } from '../common/csr-shapes.js';
import { grantReading } from '../common/reading.js';
import { clientOf, joiningToken, OTHER_TOKEN, TOKEN } from '../common/tokens.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

Given('a sound request of an administrator that is taken', WRITES, async function (this: World) {
  await ask(this, administrator(this), 'the user admin in no group');
});

Then(/^a request that is (.*) is refused as invalid$/, WRITES, async function (this: World, how: string) {
  const object = brokenRequest(how, ownName(this));
  if (object === undefined) return this.unknown(`the steps know no request that is "${how}"`);
  this.check(requestInvalid, [readSent(`a request that is ${how}`, await send(this.admin, object))]);
});

Then(/^its bearer may ask for a certificate for a node$/, WRITES, async function (this: World) {
  const { sent } = await sendRequest(this, bearer(this), 'a node', wantedRequest(this, 'a node'));
  this.check(requestTaken, [sent]);
});

When(
  /^its bearer asks for a certificate for (?!each of:)((?:(?! and claims | and sends | with a comment).)*)$/,
  WRITES,
  async function (this: World, what: string) {
    await ask(this, bearer(this), what);
  },
);

/** Each is kept, taken or not: the API server may refuse what no approver may approve. */
When('its bearer asks for a certificate for each of:', WRITES, async function (this: World, table: DataTable) {
  const requester = bearer(this);
  for (const { request = '' } of table.hashes())
    await sendRequest(this, requester, request, wantedRequest(this, request));
});

When(
  'its bearer asks for a certificate for a node and claims to be {string} in {string}',
  WRITES,
  async function (this: World, user: string, group: string) {
    const object = wantedRequest(this, 'a node');
    const claims = { ...object.spec, username: user, groups: [group], uid: 'jp' };
    await ask(this, bearer(this), 'a node', { ...object, spec: claims });
  },
);

When('its bearer asks for a certificate for a node and sends the approval along', WRITES, async function (this: World) {
  const condition = { type: 'Approved', status: 'True', reason: 'JoinproofClaims', message: 'sent along' };
  const object = { ...wantedRequest(this, 'a node'), status: { conditions: [condition] } };
  await ask(this, bearer(this), 'a node', object);
});

When(
  'its bearer asks for a certificate for a node, with a comment before the request',
  WRITES,
  async function (this: World) {
    await ask(
      this,
      bearer(this),
      'a node',
      wantedRequest(this, 'a node', (pem) => `made by joinproof\n${pem}`),
    );
  },
);

Then('its bearer can get, list and watch the request', async function (this: World) {
  const { name } = lastAsked(this);
  const { client } = bearer(this);
  const collection = pathOf(resources.certificateSigningRequests);
  const answered = async (verb: string, question: Parameters<typeof client.ask>[0]) => {
    const { status, body } = await client.ask(question);
    return {
      subject: `${verb} the certificate request ${name}, as the token that made it`,
      answer: seenIn({ status, body }),
    };
  };
  const got = await answered('get', { path: pathOf(resources.certificateSigningRequests, { name }) });
  const listed = await answered('list', { path: collection, query: { fieldSelector: `metadata.name=${name}` } });
  this.check(requestAllowed, [got, listed], { statuses: [200] });
  // an impossible resourceVersion ends a watch at once, but only after it was authorized
  const query = { watch: 'true', resourceVersion: IMPOSSIBLE_VERSION };
  const watched = await answered('watch', { path: collection, query, expects: isInternal });
  this.check(watchAllowed, [watched]);
});

Then("the stored request names the token's user and groups", async function (this: World) {
  this.check(requestRequester, await progressOf(this, lastAsked(this)), {
    username: `${BOOTSTRAP_USER_PREFIX}${this.get(TOKEN).id}`,
    groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, 'system:authenticated'],
    exactly: true,
  });
});

Then('the stored request had no approval when it was taken', function (this: World) {
  const asked = lastAsked(this);
  this.check(requestUndecided, readProgress(`${subjectOf(asked)}, as created`, asked.created));
});

Given('a bootstrap token of a group that nobody binds', WRITES, async function (this: World) {
  this.put(OTHER_TOKEN, await joiningToken(this, `system:bootstrappers:jp-${this.random(10)}`));
});

Then(
  'the bearer of the first may ask for a certificate, and the bearer of the second may not',
  WRITES,
  async function (this: World) {
    await ask(this, bearer(this), 'a node');
    await grantReading(this);
    // the group that all tokens are in may have the permission, under any name of a binding
    const everybody = await bindingOfAllTokens(this, 'system:node-bootstrapper');
    if (everybody !== undefined)
      return this.skip(
        'fact',
        `ClusterRoleBinding ${everybody.metadata.name ?? ''} lets every bootstrap token ask for certificates`,
      );
    const { status, body } = await send(clientOf(this, this.get(OTHER_TOKEN)), wantedRequest(this, 'a node'));
    const subject = 'create a certificate request, as a token of a group that nobody binds';
    this.check(requestForbidden, [{ subject, answer: seenIn({ status, body }) }]);
  },
);

Then(
  'its bearer is forbidden to ask the signer for API clients for the group system:masters',
  WRITES,
  async function (this: World) {
    const requester = bearer(this);
    await ask(this, requester, 'a node');
    const { status, body } = await send(
      requester.client,
      wantedRequest(this, 'an API client in the group system:masters'),
    );
    const subject = 'a request for system:masters from the signer for API clients, as a joining token';
    this.check(requestForbidden, [{ subject, answer: seenIn({ status, body }) }]);
  },
);

Then('the stored request is byte for byte what was sent', async function (this: World) {
  const asked = lastAsked(this);
  const kept = (await stored(this, asked))?.spec.request ?? '';
  this.check(keptAsSent, { subject: subjectOf(asked), sent: asked.sent.spec.request, kept });
});

When('an administrator tries to put another request in its place', async function (this: World) {
  const { name } = lastAsked(this);
  const other = wantedRequest(this, 'the user admin in no group');
  // refused or ignored: what counts is what is stored afterwards
  await this.admin.ask({
    method: 'PATCH',
    path: pathOf(resources.certificateSigningRequests, { name }),
    contentType: 'application/merge-patch+json',
    body: { spec: { request: other.spec.request } },
  });
});

const CERTIFICATES_API = '/apis/certificates.k8s.io/v1';

Then(
  'the API server offers certificate requests with their approval and status',
  { needs: ['requests'] },
  async function (this: World) {
    const offered = readOffered(CERTIFICATES_API, await this.admin.ask({ path: CERTIFICATES_API }));
    const name = 'certificatesigningrequests';
    this.check(apiOffers, offered, { resources: [name, `${name}/approval`, `${name}/status`] });
  },
);

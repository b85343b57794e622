/** Sentences about asking for certificates: who may, what is taken, what is kept. */

import { requestAllowed, requestForbidden } from '../../src/checks/authorization/access.js';
import { seenIn } from '../../src/checks/common/answers.js';
import {
  apiOffers,
  type Kept,
  keptAsItWas,
  readKept,
  readOffered,
  readWatched,
  watchTells,
} from '../../src/checks/kubelet-certificates/request-access.js';
import {
  readProgress,
  readSent,
  requestIn,
  requestInvalid,
  requestIssued,
  requestRequester,
  requestTaken,
  requestUnclaimed,
  requestUndecided,
} from '../../src/checks/kubelet-certificates/request-progress.js';
import { base64 } from '../../src/kubernetes/json.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  NODE_USER_PREFIX,
} from '../../src/kubernetes/names.js';
import { ODD_ENDS } from '../../src/kubernetes/own-objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { brokenRequest, send, strangersPair } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import { attemptOf } from '../common/csr-attempts.js';
import {
  administrator,
  ask,
  bearer,
  bindingOfAllTokens,
  grantIssued,
  lastAsked,
  progressOf,
  type Requester,
  sendRequest,
  stored,
  subjectOf,
} from '../common/csr-requests.js';
import { formOf, ownName, wantedRequest } from '../common/csr-shapes.js';
import { NODE } from '../common/joined.js';
import { grantReading } from '../common/reading.js';
import { clientOf, joiningToken, OTHER_TOKEN, TOKEN } from '../common/tokens.js';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
const WRITES = { needs: ['writes', 'requests'] } as const;
const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;

Given('a sound request of an administrator that is taken', WRITES, async function (this: World) {
  await ask(this, administrator(this), 'the user admin in no group');
});

Then(/^a request that is (.*) is refused as invalid$/, WRITES, async function (this: World, how: string) {
  const object = brokenRequest(how, ownName(this));
  if (object === undefined) return this.unknown(`the steps know no request that is "${how}"`);
  this.check(requestInvalid, [readSent(`a request that is ${how}`, await send(this.admin, object))]);
});

Then(
  /^a request of an administrator for ((?:(?!, sent with ).)*), sent with ([^,]*), is taken$/,
  WRITES,
  async function (this: World, what: string, form: string) {
    const object = wantedRequest(this, what, formOf(this, form));
    const { sent } = await sendRequest(this, administrator(this), `${what}, sent with ${form}`, object);
    this.check(requestTaken, [sent]);
  },
);

Then(
  /^a request of an administrator for ((?:(?!, sent with ).)*) is taken$/,
  WRITES,
  async function (this: World, what: string) {
    const { sent } = await sendRequest(this, administrator(this), what, wantedRequest(this, what));
    this.check(requestTaken, [sent]);
  },
);

Then(
  /^a request of an administrator whose name has (.*) is taken$/,
  WRITES,
  async function (this: World, what: string) {
    const end = ODD_ENDS[what] ?? this.unknown(`the steps know no name with ${what}`);
    const plain = wantedRequest(this, 'an API client of a signer that nobody runs');
    const object = { ...plain, metadata: { ...plain.metadata, name: `${plain.metadata.name ?? ''}${end}` } };
    const { sent } = await sendRequest(this, administrator(this), `an API client, under a name with ${what}`, object);
    this.check(requestTaken, [sent]);
  },
);

Then(/^its bearer may ask for a certificate for a node$/, WRITES, async function (this: World) {
  const { sent } = await sendRequest(this, bearer(this), 'a node', wantedRequest(this, 'a node'));
  this.check(requestTaken, [sent]);
});

When(
  /^its bearer asks for a certificate for (?!each of:)((?:(?! and claims | and sends |, sent with ).)*)$/,
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

/** What no user of the cluster has. */
const CLAIMED = { uid: 'jp-claimed', extra: 'joinproof.invalid/claimed' } as const;

When(
  'its bearer asks for a certificate for a node and claims to be {string} in {string}',
  WRITES,
  async function (this: World, user: string, group: string) {
    const object = wantedRequest(this, 'a node');
    const claims = {
      ...object.spec,
      username: user,
      groups: [group],
      uid: CLAIMED.uid,
      extra: { [CLAIMED.extra]: ['x'] },
    };
    await ask(this, bearer(this), 'a node', { ...object, spec: claims });
  },
);

When('its bearer asks for a certificate for a node and sends the approval along', WRITES, async function (this: World) {
  const conditions = ['Approved', 'Failed'].map((type) => ({
    type,
    status: 'True',
    reason: 'JoinproofClaims',
    message: 'sent along',
  }));
  const certificate = base64(strangersPair(`${NODE_USER_PREFIX}jp-claimed`, [GROUP_NODES]).certificate);
  const object = { ...wantedRequest(this, 'a node'), status: { conditions, certificate } };
  await ask(this, bearer(this), 'a node', object);
});

When(
  /^its bearer asks for a certificate for a node, sent with (.*)$/,
  WRITES,
  async function (this: World, form: string) {
    await ask(this, bearer(this), 'a node', wantedRequest(this, 'a node', formOf(this, form)));
  },
);

/** Seconds after which a watch of ours ends by itself. */
const WATCHED = 10;
/** Milliseconds within which the same server answers where nothing keeps it busy. */
const AT_ONCE = 1_000;

const milliseconds = async <T>(ask: () => Promise<T>): Promise<readonly [T, number]> => {
  const since = performance.now();
  return [await ask(), performance.now() - since];
};

Then('its bearer can get, list and watch the request', async function (this: World) {
  const { name } = lastAsked(this);
  const { client } = bearer(this);
  const collection = pathOf(resources.certificateSigningRequests);
  const as = (verb: string): string => `${verb} the certificate request ${name}, as the token that made it`;
  const selected = { fieldSelector: `metadata.name=${name}` };
  const got = await client.ask({ path: pathOf(resources.certificateSigningRequests, { name }) });
  const [listed, took] = await milliseconds(() => client.ask({ path: collection, query: selected }));
  const answers = [
    { subject: as('get'), answer: seenIn(got) },
    { subject: as('list'), answer: seenIn(listed) },
  ];
  if (!this.check(requestAllowed, answers, { statuses: [200] })) return;
  const query = { ...selected, watch: 'true', timeoutSeconds: String(WATCHED) };
  const [watched, waited] = await milliseconds(() =>
    client.ask({ path: collection, query, timeoutMs: 3_000 * WATCHED }),
  );
  const late = waited > (WATCHED - 1) * 1_000;
  if (late && (took > AT_ONCE || watched.resent === true)) {
    const why = watched.resent === true ? 'the watch was cut off before' : `a list took ${Math.round(took)} ms`;
    return this.unknown(`${why}, so that a watch of ${Math.round(waited)} ms says nothing`);
  }
  this.check(watchTells, [readWatched(as('watch'), watched, late)], { name });
});

Then('its bearer sees the certificate once it is issued', CONTROLLED, async function (this: World) {
  const asked = lastAsked(this);
  if (!(await grantIssued(this, asked))) return;
  const got = await bearer(this).client.ask({ path: pathOf(resources.certificateSigningRequests, asked) });
  const subject = `get ${subjectOf(asked)}, as the token that made it`;
  if (!this.check(requestAllowed, [{ subject, answer: seenIn(got) }], { statuses: [200] })) return;
  const request = requestIn(got);
  const seen = readProgress(`${subjectOf(asked)}, as its bearer reads it`, request);
  if (!this.check(requestIssued, [seen], { kubeadm: true, signer: true })) return;
  const kept = readKept(`${subjectOf(asked)}, as others read it and its bearer`, await stored(this, asked), request);
  this.check(keptAsItWas, [kept], { parts: ['status.certificate'] });
});

Then("the stored request names the token's user and groups", async function (this: World) {
  this.check(requestRequester, await progressOf(this, lastAsked(this)), {
    username: `${BOOTSTRAP_USER_PREFIX}${this.get(TOKEN).id}`,
    groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, 'system:authenticated'],
    exactly: true,
  });
});

Then('nothing that was claimed besides is written down', async function (this: World) {
  this.check(requestUnclaimed, await progressOf(this, lastAsked(this)), CLAIMED);
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
    // the group that all tokens are in may have the permission, by whatever role and binding
    const everybody = await bindingOfAllTokens(this, 'create certificatesigningrequests.certificates.k8s.io');
    if (everybody !== undefined)
      return this.skip('fact', `${everybody} lets every bootstrap token ask for certificates`);
    const { status, body } = await send(clientOf(this, this.get(OTHER_TOKEN)), wantedRequest(this, 'a node'));
    const subject = 'create a certificate request, as a token of a group that nobody binds';
    this.check(requestForbidden, [{ subject, answer: seenIn({ status, body }) }]);
  },
);

/** Before, behind and without another group. */
async function checkNoMasters(world: World, { client, who }: Requester): Promise<void> {
  const shapes = ['', ' behind another', ' before another'];
  const answers = shapes.map(async (where) => {
    const wanted = wantedRequest(world, `an API client in the group system:masters${where}`);
    const { status, body } = await send(client, wanted);
    const subject = `a request for system:masters${where} from the signer for API clients, as ${who}`;
    return { subject, answer: seenIn({ status, body }) };
  });
  world.check(requestForbidden, await Promise.all(answers));
}

Then(
  'its bearer is forbidden to ask the signer for API clients for the group system:masters',
  WRITES,
  async function (this: World) {
    const requester = bearer(this);
    await ask(this, requester, 'a node');
    await checkNoMasters(this, requester);
  },
);

Then(
  'the node is forbidden to ask the signer for API clients for the group system:masters',
  WRITES,
  async function (this: World) {
    const requester = { client: this.as({ kind: 'certificate', ...this.get(NODE).pair }), who: 'a node' };
    await ask(this, requester, 'an API client that nobody approves automatically');
    await checkNoMasters(this, requester);
  },
);

Then('the stored request is byte for byte what was sent', async function (this: World) {
  const asked = lastAsked(this);
  const kept = readKept(subjectOf(asked), asked.sent, await stored(this, asked));
  this.check(keptAsItWas, [kept], { parts: ['spec.request', 'spec.signerName', 'spec.usages'] });
});

/** Refused or ignored: what counts is what is stored afterwards. */
Then('no attempt of an administrator changes it:', WRITES, async function (this: World, table: DataTable) {
  const asked = lastAsked(this);
  const kept: Kept[] = [];
  for (const { attempt = '' } of table.hashes()) {
    const before = await stored(this, asked);
    const tried = attemptOf(attempt, before, wantedRequest(this, 'the user admin in no group'));
    if (tried === undefined) return this.unknown(`the steps know no attempt to ${attempt}`);
    const { subresource, body } = tried;
    await this.admin.ask({
      method: 'PATCH',
      path: pathOf(resources.certificateSigningRequests, { name: asked.name, ...(subresource && { subresource }) }),
      contentType: PATCH_TYPES.merge,
      body,
    });
    const subject = `${subjectOf(asked)}, after an attempt to ${attempt}`;
    kept.push(readKept(subject, before, await stored(this, asked)));
  }
  this.check(keptAsItWas, kept, {});
});

const CERTIFICATES_API = '/apis/certificates.k8s.io/v1';

Then(
  'the API server offers certificate requests with their approval and status',
  { needs: ['requests'] },
  async function (this: World) {
    const offered = readOffered(CERTIFICATES_API, await this.admin.ask({ path: CERTIFICATES_API }));
    const name = 'certificatesigningrequests';
    const parts = [`${name}/approval`, `${name}/status`];
    const verbs = VERBS.map((verb) => `${name} for ${verb}`);
    const ofParts = parts.flatMap((part) => ['get', 'patch', 'update'].map((verb) => `${part} for ${verb}`));
    this.check(apiOffers, offered, { resources: [name, ...parts, ...verbs, ...ofParts] });
  },
);

/** Sentences about requests of others than tokens and nodes: of who bears a node's name alone, and of accounts. */

import type { Account } from '../../src/checks/authenticators/service-accounts.js';
import { requestRequester } from '../../src/checks/kubelet-certificates/request-progress.js';
import { accountGroups, accountUser, GROUP_AUTHENTICATED, NODE_USER_PREFIX } from '../../src/kubernetes/names.js';
import type { Binding, Subject } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { nodeRequest } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { makeAccount, requestToken } from '../authenticators/accounts.js';
import {
  ASKED,
  ask,
  askedFor,
  bindingOfAllTokens,
  checkNotApproved,
  grantApproved,
  lastAsked,
  OWN_REQUESTS,
  progressOf,
  type Requester,
} from '../common/csr-requests.js';
import { clusterBinding, group } from '../common/grants.js';
import { clientOf, joiningToken } from '../common/tokens.js';
import { SOON } from '../common/waiting.js';

const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;
/** Binds roles to others than bootstrap tokens, or more than the right to ask. */
const BINDING = { needs: ['writes', 'requests', 'controllers', 'ours'], waits: true } as const;
const REQUESTS = pathOf(resources.certificateSigningRequests);
const ASKS = 'system:node-bootstrapper';
const CERTIFICATES = 'system:certificates.k8s.io:certificatesigningrequests';
const NODECLIENT = 'create certificatesigningrequests.certificates.k8s.io/nodeclient';

interface Named {
  readonly name: string;
  readonly requester: Requester;
}
/** A user of a node's name; the second one has no request approved. */
const NAMED = slot<readonly Named[]>('users who bear the name of a node');

async function bind(world: World, subject: Subject, ...roles: readonly string[]): Promise<void> {
  for (const name of roles)
    await world.writes.create<Binding>(
      resources.clusterRoleBindings,
      clusterBinding(`jp-${world.random(10)}`, name, subject),
    );
}

/** In whose name the administrator asks: no admission takes such a user for a node. */
async function namedAsNode(world: World, ...roles: readonly string[]): Promise<Named> {
  const name = `jp-${world.random(10)}`;
  const of = `jp-${world.random(10)}`;
  await bind(world, group(of), ...roles);
  const headers = { 'Impersonate-User': `${NODE_USER_PREFIX}${name}`, 'Impersonate-Group': of };
  const { identity } = world.admin;
  const client: Requester['client'] = { identity, ask: (question) => world.admin.ask({ ...question, headers }) };
  return { name, requester: { client, who: 'who bears the name of a node' } };
}

Given('users who bear the name of a node and are none', BINDING, async function (this: World) {
  // the right to ask comes last: once it counts, the other one does
  this.put(NAMED, [await namedAsNode(this, `${CERTIFICATES}:selfnodeclient`, ASKS), await namedAsNode(this, ASKS)]);
});

const OWN_NAME = 'its own name';
/** What features call a certificate that the first of them asks for, or the second. */
const WANTED: Readonly<Record<string, (first: Named, second: Named) => readonly [Named, string]>> = {
  [OWN_NAME]: (first) => [first, first.name],
  'another node': (first) => [first, `${first.name}-other`],
  'a node whose name begins with its own': (first) => [first, `${first.name}x`],
  'a node whose name its own begins with': (first) => [first, first.name.slice(0, -1)],
  'a node whose name ends with its own': (first) => [first, `x${first.name}`],
  'its own name in capitals': (first) => [first, first.name.toUpperCase()],
  'the node that the second one is named after': (first, second) => [first, second.name],
  'its own name, as one who may not have it approved': (_, second) => [second, second.name],
};

When('they ask for certificates of:', CONTROLLED, async function (this: World, table: DataTable) {
  const [first, second] = this.get(NAMED);
  for (const [what = ''] of table.raw()) {
    if (first === undefined || second === undefined) return this.unknown('there are no two of them');
    const [by, nodeName] = WANTED[what]?.(first, second) ?? this.unknown(`the steps know no certificate of ${what}`);
    await askSoon(this, by.requester, what, nodeName);
  }
});

/** Asks once the API server has learned of the new binding by its watch. */
async function askSoon(world: World, requester: Requester, what: string, nodeName: string): Promise<void> {
  const { object } = nodeRequest(nodeName, `${OWN_REQUESTS}${world.random(10)}`);
  const trial = { method: 'POST', path: REQUESTS, query: { dryRun: 'All' }, body: object } as const;
  await world.eventually(SOON, async () => ((await requester.client.ask(trial)).status === 201 ? true : undefined));
  await ask(world, requester, what, object);
}

Then('the request for its own name is approved, and none of the others is', CONTROLLED, async function (this: World) {
  const own = askedFor(this, OWN_NAME);
  const others = this.get(ASKED).filter((asked) => asked !== own);
  if (await grantApproved(this, own)) await checkNotApproved(this, ...others);
});

interface AccountAsks {
  readonly account: Account;
  readonly requester: Requester;
}
const ACCOUNT_ASKS = slot<AccountAsks>('a service account that may ask for certificates');

Given('a service account that may ask for certificates', BINDING, async function (this: World) {
  const account = await makeAccount(this);
  await bind(this, { kind: 'ServiceAccount', name: account.name, namespace: account.namespace }, ASKS);
  const { token } = await requestToken(this, account, {});
  this.put(ACCOUNT_ASKS, {
    account,
    requester: { client: this.as({ kind: 'token', token }), who: 'a service account' },
  });
});

When('it asks for a certificate for a node', CONTROLLED, async function (this: World) {
  await askSoon(this, this.get(ACCOUNT_ASKS).requester, 'a node, as a service account', `jp-${this.random(10)}`);
});

Then('the stored request names the account, its UID and its groups', async function (this: World) {
  const { account } = this.get(ACCOUNT_ASKS);
  this.check(requestRequester, await progressOf(this, lastAsked(this)), {
    username: accountUser(account),
    groups: [...accountGroups(account), GROUP_AUTHENTICATED],
    uid: account.uid,
    exactly: true,
  });
});

const GROUP = slot<string>('the group of a user who is not allowed to have his request approved');
/** So long after it was made a request has been looked at. */
const LOOKED_AT_MS = 3_000;

Given('a request for a node, of a user who may not have it approved', CONTROLLED, async function (this: World) {
  const everybody = await bindingOfAllTokens(this, NODECLIENT);
  if (everybody !== undefined)
    return this.skip('fact', `${everybody} has the requests of every bootstrap token approved`);
  // the last of several: whoever looks at the first ones finds no right
  const of = `system:bootstrappers:z-jp-${this.random(10)}`;
  this.put(GROUP, of);
  await bind(this, group(of), ASKS);
  const others = [1, 2, 3].map((at) => `system:bootstrappers:jp-${at}`);
  const client = clientOf(this, await joiningToken(this, [...others, of].join(',')));
  await askSoon(this, { client, who: 'a user who may not have it approved' }, 'a node', `jp-${this.random(10)}`);
});

Given(
  'a request for itself, of who bears the name of a node and may have requests of nodes approved',
  BINDING,
  async function (this: World) {
    const { name, requester } = await namedAsNode(this, `${CERTIFICATES}:nodeclient`, ASKS);
    await askSoon(this, requester, 'a node', name);
  },
);

When('the user is allowed to have it approved', BINDING, async function (this: World) {
  await this.sleep(LOOKED_AT_MS);
  await bind(this, group(this.get(GROUP)), `${CERTIFICATES}:nodeclient`);
});

/** Sentences about the way from a request to a certificate: who has it approved, and when it is signed. */
import {
  readSent,
  requestApproved,
  requestIn,
  requestNotIssued,
  requestTaken,
} from '../../src/checks/request-progress.js';
import type { Binding } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { Given, Then, When } from '../../src/run/define.js';
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
  decideAs,
  decided,
  grantApproved,
  grantIssued,
  lastAsked,
  OTHER_ASKED,
  progressOf,
  QUIET_MS,
  wantedRequest,
} from '../common/csr-requests.js';
import { clientOf, joiningToken, OTHER_TOKEN } from '../common/tokens.js';
import { SOON } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests'] } as const;
/** A controller has to act, and it takes its time. */
const CONTROLLED = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;

Then('the request is approved automatically', CONTROLLED, async function (this: World) {
  this.check(requestApproved, await decided(this, lastAsked(this)), { ...byItself(this), reason: 'AutoApproved' });
});

const NODECLIENT = 'system:certificates.k8s.io:certificatesigningrequests:nodeclient';

Given('a user who may ask for certificates but not have them approved', CONTROLLED, async function (this: World) {
  // any token of ours is in the group of all tokens as well
  const everybody = await bindingOfAllTokens(this, NODECLIENT);
  if (everybody !== undefined)
    return this.skip(
      'fact',
      `ClusterRoleBinding ${everybody.metadata.name ?? ''} has the requests of every bootstrap token approved`,
    );
  const group = `system:bootstrappers:jp-${this.random(10)}`;
  await this.writes.create<Binding>(resources.clusterRoleBindings, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: `jp-${this.random(10)}` },
    subjects: [{ kind: 'Group', name: group, apiGroup: 'rbac.authorization.k8s.io' }],
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:node-bootstrapper' },
  });
  this.put(OTHER_TOKEN, await joiningToken(this, group));
});

When('both ask for a certificate for a node', CONTROLLED, async function (this: World) {
  const object = wantedRequest(this, 'a node');
  const other = clientOf(this, this.get(OTHER_TOKEN));
  let sent = readSent('', { status: 0, body: undefined });
  // the API server learns of the new binding by its watch
  await this.eventually(SOON, async () => {
    const answer = await send(other, object);
    sent = readSent('a certificate request for a node, as the user with the new binding', answer);
    const created = requestIn(answer);
    if (created === undefined) return undefined;
    const what = 'a node, from the user without the permission';
    return this.put(OTHER_ASKED, { what, name: created.metadata.name ?? '', sent: object, created });
  });
  this.grant(requestTaken, [sent]);
  await ask(this, bearer(this), 'a node');
});

/** The control first: its twin is approved. */
async function onlyTheFirst(world: World, approved: Asked, other: Asked): Promise<void> {
  if (await grantApproved(world, approved)) await checkNotApproved(world, other);
}

Then('the request of the token is approved, and that of the user is not', CONTROLLED, async function (this: World) {
  await onlyTheFirst(this, lastAsked(this), this.get(OTHER_ASKED));
});

Then('the request for the node is approved, and the other is not', CONTROLLED, async function (this: World) {
  const asked = this.get(ASKED);
  const node = asked.find((item) => item.what === 'a node');
  const other = asked.find((item) => item.what !== 'a node');
  if (node === undefined || other === undefined) return this.unknown('the scenario sent no two requests');
  await onlyTheFirst(this, node, other);
});

const UNAPPROVED = 'an API client that nobody approves automatically';

/** A request that nobody approves by itself, made by an administrator. */
const unapproved = (world: World): Promise<Asked> => ask(world, administrator(world), UNAPPROVED);

Given('a request that nobody approves automatically', WRITES, async function (this: World) {
  await unapproved(this);
});

Given('another request that nobody approves', WRITES, async function (this: World) {
  this.put(OTHER_ASKED, await unapproved(this));
});

Given('another request that an administrator has denied', WRITES, async function (this: World) {
  await decideAs(this, this.put(OTHER_ASKED, await unapproved(this)), 'Denied', 'granted');
});

Given('a request that an administrator approves', WRITES, async function (this: World) {
  await decideAs(this, await unapproved(this), 'Approved', 'granted');
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

/** The approved one was asked for behind the other, and is the last. */
Then('the approved one has a certificate, and the other has none', CONTROLLED, async function (this: World) {
  if (!(await grantIssued(this, lastAsked(this)))) return;
  await this.sleep(QUIET_MS);
  this.check(requestNotIssued, await progressOf(this, this.get(OTHER_ASKED)));
});

Then('no certificate is issued for it', CONTROLLED, async function (this: World) {
  await this.sleep(QUIET_MS * 2);
  const progress = await progressOf(this, lastAsked(this));
  this.grant(requestApproved, progress, { kubeadm: true });
  this.check(requestNotIssued, progress);
});

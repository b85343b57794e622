/** Sentences about tokens of the scenario's own: making them, logging in with them, changing and deleting them. */
import { accessAllowed, requestAllowed } from '../../src/checks/access.js';
import {
  loginExactGroups,
  loginForbiddenByName,
  loginInGroups,
  loginRefused,
  loginSameRules,
  loginTaken,
  loginUserName,
} from '../../src/checks/login.js';
import { isThere } from '../../src/checks/presence.js';
import { GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { alterationsIn, rowsOfAlterations, valueIn } from '../common/tables.js';
import {
  bearer,
  changeToken,
  clientOf,
  grantLogin,
  joiningToken,
  login,
  loginOf,
  loginSoon,
  type Made,
  makeToken,
  OTHER_TOKEN,
  secretOf,
  TOKEN,
  TOKENS,
} from '../common/tokens.js';
import { FORGOTTEN } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

Given('a bootstrap token', WRITES, async function (this: World) {
  this.put(TOKEN, await makeToken(this, ''));
});

Given('a bootstrap token with:', WRITES, async function (this: World, table: DataTable) {
  const label = table.raw().map(([key, value]) => `${key} ${value}`);
  this.put(TOKEN, await makeToken(this, label.join(', '), alterationsIn(this, table)));
});

Given('a bootstrap token that logs in', WRITES, async function (this: World) {
  await grantLogin(this, this.put(TOKEN, await makeToken(this, '')));
});

Given('a bootstrap token with these values that logs in:', WRITES, async function (this: World, table: DataTable) {
  await grantLogin(this, this.put(TOKEN, await makeToken(this, '', alterationsIn(this, table))));
});

/** Nobody changes it, so the scenarios of one cluster share it. */
const sharedJoiningToken = (world: World): Promise<Made> =>
  world.shared(`a joining token of ${world.target.name}`, () => joiningToken(world));

Given('a bootstrap token of the group that kubeadm binds', WRITES, async function (this: World) {
  this.put(TOKEN, await sharedJoiningToken(this));
});

Given('two bootstrap tokens', WRITES, async function (this: World) {
  this.put(TOKENS, [await makeToken(this, 'the first'), await makeToken(this, 'the second')]);
});

/** The good one comes last: once it logs in, the server knows of all. */
Given(
  'a good bootstrap token, and one for each of these lines:',
  WRITES,
  async function (this: World, table: DataTable) {
    const rows = rowsOfAlterations(this, table);
    this.put(TOKENS, await forEach(this, rows, ({ label, alterations }) => makeToken(this, label, alterations)));
    this.put(TOKEN, await makeToken(this, 'the good one'));
  },
);

Then('its bearer logs in', async function (this: World) {
  this.check(loginTaken, [await loginSoon(this, this.get(TOKEN))]);
});

Then('its bearer is refused', async function (this: World) {
  this.check(loginRefused, [await loginOf(this, this.get(TOKEN))]);
});

Then('each of their bearers logs in', async function (this: World) {
  this.check(loginTaken, await forEach(this, this.get(TOKENS), (made) => loginSoon(this, made)));
});

Then('each of their bearers logs in under the id of its own token, in any order', async function (this: World) {
  const made = this.get(TOKENS);
  const logins = [];
  for (const one of [...made, ...made]) logins.push({ ...(await loginSoon(this, one)), id: one.id });
  this.check(loginUserName, logins);
});

Then('its bearer logs in {int} times', async function (this: World, times: number) {
  const logins = [];
  for (let time = 1; time <= times; time += 1) {
    const { heard, subject } = await loginSoon(this, this.get(TOKEN));
    logins.push({ subject: `${subject}, login ${time}`, heard });
  }
  this.check(loginTaken, logins);
});

Then('the good one logs in and the others are refused', async function (this: World) {
  await grantLogin(this, this.get(TOKEN));
  const others = this.get(TOKENS).flatMap(({ label, tokens }) => tokens.map((token) => ({ label, token })));
  const logins = await forEach(this, others, async ({ label, token }) => ({
    subject: label,
    heard: await login(this, { kind: 'token', token }),
  }));
  this.check(loginRefused, logins);
});

Then('its bearer is the user "system:bootstrap:<token id>"', async function (this: World) {
  const made = this.get(TOKEN);
  this.check(loginUserName, [{ ...(await loginSoon(this, made)), id: made.id }]);
});

Then('its bearer is in the group {string}', async function (this: World, group: string) {
  this.check(loginInGroups, [await loginSoon(this, this.get(TOKEN))], { groups: [group] });
});

Then('its bearer is in all of these groups:', async function (this: World, table: DataTable) {
  const groups = table.raw().map(([group = '']) => group);
  this.check(loginInGroups, [await loginSoon(this, this.get(TOKEN))], { groups });
});

Then('its bearer is in the default groups and no other', async function (this: World) {
  this.check(loginExactGroups, [await loginSoon(this, this.get(TOKEN))], { extra: [] });
});

Then('its bearer is in the default groups, these, and no other:', async function (this: World, table: DataTable) {
  const extra = table.raw().map(([group = '']) => group);
  this.check(loginExactGroups, [await loginSoon(this, this.get(TOKEN))], { extra });
});

Then('its bearer is forbidden to list the Secrets of kube-system', async function (this: World) {
  const made = this.get(TOKEN);
  // who may do nothing at all is forbidden everything, which says nothing of Secrets
  const known = await clientOf(this, made).ask({ path: '/api' });
  const answer = { status: known.status, body: null };
  this.grant(requestAllowed, [{ subject: `${made.label}, GET /api`, answer }], {});
  const path = pathOf(resources.secrets, { namespace: KUBE_SYSTEM });
  const { status, body } = await clientOf(this, made).ask({ path });
  this.check(loginForbiddenByName, [{ subject: `${made.label}, list secrets`, heard: { status, body } }], made);
});

/** A dry run; authorization comes before the body is read, so an empty request will do. */
const askForCertificate = ({ id }: Made): Question => ({
  method: 'POST',
  path: pathOf(resources.certificateSigningRequests),
  query: { dryRun: 'All' },
  body: {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: `jp-${id}` },
    spec: {},
  },
});
/** What is answered to that by whoever lets it through. */
const TAKEN_IN = { statuses: [201, 400, 422] };

Then('its bearer is forbidden to ask for a certificate', { needs: ['kubeadm'] }, async function (this: World) {
  const made = this.get(TOKEN);
  const { status, body } = await clientOf(this, made).ask(askForCertificate(made));
  const subject = `${made.label}, create a certificate request`;
  this.check(loginForbiddenByName, [{ subject, heard: { status, body } }], { id: made.id });
});

Given('a bootstrap token of the group that kubeadm binds may ask for one', WRITES, async function (this: World) {
  const made = await sharedJoiningToken(this);
  const { status } = await clientOf(this, made).ask(askForCertificate(made));
  const subject = `${made.label}, of the group that kubeadm binds, create a certificate request`;
  this.grant(requestAllowed, [{ subject, answer: { status, body: null } }], TAKEN_IN);
});

Then(
  'its permissions are those of another user in the same groups',
  { needs: ['reviews'] },
  async function (this: World) {
    const made = this.get(TOKEN);
    const review = (headers: Record<string, string> = {}) => ({
      method: 'POST' as const,
      path: pathOf(resources.selfSubjectRulesReviews),
      headers,
      body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: KUBE_SYSTEM } },
    });
    const mine = await clientOf(this, made).ask(review());
    const like = { 'Impersonate-User': `jp-${this.random(12)}`, 'Impersonate-Group': GROUP_BOOTSTRAPPERS };
    const theirs = await this.admin.ask(review(like));
    if (theirs.status === 403)
      return this.skip('ability', 'the credential may not impersonate, so there is nobody to compare with');
    const heard = ({ status, body }: typeof mine) => ({ status, body });
    this.check(loginSameRules, { subject: made.label, heard: heard(mine), others: heard(theirs) });
  },
);

When('its {word} is changed to {string}', async function (this: World, key: string, value: string) {
  await changeToken(this, this.get(TOKEN), { [key]: valueIn(value, this.now()) });
});

When('its secret half is changed', async function (this: World) {
  const old = this.put(OTHER_TOKEN, this.get(TOKEN));
  const half = this.random(16);
  this.secret(half);
  await changeToken(this, old, { 'token-secret': half });
  const token = `${old.id}.${half}`;
  this.put(TOKEN, { ...old, label: `the token ${old.id} (new secret half)`, half, token, tokens: [token] });
});

When('its Secret is deleted', WRITES, async function (this: World) {
  const { name, namespace } = this.get(TOKEN);
  await this.writes.delete(resources.secrets, name, namespace);
});

When('its Secret is being deleted, held by a finalizer', WRITES, async function (this: World) {
  const { name, namespace, label } = this.get(TOKEN);
  await this.writes.delete(resources.secrets, name, namespace);
  const held = await secretOf(this, { name, namespace });
  const there = held?.metadata.deletionTimestamp !== undefined;
  this.grant(isThere, [{ subject: label, there }], { demanded: 'waits for its finalizer' });
});

When('the API server can no longer remember a login', { waits: true }, async function (this: World) {
  await this.sleep(FORGOTTEN);
});

When('{int} second(s) has/have passed', { waits: true }, async function (this: World, seconds: number) {
  await this.sleep(seconds * 1000);
});

Then('the old secret half is refused', async function (this: World) {
  const heard = await login(this, bearer(this.get(OTHER_TOKEN)));
  this.check(loginRefused, [{ subject: 'the token with its old secret half', heard }]);
});

Then('its Secret is still there', async function (this: World) {
  const { name, namespace } = this.get(TOKEN);
  const there = (await secretOf(this, { name, namespace })) !== undefined;
  this.check(isThere, [{ subject: `Secret ${namespace}/${name}`, there }], { demanded: 'is still there' });
});

/** Any user in the bootstrap group, by whatever authenticator: only the group counts. */
Then(
  'a user of another authenticator, in the group that kubeadm binds, may ask for a certificate',
  { needs: ['reviews', 'kubeadm'] },
  async function (this: World) {
    const user = 'kubelet-bootstrap';
    const groups = [GROUP_DEFAULT_NODE_TOKEN, 'system:authenticated'];
    const { status, body } = await this.ability('reviews').review({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SubjectAccessReview',
      metadata: {},
      spec: {
        user,
        groups,
        resourceAttributes: {
          verb: 'create',
          group: 'certificates.k8s.io',
          version: 'v1',
          resource: 'certificatesigningrequests',
        },
      },
    });
    const subject =
      'create certificatesigningrequests.certificates.k8s.io, as the user kubelet-bootstrap of a token file';
    this.check(accessAllowed, [{ subject, answer: { status, body } }]);
  },
);

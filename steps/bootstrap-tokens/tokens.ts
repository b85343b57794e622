/** Sentences about tokens of the scenario's own: making them, logging in with them, changing and deleting them. */

import {
  judgeExactGroups,
  judgeForbiddenByName,
  judgeInGroups,
  judgeLogin,
  judgeNotTaken,
  judgeRefusal,
  judgeSameRules,
  judgeUserName,
  rulesIn,
} from '../../src/checks/login.js';
import { GROUP_BOOTSTRAPPERS, KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import {
  alterationsIn,
  bearer,
  changeToken,
  clientOf,
  controlLogin,
  FORGOTTEN,
  forEach,
  login,
  loginSoon,
  type Made,
  makeToken,
  rowsOfAlterations,
  secretOf,
  valueIn,
} from '../common/tokens.js';

const it = (world: World): Made => world.kept<Made>('token');
const them = (world: World): readonly Made[] => world.kept<readonly Made[]>('tokens');

Given('a bootstrap token', async function (this: World) {
  this.keep('token', await makeToken(this, ''));
});

Given('a bootstrap token with:', async function (this: World, table: DataTable) {
  const label = table.raw().map(([key, value]) => `${key} ${value}`);
  this.keep('token', await makeToken(this, label.join(', '), alterationsIn(this, table)));
});

Given('a bootstrap token that logs in', async function (this: World) {
  await controlLogin(this, this.keep('token', await makeToken(this, '')));
});

Given('a bootstrap token with these values that logs in:', async function (this: World, table: DataTable) {
  await controlLogin(this, this.keep('token', await makeToken(this, '', alterationsIn(this, table))));
});

Given('two bootstrap tokens', async function (this: World) {
  this.keep('tokens', [await makeToken(this, 'the first'), await makeToken(this, 'the second')]);
});

/** The good one comes last: once it logs in, the server knows of all. */
Given('a good bootstrap token, and one for each of these lines:', async function (this: World, table: DataTable) {
  const made = await forEach(this, rowsOfAlterations(this, table), ({ label, alterations }) =>
    makeToken(this, label, alterations),
  );
  this.keep('tokens', made);
  this.keep('token', await makeToken(this, 'the good one'));
});

Then('its bearer logs in', async function (this: World) {
  this.expect(judgeLogin(it(this).label, await loginSoon(this, it(this))));
});

Then('its bearer is refused', async function (this: World) {
  this.expect(judgeRefusal(it(this).label, await login(this, bearer(it(this)))));
});

Then('each of their bearers logs in', async function (this: World) {
  for (const made of them(this)) this.expect(judgeLogin(made.label, await loginSoon(this, made)));
});

Then('each of their bearers logs in under the id of its own token, in any order', async function (this: World) {
  const made = them(this);
  for (const one of [...made, ...made]) this.expect(judgeUserName(one.label, await loginSoon(this, one), one.id));
});

Then('its bearer logs in {int} times', async function (this: World, times: number) {
  for (let time = 1; time <= times; time += 1)
    this.expect(judgeLogin(`${it(this).label}, login ${time}`, await loginSoon(this, it(this))));
});

Then('the good one logs in and the others are refused', async function (this: World) {
  await controlLogin(this, it(this));
  const answers = await forEach(
    this,
    them(this).flatMap(({ label, tokens }) => tokens.map((token) => ({ label, token }))),
    async ({ label, token }) => ({ label, heard: await login(this, { kind: 'token', token }) }),
  );
  for (const { label, heard } of answers) this.expect(judgeRefusal(label, heard));
});

Then('a login is refused that writes it as:', async function (this: World, table: DataTable) {
  const { id, half, label } = it(this);
  const other = this.random(6);
  const answers = await forEach(this, table.raw(), async ([text = '']) => {
    const token = [
      ['<id>', id],
      ['<ID>', id.toUpperCase()],
      ['<secret>', half],
      ['<SECRET>', half.toUpperCase()],
      ['<other id>', other],
      ['<first 5 of the id>', id.slice(0, 5)],
      ['<first 15 of the secret>', half.slice(0, 15)],
      ['<secret with another last character>', half.slice(0, 15) + (half.endsWith('a') ? 'b' : 'a')],
      ['<secret with another first character>', (half.startsWith('a') ? 'b' : 'a') + half.slice(1)],
      ['<another secret>', half.replace(/./g, (character) => (character === 'z' ? 'y' : 'z'))],
    ].reduce((so, [name = '', value = '']) => so.replaceAll(name, value), text);
    return { text, heard: await login(this, { kind: 'token', token }) };
  });
  for (const { text, heard } of answers) this.expect(judgeRefusal(`${label}, written as ${text}`, heard));
});

Then('its bearer is the user {string}', async function (this: World, name: string) {
  const { id, label } = it(this);
  if (name !== 'system:bootstrap:<token id>') return this.unknown(`the steps know no user "${name}"`);
  this.expect(judgeUserName(label, await loginSoon(this, it(this)), id));
});

Then('its bearer is in the group {string}', async function (this: World, group: string) {
  this.expect(judgeInGroups(it(this).label, await loginSoon(this, it(this)), [group]));
});

Then('its bearer is in all of these groups:', async function (this: World, table: DataTable) {
  this.expect(
    judgeInGroups(
      it(this).label,
      await loginSoon(this, it(this)),
      table.raw().map(([group = '']) => group),
    ),
  );
});

Then('its bearer is in the default groups and no other', async function (this: World) {
  this.expect(judgeExactGroups(it(this).label, await loginSoon(this, it(this)), []));
});

Then('its bearer is in the default groups, these, and no other:', async function (this: World, table: DataTable) {
  const groups = table.raw().map(([group = '']) => group);
  this.expect(judgeExactGroups(it(this).label, await loginSoon(this, it(this)), groups));
});

/** <token> in a header is the whole token. */
function headers(
  world: World,
  table: DataTable,
): { readonly shown: string; readonly authorization: readonly string[] }[] {
  const { token, id, half } = it(world);
  const now = world.now();
  return table.raw().map((cells) => {
    const values = cells.filter((cell) => cell !== '').map((cell) => valueIn(cell, now) ?? '');
    const fill = (value: string): string =>
      value.replaceAll('<token>', token).replaceAll('<id>', id).replaceAll('<secret>', half);
    return { shown: cells.filter((cell) => cell !== '').join(' then '), authorization: values.map(fill) };
  });
}

Then('its bearer logs in with the header:', async function (this: World, table: DataTable) {
  await loginSoon(this, it(this));
  for (const { shown, authorization } of headers(this, table))
    this.expect(judgeLogin(`Authorization: ${shown}`, await login(this, { kind: 'header', authorization })));
});

Then('a header carries no token that is written:', async function (this: World, table: DataTable) {
  for (const { shown, authorization } of headers(this, table))
    this.expect(judgeNotTaken(`Authorization: ${shown}`, await login(this, { kind: 'header', authorization })));
});

const SIDE_DOORS: Readonly<
  Record<string, (token: string) => { query?: Record<string, string>; headers?: Record<string, string> }>
> = {
  'the query of the address': (token) => ({ query: { access_token: token, token } }),
  'a cookie': (token) => ({ headers: { cookie: `token=${token}; Authorization=Bearer%20${token}` } }),
  'the header Proxy-Authorization': (token) => ({ headers: { 'proxy-authorization': `Bearer ${token}` } }),
  'the header X-Auth-Token': (token) => ({ headers: { 'x-auth-token': token } }),
  'the header Token': (token) => ({ headers: { token } }),
};

Then("a request is nobody's that carries it in:", async function (this: World, table: DataTable) {
  const { token } = it(this);
  for (const [place = ''] of table.raw()) {
    const door = SIDE_DOORS[place];
    if (door === undefined) return this.unknown(`the steps know no place "${place}"`);
    const heard = await this.as({ kind: 'anonymous' }).ask({
      method: 'POST',
      path: pathOf(resources.selfSubjectReviews),
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      ...door(token),
    });
    this.expect(judgeNotTaken(`the token in ${place}`, heard));
  }
});

Then('its bearer is forbidden to list the Secrets of kube-system', async function (this: World) {
  const heard = await clientOf(this, it(this)).ask({ path: pathOf(resources.secrets, { namespace: KUBE_SYSTEM }) });
  this.expect(judgeForbiddenByName(`${it(this).label}, list secrets`, heard, it(this).id));
});

Then('its bearer is forbidden to ask for a certificate', async function (this: World) {
  const heard = await clientOf(this, it(this)).ask({
    method: 'POST',
    path: pathOf(resources.certificateSigningRequests),
    query: { dryRun: 'All' },
    body: {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: `jp-${it(this).id}` },
      spec: {},
    },
  });
  this.expect(judgeForbiddenByName(`${it(this).label}, create a certificate request`, heard, it(this).id));
});

/** Requests that strangers may make as well: a bad token must not be heard as a stranger. */
Then('a login with a wrong secret is refused at every door:', async function (this: World, table: DataTable) {
  const { id, half } = it(this);
  const token = `${id}.${half.slice(0, 15)}${half.endsWith('a') ? 'b' : 'a'}`;
  for (const [path = ''] of table.raw())
    this.expect(judgeRefusal(`GET ${path} with a wrong secret`, await this.as({ kind: 'token', token }).ask({ path })));
});

Then('its permissions are those of another user in the same groups', async function (this: World) {
  const review = (headersOf: Record<string, string> = {}) => ({
    method: 'POST' as const,
    path: pathOf(resources.selfSubjectRulesReviews),
    headers: headersOf,
    body: { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectRulesReview', spec: { namespace: KUBE_SYSTEM } },
  });
  const mine = rulesIn(await clientOf(this, it(this)).ask(review()));
  const twin = { 'Impersonate-User': `jp-${this.random(12)}`, 'Impersonate-Group': GROUP_BOOTSTRAPPERS };
  const answer = await this.admin.ask(review(twin));
  const theirs = rulesIn(answer);
  if (answer.status === 403)
    return this.skip('nothing', 'the credential may not impersonate, so there is nobody to compare with');
  if (mine === undefined || theirs === undefined)
    return this.unknown('the API server answers no SelfSubjectRulesReview');
  this.expect(judgeSameRules(it(this).label, mine, theirs));
});

When('its {word} is changed to {string}', async function (this: World, key: string, value: string) {
  await changeToken(this, it(this), { [key]: valueIn(value, this.now()) });
});

When('its secret half is changed', async function (this: World) {
  const old = it(this);
  const half = this.random(16);
  this.secret(half);
  await changeToken(this, old, { 'token-secret': half });
  this.keep('old token', old);
  this.keep('token', {
    ...old,
    label: `the token ${old.id} (new secret half)`,
    half,
    token: `${old.id}.${half}`,
    tokens: [`${old.id}.${half}`],
  });
});

When('its Secret is deleted', async function (this: World) {
  await this.writes.delete(resources.secrets, it(this).name, it(this).namespace);
});

When('its Secret is being deleted, held by a finalizer', async function (this: World) {
  await this.writes.delete(resources.secrets, it(this).name, it(this).namespace);
  const held = await secretOf(this, it(this));
  this.control({
    object: it(this).label,
    demanded: 'waits for its finalizer',
    seen: held === undefined ? 'it is gone' : 'it does',
    ok: held?.metadata.deletionTimestamp !== undefined,
  });
});

When('the API server can no longer remember a login', async function (this: World) {
  await this.sleep(FORGOTTEN);
});

When('{int} seconds have passed', async function (this: World, seconds: number) {
  await this.sleep(seconds * 1000);
});

Then('the old secret half is refused', async function (this: World) {
  this.expect(
    judgeRefusal('the token with its old secret half', await login(this, bearer(this.kept<Made>('old token')))),
  );
});

Then('its Secret is still there', async function (this: World) {
  const there = (await secretOf(this, it(this))) !== undefined;
  this.expect({
    object: `Secret ${it(this).namespace}/${it(this).name}`,
    demanded: 'is still there',
    seen: there ? 'it is' : 'it is gone',
    ok: there,
  });
});

/** Any user in the bootstrap group, by whatever authenticator: only the group counts. */
Then(
  'a user of another authenticator, in the group that kubeadm binds, may ask for a certificate',
  async function (this: World) {
    const answer = await this.admin.ask({
      method: 'POST',
      path: pathOf(resources.subjectAccessReviews),
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SubjectAccessReview',
        spec: {
          user: 'kubelet-bootstrap',
          groups: [`${GROUP_BOOTSTRAPPERS}:kubeadm:default-node-token`, 'system:authenticated'],
          resourceAttributes: {
            verb: 'create',
            group: 'certificates.k8s.io',
            version: 'v1',
            resource: 'certificatesigningrequests',
          },
        },
      },
    });
    const allowed = (answer.body as { status?: { allowed?: unknown } } | undefined)?.status?.allowed;
    if (typeof allowed !== 'boolean')
      return this.unknown(`the API server answers ${answer.status} to a SubjectAccessReview`);
    this.expect({
      object: 'the user kubelet-bootstrap of a token file',
      demanded: 'may create certificate requests',
      seen: allowed ? 'allowed' : 'denied',
      ok: allowed,
    });
  },
);

/** Sentences about service accounts of the scenario's own, their tokens, and whom these stand for. */

import { isUnauthorized, loginRefused, loginTaken, loginUnauthorized } from '../../src/checks/authenticators/login.js';
import { type Account, isAccount, readClaims, tokenTells } from '../../src/checks/authenticators/service-accounts.js';
import { isAbsent, isThere } from '../../src/checks/common/presence.js';
import { base64, record, text } from '../../src/kubernetes/json.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { noContainer } from '../../src/kubernetes/own-objects.js';
import { pathOf, type Resource, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then, When } from '../../src/run/define.js';
import { tampered } from '../../src/run/forged-tokens.js';
import { strangersPair } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Identity } from '../../src/targets/types.js';
import { forEach } from '../common/each.js';
import { login } from '../common/login.js';
import { bearer, grantLogin, loginOf, loginSoon, type Made, OTHER_TOKEN, TOKEN } from '../common/tokens.js';
import { IN_TIME } from '../common/waiting.js';
import { makeAccount, NAMESPACE, requestToken, secretOf, tokenIn } from './accounts.js';

const HOUR = 3600;
const WRITES = { needs: ['writes', 'requests'] } as const;
const WAITS = { ...WRITES, waits: true } as const;
const LIES = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;
/** What is deleted counts for a minute, and a login is remembered for ten seconds. */
const FORGOTTEN_BOUND = 75_000;

const FINALIZER = 'joinproof.io/held';
const BOUND = slot<string>('a Secret or a Pod that a token is bound to');
export const ACCOUNT = slot<Account>('a service account');

/** A token of an account, as a TokenRequest makes it; what `spec` says stands in the place of the default. */
export async function tokenOf(world: World, account: Account, spec: object = {}, what = ''): Promise<Made> {
  const { namespace, name } = account;
  const { token } = await requestToken(world, account, { audiences: [], expirationSeconds: HOUR, ...spec });
  const label = `a token of ${namespace}/${name}${what === '' ? '' : `, ${what}`}`;
  const until = world.now() + HOUR * 1000;
  return { label, id: '', half: '', token, tokens: [token], name, namespace, until };
}

Given('a token of a service account', WRITES, async function (this: World) {
  this.put(ACCOUNT, await makeAccount(this));
  this.put(TOKEN, await tokenOf(this, this.get(ACCOUNT)));
});

Given('a token of a service account that logs in', WRITES, async function (this: World) {
  this.put(ACCOUNT, await makeAccount(this));
  this.put(TOKEN, await tokenOf(this, this.get(ACCOUNT)));
  await grantLogin(this, this.get(TOKEN));
});

Given('another token of it', async function (this: World) {
  this.put(OTHER_TOKEN, await tokenOf(this, this.get(ACCOUNT), { expirationSeconds: 2 * HOUR }, 'the other'));
});

Then('its bearer is that service account', async function (this: World) {
  const seen = await loginSoon(this, this.get(TOKEN));
  this.check(isAccount, [{ ...seen, account: this.get(ACCOUNT) }]);
});

Then('beside these headers its bearer is that service account:', async function (this: World, table: DataTable) {
  const headers = Object.fromEntries(table.raw().map(([name = '', value = '']) => [name, value]));
  const { label, token } = this.get(TOKEN);
  const heard = await login(this, { kind: 'token', token }, { headers });
  this.check(isAccount, [{ subject: `${label}, beside the headers of a proxy`, heard, account: this.get(ACCOUNT) }]);
});

Then('the token tells whose it is', async function (this: World) {
  const { label, token } = this.get(TOKEN);
  this.check(tokenTells, [{ subject: label, ...readClaims(token), account: this.get(ACCOUNT) }]);
});

Then('the token is refused that has:', async function (this: World, table: DataTable) {
  const { token, label } = this.get(TOKEN);
  const logins = await forEach(this, table.raw(), async ([what = '']) => {
    const made = tampered(what, token, this.get(OTHER_TOKEN).token);
    if (made === undefined) return this.unknown(`nobody knows how a token is made that has ${what}`);
    this.secret(made);
    return { subject: `${label}, with ${what}`, heard: await login(this, { kind: 'token', token: made }) };
  });
  this.check(loginRefused, logins);
});

Then('a token of it for the audience {string} is refused', async function (this: World, audience: string) {
  const made = await tokenOf(this, this.get(ACCOUNT), { audiences: [audience] }, `for ${audience}`);
  this.check(loginRefused, [await ownLogin(this, made)]);
});

/** The audiences of a token that was made for none: those of the API server. */
function ownAudiences(world: World): readonly string[] {
  const { claims } = readClaims(world.get(TOKEN).token);
  return Array.isArray(claims?.aud) ? claims.aud.map(String) : [text(claims?.aud)];
}

/** What an audience is taken for by whoever compares it by its beginning, its end, or without regard to capitals. */
export const NEARLY: Readonly<Record<string, (own: string) => string>> = {
  'with more behind it': (own) => `${own}.joinproof.example`,
  'with more before it': (own) => `joinproof.example/${own}`,
  'without its last letter': (own) => own.slice(0, -1),
  'without its first letter': (own) => own.slice(1),
  'in capitals': (own) => own.toUpperCase(),
};

Then(
  "tokens of it for the API server's own audience are refused that say it:",
  async function (this: World, table: DataTable) {
    const own = ownAudiences(this);
    const wanted = table.raw().flatMap(([how = '']) => {
      const change = NEARLY[how] ?? this.unknown(`the steps know no way to change an audience "${how}"`);
      return own.map((audience) => ({ how, audience: change(audience) }));
    });
    const logins = await forEach(
      this,
      wanted.filter(({ audience }) => audience !== '' && !own.includes(audience)),
      async ({ how, audience }) =>
        ownLogin(this, await tokenOf(this, this.get(ACCOUNT), { audiences: [audience] }, `for the API server ${how}`)),
    );
    this.check(loginRefused, logins);
  },
);

Then('a token of it for the audience {string} and its own logs in', async function (this: World, audience: string) {
  const own = ownAudiences(this);
  const made = await tokenOf(this, this.get(ACCOUNT), { audiences: [audience, ...own] }, `for ${audience}, too`);
  this.check(loginTaken, [await loginSoon(this, made)]);
});

/** Without asking anybody else, whom the audience may be the same to. */
async function ownLogin(world: World, made: Made) {
  const { status, body } = await world.as(bearer(made)).ask({ path: '/api' });
  return { subject: made.label, heard: { status, body } };
}

/** A login that is refused within the time that a deletion takes to count; else as it was last. */
async function refusedSoon(world: World, made: Made) {
  const refused = await world.eventually(FORGOTTEN_BOUND, async () => {
    const seen = await loginOf(world, made);
    return isUnauthorized(seen.heard) ? seen : undefined;
  });
  return refused ?? (await loginOf(world, made));
}

When('the service account is deleted', async function (this: World) {
  const { name, namespace } = this.get(ACCOUNT);
  await this.writes.delete(resources.serviceAccounts, name, namespace);
});

When('the service account is deleted and made again', async function (this: World) {
  const { name, namespace } = this.get(ACCOUNT);
  await this.writes.delete(resources.serviceAccounts, name, namespace);
  this.put(ACCOUNT, await makeAccount(this, name));
});

Then('the token is refused once the deletion counts', WAITS, async function (this: World) {
  this.check(loginRefused, [await refusedSoon(this, this.get(TOKEN))]);
});

Then('a new token of it is that service account', async function (this: World) {
  const account = this.get(ACCOUNT);
  this.check(isAccount, [{ ...(await loginSoon(this, await tokenOf(this, account, {}, 'a new one'))), account }]);
});

Given('a token of it that is bound to a Secret and logs in', WRITES, async function (this: World) {
  const name = `jp-${this.random(10)}`;
  const { metadata } = await this.writes.create<KubeObject>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
  });
  const boundObjectRef = { apiVersion: 'v1', kind: 'Secret', name, uid: metadata.uid };
  this.put(BOUND, name);
  this.put(OTHER_TOKEN, await tokenOf(this, this.get(ACCOUNT), { boundObjectRef }, 'bound to a Secret'));
  await grantLogin(this, this.get(OTHER_TOKEN));
});

/** A Pod of the account that nobody schedules. */
export const podOf = ({ name: serviceAccountName }: Account, name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: NAMESPACE },
  spec: {
    serviceAccountName,
    automountServiceAccountToken: false,
    schedulerName: 'joinproof',
    terminationGracePeriodSeconds: 0,
    containers: [noContainer()],
  },
});

async function bindToPod(world: World, pod: KubeObject): Promise<void> {
  const { metadata } = await world.writes.create(resources.pods, pod);
  const { name = '', uid } = metadata;
  const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
  world.put(BOUND, name);
  world.put(OTHER_TOKEN, await tokenOf(world, world.get(ACCOUNT), { boundObjectRef }, 'bound to a Pod'));
  await grantLogin(world, world.get(OTHER_TOKEN));
}

Given('a token of it that is bound to a Pod and logs in', async function (this: World) {
  await bindToPod(this, podOf(this.get(ACCOUNT), `jp-${this.random(10)}`));
});

/** A token of such a Pod names the Node, too. Source: pkg/serviceaccount/claims.go Claims. */
Given('a token of it that is bound to a Pod on a Node and logs in', async function (this: World) {
  const { spec, ...pod } = podOf(this.get(ACCOUNT), `jp-${this.random(10)}`);
  await bindToPod(this, { ...pod, spec: { ...record(spec), nodeName: `jp-${this.random(10)}` } });
});

/** It waits for its finalizer, and its deletion counts all the same. */
async function deleteHeld(world: World, resource: Resource, name: string): Promise<void> {
  await world.writes.patch(resource, name, NAMESPACE, { metadata: { finalizers: [FINALIZER] } });
  await world.writes.delete(resource, name, NAMESPACE);
  const there = (await world.objects.get<KubeObject>(resource, name, NAMESPACE))?.metadata.deletionTimestamp;
  world.grant(isThere, [{ subject: `${resource.kind} ${NAMESPACE}/${name}`, there: there !== undefined }], {
    demanded: 'waits for its finalizer',
  });
}

When('that Pod is being deleted, held by a finalizer', WRITES, async function (this: World) {
  await deleteHeld(this, resources.pods, this.get(BOUND));
});

When('the Secret that it lies in is being deleted, held by a finalizer', WRITES, async function (this: World) {
  await deleteHeld(this, resources.secrets, this.get(TOKEN).name);
});

When('the service account is being deleted, held by a finalizer', WRITES, async function (this: World) {
  await deleteHeld(this, resources.serviceAccounts, this.get(ACCOUNT).name);
});

When('that Pod is deleted and made again', async function (this: World) {
  const name = this.get(BOUND);
  await this.writes.delete(resources.pods, name, NAMESPACE);
  await this.writes.create(resources.pods, podOf(this.get(ACCOUNT), name));
});

/** The token that a controller puts into a Secret of the account. Ends the scenario where none does. */
async function tokenInSecret(world: World, { namespace, name }: Account): Promise<Made> {
  const secret = `jp-${world.random(10)}`;
  await world.writes.create(resources.secrets, secretOf({ name }, secret));
  const token = await world.eventually(IN_TIME, () => tokenIn(world, secret));
  if (token === undefined)
    return world.skip(
      'nothing',
      'no controller puts a token into a Secret of a service account (serviceaccount-token)',
    );
  const label = `the token in Secret ${namespace}/${secret}`;
  return { label, id: '', half: '', token, tokens: [token], name: secret, namespace, until: Number.NaN };
}

Given('a service account whose token lies in a Secret', LIES, async function (this: World) {
  this.put(ACCOUNT, await makeAccount(this));
  this.put(TOKEN, await tokenInSecret(this, this.get(ACCOUNT)));
});

When('the Secret that it lies in is deleted', async function (this: World) {
  const { name, namespace } = this.get(TOKEN);
  await this.writes.delete(resources.secrets, name, namespace);
});

When('another token of the account is put into its Secret', async function (this: World) {
  const { name, namespace } = this.get(TOKEN);
  const other = await tokenInSecret(this, this.get(ACCOUNT));
  const data = { token: base64(other.token) };
  await this.writes.patch(resources.secrets, name, namespace, { data });
});

When('that Secret is deleted and made again', async function (this: World) {
  const name = this.get(BOUND);
  await this.writes.delete(resources.secrets, name, NAMESPACE);
  await this.writes.create<KubeObject>(resources.secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace: NAMESPACE },
  });
});

When('that Secret is deleted', async function (this: World) {
  await this.writes.delete(resources.secrets, this.get(BOUND), NAMESPACE);
});

Then('the bound token is refused once the deletion counts', WAITS, async function (this: World) {
  this.check(loginRefused, [await refusedSoon(this, this.get(OTHER_TOKEN))]);
});

Then(
  'the token is refused {int} seconds after its end',
  { needs: ['clock'], exclusive: 'clock' },
  async function (this: World, late: number) {
    const made = await tokenOf(this, this.get(ACCOUNT), { expirationSeconds: 600 }, 'of ten minutes');
    this.grant(loginTaken, [await loginSoon(this, made)]);
    await this.sleep((600 + late) * 1000);
    this.check(loginRefused, [await ownLogin(this, made)]);
  },
);

Then('who posts a ConfigMap with a changed token is refused, and none is made', async function (this: World) {
  const made = tampered('a bit in the middle of its signature', this.get(TOKEN).token, '') ?? '';
  this.secret(made);
  const name = `jp-${this.random(10)}`;
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: NAMESPACE } };
  const path = pathOf(resources.configMaps, { namespace: NAMESPACE });
  const { status, body } = await this.as({ kind: 'token', token: made }).ask({ method: 'POST', path, body: map });
  const found = await this.admin.ask({ path: `${path}/${name}` });
  if (found.status === 200) await this.admin.ask({ method: 'DELETE', path: `${path}/${name}` });
  this.check(loginRefused, [{ subject: 'POST of a ConfigMap with a changed token', heard: { status, body } }]);
  const there = found.status === 404 ? false : found.status === 200 || undefined;
  this.check(isAbsent, [{ subject: `ConfigMap ${NAMESPACE}/${name}`, there }], { demanded: 'was not made' });
  await this.writes.create(resources.configMaps, map);
  const good = await this.admin.ask({ path: `${path}/${name}` });
  this.grant(isThere, [{ subject: 'the ConfigMap of who may', there: good.status === 200 }], { demanded: 'is made' });
});

/** What it claims is more than anybody who is not known may have. */
const stranger = (token: string): Identity => ({
  kind: 'certificate',
  ...strangersPair('kubernetes-admin', ['system:masters']),
  token,
});

Then('beside a certificate of a stranger its bearer is that service account', async function (this: World) {
  const { label, token } = this.get(TOKEN);
  const subject = `${label}, beside a certificate of a stranger`;
  this.check(isAccount, [{ subject, heard: await login(this, stranger(token)), account: this.get(ACCOUNT) }]);
});

Then('beside a certificate of a stranger a changed token is refused', async function (this: World) {
  const { label, token } = this.get(TOKEN);
  const changed = tampered('a bit in the middle of its signature', token, '') ?? '';
  this.secret(changed);
  const subject = `${label}, changed, beside a certificate of a stranger`;
  this.check(loginUnauthorized, [{ subject, heard: await login(this, stranger(changed)) }]);
});

/** Sentences about tokens of the scenario's own: making them, logging in with them, changing and deleting them. */
import {
  loginBare,
  loginExactGroups,
  loginInGroups,
  loginRefused,
  loginTaken,
  loginUserName,
  loginWithinGroups,
} from '../../src/checks/authenticators/login.js';
import { machineIssued } from '../../src/checks/bootstrap-tokens/machine.js';
import { isThere } from '../../src/checks/common/presence.js';
import type { Secret } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { column, type DataTable, Given, Then, When } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { tryToJoin } from '../common/joined.js';
import { login } from '../common/login.js';
import { alterationsIn, lettersIn, patientText, rowsOfAlterations, valueIn } from '../common/tables.js';
import {
  bearer,
  changeInTime,
  changeToken,
  demandInTime,
  draftToken,
  grantLogin,
  loginOf,
  loginSoon,
  makeToken,
  OTHER_TOKEN,
  secretOf,
  TOKEN,
  TOKENS,
} from '../common/tokens.js';
import { FORGOTTEN } from '../common/waiting.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

/** A machine joins where controllers approve and sign. */
const JOINS = { needs: ['controllers'], waits: true } as const;

Given('a bootstrap token', WRITES, async function (this: World) {
  this.put(TOKEN, await makeToken(this, ''));
});

/** The Secret of a token that is still to be made. */
const DRAFT = slot<Secret>('the Secret of a bootstrap token, not made yet');

Given('a bootstrap token whose Secret is not made yet', WRITES, function (this: World) {
  const { made, secret } = draftToken(this, '');
  this.put(TOKEN, made);
  this.put(DRAFT, secret);
});

When('its Secret is made', WRITES, async function (this: World) {
  await this.writes.create(resources.secrets, this.get(DRAFT));
});

Given('a bootstrap token with:', WRITES, async function (this: World, table: DataTable) {
  const label = table.raw().map(([key, value = '']) => `${key} ${patientText(this, value)}`);
  this.put(TOKEN, await makeToken(this, label.join(', '), alterationsIn(this, table)));
});

Given('a bootstrap token that logs in', WRITES, async function (this: World) {
  await grantLogin(this, this.put(TOKEN, await makeToken(this, '')));
});

Given('a bootstrap token with these values that logs in:', WRITES, async function (this: World, table: DataTable) {
  await grantLogin(this, this.put(TOKEN, await makeToken(this, '', alterationsIn(this, table))));
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

Then(
  'its bearer is refused, or in none but the default groups and these:',
  async function (this: World, table: DataTable) {
    const groups = column(table);
    this.check(loginWithinGroups, [{ ...(await loginOf(this, this.get(TOKEN))), groups }]);
  },
);

Then('its bearer has no uid and no extra', async function (this: World) {
  this.check(loginBare, [await loginSoon(this, this.get(TOKEN))]);
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

Then('two machines join with it, one after the other', JOINS, async function (this: World) {
  const first = await tryToJoin(this, this.get(TOKEN));
  await this.sleep(this.patiently(FORGOTTEN));
  const second = await tryToJoin(this, this.get(TOKEN));
  this.check(machineIssued, [first.ended, second.ended], { demanded: 'joins' });
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
  this.check(loginInGroups, [{ ...(await loginSoon(this, this.get(TOKEN))), groups: [group] }]);
});

Then('its bearer is in all of these groups:', async function (this: World, table: DataTable) {
  const groups = table.raw().map(([group = '']) => lettersIn(group));
  this.check(loginInGroups, [{ ...(await loginSoon(this, this.get(TOKEN))), groups }]);
});

Then('its bearer is in the default groups and no other', async function (this: World) {
  this.check(loginExactGroups, [{ ...(await loginSoon(this, this.get(TOKEN))), groups: [] }]);
});

Then('its bearer is in the default groups, these, and no other:', async function (this: World, table: DataTable) {
  const groups = column(table);
  this.check(loginExactGroups, [{ ...(await loginSoon(this, this.get(TOKEN))), groups }]);
});

When('its {word} is changed to {string}', async function (this: World, key: string, value: string) {
  await changeInTime(this, this.get(TOKEN), { [key]: valueIn(patientText(this, value), this.now()) });
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

When('a finalizer is put on its Secret', WRITES, async function (this: World) {
  const { name, namespace } = this.get(TOKEN);
  await this.writes.patch(resources.secrets, name, namespace, { metadata: { finalizers: ['joinproof.io/held'] } });
});

When('its Secret is being deleted, held by a finalizer', WRITES, async function (this: World) {
  const { name, namespace, label } = this.get(TOKEN);
  await this.writes.delete(resources.secrets, name, namespace);
  const held = await secretOf(this, { name, namespace });
  const there = held?.metadata.deletionTimestamp !== undefined;
  this.grant(isThere, [{ subject: label, there }], { demanded: 'waits for its finalizer' });
});

Then('the other bearer logs in', async function (this: World) {
  this.check(loginTaken, [await loginSoon(this, this.get(OTHER_TOKEN))]);
});

Then('the old secret half is refused', async function (this: World) {
  const heard = await login(this, bearer(this.get(OTHER_TOKEN)));
  this.check(loginRefused, [{ subject: 'the token with its old secret half', heard }]);
});

Then('its Secret is still there', async function (this: World) {
  const { name, namespace } = this.get(TOKEN);
  const there = (await secretOf(this, { name, namespace })) !== undefined;
  // an answer that came late tells of the time after
  if (!there) demandInTime(this, this.get(TOKEN));
  this.check(isThere, [{ subject: `Secret ${namespace}/${name}`, there }], { demanded: 'is still there' });
});

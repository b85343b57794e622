/** Sentences about a token that is written otherwise than it is, or shown at another place than the header for it. */
import { loginNotTaken, loginRefused, loginTaken } from '../../src/checks/login.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { valueIn } from '../common/tables.js';
import { login, loginSoon, type Made, TOKEN } from '../common/tokens.js';

/** A token as a table writes it, of the parts of a good one. */
function written(text: string, { id, half }: Made, otherId: string): string {
  const parts: readonly (readonly [string, string])[] = [
    ['<id>', id],
    ['<ID>', id.toUpperCase()],
    ['<secret>', half],
    ['<SECRET>', half.toUpperCase()],
    ['<other id>', otherId],
    ['<first 5 of the id>', id.slice(0, 5)],
    ['<first 15 of the secret>', half.slice(0, 15)],
    ['<secret with another last character>', half.slice(0, 15) + (half.endsWith('a') ? 'b' : 'a')],
    ['<secret with another first character>', (half.startsWith('a') ? 'b' : 'a') + half.slice(1)],
    ['<another secret>', half.replace(/./g, (character) => (character === 'z' ? 'y' : 'z'))],
  ];
  return parts.reduce((so, [name, value]) => so.replaceAll(name, value), text);
}

Then('a login is refused that writes it as:', async function (this: World, table: DataTable) {
  const made = this.get(TOKEN);
  const other = this.random(6);
  const logins = await forEach(this, table.raw(), async ([text = '']) => ({
    subject: `${made.label}, written as ${text}`,
    heard: await login(this, { kind: 'token', token: written(text, made, other) }),
  }));
  this.check(loginRefused, logins);
});

/** Logins with raw headers, as a table writes them; <token> is the whole token. */
async function headerLogins(world: World, table: DataTable) {
  const { token, id, half } = world.get(TOKEN);
  const fill = (value: string): string =>
    value.replaceAll('<token>', token).replaceAll('<id>', id).replaceAll('<secret>', half);
  const logins = [];
  for (const cells of table.raw().map((row) => row.filter((cell) => cell !== ''))) {
    const authorization = cells.map((cell) => fill(valueIn(cell, world.now()) ?? ''));
    const heard = await login(world, { kind: 'header', authorization });
    logins.push({ subject: `Authorization: ${cells.join(' then ')}`, heard });
  }
  return logins;
}

Then('its bearer logs in with the header:', async function (this: World, table: DataTable) {
  await loginSoon(this, this.get(TOKEN));
  this.check(loginTaken, await headerLogins(this, table));
});

/** Where a proxy answers for strangers, nobody can tell what the API server has read. */
const STRANGERS = { needs: ['anonymous'] } as const;

Then('a header carries no token that is written:', STRANGERS, async function (this: World, table: DataTable) {
  this.check(loginNotTaken, await headerLogins(this, table));
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

Then("a request is nobody's that carries it in:", STRANGERS, async function (this: World, table: DataTable) {
  const { token } = this.get(TOKEN);
  const logins = [];
  for (const [place = ''] of table.raw()) {
    const door = SIDE_DOORS[place];
    if (door === undefined) return this.unknown(`the steps know no place "${place}"`);
    const { status, body } = await this.as({ kind: 'anonymous' }).ask({
      method: 'POST',
      path: pathOf(resources.selfSubjectReviews),
      body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
      ...door(token),
    });
    logins.push({ subject: `the token in ${place}`, heard: { status, body } });
  }
  this.check(loginNotTaken, logins);
});

/** Requests that strangers may make as well: a bad token must not be heard as a stranger. */
Then('a login with a wrong secret is refused at every door:', async function (this: World, table: DataTable) {
  const token = written('<id>.<secret with another last character>', this.get(TOKEN), '');
  const logins = [];
  for (const [path = ''] of table.raw()) {
    const { status, body } = await this.as({ kind: 'token', token }).ask({ path });
    logins.push({ subject: `GET ${path} with a wrong secret`, heard: { status, body } });
  }
  this.check(loginRefused, logins);
});

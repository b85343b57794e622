/** Sentences about a token that is written otherwise than it is, or shown at another place than the header for it. */
import {
  heardIn,
  loginNotTaken,
  loginRefused,
  loginTaken,
  loginUnauthorized,
} from '../../src/checks/authenticators/login.js';
import { base64 } from '../../src/kubernetes/json.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { type Door, login, whoAmIQuestion } from '../common/login.js';
import { valueIn } from '../common/tables.js';
import { grantLogin, loginSoon, type Made, makeToken, OTHER_TOKEN, TOKEN } from '../common/tokens.js';

const WRITES = { needs: ['writes', 'requests'] } as const;

const FULL_WIDTH = 0xff01 - 0x21;
/** Characters that look like those of ASCII, and are read as them by whoever normalizes text (NFKC). */
const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (character) => String.fromCodePoint(character.charCodeAt(0) + FULL_WIDTH));
const percentEncoded = (text: string): string => text.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`);
const LONG = 2_000;

/** Parts of tokens as a table writes them: of a good one, of another good one, and of nobody's. */
function partsOf(
  { id, half, token }: Made,
  other: Made | undefined,
  unknownId: string,
): Readonly<Record<string, string>> {
  return {
    id,
    ID: id.toUpperCase(),
    secret: half,
    SECRET: half.toUpperCase(),
    'unknown id': unknownId,
    'first 5 of the id': id.slice(0, 5),
    'first 15 of the secret': half.slice(0, 15),
    'last 15 of the secret': half.slice(1),
    'secret with another last character': half.slice(0, 15) + (half.endsWith('a') ? 'b' : 'a'),
    'secret with another first character': (half.startsWith('a') ? 'b' : 'a') + half.slice(1),
    'secret with another character in the middle': half.slice(0, 8) + (half[8] === 'a' ? 'b' : 'a') + half.slice(9),
    'another secret': half.replace(/./g, (character) => (character === 'z' ? 'y' : 'z')),
    'secret reversed': [...half].reverse().join(''),
    'secret in full-width characters': fullWidth(half),
    'full-width dot': fullWidth('.'),
    'zero-width blank': '\u200b',
    tab: '\t',
    'token in base64': base64(token),
    'token in percent encoding': percentEncoded(token),
    'many zeros': '0'.repeat(LONG),
    ...(other === undefined ? {} : { 'id of the other': other.id, 'secret of the other': other.half }),
  };
}

/** A token as a feature writes it. HTTP carries bytes: what is no ASCII goes as UTF-8. */
export function writtenAs(world: World, text: string): string {
  const unknownId = world.random(6);
  const other = world.has(OTHER_TOKEN) ? world.get(OTHER_TOKEN) : undefined;
  const parts = partsOf(world.get(TOKEN), other, unknownId);
  const filled = text.replace(/<([^<>]*)>/g, (_, name: string) => {
    const part = parts[name];
    return part ?? world.unknown(`the steps know no part of a token "${name}"`);
  });
  return Buffer.from(filled, 'utf8').toString('latin1');
}

Given('a bootstrap token that logs in, and another', WRITES, async function (this: World) {
  this.put(OTHER_TOKEN, await makeToken(this, 'the other'));
  this.put(TOKEN, await makeToken(this, ''));
  await grantLogin(this, this.get(OTHER_TOKEN));
  await grantLogin(this, this.get(TOKEN));
});

/** What the first column of a table says; in quotation marks where blanks matter. */
const firstOf = (world: World, table: DataTable): string[] =>
  table.raw().map(([text = '']) => valueIn(text, world.now()) ?? '');

Then('a login is refused that writes it as:', async function (this: World, table: DataTable) {
  const { label } = this.get(TOKEN);
  const logins = await forEach(this, firstOf(this, table), async (text) => ({
    subject: `${label}, written as ${text}`,
    heard: await login(this, { kind: 'token', token: writtenAs(this, text) }),
  }));
  this.check(loginRefused, logins);
});

/** Logins with raw headers, as a table writes them; <token> is the whole token, <other> the whole other one. */
async function headerLogins(world: World, table: DataTable) {
  const { token } = world.get(TOKEN);
  const other = world.has(OTHER_TOKEN) ? world.get(OTHER_TOKEN).token : '';
  // as RFC 7617 has it: a user and the token for its password
  const basic = base64(`joinproof:${token}`);
  world.secret(basic);
  const fill = (value: string): string =>
    value.replaceAll('<token>', token).replaceAll('<other>', other).replaceAll('<user and token>', basic);
  const logins = [];
  for (const cells of table.raw().map((row) => row.filter((cell) => cell !== ''))) {
    const authorization = cells.map((cell) => fill(valueIn(cell, world.now()) ?? ''));
    const heard = await login(world, { kind: 'header', authorization });
    if (authorization.length > 1 && heard.status === 400)
      return world.skip(
        'fact',
        'something takes no request with two Authorization headers, before it is authenticated',
      );
    logins.push({ subject: `a header written ${cells.join(', then one ')}`, heard });
  }
  return logins;
}

Then('its bearer logs in with the header:', async function (this: World, table: DataTable) {
  await loginSoon(this, this.get(TOKEN));
  this.check(loginTaken, await headerLogins(this, table));
});

/** Where a proxy answers for strangers, nobody can tell what the API server has read. */
const STRANGERS = { needs: ['anonymous'] } as const;

Then('a header is refused that is written:', STRANGERS, async function (this: World, table: DataTable) {
  this.check(loginRefused, await headerLogins(this, table));
});

Then('a header carries no token that is written:', STRANGERS, async function (this: World, table: DataTable) {
  this.check(loginNotTaken, await headerLogins(this, table));
});

/**
 * What a browser sends, which cannot set a header of a websocket.
 * Source: apiserver, pkg/authentication/request/websocket/protocol.go.
 */
const subprotocols = (token: string): string =>
  `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}, base64.binary.k8s.io`;

export const SIDE_DOORS: Readonly<Record<string, (token: string) => Door>> = {
  'the query of the address': (token) => ({ query: { access_token: token, token } }),
  'a cookie': (token) => ({ headers: { cookie: `token=${token}; Authorization=Bearer%20${token}` } }),
  'the header Proxy-Authorization': (token) => ({ headers: { 'proxy-authorization': `Bearer ${token}` } }),
  'the header X-Auth-Token': (token) => ({ headers: { 'x-auth-token': token } }),
  'the header Token': (token) => ({ headers: { token } }),
  'the header X-Forwarded-Authorization': (token) => ({ headers: { 'x-forwarded-authorization': `Bearer ${token}` } }),
  'the body': (token) => ({ body: { ...whoAmIQuestion.body, metadata: { annotations: { token } }, spec: { token } } }),
  "a websocket's subprotocol, without a websocket": (token) => ({
    headers: { 'sec-websocket-protocol': subprotocols(token) },
  }),
};

Then("a request is nobody's that carries it in:", STRANGERS, async function (this: World, table: DataTable) {
  const { token } = this.get(TOKEN);
  const logins = [];
  for (const [place = ''] of table.raw()) {
    const door = SIDE_DOORS[place];
    if (door === undefined) return this.unknown(`the steps know no place "${place}"`);
    const heard = await login(this, { kind: 'anonymous' }, door(token));
    logins.push({ subject: `the token in ${place}`, heard });
  }
  this.check(loginNotTaken, logins);
});

/** Requests that strangers may make as well: a bad token must not be heard as a stranger. */
Then('written as {string} it is refused at every door:', async function (this: World, text: string, table: DataTable) {
  const token = writtenAs(this, text);
  const logins = await forEach(this, table.raw(), async ([path = '']) => {
    const { status, body } = await this.as({ kind: 'token', token }).ask({ path });
    return { subject: `GET ${path} with ${text}`, heard: heardIn({ status, body }) };
  });
  this.check(loginUnauthorized, logins);
});

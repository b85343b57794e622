/** Sentences about which authenticators a cluster has, and about those that it has not. */

import { loginAsWithout, strangersHeard } from '../../src/checks/authenticators/authenticated.js';
import {
  type Authenticator,
  type AuthenticatorSeen,
  heardAsFlagsSay,
  isAuthenticator,
  knownOf,
  readAuthenticators,
  type State,
} from '../../src/checks/authenticators/authenticators.js';
import { type Login, loginRefused, loginUnauthorized } from '../../src/checks/authenticators/login.js';
import { isOf } from '../../src/checks/authorization/rbac-subjects.js';
import type { CommandLine } from '../../src/checks/written/control-plane-flags.js';
import { record } from '../../src/kubernetes/json.js';
import { KUBE_SYSTEM } from '../../src/kubernetes/names.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { strangersPair } from '../../src/run/making.js';
import type { World } from '../../src/run/world.js';
import { NotInDump, UnexpectedAnswer } from '../../src/targets/errors.js';
import { forEach } from '../common/each.js';
import { published } from '../common/flags.js';
import { readPolicy } from '../common/policy.js';
import { STRANGERS } from '../common/strangers.js';
import { bearer, TOKEN } from '../common/tokens.js';
import { asksAtDoor, firstColumn, grantDoor, strangersAt } from './door.js';
import { serverWith } from './flag-sets.js';
import { tellsIssuer } from './strangers.js';

/** Everybody may ask there where strangers are heard at all, but for who names paths. */
const OPEN = ['/livez', '/version', '/api'] as const;
const TRUST = pathOf(resources.configMaps, { namespace: KUBE_SYSTEM, name: 'extension-apiserver-authentication' });

/** Reading alone: nothing is presented but what everybody may present. */
async function ask(world: World) {
  if (world.target.abilities.requests === undefined) return { nothing: [], trust: null, issuer: '' };
  const hears = world.holds('anonymous');
  const nothing = await strangersAt(world, hears ? OPEN : []);
  const { status, body } = await world.admin.ask({ path: TRUST });
  return { nothing, trust: status === 200 ? (record(body).data ?? {}) : null, issuer: await tellsIssuer(world) };
}

/** Whoever may not read Pods asks, as where none is shown. */
async function shownFlags(world: World): Promise<CommandLine[]> {
  try {
    return await published(world, 'kube-apiserver');
  } catch (error) {
    if (error instanceof NotInDump || (error instanceof UnexpectedAnswer && error.code === 403)) return [];
    throw error;
  }
}

/** Looked for once a run. */
const authenticators = (world: World): Promise<AuthenticatorSeen[]> =>
  world.atRest(`authenticators of ${world.target.name}`, async () =>
    readAuthenticators(await shownFlags(world), await ask(world)),
  );

/** API servers of ours that look at one, or at none; where a cluster is as it is, it is judged as it is. */
const OURS: Readonly<Partial<Record<Authenticator, Readonly<Partial<Record<State, string>>>>>> = {
  'static tokens': { on: 'with a token file', off: 'without bootstrap tokens' },
  'client certificates': { off: 'without a CA for clients' },
  'bootstrap tokens': { off: 'without bootstrap tokens' },
  strangers: { off: 'without strangers' },
};

/** The scenario goes on with the cluster if it is so, else with an API server of ours; else it is skipped: why not. */
async function goWhere(world: World, wanted: State, ...names: readonly string[]): Promise<void> {
  const seen = await authenticators(world);
  for (const name of names) {
    if (!isAuthenticator(name)) return world.unknown(`the steps know no authenticator "${name}"`);
    const { state, by } = knownOf(seen, name);
    if (state === wanted) continue;
    const ours = OURS[name]?.[wanted];
    if (ours === undefined || world.target.abilities.variants === undefined) return world.skip('nothing', by);
    return world.moveTo(await serverWith(world, ours));
  }
}

const LOOKS = { needs: ['objects', 'requests'], waits: true } as const;

Given('an API server that looks at {string}', LOOKS, async function (this: World, name: string) {
  await goWhere(this, 'on', name);
});

Given('an API server that looks at no {string}', LOOKS, async function (this: World, name: string) {
  await goWhere(this, 'off', name);
});

Given(
  'an API server that looks at neither {string} nor {string}',
  LOOKS,
  async function (this: World, name: string, other: string) {
    await goWhere(this, 'off', name, other);
  },
);

const OBJECTS = { needs: ['objects'] } as const;

Then('strangers are heard as its flags say, where it publishes them', OBJECTS, async function (this: World) {
  this.check(heardAsFlagsSay, await authenticators(this));
});

const REQUESTS = { needs: ['requests'] } as const;
/** So many names show whether columns were taken for each other. */
const NAMES = 20;
/** What a header can carry. */
const WRITABLE = /^[\x21-\x7e]+$/;

const refusedAsTokens = async (world: World, tokens: readonly string[], what: string): Promise<void> => {
  await grantDoor(world);
  const logins = await forEach(world, tokens, (token) =>
    asksAtDoor(world, { kind: 'token', token, isPublic: true }, `the ${what} ${token} as a token`),
  );
  world.check(loginUnauthorized, logins);
};

Then('a bearer is refused that shows the name of a user whom bindings name', REQUESTS, async function (this: World) {
  const { clusterRoleBindings, roleBindings } = await readPolicy(this);
  const users = [...clusterRoleBindings, ...roleBindings]
    .flatMap(({ subjects = [] }) => subjects.filter((subject) => isOf(subject, ['users'])))
    .map(({ name }) => name)
    .filter((name) => WRITABLE.test(name));
  await refusedAsTokens(this, [...new Set(users)].sort().slice(0, NAMES), 'user name');
});

Then('a bearer is refused that shows a letter or a digit alone', REQUESTS, async function (this: World) {
  await refusedAsTokens(this, [...'abcdefghijklmnopqrstuvwxyz0123456789'], 'character');
});

const certificateOfStranger = (world: World): Promise<Login> =>
  asksAtDoor(
    world,
    { kind: 'certificate', ...strangersPair('kubernetes-admin', ['system:masters']) },
    'a certificate of a stranger',
  );

Then('a certificate of a stranger is refused', REQUESTS, async function (this: World) {
  await grantDoor(this);
  this.check(loginRefused, [await certificateOfStranger(this)]);
});

Then('a certificate of a stranger says as little as none', STRANGERS, async function (this: World) {
  await grantDoor(this);
  const { heard: nothing } = await asksAtDoor(this, { kind: 'anonymous' }, 'nothing');
  this.check(loginAsWithout, [{ ...(await certificateOfStranger(this)), nothing }]);
});

Then('its bearer is refused at a door that the administrator passes', REQUESTS, async function (this: World) {
  await grantDoor(this);
  const made = this.get(TOKEN);
  this.check(loginRefused, [await asksAtDoor(this, bearer(made), made.label)]);
});

Then('a stranger is refused with 401 at:', STRANGERS, async function (this: World, table: DataTable) {
  await grantDoor(this);
  const asked = await strangersAt(this, firstColumn(table));
  this.check(strangersHeard, asked, { heard: false });
});

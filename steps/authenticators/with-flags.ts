/** Sentences about API servers of ours that are started with sets of flags, and about who logs in there. */
import {
  type LoginAs,
  loginIs,
  loginIsStranger,
  strangersHeard,
} from '../../src/checks/authenticators/authenticated.js';
import { type Login, loginUnauthorized, whoAmI } from '../../src/checks/authenticators/login.js';
import { isAccount } from '../../src/checks/authenticators/service-accounts.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { GROUP_AUTHENTICATED } from '../../src/kubernetes/names.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { knownSoon, login, tokenReview } from '../common/login.js';
import { firstColumn, strangersAt } from './door.js';
import { madeFor, serverWith } from './flag-sets.js';
import { type Ground, groundOf, presented } from './presented.js';
import type { Expected, Shown } from './shown.js';

const GROUND = slot<Ground>('an API server of ours with a set of flags');
const NAMED = slot<string>('how that API server is called');
const VARIANT = { needs: ['variants', 'writes', 'requests'], waits: true } as const;

Given('an API server of ours {string}', VARIANT, async function (this: World, named: string) {
  this.moveTo(await serverWith(this, named));
  this.put(NAMED, named);
  this.put(GROUND, { ...(await groundOf(this, await madeFor(this))), world: this });
});

/** "alice", "alice of 1000", "bob of 1001 in [\"auditors\"]", "erin in [] with {\"reason\":[\"joinproof\"]}" */
const SOMEBODY = /^(\S+?)(?: of (\S+))?(?: in (\[.*\]))?(?: with (\{.*\}))?$/;

/** Whom the second column of a table means, where it means somebody. */
async function expected(world: World, who: string, { itself }: Shown): Promise<Expected> {
  if (who === 'itself') return itself ?? world.unknown('nobody knows who that is');
  if (who === 'the administrator') {
    const admin = whoAmI(await login(world, { kind: 'admin' }));
    if (admin === undefined) return world.unknown('the administrator is not told who he is');
    const { username, uid, groups } = admin;
    return { username, uid, groups: groups.filter((group) => group !== GROUP_AUTHENTICATED) };
  }
  const [, username = '', uid = '', groups = '[]', extra]: readonly (string | undefined)[] = SOMEBODY.exec(who) ?? [];
  return {
    username,
    uid,
    groups: (JSON.parse(groups) as unknown[]).map(String),
    ...(extra === undefined ? {} : { extra: JSON.parse(extra) as NonNullable<Expected['extra']> }),
  };
}

Then('there one is who shows:', async function (this: World, table: DataTable) {
  const ground = this.get(GROUND);
  const named = this.get(NAMED);
  const known: LoginAs[] = [];
  const accounts: Login[] = [];
  const strangers: Login[] = [];
  const refused: Login[] = [];
  await forEach(this, table.raw(), async ([what = '', who = '']) => {
    const shown = await presented(what, ground);
    const { identity, headers } = shown;
    const ask = () => login(this, identity, headers === undefined ? {} : { headers });
    const heard = who === 'itself' ? await knownSoon(this, ask) : await ask();
    const seen = { subject: `${what}, ${named}`, heard };
    if (who === 'refused') refused.push(seen);
    else if (who === 'a stranger') strangers.push(seen);
    else if (who === 'that service account') accounts.push(seen);
    else known.push({ ...seen, ...(await expected(this, who, shown)) });
  });
  if (known.length > 0) this.check(loginIs, sorted(known));
  const { account } = ground;
  if (accounts.length > 0)
    this.check(
      isAccount,
      sorted(accounts).map((one) => ({ ...one, account })),
    );
  if (strangers.length > 0) this.check(loginIsStranger, sorted(strangers));
  if (refused.length > 0) this.check(loginUnauthorized, sorted(refused));
});

/** Side by side they are heard in any order. */
const sorted = <T extends Login>(logins: readonly T[]): T[] =>
  [...logins].sort((a, b) => (a.subject < b.subject ? -1 : 1));

Then('there a stranger is heard at:', async function (this: World, table: DataTable) {
  this.check(strangersHeard, await strangersAt(this, firstColumn(table)), { heard: true });
});

Then('there a stranger is refused at:', async function (this: World, table: DataTable) {
  this.check(strangersHeard, await strangersAt(this, firstColumn(table)), { heard: false });
});

/** Source: apiserver, pkg/authentication/authenticator/audagnostic.go. */
Then(
  'there a review tells who shows a token of three columns, and of nobody for another audience',
  VARIANT,
  async function (this: World) {
    const { identity } = await presented('a token of three columns', this.get(GROUND));
    if (identity.kind !== 'token') return this.unknown('a line of the token file is no token');
    const look = async (subject: string, user: string, audiences?: readonly string[]) => {
      const wanted = { status: 201, says: { 'status.user.username': user, 'status.authenticated': user && 'true' } };
      const question = tokenReview({ token: identity.token, ...(audiences === undefined ? {} : { audiences }) });
      return readSaying(subject, wanted, await this.admin.ask(question));
    };
    this.check(saysJustThat, [
      await look('a review of a token of three columns', 'alice'),
      await look('a review of a token of three columns, for another audience', '', ['joinproof.invalid']),
    ]);
  },
);

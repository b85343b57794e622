/**
 * Sentences about the bearers of the cluster's own tokens: each is presented as it is, and must be taken for whom its
 * Secret says. What else knows the same text (a file of tokens, a webhook) is found so.
 */

import {
  heardIn,
  type Login,
  loginExactGroups,
  loginForbiddenByName,
  loginInGroups,
  loginRefused,
  loginUserName,
} from '../../src/checks/authenticators/login.js';
import { requestAllowed } from '../../src/checks/authorization/access.js';
import { type Bearer, bearersOf, someOf } from '../../src/checks/bootstrap-tokens/token-bearers.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import type { Check } from '../../src/model/check.js';
import { Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { login } from '../common/login.js';
import { isMet } from '../common/soon.js';
import { tokensOfKubeSystem } from '../common/token-secrets.js';
import { FORGOTTEN } from '../common/waiting.js';

/** A login, beside what it has to show. */
type Shown = Login & Pick<Bearer, 'id' | 'groups'>;
/** What a bearer is answered. */
type Ask = (world: World, bearer: Bearer) => Promise<Login['heard']>;

async function shown(world: World, ask: Ask): Promise<Shown[]> {
  const bearers = someOf(bearersOf(await tokensOfKubeSystem(world), world.now()));
  return forEach(world, bearers, async (bearer) => {
    const { subject, id, groups, token, of } = bearer;
    world.secret(token);
    const among = of === undefined ? '' : `, one of ${bearers.length} that are asked of ${of}`;
    return { subject: `the bearer of ${subject}${among}`, id, groups, heard: await ask(world, bearer) };
  });
}

const whoIs: Ask = (world, { token }) => login(world, { kind: 'token', token });

/** Several scenarios want them: each token is presented once. */
const logins = (world: World): Promise<Shown[]> =>
  world.shared(`logins of the tokens of ${world.target.name}`, () => shown(world, whoIs));

interface Judged<O> {
  readonly check: Check<readonly O[]>;
  /** Of a bearer, what the check looks at; none where it is not about such a one. */
  readonly pick: (one: Shown) => readonly O[];
  readonly ask?: Ask;
}

/**
 * At odds with their Secrets they are looked at once more when what the API server remembers is forgotten: somebody may
 * have changed one.
 */
async function judge<O>(world: World, { check, pick, ask }: Judged<O>): Promise<void> {
  const first = (ask === undefined ? await logins(world) : await shown(world, ask)).flatMap(pick);
  if (first.length === 0) return world.skip('nothing', 'the cluster has no bootstrap token of this kind');
  if (isMet(check, first, undefined)) {
    world.check(check, first);
    return;
  }
  await world.sleep(world.patiently(FORGOTTEN));
  world.lookAfresh();
  world.check(check, (await shown(world, ask ?? whoIs)).flatMap(pick));
}

const LOGINS = { needs: ['writes', 'requests', 'objects'], waits: true } as const;
const good = (one: Shown): Shown[] => (one.groups === undefined ? [] : [one]);

Then("each bearer of the cluster's own tokens is the user of its token id", LOGINS, async function (this: World) {
  await judge(this, { check: loginUserName, pick: good });
});

Then(
  "each bearer of the cluster's own tokens is in the group {string}",
  LOGINS,
  async function (this: World, group: string) {
    await judge(this, {
      check: loginInGroups,
      pick: (one) => good(one).map((known) => ({ ...known, groups: [group] })),
    });
  },
);

Then("each bearer of the cluster's own tokens is in the groups of its Secret", LOGINS, async function (this: World) {
  await judge(this, {
    check: loginInGroups,
    pick: ({ groups = [], ...one }) => (groups.length === 0 ? [] : [{ ...one, groups }]),
  });
});

Then("each bearer of the cluster's own tokens is in no other group", LOGINS, async function (this: World) {
  await judge(this, {
    check: loginExactGroups,
    pick: ({ groups, ...one }) => (groups === undefined ? [] : [{ ...one, groups }]),
  });
});

Then("each of the cluster's own tokens that is not for logging in is refused", LOGINS, async function (this: World) {
  await judge(this, { check: loginRefused, pick: (one) => (one.groups === undefined ? [one] : []) });
});

/** Who may do nothing at all is forbidden everything, which says nothing of Secrets. */
const readsApi: Ask = async (world, { token }) => {
  const { status } = await world.as({ kind: 'token', token }).ask({ path: '/api' });
  return { status, body: null };
};
/** A run that only reads may ask this, too. */
const readsSecrets: Ask = async (world, { token }) => {
  const question = { path: pathOf(resources.secrets), query: { limit: '1' } };
  const { status, body } = await world.as({ kind: 'token', token }).ask(question);
  return heardIn({ status, body });
};
const READS = { needs: ['requests', 'objects'] } as const;

Then("each bearer of the cluster's own tokens is forbidden to list Secrets", READS, async function (this: World) {
  const known = (await shown(this, readsApi)).flatMap(good);
  const allowed = known.map(({ subject, heard }) => ({ subject: `${subject}, GET /api`, answer: heard }));
  this.grant(requestAllowed, allowed, {});
  await judge(this, { check: loginForbiddenByName, pick: good, ask: readsSecrets });
});

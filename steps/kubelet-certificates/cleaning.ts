/** Sentences about when certificate requests are cleaned away: the cluster's clock is moved by hours. */
import { requestAllowed } from '../../src/checks/authorization/access.js';
import { isDeleted, isLeftAlone } from '../../src/checks/common/presence.js';
import { Given, Then } from '../../src/run/define.js';
import { decide } from '../../src/run/making.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import {
  type Asked,
  administrator,
  ask,
  decideAs,
  decided,
  grantIssued,
  patchStatus,
  stored,
  subjectOf,
} from '../common/csr-requests.js';
import { grantReading } from '../common/reading.js';
import { IN_TIME } from '../common/waiting.js';

const CONTROLLED = { needs: ['writes', 'requests', 'controllers', 'clock'], waits: true } as const;
const MINUTE = 60_000;

interface Kinds {
  readonly waits: Asked;
  /** Waits as well, and is approved late. */
  readonly late: Asked;
  /** Waits as well, and is denied late. */
  readonly lateDenied: Asked;
  /** Approved, and of a signer that nobody runs: it still waits for its certificate. */
  readonly vain: Asked;
  /** Issued, denied, failed: nobody has anything more to do with them. */
  readonly over: readonly Asked[];
}
const KINDS = slot<Kinds>('certificate requests of every state');

const CLIENT = 'an API client that nobody approves automatically';
/** The signer marks it as Failed. */
const UNFIT = 'an API client that may serve as well';

async function askedAnd(world: World, what: string, type: 'Approved' | 'Denied'): Promise<Asked> {
  const asked = await ask(world, administrator(world), what);
  await decideAs(world, asked, type, 'granted');
  return asked;
}

const ALL = 'requests that wait, and such as were issued, denied, failed and approved in vain';

Given(ALL, CONTROLLED, async function (this: World) {
  const waits = await ask(this, administrator(this), 'an API client of two groups, for a day');
  const late = await ask(this, administrator(this), "a node's server, by its name alone");
  const lateDenied = await ask(this, administrator(this), "a node's server, by its address alone");
  const vain = await askedAnd(this, 'an API client of a signer that nobody runs', 'Approved');
  const denied = await askedAnd(this, "a node's server", 'Denied');
  const failed = await askedAnd(this, UNFIT, 'Approved');
  // its signer has looked at the one before it by then
  const issued = await askedAnd(this, CLIENT, 'Approved');
  await grantIssued(this, issued);
  this.put(KINDS, { waits, late, lateDenied, vain, over: [issued, denied, failed] });
});

const seen = (world: World, all: readonly Asked[]) =>
  Promise.all(
    all.map(async (asked) => ({ subject: subjectOf(asked), there: (await stored(world, asked)) !== undefined })),
  );

Then('{int} minutes later all of them are there', CONTROLLED, async function (this: World, minutes: number) {
  await this.sleep(minutes * MINUTE);
  const { waits, late, lateDenied, vain, over } = this.get(KINDS);
  this.check(isLeftAlone, await seen(this, [waits, late, lateDenied, vain, ...over]), {
    demanded: `is there after ${minutes} minutes`,
  });
});

Then(
  '{int} minutes later only those that wait and the one approved in vain are there',
  CONTROLLED,
  async function (this: World, minutes: number) {
    await this.sleep(minutes * MINUTE);
    const { waits, late, lateDenied, vain, over } = this.get(KINDS);
    const demanded = `is there another ${minutes} minutes later`;
    this.check(isDeleted, await seen(this, over), { demanded: `is deleted another ${minutes} minutes later` });
    this.check(isLeftAlone, await seen(this, [waits, late, lateDenied, vain]), { demanded });
  },
);

/** The hour begins with the decision. */
Then(
  'one of them that is issued and one that is denied by then are there {int} minutes later',
  CONTROLLED,
  async function (this: World, minutes: number) {
    const { late, lateDenied } = this.get(KINDS);
    // what else refuses to decide refuses the approval as well
    await decide(this.admin, lateDenied.name, 'Denied');
    await decideAs(this, late, 'Approved', 'granted');
    if (!(await grantIssued(this, late))) return;
    await this.sleep(minutes * MINUTE);
    this.check(isLeftAlone, await seen(this, [lateDenied]), {
      demanded: `is there ${minutes} minutes after its denial`,
    });
    this.check(isLeftAlone, await seen(this, [late]), { demanded: `is there ${minutes} minutes after its approval` });
  },
);

/** It outlives the first hours, and not those after them. */
async function checkSwept(world: World, request: Asked, first: number, second: number, told = ''): Promise<void> {
  await world.sleep(first * 60 * MINUTE);
  world.check(isLeftAlone, await seen(world, [request]), { demanded: `is there ${told}${first} hours later` });
  await world.sleep(second * 60 * MINUTE);
  world.check(isDeleted, await seen(world, [request]), { demanded: `is deleted another ${second} hours later` });
}

Then(
  '{int} hours later the other is there, {int} hours later it is gone',
  CONTROLLED,
  async function (this: World, first: number, second: number) {
    await checkSwept(this, this.get(KINDS).waits, first, second, 'another ');
  },
);

const IN_VAIN = slot<Asked>('a certificate request that is approved in vain');

Given('a request that is approved in vain', CONTROLLED, async function (this: World) {
  this.put(IN_VAIN, await askedAnd(this, 'an API client of a signer that nobody runs', 'Approved'));
});

Then(
  'it is there {int} hours later, and gone {int} hours after that',
  CONTROLLED,
  async function (this: World, first: number, second: number) {
    await checkSwept(this, this.get(IN_VAIN), first, second);
  },
);

const APART = slot<readonly [Asked, Asked]>('two certificate requests, half an hour apart');
const IN_BETWEEN = 30 * MINUTE;
/** Sweeps come an hour apart. */
const AT_MOST = 25 * 60 * MINUTE;

Given('two requests that wait, the second made half an hour after the first', CONTROLLED, async function (this: World) {
  const what = 'an API client of two groups, for a day';
  const first = await ask(this, administrator(this), what);
  await this.sleep(IN_BETWEEN);
  this.put(APART, [first, await ask(this, administrator(this), what)]);
});

Given(
  'two requests that are approved in vain, the second made half an hour after the first',
  CONTROLLED,
  async function (this: World) {
    const what = 'an API client of a signer that nobody runs';
    const first = await askedAnd(this, what, 'Approved');
    await this.sleep(IN_BETWEEN);
    this.put(APART, [first, await askedAnd(this, what, 'Approved')]);
  },
);

/** No sweep comes as early as this for both of them, where an hour more is let pass. */
Then('each of them is gone a day and an hour after it was made', CONTROLLED, async function (this: World) {
  const [first, second] = this.get(APART);
  const demanded = 'is deleted a day and an hour after it was made';
  await this.sleep(AT_MOST - IN_BETWEEN + MINUTE);
  this.check(isDeleted, await seen(this, [first]), { demanded });
  await this.sleep(IN_BETWEEN);
  this.check(isDeleted, await seen(this, [second]), { demanded });
});

const NOTED = slot<Asked>('a certificate request that somebody has noted something of');

/** Neither is it decided, nor does it wait untouched: nobody cleans it away. Source: cleaner.go isPendingPastDeadline. */
Given('a request that somebody has noted something of', CONTROLLED, async function (this: World) {
  const asked = await ask(this, administrator(this), 'an API client of a signer that nobody runs');
  const condition = { type: 'joinproof.invalid/Noted', status: 'True', reason: 'JoinproofSays', message: 'For now.' };
  const answer = await patchStatus(this, asked, 'approval', { conditions: [condition] });
  const subject = `note something of ${subjectOf(asked)}, as an administrator`;
  this.grant(requestAllowed, [{ subject, answer }], { statuses: [200] });
  this.put(NOTED, asked);
});

Then('it is there {int} hours later', CONTROLLED, async function (this: World, hours: number) {
  await this.sleep(hours * 60 * MINUTE);
  this.check(isLeftAlone, await seen(this, [this.get(NOTED)]), { demanded: `is there ${hours} hours later` });
});

const EARLY = slot<readonly Asked[]>('certificate requests of a moment ago');
const ACTS = { needs: ['writes', 'requests', 'controllers'], waits: true } as const;

/** Who has taken it away, or has decided otherwise, is what the scenario is about: no answer ends it. */
async function decidedAnyhow(world: World, what: string, type: 'Approved' | 'Denied'): Promise<Asked> {
  const asked = await ask(world, administrator(world), what);
  await decide(world.admin, asked.name, type);
  return asked;
}

Given(
  'requests that wait, that are denied and that are approved, whatever becomes of them',
  ACTS,
  async function (this: World) {
    const waits = await ask(this, administrator(this), 'an API client of two groups, for a day');
    const denied = await decidedAnyhow(this, "a node's server", 'Denied');
    this.put(EARLY, [waits, denied, await decidedAnyhow(this, CLIENT, 'Approved')]);
  },
);

Then('none of them is cleaned away', ACTS, async function (this: World) {
  await grantReading(this);
  await this.sleep(IN_TIME);
  this.check(isLeftAlone, await seen(this, this.get(EARLY)), { demanded: 'is left alone for 30 s' });
});

const SHORT = slot<readonly [Asked, Asked]>('requests for certificates of ten minutes');

async function shortLived(world: World): Promise<Asked> {
  const asked = await ask(world, administrator(world), 'a node, for ten minutes');
  const { conditions } = await decided(world, asked, 5_000);
  if (conditions.length === 0) await decideAs(world, asked, 'Approved', 'granted');
  await grantIssued(world, asked);
  return asked;
}

Given(
  'requests for certificates of ten minutes, one made and issued a quarter of an hour after the other',
  CONTROLLED,
  async function (this: World) {
    const first = await shortLived(this);
    await this.sleep(15 * MINUTE);
    this.put(SHORT, [first, await shortLived(this)]);
  },
);

/**
 * Sweeps come an hour apart, and nobody knows when: one comes while the first is between 10 and 59 minutes old, or
 * else one while the second is. A minute more, and they would go for another reason.
 */
Then('one of them is cleaned away before it is an hour old', CONTROLLED, async function (this: World) {
  const [first, second] = this.get(SHORT);
  await this.sleep(44 * MINUTE);
  const [one] = await seen(this, [first]);
  await this.sleep(14 * MINUTE);
  const [other] = await seen(this, [second]);
  const there = one?.there !== false && other?.there !== false;
  this.check(isDeleted, [{ subject: 'a request whose certificate has ended', there }], {
    demanded: 'is deleted before it is an hour old',
  });
});

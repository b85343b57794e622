/** Sentences about those who ask the API server about tokens. */

import {
  readTokenReview,
  reviewRefuses,
  reviewTellsLogin,
  reviewTellsWhy,
  type TokenReviewed,
} from '../../src/checks/authenticators/token-reviews.js';
import { isAbsent, isLeftAlone, isThere } from '../../src/checks/common/presence.js';
import { record, texts } from '../../src/kubernetes/json.js';
import { type DataTable, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { forEach } from '../common/each.js';
import { tokenReview } from '../common/login.js';
import { loginSoon, type Made, TOKEN, TOKENS } from '../common/tokens.js';
import { ACCOUNT, tokenOf } from './service-accounts.js';

const REVIEWS = { needs: ['writes', 'requests'] } as const;

/** What is asked about: a token, perhaps for an audience, perhaps with a status that is the API server's to write. */
interface AskedAbout {
  readonly token: string;
  readonly audiences?: readonly string[];
  readonly status?: object;
}

async function review(world: World, subject: string, { token, audiences, status }: AskedAbout): Promise<TokenReviewed> {
  const spec = { token, ...(audiences === undefined ? {} : { audiences }) };
  const { status: code, body } = await world.admin.ask(tokenReview(spec, status));
  return readTokenReview(subject, { status: code, body }, token);
}

async function compared(world: World, made: Made): Promise<void> {
  const login = await loginSoon(world, made);
  const reviewed = await review(world, `${made.label}, asked about by a review`, made);
  world.check(reviewTellsLogin, [{ review: reviewed, login }]);
}

Then('a review tells who logs in with it', REVIEWS, async function (this: World) {
  await compared(this, this.get(TOKEN));
});

Then(
  'a review tells who logs in with the good one, and of nobody for the others',
  REVIEWS,
  async function (this: World) {
    await compared(this, this.get(TOKEN));
    const others = await forEach(this, this.get(TOKENS), (made) =>
      review(this, `${made.label}, asked about by a review`, made),
    );
    this.check(reviewRefuses, others);
  },
);

const otherThan = (text: string): string => `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
const ADMINISTRATOR = { authenticated: true, user: { username: 'kubernetes-admin', groups: ['system:masters'] } };
const unsigned = (claims: object): string =>
  [{ alg: 'none' }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

/** By what the features call it. */
export const BAD: Readonly<Record<string, (made: Made) => AskedAbout>> = {
  'its id and another secret half': ({ id, half }) => ({ token: `${id}.${otherThan(half)}` }),
  'its id and another secret half, with a status that says who it is': ({ id, half }) => ({
    token: `${id}.${otherThan(half)}`,
    status: ADMINISTRATOR,
  }),
  'its secret half and another id': ({ id, half }) => ({ token: `${otherThan(id)}.${half}` }),
  'its secret half alone': ({ half }) => ({ token: half }),
  'a word': () => ({ token: 'joinproof-knows-nobody' }),
  'a token of a service account that nobody has signed': () => ({
    token: `${unsigned({ iss: 'kubernetes/serviceaccount', sub: 'system:serviceaccount:kube-system:default' })}.`,
  }),
  'it, for another audience': ({ token }) => ({ token, audiences: ['joinproof.invalid'] }),
};

Then('a review tells of nobody, asked about:', REVIEWS, async function (this: World, table: DataTable) {
  const made = this.get(TOKEN);
  const reviewed = await forEach(this, table.raw(), async ([what = '']) => {
    const asked = BAD[what]?.(made);
    if (asked === undefined) return this.unknown(`the steps know no token that is "${what}"`);
    this.secret(asked.token);
    return review(this, `${what}, asked about by a review`, asked);
  });
  this.check(reviewRefuses, reviewed);
  this.check(reviewTellsWhy, reviewed);
  // whoever sends a status along is told it again
  const named = reviewed.filter((_, at) => BAD[table.raw()[at]?.[0] ?? '']?.(made).status === undefined);
  const users = named.map(({ subject, username }) => ({ subject: `a user in ${subject}`, there: username !== '' }));
  this.check(isAbsent, users, { demanded: 'is not named' });
});

const OTHER = 'joinproof.invalid';
const SECOND = 'second.joinproof.invalid';

/** The API server's own, which is told where nobody asks for an audience; '' where none is. */
const audiencesIn = (body: unknown): readonly string[] => texts(record(record(body).status).audiences);

Then(
  'a review tells of the audiences that it was asked about those that it is for',
  REVIEWS,
  async function (this: World) {
    const { token, label } = this.get(TOKEN);
    const question = (audiences: readonly string[]) => tokenReview({ token, audiences });
    const [own] = audiencesIn((await this.admin.ask(question([]))).body);
    if (own === undefined) return this.skip('nothing', 'the API server does not say for whom its tokens are');
    const told = audiencesIn((await this.admin.ask(question([OTHER, own]))).body);
    const subject = `the audience of a review of ${label}`;
    this.check(isLeftAlone, [{ subject: `${subject}: ${own}`, there: told.includes(own) }], { demanded: 'is told' });
    this.check(isAbsent, [{ subject: `${subject}: ${OTHER}`, there: told.includes(OTHER) }], {
      demanded: 'is not told',
    });
  },
);

/** Of a token of several audiences each server is told its own: what is for another is no word of this one. */
Then(
  'a review of one for two audiences tells of the one that it was asked about',
  REVIEWS,
  async function (this: World) {
    const audiences = [OTHER, SECOND];
    const { token, label } = await tokenOf(this, this.get(ACCOUNT), { audiences }, 'for two audiences');
    const told = audiencesIn((await this.admin.ask(tokenReview({ token, audiences: [OTHER] }))).body);
    const subject = `the audience of a review of ${label}`;
    this.check(isThere, [{ subject: `${subject}: ${OTHER}`, there: told.includes(OTHER) }], { demanded: 'is told' });
    this.check(isAbsent, [{ subject: `${subject}: ${SECOND}`, there: told.includes(SECOND) }], {
      demanded: 'is not told',
    });
  },
);

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { judged, resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import { readTokenReview, reviewRefuses, reviewTellsLogin, reviewTellsWhy } from './token-reviews.js';

const USER = { username: 'alice', uid: '7', groups: ['a', 'system:authenticated'], extra: { reason: ['x'] } };
const answer = (status: object, code = 201) =>
  readTokenReview('a token', { status: code, body: { status } }, 'a.secret');
const told = (user: object) => answer({ authenticated: true, user });
const login = (userInfo: object | undefined) => ({
  subject: 'a token',
  heard: userInfo === undefined ? { status: 401, body: null } : { status: 201, body: { status: { userInfo } } },
});
const compared = (review: ReturnType<typeof answer>, userInfo: object | null = USER) =>
  resultsOf(reviewTellsLogin, [{ review, login: login(userInfo ?? undefined) }], undefined)[0];

it('a review tells who logs in: name, UID, groups in any order, and the keys of extra', () => {
  assert.equal(compared(told(USER)), 'met');
  assert.equal(compared(told({ ...USER, groups: [...USER.groups].reverse() })), 'met');
  for (const other of [
    ...twinsOf('alice').map((username) => ({ ...USER, username })),
    { ...USER, uid: '8' },
    { ...USER, uid: undefined },
    { ...USER, groups: ['a'] },
    { ...USER, groups: [...USER.groups, 'system:masters'] },
    { ...USER, extra: {} },
    { ...USER, extra: { ...USER.extra, more: [] } },
  ])
    assert.equal(compared(told(other)), 'unmet', JSON.stringify(other));
  assert.equal(compared(answer({ user: USER })), 'unmet');
  assert.equal(compared(answer({ authenticated: 'true', user: USER })), 'unmet');
});

it('without an answer, or a login to compare with, nothing is said', () => {
  for (const code of [200, 401, 403, 404, 500]) assert.equal(compared(answer({}, code)), 'unclear');
  assert.equal(compared(told(USER), null), 'unclear');
  assert.match(
    judged(reviewTellsLogin, [{ review: answer({}), login: login(undefined) }], undefined)[0]?.demanded ?? '',
    /who logs in/,
  );
  assert.equal(
    judged(reviewTellsLogin, [{ review: answer({}), login: login(USER) }], undefined)[0]?.seen,
    'it is nobody',
  );
  assert.equal(judged(reviewTellsLogin, [{ review: answer({}, 403), login: login(USER) }], undefined)[0]?.seen, '403');
});

it('a bad token is nobody, and is not told again', () => {
  const results = (review: ReturnType<typeof answer>) => resultsOf(reviewRefuses, [review], undefined);
  assert.deepEqual(results(answer({ user: {} })), ['met', 'met']);
  assert.deepEqual(results(answer({ authenticated: false, error: 'invalid bearer token' })), ['met', 'met']);
  assert.deepEqual(results(told(USER)), ['unmet', 'met']);
  assert.deepEqual(results(answer({ error: 'invalid token a.secret' })), ['met', 'unmet']);
  for (const code of [200, 400, 403, 503]) assert.deepEqual(results(answer({}, code)), ['unclear', 'unclear']);
  const findings = judged(reviewRefuses, [answer({ error: 'a.secret' })], undefined);
  assert.ok(findings.every(({ refusal, role }) => refusal === true && role === 'demand'));
  assert.deepEqual(
    findings.map(({ seen }) => seen),
    ['it is nobody', 'it is'],
  );
  assert.doesNotMatch(JSON.stringify(findings), /a\.secret/);
});

it('a review of who is not taken says why; one that takes him, or was not made, is not asked', () => {
  const why = (status: object, code = 201) => resultsOf(reviewTellsWhy, [answer(status, code)], undefined);
  assert.deepEqual(why({ error: 'invalid bearer token' }), ['met']);
  assert.deepEqual(why({ authenticated: false, error: 'x' }), ['met']);
  assert.deepEqual(why({}), ['unmet']);
  assert.deepEqual(why({ error: '' }), ['unmet']);
  assert.deepEqual(why({ authenticated: true, user: USER }), []);
  assert.deepEqual(why({}, 403), []);
});

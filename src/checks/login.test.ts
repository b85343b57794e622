import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Result } from '../model/finding.js';
import type { Heard } from './answers.js';
import {
  heardIn,
  type Login,
  loginExactGroups,
  loginForbiddenByName,
  loginInGroups,
  loginNotTaken,
  loginRefused,
  loginSameRules,
  loginTaken,
  loginUserName,
  rulesIn,
} from './login.js';

const user = (username: string, ...groups: string[]): Heard => ({
  status: 201,
  body: { kind: 'SelfSubjectReview', status: { userInfo: { username, groups } } },
});
const status = (code: number, reason: string, message = reason): Heard => ({
  status: code,
  body: { kind: 'Status', reason, message, code },
});
const PAGE: Heard = { status: 200, body: undefined };
const GOOD = user(
  'system:bootstrap:07401b',
  'system:bootstrappers',
  'system:bootstrappers:worker',
  'system:authenticated',
);
const REFUSED = status(401, 'Unauthorized');
const STRANGER = status(403, 'Forbidden', 'User "system:anonymous" cannot create resource "selfsubjectreviews"');

const of = (heard: Heard): readonly Login[] => [{ subject: 'x', heard }];
const results = (findings: readonly { readonly result: Result }[]): readonly Result[] =>
  findings.map(({ result }) => result);

describe('what is kept of an answer to a bearer', () => {
  it('is judged like the answer', () => {
    const rules = { status: 201, body: { status: { resourceRules: [{ verbs: ['get'] }], nonResourceRules: [] } } };
    for (const heard of [GOOD, REFUSED, STRANGER, PAGE, status(500, 'InternalError')])
      for (const check of [loginTaken, loginRefused, loginNotTaken])
        assert.deepEqual(check.judge(of(heardIn(heard)), undefined), check.judge(of(heard), undefined));
    assert.deepEqual(rulesIn(heardIn(rules)), rulesIn(rules));
  });

  it('is no more than that', () => {
    const body = { kind: 'Status', metadata: {}, reason: 'Unauthorized', code: 401, details: {} };
    assert.deepEqual(heardIn({ status: 401, body }), { status: 401, body: { kind: 'Status', reason: 'Unauthorized' } });
    assert.deepEqual(heardIn(PAGE), { status: 200, body: null });
  });
});

describe('an answer to a bearer', () => {
  it('is a login, a refusal or neither', () => {
    const judged = [GOOD, REFUSED, STRANGER, PAGE, status(500, 'InternalError')].map((heard) => [
      ...results(loginTaken.judge(of(heard), undefined)),
      ...results(loginRefused.judge(of(heard), undefined)),
      ...results(loginNotTaken.judge(of(heard), undefined)),
    ]);
    assert.deepEqual(judged, [
      ['met', 'unmet', 'unmet'],
      ['unmet', 'met', 'met'],
      ['unmet', 'unmet', 'met'],
      ['unmet', 'unmet', 'unmet'],
      ['unmet', 'unmet', 'unmet'],
    ]);
    const page = loginRefused.judge(of({ status: 401, body: '<html>' }), undefined);
    assert.deepEqual(results(page), ['unmet'], 'a 401 of something that is no API server');
  });

  it('knows who is forbidden something, and takes nobody for him', () => {
    const named = status(403, 'Forbidden', 'x is forbidden: User "system:bootstrap:07401b" cannot create resource "x"');
    const judged = [loginTaken, loginRefused, loginNotTaken].map((check) => results(check.judge(of(named), undefined)));
    assert.deepEqual(judged, [['met'], ['unmet'], ['unmet']]);
  });

  it('concludes nothing from an answer of a busy server or of a proxy before it', () => {
    for (const code of [0, 429, 502, 503, 504])
      for (const check of [loginTaken, loginRefused, loginNotTaken])
        assert.deepEqual(results(check.judge(of(status(code, 'Busy')), undefined)), ['unclear'], `${check.id} ${code}`);
  });

  it('tells refusals from logins, so that refusals alone prove nothing', () => {
    assert.deepEqual(
      [loginTaken, loginRefused, loginNotTaken].map((check) => check.judge(of(GOOD), undefined)[0]?.refusal === true),
      [false, true, true],
    );
  });

  it('names the user', () => {
    const named = (heard: Heard) => results(loginUserName.judge([{ subject: 'x', heard, id: '07401b' }], undefined));
    assert.deepEqual(named(GOOD), ['met']);
    assert.deepEqual(named(user('system:bootstrapper:07401b')), ['unmet']);
    assert.deepEqual(named(REFUSED), ['unmet']);
  });

  it('lists the groups', () => {
    const inGroup = (group: string) => results(loginInGroups.judge(of(GOOD), { groups: [group] }));
    assert.deepEqual(inGroup('system:bootstrappers:worker'), ['met']);
    assert.deepEqual(inGroup('system:bootstrappers:ingress'), ['unmet']);
    const exact = (heard: Heard, ...extra: string[]) => results(loginExactGroups.judge(of(heard), { extra }));
    assert.deepEqual(exact(GOOD, 'system:bootstrappers:worker'), ['met']);
    assert.deepEqual(exact(GOOD), ['unmet']);
    assert.deepEqual(exact(user('u', 'system:bootstrappers', 'system:authenticated', 'system:nodes')), ['unmet']);
  });

  it('forbids by name', () => {
    const byName = (heard: Heard) => results(loginForbiddenByName.judge(of(heard), { id: '07401b' }));
    assert.deepEqual(byName(status(403, 'Forbidden', 'User "system:bootstrap:07401b" cannot list')), ['met']);
    assert.deepEqual(byName(STRANGER), ['unmet']);
    assert.deepEqual(byName(REFUSED), ['unmet']);
  });
});

describe('rules of a review', () => {
  const review = (verbs: string[]): Heard => ({
    status: 201,
    body: {
      status: {
        resourceRules: [{ verbs, apiGroups: [''], resources: ['pods'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
      },
    },
  });
  const compared = (heard: Heard, others: Heard) => loginSameRules.judge({ subject: 'x', heard, others }, undefined);
  it('are compared whatever their order', () => {
    assert.deepEqual(results(compared(review(['get', 'list']), review(['list', 'get']))), ['met']);
  });
  it('differ by what one has more or less', () => {
    const [found] = compared(review(['get', 'delete']), review(['get', 'list']));
    assert.match(found?.seen ?? '', /more: delete pods.*less: list pods/);
    assert.equal(found?.result, 'unmet');
  });
  it('are unknown in anything else', () => {
    assert.equal(rulesIn(PAGE), undefined);
    assert.deepEqual(results(compared(PAGE, review([]))), ['unclear']);
  });
});

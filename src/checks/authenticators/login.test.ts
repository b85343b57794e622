import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Result } from '../../model/finding.js';
import type { Heard } from '../common/answers.js';
import {
  heardIn,
  type Login,
  loginBare,
  loginExactGroups,
  loginForbiddenByName,
  loginInGroups,
  loginNotTaken,
  loginRefused,
  loginRefusedAlike,
  loginSameRules,
  loginTaken,
  loginUnauthorized,
  loginUserName,
  loginWithinGroups,
  passwordAskedFor,
  rulesIn,
  toldIn,
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
    const told = { kind: 'Status', reason: 'Unauthorized', details: {} };
    const body = { ...told, metadata: {}, code: 401 };
    assert.deepEqual(heardIn({ status: 401, body }), { status: 401, body: told });
    assert.deepEqual(heardIn(PAGE), { status: 200, body: null });
  });
});

describe('an answer to a bearer', () => {
  it('is a login, a refusal or neither', () => {
    const judged = [GOOD, REFUSED, STRANGER, PAGE, status(500, 'InternalError')].map((heard) => [
      ...results(loginTaken.judge(of(heard), undefined)),
      ...results(loginRefused.judge(of(heard), undefined)),
      ...results(loginNotTaken.judge(of(heard), undefined)),
      ...results(loginUnauthorized.judge(of(heard), undefined)),
    ]);
    assert.deepEqual(judged, [
      ['met', 'unmet', 'unmet', 'unmet'],
      ['unmet', 'met', 'met', 'met'],
      ['unmet', 'unclear', 'met', 'unmet'],
      ['unmet', 'unmet', 'unmet', 'unmet'],
      ['unclear', 'unclear', 'unclear', 'unclear'],
    ]);
    for (const [other, unauthorized] of [
      [{ status: 401, body: { kind: 'Status', reason: 'Expired' } }, 'unmet'],
      [{ status: 403, body: REFUSED.body }, 'unclear'],
      [{ status: 401, body: { kind: 'Error', reason: 'Unauthorized' } }, 'unclear'],
      [{ status: 401, body: '<html>' }, 'unclear'],
      [{ status: 400, body: { kind: 'Status', reason: 'BadRequest' } }, 'unclear'],
    ] as const) {
      assert.deepEqual(results(loginRefused.judge(of(other), undefined)), ['unclear'], JSON.stringify(other));
      assert.deepEqual(results(loginUnauthorized.judge(of(other), undefined)), [unauthorized], JSON.stringify(other));
    }
    for (const code of [302, 404, 405])
      for (const check of [loginTaken, loginRefused, loginNotTaken, loginUnauthorized])
        assert.deepEqual(results(check.judge(of(status(code, 'x')), undefined)), ['unclear'], `${check.id} ${code}`);
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
    assert.deepEqual(named(user('system:bootstrap:07401c')), ['unmet']);
    assert.deepEqual(named(user('system:bootstrap:07401b.f395accd246ae52d')), ['unmet']);
    assert.deepEqual(named(REFUSED), ['unmet']);
  });

  it('lists the groups', () => {
    const inGroup = (...groups: string[]) =>
      results(loginInGroups.judge([{ subject: 'x', heard: GOOD, groups }], undefined));
    assert.deepEqual(inGroup('system:bootstrappers:worker'), ['met']);
    assert.deepEqual(inGroup('system:bootstrappers:ingress'), ['unmet']);
    assert.deepEqual(inGroup('system:bootstrappers:worker', 'system:bootstrappers:ingress'), ['unmet']);
    assert.deepEqual(results(loginInGroups.judge([{ subject: 'x', heard: REFUSED, groups: [] }], undefined)), [
      'unmet',
    ]);
    const exact = (heard: Heard, ...groups: string[]) =>
      results(loginExactGroups.judge([{ subject: 'x', heard, groups }], undefined));
    assert.deepEqual(exact(GOOD, 'system:bootstrappers:worker'), ['met']);
    assert.deepEqual(exact(GOOD), ['unmet']);
    assert.deepEqual(exact(user('u', 'system:bootstrappers', 'system:authenticated', 'system:nodes')), ['unmet']);
  });

  it('stays within groups, or is refused', () => {
    const within = (heard: Heard, ...groups: string[]) =>
      results(loginWithinGroups.judge([{ subject: 'x', heard, groups }], undefined));
    assert.deepEqual(within(GOOD, 'system:bootstrappers:worker'), ['met']);
    assert.deepEqual(within(GOOD, 'system:bootstrappers:worker', 'system:bootstrappers:z'), ['met']);
    assert.deepEqual(within(REFUSED), ['met']);
    assert.deepEqual(within(GOOD), ['unmet']);
    assert.deepEqual(within(user('u', 'system:masters', 'system:bootstrappers:worker')), ['unmet']);
    assert.deepEqual(within(status(503, 'Busy')), ['unclear']);
  });

  it('has neither uid nor extra', () => {
    const bare = (userInfo: object) =>
      loginBare.judge(of({ status: 201, body: { status: { userInfo: { username: 'u', ...userInfo } } } }), undefined);
    const said = (userInfo: object) => bare(userInfo).map(({ result, seen }) => `${result}: ${seen}`);
    assert.deepEqual(said({}), ['met: neither']);
    assert.deepEqual(said({ uid: '', extra: {} }), ['met: neither']);
    assert.deepEqual(said({ uid: 'u1' }), ['unmet: a uid']);
    assert.deepEqual(said({ extra: { node: ['a'] } }), ['unmet: extra "node"']);
    assert.deepEqual(results(loginBare.judge(of(REFUSED), undefined)), ['unmet']);
  });

  it('is refused without a word of why', () => {
    const body = { kind: 'Status', reason: 'Unauthorized', message: 'Unauthorized', code: 401 };
    const alike = (answer: Partial<Parameters<typeof toldIn>[1]>) => {
      const told = toldIn('x', { status: 401, body, headers: { 'audit-id': '1' }, ...answer });
      return loginRefusedAlike.judge([told], undefined).map(({ result, seen }) => `${result}: ${seen}`);
    };
    assert.deepEqual(alike({}), ['met: it does not tell']);
    assert.deepEqual(alike({ body: { ...body, message: 'token expired' } }), ['unmet: message "token expired"']);
    assert.deepEqual(alike({ body: { ...body, reason: 'Expired' } }), ['unmet: reason "Expired"']);
    assert.deepEqual(alike({ body: { ...body, details: { causes: [{ reason: 'Expired' }] } } }), ['unmet: details']);
    assert.deepEqual(alike({ headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }), [
      'unmet: the header www-authenticate: Bearer error="invalid_token"',
    ]);
    assert.deepEqual(alike({ headers: { warning: '299 - "token expired"' } }), [
      'unmet: the header warning: 299 - "token expired"',
    ]);
    assert.deepEqual(alike({ body: { ...body, details: {} } }), ['met: it does not tell']);
    assert.deepEqual(alike({ status: 403, body: STRANGER.body }), ['unclear: 403 Forbidden, as anonymous']);
    assert.deepEqual(alike({ status: 200, body: undefined }), ['unmet: 200']);
    assert.deepEqual(alike({ status: 201, body: GOOD.body }), ['unmet: it is system:bootstrap:07401b']);
    assert.deepEqual(alike({ status: 503 }), ['unclear: 503 Unauthorized']);
    assert.deepEqual(alike({ status: 400 }), ['unclear: 400 Unauthorized']);
  });

  it('is asked for a name and a password, or for none', () => {
    const asked = (wanted: boolean, value?: string | string[], code = 401) => {
      const headers = value === undefined ? {} : { 'www-authenticate': value };
      const told = toldIn('x', { ...status(code, 'Unauthorized', ''), headers });
      return passwordAskedFor.judge([told], { wanted }).map(({ result, seen }) => `${result}: ${seen}`);
    };
    const REALM = 'Basic realm="kubernetes-master"';
    assert.deepEqual(asked(true, REALM), [`met: ${REALM}`]);
    assert.deepEqual(asked(false, REALM), [`unmet: ${REALM}`]);
    assert.deepEqual(asked(false, ['Bearer', 'basic']), ['unmet: Bearer, basic']);
    assert.deepEqual(asked(false, 'Bearer realm="a", Basic realm="b"'), ['unmet: Bearer realm="a", Basic realm="b"']);
    assert.deepEqual(asked(false, 'Bearer realm="basic"'), ['met: Bearer realm="basic"']);
    assert.deepEqual(asked(true, 'Basically'), ['unmet: Basically']);
    assert.deepEqual(asked(true), ['unmet: it is asked for nothing']);
    assert.deepEqual(asked(false), ['met: it is asked for nothing']);
    assert.deepEqual(asked(true, REALM, 503), ['unclear: 503 Unauthorized']);
    assert.deepEqual(
      asked(false, undefined, 200).map((one) => one.split(':')[0]),
      ['unclear'],
    );
  });

  it('forbids by name', () => {
    const byName = (heard: Heard) =>
      results(loginForbiddenByName.judge([{ subject: 'x', heard, id: '07401b' }], undefined));
    assert.deepEqual(byName(status(403, 'Forbidden', 'User "system:bootstrap:07401b" cannot list')), ['met']);
    assert.deepEqual(byName(status(401, 'Unauthorized', 'User "system:bootstrap:07401b" cannot list')), ['unmet']);
    assert.deepEqual(byName(status(403, 'Forbidden', 'User "system:bootstrap:07401c" cannot list')), ['unmet']);
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
  const compared = (heard: Heard, others: Heard) => loginSameRules.judge([{ subject: 'x', heard, others }], undefined);
  it('are compared whatever their order', () => {
    assert.deepEqual(results(compared(review(['get', 'list']), review(['list', 'get']))), ['met']);
  });
  it('differ by what one has more or less', () => {
    const [found] = compared(review(['get', 'delete']), review(['get', 'list']));
    assert.match(found?.seen ?? '', /more: delete pods.*less: list pods/);
    assert.equal(found?.result, 'unmet');
    assert.deepEqual(results(compared(review(['get', 'delete']), review(['get']))), ['unmet']);
    assert.deepEqual(results(compared(review(['get']), review(['get', 'delete']))), ['unmet']);
  });
  it('are of names, where they have some', () => {
    const named = (...resourceNames: readonly string[]): Heard => ({
      status: 201,
      body: {
        status: {
          resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'], resourceNames }],
          nonResourceRules: [],
        },
      },
    });
    const [found] = compared(named('a', 'b'), named('b', 'c'));
    assert.equal(found?.seen, 'more: get secrets. a; less: get secrets. c');
    assert.deepEqual(results(compared(named('a'), named('a'))), ['met']);
  });
  it('are unknown in anything else', () => {
    assert.equal(rulesIn(PAGE), undefined);
    assert.deepEqual(results(compared(PAGE, review([]))), ['unclear']);
  });
});

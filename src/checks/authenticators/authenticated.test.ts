import assert from 'node:assert/strict';
import { test } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { loginAsWithout, loginIs, loginIsStranger, strangersHeard } from './authenticated.js';

const user = (username: string, groups: readonly string[], uid?: string) => ({
  status: 201,
  body: { status: { userInfo: { username, groups, ...(uid === undefined ? {} : { uid }) } } },
});
const refused = { status: 401, body: { kind: 'Status', reason: 'Unauthorized' } };
const stranger = { status: 403, body: { message: 'selfsubjectreviews is forbidden: User "system:anonymous" cannot' } };
const busy = { status: 503, body: null };
const alice = { subject: 'a token', username: 'alice', uid: '1000', groups: ['readers'] };

test('a login is somebody by name, UID and groups, none missing and none more', () => {
  const result = (heard: object) => loginIs.judge([{ ...alice, heard: heard as never }], undefined)[0]?.result;
  assert.equal(result(user('alice', ['system:authenticated', 'readers'], '1000')), 'met');
  for (const other of [
    user('bob', ['readers', 'system:authenticated'], '1000'),
    user('alice', ['readers', 'system:authenticated']),
    user('alice', ['system:authenticated'], '1000'),
    user('alice', ['readers', 'system:authenticated', 'system:masters'], '1000'),
    refused,
    stranger,
  ])
    assert.equal(result(other), 'unmet');
  assert.equal(result(busy), 'unclear');
  const forbidden = (what: string) => (name: string) =>
    result({ status: 403, body: { message: `${what} is forbidden: User "${name}" cannot get` } });
  assert.deepEqual(['alice', 'bob', 'system:anonymous'].map(forbidden('namespaces "x"')), [
    'unclear',
    'unmet',
    'unmet',
  ]);
  assert.equal(forbidden('selfsubjectreviews.authentication.k8s.io')('alice'), 'unmet');
  for (const twin of twinsOf('alice'))
    assert.equal(result(user(twin, ['readers', 'system:authenticated'], '1000')), 'unmet', twin);
  for (const twin of twinsOf('1000'))
    assert.equal(result(user('alice', ['readers', 'system:authenticated'], twin)), 'unmet', twin);
  for (const twin of twinsOf('readers'))
    assert.equal(result(user('alice', [twin, 'system:authenticated'], '1000')), 'unmet', twin);
});

test('a stranger is heard, and neither refused nor somebody', () => {
  const result = (heard: object) =>
    loginIsStranger.judge([{ subject: 'nothing', heard: heard as never }], undefined)[0]?.result;
  assert.equal(result(stranger), 'met');
  assert.equal(result(user('system:anonymous', ['system:unauthenticated'])), 'met');
  assert.equal(result(refused), 'unmet');
  assert.equal(result(user('alice', ['system:authenticated'])), 'unmet');
  for (const twin of twinsOf('system:anonymous')) assert.equal(result(user(twin, [])), 'unmet', twin);
  assert.equal(result(busy), 'unclear');
});

test('strangers are heard where they are served, and refused by 401 alone', () => {
  const results = (heard: boolean) =>
    strangersHeard
      .judge(
        [
          [200, ''],
          [401, 'Unauthorized'],
          [403, 'forbidden: User "system:anonymous" cannot get path "/livez"'],
          [403, 'no'],
          [404, ''],
        ].map(([status, message]) => ({ path: '/livez', status: Number(status), message: String(message) })),
        { heard },
      )
      .map(({ result }) => result);
  assert.deepEqual(results(true), ['met', 'unmet', 'unmet', 'unclear', 'unclear']);
  assert.deepEqual(results(false), ['unmet', 'met', 'unmet', 'unclear', 'unclear']);
});

test('a header is as good as none where both are answered alike', () => {
  const result = (heard: object, nothing: object) =>
    loginAsWithout.judge([{ subject: 'Bearer', heard: heard as never, nothing: nothing as never }], undefined)[0]
      ?.result;
  assert.equal(result(stranger, stranger), 'met');
  assert.equal(result(refused, refused), 'met');
  assert.equal(result(refused, stranger), 'unmet');
  assert.equal(result(user('alice', []), user('alice', [])), 'met');
  for (const twin of twinsOf('alice')) assert.equal(result(user(twin, []), user('alice', [])), 'unmet', twin);
  assert.equal(result(busy, stranger), 'unclear');
});

test('where extra is judged, it is exactly that, beside what is told of credentials', () => {
  const told = (extra: object) => ({
    status: 201,
    body: {
      status: { userInfo: { username: 'alice', uid: '1000', groups: ['readers', 'system:authenticated'], extra } },
    },
  });
  const result = (extra: object, wanted: Readonly<Record<string, readonly string[]>>) =>
    loginIs.judge([{ ...alice, heard: told(extra), extra: wanted }], undefined)[0]?.result;
  const both = { a: ['1', '2'], b: ['3'] };
  assert.equal(result({ b: ['3'], a: ['1', '2'], 'authentication.kubernetes.io/credential-id': ['x'] }, both), 'met');
  for (const other of [
    {},
    { a: ['1'], b: ['3'] },
    { a: ['2', '1'], b: ['3'] },
    { ...both, c: [] },
    { A: ['1', '2'], b: ['3'] },
  ])
    assert.equal(result(other, both), 'unmet', JSON.stringify(other));
  assert.equal(result({}, {}), 'met');
  const stranger = {
    status: 201,
    body: { status: { userInfo: { username: 'system:anonymous', groups: ['system:authenticated'] } } },
  };
  assert.equal(loginIsStranger.judge([{ subject: 'nobody', heard: stranger }], undefined)[0]?.result, 'unmet');
});

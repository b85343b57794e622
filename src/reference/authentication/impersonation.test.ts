import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationAttributes } from '../../apiserver/access.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import { ask, grant, testWorld } from '../world.test.js';
import { createImpersonation } from './impersonation.js';

const user = (username: string, ...groups: string[]): UserInfo => ({
  username,
  groups: [...groups, 'system:authenticated'],
});

test('impersonation: who may, whose groups, and what a refusal names', () => {
  const world = testWorld();
  grant(
    world,
    'old',
    [
      {
        verbs: ['impersonate'],
        apiGroups: ['', 'authentication.k8s.io'],
        resources: ['users', 'groups', 'serviceaccounts', 'userextras/scopes'],
      },
    ],
    [{ kind: 'User', name: 'jane' }],
  );
  const run = (headers: Record<string, string[]>, who: UserInfo, minor = 36) => {
    const { authorizer, decisions } = world;
    return createImpersonation({ authorizer, decisions, minor })(headers, ask(who, 'list', 'pods'));
  };
  assert.deepEqual(
    run({ 'impersonate-user': ['joe'], 'impersonate-group': ['dev'], 'impersonate-extra-scopes': ['a'] }, user('jane')),
    { username: 'joe', groups: ['dev', 'system:authenticated'], extra: { scopes: ['a'] } },
  );
  assert.deepEqual(run({ 'impersonate-user': ['system:serviceaccount:ns:sa'] }, user('jane')), {
    username: 'system:serviceaccount:ns:sa',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
  });
  assert.deepEqual(run({ 'impersonate-user': ['system:anonymous'] }, user('jane')), {
    username: 'system:anonymous',
    groups: ['system:unauthenticated'],
  });
  const message = (name: string, minor: number): string => {
    try {
      run({ 'impersonate-user': [name] }, user('joe'), minor);
      return 'allowed';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  };
  const tail = 'in API group "" at the cluster scope';
  assert.equal(
    message('x', 36),
    `pods is forbidden: User "joe" cannot impersonate-on:user-info:list resource "pods" ${tail}`,
  );
  assert.equal(
    message('system:serviceaccount:ns:sa', 36),
    `pods is forbidden: User "joe" cannot impersonate-on:serviceaccount:list resource "pods" ${tail}`,
  );
  assert.equal(
    message('system:node:n', 36),
    `pods is forbidden: User "joe" cannot impersonate-on:arbitrary-node:list resource "pods" ${tail}`,
  );
  assert.equal(message('x', 35), `users "x" is forbidden: User "joe" cannot impersonate resource "users" ${tail}`);
  assert.throws(() => run({ 'impersonate-group': ['g'] }, user('jane')), {
    code: 400,
    message:
      'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"g"}, Extra:map[string][]string(nil)} ' +
      'without impersonating a user name',
  });
  assert.deepEqual(run({ 'impersonate-user': [''] }, user('jane')), user('jane'));
});

test('a constrained right is enough for that verb, and never reaches system:masters', () => {
  const world = testWorld();
  grant(
    world,
    'narrow',
    [
      { verbs: ['impersonate:user-info'], apiGroups: ['authentication.k8s.io'], resources: ['users', 'groups'] },
      { verbs: ['impersonate-on:user-info:list'], apiGroups: [''], resources: ['pods'] },
    ],
    [{ kind: 'User', name: 'jane' }],
  );
  const { authorizer, decisions } = world;
  const run = (verb: string, groups: string[]) =>
    createImpersonation({ authorizer, decisions, minor: 36 })(
      { 'impersonate-user': ['joe'], 'impersonate-group': groups },
      ask(user('jane'), verb, 'pods'),
    );
  assert.equal(run('list', ['dev']).username, 'joe');
  assert.throws(() => run('get', ['dev']), { code: 403 });
  assert.throws(() => run('list', ['system:masters']), { code: 403 });
});

test('the mode that let somebody in last is tried first, of each of so many', () => {
  const world = testWorld();
  const asked: string[] = [];
  const authorizer = {
    ...world.authorizer,
    authorize: ({ verb }: AuthorizationAttributes) => {
      asked.push(verb);
      return { decision: verb === 'impersonate' ? 'allow' : 'no-opinion', reason: '' } as const;
    },
  };
  const impersonate = createImpersonation({ authorizer, decisions: world.decisions, minor: 36 });
  const verbs = (who: string, wanted = 'joe'): readonly string[] => {
    asked.length = 0;
    impersonate({ 'impersonate-user': [wanted] }, ask(user(who), 'list', 'pods'));
    return [...asked];
  };
  const anew = ['impersonate-on:user-info:list', 'impersonate'];
  for (const who of ['jane', 'jack']) assert.deepEqual(verbs(who), anew);
  for (const who of ['jane', 'jack']) assert.deepEqual(verbs(who), ['impersonate'], `${who} is known`);
  assert.deepEqual(verbs('jane', 'system:node:n'), ['impersonate'], 'whoever is wanted');
  for (let count = 0; count < 9_999; count += 1) verbs(`u${count}`);
  assert.deepEqual([verbs('jane'), verbs('jack')], [['impersonate'], anew]);
});

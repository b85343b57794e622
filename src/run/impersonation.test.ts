import assert from 'node:assert/strict';
import { test } from 'node:test';
import { impersonatedBy, lacksImpersonation } from './impersonation.js';

const answer = (status: number, message: string) => ({ status, headers: {}, text: '', body: { message } });

test('what it takes to ask as somebody else is told by its headers', () => {
  const headers = {
    'Impersonate-User': 'system:serviceaccount:kube-system:joiner',
    'impersonate-group': 'ops',
    'Impersonate-Uid': '7',
    'Impersonate-Extra-Acme%2Fscopes': 'all',
    accept: '*/*',
  };
  assert.deepEqual(impersonatedBy({ headers }), [
    { group: '', resource: 'serviceaccounts', namespace: 'kube-system', name: 'joiner' },
    { group: '', resource: 'groups', name: 'ops' },
    { group: 'authentication.k8s.io', resource: 'uids', name: '7' },
    { group: 'authentication.k8s.io', resource: 'userextras/acme/scopes', name: 'all' },
  ]);
  assert.deepEqual(impersonatedBy({ headers: { 'Impersonate-User': 'jane' } }), [
    { group: '', resource: 'users', name: 'jane' },
  ]);
  assert.deepEqual(impersonatedBy({}), []);
});

test('a lack of that right is told from what the other is forbidden', () => {
  const question = { path: '/api', headers: { 'Impersonate-User': 'jane', 'Impersonate-Group': 'ops' } };
  const lacks = (status: number, message: string) => lacksImpersonation(question, answer(status, message));
  const said = 'the credential of the run lacks the right to impersonate users and groups';
  assert.equal(lacks(403, 'users "jane" is forbidden: User "a" cannot impersonate resource "users"'), said);
  assert.equal(lacks(403, 'User "a" cannot impersonate-on:user-info:create resource "pods"'), said);
  assert.equal(lacks(403, 'User "jane" cannot list resource "pods"'), undefined);
  assert.equal(lacks(200, 'User "a" cannot impersonate'), undefined);
  assert.equal(lacksImpersonation({ path: '/api' }, answer(403, 'User "a" cannot impersonate')), undefined);
});

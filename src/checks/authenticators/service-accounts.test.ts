import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { twinsOf } from '../common/twins.testing.js';
import { isAccount, readClaims, tokenTells } from './service-accounts.js';

const account = { namespace: 'ns', name: 'sa', uid: 'u1' };
const username = 'system:serviceaccount:ns:sa';
const groups = ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'];

it('a bearer is its account by name, UID and exactly its groups', () => {
  const look = (user: object, status = 201) =>
    resultsOf(
      isAccount,
      [
        {
          subject: 'a',
          heard: { status, body: { status: { userInfo: { username, uid: 'u1', groups, ...user } } } },
          account,
        },
      ],
      undefined,
    ).join();
  assert.equal(look({}), 'met');
  for (const other of [{ username: 'sa' }, { uid: 'u2' }, { groups: groups.slice(1) }, { groups: [...groups, 'x'] }])
    assert.equal(look(other), 'unmet');
  for (const twin of twinsOf(username)) assert.equal(look({ username: twin }), 'unmet', twin);
  for (const twin of twinsOf('u1')) assert.equal(look({ uid: twin }), 'unmet', twin);
  for (const group of groups)
    for (const twin of twinsOf(group))
      assert.equal(look({ groups: groups.map((one) => (one === group ? twin : one)) }), 'unmet', twin);
  assert.equal(look({}, 401), 'unmet');
  assert.equal(look({}, 503), 'unclear');
});

it('a token tells its account, namespace, UID issuer and end', () => {
  const claims = {
    sub: username,
    iss: 'i',
    exp: 1,
    aud: ['i'],
    'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'sa', uid: 'u1' } },
  };
  const look = (more: object) =>
    resultsOf(tokenTells, [{ subject: 't', claims: { ...claims, ...more }, account, issuer: 'i' }], undefined);
  assert.ok(look({}).every((one) => one === 'met'));
  assert.ok(look({ aud: 'i' }).every((one) => one === 'met'));
  for (const more of [{ sub: 'x' }, { iss: 'x' }, { exp: 'x' }, { aud: [] }, { aud: '' }, { aud: undefined }])
    assert.equal(look(more).filter((one) => one === 'unmet').length, 1);
  assert.equal(look({ 'kubernetes.io': {} }).filter((one) => one === 'unmet').length, 3);
  const unmet = (more: object): number => look(more).filter((one) => one === 'unmet').length;
  const own = (more: object): object => ({ 'kubernetes.io': { ...claims['kubernetes.io'], ...more } });
  for (const twin of twinsOf(username)) assert.equal(unmet({ sub: twin }), 1, twin);
  for (const twin of twinsOf('i')) assert.equal(unmet({ iss: twin }), 1, twin);
  for (const twin of twinsOf('ns')) assert.equal(unmet(own({ namespace: twin })), 1, twin);
  for (const twin of twinsOf('sa')) assert.equal(unmet(own({ serviceaccount: { name: twin, uid: 'u1' } })), 1, twin);
  for (const twin of twinsOf('u1')) assert.equal(unmet(own({ serviceaccount: { name: 'sa', uid: twin } })), 1, twin);
});

it('claims are read of a JWT only', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  assert.deepEqual(readClaims(`${part({})}.${part({ sub: 'x' })}.s`), { claims: { sub: 'x' } });
  for (const none of ['a.b', `${part({})}.${part({})}`, `${part([])}.${part([])}.s`])
    assert.deepEqual(readClaims(none), { claims: null });
});

it('says whom the bearer was to be, and whom it is', () => {
  const told = (body: unknown, status = 201) =>
    isAccount
      .judge([{ subject: 'a', heard: { status, body }, account }], undefined)
      .map(({ demanded, seen }) => [demanded, seen])[0];
  const all = 'system:authenticated,system:serviceaccounts,system:serviceaccounts:ns';
  const userInfo = { username: 'x', uid: 'u2', groups: ['g'] };
  assert.deepEqual(told({ status: { userInfo } }), [`is ${username} by its UID, of ${all}`, 'x, UID u2, of g']);
  assert.equal(told({}, 401)?.[1], '401');
});

it('a token is told claim by claim', () => {
  const claims = {
    sub: username,
    iss: 'i',
    exp: 1,
    aud: ['', 'i'],
    'kubernetes.io': { namespace: 'ns', serviceaccount: { name: 'sa', uid: 'u1' } },
  };
  const told = (more: object, issuer?: string) =>
    tokenTells
      .judge([{ subject: 't', claims: { ...claims, ...more }, account, issuer }], undefined)
      .filter(({ result }) => result === 'unmet')
      .map(({ demanded, seen }) => `${demanded}: ${seen}`);
  const own = (more: object) => ({ 'kubernetes.io': { ...claims['kubernetes.io'], ...more } });
  assert.deepEqual(told({}), []);
  assert.deepEqual(told({ sub: 'x' }), [`says ${username} is its subject: x`]);
  assert.deepEqual(told(own({ namespace: 'other' })), ['names the namespace ns: other']);
  assert.deepEqual(told(own({ serviceaccount: { name: 'x', uid: 'u1' } })), ['names the account sa: x']);
  assert.deepEqual(told(own({ serviceaccount: { name: 'sa', uid: 'u2' } })), ["names the account's UID: u2"]);
  assert.deepEqual(told({ exp: undefined }), ['has an end: undefined']);
  assert.deepEqual(told({ aud: [''] }), ['is for somebody: [""]']);
  assert.deepEqual(told({ aud: undefined }), ['is for somebody: null']);
  assert.deepEqual(told({ iss: 'x' }), []);
  assert.deepEqual(told({ iss: 'x' }, 'i'), ['is of the issuer i: x']);
  const none = tokenTells.judge([{ subject: 't', claims: null, account, issuer: 'i' }], undefined);
  assert.deepEqual(
    none.map(({ result, seen }) => `${result} ${seen}`),
    Array.from({ length: 7 }, () => 'unmet it is no JWT'),
  );
  for (const token of ['', '..', 'a.%%.c', 'a.e30.c.d', `a.${Buffer.from('null').toString('base64url')}.c`])
    assert.deepEqual(readClaims(token), { claims: null }, token);
  assert.deepEqual(readClaims('a.e30.c'), { claims: {} });
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { resultsOf } from './judged.testing.js';
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
});

it('claims are read of a JWT only', () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  assert.deepEqual(readClaims(`${part({})}.${part({ sub: 'x' })}.s`), { claims: { sub: 'x' } });
  for (const none of ['a.b', `${part({})}.${part({})}`, `${part([])}.${part([])}.s`])
    assert.deepEqual(readClaims(none), { claims: null });
});

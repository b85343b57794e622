import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testWorld } from '../world.test.js';
import { byPassword } from './password-file.js';

const { decisions } = testWorld();
const FILE = 's1,alice,1000\ns:2:,bob,1001,"g1, g2"\nold,carol,1\nnew,carol,2\n,dora,3\n';

const asked = (text: string | undefined, authorization: readonly string[], audiences = ['api']) => {
  const credentials = { authorization, certificates: [], headers: {} };
  return byPassword(text, ['api'], decisions)({ credentials, audiences, now: 0, warnings: [] });
};
const basic = (shown: string, scheme = 'Basic'): string => `${scheme} ${Buffer.from(shown).toString('base64')}`;
const userOf = (...authorization: string[]) => {
  const opinion = asked(FILE, authorization);
  return 'user' in opinion ? opinion.user : opinion.errors;
};

test('a name and its password are the user of the line, the last of that name', () => {
  const alice = { username: 'alice', uid: '1000', groups: [] };
  assert.deepEqual(userOf(basic('alice:s1')), alice);
  assert.deepEqual(userOf(basic('alice:s1', 'bAsIc')), alice);
  assert.deepEqual(userOf(basic('alice:s1'), 'Bearer x'), alice);
  assert.deepEqual(userOf(basic('bob:s:2:')), { username: 'bob', uid: '1001', groups: ['g1', ' g2'] });
  assert.deepEqual(userOf(basic('carol:new')), { username: 'carol', uid: '2', groups: [] });
  assert.deepEqual(userOf(basic('dora:')), { username: 'dora', uid: '3', groups: [] });
});

test('what is nearly right is wrong, and what shows none is left to the others', () => {
  const wrong = ['invalid username/password combination'];
  for (const shown of [
    'alice:',
    'alice:S1',
    'alice:s',
    'alice:s11',
    'bob:s',
    'bob:s:2',
    'carol:old',
    'nobody:s1',
    ':',
    's1:alice',
  ])
    assert.deepEqual(userOf(basic(shown)), wrong, shown);
  for (const header of [
    '',
    'Basic',
    'Basic ',
    'Basic alice:s1',
    'Bearer abc',
    basic('alice'),
    `Basic  ${btoa('alice:s1')}`,
    `Basic ${btoa('alice:s1')}=`,
  ])
    assert.deepEqual(userOf(header), [], header);
  assert.deepEqual(userOf(), []);
  assert.deepEqual(userOf('Bearer x', basic('alice:s1')), []);
  assert.deepEqual(asked(undefined, [basic('alice:s1')]), { errors: [] });
  assert.deepEqual(asked(FILE, [basic('alice:s1')], ['other']), { errors: wrong });
});

test('what is no such file is refused without its passwords', () => {
  for (const text of ['secret,alice', 'secret,"alice,1', 'ok,a,1\n\nsecret\n'])
    assert.throws(
      () => asked(text, []),
      (error: Error) =>
        error.name === 'ConfigurationError' &&
        !error.message.includes('secret') &&
        /--basic-auth-file/.test(error.message),
    );
});

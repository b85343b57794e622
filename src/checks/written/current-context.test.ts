import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { currentContext, namedTwice } from './current-context.js';

const cluster = (name: string, server: string) => ({ name, cluster: { server } });
const user = (name: string, token: string) => ({ name, user: { token } });
const CONFIG = {
  'current-context': 'b',
  contexts: [
    { name: 'a', context: { cluster: 'other', user: 'other' } },
    { name: 'b', context: { cluster: 'c', user: 'u' } },
  ],
  clusters: [cluster('other', '1'), cluster('c', '2')],
  users: [user('other', '3'), user('u', '4')],
};

describe('the current context of a kubeconfig', () => {
  it('is the cluster and the user that it names, wherever they stand', () =>
    assert.deepEqual(currentContext(CONFIG), {
      context: { cluster: 'c', user: 'u' },
      cluster: { server: '2' },
      user: { token: '4' },
    }));

  it('is nothing under names that look alike', () => {
    const nothing = { context: {}, cluster: undefined, user: undefined };
    for (const name of twinsOf('b')) assert.deepEqual(currentContext({ ...CONFIG, 'current-context': name }), nothing);
    for (const name of twinsOf('c'))
      assert.equal(currentContext({ ...CONFIG, clusters: [cluster(name, '1')] }).cluster, undefined, name);
    for (const name of twinsOf('u'))
      assert.equal(currentContext({ ...CONFIG, users: [user(name, '3')] }).user, undefined, name);
    const nameless = [{ cluster: { server: '1' } }, { name: 'c', cluster: { server: '2' } }];
    assert.deepEqual(currentContext({ ...CONFIG, clusters: nameless }).cluster, { server: '2' });
    assert.deepEqual(currentContext({}), nothing);
    assert.deepEqual(currentContext({ contexts: 'b', 'current-context': 'b' }), nothing);
  });
});

describe('names of a kubeconfig', () => {
  it('stand once in each list', () => {
    assert.equal(namedTwice(CONFIG), '');
    assert.equal(namedTwice({}), '');
    assert.equal(namedTwice({ clusters: 'many', users: null }), '');
    assert.equal(namedTwice({ ...CONFIG, users: [user('c', '3'), user('u', '4')] }), '');
    assert.equal(
      namedTwice({ ...CONFIG, clusters: [cluster('c', '1'), cluster('c', '1')] }),
      'its clusters have one name twice',
    );
    assert.equal(
      namedTwice({ ...CONFIG, users: [...CONFIG.users, user('other', '4')] }),
      'its users have one name twice',
    );
    assert.equal(
      namedTwice({ ...CONFIG, contexts: [...CONFIG.contexts, CONFIG.contexts[0]] }),
      'its contexts have one name twice',
    );
    // none is the empty one
    assert.equal(namedTwice({ clusters: [{ name: '' }, {}] }), 'its clusters have one name twice');
  });

  it('that differ are two', () => {
    for (const name of twinsOf('c'))
      assert.equal(namedTwice({ clusters: [cluster('c', '1'), cluster(name, '2')] }), '');
  });
});

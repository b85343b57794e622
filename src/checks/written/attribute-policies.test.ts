/** Policies of ABAC, line by line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { oddPolicies } from './attribute-policies.js';

const policy = (spec: object): string =>
  JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });

describe('policies of ABAC', () => {
  it('are refused where a line is none', () => {
    const good = policy({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*' });
    assert.deepEqual(oddPolicies(`# a comment\n\n${good}\n  \n`), []);
    assert.deepEqual(oddPolicies(`${good}\n{"kind":"Policy","apiVersion":"v1","spec":{}}\n`), [
      'line 2: no Policy of abac.authorization.kubernetes.io/v1beta1',
    ]);
    const other = good.replace('"Policy"', '"Role"');
    assert.match(oddPolicies(other)[0] ?? '', /^line 1: no Policy of /);
    assert.match(oddPolicies(`${good.slice(0, -3)}\n`)[0] ?? '', /^line 1: ./);
  });

  it('make nobody an administrator whom nobody knows', () => {
    const all = { namespace: '*', resource: '*', apiGroup: '*' };
    for (const who of [
      { user: '*' },
      { group: '*' },
      { group: 'system:unauthenticated' },
      { group: 'system:authenticated' },
      { group: 'system:bootstrappers:kubeadm:default-node-token' },
      { user: 'system:anonymous' },
      { user: '*', group: 'system:authenticated' },
    ]) {
      const name = JSON.stringify(who);
      assert.deepEqual(oddPolicies(policy({ ...who, ...all })), ['line 1: everybody may do all there is'], name);
      const reads = policy({ ...who, ...all, resource: 'secrets', readonly: true });
      assert.deepEqual(oddPolicies(reads), ['line 1: everybody may read all there is'], name);
      for (const less of [
        { ...all, resource: 'pods' },
        { readonly: true, nonResourcePath: '*' },
      ])
        assert.deepEqual(oddPolicies(policy({ ...who, ...less })), [], name);
    }
    for (const who of [{}, { group: 'admins' }, { user: '*', group: 'admins' }, { user: 'bob', group: '*' }])
      assert.deepEqual(oddPolicies(policy({ ...who, ...all })), [], JSON.stringify(who));
  });

  it('of old name whoever logs in by naming nobody', () => {
    const everybody = ['line 1: everybody may do all there is'];
    assert.deepEqual(oddPolicies('{}'), everybody);
    assert.deepEqual(oddPolicies('{"user":"*","resource":"secrets"}'), everybody);
    assert.deepEqual(oddPolicies('{"readonly":true}'), ['line 1: everybody may read all there is']);
    assert.deepEqual(oddPolicies('{"user":"alice"}\n{"resource":"events"}'), []);
  });
});

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Role, Subject } from '../../kubernetes/objects.js';
import type { Finding } from '../../model/finding.js';
import { bind, clusterRole, csr, group, policy, RBAC, secrets, user } from '../policy/policy.testing.js';
import {
  bindingApiGroups,
  bindingRefers,
  bindingRoles,
  bindsAtLeast,
  bindsExactly,
  bindsNobody,
  bindsStrangers,
  policyRead,
  roleAtLeast,
  roleAtMost,
  roleExactly,
  roleExactlyIfThere,
  roleRepaired,
} from './rbac.js';
import { expand, type Named, type Policy } from './rbac-policy.js';

const results = (findings: readonly Finding[]) => findings.map(({ result }) => result);
const R: Named = { kind: 'ClusterRole', name: 'r' };
const B: Named = { kind: 'ClusterRoleBinding', name: 'b' };
const [create] = expand([csr]);
assert.ok(create);
const wanted = { role: R, permissions: [create] };
const withRole = (role: Role): Policy => policy([role], []);

describe('a policy', () => {
  it('was read where a binding grants something', () => {
    const read = (...parts: Parameters<typeof policy>) => results(policyRead.judge(policy(...parts), undefined));
    assert.deepEqual(read([clusterRole('r', csr)], [bind('b', 'r', group('a'))]), ['met']);
    assert.deepEqual(read([clusterRole('r', csr)], [bind('b', 'r')]), ['unmet']);
    assert.deepEqual(read([clusterRole('r')], [bind('b', 'r', group('a'))]), ['unmet']);
    assert.deepEqual(read([], []), ['unmet']);
  });
});

describe('a role', () => {
  const exactly = (given: Policy) => results(roleExactly.judge(given, wanted));
  it('grants exactly what is documented', () => {
    assert.deepEqual(exactly(withRole(clusterRole('r', csr))), ['met']);
    assert.deepEqual(exactly(withRole(clusterRole('r', csr, secrets))), ['unmet']);
    assert.deepEqual(exactly(withRole(clusterRole('r'))), ['unmet']);
    assert.deepEqual(exactly(policy([], [])), ['unmet']);
    assert.deepEqual(exactly(withRole({ ...clusterRole('r', csr), aggregationRule: {} })), ['unmet']);
  });

  it('is not looked at where it need not be there and is not', () => {
    assert.deepEqual(roleExactlyIfThere.judge(policy([], []), wanted), []);
    assert.deepEqual(roleAtMost.judge(policy([], []), wanted), []);
    assert.deepEqual(results(roleExactlyIfThere.judge(withRole(clusterRole('r', secrets)), wanted)), ['unmet']);
  });

  it('of a namespace is not taken for one of another', () => {
    const role = { metadata: { name: 'r', namespace: 'a' }, rules: [csr] };
    const given = policy([], [], { roles: [role] });
    const named = (namespace: string) => ({ ...wanted, role: { kind: 'Role', name: 'r', namespace } as const });
    assert.deepEqual(results(roleExactly.judge(given, named('a'))), ['met']);
    assert.deepEqual(results(roleExactly.judge(given, named('b'))), ['unmet']);
  });

  it('grants at least and at most, each for itself', () => {
    const two = { role: R, permissions: expand([csr, secrets]) };
    assert.deepEqual(results(roleAtLeast.judge(withRole(clusterRole('r', csr)), two)), ['met', 'unmet', 'unmet']);
    assert.deepEqual(results(roleAtLeast.judge(policy([], []), wanted)), ['unmet']);
    assert.deepEqual(results(roleAtMost.judge(withRole(clusterRole('r', csr)), two)), ['met']);
    assert.deepEqual(results(roleAtMost.judge(withRole(clusterRole('r', csr, secrets)), wanted)), ['unmet']);
  });

  it('is repaired by the API server with label and annotation', () => {
    const labels = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
    const marked = (update: string): Role => ({
      metadata: { name: 'r', labels, annotations: { 'rbac.authorization.kubernetes.io/autoupdate': update } },
    });
    assert.deepEqual(results(roleRepaired.judge(withRole(marked('true')), { role: R })), ['met', 'met']);
    assert.deepEqual(results(roleRepaired.judge(withRole(marked('false')), { role: R })), ['met', 'unmet']);
    assert.deepEqual(results(roleRepaired.judge(policy([], []), { role: R })), ['unmet', 'unmet']);
  });
});

describe('a binding', () => {
  const bound = (...subjects: readonly Subject[]): Policy => policy([], [bind('b', 'r', ...subjects)]);

  it('names one role', () => {
    const refers = (given: Policy) => results(bindingRefers.judge(given, { binding: B, role: 'ClusterRole r' }));
    assert.deepEqual(refers(bound()), ['met']);
    assert.deepEqual(refers(policy([], [bind('b', 'x')])), ['unmet']);
    assert.deepEqual(refers(policy([], [])), ['unmet']);
  });

  it('names exactly these subjects, at least these, or nobody', () => {
    const subjects = { binding: B, subjects: ['Group a', 'Group c'] };
    const exactly = (...names: readonly string[]) => results(bindsExactly.judge(bound(...names.map(group)), subjects));
    assert.deepEqual(exactly('c', 'a'), ['met']);
    assert.deepEqual(exactly('a'), ['unmet']);
    assert.deepEqual(exactly('a', 'c', 'd'), ['unmet']);
    assert.deepEqual(results(bindsExactly.judge(policy([], []), subjects)), ['unmet']);
    assert.deepEqual(results(bindsAtLeast.judge(bound(group('a'), group('d')), subjects)), ['met', 'unmet']);
    const nobody = (given: Policy) => bindsNobody.judge(given, { binding: B });
    assert.deepEqual(results([...nobody(bound()), ...nobody(policy([], [])), ...nobody(bound(group('a')))]), [
      'met',
      'met',
      'unmet',
    ]);
    assert.equal(nobody(bound())[0]?.refusal, true);
  });

  it('names strangers as a user or as a group, which is pointed out', () => {
    const strangers = (...subjects: readonly Subject[]) => bindsStrangers.judge(bound(...subjects), { binding: B });
    assert.deepEqual(results(strangers(user('system:anonymous'))), ['met']);
    assert.match(strangers(group('system:unauthenticated'))[0]?.note ?? '', /document 002/);
    assert.deepEqual(results(strangers(user('system:anonymous'), group('system:authenticated'))), ['unmet']);
    for (const other of [
      user('zed'),
      group('system:authenticated'),
      user('System:Anonymous'),
      group('system:unauthenticated '),
    ])
      assert.deepEqual(results(strangers(user('system:anonymous'), group('system:unauthenticated'), other)), ['unmet']);
    assert.deepEqual(results(strangers()), ['unmet']);
  });

  it('is in the API group of RBAC, and its role exists', () => {
    const a = group('system:bootstrappers:a');
    const among = { among: ['bootstrappers'] } as const;
    const wrong = bound({ ...a, apiGroup: `${RBAC}/v1` });
    const account = { kind: 'ServiceAccount', name: 's', namespace: 'n' };
    assert.deepEqual(results(bindingApiGroups.judge(wrong, among)), ['unmet']);
    assert.deepEqual(results(bindingApiGroups.judge(bound(a, account), among)), ['met']);
    const { roleRef } = bind('b', 'r', a);
    const elsewhere = policy([], [{ ...bind('b', 'r', a), roleRef: { ...roleRef, apiGroup: `${RBAC}/v1` } }]);
    assert.deepEqual(results(bindingApiGroups.judge(elsewhere, among)), ['unmet']);
    assert.deepEqual(bindingApiGroups.judge(bound(group('b')), among), []);
    assert.deepEqual(results(bindingRoles.judge(bound(a), among)), ['unmet']);
    assert.deepEqual(
      results(bindingRoles.judge(policy([clusterRole('r', csr)], [bind('b', 'r', a), bind('c', 'x', a)]), among)),
      ['met', 'unmet'],
    );
  });

  it('is judged alike from a report', () => {
    const given = bound(user('system:anonymous'));
    const copy = JSON.parse(JSON.stringify(given)) as Policy;
    assert.deepEqual(bindsStrangers.judge(copy, { binding: B }), bindsStrangers.judge(given, { binding: B }));
  });
});

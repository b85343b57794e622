import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Binding, PolicyRule, Role, Subject } from '../kubernetes/objects.js';
import {
  judgeApiGroups,
  judgeBinding,
  judgeBindingsOf,
  judgeEffective,
  judgeHolders,
  judgeRole,
  judgeRoleRefs,
  type KnownExtra,
} from './rbac.js';
import { expand, grantsOf, includes, type Permission, type Policy, permissionText } from './rbac-policy.js';
import { judgeTokenGroups, tokensWithGroups } from './token-groups.js';

const RBAC = 'rbac.authorization.k8s.io';
const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC, name });
const clusterRole = (name: string, ...rules: readonly PolicyRule[]): Role => ({
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const bind = (name: string, role: string, ...subjects: readonly Subject[]): Binding => ({
  metadata: { name },
  subjects,
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
});
const policy = (
  clusterRoles: readonly Role[],
  clusterRoleBindings: readonly Binding[],
  rest: Partial<Policy> = {},
): Policy => ({
  clusterRoles,
  clusterRoleBindings,
  roles: [],
  roleBindings: [],
  ...rest,
});
const csr: PolicyRule = {
  verbs: ['create'],
  apiGroups: ['certificates.k8s.io'],
  resources: ['certificatesigningrequests'],
};
const secrets: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] };
const joining = {
  user: 'system:bootstrap:abcdef',
  groups: ['system:bootstrappers', 'system:bootstrappers:a', 'system:authenticated'],
};
const create: Permission = {
  kind: 'resource',
  verb: 'create',
  group: 'certificates.k8s.io',
  resource: 'certificatesigningrequests',
  namespace: '*',
  name: '*',
};

describe('what RBAC objects grant', () => {
  it('expands rules, keeps wildcards, and lets URLs count only cluster-wide', () => {
    const rule = { verbs: ['get', '*'], apiGroups: [''], resources: ['pods'], nonResourceURLs: ['/x'] };
    assert.deepEqual(expand([rule]).map(permissionText), ['get pods', 'get /x', '* pods', '* /x']);
    assert.deepEqual(expand([rule], 'a').map(permissionText), ['get pods in a', '* pods in a']);
  });

  it('includes a wildcard only in a wildcard', () => {
    const wide: Permission = { kind: 'resource', verb: '*', group: '*', resource: '*', namespace: '*', name: '*' };
    assert.equal(includes(wide, create), true);
    assert.equal(includes(create, wide), false);
    assert.equal(includes({ ...create, namespace: 'a' }, create), false);
    assert.equal(
      includes({ kind: 'url', verb: 'get', url: '/apis/*' }, { kind: 'url', verb: 'get', url: '/apis/x' }),
      true,
    );
  });

  it('reaches a bootstrapper through every group, also those that everybody is in', () => {
    const given = policy([clusterRole('r', csr)], [bind('b', 'r', group('system:authenticated'))]);
    const [grant] = grantsOf(given, joining);
    assert.deepEqual([grant?.binding, grant?.subject], ['ClusterRoleBinding b', 'Group system:authenticated']);
  });

  it('keeps a RoleBinding to a ClusterRole within its namespace', () => {
    const binding = { ...bind('b', 'r', group('system:bootstrappers:a')), metadata: { name: 'b', namespace: 'ns' } };
    const [grant] = grantsOf(policy([clusterRole('r', secrets)], [], { roleBindings: [binding] }), joining);
    assert.equal(grant === undefined ? '' : permissionText(grant.permission), 'get secrets in ns');
  });
});

describe('verdicts on roles and bindings', () => {
  it('wants a role to grant exactly what is documented', () => {
    assert.equal(judgeRole(clusterRole('r', csr), 'r', [create]).kind, 'passed');
    assert.equal(judgeRole(clusterRole('r', csr, secrets), 'r', [create]).kind, 'failed');
    assert.equal(judgeRole(clusterRole('r'), 'r', [create]).kind, 'failed');
    assert.equal(judgeRole(undefined, 'r', [create]).kind, 'failed');
    assert.equal(judgeRole({ ...clusterRole('r', csr), aggregationRule: {} }, 'r', [create]).kind, 'failed');
  });

  it('wants a binding to name one role and exactly these subjects', () => {
    const wanted = { role: 'ClusterRole r', subjects: ['Group a'] };
    assert.equal(judgeBinding(bind('b', 'r', group('a')), 'b', wanted).kind, 'passed');
    assert.equal(judgeBinding(bind('b', 'x', group('a')), 'b', wanted).kind, 'failed');
    assert.equal(judgeBinding(bind('b', 'r', group('a'), group('c')), 'b', wanted).kind, 'failed');
    assert.equal(judgeBinding(undefined, 'b', wanted).kind, 'failed');
  });

  it('sees other API groups and roles that are not there', () => {
    const wrong = bind('b', 'r', { ...group('a'), apiGroup: `${RBAC}/v1` });
    assert.equal(judgeApiGroups([wrong]).kind, 'failed');
    assert.equal(
      judgeApiGroups([bind('b', 'r', group('a'), { kind: 'ServiceAccount', name: 's', namespace: 'n' })]).kind,
      'passed',
    );
    assert.equal(judgeRoleRefs(policy([], [wrong]), [wrong]).kind, 'failed');
    assert.equal(judgeApiGroups([]).kind, 'skipped');
  });

  it('names who holds a permission', () => {
    const given = policy([clusterRole('r', csr)], [bind('b', 'r', group('system:serviceaccounts'))]);
    const verdict = judgeHolders(given, create, () => false, 'nobody');
    assert.equal(verdict.kind, 'failed');
    assert.match(verdict.kind === 'failed' ? verdict.reason : '', /ClusterRoleBinding b.*Group system:serviceaccounts/);
  });
});

describe('least privilege as a whole', () => {
  const documented = [{ permission: create, needed: true }];
  const extra: KnownExtra = {
    distribution: 'Some',
    source: 'its source',
    binding: 'ClusterRoleBinding x',
    subjects: ['Group system:authenticated'],
    rules: [secrets],
  };
  const base = [bind('b', 'r', group('system:bootstrappers:a'))];

  it('passes with the documented set and says what is missing', () => {
    assert.equal(judgeEffective(policy([clusterRole('r', csr)], base), joining, documented, []).kind, 'passed');
    assert.equal(judgeEffective(policy([], []), joining, documented, []).kind, 'failed');
  });

  it('prints the difference as verbs and resources, with binding, role and subject', () => {
    const given = policy(
      [clusterRole('r', csr), clusterRole('s', secrets)],
      [...base, bind('x', 's', group('system:authenticated'))],
    );
    const verdict = judgeEffective(given, joining, documented, []);
    assert.match(
      verdict.kind === 'failed' ? verdict.reason : '',
      /get secrets; list secrets, from ClusterRoleBinding x \(ClusterRole s\) to Group system:authenticated/,
    );
  });

  it('names a known addition, and blames it once it grants more than its entry says', () => {
    const given = (rules: PolicyRule): Policy =>
      policy(
        [clusterRole('r', csr), clusterRole('s', rules)],
        [...base, bind('x', 's', group('system:authenticated'))],
      );
    const known = judgeEffective(given(secrets), joining, documented, [extra]);
    assert.equal(known.kind, 'passed');
    assert.ok(known.evidence.some(({ note }) => note?.includes('Some')));
    assert.equal(judgeEffective(given({ ...secrets, verbs: ['*'] }), joining, documented, [extra]).kind, 'failed');
    const stranger = (subject: Subject): boolean => subject.name === 'system:authenticated';
    assert.equal(judgeBindingsOf(given(secrets), stranger, () => false, [extra], 'nothing').kind, 'passed');
    assert.equal(
      judgeBindingsOf(given({ ...secrets, verbs: ['*'] }), stranger, () => false, [extra], 'nothing').kind,
      'failed',
    );
  });
});

describe('groups of tokens', () => {
  const token = (groups: string, usage = 'true') => ({
    metadata: { namespace: 'kube-system', name: 'bootstrap-token-abcdef' },
    data: {
      'auth-extra-groups': Buffer.from(groups).toString('base64'),
      'usage-bootstrap-authentication': Buffer.from(usage).toString('base64'),
    },
  });
  const given = policy(
    [clusterRole('r', csr)],
    [bind('b', 'r', group('system:bootstrappers:kubeadm:default-node-token'))],
  );

  it('points out a group that differs by one segment', () => {
    const verdict = judgeTokenGroups(tokensWithGroups([token('system:bootstrappers:default-node-token')]), given);
    assert.match(
      verdict.kind === 'failed' ? verdict.reason : '',
      /did its writer mean system:bootstrappers:kubeadm:default-node-token/,
    );
  });

  it('looks at tokens that log in with groups of their own, and at no others', () => {
    assert.equal(
      judgeTokenGroups(tokensWithGroups([token('system:bootstrappers:kubeadm:default-node-token')]), given).kind,
      'passed',
    );
    assert.equal(judgeTokenGroups(tokensWithGroups([token('x', 'false'), token('')]), given).kind, 'skipped');
  });
});

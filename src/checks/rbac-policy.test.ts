import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bind, clusterRole, csr, group, policy, RBAC, secrets } from './policy.testing.js';
import {
  bindingIn,
  expand,
  grantsOf,
  includes,
  type Permission,
  permissionText,
  policyOf,
  roleIn,
} from './rbac-policy.js';

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
    for (const other of [{ verb: 'get' }, { group: 'a' }, { resource: 'a' }, { name: 'a' }, { namespace: 'a' }])
      assert.equal(includes({ ...create, ...other }, create), false, JSON.stringify(other));
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

describe('the observation of a policy', () => {
  it('holds what is judged and nothing else', () => {
    const listed = {
      kind: 'ClusterRole',
      metadata: {
        name: 'r',
        uid: 'u',
        labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', other: 'x' },
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      },
      rules: null,
    };
    assert.deepEqual(roleIn(listed), {
      metadata: { name: 'r', labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults' } },
      rules: [],
    });
    assert.deepEqual(bindingIn(bind('b', 'r', group('g'))), {
      metadata: { name: 'b' },
      subjects: [group('g')],
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'r' },
    });
  });

  it('leaves out what people give each other in namespaces of their own, and no subject of the system', () => {
    const inside = (namespace: string, ...subjects: Parameters<typeof group>[0][]) => {
      const binding = bind('b', 'r', ...subjects.map((name) => group(name)));
      return bindingIn({ ...binding, metadata: { name: 'b', namespace } }) !== undefined;
    };
    assert.equal(inside('team', 'developers'), false);
    assert.equal(inside('kube-system', 'developers'), true);
    assert.equal(inside('team', 'developers', 'system:bootstrappers:x'), true);
    const role = (namespace: string, name: string) => ({ metadata: { name, namespace }, rules: [] });
    const kept = {
      ...bind('b', 'r'),
      metadata: { name: 'b', namespace: 'team' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'mine' },
    };
    const { roles } = policyOf({
      clusterRoles: [],
      roles: [role('team', 'mine'), role('team', 'other'), role('kube-public', 'x')],
      clusterRoleBindings: [],
      roleBindings: [kept],
    });
    assert.deepEqual(
      roles.map(({ metadata }) => metadata.name),
      ['mine', 'x'],
    );
  });
});

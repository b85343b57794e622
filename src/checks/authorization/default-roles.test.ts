import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Binding, PolicyRule, Role, Subject } from '../../kubernetes/objects.js';
import { judged } from '../common/judged.testing.js';
import { defaultsGiveNoMore, ruleIn } from './default-roles.js';

const defaults = {
  roles: {
    'ClusterRole system:some': ['get,list |  | pods', 'get | apps | deployments | one', 'get @ /healthz /livez/*'],
    'Role kube-system/some': ['update |  | configmaps'],
  },
  bindings: { 'ClusterRoleBinding system:some': ['ClusterRole system:some', 'User a', 'ServiceAccount kube-system/b'] },
};
const role = (rules: readonly PolicyRule[], namespace?: string, more: Partial<Role> = {}): Role => ({
  metadata: namespace === undefined ? { name: 'system:some' } : { name: 'some', namespace },
  rules,
  ...more,
});
const binding = (to: string, ...subjects: readonly Subject[]): Binding => ({
  metadata: { name: 'system:some' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: to },
  subjects,
});
const seen = (objects: {
  readonly clusterRoles?: readonly Role[];
  readonly roles?: readonly Role[];
  readonly bindings?: readonly Binding[];
}): readonly string[] => {
  const { clusterRoles = [], roles = [], bindings = [] } = objects;
  const policy = { clusterRoles, roles, clusterRoleBindings: bindings, roleBindings: [] };
  return judged(defaultsGiveNoMore, policy, defaults).map((finding) => `${finding.result}: ${finding.seen}`);
};
const NONE = 'met: they give none';

describe('roles of the API server itself', () => {
  it('give what Kubernetes gives by them, or less', () => {
    const usual = ['get,list |  | pods', 'get | apps | deployments | one', 'get @ /healthz /livez/ping'].map(ruleIn);
    assert.deepEqual(seen({ clusterRoles: [role(usual), role([])] }), [NONE, NONE]);
    assert.deepEqual(seen({ roles: [role([ruleIn('update |  | configmaps')], 'kube-system')] }), [NONE, NONE]);
  });
  it('give more: another verb, group, resource, name or path', () => {
    for (const [text, said] of [
      ['watch |  | pods', 'watch pods'],
      ['get | apps | pods', 'get pods.apps'],
      ['get |  | secrets', 'get secrets'],
      ['get | apps | deployments | two', 'get deployments.apps named two'],
      ['get | apps | deployments', 'get deployments.apps'],
      ['get @ /metrics', 'get /metrics'],
      ['* |  | pods', '* pods'],
    ] as const)
      assert.deepEqual(seen({ clusterRoles: [role([ruleIn(text)])] }), [
        `unmet: ClusterRole system:some: ${said}`,
        NONE,
      ]);
    const many = role([ruleIn('create,update,patch,delete,watch,bind |  | pods')]);
    assert.match(seen({ clusterRoles: [many] })[0] ?? '', /bind pods|; and 1 more$/);
    assert.deepEqual(seen({ roles: [role([ruleIn('get |  | secrets')], 'kube-system')] }), [
      'unmet: Role kube-system/some: get secrets',
      NONE,
    ]);
  });
  it('are not judged where they are of somebody else, or collect others', () => {
    const secrets = [ruleIn('get |  | secrets')];
    assert.deepEqual(seen({ roles: [role(secrets, 'default')] }), [NONE, NONE]);
    const collects = { aggregationRule: { clusterRoleSelectors: [] } } as Partial<Role>;
    assert.deepEqual(seen({ clusterRoles: [role(secrets, undefined, collects)] }), [NONE, NONE]);
  });
});

describe('bindings of the API server itself', () => {
  const user: Subject = { kind: 'User', name: 'a' };
  it('bind whom Kubernetes binds by them, or fewer', () => {
    const account: Subject = { kind: 'ServiceAccount', name: 'b', namespace: 'kube-system' };
    assert.deepEqual(seen({ bindings: [binding('system:some', user, account), binding('system:some')] }), [NONE, NONE]);
  });
  it('bind others, or to another role', () => {
    assert.deepEqual(seen({ bindings: [binding('system:some', user, { kind: 'Group', name: 'a' })] }), [
      NONE,
      'unmet: ClusterRoleBinding system:some: Group a',
    ]);
    assert.deepEqual(seen({ bindings: [binding('cluster-admin', user)] }), [
      NONE,
      'unmet: ClusterRoleBinding system:some: ClusterRole cluster-admin',
    ]);
  });
});

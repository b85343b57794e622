import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Binding, LabelSelector, PolicyRule, Role, Subject } from '../../kubernetes/objects.js';
import { judged } from '../common/judged.testing.js';
import { defaultsGiveNoMore, ruleIn } from './default-roles.js';

const defaults = {
  roles: {
    'ClusterRole system:some': ['get,list |  | pods', 'get | apps | deployments | one', 'get @ /healthz /livez/*'],
    'Role kube-system/some': ['update |  | configmaps'],
    'ClusterRole system:aggregate-to-edit': ['get,update |  | secrets'],
    'ClusterRole system:aggregate-to-view': ['get |  | pods'],
  },
  collects: {
    'ClusterRole edit': ['aggregate-to-edit', 'aggregate-to-view'],
    'ClusterRole view': ['aggregate-to-view'],
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
  it('are not judged where they are of somebody else', () => {
    const secrets = [ruleIn('get |  | secrets')];
    assert.deepEqual(seen({ roles: [role(secrets, 'default')] }), [NONE, NONE]);
    assert.deepEqual(seen({ clusterRoles: [{ metadata: { name: 'mine' }, rules: secrets }] }), [NONE, NONE]);
  });
  it('give more by what they collect, though nothing of theirs does', () => {
    const secrets = [ruleIn('get |  | secrets')];
    const collects = { aggregationRule: { clusterRoleSelectors: [{}] } };
    assert.deepEqual(seen({ clusterRoles: [role(secrets, undefined, collects)] }), [
      'unmet: ClusterRole system:some: get secrets',
      NONE,
    ]);
  });
  it('collect by their label, and by no other', () => {
    const by = (name: string, ...clusterRoleSelectors: readonly LabelSelector[]): Role => ({
      metadata: { name },
      rules: [ruleIn('* | example.com | *')],
      aggregationRule: { clusterRoleSelectors },
    });
    const LABEL = 'rbac.authorization.k8s.io/aggregate-to-view';
    const own = { matchLabels: { [LABEL]: 'true' } };
    assert.deepEqual(seen({ clusterRoles: [by('view', own)] }), [NONE, NONE]);
    for (const [selector, said] of [
      [{}, 'every ClusterRole'],
      [{ matchLabels: { [LABEL]: 'false' } }, `${LABEL}=false`],
      [{ matchLabels: { mine: 'true' } }, 'mine=true'],
      [{ matchExpressions: [{ key: 'mine', operator: 'Exists' }] }, 'mine Exists'],
      [{ ...own, matchExpressions: [{ key: 'mine', operator: 'Exists' }] }, `${LABEL}=true, mine Exists`],
    ] as const) {
      const unmet = `unmet: ClusterRole view: it collects ${said}`;
      assert.deepEqual(seen({ clusterRoles: [by('view', selector)] }), [unmet, NONE]);
      assert.deepEqual(seen({ clusterRoles: [by('view', own, selector)] }), [unmet, NONE]);
    }
    const others = seen({ clusterRoles: [by('edit', own)] });
    assert.deepEqual(others, [`unmet: ClusterRole edit: it collects ${LABEL}=true`, NONE]);
  });
  it('hold what they collect, and never what leads on that Kubernetes gives not by them', () => {
    const collecting = (name: string, text: string): Role => {
      const matchLabels = { [`rbac.authorization.k8s.io/aggregate-to-${name}`]: 'true' };
      return {
        metadata: { name },
        rules: [ruleIn(text)],
        aggregationRule: { clusterRoleSelectors: [{ matchLabels }] },
      };
    };
    for (const text of [
      'get |  | pods',
      '* | example.com | *',
      'create,delete |  | nodes',
      'get,list,watch | rbac.authorization.k8s.io | *',
      'get | certificates.k8s.io | certificatesigningrequests',
      'get @ /metrics',
    ])
      assert.deepEqual(seen({ clusterRoles: [collecting('view', text)] }), [NONE, NONE], text);
    for (const [text, said] of [
      ['list |  | secrets', 'list secrets'],
      ['get |  | secrets | one', 'get secrets named one'],
      ['create |  | serviceaccounts/token', 'create serviceaccounts/token'],
      ['get |  | nodes/proxy', 'get nodes/proxy'],
      ['get |  | *', 'get *'],
      ['get | * | secrets', 'get secrets.*'],
      ['get | * | *', 'get *.*'],
      ['impersonate |  | users', 'impersonate users'],
      ['escalate | rbac.authorization.k8s.io | roles', 'escalate roles.rbac.authorization.k8s.io'],
      ['bind | rbac.authorization.k8s.io | roles', 'bind roles.rbac.authorization.k8s.io'],
      ['create | rbac.authorization.k8s.io | rolebindings', 'create rolebindings.rbac.authorization.k8s.io'],
      ['approve | certificates.k8s.io | signers', 'approve signers.certificates.k8s.io'],
      ['sign | example.com | signers', 'sign signers.example.com'],
      [
        'update | certificates.k8s.io | certificatesigningrequests/approval',
        'update certificatesigningrequests/approval.certificates.k8s.io',
      ],
      [
        'patch | certificates.k8s.io | certificatesigningrequests/status',
        'patch certificatesigningrequests/status.certificates.k8s.io',
      ],
      ['update | certificates.k8s.io | signers', 'update signers.certificates.k8s.io'],
    ] as const)
      assert.deepEqual(seen({ clusterRoles: [collecting('view', text)] }), [
        `unmet: ClusterRole view: it collects ${said}`,
        NONE,
      ]);
    assert.deepEqual(seen({ clusterRoles: [collecting('edit', 'get |  | secrets')] }), [NONE, NONE]);
    assert.deepEqual(seen({ clusterRoles: [collecting('edit', 'delete |  | secrets')] }), [
      'unmet: ClusterRole edit: it collects delete secrets',
      NONE,
    ]);
  });
  it('hold what is written into them where they collect no more', () => {
    for (const more of [{}, { aggregationRule: {} }, { aggregationRule: { clusterRoleSelectors: [] } }]) {
      const named = (name: string, text: string): Role => ({ metadata: { name }, rules: [ruleIn(text)], ...more });
      assert.deepEqual(seen({ clusterRoles: [named('view', 'get |  | pods')] }), [NONE, NONE]);
      assert.deepEqual(seen({ clusterRoles: [named('edit', 'get |  | secrets,pods')] }), [NONE, NONE]);
      assert.deepEqual(seen({ clusterRoles: [named('view', 'get |  | secrets')] }), [
        'unmet: ClusterRole view: get secrets',
        NONE,
      ]);
    }
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

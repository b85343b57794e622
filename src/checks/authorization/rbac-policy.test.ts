import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { bind, clusterRole, csr, group, policy, RBAC, secrets, user } from '../policy/policy.testing.js';
import {
  administratorBindings,
  bindingIn,
  expand,
  grantsOf,
  holdersOf,
  includes,
  namedSubjects,
  type Permission,
  permissionText,
  policyOf,
  reaches,
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

  it('is what the first role of a name says, where a dump holds several', () => {
    const twice = policy([clusterRole('r', csr), clusterRole('r', secrets)], [bind('b', 'r', user(joining.user))]);
    assert.deepEqual(
      grantsOf(twice, joining).map(({ permission }) => permissionText(permission)),
      ['create certificatesigningrequests.certificates.k8s.io'],
    );
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
    assert.equal(inside('default', 'developers'), true);
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

describe('whom a binding reaches', () => {
  it('is a user, a group or an account of that name, and none that looks like it', () => {
    for (const twin of twinsOf('jane')) {
      assert.equal(reaches(user('jane'), { user: twin, groups: [] }), false, twin);
      assert.equal(reaches(group('jane'), { user: 'jane', groups: ['x', twin] }), false, twin);
    }
    assert.equal(reaches(user('jane'), { user: 'jane', groups: [] }), true);
    assert.equal(reaches(group('jane'), { user: 'x', groups: ['x', 'jane'] }), true);
    const account = { kind: 'ServiceAccount', namespace: 'n', name: 'a' } as const;
    assert.equal(reaches(account, { user: 'system:serviceaccount:n:a', groups: [] }), true);
    for (const twin of twinsOf('system:serviceaccount:n:a'))
      assert.equal(reaches(account, { user: twin, groups: ['a'] }), false, twin);
    assert.equal(
      reaches({ kind: 'ServiceAccount', name: 'a' }, { user: 'system:serviceaccount::a', groups: [] }),
      true,
    );
  });

  it('is told by each name once, in their order', () => {
    const all = policy([], [bind('a', 'r', user('z'), user('b'), group('g')), bind('c', 'r', user('b'), user('a'))]);
    assert.deepEqual(
      namedSubjects(all, 'User', () => true),
      ['a', 'b', 'z'],
    );
    assert.deepEqual(
      namedSubjects(all, 'Group', () => true),
      ['g'],
    );
    assert.deepEqual(
      namedSubjects(all, 'User', (name) => name === 'z'),
      ['z'],
    );
  });
});

describe('one right within another', () => {
  const of = (more: object): Permission => ({ ...create, ...more }) as Permission;
  it('has every part of it, in these letters', () => {
    for (const key of ['verb', 'group', 'resource', 'namespace', 'name'] as const) {
      assert.equal(includes(of({ [key]: 'abc' }), of({ [key]: 'abc' })), true, key);
      assert.equal(includes(of({ [key]: '*' }), of({ [key]: 'abc' })), true, key);
      for (const twin of twinsOf('abc')) assert.equal(includes(of({ [key]: twin }), of({ [key]: 'abc' })), false, twin);
    }
    assert.equal(includes(of({ resource: '*/status' }), of({ resource: 'pods/status' })), true);
    for (const resource of ['pods/statuses', 'pods/Status', 'pods', 'status', '*/statu'])
      assert.equal(includes(of({ resource: '*/status' }), of({ resource })), false, resource);
    assert.equal(includes(of({ resource: '*pods' }), of({ resource: 'pods' })), false);
    assert.equal(includes(of({ resource: '*s' }), of({ resource: 'pods' })), false);
    const url = (verb: string, path: string): Permission => ({ kind: 'url', verb, url: path });
    assert.equal(includes(url('get', '/a'), url('get', '/a')), true);
    for (const path of ['/ab', '/A', '/', '', ' /a'])
      assert.equal(includes(url('get', '/a'), url('get', path)), false, path);
    assert.equal(includes(url('Get', '/a'), url('get', '/a')), false);
    assert.equal(includes(url('*', '*'), url('get', '/a')), true);
    assert.equal(includes(of({ verb: '*' }), url('get', '/a')), false);
    assert.equal(includes(url('*', '*'), create), false);
  });

  it('goes to each subject of a binding, within its namespace', () => {
    const inside = { ...bind('b', 'r', user('a'), user('b')), metadata: { name: 'b', namespace: 'ns' } };
    const given = policy([clusterRole('r', secrets)], [bind('c', 'r', group('g'))], { roleBindings: [inside] });
    const wanted = (namespace: string): Permission => ({
      kind: 'resource',
      verb: 'get',
      group: '',
      resource: 'secrets',
      namespace,
      name: 'x',
    });
    const who = (one: Permission) => holdersOf(given, one).map(({ subject }) => subject.name);
    assert.deepEqual(who(wanted('ns')), ['g', 'a', 'b']);
    for (const twin of twinsOf('ns')) assert.deepEqual(who(wanted(twin)), ['g'], twin);
    assert.deepEqual(who({ kind: 'url', verb: 'get', url: '/x' }), []);
  });

  it('is all rights of an administrator', () => {
    const role = (...rules: Parameters<typeof clusterRole>[1][]) =>
      policy([clusterRole('r', ...rules)], [bind('b', 'r', user('a'))]);
    const every = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
    assert.deepEqual([...administratorBindings(role(secrets, every))], ['ClusterRoleBinding b']);
    for (const less of [{ verbs: ['get'] }, { apiGroups: [''] }, { resources: ['*/status'] }, { resourceNames: ['a'] }])
      assert.deepEqual([...administratorBindings(role({ ...every, ...less }))], [], JSON.stringify(less));
    const elsewhere = { ...bind('b', 'r', user('a')), metadata: { name: 'b', namespace: '*x' } };
    assert.deepEqual(
      [...administratorBindings(policy([clusterRole('r', every)], [], { roleBindings: [elsewhere] }))],
      [],
    );
  });
});

describe('what is kept of roles and bindings', () => {
  it('is the mark of a default, what is aggregated, and what people of the system are given', () => {
    const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'true', other: 'x' };
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };
    assert.deepEqual(roleIn({ metadata: { name: 'r', annotations }, rules: [], aggregationRule } as never), {
      metadata: { name: 'r', annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' } },
      rules: [],
      aggregationRule,
    });
    assert.deepEqual(roleIn({ metadata: {} }), { metadata: {}, rules: [] });
    const inside = (subject: Parameters<typeof group>[0], kind: string) =>
      bindingIn({ ...bind('b', 'r', { kind, name: subject } as never), metadata: { namespace: 'team' } });
    assert.equal(inside('system:x', 'ServiceAccount'), undefined);
    assert.ok(inside('system:x', 'User'));
    for (const name of ['System:x', ' system:x', 'xsystem:x', 'system'])
      assert.equal(inside(name, 'User'), undefined, name);
    for (const namespace of ['kube-', 'kube-x']) assert.ok(bindingIn({ ...bind('b', 'r'), metadata: { namespace } }));
    for (const namespace of ['Kube-system', 'my-kube-system', 'kube'])
      assert.equal(bindingIn({ ...bind('b', 'r'), metadata: { namespace } }), undefined, namespace);
  });
});

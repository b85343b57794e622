import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuthorizationAttributes } from '../../apiserver/access.js';
import type { Binding, KubeObject, Role, UserInfo } from '../../kubernetes/objects.js';
import { ask, context, grant, nodeUser, put, testWorld } from '../world.test.js';
import { bootstrapPolicy, reconcileBootstrapPolicy, repaired } from './bootstrap-policy.js';
import { escalationHooks } from './escalation.js';
import { createRbacAuthorizer } from './rbac.js';

const RBAC = 'rbac.authorization.k8s.io';
const user = (username: string, ...groups: string[]): UserInfo => ({
  username,
  groups: [...groups, 'system:authenticated'],
});
const anonymous: UserInfo = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
const url = (who: UserInfo, path: string) => ask(who, 'get', '', { isResourceRequest: false, path });

test('default powers: five public URLs for everybody, discovery for who is logged in', () => {
  const { authorizer } = testWorld();
  for (const path of ['/healthz', '/livez', '/readyz', '/version', '/version/'])
    assert.equal(authorizer.authorize(url(anonymous, path)).decision, 'allow', path);
  for (const path of ['/api', '/apis', '/healthz/ping', '/metrics', '/'])
    assert.equal(authorizer.authorize(url(anonymous, path)).decision, 'no-opinion', path);
  for (const path of ['/api', '/api/v1', '/apis/x/y', '/openapi/v3'])
    assert.equal(authorizer.authorize(url(user('jane'), path)).decision, 'allow', path);
  assert.equal(
    authorizer.authorize(ask(user('jane'), 'create', 'selfsubjectreviews.authentication.k8s.io')).decision,
    'allow',
  );
  assert.equal(
    authorizer.authorize(ask(anonymous, 'create', 'selfsubjectreviews.authentication.k8s.io')).decision,
    'no-opinion',
  );
  assert.equal(
    authorizer.authorize(
      ask(user('x', 'system:bootstrappers'), 'create', 'certificatesigningrequests.certificates.k8s.io'),
    ).decision,
    'no-opinion',
  );
});

test('system:masters is allowed before anybody is asked, and says no reason', () => {
  const { authorizer } = testWorld();
  assert.deepEqual(authorizer.authorize(ask(user('root', 'system:masters'), 'delete', 'x/y.z')), {
    decision: 'allow',
    reason: '',
  });
});

test('rules: names, subresources of all resources, prefixes of URLs, namespaces', () => {
  const world = testWorld();
  const jane = { kind: 'User', apiGroup: RBAC, name: 'jane' };
  grant(
    world,
    'ns/one',
    [{ verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['c'] }],
    [jane],
  );
  grant(
    world,
    'sub',
    [{ verbs: ['update'], apiGroups: ['*'], resources: ['*/scale'] }],
    [{ kind: 'ServiceAccount', name: 'sa', namespace: 'ns' }],
  );
  grant(
    world,
    'urls',
    [{ verbs: ['get'], nonResourceURLs: ['/logs/*'] }],
    [{ kind: 'Group', apiGroup: RBAC, name: 'dev' }],
  );
  const decide = (who: UserInfo, verb: string, resource: string, at = {}): string =>
    world.authorizer.authorize(ask(who, verb, resource, at)).decision;
  assert.equal(decide(user('jane'), 'get', 'configmaps', { namespace: 'ns', name: 'c' }), 'allow');
  assert.equal(decide(user('jane'), 'get', 'configmaps', { namespace: 'ns', name: 'd' }), 'no-opinion');
  assert.equal(decide(user('jane'), 'list', 'configmaps', { namespace: 'ns', name: 'c' }), 'no-opinion');
  assert.equal(decide(user('jane'), 'get', 'configmaps', { namespace: 'ns' }), 'no-opinion');
  assert.equal(decide(user('jane'), 'get', 'configmaps', { namespace: 'other', name: 'c' }), 'no-opinion');
  const account = user('system:serviceaccount:ns:sa');
  assert.equal(decide(account, 'update', 'deployments/scale.apps'), 'allow');
  assert.equal(decide(account, 'update', 'deployments.apps'), 'no-opinion');
  assert.equal(decide(account, 'update', 'deployments/scaled.apps'), 'no-opinion');
  assert.equal(world.authorizer.authorize(url(user('x', 'dev'), '/logs/a')).decision, 'allow');
  assert.equal(world.authorizer.authorize(url(user('x', 'dev'), '/logs')).decision, 'no-opinion');
  assert.equal(
    world.authorizer.authorize(ask(user('jane'), 'get', 'configmaps', { namespace: 'ns', name: 'c' })).reason,
    'RBAC: allowed by RoleBinding "one/ns" of Role "one" to User "jane"',
  );
  assert.equal(
    world.authorizer.authorize(ask(account, 'update', 'deployments/scale.apps')).reason.replace(/.* to /, ''),
    'ServiceAccount "sa/ns"',
  );
});

test('a binding made or removed counts at once; one without its role is a reason', () => {
  const world = testWorld();
  const jane = user('jane');
  const question = ask(jane, 'list', 'pods');
  assert.equal(world.authorizer.authorize(question).decision, 'no-opinion');
  grant(world, 'pods', [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }], [{ kind: 'User', name: 'jane' }]);
  assert.equal(world.authorizer.authorize(question).decision, 'allow');
  world.store.delete({ group: RBAC, resource: 'clusterroles' }, undefined, 'pods');
  assert.deepEqual(world.authorizer.authorize(question), {
    decision: 'no-opinion',
    reason: `RBAC: clusterrole.${RBAC} "pods" not found`,
  });
});

test('a role that is not there is named with its kind, all of them in turn, and the rules of others still count', () => {
  const world = testWorld();
  const jane = { kind: 'User', apiGroup: RBAC, name: 'jane' };
  const bind = (name: string, kind: string, role: string, namespace?: string) =>
    put(world, RBAC, namespace === undefined ? 'clusterrolebindings' : 'rolebindings', {
      kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
      metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
      roleRef: { apiGroup: RBAC, kind, name: role },
      subjects: [jane],
    });
  bind('a', 'Role', 'here', 'ns');
  bind('b', 'ClusterRole', 'everywhere', 'ns');
  const question = ask(user('jane'), 'get', 'secrets', { namespace: 'ns' });
  const role = `role.${RBAC} "here" not found`;
  const clusterRole = `clusterrole.${RBAC} "everywhere" not found`;
  assert.equal(world.authorizer.authorize(question).reason, `RBAC: [${role}, ${clusterRole}]`);
  bind('c', 'Odd', 'odd');
  const odd = 'unsupported role reference kind: "Odd"';
  assert.equal(world.authorizer.authorize(question).reason, `RBAC: [${odd}, ${role}, ${clusterRole}]`);
  const rbac = createRbacAuthorizer(world.store, world.decisions);
  assert.deepEqual(rbac.rulesFor(user('jane'), '').errors, [odd]);
  assert.deepEqual(rbac.rulesFor(user('jane'), 'ns').errors, [odd, role, clusterRole]);
  const missing = (kind: string, name: string) => rbac.rulesOfRole({ apiGroup: RBAC, kind, name }, 'ns');
  assert.deepEqual(missing('Role', 'here'), { error: role, missing: { resource: 'roles', name: 'here' } });
  assert.deepEqual(missing('ClusterRole', 'everywhere'), {
    error: clusterRole,
    missing: { resource: 'clusterroles', name: 'everywhere' },
  });
  assert.deepEqual(missing('Odd', 'odd'), { error: odd });
  grant(world, 'pods', [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }], [jane]);
  assert.equal(world.authorizer.authorize(question).decision, 'allow');
  rbac.stop();
});

test('the first of the subjects of a binding that reaches somebody is named, of whatever kind', () => {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }];
  const person = { kind: 'User', apiGroup: RBAC, name: 'jane' };
  const group = { kind: 'Group', apiGroup: RBAC, name: 'dev' };
  const nobody = { kind: 'User', apiGroup: RBAC, name: 'other' };
  for (const [subjects, named] of [
    [[person, group], 'User "jane"'],
    [[group, person], 'Group "dev"'],
    [[nobody, group, person, group], 'Group "dev"'],
  ] as const) {
    const world = testWorld();
    grant(world, 'pods', rules, subjects);
    const { reason } = world.authorizer.authorize(ask(user('jane', 'dev'), 'get', 'pods'));
    assert.equal(reason, `RBAC: allowed by ClusterRoleBinding "pods" of ClusterRole "pods" to ${named}`);
  }
});

test('users of one name and other groups are not mixed up', () => {
  const world = testWorld();
  grant(world, 'pods', [{ verbs: ['list'], apiGroups: [''], resources: ['pods'] }], [{ kind: 'Group', name: 'dev' }]);
  assert.equal(
    world.authorizer.authorize(ask({ username: 'a\ndev', groups: [] }, 'list', 'pods')).decision,
    'no-opinion',
  );
  assert.equal(world.authorizer.authorize(ask({ username: 'a', groups: ['dev'] }, 'list', 'pods')).decision, 'allow');
});

test('the policy is repaired: what is missing comes back, what was added stays, autoupdate=false is left alone', () => {
  const world = testWorld();
  const resource = { group: RBAC, resource: 'clusterroles' };
  const name = 'system:node-bootstrapper';
  const found = world.store.get(resource, undefined, name);
  assert.ok(found);
  const own = { verbs: ['get'], apiGroups: [''], resources: ['x'] };
  world.store.update(resource, { ...found, rules: [own] });
  reconcileBootstrapPolicy(world, (object) => object);
  const rules = world.store.get(resource, undefined, name)?.rules as readonly { verbs: string[] }[];
  assert.deepEqual(rules[0], own);
  assert.deepEqual(
    rules
      .slice(1)
      .map(({ verbs }) => verbs[0])
      .sort(),
    ['create', 'get', 'list', 'watch'],
  );
  const off = {
    ...found,
    metadata: { ...found.metadata, annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'false' } },
    rules: [],
  };
  assert.equal(repaired(off, found, world.decisions), off);
  assert.equal(repaired(found, found, world.decisions), found);
});

test('a binding of the policy gets back the subjects that are missing, and is made anew where it binds another role', () => {
  const { decisions } = testWorld();
  for (const { object } of bootstrapPolicy(36)) {
    const wanted = object as Binding;
    if (wanted.roleRef === undefined) continue;
    const { subjects = [], roleRef, metadata } = wanted;
    const other = { kind: 'User', apiGroup: RBAC, name: 'other' };
    const near = subjects.flatMap((one) => [
      ...[
        { ...one, kind: 'Node' },
        { ...one, name: `${one.name}.` },
        { ...one, namespace: 'ns' },
      ],
      { ...one, apiGroup: 'example.com' },
    ]);
    const asFound = (found: object) => repaired({ ...wanted, ...found } as KubeObject, wanted, decisions);
    const subjectsOf = (found: object) => (asFound({ subjects: found }) as Binding).subjects;
    assert.deepEqual(subjectsOf([other, ...near]), [other, ...near, ...subjects]);
    const { subjects: _none, ...bare } = wanted;
    assert.deepEqual((repaired(bare, wanted, decisions) as Binding).subjects, wanted.subjects);
    for (const written of [
      [other, ...subjects],
      // Where a subject has no group or no namespace, an empty one is the same.
      subjects.map(({ apiGroup = '', namespace = '', ...rest }) => ({ ...rest, apiGroup, namespace })),
    ]) {
      const found = { ...wanted, subjects: written } as KubeObject;
      assert.equal(repaired(found, wanted, decisions), found);
    }
    for (const ref of [{ name: 'other' }, { kind: 'Other' }])
      assert.equal(asFound({ roleRef: { ...roleRef, ...ref } }), 'recreate');
    const bareMetadata = { name: metadata.name, annotations: { mine: 'a' }, labels: { mine: 'b' } };
    const labelled = asFound({ metadata: bareMetadata }) as Binding;
    assert.deepEqual(labelled.metadata.labels, { mine: 'b', ...metadata.labels });
    assert.deepEqual(labelled.metadata.annotations, { mine: 'a', ...metadata.annotations });
  }
});

test('a role of the policy that gathers others is not filled, and gathers again where it has ceased to', () => {
  const { decisions } = testWorld();
  const wanted = bootstrapPolicy(36).find(({ object }) => object.metadata.name === 'edit')?.object as Role;
  const { aggregationRule, ...bare } = wanted;
  const own = { verbs: ['get'], apiGroups: [''], resources: ['x'] };
  assert.deepEqual(repaired({ ...bare, rules: [own] }, wanted, decisions), { ...bare, rules: [own], aggregationRule });
  const other = { ...wanted, rules: [own], aggregationRule: { clusterRoleSelectors: [] } };
  assert.equal(repaired(other, wanted, decisions), other);
});

test('the policy follows the minor that is played', () => {
  const names = (minor: number): Set<string | undefined> =>
    new Set(bootstrapPolicy(minor).map(({ object }) => object.metadata.name));
  assert.ok(names(36).has('system:controller:resource-claim-controller'));
  assert.ok(!names(33).has('system:controller:resource-claim-controller'));
  assert.ok(!names(31).has('system:controller:selinux-warning-controller'));
  const binding = bootstrapPolicy(36).find(
    ({ object }) => object.kind === 'ClusterRoleBinding' && object.metadata.name === 'system:node',
  );
  assert.ok(binding !== undefined && !('subjects' in binding.object));
});

const POD = {
  containers: [{ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }],
  serviceAccountName: 'sa',
  nodeName: 'n1',
};

test('a node reads what its pods use, and says why not', () => {
  const world = testWorld();
  const spec = {
    ...POD,
    volumes: [
      { name: 'c', configMap: { name: 'c' } },
      { name: 'p', persistentVolumeClaim: { claimName: 'claim' } },
    ],
  };
  put(world, '', 'pods', { metadata: { namespace: 'ns', name: 'p' }, spec });
  put(world, '', 'persistentvolumes', {
    metadata: { name: 'pv' },
    spec: {
      claimRef: { namespace: 'ns', name: 'claim' },
      csi: { nodePublishSecretRef: { name: 'pvs', namespace: 'ns' } },
    },
  });
  const answer = (node: string, verb: string, resource: string, at = {}): string => {
    const { decision, reason } = world.authorizer.authorize(ask(nodeUser(node), verb, resource, at));
    return decision === 'allow' ? 'allow' : reason;
  };
  const named = (name: string) => ({ namespace: 'ns', name });
  const unrelated = (node: string): string => `no relationship found between node '${node}' and this object`;
  for (const [resource, name] of [
    ['secrets', 's'],
    ['configmaps', 'c'],
    ['persistentvolumeclaims', 'claim'],
    ['serviceaccounts', 'sa'],
    ['pods', 'p'],
    ['secrets', 'pvs'],
  ] as const) {
    assert.equal(answer('n1', 'get', resource, named(name)), 'allow', resource);
    assert.equal(answer('n2', 'get', resource, named(name)), unrelated('n2'), resource);
  }
  assert.equal(answer('n1', 'get', 'persistentvolumes', { name: 'pv' }), 'allow');
  assert.equal(answer('n1', 'get', 'secrets', named('none')), unrelated('n1'));
  assert.equal(answer('n1', 'list', 'secrets', { namespace: 'ns' }), 'No Object name found');
  assert.equal(answer('n1', 'update', 'secrets', named('s')), 'can only read resources of this type');
  assert.equal(answer('n1', 'get', 'secrets', { name: 's' }), 'can only read namespaced object of this type');
  assert.equal(
    answer('n1', 'list', 'persistentvolumeclaims', { namespace: 'ns' }),
    'can only get individual resources of this type',
  );
  assert.equal(answer('n1', 'create', 'serviceaccounts/token', named('sa')), 'allow');
  assert.equal(
    answer('n1', 'create', 'serviceaccounts', { namespace: 'ns' }),
    'can only create tokens for individual service accounts',
  );
  assert.equal(answer('n1', 'list', 'nodes'), "node 'n1' cannot read all nodes, only its own Node object");
  assert.equal(answer('n1', 'get', 'nodes', { name: 'n2' }), "node 'n1' cannot read 'n2', only its own Node object");
  assert.equal(answer('n1', 'list', 'pods'), 'can only list/watch pods with spec.nodeName field selector');
  assert.equal(
    answer('n1', 'list', 'pods', { fieldRequirements: [{ field: 'spec.nodeName', operator: '=', value: 'n1' }] }),
    'allow',
  );
  assert.equal(
    answer('n1', 'get', 'leases.coordination.k8s.io', { namespace: 'ns', name: 'n1' }),
    'can only access leases in the "kube-node-lease" system namespace',
  );
  assert.equal(
    answer('n1', 'get', 'leases.coordination.k8s.io', { namespace: 'kube-node-lease', name: 'n1' }),
    'allow',
  );
  assert.equal(answer('', 'get', 'nodes'), 'unknown node for user "system:node:"');
});

test('mirror pods give nothing, and neither half of the name makes a node', () => {
  const world = testWorld();
  put(world, '', 'pods', {
    metadata: { namespace: 'ns', name: 'p', annotations: { 'kubernetes.io/config.mirror': 'x' } },
    spec: POD,
  });
  const secret = { namespace: 'ns', name: 's' };
  assert.equal(world.authorizer.authorize(ask(nodeUser('n1'), 'get', 'secrets', secret)).decision, 'no-opinion');
  assert.equal(world.authorizer.authorize(ask(user('system:node:n1'), 'create', 'nodes')).decision, 'no-opinion');
  assert.equal(world.authorizer.authorize(ask(user('jane', 'system:nodes'), 'create', 'nodes')).decision, 'no-opinion');
});

test('before 1.32 a node read every Node and Pod', () => {
  const { authorizer } = testWorld(31);
  assert.equal(authorizer.authorize(ask(nodeUser('n1'), 'list', 'nodes')).decision, 'allow');
  assert.equal(authorizer.authorize(ask(nodeUser('n1'), 'list', 'pods')).decision, 'allow');
});

test('nobody grants what they do not hold', () => {
  const world = testWorld();
  grant(
    world,
    'granter',
    [
      { verbs: ['create'], apiGroups: [RBAC], resources: ['*'] },
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'] },
    ],
    [{ kind: 'User', name: 'jane' }],
  );
  const hooks = escalationHooks(world.authorizer, world.decisions, 36);
  const role = (rules: unknown[]) => ({ kind: 'Role', metadata: { name: 'r', namespace: 'ns' }, rules });
  const write = (rules: unknown[], who = user('jane')): void =>
    hooks.confirmRoleWrite(role(rules), undefined, context(world, who, 'ns'));
  write([{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }]);
  // Validation refuses a rule without verbs, but later.
  write([{ apiGroups: [''], resources: ['pods'] }, { nonResourceURLs: ['/x'] }]);
  const wanted = [{ verbs: ['get', 'delete', 'patch'], apiGroups: [''], resources: ['pods', 'secrets'] }];
  const refused = `roles.${RBAC} "r" is forbidden: user "jane" (groups=["system:authenticated"])`;
  assert.throws(() => write(wanted), {
    code: 403,
    message: `${refused} is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["pods"], Verbs:["delete" "patch"]}
{APIGroups:[""], Resources:["secrets"], Verbs:["get" "delete" "patch"]}`,
  });
  write(wanted, user('root', 'system:masters'));
  const bind = (roleRef: object): void =>
    hooks.confirmBindingWrite(
      { kind: 'RoleBinding', metadata: { name: 'b', namespace: 'ns' }, roleRef },
      undefined,
      context(world, user('jane'), 'ns'),
    );
  assert.throws(() => bind({ apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' }), { code: 403 });
  assert.throws(() => bind({ apiGroup: RBAC, kind: 'ClusterRole', name: 'none' }), {
    code: 404,
    message: `rolebindings.${RBAC} "none" not found`,
  });
  grant(
    world,
    'binder',
    [{ verbs: ['bind'], apiGroups: [RBAC], resources: ['clusterroles'], resourceNames: ['cluster-admin'] }],
    [{ kind: 'User', name: 'jane' }],
  );
  bind({ apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' });
});

test('who writes a role or a binding is asked about by its own resource, and may escalate there', () => {
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
  for (const namespace of ['ns', '']) {
    const prefix = namespace === '' ? 'cluster' : '';
    const metadata = { name: 'x', ...(namespace === '' ? {} : { namespace }) };
    const world = testWorld();
    const asked: string[] = [];
    const authorizer = {
      ...world.authorizer,
      authorize: ({ verb, group, resource, name, namespace: where }: AuthorizationAttributes) => {
        asked.push(`${verb} ${resource}.${group} ${where}/${name}`);
        return { decision: 'no-opinion', reason: '' } as const;
      },
    };
    const { confirmRoleWrite, confirmBindingWrite } = escalationHooks(authorizer, world.decisions, 36);
    const by = context(world, user('jane'), namespace);
    assert.throws(() => confirmRoleWrite({ metadata, rules } as Role, undefined, by), {
      message: new RegExp(`^${prefix}roles\\.${RBAC} "x" is forbidden: `),
    });
    assert.throws(() => confirmRoleWrite({ metadata, rules } as Role, { metadata } as Role, by), { code: 403 });
    assert.throws(() => confirmBindingWrite({ metadata, roleRef } as Binding, undefined, by), {
      message: new RegExp(`^${prefix}rolebindings\\.${RBAC} "x" is forbidden: `),
    });
    assert.throws(
      () => confirmBindingWrite({ metadata, roleRef: { ...roleRef, name: 'no' } } as Binding, undefined, by),
      {
        message: `${prefix}rolebindings.${RBAC} "no" not found`,
      },
    );
    assert.deepEqual(asked, [
      ...[`escalate ${prefix}roles.${RBAC} ${namespace}/`, `escalate ${prefix}roles.${RBAC} ${namespace}/x`],
      ...[`bind clusterroles.${RBAC} ${namespace}/cluster-admin`, `bind clusterroles.${RBAC} ${namespace}/no`],
    ]);
  }
});

test('the garbage collector may write what it changes without anybody being asked', () => {
  const world = testWorld();
  const hooks = escalationHooks(world.authorizer, world.decisions, 36);
  const by = context(world, user('jane'), 'ns');
  const rules = [{ verbs: ['get'], apiGroups: [''], resources: ['secrets'] }];
  const roleRef = { apiGroup: RBAC, kind: 'ClusterRole', name: 'cluster-admin' };
  const old = { metadata: { name: 'x', namespace: 'ns', uid: 'u' }, rules, roleRef };
  const write = (changed: object, before: KubeObject | undefined = old): void => {
    const now = { ...old, metadata: { ...old.metadata, ...changed } } as KubeObject;
    hooks.confirmRoleWrite(now, before, by);
    hooks.confirmBindingWrite(now, before, by);
  };
  for (const changed of [{}, { finalizers: ['a/b'] }, { ownerReferences: [] }, { managedFields: [{}] }]) write(changed);
  for (const changed of [{ labels: {} }, { uid: 'v' }]) assert.throws(() => write(changed), { code: 403 });
  assert.throws(() => hooks.confirmRoleWrite(old, undefined, by), { code: 403 });
  assert.throws(() => hooks.confirmBindingWrite(old, undefined, by), { code: 403 });
  // What was sent counts, not what was made of it.
  const sent = { ...old, metadata: { name: 'x' } };
  assert.throws(() => hooks.confirmRoleWrite(old, old, { ...by, sent }), { code: 403 });
});

test('a role that gathers others, or has, is written by who may do everything', () => {
  const world = testWorld();
  const hooks = escalationHooks(world.authorizer, world.decisions, 36);
  const role = (selectors: readonly object[]) =>
    ({ metadata: { name: 'x' }, rules: [], aggregationRule: { clusterRoleSelectors: selectors } }) as unknown as Role;
  const write = (now: Role, old: Role | undefined, who = user('jane')): void =>
    hooks.confirmRoleWrite(now, old, context(world, who));
  const refused = {
    message: `clusterroles.${RBAC} "x" is forbidden: must have cluster-admin privileges to use the aggregationRule`,
  };
  write(role([]), role([]));
  assert.throws(() => write(role([{}]), undefined), refused);
  assert.throws(() => write(role([]), role([{}])), refused);
  write(role([{}]), undefined, user('root', 'system:masters'));
});

/** Sentences about a user who may write roles and bindings, and hands on what he holds. */

import { requestAllowed, requestForbidden, requestRefused } from '../../src/checks/authorization/access.js';
import { readSaying, saysJustThat } from '../../src/checks/common/sayings.js';
import { GROUP_AUTHENTICATED } from '../../src/kubernetes/names.js';
import type { Binding, PolicyRule, Role } from '../../src/kubernetes/objects.js';
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Question } from '../../src/targets/types.js';
import { clusterBinding, clusterRole, onceKnown, RBAC, user as userNamed } from '../common/grants.js';
import { attempts } from './attempts.js';

const WRITES = { needs: ['writes', 'requests', 'ours'], waits: true } as const;

/** Of the parts of a role of a namespace, which has no URLs. */
const INSIDE = 'default';

const WRITER = slot<{ readonly user: string; readonly role: string }>('a user who may write roles and bindings');

/** All that he holds. */
const HELD: readonly PolicyRule[] = [
  {
    verbs: ['get', 'create', 'update', 'patch'],
    apiGroups: [RBAC],
    resources: ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'],
  },
  { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['jp-one'] },
  { verbs: ['update'], apiGroups: ['apps'], resources: ['deployments'] },
  { verbs: ['get'], apiGroups: ['apps'], resources: ['*/scale'] },
  { verbs: ['get'], nonResourceURLs: ['/joinproof/*'] },
  { verbs: ['*'], apiGroups: ['storage.k8s.io'], resources: ['csidrivers'] },
  { verbs: ['list'], apiGroups: ['*'], resources: ['limitranges'] },
  { verbs: ['list'], apiGroups: ['batch'], resources: ['*'] },
];

async function writer(world: World, ...more: readonly PolicyRule[]): Promise<void> {
  const [user, role] = [`jp-${world.random(10)}`, `jp-${world.random(10)}`];
  await world.writes.create<Role>(resources.clusterRoles, clusterRole(role, [...HELD, ...more]));
  await world.writes.create<Binding>(resources.clusterRoleBindings, clusterBinding(role, role, userNamed(user)));
  // of somebody else, and more than he holds
  const beyond = clusterBinding(`${role}-view`, 'view', userNamed(`${user}-other`));
  await world.writes.create<Binding>(resources.clusterRoleBindings, beyond);
  const marked = clusterRole(`${role}-marked`, HELD);
  await world.writes.create<Role>(resources.clusterRoles, {
    ...marked,
    metadata: { ...marked.metadata, labels: { 'joinproof.io/marked': 'true' } },
  });
  const within = { ...clusterRole(`${role}-inside`, [rule(['create'], RBAC, 'roles')]), kind: 'Role' };
  await world.writes.create<Role>(resources.roles, { ...within, metadata: { ...within.metadata, namespace: INSIDE } });
  // of his own, in one namespace alone
  const metadata = { name: `${role}-there`, namespace: INSIDE };
  const there = { ...clusterRole(metadata.name, [SERVICES]), kind: 'Role', metadata };
  const given = { ...clusterBinding(metadata.name, metadata.name, userNamed(user)), kind: 'RoleBinding', metadata };
  await world.writes.create<Role>(resources.roles, there);
  await world.writes.create<Binding>(resources.roleBindings, {
    ...given,
    roleRef: { ...given.roleRef, kind: 'Role' },
  });
  world.put(WRITER, { user, role });
}

Given('a user who may write roles and bindings, and nothing else', WRITES, async function (this: World) {
  await writer(this);
});

Given(
  'a user who may write roles and bindings, and {string} every role',
  WRITES,
  async function (this: World, verb: string) {
    await writer(this, { verbs: [verb], apiGroups: [RBAC], resources: ['clusterroles', 'roles'] });
  },
);

Given(
  'a user who may write roles and bindings, and {string} the role {string}',
  WRITES,
  async function (this: World, verb: string, name: string) {
    await writer(this, { verbs: [verb], apiGroups: [RBAC], resources: ['clusterroles'], resourceNames: [name] });
  },
);

const rule = (verbs: readonly string[], apiGroup: string, ...names: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
});
const SERVICES = rule(['get'], '', 'services');
const MADE = 'jp-handed-on';
const post = (namespace: string | undefined, object: Role | Binding, resource: keyof typeof resources): Question => ({
  method: 'POST',
  path: pathOf(resources[resource], { namespace }),
  query: { dryRun: 'All' },
  body: namespace === undefined ? object : { ...object, metadata: { ...object.metadata, namespace } },
});
const newRole = (...rules: readonly PolicyRule[]): Question =>
  post(undefined, clusterRole(MADE, rules), 'clusterRoles');
const bound = (role: string, user: string): Question =>
  post(undefined, clusterBinding(MADE, role, userNamed(user)), 'clusterRoleBindings');
const inside = (kind: 'Role' | 'RoleBinding', object: Role | Binding): Question =>
  post(INSIDE, { ...object, kind }, kind === 'Role' ? 'roles' : 'roleBindings');

/** What is there already, written anew or in part. */
const changed = (
  method: 'PUT' | 'PATCH',
  resource: 'clusterRoles' | 'clusterRoleBindings' | 'roles',
  name: string,
  object: Role | Binding,
): Question => ({
  method,
  path: pathOf(resources[resource], { namespace: object.metadata.namespace, name }),
  query: { dryRun: 'All' },
  ...(method === 'PATCH' ? { contentType: PATCH_TYPES.merge } : {}),
  body: object,
});
const ownRole =
  (method: 'PUT' | 'PATCH', ...rules: readonly PolicyRule[]) =>
  ({ role }: { readonly role: string }): Question =>
    changed(method, 'clusterRoles', role, clusterRole(role, rules));
const ownBinding =
  (method: 'PUT' | 'PATCH') =>
  ({ role, user }: { readonly role: string; readonly user: string }): Question =>
    changed(
      method,
      'clusterRoleBindings',
      role,
      clusterBinding(role, role, userNamed(user), userNamed(`${user}-other`)),
    );
const bindingToView =
  (method: 'PUT' | 'PATCH') =>
  ({ role, user }: { readonly role: string; readonly user: string }): Question => {
    const name = `${role}-view`;
    return changed(method, 'clusterRoleBindings', name, clusterBinding(name, 'view', userNamed(user)));
  };

type OfWriter = (writer: { readonly user: string; readonly role: string }) => Question;
const SECRETS = rule(['get'], '', 'secrets');
const marked =
  (method: 'PUT' | 'PATCH'): OfWriter =>
  ({ role }) => {
    const name = `${role}-marked`;
    const labels = { 'joinproof.io/marked': 'true' };
    const wanted = clusterRole(name, [...HELD, SECRETS]);
    return changed(method, 'clusterRoles', name, { ...wanted, metadata: { ...wanted.metadata, labels } });
  };
/** A form of patch of a ClusterRole. */
const patch = (name: string, contentType: string, body: unknown, query: object = {}): Question => ({
  method: 'PATCH',
  path: pathOf(resources.clusterRoles, { name }),
  query: { dryRun: 'All', ...query },
  contentType,
  body,
});
const patchedBy =
  (contentType: string, body: (name: string) => unknown, query: object = {}): OfWriter =>
  ({ role }) =>
    patch(role, contentType, body(role), query);
/** What the garbage collector writes, which grants nobody anything. Source: pkg/apis/rbac/helpers.go, gc fields. */
const OWNED = {
  ownerReferences: [
    { apiVersion: 'v1', kind: 'ConfigMap', name: 'jp-owner', uid: '00000000-0000-4000-8000-000000000000' },
  ],
};
const HELD_UP = { finalizers: ['joinproof.invalid/held'] };
/** There is none yet of that name. */
const putWhereNone: OfWriter = ({ role }) => {
  const name = `${role}-none`;
  return changed('PUT', 'clusterRoles', name, clusterRole(name, [SECRETS]));
};
const insideRole =
  (method: 'PUT' | 'PATCH'): OfWriter =>
  ({ role }) => {
    const name = `${role}-inside`;
    const metadata = { name, namespace: INSIDE };
    return changed(method, 'roles', name, { ...clusterRole(name, [SECRETS]), kind: 'Role', metadata });
  };
const OTHERWISE: Readonly<Record<string, OfWriter>> = {
  'Secrets into a role that has labels': marked('PUT'),
  'a patch of Secrets into a role that has labels': marked('PATCH'),
  'a strategic patch of Secrets into his own role': patchedBy(PATCH_TYPES.strategic, () => ({
    rules: [...HELD, SECRETS],
  })),
  'a JSON patch of Secrets into his own role': patchedBy(PATCH_TYPES.json, () => [
    { op: 'add', path: '/rules/-', value: SECRETS },
  ]),
  'Secrets into his own role, applied': patchedBy(
    PATCH_TYPES.apply,
    (name) => JSON.stringify(clusterRole(name, [...HELD, SECRETS])),
    { fieldManager: 'joinproof', force: 'true' },
  ),
  'a role on Secrets, put where there is none': putWhereNone,
  'a label by which others collect it onto system:node-bootstrapper': () =>
    patch('system:node-bootstrapper', PATCH_TYPES.merge, {
      metadata: { labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
    }),
  'what he holds into a role that collects others no more': () =>
    patch('view', PATCH_TYPES.merge, { aggregationRule: null, rules: HELD }),
  'an owner of a role that holds more': () => patch('view', PATCH_TYPES.merge, { metadata: OWNED }),
  'a finalizer of a role that holds more': () => patch('view', PATCH_TYPES.merge, { metadata: HELD_UP }),
  'an owner of a binding to view': ({ role, user }) => {
    const binding = clusterBinding(`${role}-view`, 'view', userNamed(`${user}-other`));
    const owned = { ...binding, metadata: { ...binding.metadata, ...OWNED } };
    return changed('PATCH', 'clusterRoleBindings', `${role}-view`, owned);
  },
  'a role with what he holds in one namespace': () => newRole(SERVICES),
  'a role of that namespace with what he holds there': () => inside('Role', clusterRole(MADE, [SERVICES])),
  'a role of another namespace with what he holds there': () =>
    post('kube-public', { ...clusterRole(MADE, [SERVICES]), kind: 'Role' }, 'roles'),
  'a binding to a role that is not there': ({ user }) => bound('jp-absent', user),
  'a binding to a role of its namespace that is not there': ({ user }) => {
    const binding = clusterBinding(MADE, 'jp-absent', userNamed(user));
    return inside('RoleBinding', { ...binding, roleRef: { ...binding.roleRef, kind: 'Role' } });
  },
  'Secrets into a role of a namespace': insideRole('PUT'),
  'a patch of Secrets into a role of a namespace': insideRole('PATCH'),
};

/** By what the features call it. */
const HANDED: Readonly<Record<string, OfWriter>> = {
  'a role with what he holds': () => newRole(...HELD),
  'a role with less than he holds': () => newRole(rule(['create'], RBAC, 'roles')),
  'a binding of his own role': ({ role, user }) => bound(role, user),
  'a role on a path below one that he holds': () => newRole({ verbs: ['get'], nonResourceURLs: ['/joinproof/a'] }),
  'a role on scales of one kind': () => newRole(rule(['get'], 'apps', 'deployments/scale')),
  'a role on another path': () => newRole({ verbs: ['get'], nonResourceURLs: ['/joinproof-other'] }),
  'a role on a path above one that he holds': () => newRole({ verbs: ['get'], nonResourceURLs: ['/joinproof*'] }),
  'a role on a path with another verb': () => newRole({ verbs: ['post'], nonResourceURLs: ['/joinproof/a'] }),
  'a role on a part of what he holds': () => newRole(rule(['update'], 'apps', 'deployments/status')),
  'a role with one of all verbs': () => newRole(rule(['deletecollection'], 'storage.k8s.io', 'csidrivers')),
  'a role on one of all groups': () => newRole(rule(['list'], 'joinproof.io', 'limitranges')),
  'a role on one of all resources': () => newRole(rule(['list'], 'batch', 'cronjobs', 'jobs/status')),
  'a role on one name of those that he holds': () =>
    newRole({ ...rule(['update'], 'apps', 'deployments'), resourceNames: ['jp-one'] }),
  'a role with one of all verbs on another': () => newRole(rule(['list'], 'storage.k8s.io', 'csinodes')),
  'a role on one of all groups with another verb': () => newRole(rule(['get'], 'joinproof.io', 'limitranges')),
  'a role on one of all resources in another group': () => newRole(rule(['list'], 'apps', 'jobs')),
  'a role on scales of another group': () => newRole(rule(['get'], '', 'replicationcontrollers/scale')),
  'a role on what he holds in no group, in another one': () =>
    newRole({ ...rule(['get'], 'joinproof.invalid', 'configmaps'), resourceNames: ['jp-one'] }),
  'Secrets into the role view': () => changed('PATCH', 'clusterRoles', 'view', clusterRole('view', [SECRETS])),
  'a role on what he holds in another group': () => newRole(rule(['update'], 'extensions', 'deployments')),
  'a role on every group of what he holds': () => newRole(rule(['update'], '*', 'deployments')),
  'a role on everything of a group': () => newRole(rule(['update'], 'apps', '*')),
  'a role that collects others': () =>
    post(
      undefined,
      {
        ...clusterRole(MADE, []),
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { joinproof: 'none' } }] },
      } as Role,
      'clusterRoles',
    ),
  'a binding to system:node-bootstrapper': ({ user }) => bound('system:node-bootstrapper', user),
  'a role on Secrets': () => newRole(SECRETS),
  'a role with what he holds and more': () => newRole(...HELD, rule(['get'], '', 'services')),
  'a role on all of which he holds one': () => newRole(rule(['get'], '', 'configmaps')),
  'a role on another than he holds': () =>
    newRole({ ...rule(['get'], '', 'configmaps'), resourceNames: ['jp-one', 'jp-two'] }),
  'a role with another verb': () => newRole(rule(['delete'], RBAC, 'roles')),
  'a role with every verb': () => newRole(rule(['*'], RBAC, 'roles')),
  'a role with the verbs bind and escalate': () => newRole(rule(['bind', 'escalate'], RBAC, 'clusterroles')),
  'a role on everything': () => newRole(rule(['*'], '*', '*')),
  'a role on every path': () => newRole({ verbs: ['get'], nonResourceURLs: ['*'] }),
  'a role on Secrets in a namespace': () => inside('Role', clusterRole(MADE, [SECRETS])),
  'a binding to cluster-admin': ({ user }) => bound('cluster-admin', user),
  'a binding to view': ({ user }) => bound('view', user),
  'a binding to edit': ({ user }) => bound('edit', user),
  'a binding to cluster-admin in a namespace': ({ user }) =>
    inside('RoleBinding', clusterBinding(MADE, 'cluster-admin', userNamed(user))),
  'less into his own role': ownRole('PUT', rule(['create'], RBAC, 'roles')),
  'a part of what he holds into his own role': ownRole('PATCH', rule(['create'], RBAC, 'roles')),
  'Secrets into his own role': ownRole('PUT', ...HELD, SECRETS),
  'a patch of Secrets into his own role': ownRole('PATCH', ...HELD, SECRETS),
  'another user into the binding of his own role': ownBinding('PUT'),
  'a patch of another user into the binding of his own role': ownBinding('PATCH'),
  'himself into a binding to view': bindingToView('PUT'),
  'a patch of himself into a binding to view': bindingToView('PATCH'),
  ...OTHERWISE,
};

const asked = (world: World, table: DataTable) => {
  const writer = world.get(WRITER);
  return table.raw().map(([what = '']) => {
    const question = HANDED[what]?.(writer);
    if (question === undefined) return world.unknown(`the steps know nothing that is "${what}"`);
    return {
      subject: `write ${what}, as a user who may write roles and bindings`,
      question: { ...question, headers: { 'Impersonate-User': writer.user } },
    };
  });
};

Then('he may write:', WRITES, async function (this: World, table: DataTable) {
  const requests = asked(this, table);
  const answers = await onceKnown(
    this,
    () => attempts(this, this.admin, requests),
    ({ answer }) => answer.status === 200 || answer.status === 201,
  );
  this.check(requestAllowed, answers, { statuses: [200, 201] });
});

Then('he is forbidden to write:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestForbidden, await attempts(this, this.admin, asked(this, table)));
});

/** Source: pkg/registry/rbac/validation/rule.go ConfirmNoEscalation; internal_version_adapter.go CompactString. */
Then('who is forbidden to write a role is told of all that he does not hold', WRITES, async function (this: World) {
  const { user } = this.get(WRITER);
  const question = newRole(
    rule(['get', 'list'], '', 'secrets'),
    rule(['get'], '', 'configmaps'),
    { verbs: ['get'], nonResourceURLs: ['/metrics'] },
    rule(['update'], 'apps', 'deployments'),
  );
  const lacked = [
    '{APIGroups:[""], Resources:["configmaps"], Verbs:["get"]}',
    '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
    '{NonResourceURLs:["/metrics"], Verbs:["get"]}',
  ];
  const who = `user "${user}" (groups=["${GROUP_AUTHENTICATED}"])`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${lacked.join('\n')}`;
  const says = { reason: 'Forbidden', message: `clusterroles.${RBAC} "${MADE}" is forbidden: ${why}` };
  const answer = await this.admin.ask({ ...question, headers: { 'Impersonate-User': user } });
  this.check(saysJustThat, [readSaying('a role with more than he holds', { status: 403, says }, answer)]);
});

Then('he finds no role for:', WRITES, async function (this: World, table: DataTable) {
  this.check(requestRefused, await attempts(this, this.admin, asked(this, table)), { statuses: [404] });
});

/** The binding of his own role, pointed to another one; and with another user, which is nobody's business. */
const POINTED: Readonly<Record<string, OfWriter>> = {
  'a replacement': ({ role, user }) =>
    changed('PUT', 'clusterRoleBindings', role, clusterBinding(role, 'view', userNamed(user))),
  'a patch': ({ role, user }) =>
    changed('PATCH', 'clusterRoleBindings', role, clusterBinding(role, 'view', userNamed(user))),
};

Then(
  'nobody points the binding of his role to another one, by:',
  WRITES,
  async function (this: World, table: DataTable) {
    const writer = this.get(WRITER);
    const others = { subject: 'a patch of another user into that binding, as an administrator' };
    const good = await attempts(this, this.admin, [{ ...others, question: ownBinding('PATCH')(writer) }]);
    this.grant(requestAllowed, good, {});
    const requests = table.raw().map(([what = '']) => ({
      subject: `${what} of that binding that names another role, as an administrator`,
      question: POINTED[what]?.(writer) ?? this.unknown(`the steps know nothing that is "${what}"`),
    }));
    this.check(requestRefused, await attempts(this, this.admin, requests), { statuses: [422] });
  },
);

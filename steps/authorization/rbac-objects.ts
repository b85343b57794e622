/** Sentences about roles and bindings at rest. */
import { defaultsGiveNoMore } from '../../src/checks/authorization/default-roles.js';
import {
  boundOnlyTo,
  boundToRole,
  type Documented,
  heldBy,
  holdsExactly,
  may,
  mayNot,
} from '../../src/checks/authorization/privileges.js';
import {
  bindingApiGroups,
  bindingRefers,
  bindingRoles,
  bindsAtLeast,
  bindsExactly,
  bindsNobody,
  roleAtLeast,
  roleAtMost,
  roleExactly,
  roleExactlyIfThere,
  roleRepaired,
} from '../../src/checks/authorization/rbac.js';
import type { Holder, Named } from '../../src/checks/authorization/rbac-policy.js';
import type { Sort } from '../../src/checks/authorization/rbac-subjects.js';
import { tokenGroups, tokensWithGroups } from '../../src/checks/bootstrap-tokens/token-groups.js';
import {
  accountGroups,
  accountUser,
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  GROUP_UNAUTHENTICATED,
  KUBE_SYSTEM,
  NODE_USER_PREFIX,
  USER_ANONYMOUS,
} from '../../src/kubernetes/names.js';
import { resources } from '../../src/kubernetes/resources.js';
import { defaultRoles } from '../../src/run/default-roles.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import type { World } from '../../src/run/world.js';
import { documentedOf, permissionOf, permissionsOf, subjectsOf } from '../common/permission-tables.js';
import { extrasOf, POLICY, readPolicy } from '../common/policy.js';
import { wholeLists } from '../common/reading.js';
import { tokensOfKubeSystem } from '../common/token-secrets.js';

const stranger: Holder = { user: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] };
const joining: Holder = {
  user: `${BOOTSTRAP_USER_PREFIX}<id>`,
  groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED],
};
const node: Holder = { user: `${NODE_USER_PREFIX}<name>`, groups: [GROUP_NODES, GROUP_AUTHENTICATED] };

const clusterRole = (name: string): Named => ({ kind: 'ClusterRole', name });
const clusterBinding = (name: string): Named => ({ kind: 'ClusterRoleBinding', name });

Given('the roles and bindings of the cluster', { needs: ['objects'] }, async function (this: World) {
  await readPolicy(this);
});

Given(
  'the roles and bindings of a cluster that kubeadm has set up',
  { needs: ['objects', 'kubeadm'] },
  async function (this: World) {
    await readPolicy(this);
  },
);

Then('roles and bindings of the API server itself give no more than Kubernetes does', function (this: World) {
  this.check(defaultsGiveNoMore, this.get(POLICY), defaultRoles());
});

Then('the ClusterRole {string} grants exactly:', function (this: World, name: string, table: DataTable) {
  const wanted = { role: clusterRole(name), permissions: permissionsOf(this, table) };
  this.check(roleExactly, this.get(POLICY), wanted);
});

Then('the ClusterRole {string} grants at least:', function (this: World, name: string, table: DataTable) {
  const wanted = { role: clusterRole(name), permissions: permissionsOf(this, table) };
  this.check(roleAtLeast, this.get(POLICY), wanted);
});

Then('the ClusterRole {string} grants at most:', function (this: World, name: string, table: DataTable) {
  const wanted = { role: clusterRole(name), permissions: permissionsOf(this, table) };
  this.check(roleAtMost, this.get(POLICY), wanted);
});

Then(
  'the Role {string} in {string}, where it exists, grants exactly:',
  function (this: World, name: string, namespace: string, table: DataTable) {
    const role: Named = { kind: 'Role', name, namespace };
    this.check(roleExactlyIfThere, this.get(POLICY), { role, permissions: permissionsOf(this, table) });
  },
);

Then(
  "the ClusterRole {string} is one of the API server's defaults and repaired by it",
  function (this: World, name: string) {
    this.check(roleRepaired, this.get(POLICY), { role: clusterRole(name) });
  },
);

Then(
  'the ClusterRoleBinding {string} refers to the ClusterRole {string}',
  function (this: World, name: string, role: string) {
    this.check(bindingRefers, this.get(POLICY), { binding: clusterBinding(name), role: `ClusterRole ${role}` });
  },
);

Then('the ClusterRoleBinding {string} binds exactly:', function (this: World, name: string, table: DataTable) {
  this.check(bindsExactly, this.get(POLICY), { binding: clusterBinding(name), subjects: subjectsOf(table) });
});

Then('the ClusterRoleBinding {string} binds at least:', function (this: World, name: string, table: DataTable) {
  this.check(bindsAtLeast, this.get(POLICY), { binding: clusterBinding(name), subjects: subjectsOf(table) });
});

Then('the ClusterRoleBinding {string} binds nobody', function (this: World, name: string) {
  this.check(bindsNobody, this.get(POLICY), { binding: clusterBinding(name) });
});

Then('{string} goes to no group that everybody is in', function (this: World, what: string) {
  const who = 'groups that not everybody is in';
  this.check(heldBy, this.get(POLICY), { permission: permissionOf(what), who, never: ['everybody'] });
});

Then('{string} goes to bootstrappers and administrators only', function (this: World, what: string) {
  this.check(heldBy, this.get(POLICY), {
    permission: permissionOf(what),
    who: 'bootstrappers and administrators',
    never: ['everybody', 'nodes'],
    only: ['bootstrappers'],
    extras: extrasOf(this),
  });
});

const nobodyMay = (world: World, { holder, what, who }: { holder: Holder; what: string; who: string }): boolean =>
  world.check(mayNot, world.get(POLICY), { holder, permission: permissionOf(what), who });

Then('no node may {string}', function (this: World, what: string) {
  nobodyMay(this, { holder: node, what, who: 'a node' });
});

Then('no bootstrap token may {string}', function (this: World, what: string) {
  nobodyMay(this, { holder: joining, what, who: 'a bootstrap token' });
});

Then('the User {string} must not:', function (this: World, user: string, table: DataTable) {
  const holder = { user, groups: [GROUP_AUTHENTICATED] };
  for (const { permission } of documentedOf(this, table))
    this.check(mayNot, this.get(POLICY), { holder, permission, who: `the user ${user}` });
});

/** Absent is only what a list of all would have. */
async function letDo(world: World, holder: Holder, who: string, table: DataTable): Promise<void> {
  const { clusterRoles, roles, clusterRoleBindings, roleBindings } = resources;
  await wholeLists(world, [clusterRoles, roles, clusterRoleBindings, roleBindings]);
  for (const { permission } of documentedOf(world, table))
    world.check(may, world.get(POLICY), { holder, permission, who });
}

Then('roles and bindings let the controller {string}:', function (this: World, name: string, table: DataTable) {
  const account = { namespace: KUBE_SYSTEM, name };
  const holder = { user: accountUser(account), groups: [...accountGroups(account), GROUP_AUTHENTICATED] };
  return letDo(this, holder, `the controller ${name}`, table);
});

Then('roles and bindings let the user {string}:', function (this: World, user: string, table: DataTable) {
  return letDo(this, { user, groups: [GROUP_AUTHENTICATED] }, `the user ${user}`, table);
});

Then('roles and bindings let the group {string}:', function (this: World, group: string, table: DataTable) {
  return letDo(this, { user: '', groups: [group, GROUP_AUTHENTICATED] }, `the group ${group}`, table);
});

Then('roles and bindings let strangers:', function (this: World, table: DataTable) {
  return letDo(this, stranger, 'a stranger', table);
});

Then("roleRef and subjects of every binding of bootstrappers or nodes are in RBAC's API group", function (this: World) {
  this.check(bindingApiGroups, this.get(POLICY), { among: ['bootstrappers', 'nodes'] });
});

Then('every role that a binding of joining machines, nodes or strangers names exists', function (this: World) {
  this.check(bindingRoles, this.get(POLICY), { among: ['bootstrappers', 'nodes', 'strangers'] });
});

Then('RBAC opens something to the groups of every bootstrap token', async function (this: World) {
  this.check(tokenGroups, this.get(POLICY), { tokens: tokensWithGroups(await tokensOfKubeSystem(this)) });
});

Then(
  'every binding to the ClusterRole {string} binds bootstrappers, machines or users, whatever its name',
  function (this: World, role: string) {
    const who = `groups below ${GROUP_BOOTSTRAPPERS}, users, service accounts or nodes`;
    const only = ['bootstrappers', 'users', 'service accounts', 'nodes'] as const;
    this.check(boundToRole, this.get(POLICY), { role, only, who });
  },
);

Then(
  /^(bootstrappers|strangers) are bound only to these roles:$/,
  async function (this: World, sort: Sort, table: DataTable) {
    const roles = table.hashes().map((row) => row.role ?? '');
    this.check(boundOnlyTo, this.get(POLICY), { sort, roles, extras: extrasOf(this) });
  },
);

/** The end of every table: what else a holder has is told. */
async function holds(
  world: World,
  holder: Holder,
  documented: readonly Documented[],
  alike: readonly { readonly kind: 'User' | 'Group'; readonly prefix: string }[] = [],
): Promise<void> {
  world.check(holdsExactly, world.get(POLICY), { holder, documented, extras: extrasOf(world), alike });
}

Then(
  'a joining token holds these permissions, the needed ones where kubeadm has set the cluster up, and no other:',
  async function (this: World, table: DataTable) {
    await holds(this, joining, documentedOf(this, table), [
      { kind: 'Group', prefix: `${GROUP_BOOTSTRAPPERS}:` },
      { kind: 'User', prefix: BOOTSTRAP_USER_PREFIX },
    ]);
  },
);

Then('a node holds no permissions but these:', async function (this: World, table: DataTable) {
  await holds(this, node, documentedOf(this, table), [{ kind: 'User', prefix: NODE_USER_PREFIX }]);
});

Then('a stranger holds no permissions but these:', async function (this: World, table: DataTable) {
  await holds(this, stranger, documentedOf(this, table));
});

/** Sentences about roles and bindings at rest. */

import {
  judgeApiGroups,
  judgeBinding,
  judgeBindingsOf,
  judgeEffective,
  judgeHolders,
  judgeRole,
  judgeRoleRefs,
} from '../../src/checks/rbac.js';
import {
  bindingName,
  expand,
  grantsOf,
  type Holder,
  holdersOf,
  includes,
  namedSubjects,
  type Permission,
  type Policy,
  permissionText,
  subjectName,
} from '../../src/checks/rbac-policy.js';
import { judgeTokenGroups, tokensWithGroups } from '../../src/checks/token-groups.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  GROUP_UNAUTHENTICATED,
  KUBE_SYSTEM,
  NODE_USER_PREFIX,
  TOKEN_SECRET_TYPE,
  USER_ANONYMOUS,
} from '../../src/kubernetes/names.js';
import type { Binding, Role, Secret, Subject } from '../../src/kubernetes/objects.js';
import { resources } from '../../src/kubernetes/resources.js';
import { judgeEach } from '../../src/model/evidence.js';
import { type DataTable, Given, Then } from '../../src/run/define.js';
import { knownExtras } from '../../src/run/known-extras.js';
import type { World } from '../../src/run/world.js';
import { documentedOf, permissionOf, permissionsOf, subjectsOf } from '../common/permission-tables.js';

/** Groups that say nothing but "somebody who is already in": whoever is bound through them, everybody is. */
const BROAD = [GROUP_AUTHENTICATED, GROUP_UNAUTHENTICATED, 'system:serviceaccounts'];
const isBroad = (subject: Subject): boolean =>
  (subject.kind === 'Group' && (BROAD.includes(subject.name) || subject.name.startsWith('system:serviceaccounts:'))) ||
  (subject.kind === 'User' && subject.name === USER_ANONYMOUS);
const isBootstrapper = (subject: Subject): boolean =>
  (subject.kind === 'Group' &&
    (subject.name === GROUP_BOOTSTRAPPERS || subject.name.startsWith(`${GROUP_BOOTSTRAPPERS}:`))) ||
  (subject.kind === 'User' && subject.name.startsWith(BOOTSTRAP_USER_PREFIX));
const isNode = (subject: Subject): boolean =>
  (subject.kind === 'Group' && subject.name === GROUP_NODES) ||
  (subject.kind === 'User' && subject.name.startsWith(NODE_USER_PREFIX));
const isStranger = (subject: Subject): boolean =>
  (subject.kind === 'Group' && subject.name === GROUP_UNAUTHENTICATED) ||
  (subject.kind === 'User' && subject.name === USER_ANONYMOUS);

const stranger: Holder = { user: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] };
const joining: Holder = {
  user: `${BOOTSTRAP_USER_PREFIX}<id>`,
  groups: [GROUP_BOOTSTRAPPERS, GROUP_DEFAULT_NODE_TOKEN, GROUP_AUTHENTICATED],
};
const node: Holder = { user: `${NODE_USER_PREFIX}<name>`, groups: [GROUP_NODES, GROUP_AUTHENTICATED] };
const EVERYTHING: Permission = { kind: 'resource', verb: '*', group: '*', resource: '*', namespace: '*', name: '*' };

/** Read once a run: rules about objects at rest judge what was there when it began. */
async function readPolicy(world: World): Promise<void> {
  world.keep('policy', await world.shared('roles and bindings', () => listPolicy(world)));
}

async function listPolicy(world: World): Promise<Policy> {
  const [clusterRoles, roles, clusterRoleBindings, roleBindings] = await Promise.all([
    world.objects.list<Role>(resources.clusterRoles),
    world.objects.list<Role>(resources.roles),
    world.objects.list<Binding>(resources.clusterRoleBindings),
    world.objects.list<Binding>(resources.roleBindings),
  ]);
  return { clusterRoles, roles, clusterRoleBindings, roleBindings };
}

const policyOf = (world: World): Policy => world.kept<Policy>('policy');
const all = (policy: Policy): Binding[] => [...policy.clusterRoleBindings, ...policy.roleBindings];
const clusterRole = (world: World, name: string): Role | undefined =>
  policyOf(world).clusterRoles.find((role) => role.metadata.name === name);
const clusterBinding = (world: World, name: string): Binding | undefined =>
  policyOf(world).clusterRoleBindings.find((item) => item.metadata.name === name);
const isAdministrator = (policy: Policy, binding: Binding): boolean =>
  holdersOf(policy, EVERYTHING).some((holder) => holder.binding === binding);

Given('the roles and bindings of the cluster', async function (this: World) {
  await readPolicy(this);
});

Given('the roles and bindings of a cluster that kubeadm has set up', async function (this: World) {
  this.need('kubeadm');
  await readPolicy(this);
});

Then('the ClusterRole {string} grants exactly:', function (this: World, name: string, table: DataTable) {
  this.judge(judgeRole(clusterRole(this, name), `ClusterRole ${name}`, permissionsOf(table)));
});

Then('the ClusterRole {string} grants at least:', function (this: World, name: string, table: DataTable) {
  const role = clusterRole(this, name);
  const wanted = permissionsOf(table);
  const given = expand(role?.rules ?? []);
  this.judge(
    judgeEach(
      wanted.map((permission) => {
        const ok = given.some((candidate) => includes(candidate, permission));
        return {
          object: `ClusterRole ${name}`,
          demanded: `grants "${permissionText(permission)}"`,
          seen: role === undefined ? 'the role does not exist' : ok ? 'it does' : 'it does not',
          ok,
        };
      }),
      'the feature names no permission',
    ),
  );
});

Then('the ClusterRole {string} grants at most:', function (this: World, name: string, table: DataTable) {
  const role = clusterRole(this, name);
  if (role === undefined) this.skip('nothing', `there is no ClusterRole ${name}`);
  const wanted = permissionsOf(table);
  // a permission that lacks is another rule's business: demand only those that are there
  const given = expand(role?.rules ?? []);
  this.judge(
    judgeRole(
      role,
      `ClusterRole ${name}`,
      wanted.filter((permission) => given.some((candidate) => includes(candidate, permission))),
    ),
  );
});

Then(
  'the Role {string} in {string}, where it exists, grants exactly:',
  function (this: World, name: string, namespace: string, table: DataTable) {
    const role = policyOf(this).roles.find(
      (item) => item.metadata.name === name && item.metadata.namespace === namespace,
    );
    if (role === undefined) this.skip('nothing', `there is no Role ${namespace}/${name}`);
    this.judge(judgeRole(role, `Role ${namespace}/${name}`, permissionsOf(table)));
  },
);

Then(
  "the ClusterRole {string} is one of the API server's defaults and repaired by it",
  function (this: World, name: string) {
    const role = clusterRole(this, name);
    const label = role?.metadata.labels?.['kubernetes.io/bootstrapping'];
    const update = role?.metadata.annotations?.['rbac.authorization.kubernetes.io/autoupdate'];
    const object = `ClusterRole ${name}`;
    this.judge(
      judgeEach(
        [
          {
            object,
            demanded: 'label kubernetes.io/bootstrapping=rbac-defaults',
            seen: label ?? 'no such label',
            ok: label === 'rbac-defaults',
          },
          {
            object,
            demanded: 'annotation rbac.authorization.kubernetes.io/autoupdate="true"',
            seen: update ?? 'no such annotation',
            ok: update === 'true',
          },
        ],
        '',
      ),
    );
  },
);

Then(
  'the ClusterRoleBinding {string} refers to the ClusterRole {string}',
  function (this: World, name: string, role: string) {
    this.judge(judgeBinding(clusterBinding(this, name), `ClusterRoleBinding ${name}`, { role: `ClusterRole ${role}` }));
  },
);

Then('the ClusterRoleBinding {string} binds exactly:', function (this: World, name: string, table: DataTable) {
  const binding = clusterBinding(this, name);
  const role = binding === undefined ? '' : `${binding.roleRef.kind} ${binding.roleRef.name}`;
  this.judge(judgeBinding(binding, `ClusterRoleBinding ${name}`, { role, subjects: subjectsOf(table) }));
});

Then('the ClusterRoleBinding {string} binds at least:', function (this: World, name: string, table: DataTable) {
  const subjects = (clusterBinding(this, name)?.subjects ?? []).map((subject) => `${subject.kind} ${subject.name}`);
  this.judge(
    judgeEach(
      subjectsOf(table).map((wanted) => ({
        object: `ClusterRoleBinding ${name}`,
        demanded: `binds ${wanted}`,
        seen: `it binds ${subjects.join(', ') || 'nobody'}`,
        ok: subjects.includes(wanted),
      })),
      'the feature names no subject',
    ),
  );
});

Then('the ClusterRoleBinding {string} binds nobody', function (this: World, name: string) {
  const binding = clusterBinding(this, name);
  if (binding === undefined) return;
  this.judge(
    judgeBinding(binding, `ClusterRoleBinding ${name}`, {
      role: `${binding.roleRef.kind} ${binding.roleRef.name}`,
      subjects: [],
    }),
  );
});

Then('{string} goes to no group that everybody is in', function (this: World, what: string) {
  this.judge(
    judgeHolders(policyOf(this), permissionOf(what), (subject) => !isBroad(subject), 'groups that not everybody is in'),
  );
});

Then('{string} goes to bootstrappers and administrators only', function (this: World, what: string) {
  const policy = policyOf(this);
  const allowed = (subject: Subject, binding: Binding): boolean =>
    !isBroad(subject) && !isNode(subject) && (isBootstrapper(subject) || isAdministrator(policy, binding));
  this.judge(judgeHolders(policy, permissionOf(what), allowed, 'bootstrappers and administrators'));
});

function nobodyMay(world: World, holder: Holder, what: string, who: string): void {
  const wanted = permissionOf(what);
  const givers = grantsOf(policyOf(world), holder).filter((grant) => includes(grant.permission, wanted));
  world.judge(
    judgeEach(
      givers.length === 0
        ? [{ object: who, demanded: `must not "${what}"`, seen: 'no binding grants it', ok: true }]
        : givers.map((grant) => ({
            object: grant.binding,
            demanded: `${who} must not "${what}"`,
            seen: `${grant.role} grants it to ${grant.subject}`,
            ok: false,
          })),
      '',
    ),
  );
}

Then('no node may {string}', function (this: World, what: string) {
  nobodyMay(this, node, what, 'a node');
});

Then('no bootstrap token may {string}', function (this: World, what: string) {
  nobodyMay(this, joining, what, 'a bootstrap token');
});

Then("roleRef and subjects of every binding of bootstrappers or nodes are in RBAC's API group", function (this: World) {
  const ours = all(policyOf(this)).filter((binding) =>
    (binding.subjects ?? []).some((subject) => isBootstrapper(subject) || isNode(subject)),
  );
  this.judge(judgeApiGroups(ours));
});

Then('every role that a binding of joining machines, nodes or strangers names exists', function (this: World) {
  const policy = policyOf(this);
  const reached = (subject: Subject): boolean => isBootstrapper(subject) || isNode(subject) || isStranger(subject);
  this.judge(
    judgeRoleRefs(
      policy,
      all(policy).filter((binding) => (binding.subjects ?? []).some(reached)),
    ),
  );
});

Given('every bootstrap token Secret that authenticates with groups of its own', async function (this: World) {
  const secrets = await this.objects.list<Secret>(resources.secrets, {
    namespace: KUBE_SYSTEM,
    fieldSelector: `type=${TOKEN_SECRET_TYPE}`,
  });
  this.keep('tokens with groups', tokensWithGroups(secrets));
});

Then('RBAC grants something to a group of each token', function (this: World) {
  this.judge(judgeTokenGroups(this.kept('tokens with groups'), policyOf(this)));
});

Then(
  'every binding to the ClusterRole {string} binds bootstrappers or users, whatever its name',
  function (this: World, role: string) {
    const bindings = policyOf(this).clusterRoleBindings.filter(
      (binding) => binding.roleRef.kind === 'ClusterRole' && binding.roleRef.name === role,
    );
    this.judge(
      judgeEach(
        bindings.flatMap((binding) =>
          (binding.subjects ?? []).map((subject) => ({
            object: bindingName(binding),
            demanded: `binds groups below ${GROUP_BOOTSTRAPPERS}, or users`,
            seen: `it binds ${subjectName(subject)}`,
            ok: isBootstrapper(subject) || (subject.kind === 'User' && !isStranger(subject)),
          })),
        ),
        'nobody is bound to it: machines do not join this cluster with bootstrap tokens',
      ),
    );
  },
);

function boundOnlyTo(world: World, matches: (subject: Subject) => boolean, table: DataTable, who: string): void {
  const roles = table.hashes().map((row) => row.role ?? '');
  const nameOf = (binding: Binding): string =>
    binding.roleRef.kind === 'Role'
      ? `Role ${binding.metadata.namespace ?? ''}/${binding.roleRef.name}`
      : `ClusterRole ${binding.roleRef.name}`;
  // roles of kubelet-config carried the version in their names up to 1.23
  const expected = (binding: Binding): boolean =>
    roles.includes(nameOf(binding).replace(/^(Role kube-system\/kubeadm:kubelet-config)-1\.\d+$/, '$1'));
  world.judge(
    judgeBindingsOf(policyOf(world), matches, expected, knownExtras(), `${who} are bound only to the documented roles`),
  );
}

Then('bootstrappers are bound only to these roles:', function (this: World, table: DataTable) {
  boundOnlyTo(this, isBootstrapper, table, 'bootstrappers');
});

Then('strangers are bound only to these roles:', function (this: World, table: DataTable) {
  boundOnlyTo(this, isStranger, table, 'strangers');
});

/** `others` are holders of the same sort that some binding names by themselves: they must hold no more, and need hold nothing. */
function holdsExactly(world: World, holder: Holder, table: DataTable, others: readonly Holder[] = []): void {
  const documented = documentedOf(table, world.holds('kubeadm'));
  world.judge(judgeEffective(policyOf(world), holder, documented, knownExtras()));
  const allowed = documented.map(({ permission }) => ({ permission, needed: false }));
  for (const other of others) world.judge(judgeEffective(policyOf(world), other, allowed, knownExtras()));
}

Then('a joining token holds exactly these permissions:', function (this: World, table: DataTable) {
  const policy = policyOf(this);
  const groups = namedSubjects(
    policy,
    'Group',
    (name) => name.startsWith(`${GROUP_BOOTSTRAPPERS}:`) && name !== GROUP_DEFAULT_NODE_TOKEN,
  );
  const users = namedSubjects(policy, 'User', (name) => name.startsWith(BOOTSTRAP_USER_PREFIX));
  holdsExactly(this, joining, table, [
    ...groups.map((group) => ({ user: joining.user, groups: [GROUP_BOOTSTRAPPERS, group, GROUP_AUTHENTICATED] })),
    ...users.map((user) => ({ user, groups: joining.groups })),
  ]);
});

Then('a node holds exactly these permissions:', function (this: World, table: DataTable) {
  const users = namedSubjects(policyOf(this), 'User', (name) => name.startsWith(NODE_USER_PREFIX));
  holdsExactly(
    this,
    node,
    table,
    users.map((user) => ({ user, groups: node.groups })),
  );
});

Then('a stranger holds exactly these permissions:', function (this: World, table: DataTable) {
  holdsExactly(this, stranger, table);
});

Then('the User {string} is no administrator', function (this: World, user: string) {
  nobodyMay(this, { user, groups: [GROUP_AUTHENTICATED] }, '* *.*', `the user ${user}`);
});

/** Sentences about who may read cluster-info without credentials, and what gave it to them. */

import { judgeBinding, judgeBindingsOf, judgeRole } from '../../src/checks/rbac.js';
import { type StrangerReading, strangerGivenKubeconfig } from '../../src/checks/strangers.js';
import {
  CLUSTER_INFO,
  CLUSTER_INFO_KUBECONFIG,
  GROUP_UNAUTHENTICATED,
  KUBE_PUBLIC,
  USER_ANONYMOUS,
} from '../../src/kubernetes/names.js';
import type { Binding, ConfigMap, Role } from '../../src/kubernetes/objects.js';
import { pathOf, resources } from '../../src/kubernetes/resources.js';
import { type DataTable, Then, When } from '../../src/run/define.js';
import { knownExtras } from '../../src/run/known-extras.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { permissionsOf } from '../common/permission-tables.js';
import { STRANGERS } from '../common/strangers.js';

const READING = slot<StrangerReading>('what a stranger was answered');

When('a stranger reads cluster-info', STRANGERS, async function (this: World) {
  const path = pathOf(resources.configMaps, { namespace: KUBE_PUBLIC, name: CLUSTER_INFO });
  const { status, body } = await this.as({ kind: 'anonymous' }).ask({ path });
  const { data } = (body ?? {}) as ConfigMap;
  this.put(READING, { status, kubeconfig: data?.[CLUSTER_INFO_KUBECONFIG] !== undefined });
});

Then('the stranger gets the kubeconfig', function (this: World) {
  this.check(strangerGivenKubeconfig, this.get(READING));
});

const PUBLIC_ROLE = 'kubeadm:bootstrap-signer-clusterinfo';

Then('the Role that opens cluster-info grants exactly:', async function (this: World, table: DataTable) {
  const role = await this.objects.get<Role>(resources.roles, PUBLIC_ROLE, KUBE_PUBLIC);
  this.judge(judgeRole(role, `Role ${KUBE_PUBLIC}/${PUBLIC_ROLE}`, permissionsOf(table)));
});

const publicBinding = (world: World): Promise<Binding | undefined> =>
  world.objects.get<Binding>(resources.roleBindings, PUBLIC_ROLE, KUBE_PUBLIC);

Then('the RoleBinding that opens cluster-info refers to that Role', async function (this: World) {
  this.judge(
    judgeBinding(await publicBinding(this), `RoleBinding ${KUBE_PUBLIC}/${PUBLIC_ROLE}`, {
      role: `Role ${PUBLIC_ROLE}`,
    }),
  );
});

Then('it binds strangers, as a user or as a group, and nobody else', async function (this: World) {
  const binding = await publicBinding(this);
  const subjects = (binding?.subjects ?? []).map(({ kind, name }) => `${kind} ${name}`);
  const [user, group] = [`User ${USER_ANONYMOUS}`, `Group ${GROUP_UNAUTHENTICATED}`];
  const ok = subjects.length > 0 && subjects.every((name) => name === user || name === group);
  const note = subjects.includes(group)
    ? 'kubeadm binds the user; the group of document 002 has the same effect'
    : undefined;
  this.expect({
    object: `RoleBinding ${KUBE_PUBLIC}/${PUBLIC_ROLE}`,
    demanded: `binds ${user}`,
    seen: binding === undefined ? 'it does not exist' : `it binds ${subjects.join(', ') || 'nobody'}`,
    ok,
    ...(note === undefined ? {} : { note }),
  });
});

Then('strangers are in no ClusterRoleBinding but those to:', async function (this: World, table: DataTable) {
  const roles = table.raw().map(([role = '']) => role);
  const [clusterRoles, clusterRoleBindings] = await Promise.all([
    this.objects.list<Role>(resources.clusterRoles),
    this.objects.list<Binding>(resources.clusterRoleBindings),
  ]);
  this.judge(
    judgeBindingsOf(
      { clusterRoles, clusterRoleBindings, roles: [], roleBindings: [] },
      ({ kind, name }) =>
        (kind === 'Group' && name === GROUP_UNAUTHENTICATED) || (kind === 'User' && name === USER_ANONYMOUS),
      ({ roleRef }) => roles.includes(roleRef.name),
      knownExtras(),
      'strangers are in no other ClusterRoleBinding',
    ),
  );
});

/** Roles and bindings of a scenario's own, and what is asked under them. */
import type { Binding, PolicyRule, Role, Subject } from '../../src/kubernetes/objects.js';
import type { World } from '../../src/run/world.js';
import { SOON } from './waiting.js';

export const RBAC = 'rbac.authorization.k8s.io';

export const clusterRole = (name: string, rules: readonly PolicyRule[]): Role => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});

export const user = (name: string): Subject => ({ kind: 'User', name, apiGroup: RBAC });
export const group = (name: string): Subject => ({ kind: 'Group', name, apiGroup: RBAC });

/** Binds a ClusterRole to these. */
export const clusterBinding = (name: string, role: string, ...subjects: readonly Subject[]): Binding => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  subjects,
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
});

/** Binds a ClusterRole to these in a namespace. */
export const roleBinding = (
  [namespace, name]: readonly [namespace: string, name: string],
  role: string,
  ...subjects: readonly Subject[]
): Binding => ({
  ...clusterBinding(name, role, ...subjects),
  kind: 'RoleBinding',
  metadata: { name, namespace },
});

/** What `ask` got in the end: a new role is not known at once, so it is asked again until all is as it should be. */
export async function onceKnown<T>(
  world: World,
  ask: () => Promise<readonly T[]>,
  isKnown: (answer: T) => boolean,
): Promise<readonly T[]> {
  let answers = await ask();
  await world.eventually(SOON, async () => {
    if (answers.every(isKnown)) return true;
    answers = await ask();
    return undefined;
  });
  return answers;
}

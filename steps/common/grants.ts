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

/** Binds a ClusterRole to one subject. */
export const clusterBinding = (name: string, role: string, subject: Pick<Subject, 'kind' | 'name'>): Binding => ({
  apiVersion: `${RBAC}/v1`,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  subjects: [{ ...subject, apiGroup: RBAC }],
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
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

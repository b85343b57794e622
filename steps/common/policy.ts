/**
 * The roles and bindings of the cluster: read once a run, since rules about objects at rest judge what was there when
 * it began.
 */
import { policyRead } from '../../src/checks/rbac.js';
import { type Policy, policyOf } from '../../src/checks/rbac-policy.js';
import type { Binding, Role } from '../../src/kubernetes/objects.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';

export const POLICY = slot<Policy>('the roles and bindings of the cluster');

async function listPolicy(world: World): Promise<Policy> {
  const theirs = <T>(resource: Resource): Promise<T[]> => world.objects.list(resource, {}, world.theirs<T>(resource));
  const [clusterRoles, roles, clusterRoleBindings, roleBindings] = await Promise.all([
    theirs<Role>(resources.clusterRoles),
    theirs<Role>(resources.roles),
    theirs<Binding>(resources.clusterRoleBindings),
    theirs<Binding>(resources.roleBindings),
  ]);
  return policyOf({ clusterRoles, roles, clusterRoleBindings, roleBindings });
}

/** That it was really read is granted: an empty policy grants nobody too much. */
export async function readPolicy(world: World): Promise<Policy> {
  const policy = await world.shared(`roles and bindings of ${world.target.name}`, () => listPolicy(world));
  world.grant(policyRead, policy);
  return world.put(POLICY, policy);
}

/**
 * The roles and bindings of the cluster: read once a run, since rules about objects at rest judge what was there when
 * it began.
 */
import { policyRead } from '../../src/checks/rbac.js';
import { bindingIn, type Policy, policyOf, roleIn } from '../../src/checks/rbac-policy.js';
import { type Resource, resources } from '../../src/kubernetes/resources.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import type { Keep } from '../../src/targets/types.js';

export const POLICY = slot<Policy>('the roles and bindings of the cluster');

async function listPolicy(world: World): Promise<Policy> {
  const list = <T>(resource: Resource, keep: Keep<T>): Promise<T[]> =>
    world.objects.list(resource, {}, world.theirs(resource, keep));
  const [clusterRoles, roles, clusterRoleBindings, roleBindings] = await Promise.all([
    list(resources.clusterRoles, roleIn),
    list(resources.roles, roleIn),
    list(resources.clusterRoleBindings, bindingIn),
    list(resources.roleBindings, bindingIn),
  ]);
  return policyOf({ clusterRoles, roles, clusterRoleBindings, roleBindings });
}

/** That it was really read is granted: an empty policy grants nobody too much. */
export async function readPolicy(world: World): Promise<Policy> {
  const policy = await world.shared(`roles and bindings of ${world.target.name}`, () => listPolicy(world));
  world.grant(policyRead, policy);
  return world.put(POLICY, policy);
}

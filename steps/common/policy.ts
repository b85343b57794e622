/**
 * The roles and bindings of the cluster: read once a run, since rules about objects at rest judge what was there when
 * it began.
 */

import type { KnownExtra } from '../../src/checks/authorization/privileges.js';
import { policyRead } from '../../src/checks/authorization/rbac.js';
import { type Policy, policyOf } from '../../src/checks/authorization/rbac-policy.js';
import { knownExtras } from '../../src/run/known-extras.js';
import { slot } from '../../src/run/slot.js';
import type { World } from '../../src/run/world.js';
import { atRest } from './searched.js';

export const POLICY = slot<Policy>('the roles and bindings of the cluster');

async function listPolicy(world: World): Promise<Policy> {
  const [clusterRoles, roles, clusterRoleBindings, roleBindings] = await Promise.all([
    atRest(world, 'clusterRoles'),
    atRest(world, 'roles'),
    atRest(world, 'clusterRoleBindings'),
    atRest(world, 'roleBindings'),
  ]);
  return policyOf({ clusterRoles: clusterRoles.map(({ role }) => role), roles, clusterRoleBindings, roleBindings });
}

/** That it was really read is granted: an empty policy grants nobody too much. */
export async function readPolicy(world: World): Promise<Policy> {
  const policy = await world.shared(`roles and bindings of ${world.target.name}`, () => listPolicy(world));
  world.grant(policyRead, policy);
  return world.put(POLICY, policy);
}

/** Bindings that are known to be added: wherever, and to clusters of the run's profile. */
export const extrasOf = ({ profile }: World): readonly KnownExtra[] => [...knownExtras(), ...profile.extras];

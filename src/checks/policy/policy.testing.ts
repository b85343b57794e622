/** Roles and bindings for tests of the judge. */
import type { Binding, PolicyRule, Role, Subject } from '../../kubernetes/objects.js';
import type { Policy } from '../authorization/rbac-policy.js';

export const RBAC = 'rbac.authorization.k8s.io';
export const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC, name });
export const user = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC, name });
export const clusterRole = (name: string, ...rules: readonly PolicyRule[]): Role => ({ metadata: { name }, rules });
export const bind = (name: string, role: string, ...subjects: readonly Subject[]): Binding => ({
  metadata: { name },
  subjects,
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
});
export const policy = (
  clusterRoles: readonly Role[],
  clusterRoleBindings: readonly Binding[],
  rest: Partial<Policy> = {},
): Policy => ({ clusterRoles, clusterRoleBindings, roles: [], roleBindings: [], ...rest });
export const csr: PolicyRule = {
  verbs: ['create'],
  apiGroups: ['certificates.k8s.io'],
  resources: ['certificatesigningrequests'],
};
export const secrets: PolicyRule = { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] };

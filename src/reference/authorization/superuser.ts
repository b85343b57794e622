/**
 * Members of the privileged group are allowed everything. Source: apiserver, pkg/authorization/authorizerfactory
 * NewPrivilegedGroups.
 */
import type { Authorizer } from '../../apiserver/access.js';
import type { Decisions } from '../decisions.js';

export const superuserAuthorizer = (decisions: Decisions): Authorizer => ({
  authorize: ({ user }) => ({ decision: decisions.isSuperuser(user) ? 'allow' : 'no-opinion', reason: '' }),
});

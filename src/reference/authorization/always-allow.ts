/** --authorization-mode=AlwaysAllow. Source: apiserver, pkg/authorization/authorizerfactory/builtin.go. */
import type { Authorizer } from '../../apiserver/access.js';
import type { PolicyRule } from '../../kubernetes/objects.js';

export const alwaysAllowAuthorizer: Authorizer = { authorize: () => ({ decision: 'allow', reason: '' }) };

/** What it says that a user may do. */
export const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

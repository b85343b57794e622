/**
 * All authorizers of a kubeadm API server as one. Source: pkg/kubeapiserver/authorizer/reload.go newForConfig;
 * apiserver, pkg/authorization/union/union.go.
 */

import type { AuthorizationAttributes, AuthorizationDecision, Authorizer } from '../../apiserver/access.js';
import type { Store } from '../../apiserver/types.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import type { AuthorizerName } from '../decisions/authorization.js';
import type { Decisions } from '../decisions.js';
import { alwaysAllowAuthorizer, EVERYTHING } from './always-allow.js';
import { createNodeAuthorizer } from './node.js';
import { createNodeGraph } from './node-graph.js';
import { createRbacAuthorizer, type RbacAuthorizer, type ResolvedRules } from './rbac.js';
import { superuserAuthorizer } from './superuser.js';

/** Rules of a user as SelfSubjectRulesReview shows them. */
export interface ListedRules extends ResolvedRules {
  /** True where an authorizer cannot enumerate its permissions: nodes. */
  readonly incomplete: boolean;
}

export interface ServerAuthorizer extends Authorizer {
  readonly rbac: RbacAuthorizer;
  listRules(user: UserInfo, namespace: string): ListedRules;
  stop(): void;
}

export interface AuthorizerOptions {
  readonly store: Store;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
  /** --authorization-mode=AlwaysAllow: everything is allowed and no default role is made. */
  readonly alwaysAllow?: boolean;
}

export function createAuthorizer(options: AuthorizerOptions): ServerAuthorizer {
  const { store, decisions, minor, alwaysAllow = false } = options;
  const rbac = createRbacAuthorizer(store, decisions);
  const graph = createNodeGraph(store, decisions, minor);
  const each: Readonly<Record<AuthorizerName, Authorizer>> = {
    superuser: superuserAuthorizer(decisions),
    AlwaysAllow: alwaysAllowAuthorizer,
    Node: createNodeAuthorizer(graph, decisions, minor),
    RBAC: rbac,
  };
  const inOrder = decisions.authorizers(alwaysAllow).map((name) => each[name]);
  const answers = function* (attributes: AuthorizationAttributes): Generator<AuthorizationDecision> {
    for (const authorizer of inOrder) yield authorizer.authorize(attributes);
  };

  return {
    rbac,
    authorize: (attributes) => decisions.authorizersTogether(attributes, answers(attributes)),
    listRules(user, namespace) {
      if (alwaysAllow) return { rules: EVERYTHING, errors: [], incomplete: false };
      const found = rbac.rulesFor(user, decisions.namespaceOfListedRules(namespace));
      const { errors } = found;
      const rules = decisions.listedRules(found.rules);
      if (decisions.nodeOf(user) === undefined) return { rules, errors, incomplete: false };
      const silent = 'node authorizer does not support user rule resolution';
      return { rules, errors: [silent, ...errors], incomplete: true };
    },
    stop() {
      rbac.stop();
      graph.stop();
    },
  };
}

/**
 * All authorizers of a kubeadm API server as one: system:masters, Node, RBAC. Source: pkg/kubeapiserver/authorizer/reload.go newForConfig;
 * apiserver, pkg/authorization/union/union.go.
 */

import type { Authorizer, Store } from '../../apiserver/types.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { createNodeAuthorizer } from './node-authorizer.js';
import { createNodeGraph } from './node-graph.js';
import { createRbacAuthorizer, type RbacAuthorizer, type ResolvedRules } from './rbac.js';

/** Rules of a user as SelfSubjectRulesReview shows them. */
export interface ListedRules extends ResolvedRules {
  /** True where an authorizer cannot enumerate its permissions: nodes. */
  readonly incomplete: boolean;
}

export interface ServerAuthorizer extends Authorizer {
  readonly rbac: RbacAuthorizer;
  /** Minor of the version played. */
  readonly minor: number;
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

export function createAuthorizer({
  store,
  decisions,
  minor,
  alwaysAllow = false,
}: AuthorizerOptions): ServerAuthorizer {
  const rbac = createRbacAuthorizer(store, decisions);
  const graph = createNodeGraph(store);
  const union: readonly Authorizer[] = alwaysAllow
    ? [{ authorize: () => ({ decision: 'allow', reason: '' }) }]
    : [createNodeAuthorizer(graph, decisions, minor), rbac];

  return {
    rbac,
    minor,
    authorize(attributes) {
      if (decisions.isSuperuser(attributes.user))
        return decisions.finalAuthorization(attributes, { decision: 'allow', reason: '' });
      const reasons: string[] = [];
      for (const authorizer of union) {
        const answer = authorizer.authorize(attributes);
        if (answer.decision !== 'no-opinion') return decisions.finalAuthorization(attributes, answer);
        reasons.push(answer.reason);
      }
      return decisions.finalAuthorization(attributes, {
        decision: 'no-opinion',
        reason: decisions.joinReasons(reasons),
      });
    },
    listRules(user, namespace) {
      if (alwaysAllow) {
        return {
          rules: [
            { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
            { verbs: ['*'], nonResourceURLs: ['*'] },
          ],
          errors: [],
          incomplete: false,
        };
      }
      const isNode = decisions.nodeOf(user) !== undefined;
      const found = rbac.rulesFor(user, namespace);
      return isNode
        ? {
            rules: found.rules,
            errors: ['node authorizer does not support user rule resolution', ...found.errors],
            incomplete: true,
          }
        : { ...found, incomplete: false };
    },
    stop() {
      rbac.stop();
      graph.stop();
    },
  };
}

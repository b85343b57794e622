/**
 * Which authorizers there are, which rule allows what to whom, and who may hand rights on.
 * Source: pkg/kubeapiserver/authorizer/reload.go; apiserver, pkg/authorization/union;
 * pkg/apis/rbac/v1/evaluation_helpers.go;
 * pkg/registry/rbac/validation/rule.go; component-helpers, auth/rbac/validation/policy_comparator.go.
 */

import type { AuthorizationAttributes, AuthorizationDecision } from '../../apiserver/access.js';
import { GROUP_MASTERS } from '../../kubernetes/names.js';
import type { PolicyRule, RoleRef, Subject, UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { serviceAccountUsername } from './service-account-names.js';

/** Authorizers by name; AlwaysAllow is --authorization-mode=AlwaysAllow. */
export type AuthorizerName = 'superuser' | 'Node' | 'RBAC' | 'AlwaysAllow';

/** Releases whose 404 of a role that is not there names the resource of the request. */
const MISSING_ROLE_NAMES_REQUEST: Span = { since: 32 };
/** Gate AuthorizeWithSelectors. */
const REVIEWS_KNOW_SELECTORS: Span = { since: 32 };

const coversUrl = (owner: string, wanted: string): boolean =>
  owner === wanted || (owner.endsWith('*') && wanted.startsWith(owner.replace(/(?<!\*)\*+$/, '')));
const has = (list: readonly string[] | undefined, value: string): boolean => list?.includes(value) ?? false;

export const authorizationDecisions = {
  /**
   * The authorizers, in the order of asking; `alwaysAllow`: as --authorization-mode says. Source: reload.go
   * newForConfig.
   */
  authorizers: (alwaysAllow: boolean): readonly AuthorizerName[] =>
    alwaysAllow ? ['superuser', 'AlwaysAllow'] : ['superuser', 'Node', 'RBAC'],

  /**
   * What several authorizers come to: the first that allows or denies has the word; where none does, their reasons
   * together. `answers` come one by one, each only when it is looked at. Source: union.go Authorize.
   */
  authorizersTogether: (
    _attributes: AuthorizationAttributes,
    answers: Iterable<AuthorizationDecision>,
  ): AuthorizationDecision => {
    const reasons: string[] = [];
    for (const answer of answers) {
      if (answer.decision !== 'no-opinion') return answer;
      if (answer.reason !== '') reasons.push(answer.reason);
    }
    return { decision: 'no-opinion', reason: reasons.join('\n') };
  },

  /**
   * Members are allowed everything before any authorizer is asked. Source: pkg/kubeapiserver/authorizer/reload.go;
   * authorizerfactory NewPrivilegedGroups.
   */
  isSuperuser: (user: UserInfo): boolean => user.groups.includes(GROUP_MASTERS),

  /** Source: evaluation_helpers.go VerbMatches. */
  verbMatches: (rule: PolicyRule, verb: string): boolean => has(rule.verbs, '*') || has(rule.verbs, verb),

  /** Source: evaluation_helpers.go APIGroupMatches. The API version never matters. */
  groupMatches: (rule: PolicyRule, group: string): boolean => has(rule.apiGroups, '*') || has(rule.apiGroups, group),

  /**
   * A star, the exact resource[/subresource], or a star with that subresource. Source: evaluation_helpers.go
   * ResourceMatches.
   */
  resourceMatches: (rule: PolicyRule, resource: string, subresource: string): boolean => {
    if (has(rule.resources, '*')) return true;
    if (subresource === '') return has(rule.resources, resource);
    return has(rule.resources, `${resource}/${subresource}`) || has(rule.resources, `*/${subresource}`);
  },

  /**
   * No resourceNames: every name, also none. Otherwise one must be equal, so a request without a name is never allowed.
   * Source: evaluation_helpers.go ResourceNameMatches.
   */
  resourceNameMatches: (rule: PolicyRule, name: string): boolean =>
    (rule.resourceNames?.length ?? 0) === 0 || has(rule.resourceNames, name),

  /** Exact, or a prefix where the rule ends in "*". Source: evaluation_helpers.go NonResourceURLMatches. */
  nonResourceUrlMatches: (rule: PolicyRule, path: string): boolean =>
    rule.nonResourceURLs?.some((url) => url === '*' || coversUrl(url, path)) ?? false,

  /**
   * API groups that a User or Group of a binding may have; the validation of bindings names the first. Source:
   * pkg/apis/rbac/validation/validation.go ValidateRoleBindingSubject.
   */
  subjectGroups: (): readonly string[] => ['rbac.authorization.k8s.io'],

  /** Whether a binding may be pointed to another role. Source: pkg/apis/rbac/validation/validation.go, roleRef. */
  roleRefMayChange: (): boolean => false,

  /** Whom a user is, for bindings: by name, and as a member of each group. Source: rule.go appliesToUser. */
  principalsOf: (user: UserInfo): readonly string[] => [
    `User ${user.username}`,
    ...user.groups.map((group) => `Group ${group}`),
  ],

  /**
   * Whom a subject of a binding means, undefined for nobody. `bindingNamespace` is '' for a ClusterRoleBinding. Source:
   * rule.go appliesToUser.
   */
  subjectPrincipal: (subject: Subject, bindingNamespace: string): string | undefined => {
    if (subject.kind === 'User' || subject.kind === 'Group') return `${subject.kind} ${subject.name}`;
    if (subject.kind !== 'ServiceAccount') return undefined;
    const given = subject.namespace ?? '';
    const namespace = given === '' ? bindingNamespace : given;
    return namespace === '' ? undefined : `User ${serviceAccountUsername(namespace, subject.name)}`;
  },

  /**
   * Which object a roleRef names; undefined where its kind is none that RBAC knows. Source: rule.go
   * GetRoleReferenceRules.
   */
  roleOf: (
    ref: RoleRef,
    bindingNamespace: string,
  ): { readonly resource: 'roles' | 'clusterroles'; readonly namespace: string; readonly name: string } | undefined => {
    if (ref.kind === 'Role') return { resource: 'roles', namespace: bindingNamespace, name: ref.name };
    if (ref.kind === 'ClusterRole') return { resource: 'clusterroles', namespace: '', name: ref.name };
    return undefined;
  },

  /**
   * Whether one rule of the granter covers an atomic rule (one verb, one resource, at most one name). Source:
   * policy_comparator.go ruleCovers.
   */
  ruleCovers: (owner: PolicyRule, wanted: PolicyRule): boolean => {
    const all = (set: readonly string[] | undefined, covers: readonly string[] | undefined): boolean =>
      (covers ?? []).every((one) => has(set, one));
    const resources = (wanted.resources ?? []).every((resource) => {
      if (has(owner.resources, '*') || has(owner.resources, resource)) return true;
      const slash = resource.indexOf('/');
      return slash >= 0 && has(owner.resources, `*/${resource.slice(slash + 1)}`);
    });
    const names =
      (owner.resourceNames?.length ?? 0) === 0 ||
      ((wanted.resourceNames?.length ?? 0) > 0 && all(owner.resourceNames, wanted.resourceNames));
    return (
      (has(owner.verbs, '*') || all(owner.verbs, wanted.verbs)) &&
      (has(owner.apiGroups, '*') || all(owner.apiGroups, wanted.apiGroups)) &&
      resources &&
      names &&
      (wanted.nonResourceURLs ?? []).every((url) => owner.nonResourceURLs?.some((one) => coversUrl(one, url)) ?? false)
    );
  },

  /**
   * May `who` write rules that they do not hold, or bind such a role? True skips the comparison of rights. `allowed`
   * asks the authorizer for the verb on that role. Source: pkg/registry/rbac/escalation_check.go EscalationAllowed,
   * RoleEscalationAuthorized, BindingAuthorized.
   */
  maySkipEscalationCheck: (user: UserInfo, verb: 'escalate' | 'bind', allowed: (verb: string) => boolean): boolean =>
    user.groups.includes(GROUP_MASTERS) || allowed(verb),

  /**
   * Whether the 404 of a binding's missing role names the resource of the request. Source:
   * pkg/registry/rbac/validation/rule.go.
   */
  missingRoleNamesRequest: (minor: number): boolean => inSpan(minor, MISSING_ROLE_NAMES_REQUEST),

  /**
   * Whether a default role or binding is put right at a start. Source: component-helpers, reconcile_role.go; annotation
   * autoupdate.
   */
  policyIsRepaired: (annotations: Readonly<Record<string, string>>): boolean =>
    annotations['rbac.authorization.kubernetes.io/autoupdate'] !== 'false',

  /**
   * Rules of a role that collects others, of those that are collected now and those that it holds. Source:
   * clusterroleaggregation_controller.go syncClusterRole.
   */
  rulesCollected: (collected: readonly PolicyRule[], _held: readonly PolicyRule[]): readonly PolicyRule[] => collected,

  /**
   * Which namespace's rules a review of one's own rights lists beside those of everywhere. Source: selfsubjectrulesreview,
   * rest.go.
   */
  namespaceOfListedRules: (asked: string): string => asked,

  /** What of the rules that reach a user is listed to him: all. Source: rbac.go RulesFor. */
  listedRules: (rules: readonly PolicyRule[]): readonly PolicyRule[] => rules,

  /** Whether access reviews look at selectors. */
  reviewsKnowSelectors: (minor: number): boolean => inSpan(minor, REVIEWS_KNOW_SELECTORS),
};

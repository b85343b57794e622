/**
 * The RBAC authorizer: which bindings reach a user, which rules those give, and whether one of them allows a request.
 * Source: plugin/pkg/auth/authorizer/rbac/rbac.go; pkg/registry/rbac/validation/rule.go.
 */

import { goQuote } from '../../apiserver/go/text.js';
import type { AuthorizationAttributes, AuthorizationDecision, Store } from '../../apiserver/types.js';
import type { Binding, KubeObject, PolicyRule, Role, Subject, UserInfo } from '../../kubernetes/objects.js';
import { authorizationDecisions } from '../decisions/authorization.js';
import type { Decisions } from '../decisions.js';

const RBAC = 'rbac.authorization.k8s.io';
const CLUSTER_BINDINGS = { group: RBAC, resource: 'clusterrolebindings' };
const BINDINGS = { group: RBAC, resource: 'rolebindings' };

/** Rules that one binding gives a user, or why it gives none. */
interface Grant {
  /** Says which binding, in upstream's words; only asked for when it allows something. */
  source(): string;
  readonly rules: readonly PolicyRule[];
  readonly error?: string;
}

/** Rules of a user in a namespace; `errors` are those of bindings whose role is not there. */
export interface ResolvedRules {
  readonly rules: readonly PolicyRule[];
  readonly errors: readonly string[];
}

export interface RbacAuthorizer {
  authorize(attributes: AuthorizationAttributes): AuthorizationDecision;
  /** Every rule of a user, cluster-wide ones first; namespace '' leaves out RoleBindings. Source: rule.go RulesFor. */
  rulesFor(user: UserInfo, namespace: string): ResolvedRules;
  /** Rules of the role that a binding names, or the error of looking it up. Source: rule.go GetRoleReferenceRules. */
  rulesOfRole(
    ref: Binding['roleRef'],
    namespace: string,
  ): { readonly rules: readonly PolicyRule[] } | { readonly error: string; readonly missing?: Missing };
  stop(): void;
}

/** A role that a binding names and that is not there. */
export interface Missing {
  readonly resource: 'roles' | 'clusterroles';
  readonly name: string;
}

/** Several errors as one text. Source: apimachinery, pkg/util/errors/errors.go Aggregate.Error. */
export function aggregate(errors: readonly string[]): string {
  const distinct = [...new Set(errors)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}

const describeSubject = (subject: Subject, namespace: string): string =>
  subject.kind === 'ServiceAccount'
    ? `ServiceAccount ${goQuote(`${subject.name}/${subject.namespace === undefined || subject.namespace === '' ? namespace : subject.namespace}`)}`
    : `${subject.kind} ${goQuote(subject.name)}`;

function describe(binding: Binding, subject: Subject, namespace: string): string {
  const { name = '' } = binding.metadata;
  const role = `${binding.roleRef.kind} ${goQuote(binding.roleRef.name)}`;
  const what =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `${what} of ${role} to ${describeSubject(subject, namespace)}`;
}

/** Users whose grants are remembered at once before the memory is emptied. */
const REMEMBERED = 1000;

/** Bindings by who they may reach: "u:" and a user name, "g:" and a group. Values are positions in the list, ascending. */
type Reach = ReadonlyMap<string, readonly number[]>;

/** Source of what reaches whom: rule.go appliesToUser. */
function reachOf(bindings: readonly Binding[], namespace: string): Reach {
  const reach = new Map<string, number[]>();
  bindings.forEach(({ subjects = [] }, position) => {
    for (const subject of subjects) {
      const home = subject.namespace === undefined || subject.namespace === '' ? namespace : subject.namespace;
      const key =
        subject.kind === 'Group'
          ? `g:${subject.name}`
          : `u:${subject.kind === 'ServiceAccount' ? `system:serviceaccount:${home}:` : ''}${subject.name}`;
      const known = reach.get(key);
      if (known === undefined) reach.set(key, [position]);
      else if (known.at(-1) !== position) known.push(position);
    }
  });
  return reach;
}

export function createRbacAuthorizer(store: Store, decisions: Decisions): RbacAuthorizer {
  // Grants change only with RBAC objects, so they are worked out once per user and namespace and forgotten with the next change of any of those.
  const remembered = new Map<string, readonly Grant[]>();
  const reaches = new WeakMap<readonly KubeObject[], Reach>();
  const unsubscribe = store.subscribe((event) => {
    if (event.resource.group === RBAC) remembered.clear();
  });

  /** Bindings that may reach the user. A replaced decision may reach anybody, so it is asked about all of them. */
  const candidates = (user: UserInfo, bindings: readonly Binding[], namespace: string): readonly Binding[] => {
    if (decisions.subjectApplies !== authorizationDecisions.subjectApplies) return bindings;
    let reach = reaches.get(bindings);
    if (reach === undefined) {
      reach = reachOf(bindings, namespace);
      reaches.set(bindings, reach);
    }
    const positions = new Set(reach.get(`u:${user.username}`));
    for (const group of user.groups) for (const position of reach.get(`g:${group}`) ?? []) positions.add(position);
    return [...positions].sort((a, b) => a - b).flatMap((position) => bindings[position] ?? []);
  };

  const rulesOfRole: RbacAuthorizer['rulesOfRole'] = (ref, namespace) => {
    const place = decisions.roleOf(ref, namespace);
    if (place === undefined) return { error: `unsupported role reference kind: ${goQuote(ref.kind)}` };
    const role = store.get(
      { group: RBAC, resource: place.resource },
      place.namespace === '' ? undefined : place.namespace,
      place.name,
    );
    if (role !== undefined) return { rules: (role as Role).rules ?? [] };
    return {
      error: `${place.resource === 'roles' ? 'role' : 'clusterrole'}.${RBAC} ${goQuote(place.name)} not found`,
      missing: { resource: place.resource, name: place.name },
    };
  };

  const collect = (user: UserInfo, bindings: readonly Binding[], namespace: string, grants: Grant[]): void => {
    for (const binding of candidates(user, bindings, namespace)) {
      const subject = binding.subjects?.find((one) => decisions.subjectApplies(user, one, namespace));
      if (subject === undefined) continue;
      const source = (): string => describe(binding, subject, namespace);
      const found = rulesOfRole(binding.roleRef, namespace);
      grants.push('rules' in found ? { source, rules: found.rules } : { source, rules: [], error: found.error });
    }
  };

  const grantsOf = (user: UserInfo, namespace: string): readonly Grant[] => {
    const key = JSON.stringify([namespace, user.username, user.groups]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const grants: Grant[] = [];
    collect(user, store.list(CLUSTER_BINDINGS) as readonly Binding[], '', grants);
    if (namespace !== '') collect(user, store.list(BINDINGS, namespace) as readonly Binding[], namespace, grants);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(key, grants);
    return grants;
  };

  return {
    authorize(attributes) {
      const grants = grantsOf(attributes.user, attributes.namespace);
      for (const { source, rules } of grants) {
        if (rules.some((rule) => ruleAllows(rule, attributes, decisions)))
          return { decision: 'allow', reason: `RBAC: allowed by ${source()}` };
      }
      const errors = grants.flatMap(({ error }) => error ?? []);
      return { decision: 'no-opinion', reason: errors.length === 0 ? '' : `RBAC: ${aggregate(errors)}` };
    },
    rulesFor(user, namespace) {
      const grants = grantsOf(user, namespace);
      return { rules: grants.flatMap(({ rules }) => rules), errors: grants.flatMap(({ error }) => error ?? []) };
    },
    rulesOfRole,
    stop: unsubscribe,
  };
}

/** Source: rbac.go RuleAllows. */
export function ruleAllows(rule: PolicyRule, attributes: AuthorizationAttributes, decisions: Decisions): boolean {
  if (!decisions.verbMatches(rule, attributes.verb)) return false;
  if (!attributes.isResourceRequest) return decisions.nonResourceUrlMatches(rule, attributes.path);
  return (
    decisions.groupMatches(rule, attributes.group) &&
    decisions.resourceMatches(rule, attributes.resource, attributes.subresource) &&
    decisions.resourceNameMatches(rule, attributes.name)
  );
}

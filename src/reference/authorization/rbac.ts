/**
 * The RBAC authorizer: which bindings reach a user, which rules those give, and whether one of them allows a request.
 * Source: plugin/pkg/auth/authorizer/rbac/rbac.go; pkg/registry/rbac/validation/rule.go.
 */

import type { AuthorizationAttributes, AuthorizationDecision } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import type { Store } from '../../apiserver/types.js';
import type { Binding, KubeObject, PolicyRule, Role, Subject, UserInfo } from '../../kubernetes/objects.js';
import { createMemory } from '../../kubernetes/remembered.js';
import type { Decisions } from '../decisions.js';
import { aggregate } from '../go-errors.js';

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

function describeSubject(subject: Subject, namespace: string): string {
  const given = subject.namespace ?? '';
  const name = subject.kind === 'ServiceAccount' ? `${subject.name}/${given === '' ? namespace : given}` : subject.name;
  return `${subject.kind} ${goQuote(name)}`;
}

function describe(binding: Binding, subject: Subject, namespace: string): string {
  const { name = '' } = binding.metadata;
  const role = `${binding.roleRef.kind} ${goQuote(binding.roleRef.name)}`;
  const what =
    namespace === '' ? `ClusterRoleBinding ${goQuote(name)}` : `RoleBinding ${goQuote(`${name}/${namespace}`)}`;
  return `${what} of ${role} to ${describeSubject(subject, namespace)}`;
}

/** Users and namespaces whose grants are remembered at once. */
const REMEMBERED = 1000;

/**
 * Bindings by whom they reach. Values are positions in the list, ascending, with the first subject that means this
 * principal.
 */
type Reach = ReadonlyMap<string, ReadonlyMap<number, Subject>>;

function reachOf(bindings: readonly Binding[], namespace: string, decisions: Decisions): Reach {
  const reach = new Map<string, Map<number, Subject>>();
  bindings.forEach(({ subjects = [] }, position) => {
    for (const subject of subjects) {
      const principal = decisions.subjectPrincipal(subject, namespace);
      if (principal === undefined) continue;
      const reached = reach.get(principal) ?? new Map<number, Subject>();
      reach.set(principal, reached);
      if (!reached.has(position)) reached.set(position, subject);
    }
  });
  return reach;
}

/** Bindings that reach a user, in their order, with the first of their subjects that does. */
function* reaching(
  user: UserInfo,
  bindings: readonly Binding[],
  reach: Reach,
  decisions: Decisions,
): Generator<readonly [Binding, Subject]> {
  const found = new Map<number, Subject>();
  for (const principal of decisions.principalsOf(user)) {
    for (const [position, subject] of reach.get(principal) ?? []) {
      const known = found.get(position);
      const subjects = bindings[position]?.subjects ?? [];
      if (known === undefined || subjects.indexOf(subject) < subjects.indexOf(known)) found.set(position, subject);
    }
  }
  for (const [position, subject] of [...found].sort(([a], [b]) => a - b)) {
    const binding = bindings[position];
    if (binding !== undefined) yield [binding, subject];
  }
}

export function createRbacAuthorizer(store: Store, decisions: Decisions): RbacAuthorizer {
  // Grants change only with RBAC objects, so they are worked out once per user and namespace and forgotten with the
  // next change of any of those.
  const remembered = createMemory<string, readonly Grant[]>(REMEMBERED);
  const reaches = new WeakMap<readonly KubeObject[], Reach>();
  const unsubscribe = store.onTouch(({ group }) => {
    if (group === RBAC) remembered.clear();
  });

  const reachIn = (bindings: readonly Binding[], namespace: string): Reach => {
    const known = reaches.get(bindings);
    if (known !== undefined) return known;
    const reach = reachOf(bindings, namespace, decisions);
    reaches.set(bindings, reach);
    return reach;
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

  const grantsIn = (user: UserInfo, bindings: readonly Binding[], namespace: string): readonly Grant[] =>
    [...reaching(user, bindings, reachIn(bindings, namespace), decisions)].map(([binding, subject]) => {
      const source = (): string => describe(binding, subject, namespace);
      const found = rulesOfRole(binding.roleRef, namespace);
      return 'rules' in found ? { source, rules: found.rules } : { source, rules: [], error: found.error };
    });

  const grantsOf = (user: UserInfo, namespace: string): readonly Grant[] => {
    const key = JSON.stringify([namespace, user.username, user.groups]);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const grants = [
      ...grantsIn(user, store.list(CLUSTER_BINDINGS) as readonly Binding[], ''),
      ...(namespace === '' ? [] : grantsIn(user, store.list(BINDINGS, namespace) as readonly Binding[], namespace)),
    ];
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

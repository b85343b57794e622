/**
 * The roles and bindings that an API server makes for itself, and how it repairs them at every start.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy; pkg/registry/rbac/rest/storage_rbac.go; component-helpers,
 * auth/rbac/reconciliation.
 */
import { isDeepStrictEqual } from 'node:util';
import type { GroupResource, Store } from '../../apiserver/types.js';
import type { Binding, KubeObject, PolicyRule, Role, Subject } from '../../kubernetes/objects.js';
import { inSpan } from '../../kubernetes/versions.js';
import type { Decisions } from '../decisions.js';
import { CLUSTER_ROLES, NAMESPACE_ROLES } from './bootstrap-cluster-roles.js';
import { CONTROLLER_ROLES } from './bootstrap-controller-roles.js';
import { uncovered } from './rules.js';

const RBAC = 'rbac.authorization.k8s.io';
const API_VERSION = `${RBAC}/v1`;
const AUTOUPDATE = 'rbac.authorization.kubernetes.io/autoupdate';
const LABELS = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
const AGGREGATE = 'rbac.authorization.k8s.io/aggregate-to-';

/** One object of the policy and where it is stored. */
export interface PolicyObject {
  readonly resource: GroupResource;
  readonly object: KubeObject;
}

const CLUSTER_ROLE: GroupResource = { group: RBAC, resource: 'clusterroles' };
const CLUSTER_BINDING: GroupResource = { group: RBAC, resource: 'clusterrolebindings' };
const ROLE: GroupResource = { group: RBAC, resource: 'roles' };
const BINDING: GroupResource = { group: RBAC, resource: 'rolebindings' };

/** Which roles gather others, and which are gathered. Source: policy.go clusterRoles. */
const GATHERS: Readonly<Record<string, string>> = { admin: 'admin', edit: 'edit', view: 'view' };
const GATHERED: Readonly<Record<string, string>> = {
  edit: 'admin',
  view: 'edit',
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};

/**
 * Who the ClusterRoles that are no controller's are bound to: g: group, u: user, s: service account of kube-system.
 * Source: policy.go clusterRoleBindings.
 */
const CLUSTER_BINDINGS: Readonly<Record<string, readonly string[]>> = {
  'cluster-admin': ['g:system:masters'],
  'system:basic-user': ['g:system:authenticated'],
  'system:discovery': ['g:system:authenticated'],
  'system:kube-controller-manager': ['u:system:kube-controller-manager'],
  'system:kube-dns': ['s:kube-dns'],
  'system:kube-scheduler': ['u:system:kube-scheduler'],
  'system:monitoring': ['g:system:monitoring'],
  'system:node': [],
  'system:node-proxier': ['u:system:kube-proxy'],
  'system:public-info-viewer': ['g:system:authenticated', 'g:system:unauthenticated'],
  'system:service-account-issuer-discovery': ['g:system:serviceaccounts'],
  'system:volume-scheduler': ['u:system:kube-scheduler'],
};

/** namespace/name of each RoleBinding → its Role and subjects. Source: namespace_policy.go. */
const NAMESPACE_BINDINGS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'kube-public/system:controller:bootstrap-signer': ['system:controller:bootstrap-signer', 's:bootstrap-signer'],
  'kube-system/system::extension-apiserver-authentication-reader': [
    'extension-apiserver-authentication-reader',
    'u:system:kube-controller-manager',
    'u:system:kube-scheduler',
  ],
  'kube-system/system::leader-locking-kube-controller-manager': [
    'system::leader-locking-kube-controller-manager',
    'u:system:kube-controller-manager',
    's:kube-controller-manager',
  ],
  'kube-system/system::leader-locking-kube-scheduler': [
    'system::leader-locking-kube-scheduler',
    'u:system:kube-scheduler',
    's:kube-scheduler',
  ],
  'kube-system/system:controller:bootstrap-signer': ['system:controller:bootstrap-signer', 's:bootstrap-signer'],
  'kube-system/system:controller:cloud-provider': ['system:controller:cloud-provider', 's:cloud-provider'],
  'kube-system/system:controller:token-cleaner': ['system:controller:token-cleaner', 's:token-cleaner'],
};

const RULE = /^(.+?)(?: ;(?: since (\d+))?(?: until (\d+))?)?$/;

/** A rule from its text, undefined where the version played does not have it. */
function readRule(text: string, minor: number): PolicyRule | undefined {
  const [, body = '', since = '0', until = 'Infinity'] = RULE.exec(text) ?? [];
  if (!inSpan(minor, { since: Number(since), until: Number(until) })) return undefined;
  const [verbs = '', urls] = body.split(' @ ');
  if (urls !== undefined) return { nonResourceURLs: urls.split(' '), verbs: verbs.split(',') };
  const [ruleVerbs = '', groups = '', resources = '', names] = body.split(' | ').map((part) => part.trim());
  return {
    verbs: ruleVerbs.split(','),
    apiGroups: groups.split(','),
    resources: resources.split(','),
    ...(names === undefined ? {} : { resourceNames: names.split(',') }),
  };
}

const rulesOf = (texts: readonly string[], minor: number): PolicyRule[] =>
  texts.flatMap((text) => readRule(text, minor) ?? []);

const subjectOf = (text: string): Subject => {
  const name = text.slice(2);
  if (text.startsWith('s:')) return { kind: 'ServiceAccount', name, namespace: 'kube-system' };
  return { apiGroup: RBAC, kind: text.startsWith('g:') ? 'Group' : 'User', name };
};

const metadata = (
  name: string,
  labels: Readonly<Record<string, string>> = {},
  namespace?: string,
): KubeObject['metadata'] => ({
  name,
  ...(namespace === undefined ? {} : { namespace }),
  labels: { ...LABELS, ...labels },
  annotations: { [AUTOUPDATE]: 'true' },
});

function clusterRole(name: string, rules: readonly PolicyRule[] | null): PolicyObject {
  const gathered = GATHERED[name];
  const gathers = GATHERS[name];
  return {
    resource: CLUSTER_ROLE,
    object: {
      apiVersion: API_VERSION,
      kind: 'ClusterRole',
      metadata: metadata(name, gathered === undefined ? {} : { [AGGREGATE + gathered]: 'true' }),
      ...(gathers === undefined
        ? {}
        : { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [AGGREGATE + gathers]: 'true' } }] } }),
      rules,
    },
  };
}

/** @param subjects in the short form of the tables */
const binding = (
  kind: 'RoleBinding' | 'ClusterRoleBinding',
  meta: KubeObject['metadata'],
  role: string,
  subjects: readonly string[],
): PolicyObject => {
  const inNamespace = kind === 'RoleBinding';
  return {
    resource: inNamespace ? BINDING : CLUSTER_BINDING,
    object: {
      apiVersion: API_VERSION,
      kind,
      metadata: meta,
      roleRef: { apiGroup: RBAC, kind: inNamespace ? 'Role' : 'ClusterRole', name: role },
      ...(subjects.length === 0 ? {} : { subjects: subjects.map(subjectOf) }),
    },
  };
};

const clusterBinding = (name: string, subjects: readonly string[]): PolicyObject =>
  binding('ClusterRoleBinding', metadata(name), name, subjects);

const split = (place: string): [string, string] => {
  const slash = place.indexOf('/');
  return [place.slice(0, slash), place.slice(slash + 1)];
};

const known = new Map<number, readonly PolicyObject[]>();

/** Everything that the API server of that minor makes, roles before bindings. */
export function bootstrapPolicy(minor: number): readonly PolicyObject[] {
  const made = known.get(minor);
  if (made !== undefined) return made;
  const objects: PolicyObject[] = [];
  for (const name of Object.keys(GATHERS)) objects.push(clusterRole(name, null));
  for (const [name, texts] of Object.entries(CLUSTER_ROLES)) objects.push(clusterRole(name, rulesOf(texts, minor)));
  // A controller that the version does not know has no rule left.
  const controllers = Object.entries(CONTROLLER_ROLES)
    .map(([name, texts]) => ({ name, rules: rulesOf(texts, minor) }))
    .filter(({ rules }) => rules.length > 0);
  for (const { name, rules } of controllers) objects.push(clusterRole(`system:controller:${name}`, rules));
  for (const [name, subjects] of Object.entries(CLUSTER_BINDINGS)) objects.push(clusterBinding(name, subjects));
  for (const { name } of controllers) objects.push(clusterBinding(`system:controller:${name}`, [`s:${name}`]));
  for (const [place, texts] of Object.entries(NAMESPACE_ROLES)) {
    const [namespace, name] = split(place);
    objects.push({
      resource: ROLE,
      object: {
        apiVersion: API_VERSION,
        kind: 'Role',
        metadata: metadata(name, {}, namespace),
        rules: rulesOf(texts, minor),
      },
    });
  }
  for (const [place, [role, ...subjects]] of Object.entries(NAMESPACE_BINDINGS)) {
    const [namespace, name] = split(place);
    objects.push(binding('RoleBinding', metadata(name, {}, namespace), role, subjects));
  }
  known.set(minor, objects);
  return objects;
}

/** Rules that every node has, whatever it runs. Source: policy.go NodeRules. */
export const nodeRules = (minor: number): readonly PolicyRule[] => rulesOf(CLUSTER_ROLES['system:node'] ?? [], minor);

const missing = (wanted: Readonly<Record<string, string>> = {}, held: Readonly<Record<string, string>> = {}): boolean =>
  Object.entries(wanted).some(([key, value]) => held[key] !== value);

const sameSubject = (a: Subject, b: Subject): boolean =>
  a.kind === b.kind &&
  a.name === b.name &&
  (a.namespace ?? '') === (b.namespace ?? '') &&
  (a.apiGroup ?? '') === (b.apiGroup ?? '');

/**
 * What a found object becomes: the same object where nothing is missing, 'recreate' where a roleRef differs. What was
 * added by others stays.
 * Source: reconciliation, reconcile_role.go computeReconciledRole, reconcile_rolebindings.go
 * computeReconciledRoleBinding.
 */
export function repaired(found: KubeObject, wanted: KubeObject, decisions: Decisions): KubeObject | 'recreate' {
  if (!decisions.policyIsRepaired(found.metadata.annotations ?? {})) return found;
  let result = found;
  if (
    missing(wanted.metadata.labels, found.metadata.labels) ||
    missing(wanted.metadata.annotations, found.metadata.annotations)
  ) {
    result = {
      ...found,
      metadata: {
        ...found.metadata,
        labels: { ...found.metadata.labels, ...wanted.metadata.labels },
        annotations: { ...found.metadata.annotations, ...wanted.metadata.annotations },
      },
    };
  }
  if (wanted.kind === 'Role' || wanted.kind === 'ClusterRole') {
    const role = wanted as Role;
    const held = (found as Role).rules ?? [];
    const unchanged = role.aggregationRule !== undefined || isDeepStrictEqual(held, role.rules);
    const absent = unchanged ? [] : uncovered(held, role.rules ?? [], decisions.ruleCovers);
    if (absent.length > 0) result = { ...result, rules: [...held, ...absent] };
    if (role.aggregationRule !== undefined && (found as Role).aggregationRule === undefined)
      result = { ...result, aggregationRule: role.aggregationRule };
    return result;
  }
  const { roleRef, subjects = [] } = wanted as Binding;
  const held = found as Binding;
  if (held.roleRef.kind !== roleRef.kind || held.roleRef.name !== roleRef.name) return 'recreate';
  const absent = subjects.filter((subject) => !(held.subjects ?? []).some((one) => sameSubject(one, subject)));
  return absent.length === 0 ? result : { ...result, subjects: [...(held.subjects ?? []), ...absent] };
}

/**
 * Makes and repairs the policy in the store, as the API server's post-start hook does. `stamp` gives a new object its
 * uid and creation time.
 * The namespaces kube-system and kube-public must be there.
 */
export function reconcileBootstrapPolicy(
  { store, decisions, minor }: { readonly store: Store; readonly decisions: Decisions; readonly minor: number },
  stamp: (object: KubeObject) => KubeObject,
): void {
  for (const { resource, object } of bootstrapPolicy(minor)) {
    const { namespace, name = '' } = object.metadata;
    const found = store.get(resource, namespace, name);
    if (found === undefined) {
      store.create(resource, stamp(object));
      continue;
    }
    const next = repaired(found, object, decisions);
    if (next === 'recreate') {
      store.delete(resource, namespace, name);
      store.create(resource, stamp(object));
    } else if (next !== found) store.update(resource, next);
  }
}

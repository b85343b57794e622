/**
 * What RBAC objects at rest grant to whom. Pure: objects in, grants out.
 * Source: pkg/apis/rbac/v1/evaluation_helpers.go (matching), plugin/pkg/auth/authorizer/rbac/rbac.go (which bindings
 * reach a user).
 */
import { text } from '../../kubernetes/json.js';
import { accountUser } from '../../kubernetes/names.js';
import type { Binding, KubeObject, ObjectMeta, PolicyRule, Role, Subject } from '../../kubernetes/objects.js';

export interface Policy {
  readonly clusterRoles: readonly Role[];
  readonly roles: readonly Role[];
  readonly clusterRoleBindings: readonly Binding[];
  readonly roleBindings: readonly Binding[];
}

/** By these the API server knows the roles that it repairs. Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy. */
export const DEFAULTS_LABEL = 'kubernetes.io/bootstrapping';
export const REPAIR_ANNOTATION = 'rbac.authorization.kubernetes.io/autoupdate';

const keyOf = (name: string | undefined, namespace: string | undefined): string => `${namespace ?? ''}/${name ?? ''}`;

const only = (
  values: Readonly<Record<string, string>> | undefined,
  key: string,
): Readonly<Record<string, string>> | undefined => {
  const value = values?.[key];
  return value === undefined ? undefined : { [key]: value };
};

/** Name, namespace and the marks of a default; no more of it is judged, and a policy is long. */
function metadataOf({ name, namespace, labels, annotations }: ObjectMeta): ObjectMeta {
  const label = only(labels, DEFAULTS_LABEL);
  const annotation = only(annotations, REPAIR_ANNOTATION);
  return {
    ...(name === undefined ? {} : { name }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(label === undefined ? {} : { labels: label }),
    ...(annotation === undefined ? {} : { annotations: annotation }),
  };
}

const roleOf = ({ metadata, rules, aggregationRule }: Role): Role => ({
  metadata: metadataOf(metadata),
  rules: rules ?? [],
  ...(aggregationRule === undefined ? {} : { aggregationRule }),
});

const bindingOf = ({ metadata, subjects, roleRef }: Binding): Binding => ({
  metadata: metadataOf(metadata),
  subjects: subjects ?? [],
  roleRef,
});

/** The Endpoints of the API server lie in "default". */
const isSystems = (name: unknown): boolean => text(name).startsWith('kube-') || name === 'default';

/**
 * Can it be about joining? What a namespace of somebody's own gives to people and to its service accounts is not: a
 * RoleBinding counts where it lies in a namespace of the system, or names a user or group of the system.
 */
const concernsJoining = ({ metadata, subjects }: Binding): boolean =>
  metadata.namespace === undefined ||
  isSystems(metadata.namespace) ||
  (subjects ?? []).some(({ kind, name }) => kind !== 'ServiceAccount' && text(name).startsWith('system:'));

/** What is judged of a role that was listed. */
export const roleIn = (object: KubeObject): Role => roleOf(object as Role);

/** What is judged of a binding that was listed; undefined of one that is not judged. */
export function bindingIn(object: KubeObject): Binding | undefined {
  const binding = bindingOf(object as Binding);
  return concernsJoining(binding) ? binding : undefined;
}

/** The observation: bindings as they were kept, and the roles that one of them may refer to. */
export function policyOf({ clusterRoles, roles, clusterRoleBindings, roleBindings }: Policy): Policy {
  const referred = new Set(roleBindings.map(({ roleRef, metadata }) => keyOf(roleRef.name, metadata.namespace)));
  const kept = roles.filter(
    ({ metadata: { name, namespace } }) => isSystems(namespace) || referred.has(keyOf(name, namespace)),
  );
  return { clusterRoles, roles: kept, clusterRoleBindings, roleBindings };
}

/** A role by its kind and names: "ClusterRole", "system:node-bootstrapper". A binding likewise. */
export interface Named {
  readonly kind: 'Role' | 'ClusterRole' | 'RoleBinding' | 'ClusterRoleBinding';
  readonly name: string;
  /** Of a Role or RoleBinding. */
  readonly namespace?: string;
}

export const nameOf = ({ kind, name, namespace }: Named): string =>
  namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;

const indices = new WeakMap<readonly KubeObject[], ReadonlyMap<string, KubeObject>>();

/** The first of that name. A list is indexed once: every binding asks for its role. */
function find<T extends KubeObject>(objects: readonly T[], name: string, namespace?: string): T | undefined {
  const index =
    indices.get(objects) ??
    new Map(objects.toReversed().map((object) => [keyOf(object.metadata.name, object.metadata.namespace), object]));
  indices.set(objects, index);
  return index.get(keyOf(name, namespace)) as T | undefined;
}

export const roleNamed = (policy: Policy, named: Named): Role | undefined =>
  find(named.kind === 'Role' ? policy.roles : policy.clusterRoles, named.name, named.namespace);

export const bindingNamed = (policy: Policy, named: Named): Binding | undefined =>
  find(named.kind === 'RoleBinding' ? policy.roleBindings : policy.clusterRoleBindings, named.name, named.namespace);

export interface Holder {
  readonly user: string;
  readonly groups: readonly string[];
}

/** One permission, wildcards kept as they stand in the rule. `namespace` "*" is everywhere, `name` "*" any name. */
export type Permission =
  | {
      readonly kind: 'resource';
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly namespace: string;
      readonly name: string;
    }
  | { readonly kind: 'url'; readonly verb: string; readonly url: string };

/** A permission and who gave it. */
export interface Grant {
  readonly permission: Permission;
  /** "ClusterRoleBinding x" or "RoleBinding ns/x" */
  readonly binding: string;
  readonly role: string;
  /** The subject of the binding that reaches the holder, for example "Group system:authenticated". */
  readonly subject: string;
}

export const bindingName = (binding: Binding): string =>
  binding.metadata.namespace === undefined
    ? `ClusterRoleBinding ${binding.metadata.name ?? ''}`
    : `RoleBinding ${binding.metadata.namespace}/${binding.metadata.name ?? ''}`;

export const subjectName = (subject: Subject): string =>
  subject.kind === 'ServiceAccount'
    ? `ServiceAccount ${subject.namespace ?? ''}/${subject.name}`
    : `${subject.kind} ${subject.name}`;

/** kubectl's notation: "get secrets kube-system/kubeadm-certs", "create deployments.apps", "get /healthz". */
export function permissionText(permission: Permission): string {
  if (permission.kind === 'url') return `${permission.verb} ${permission.url}`;
  const resource = permission.group === '' ? permission.resource : `${permission.resource}.${permission.group}`;
  const where = permission.namespace === '*' ? '' : ` in ${permission.namespace}`;
  const name = permission.name === '*' ? '' : ` named ${permission.name}`;
  return `${permission.verb} ${resource}${name}${where}`;
}

/** Does the subject of a binding reach this user? Users and groups by equality, service accounts by their user name. */
export function reaches(subject: Subject, holder: Holder): boolean {
  if (subject.kind === 'User') return subject.name === holder.user;
  if (subject.kind === 'Group') return holder.groups.includes(subject.name);
  return holder.user === accountUser({ namespace: subject.namespace ?? '', name: subject.name });
}

/** The rules behind a roleRef; undefined where the role does not exist. */
export function rulesOf(policy: Policy, { roleRef, metadata }: Binding): readonly PolicyRule[] | undefined {
  const role =
    roleRef.kind === 'Role'
      ? find(policy.roles, roleRef.name, metadata.namespace)
      : find(policy.clusterRoles, roleRef.name);
  return role === undefined ? undefined : (role.rules ?? []);
}

/** Every single permission of a rule, in a namespace or everywhere. URLs count only cluster-wide. */
export function expand(rules: readonly PolicyRule[], namespace = '*'): Permission[] {
  const found: Permission[] = [];
  for (const rule of rules) {
    for (const verb of rule.verbs) {
      for (const group of rule.apiGroups ?? []) {
        for (const resource of rule.resources ?? []) {
          const names = rule.resourceNames !== undefined && rule.resourceNames.length > 0 ? rule.resourceNames : ['*'];
          for (const name of names) found.push({ kind: 'resource', verb, group, resource, namespace, name });
        }
      }
      if (namespace === '*') for (const url of rule.nonResourceURLs ?? []) found.push({ kind: 'url', verb, url });
    }
  }
  return found;
}

export const bindingsOf = (policy: Policy): readonly Binding[] => [
  ...policy.clusterRoleBindings,
  ...policy.roleBindings,
];

/**
 * Users and groups that some binding names and `matches` picks, each on its own: what is given to one of them alone
 * is not given to all.
 */
export function namedSubjects(policy: Policy, kind: 'User' | 'Group', matches: (name: string) => boolean): string[] {
  const names = bindingsOf(policy).flatMap((binding) =>
    (binding.subjects ?? []).filter((subject) => subject.kind === kind && matches(subject.name)),
  );
  return [...new Set(names.map((subject) => subject.name))].sort();
}

/** All that RBAC gives to a user, with the binding and the subject that gave it. */
export function grantsOf(policy: Policy, holder: Holder): Grant[] {
  const grants: Grant[] = [];
  for (const binding of bindingsOf(policy)) {
    const subject = (binding.subjects ?? []).find((candidate) => reaches(candidate, holder));
    if (subject === undefined) continue;
    const role = `${binding.roleRef.kind} ${binding.roleRef.name}`;
    for (const permission of expand(rulesOf(policy, binding) ?? [], binding.metadata.namespace ?? '*')) {
      grants.push({ permission, binding: bindingName(binding), role, subject: subjectName(subject) });
    }
  }
  return grants;
}

const fits = (wide: string, narrow: string): boolean => wide === '*' || wide === narrow;

function resourceFits(wide: string, narrow: string): boolean {
  if (fits(wide, narrow)) return true;
  const slash = narrow.indexOf('/');
  return slash >= 0 && wide === `*${narrow.slice(slash)}`;
}

/** Does `wide` include all that `narrow` allows? A wildcard is included only by a wildcard. */
export function includes(wide: Permission, narrow: Permission): boolean {
  if (wide.kind === 'url' || narrow.kind === 'url') {
    if (wide.kind !== 'url' || narrow.kind !== 'url' || !fits(wide.verb, narrow.verb)) return false;
    return wide.url === narrow.url || (wide.url.endsWith('*') && narrow.url.startsWith(wide.url.slice(0, -1)));
  }
  return (
    fits(wide.verb, narrow.verb) &&
    fits(wide.group, narrow.group) &&
    resourceFits(wide.resource, narrow.resource) &&
    fits(wide.namespace, narrow.namespace) &&
    fits(wide.name, narrow.name)
  );
}

/** Who holds a permission through which binding: every subject, not only the one that somebody thought of. */
export function holdersOf(
  policy: Policy,
  wanted: Permission,
): { readonly binding: Binding; readonly subject: Subject }[] {
  const holders: { binding: Binding; subject: Subject }[] = [];
  for (const binding of bindingsOf(policy)) {
    const { namespace = '*' } = binding.metadata;
    // most bindings of a large cluster are about one namespace, and need not be read any further
    if (namespace !== '*' && (wanted.kind === 'url' || wanted.namespace !== namespace)) continue;
    const given = expand(rulesOf(policy, binding) ?? [], namespace);
    if (given.some((permission) => includes(permission, wanted)))
      for (const subject of binding.subjects ?? []) holders.push({ binding, subject });
  }
  return holders;
}

const EVERYTHING: Permission = { kind: 'resource', verb: '*', group: '*', resource: '*', namespace: '*', name: '*' };

/** Who may do everything in the whole cluster, through which binding. */
export const administratorsIn = (policy: Policy): ReturnType<typeof holdersOf> => holdersOf(policy, EVERYTHING);

/** The names of the bindings that make administrators. */
export const administratorBindings = (policy: Policy): ReadonlySet<string> =>
  new Set(administratorsIn(policy).map(({ binding }) => bindingName(binding)));

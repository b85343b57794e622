/** All that RBAC gives to somebody, whoever gave it: least privilege, from roles and bindings at rest. */
import { GROUP_AUTHENTICATED } from '../../kubernetes/names.js';
import type { Binding, PolicyRule, Subject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { list } from './rbac.js';
import {
  administratorBindings,
  bindingName,
  bindingsOf,
  expand,
  type Grant,
  grantsOf,
  type Holder,
  holdersOf,
  includes,
  namedSubjects,
  type Permission,
  type Policy,
  permissionText,
  rulesOf,
  subjectName,
} from './rbac-policy.js';
import { isOf, type Sort } from './rbac-subjects.js';
import { ofAnyRelease } from './versioned-names.js';

/**
 * A binding that a distribution is known to add: named, not blamed, as long as it grants no more than its entry says.
 */
export interface KnownExtra {
  readonly distribution: string;
  /** Where this is known from. */
  readonly source: string;
  /** "ClusterRoleBinding x" or "RoleBinding ns/x" */
  readonly binding: string;
  /** "Group system:unauthenticated" */
  readonly subjects: readonly string[];
  readonly rules: readonly PolicyRule[];
}

const SOURCE = '004, least privilege; plugin/pkg/auth/authorizer/rbac/rbac.go VisitRulesFor';
/** The known extra that explains this grant, if it stays within what its entry says. */
const explains = (extras: readonly KnownExtra[], grant: Omit<Grant, 'role'>): KnownExtra | undefined =>
  extras.find(
    (extra) =>
      extra.binding === grant.binding &&
      extra.subjects.includes(grant.subject) &&
      expand(extra.rules).some((permission) => includes(permission, grant.permission)),
  );

const READING = ['get', 'list', 'watch'];
/** Everybody who is logged in reads objects of an API that a distribution or an operator brought: no right over machines. */
const isForeignReading = ({ permission, subject }: Grant): boolean =>
  subject === `Group ${GROUP_AUTHENTICATED}` &&
  permission.kind === 'resource' &&
  READING.includes(permission.verb) &&
  permission.group.includes('.') &&
  !/(?:^|\.)k8s\.io$/.test(permission.group);

const known = ({ distribution, source }: KnownExtra): string => `known addition of ${distribution} (${source})`;

interface HoldersWanted {
  readonly permission: Permission;
  /** In the words of the rule: "groups that not everybody is in". */
  readonly who: string;
  /** Subjects that must not hold it. */
  readonly never: readonly Sort[];
  /** Who may, beside those who may do everything anyhow; without it everybody else. */
  readonly only?: readonly Sort[];
  readonly extras?: readonly KnownExtra[];
}

/** Who holds a permission, through whichever binding. */
export const heldBy: Check<Policy, HoldersWanted> = {
  id: 'privileges/held-by',
  source: SOURCE,
  nothing: 'no binding grants it',
  judge: (policy, { permission, who, never, only, extras = [] }) => {
    const administrators = administratorBindings(policy);
    return holdersOf(policy, permission).map(({ binding, subject }) => {
      const grant = { permission, binding: bindingName(binding), subject: subjectName(subject) };
      const extra = explains(extras, grant);
      return demand({
        subject: bindingName(binding),
        demanded: `"${permissionText(permission)}" goes to ${who} only`,
        seen: `it goes to ${subjectName(subject)}`,
        ok:
          extra !== undefined ||
          (!isOf(subject, never) &&
            (only === undefined || isOf(subject, only) || administrators.has(bindingName(binding)))),
        ...(extra === undefined ? {} : { note: known(extra) }),
      });
    });
  },
};

/** Somebody does not hold a permission, through any binding. `who`: "a node". */
export const mayNot: Check<Policy, { readonly holder: Holder; readonly permission: Permission; readonly who: string }> =
  {
    id: 'privileges/may-not',
    source: SOURCE,
    judge: (policy, { holder, permission, who }) => {
      const demanded = `${who} must not "${permissionText(permission)}"`;
      const givers = grantsOf(policy, holder).filter((grant) => includes(grant.permission, permission));
      if (givers.length === 0) return [refusal({ subject: who, demanded, seen: 'no binding grants it', ok: true })];
      return givers.map(({ binding, role, subject }) =>
        refusal({ subject: binding, demanded, seen: `${role} grants it to ${subject}`, ok: false }),
      );
    },
  };

/** Some binding gives it to him. */
export const may: Check<Policy, { readonly holder: Holder; readonly permission: Permission; readonly who: string }> = {
  id: 'privileges/may',
  source: 'bootstrappolicy/controller_policy.go; cmd/kubeadm, phases/kubeconfig EnsureAdminClusterRoleBinding',
  judge: (policy, { holder, permission, who }) => {
    const giver = grantsOf(policy, holder).find((grant) => includes(grant.permission, permission));
    const seen = giver === undefined ? 'no binding grants it' : `${giver.role} grants it`;
    return [demand({ subject: who, demanded: `may "${permissionText(permission)}"`, seen, ok: giver !== undefined })];
  },
};

/** Whoever is bound to this ClusterRole in the whole cluster is of one of these sorts. */
export const boundToRole: Check<
  Policy,
  { readonly role: string; readonly only: readonly Sort[]; readonly who: string }
> = {
  id: 'privileges/bound-to-role',
  source: '000, 001: a cluster may use other names',
  nothing: 'nobody is bound to it: machines do not join this cluster with bootstrap tokens',
  judge: (policy, { role, only, who }) =>
    policy.clusterRoleBindings
      .filter(({ roleRef }) => roleRef.kind === 'ClusterRole' && roleRef.name === role)
      .flatMap((binding) =>
        (binding.subjects ?? []).map((subject) =>
          demand({
            subject: bindingName(binding),
            demanded: `binds ${who}`,
            seen: `it binds ${subjectName(subject)}`,
            ok: isOf(subject, only),
          }),
        ),
      ),
};

interface RolesWanted {
  /** "strangers" */
  readonly sort: Sort;
  /** "ClusterRole system:public-info-viewer", "Role kube-public/kubeadm:bootstrap-signer-clusterinfo" */
  readonly roles: readonly string[];
  readonly extras: readonly KnownExtra[];
  /** Bindings of the whole cluster only. */
  readonly clusterWide?: true;
}

/** Roles of kubelet-config carried the version in their names up to 1.23. */
const unversioned = (role: string): string => role.replace(/^(Role kube-system\/kubeadm:kubelet-config)-1\.\d+$/, '$1');

const referredBy = ({ roleRef, metadata }: Binding): string =>
  roleRef.kind === 'Role' ? `Role ${metadata.namespace ?? ''}/${roleRef.name}` : `ClusterRole ${roleRef.name}`;

/** The finding on one subject of a binding that is not among the documented ones. */
function undocumented(
  policy: Policy,
  { binding, subject, extras }: { binding: Binding; subject: Subject; extras: readonly KnownExtra[] },
): { readonly seen: string; readonly ok: boolean; readonly note?: string } {
  const name = bindingName(binding);
  const role = `${binding.roleRef.kind} ${binding.roleRef.name}`;
  const seen = `${subjectName(subject)} is bound to ${role}`;
  const grants = expand(rulesOf(policy, binding) ?? [], binding.metadata.namespace ?? '*').map((permission) => ({
    permission,
    binding: name,
    role,
    subject: subjectName(subject),
  }));
  const explained = grants.map((grant) => explains(extras, grant));
  const [extra] = explained;
  if (extra !== undefined && explained.every((one) => one !== undefined)) return { seen, ok: true, note: known(extra) };
  return { seen: `${seen}: ${list(grants.map(({ permission }) => permissionText(permission)))}`, ok: false };
}

/**
 * The bindings that name somebody of a sort refer to the documented roles, or are known extras that grant no more
 * than they say.
 */
export const boundOnlyTo: Check<Policy, RolesWanted> = {
  id: 'privileges/bound-only-to',
  source: SOURCE,
  nothing: 'no binding names such a subject',
  judge: (policy, { sort, roles, extras, clusterWide }) => {
    const demanded = `${sort} are bound only to the documented roles`;
    const bindings = clusterWide === true ? policy.clusterRoleBindings : bindingsOf(policy);
    return bindings.flatMap((binding) =>
      (binding.subjects ?? [])
        .filter((subject) => isOf(subject, [sort]))
        .map((subject) => {
          const documented = roles.includes(unversioned(referredBy(binding)));
          const seen = `${subjectName(subject)} is bound to ${binding.roleRef.kind} ${binding.roleRef.name}`;
          const look = documented ? { seen, ok: true } : undocumented(policy, { binding, subject, extras });
          return demand({ subject: bindingName(binding), demanded, ...look });
        }),
    );
  },
};

export interface Documented {
  readonly permission: Permission;
  /** Joining does not work without it. */
  readonly needed: boolean;
}

interface PrivilegesWanted {
  readonly holder: Holder;
  readonly documented: readonly Documented[];
  readonly extras: readonly KnownExtra[];
  /**
   * Users and groups of the same sort that some binding names by themselves, by the beginnings of their names: they
   * must hold no more than the holder, and need hold nothing.
   */
  readonly alike?: readonly { readonly kind: 'User' | 'Group'; readonly prefix: string }[];
}

/** The difference is printed as verbs and resources, with the binding and the subject that gave it. */
function beyond(policy: Policy, { holder, documented, extras }: Omit<PrivilegesWanted, 'alike'>): readonly Finding[] {
  const subject = `${holder.user} in ${holder.groups.join(', ')}`;
  const demanded = 'nothing beyond the documented permissions';
  const grants = grantsOf(policy, holder);
  const findings: Finding[] = [];
  const surplus = new Map<string, string[]>();
  const allowed = documented.map(({ permission }) => ofAnyRelease(permission));
  for (const grant of grants) {
    const plain = ofAnyRelease(grant.permission);
    if (allowed.some((permission) => includes(permission, plain))) continue;
    if (isForeignReading(grant)) continue;
    const extra = explains(extras, grant);
    const giver = `${grant.binding} (${grant.role}) to ${grant.subject}`;
    const text = permissionText(grant.permission);
    if (extra === undefined) surplus.set(giver, [...(surplus.get(giver) ?? []), text]);
    else findings.push(refusal({ subject, demanded, seen: `${text}, from ${giver}`, ok: true, note: known(extra) }));
  }
  for (const [giver, texts] of [...surplus].sort(([a], [b]) => (a < b ? -1 : 1)))
    findings.push(refusal({ subject, demanded, seen: `${list([...new Set(texts)])}, from ${giver}`, ok: false }));
  if (surplus.size === 0)
    findings.push(refusal({ subject, demanded, seen: `${grants.length} grants, all documented or known`, ok: true }));
  return findings;
}

const needed = (policy: Policy, holder: Holder, documented: readonly Documented[]): readonly Finding[] => {
  const grants = grantsOf(policy, holder);
  return documented
    .filter((entry) => entry.needed)
    .map(({ permission }) => {
      const given = grants.find((grant) => includes(grant.permission, permission));
      return demand({
        subject: `${holder.user} in ${holder.groups.join(', ')}`,
        demanded: `may ${permissionText(permission)}`,
        seen: given === undefined ? 'no binding grants it' : `${given.binding} grants it to ${given.subject}`,
        ok: given !== undefined,
      });
    });
};

function* like(policy: Policy, { holder, alike = [] }: PrivilegesWanted): Generator<Holder> {
  for (const { kind, prefix } of alike)
    for (const name of namedSubjects(policy, kind, (candidate) => candidate.startsWith(prefix))) {
      if (kind === 'User') yield { user: name, groups: holder.groups };
      else if (!holder.groups.includes(name))
        yield { user: holder.user, groups: holder.groups.map((group) => (group.startsWith(prefix) ? name : group)) };
    }
}

/** Least privilege as a whole: what RBAC gives to somebody equals the documented set. */
export const holdsExactly: Check<Policy, PrivilegesWanted> = {
  id: 'privileges/exactly',
  source: SOURCE,
  judge: (policy, wanted) => {
    const { holder, documented, extras } = wanted;
    return [
      ...needed(policy, holder, documented),
      ...[holder, ...like(policy, wanted)].flatMap((one) => beyond(policy, { holder: one, documented, extras })),
    ];
  },
};

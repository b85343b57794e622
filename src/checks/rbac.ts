/** Verdicts on RBAC objects at rest: one role, one binding, and the effective permissions of an identity as a whole. Pure. */
import type { Binding, PolicyRule, Role, Subject } from '../kubernetes/objects.js';
import { type Evidence, judgeEach, type Verdict } from '../model/evidence.js';
import {
  bindingName,
  expand,
  type Grant,
  grantsOf,
  type Holder,
  holdersOf,
  includes,
  type Permission,
  type Policy,
  permissionText,
  rulesOf,
  subjectName,
} from './rbac-policy.js';

/** A binding that a distribution is known to add: named, not blamed, as long as it grants no more than its entry says. */
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

const RBAC_GROUP = 'rbac.authorization.k8s.io';

const roleName = (role: Role): string =>
  role.metadata.namespace === undefined
    ? `ClusterRole ${role.metadata.name ?? ''}`
    : `Role ${role.metadata.namespace}/${role.metadata.name ?? ''}`;

const list = (texts: readonly string[]): string => (texts.length === 0 ? 'nothing' : [...texts].sort().join('; '));

/** The known extra that explains this grant, if it stays within what its entry says. */
export function explains(extras: readonly KnownExtra[], grant: Grant): KnownExtra | undefined {
  return extras.find(
    (extra) =>
      extra.binding === grant.binding &&
      extra.subjects.includes(grant.subject) &&
      expand(extra.rules).some((permission) => includes(permission, grant.permission)),
  );
}

/** A role grants exactly `wanted`: no less, no more, nothing aggregated in. `name` is shown where the role is missing. */
export function judgeRole(role: Role | undefined, name: string, wanted: readonly Permission[]): Verdict {
  const demanded = `grants exactly: ${list(wanted.map(permissionText))}`;
  if (role === undefined) return failed({ object: name, demanded: 'exists', seen: 'it does not exist', ok: false });
  const evidence: Evidence[] = [];
  const given = expand(role.rules ?? []);
  const missing = wanted.filter((permission) => !given.some((candidate) => includes(candidate, permission)));
  const surplus = given.filter((permission) => !wanted.some((candidate) => includes(candidate, permission)));
  const parts = [
    ...(missing.length > 0 ? [`missing: ${list(missing.map(permissionText))}`] : []),
    ...(surplus.length > 0 ? [`too much: ${list(surplus.map(permissionText))}`] : []),
    ...(role.aggregationRule !== undefined ? ['it has an aggregationRule, so other roles add to it'] : []),
  ];
  evidence.push({
    object: roleName(role),
    demanded,
    seen: parts.length === 0 ? 'exactly that' : parts.join('; '),
    ok: parts.length === 0,
  });
  return judgeEach(evidence, 'no role was looked at');
}

/** A binding refers to one role and names exactly the wanted subjects. */
export function judgeBinding(
  binding: Binding | undefined,
  name: string,
  wanted: {
    readonly role: string;
    readonly subjects?: readonly string[];
    readonly subjectsAllowed?: (subject: Subject) => boolean;
  },
): Verdict {
  if (binding === undefined) return failed({ object: name, demanded: 'exists', seen: 'it does not exist', ok: false });
  const object = bindingName(binding);
  const ref = `${binding.roleRef.kind} ${binding.roleRef.name}`;
  const evidence: Evidence[] = [
    { object, demanded: `refers to ${wanted.role}`, seen: `refers to ${ref}`, ok: ref === wanted.role },
  ];
  const subjects = (binding.subjects ?? []).map(subjectName).sort();
  if (wanted.subjects !== undefined) {
    const same = list(subjects) === list(wanted.subjects);
    evidence.push({
      object,
      demanded: `binds ${list(wanted.subjects)} and nobody else`,
      seen: `binds ${list(subjects)}`,
      ok: same,
    });
  }
  return judgeEach(evidence, 'no binding was looked at');
}

/** Group and User subjects and the roleRef carry the API group of RBAC. Source: 000, YAML examples. */
export function judgeApiGroups(bindings: readonly Binding[]): Verdict {
  return judgeEach(
    bindings.map((binding) => {
      const wrong = [
        ...(binding.roleRef.apiGroup === RBAC_GROUP ? [] : [`roleRef has apiGroup "${binding.roleRef.apiGroup}"`]),
        ...(binding.subjects ?? [])
          .filter((subject) => subject.kind !== 'ServiceAccount' && subject.apiGroup !== RBAC_GROUP)
          .map((subject) => `${subjectName(subject)} has apiGroup "${subject.apiGroup ?? ''}"`),
      ];
      return {
        object: bindingName(binding),
        demanded: `apiGroup ${RBAC_GROUP} in roleRef and in every Group or User subject`,
        seen: wrong.length === 0 ? 'so it is' : wrong.join('; '),
        ok: wrong.length === 0,
      };
    }),
    'there is no such binding',
  );
}

/** Every role that one of these bindings names exists; one that does not grants nothing, silently. */
export function judgeRoleRefs(policy: Policy, bindings: readonly Binding[]): Verdict {
  return judgeEach(
    bindings.map((binding) => {
      const exists = rulesOf(policy, binding) !== undefined;
      return {
        object: bindingName(binding),
        demanded: `${binding.roleRef.kind} ${binding.roleRef.name} exists`,
        seen: exists ? 'it exists' : 'it does not exist, so the binding grants nothing',
        ok: exists,
      };
    }),
    'there is no such binding',
  );
}

/** Only the allowed subjects hold a permission, whichever binding gives it; members of system:masters and the like are named by `allowed`. */
export function judgeHolders(
  policy: Policy,
  wanted: Permission,
  allowed: (subject: Subject, binding: Binding) => boolean,
  who: string,
): Verdict {
  return judgeEach(
    holdersOf(policy, wanted).map(({ binding, subject }) => ({
      object: bindingName(binding),
      demanded: `"${permissionText(wanted)}" goes to ${who} only`,
      seen: `it goes to ${subjectName(subject)}`,
      ok: allowed(subject, binding),
    })),
    `no binding grants "${permissionText(wanted)}"`,
  );
}

/** A subject's bindings: each must be expected, or a known extra that grants no more than it says. */
export function judgeBindingsOf(
  policy: Policy,
  subjectMatches: (subject: Subject) => boolean,
  expected: (binding: Binding, subject: Subject) => boolean,
  extras: readonly KnownExtra[],
  demanded: string,
): Verdict {
  const evidence: Evidence[] = [];
  for (const binding of [...policy.clusterRoleBindings, ...policy.roleBindings]) {
    for (const subject of binding.subjects ?? []) {
      if (!subjectMatches(subject)) continue;
      const object = bindingName(binding);
      const seen = `${subjectName(subject)} is bound to ${binding.roleRef.kind} ${binding.roleRef.name}`;
      if (expected(binding, subject)) {
        evidence.push({ object, demanded, seen, ok: true });
        continue;
      }
      const grants = expand(rulesOf(policy, binding) ?? [], binding.metadata.namespace ?? '*').map((permission) => ({
        permission,
        binding: object,
        role: `${binding.roleRef.kind} ${binding.roleRef.name}`,
        subject: subjectName(subject),
      }));
      const extra =
        grants.length > 0 && grants.every((grant) => explains(extras, grant) !== undefined)
          ? explains(extras, grants[0] as Grant)
          : undefined;
      if (extra !== undefined)
        evidence.push({
          object,
          demanded,
          seen,
          ok: true,
          note: `known addition of ${extra.distribution} (${extra.source})`,
        });
      else
        evidence.push({
          object,
          demanded,
          seen: `${seen}: ${list(grants.map((grant) => permissionText(grant.permission)))}`,
          ok: false,
        });
    }
  }
  return judgeEach(evidence, 'no binding names such a subject');
}

export interface Documented {
  readonly permission: Permission;
  /** Joining does not work without it. */
  readonly needed: boolean;
}

/**
 * Least privilege as a whole: what RBAC gives to an identity equals the documented set. The difference is printed as verbs and resources,
 * with the binding and the subject that gave it.
 */
export function judgeEffective(
  policy: Policy,
  holder: Holder,
  documented: readonly Documented[],
  extras: readonly KnownExtra[],
): Verdict {
  const object = `${holder.user} in ${holder.groups.join(', ')}`;
  const grants = grantsOf(policy, holder);
  const evidence: Evidence[] = [];
  for (const { permission, needed } of documented) {
    if (!needed) continue;
    const given = grants.find((grant) => includes(grant.permission, permission));
    evidence.push({
      object,
      demanded: `may ${permissionText(permission)}`,
      seen: given === undefined ? 'no binding grants it' : `${given.binding} grants it to ${given.subject}`,
      ok: given !== undefined,
    });
  }
  const demanded = 'nothing beyond the documented permissions';
  const surplus = new Map<string, string[]>();
  for (const grant of grants) {
    if (documented.some(({ permission }) => includes(permission, grant.permission))) continue;
    const extra = explains(extras, grant);
    const giver = `${grant.binding} (${grant.role}) to ${grant.subject}`;
    if (extra !== undefined) {
      evidence.push({
        object,
        demanded,
        seen: `${permissionText(grant.permission)}, from ${giver}`,
        ok: true,
        note: `known addition of ${extra.distribution} (${extra.source})`,
      });
    } else surplus.set(giver, [...(surplus.get(giver) ?? []), permissionText(grant.permission)]);
  }
  for (const [giver, texts] of [...surplus].sort(([a], [b]) => (a < b ? -1 : 1))) {
    evidence.push({ object, demanded, seen: `${list([...new Set(texts)])}, from ${giver}`, ok: false });
  }
  if (surplus.size === 0)
    evidence.push({ object, demanded, seen: `${grants.length} grants, all documented or known`, ok: true });
  return judgeEach(evidence, 'nothing was looked at');
}

const failed = (evidence: Evidence): Verdict => judgeEach([evidence], '');

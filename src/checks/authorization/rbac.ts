/** Roles and bindings at rest, each by itself: what a role grants, whom a binding names. */
import { GROUP_UNAUTHENTICATED, USER_ANONYMOUS } from '../../kubernetes/names.js';
import type { Binding } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import {
  bindingName,
  bindingNamed,
  bindingsOf,
  DEFAULTS_LABEL,
  expand,
  includes,
  type Named,
  nameOf,
  type Permission,
  type Policy,
  permissionText,
  REPAIR_ANNOTATION,
  roleNamed,
  rulesOf,
  subjectName,
} from './rbac-policy.js';
import { isOf, type Sort } from './rbac-subjects.js';

const RBAC_GROUP = 'rbac.authorization.k8s.io';
const ROLES = '000, RBAC for bootstrapping: the roles; k8s.io/api, rbac/v1 Role, ClusterRole';
const BINDINGS = '000, RBAC for bootstrapping: the bindings; k8s.io/api, rbac/v1 RoleBinding, ClusterRoleBinding';
const NO_ROLE = 'the role does not exist';

export const list = (texts: readonly string[]): string =>
  texts.length === 0 ? 'nothing' : [...texts].sort().join('; ');

/** Without it a policy without roles and bindings would pass for one that grants nothing too much. */
export const policyRead: Check<Policy> = {
  id: 'rbac/read',
  source: 'k8s.io/api, rbac/v1; plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go ClusterRoleBindings',
  judge: (policy) => {
    const granting = policy.clusterRoleBindings.find(
      (binding) => (binding.subjects ?? []).length > 0 && (rulesOf(policy, binding) ?? []).length > 0,
    );
    const counts = `${policy.clusterRoles.length} ClusterRoles and ${policy.clusterRoleBindings.length} bindings`;
    return [
      demand({
        subject: 'the roles and bindings of the cluster',
        demanded: 'were read: one of them grants something',
        seen: granting === undefined ? `${counts}, and none grants anything` : `${bindingName(granting)} does`,
        ok: granting !== undefined,
      }),
    ];
  },
};

interface RoleWanted {
  readonly role: Named;
  readonly permissions: readonly Permission[];
}

/** No less, no more, nothing aggregated in. */
function exactly(policy: Policy, { role: named, permissions }: RoleWanted): readonly Finding[] {
  const role = roleNamed(policy, named);
  if (role === undefined) return [];
  const given = expand(role.rules ?? []);
  const missing = permissions.filter((permission) => !given.some((candidate) => includes(candidate, permission)));
  const surplus = given.filter((permission) => !permissions.some((candidate) => includes(candidate, permission)));
  const parts = [
    ...(missing.length > 0 ? [`missing: ${list(missing.map(permissionText))}`] : []),
    ...(surplus.length > 0 ? [`too much: ${list(surplus.map(permissionText))}`] : []),
    ...(role.aggregationRule !== undefined ? ['it has an aggregationRule, so other roles add to it'] : []),
  ];
  return [
    demand({
      subject: nameOf(named),
      demanded: `grants exactly: ${list(permissions.map(permissionText))}`,
      seen: parts.length === 0 ? 'exactly that' : parts.join('; '),
      ok: parts.length === 0,
    }),
  ];
}

const missing = (named: Named): Finding =>
  demand({ subject: nameOf(named), demanded: 'exists', seen: 'it does not exist', ok: false });

/** The role is there and grants these permissions and no other. */
export const roleExactly: Check<Policy, RoleWanted> = {
  id: 'rbac/role-exactly',
  source: ROLES,
  judge: (policy, wanted) =>
    roleNamed(policy, wanted.role) === undefined ? [missing(wanted.role)] : exactly(policy, wanted),
};

/** The same of a role that need not be there. */
export const roleExactlyIfThere: Check<Policy, RoleWanted> = {
  id: 'rbac/role-exactly-if-there',
  source: ROLES,
  nothing: NO_ROLE,
  judge: exactly,
};

/** Each permission of its own: what lacks is told one by one. */
export const roleAtLeast: Check<Policy, RoleWanted> = {
  id: 'rbac/role-at-least',
  source: ROLES,
  judge: (policy, { role: named, permissions }) => {
    const role = roleNamed(policy, named);
    const given = expand(role?.rules ?? []);
    return permissions.map((permission) => {
      const ok = given.some((candidate) => includes(candidate, permission));
      return demand({
        subject: nameOf(named),
        demanded: `grants "${permissionText(permission)}"`,
        seen: role === undefined ? NO_ROLE : ok ? 'it does' : 'it does not',
        ok,
      });
    });
  },
};

/** Nothing beyond these. What lacks is another rule's business, so only those that are there are demanded. */
export const roleAtMost: Check<Policy, RoleWanted> = {
  id: 'rbac/role-at-most',
  source: ROLES,
  nothing: NO_ROLE,
  judge: (policy, { role, permissions }) => {
    const given = expand(roleNamed(policy, role)?.rules ?? []);
    const there = permissions.filter((permission) => given.some((candidate) => includes(candidate, permission)));
    return exactly(policy, { role, permissions: there });
  },
};

/** One of the API server's defaults, which it repairs when it starts. */
export const roleRepaired: Check<Policy, { readonly role: Named }> = {
  id: 'rbac/role-repaired',
  source: '000, auto-reconciliation; plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go addDefaultMetadata',
  judge: (policy, { role: named }) => {
    const { labels, annotations } = roleNamed(policy, named)?.metadata ?? {};
    const [label, update] = [labels?.[DEFAULTS_LABEL], annotations?.[REPAIR_ANNOTATION]];
    const subject = nameOf(named);
    return [
      demand({
        subject,
        demanded: `label ${DEFAULTS_LABEL}=rbac-defaults`,
        seen: label ?? 'no such label',
        ok: label === 'rbac-defaults',
      }),
      demand({
        subject,
        demanded: `annotation ${REPAIR_ANNOTATION}="true"`,
        seen: update ?? 'no such annotation',
        ok: update === 'true',
      }),
    ];
  },
};

/** `role`: "ClusterRole system:node-bootstrapper" */
export const bindingRefers: Check<Policy, { readonly binding: Named; readonly role: string }> = {
  id: 'rbac/refers',
  source: BINDINGS,
  judge: (policy, { binding: named, role }) => {
    const binding = bindingNamed(policy, named);
    if (binding === undefined) return [missing(named)];
    const ref = `${binding.roleRef.kind} ${binding.roleRef.name}`;
    return [
      demand({ subject: nameOf(named), demanded: `refers to ${role}`, seen: `refers to ${ref}`, ok: ref === role }),
    ];
  },
};

interface SubjectsWanted {
  readonly binding: Named;
  /** "Group system:nodes" */
  readonly subjects: readonly string[];
}

const subjectsIn = (binding: Binding | undefined): string[] => (binding?.subjects ?? []).map(subjectName).sort();

/** These subjects and nobody else. */
export const bindsExactly: Check<Policy, SubjectsWanted> = {
  id: 'rbac/binds-exactly',
  source: BINDINGS,
  judge: (policy, { binding: named, subjects }) => {
    const binding = bindingNamed(policy, named);
    if (binding === undefined) return [missing(named)];
    const bound = list(subjectsIn(binding));
    return [
      demand({
        subject: nameOf(named),
        demanded: `binds ${list(subjects)} and nobody else`,
        seen: `binds ${bound}`,
        ok: bound === list(subjects),
      }),
    ];
  },
};

/** Each of these subjects, whoever else. */
export const bindsAtLeast: Check<Policy, SubjectsWanted> = {
  id: 'rbac/binds-at-least',
  source: BINDINGS,
  judge: (policy, { binding: named, subjects }) => {
    const bound = subjectsIn(bindingNamed(policy, named));
    return subjects.map((wanted) =>
      demand({
        subject: nameOf(named),
        demanded: `binds ${wanted}`,
        seen: `it binds ${bound.join(', ') || 'nobody'}`,
        ok: bound.includes(wanted),
      }),
    );
  },
};

/** Nobody; a binding that is not there binds nobody either. */
export const bindsNobody: Check<Policy, { readonly binding: Named }> = {
  id: 'rbac/binds-nobody',
  source: '002, the Node authorizer; plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go system:node',
  judge: (policy, { binding: named }) => {
    const binding = bindingNamed(policy, named);
    const bound = subjectsIn(binding);
    const seen = binding === undefined ? 'it does not exist' : `it binds ${bound.join(', ') || 'nobody'}`;
    return [refusal({ subject: nameOf(named), demanded: 'binds nobody', seen, ok: bound.length === 0 })];
  },
};

/** Strangers, as the user or as the group, and nobody else. */
export const bindsStrangers: Check<Policy, { readonly binding: Named }> = {
  id: 'rbac/binds-strangers',
  source:
    '000, 002: the RoleBinding in kube-public; kubeadm, phases/bootstraptoken/clusterinfo CreateClusterInfoRBACRules',
  judge: (policy, { binding: named }) => {
    const binding = bindingNamed(policy, named);
    const bound = subjectsIn(binding);
    const [user, group] = [`User ${USER_ANONYMOUS}`, `Group ${GROUP_UNAUTHENTICATED}`];
    const note = bound.includes(group)
      ? 'kubeadm binds the user; the group of document 002 has the same effect'
      : undefined;
    return [
      demand({
        subject: nameOf(named),
        demanded: `binds ${user}`,
        seen: binding === undefined ? 'it does not exist' : `it binds ${bound.join(', ') || 'nobody'}`,
        ok: bound.length > 0 && bound.every((name) => name === user || name === group),
        note,
      }),
    ];
  },
};

const bindingsAmong = (policy: Policy, sorts: readonly Sort[]): readonly Binding[] =>
  bindingsOf(policy).filter(({ subjects }) => (subjects ?? []).some((subject) => isOf(subject, sorts)));

/** Group and User subjects and the roleRef carry the API group of RBAC. */
export const bindingApiGroups: Check<Policy, { readonly among: readonly Sort[] }> = {
  id: 'rbac/api-groups',
  source: '000, YAML examples; pkg/apis/rbac/validation/validation.go ValidateRoleBindingSubject',
  nothing: 'there is no such binding',
  judge: (policy, { among }) =>
    bindingsAmong(policy, among).map((binding) => {
      const wrong = [
        ...(binding.roleRef.apiGroup === RBAC_GROUP ? [] : [`roleRef has apiGroup "${binding.roleRef.apiGroup}"`]),
        ...(binding.subjects ?? [])
          .filter((subject) => subject.kind !== 'ServiceAccount' && subject.apiGroup !== RBAC_GROUP)
          .map((subject) => `${subjectName(subject)} has apiGroup "${subject.apiGroup ?? ''}"`),
      ];
      return demand({
        subject: bindingName(binding),
        demanded: `apiGroup ${RBAC_GROUP} in roleRef and in every Group or User subject`,
        seen: wrong.length === 0 ? 'so it is' : wrong.join('; '),
        ok: wrong.length === 0,
      });
    }),
};

/** Every role that one of these bindings names exists; one that does not grants nothing, silently. */
export const bindingRoles: Check<Policy, { readonly among: readonly Sort[] }> = {
  id: 'rbac/role-refs',
  source: '000, 002; plugin/pkg/auth/authorizer/rbac/rbac.go VisitRulesFor',
  nothing: 'there is no such binding',
  judge: (policy, { among }) =>
    bindingsAmong(policy, among).map((binding) => {
      const exists = rulesOf(policy, binding) !== undefined;
      return demand({
        subject: bindingName(binding),
        demanded: `${binding.roleRef.kind} ${binding.roleRef.name} exists`,
        seen: exists ? 'it exists' : 'it does not exist, so the binding grants nothing',
        ok: exists,
      });
    }),
};

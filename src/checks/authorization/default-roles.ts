/**
 * Whether the API server's own roles and bindings give more than Kubernetes gives by them.
 * Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy; component-helpers, auth/rbac/reconciliation, which adds what
 * they lack, and leaves what they have more.
 */
import type { Binding, LabelSelector, PolicyRule, Role } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { refusal } from '../../model/finding.js';
import {
  bindingName,
  bindingsOf,
  expand,
  includes,
  nameOf,
  type Permission,
  type Policy,
  permissionText,
  subjectName,
} from './rbac-policy.js';

/**
 * By the names of roles their rules, by those of roles that collect others the labels of what they collect, by itself
 * or through another, and by those of bindings what they refer to and whom they bind.
 */
export interface Defaults {
  readonly roles: Readonly<Record<string, readonly string[]>>;
  readonly collects: Readonly<Record<string, readonly string[]>>;
  readonly bindings: Readonly<Record<string, readonly string[]>>;
}

/** "verbs | groups | resources [| names]" or "verbs @ urls" */
export function ruleIn(text: string): PolicyRule {
  const [verbs = '', urls] = text.split(' @ ');
  if (urls !== undefined) return { verbs: verbs.split(','), nonResourceURLs: urls.split(' ') };
  const [ruleVerbs = '', groups = '', resources = '', names] = text.split('|').map((part) => part.trim());
  return {
    verbs: ruleVerbs.split(','),
    apiGroups: groups.split(','),
    resources: resources.split(','),
    ...(names === undefined ? {} : { resourceNames: names.split(',') }),
  };
}

const roleName = ({ metadata: { name = '', namespace } }: Role): string =>
  nameOf({
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    name,
    ...(namespace === undefined ? {} : { namespace }),
  });

/** A selector in words; what holds a label "x: y" is "x=y". */
function selectorText({ matchLabels = {}, matchExpressions = [] }: LabelSelector): string {
  const labels = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const parts = [...labels, ...matchExpressions.map(({ key, operator }) => `${key} ${operator}`)];
  return parts.join(', ') || 'every ClusterRole';
}

const beyond = (rules: Role['rules'], usual: readonly string[]): readonly Permission[] => {
  const given = expand(usual.map(ruleIn));
  return expand(rules ?? []).filter((permission) => !given.some((wide) => includes(wide, permission)));
};

/** By group, what makes somebody more than he is to whoever reads or writes it. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': ['secrets', 'serviceaccounts/token', 'nodes/proxy'],
  'certificates.k8s.io': ['certificatesigningrequests/approval', 'certificatesigningrequests/status', 'signers'],
};
/** What a role and a binding say is no secret. */
const RIGHTS = 'rbac.authorization.k8s.io';
const READS = ['get', 'list', 'watch'];
/** Source: kubernetes.io, RBAC good practices: privilege escalation risks. */
const LEADS = ['impersonate', 'escalate', 'bind', 'approve', 'sign'];

/** Whether a right is one to be somebody else by, or to be given more. */
const leadsOn = (permission: Permission): boolean => {
  if (permission.kind !== 'resource') return false;
  const { verb, group, resource } = permission;
  return (
    LEADS.includes(verb) ||
    (group === RIGHTS && !READS.includes(verb)) ||
    Object.entries(KEYS).some(
      ([of, keys]) => [of, '*'].includes(group) && (resource === '*' || keys.includes(resource)),
    )
  );
};

/**
 * A role that collects others holds their rules: for the kinds of whoever extends the cluster, and never for what leads
 * on. Without what it collects by, which nobody but the API server puts back, it holds what somebody writes into it.
 * `labels`: the first is its own.
 */
function beyondCollected(
  { rules, aggregationRule }: Role,
  labels: readonly string[],
  roles: Defaults['roles'],
): readonly string[] {
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  const usual = labels.flatMap((label) => roles[`ClusterRole system:${label}`] ?? []);
  if (selectors.length === 0) return beyond(rules, usual).map(permissionText);
  const odd = selectors.map(selectorText).filter((text) => text !== `rbac.authorization.k8s.io/${labels[0]}=true`);
  // what is collected by them follows from them
  const more = odd.length > 0 ? odd : beyond(rules, usual).filter(leadsOn).map(permissionText);
  return more.map((one) => `it collects ${one}`);
}

function beyondRole(role: Role, { roles, collects }: Defaults): readonly string[] {
  const name = roleName(role);
  const { [name]: usual } = roles;
  const { [name]: labels } = collects;
  const more =
    usual !== undefined
      ? beyond(role.rules, usual).map(permissionText)
      : labels !== undefined
        ? beyondCollected(role, labels, roles)
        : [];
  return more.map((one) => `${name}: ${one}`);
}

function beyondBinding(binding: Binding, { bindings }: Defaults): readonly string[] {
  const usual = bindings[bindingName(binding)];
  if (usual === undefined) return [];
  const { roleRef, subjects = [] } = binding;
  return [`${roleRef.kind} ${roleRef.name}`, ...subjects.map(subjectName)]
    .filter((one) => !usual.includes(one))
    .map((one) => `${bindingName(binding)}: ${one}`);
}

const shown = (all: readonly string[]): string => {
  const more = all.length > 5 ? `; and ${all.length - 5} more` : '';
  return all.length === 0 ? 'they give none' : `${all.slice(0, 5).join('; ')}${more}`;
};

export const defaultsGiveNoMore: Check<Policy, Defaults> = {
  id: 'default-roles/no-more',
  source: 'plugin/pkg/auth/authorizer/rbac/bootstrappolicy/{policy,namespace_policy,controller_policy}.go',
  judge: (policy, defaults) => {
    const roles = [...policy.clusterRoles, ...policy.roles].flatMap((role) => beyondRole(role, defaults));
    const bindings = bindingsOf(policy).flatMap((binding) => beyondBinding(binding, defaults));
    return [
      refusal({
        subject: 'roles of the API server itself',
        demanded: 'give no right beyond those that Kubernetes gives by them',
        seen: shown(roles),
        ok: roles.length === 0,
      }),
      refusal({
        subject: 'bindings of the API server itself',
        demanded: 'bind nobody beyond those whom Kubernetes binds by them',
        seen: shown(bindings),
        ok: bindings.length === 0,
      }),
    ];
  },
};

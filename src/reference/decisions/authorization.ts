/**
 * Who a certificate stands for, what groups everybody gets, which rule allows what, and who may act as whom.
 * Source: apiserver, pkg/authentication/{request/x509,group,request/anonymous}; pkg/apis/rbac/v1/evaluation_helpers.go;
 * pkg/registry/rbac/validation/rule.go; component-helpers, auth/rbac/validation/policy_comparator.go; apiserver, pkg/endpoints/filters/impersonation/mode.go.
 */

import type { AuthorizationAttributes } from '../../apiserver/types.js';
import { GROUP_AUTHENTICATED, GROUP_MASTERS, GROUP_UNAUTHENTICATED, USER_ANONYMOUS } from '../../kubernetes/names.js';
import type { PolicyRule, RoleRef, Subject, UserInfo } from '../../kubernetes/objects.js';

/** What x509 authentication reads of a leaf certificate. Times in milliseconds since the epoch; `sha256` in lower-case hex over the DER. */
export interface CertificateIdentity {
  readonly commonName: string;
  /** Every O, in order, repetitions kept. */
  readonly organizations: readonly string[];
  /** Values of the subject attribute 1.3.6.1.4.1.57683.2; undefined where one is no string. */
  readonly uids: readonly (string | undefined)[];
  readonly sha256: string;
}

/** Key of UserInfo.extra that names the credential. Source: apiserver, pkg/authentication/user/user.go CredentialIDKey. */
export const CREDENTIAL_ID = 'authentication.kubernetes.io/credential-id';

const coversUrl = (owner: string, wanted: string): boolean =>
  owner === wanted || (owner.endsWith('*') && wanted.startsWith(owner.replace(/\*+$/, '')));
const has = (list: readonly string[] | undefined, value: string): boolean => list?.includes(value) ?? false;

export const authorizationDecisions = {
  /** Whether a certificate counts that `paths` chains lead to a trusted CA from. Source: Go, crypto/x509 Certificate.Verify. */
  chainIsTrusted: (paths: number): boolean => paths > 0,

  /** A certificate is good from its first to its last second, both included. Milliseconds. Source: Go, crypto/x509 Certificate.isValid. */
  certificateIsCurrent: (notBefore: number, notAfter: number, now: number): boolean =>
    now >= notBefore && now <= notAfter,

  /** Extended key usages (by the names of pki/oids.ts; undefined where the extension is absent) that let a certificate log in. Source: x509.go, DefaultVerifyOptions; crypto/x509, ExtKeyUsageAny. */
  certificateMayLogIn: (extendedKeyUsages: readonly string[] | undefined): boolean =>
    extendedKeyUsages === undefined || extendedKeyUsages.includes('clientAuth') || extendedKeyUsages.includes('any'),

  /**
   * The user of a verified certificate: CN is the name, every O a group. 'no-opinion' without CN; { error } where the UID attribute is bad.
   * `minor` of the version played: the credential id came with 1.32, the UID with 1.33. Source: x509.go CommonNameUserConversion.
   */
  certificateUser: (
    certificate: CertificateIdentity,
    minor: number,
  ): UserInfo | 'no-opinion' | { readonly error: string } => {
    if (certificate.commonName === '') return 'no-opinion';
    let uid: string | undefined;
    if (minor >= 33 && certificate.uids.length > 0) {
      uid = certificate.uids[0];
      if (certificate.uids.includes(undefined)) return { error: 'unable to parse UID into a string' };
      if (certificate.uids.length > 1)
        return { error: `expected 1 UID, but found multiple: ${certificate.uids.length}` };
      if (uid === undefined || uid === '') return { error: 'UID cannot be an empty string' };
    }
    return {
      username: certificate.commonName,
      groups: certificate.organizations,
      ...(uid === undefined ? {} : { uid }),
      ...(minor >= 32 ? { extra: { [CREDENTIAL_ID]: [`X509SHA256=${certificate.sha256}`] } } : {}),
    };
  },

  /** Groups of a logged-in user with what everybody gets. Source: authenticated_group_adder.go AuthenticateRequest. */
  withCommonGroups: (user: UserInfo): UserInfo => {
    if (user.username === USER_ANONYMOUS) return user;
    if (user.groups.includes(GROUP_AUTHENTICATED) || user.groups.includes(GROUP_UNAUTHENTICATED)) return user;
    return { ...user, groups: [...user.groups, GROUP_AUTHENTICATED] };
  },

  /** Who one is without credentials. Source: apiserver, pkg/authentication/request/anonymous/anonymous.go. */
  anonymousUser: (): UserInfo => ({ username: USER_ANONYMOUS, groups: [GROUP_UNAUTHENTICATED] }),

  /** Members are allowed everything before any authorizer is asked. Source: pkg/kubeapiserver/authorizer/reload.go; authorizerfactory NewPrivilegedGroups. */
  isSuperuser: (user: UserInfo): boolean => user.groups.includes(GROUP_MASTERS),

  /** Source: evaluation_helpers.go VerbMatches. */
  verbMatches: (rule: PolicyRule, verb: string): boolean => has(rule.verbs, '*') || has(rule.verbs, verb),

  /** Source: evaluation_helpers.go APIGroupMatches. The API version never matters. */
  groupMatches: (rule: PolicyRule, group: string): boolean => has(rule.apiGroups, '*') || has(rule.apiGroups, group),

  /** A star, the exact resource[/subresource], or a star with that subresource. Source: evaluation_helpers.go ResourceMatches. */
  resourceMatches: (rule: PolicyRule, resource: string, subresource: string): boolean => {
    if (has(rule.resources, '*')) return true;
    if (subresource === '') return has(rule.resources, resource);
    return has(rule.resources, `${resource}/${subresource}`) || has(rule.resources, `*/${subresource}`);
  },

  /** No resourceNames: every name, also none. Otherwise one must be equal, so a request without a name is never allowed. Source: evaluation_helpers.go ResourceNameMatches. */
  resourceNameMatches: (rule: PolicyRule, name: string): boolean =>
    (rule.resourceNames?.length ?? 0) === 0 || has(rule.resourceNames, name),

  /** Exact, or a prefix where the rule ends in "*". Source: evaluation_helpers.go NonResourceURLMatches. */
  nonResourceUrlMatches: (rule: PolicyRule, path: string): boolean =>
    rule.nonResourceURLs?.some((url) => url === '*' || coversUrl(url, path)) ?? false,

  /** API groups that a User or Group of a binding may have; the validation of bindings names the first. Source: pkg/apis/rbac/validation/validation.go ValidateRoleBindingSubject. */
  subjectGroups: (): readonly string[] => ['rbac.authorization.k8s.io'],

  /** Whether a subject of a binding is this user. `bindingNamespace` is '' for a ClusterRoleBinding. Source: rule.go appliesToUser. */
  subjectApplies: (user: UserInfo, subject: Subject, bindingNamespace: string): boolean => {
    switch (subject.kind) {
      case 'User':
        return user.username === subject.name;
      case 'Group':
        return user.groups.includes(subject.name);
      case 'ServiceAccount': {
        const namespace =
          subject.namespace === undefined || subject.namespace === '' ? bindingNamespace : subject.namespace;
        return namespace !== '' && user.username === `system:serviceaccount:${namespace}:${subject.name}`;
      }
      default:
        return false;
    }
  },

  /** Which object a roleRef names; undefined where its kind is none that RBAC knows. Source: rule.go GetRoleReferenceRules. */
  roleOf: (
    ref: RoleRef,
    bindingNamespace: string,
  ): { readonly resource: 'roles' | 'clusterroles'; readonly namespace: string; readonly name: string } | undefined => {
    if (ref.kind === 'Role') return { resource: 'roles', namespace: bindingNamespace, name: ref.name };
    if (ref.kind === 'ClusterRole') return { resource: 'clusterroles', namespace: '', name: ref.name };
    return undefined;
  },

  /** Reasons of all authorizers, in order; empty ones are kept away. Source: apiserver, pkg/authorization/union/union.go. */
  joinReasons: (reasons: readonly string[]): string => reasons.filter((reason) => reason !== '').join('\n'),

  /** Whether one rule of the granter covers an atomic rule (one verb, one resource, at most one name). Source: policy_comparator.go ruleCovers. */
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
   * May `who` write rules that they do not hold, or bind such a role? True skips the comparison of rights. `allowed` asks the authorizer for
   * the verb on that role. Source: pkg/registry/rbac/escalation_check.go EscalationAllowed, RoleEscalationAuthorized, BindingAuthorized.
   */
  maySkipEscalationCheck: (user: UserInfo, verb: 'escalate' | 'bind', allowed: (verb: string) => boolean): boolean =>
    user.groups.includes(GROUP_MASTERS) || allowed(verb),

  /** Modes of impersonation that are tried, in order, before the plain verb "impersonate". Source: mode.go allImpersonationModes (gate ConstrainedImpersonation, on from 1.36). */
  impersonationModes: (
    minor: number,
  ): readonly ('associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy')[] =>
    minor >= 36 ? ['associated-node', 'arbitrary-node', 'serviceaccount', 'user-info', 'legacy'] : ['legacy'],

  /** Groups that an impersonated user gets beside those asked for. Source: mode.go impersonationModeState.check. */
  withImpersonatedGroups: (user: UserInfo): UserInfo => {
    const needed = user.username === USER_ANONYMOUS ? GROUP_UNAUTHENTICATED : GROUP_AUTHENTICATED;
    if (user.groups.includes(needed) || user.groups.includes(GROUP_UNAUTHENTICATED)) return user;
    return { ...user, groups: [...user.groups, needed] };
  },

  /** A last word over every answer of the authorizers, for what no single rule says; upstream has none. */
  finalAuthorization: <T extends { readonly decision: 'allow' | 'deny' | 'no-opinion' }>(
    _attributes: AuthorizationAttributes,
    answer: T,
  ): T => answer,
};

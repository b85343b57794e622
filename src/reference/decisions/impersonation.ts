/**
 * Who may act as whom: the modes, what each of them asks, and who one then is.
 * Source: apiserver, pkg/endpoints/filters/impersonation/{constrained_impersonation,mode,impersonation}.go.
 */

import type { AuthorizationAttributes } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import {
  GROUP_AUTHENTICATED,
  GROUP_MASTERS,
  GROUP_NODES,
  GROUP_UNAUTHENTICATED,
  NODE_USER_PREFIX,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { unescapeKey } from './header-text.js';
import { serviceAccountGroups, splitUsername } from './service-account-names.js';

/** Whom a request wants to be, exactly as the headers say. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export type ImpersonationMode = 'associated-node' | 'arbitrary-node' | 'serviceaccount' | 'user-info' | 'legacy';

/**
 * One step of asking: a question that must be allowed, a refusal, or a question that spares others where it is allowed.
 */
export type ImpersonationStep =
  | { readonly kind: 'ask'; readonly question: AuthorizationAttributes }
  | { readonly kind: 'refuse'; readonly question: AuthorizationAttributes; readonly why: string }
  | {
      readonly kind: 'ask-all';
      readonly question: AuthorizationAttributes;
      readonly instead: readonly AuthorizationAttributes[];
    };

/** Releases that answer headers without a user with 500 in plain text. */
const HEADERS_ARE_TRUSTED: Span = { until: 33 };
/** Gate ConstrainedImpersonation. */
const CONSTRAINED: Span = { since: 36 };

const NODE_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const OWN_NODE = 'authentication.kubernetes.io/node-name';
/** Many single questions are preceded by one about all. Source: mode.go manyAuthorizationChecksInLoop. */
const MANY = 4;

const nodeName = (username: string): string | undefined => {
  const name = username.startsWith(NODE_USER_PREFIX) ? username.slice(NODE_USER_PREFIX.length) : '';
  return NODE_NAME.test(name) ? name : undefined;
};
const onlyName = (wanted: WantedUser): boolean =>
  wanted.uid === '' && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;

/**
 * A key of extra as constrained modes want it; the text says why not. Source: mode.go validateExtra; apimachinery,
 * IsDomainPrefixedPath.
 */
function extraProblem(extra: WantedUser['extra']): string | undefined {
  for (const [key, values] of Object.entries(extra)) {
    if (key === '') return 'impersonating the empty string key in extra is not allowed';
    const slash = key.indexOf('/');
    const invalid = (why: string): string =>
      `impersonating an invalid key in extra is not allowed: extra.key: Invalid value: ${goQuote(key)}: ${why}`;
    if (slash <= 0 || slash === key.length - 1)
      return invalid('must be a domain-prefixed path (such as "acme.io/foo")');
    if (!NODE_NAME.test(key.slice(0, slash))) {
      return invalid(
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and " +
          "must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
          "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      );
    }
    if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(key.slice(slash + 1))) {
      return invalid("Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    }
    if (key !== key.toLowerCase()) return `impersonating a non-lowercase key in extra is not allowed: ${goQuote(key)}`;
    if (values.length === 0) return 'impersonating empty values in extra is not allowed';
    if (values.includes('')) return 'impersonating the empty string value in extra is not allowed';
  }
  return undefined;
}

/** What one mode puts its questions with. */
interface Asking {
  readonly constrained: boolean;
  readonly wanted: WantedUser;
  readonly about: (resource: string, name: string, authentication: boolean) => AuthorizationAttributes;
}

const ask = (question: AuthorizationAttributes): ImpersonationStep => ({ kind: 'ask', question });

function groupSteps({ constrained, wanted, about }: Asking): readonly ImpersonationStep[] {
  if (wanted.groups.length === 0) return [];
  const groups = about('groups', '', constrained);
  const single = wanted.groups.map((name) => ({ ...groups, name }));
  if (!constrained) return single.map(ask);
  const refuse = (name: string, why: string): readonly ImpersonationStep[] =>
    wanted.groups.includes(name) ? [{ kind: 'refuse', question: { ...groups, name }, why }] : [];
  return [
    ...refuse('', 'impersonating the empty string group is not allowed'),
    ...refuse(GROUP_MASTERS, 'impersonating the system:masters group is not allowed'),
    ...(single.length >= MANY
      ? [{ kind: 'ask-all', question: { ...groups, name: '*' }, instead: single } as const]
      : single.map(ask)),
  ];
}

function extraSteps({ constrained, wanted, about }: Asking): readonly ImpersonationStep[] {
  const keys = Object.keys(wanted.extra);
  if (keys.length === 0) return [];
  const extra = about('userextras', '', true);
  const single = Object.entries(wanted.extra).flatMap(([subresource, values]) =>
    values.map((name) => ({ ...extra, subresource, name })),
  );
  if (!constrained) return single.map(ask);
  const problem = extraProblem(wanted.extra);
  return [
    ...(problem === undefined ? [] : [{ kind: 'refuse', question: extra, why: problem } as const]),
    ...(keys.length >= MANY || single.length >= MANY
      ? [{ kind: 'ask-all', question: { ...extra, subresource: '*', name: '*' }, instead: single } as const]
      : single.map(ask)),
  ];
}

export const impersonationDecisions = {
  /** A key of extra, as a header bears it (lower case). Source: impersonation.go unescapeExtraKey. */
  impersonatedExtraKey: (inHeader: string): string => unescapeKey(inHeader),

  /** Modes that are tried, in order, before the plain verb "impersonate". Source: mode.go allImpersonationModes. */
  impersonationModes: (minor: number): readonly ImpersonationMode[] =>
    inSpan(minor, CONSTRAINED)
      ? ['associated-node', 'arbitrary-node', 'serviceaccount', 'user-info', 'legacy']
      : ['legacy'],

  /** Whether the 400 of a request that names no user prints what it names as of 1.36. Source: impersonation.go. */
  impersonationPrintsUser: (minor: number): boolean => inSpan(minor, CONSTRAINED),

  /**
   * Whether headers without a user are the client's mistake (400), else the server's (500). Source: impersonation.go.
   */
  impersonationHeadersAreChecked: (minor: number): boolean => !inSpan(minor, HEADERS_ARE_TRUSTED),

  /** Whether a mode speaks of this requestor and this user at all. Source: mode.go, check of each mode. */
  impersonationModeApplies: (mode: ImpersonationMode, wanted: WantedUser, requestor: UserInfo): boolean => {
    const node = nodeName(wanted.name);
    switch (mode) {
      case 'associated-node': {
        const [own, ...more] = requestor.extra?.[OWN_NODE] ?? [];
        const isAccount = splitUsername(requestor.username) !== undefined;
        return onlyName(wanted) && node !== undefined && isAccount && more.length === 0 && own === node;
      }
      case 'arbitrary-node':
        return onlyName(wanted) && node !== undefined;
      case 'serviceaccount':
        return onlyName(wanted) && splitUsername(wanted.name) !== undefined;
      case 'user-info':
        return node === undefined && splitUsername(wanted.name) === undefined;
      case 'legacy':
        return true;
    }
  },

  /**
   * What has to be allowed, in order. `attributes` are the request's as of the requestor. Source: mode.go,
   * impersonation.go.
   */
  impersonationSteps: (
    mode: ImpersonationMode,
    wanted: WantedUser,
    attributes: AuthorizationAttributes,
  ): readonly ImpersonationStep[] => {
    const constrained = mode !== 'legacy';
    const associated = mode === 'associated-node';
    const requestor = attributes.user;
    // An authorizer is asked about every node at once, and learns no more of the requestor than which extra keys it
    // has.
    const keys = { 'authentication.kubernetes.io/associated-node-keys': Object.keys(requestor.extra ?? {}).sort() };
    const user = associated ? { ...requestor, extra: keys } : requestor;
    const about: Asking['about'] = (resource, name, authentication) => ({
      user,
      verb: constrained ? `impersonate:${mode}` : 'impersonate',
      isResourceRequest: true,
      path: '',
      group: authentication ? 'authentication.k8s.io' : '',
      version: 'v1',
      resource,
      subresource: '',
      namespace: '',
      name,
    });
    const account = splitUsername(wanted.name);
    const node = constrained ? nodeName(wanted.name) : undefined;
    const who =
      account !== undefined
        ? { ...about('serviceaccounts', account.name, constrained), namespace: account.namespace }
        : node !== undefined
          ? about('nodes', associated ? '*' : node, true)
          : about('users', wanted.name, constrained);
    const asking = { constrained, wanted, about };
    return [
      ...(constrained ? [ask({ ...attributes, user, verb: `impersonate-on:${mode}:${attributes.verb}` })] : []),
      ask(who),
      ...(wanted.uid === '' ? [] : [ask(about('uids', wanted.uid, true))]),
      ...groupSteps(asking),
      ...extraSteps(asking),
    ];
  },

  /**
   * Who one is: nodes and service accounts have the groups of their kind, everybody those asked for. Source: mode.go,
   * impersonation.go.
   */
  impersonatedUser: (mode: ImpersonationMode, wanted: WantedUser): UserInfo => {
    const account = splitUsername(wanted.name);
    const isNode = mode !== 'legacy' && nodeName(wanted.name) !== undefined;
    const ofAccount = account !== undefined && wanted.groups.length === 0;
    return {
      username: wanted.name,
      groups: isNode ? [GROUP_NODES] : ofAccount ? serviceAccountGroups(account.namespace) : wanted.groups,
      ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
      ...(Object.keys(wanted.extra).length === 0 ? {} : { extra: wanted.extra }),
    };
  },

  /** Groups that an impersonated user gets beside those asked for. Source: mode.go impersonationModeState.check. */
  withImpersonatedGroups: (user: UserInfo): UserInfo => {
    const needed = user.username === USER_ANONYMOUS ? GROUP_UNAUTHENTICATED : GROUP_AUTHENTICATED;
    if (user.groups.includes(needed) || user.groups.includes(GROUP_UNAUTHENTICATED)) return user;
    return { ...user, groups: [...user.groups, needed] };
  },
};

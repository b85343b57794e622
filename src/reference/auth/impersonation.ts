/**
 * Acting as another user: whom the headers ask for, and whether the requestor may. Source: apiserver,
 * pkg/endpoints/filters/impersonation/{constrained_impersonation,mode,impersonation}.go; errors of pkg/endpoints/handlers/responsewriters/errors.go.
 */

import { goQuote, goStrings } from '../../apiserver/go/text.js';
import { badRequest, denied, PlainServerError } from '../../apiserver/machinery/errors.js';
import type { ApiError, AuthorizationAttributes, Authorizer } from '../../apiserver/types.js';
import { GROUP_MASTERS, GROUP_NODES, NODE_USER_PREFIX } from '../../kubernetes/names.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { unescapeKey, utf8 } from './request-header.js';
import { serviceAccountGroups, splitUsername } from './service-account-tokens.js';

/** Whom a request wants to be, exactly as the headers say. */
export interface WantedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

type Headers = Readonly<Record<string, readonly string[]>>;

const USER = 'impersonate-user';
const UID = 'impersonate-uid';
const GROUP = 'impersonate-group';
const EXTRA = 'impersonate-extra-';

/** user.DefaultInfo as %#v prints it. */
function goUser(user: WantedUser): string {
  const groups = user.groups.length === 0 ? '[]string(nil)' : goStrings(user.groups);
  const keys = Object.keys(user.extra).sort();
  const pairs = keys.map((key) => `${goQuote(key)}:${goStrings(user.extra[key] ?? [])}`);
  const extra = keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${pairs.join(', ')}}`;
  return `&user.DefaultInfo{Name:${goQuote(user.name)}, UID:${goQuote(user.uid)}, Groups:${groups}, Extra:${extra}}`;
}

/** v1.ObjectReference as %v prints it, in the list that minors before 1.36 print. */
function goReferences(user: WantedUser): string {
  const one = (kind: string, name: string, apiVersion = '', fieldPath = ''): string =>
    `{${kind}  ${name}  ${apiVersion}  ${fieldPath}}`;
  const list = user.groups.map((group) => one('Group', group));
  for (const [key, values] of Object.entries(user.extra))
    for (const value of values) list.push(one('UserExtra', value, 'authentication.k8s.io/v1', key));
  if (user.uid !== '') list.push(one('UID', user.uid, 'authentication.k8s.io/v1'));
  return `[${list.join(' ')}]`;
}

/**
 * The user that the headers (lower-case names, values as bytes) ask for; undefined where they ask for none.
 * Throws where they name a group, a UID or extra without a user: 400, before 1.34 an error that Go's server answers with 500 in plain text.
 */
export function wantedUser(headers: Headers, minor: number): WantedUser | undefined {
  const first = (name: string): string => utf8(headers[name]?.[0] ?? '');
  const extra: Record<string, string[]> = {};
  let hasExtra = false;
  for (const [header, values] of Object.entries(headers)) {
    if (!header.startsWith(EXTRA)) continue;
    hasExtra = true;
    const key = unescapeKey(utf8(header.slice(EXTRA.length)));
    extra[key] = [...(extra[key] ?? []), ...values.map(utf8)];
  }
  const user: WantedUser = { name: first(USER), uid: first(UID), groups: (headers[GROUP] ?? []).map(utf8), extra };
  if (user.name !== '') return user;
  if (user.uid === '' && user.groups.length === 0 && !hasExtra) return undefined;
  const problem =
    minor >= 36
      ? `requested ${goUser(user)} without impersonating a user name`
      : `requested ${goReferences(user)} without impersonating a user`;
  throw minor >= 34 ? badRequest(problem) : new PlainServerError(problem);
}

/** What impersonation has to do with one request. */
export interface ImpersonationRequest {
  readonly wanted: WantedUser;
  /** The request as it would be authorized for the requestor. */
  readonly attributes: AuthorizationAttributes;
  readonly authorizer: Authorizer;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
}

type Mode = ReturnType<Decisions['impersonationModes']>[number];

const NODE_NAME = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const nodeName = (username: string): string | undefined => {
  const name = username.startsWith(NODE_USER_PREFIX) ? username.slice(NODE_USER_PREFIX.length) : '';
  return NODE_NAME.test(name) ? name : undefined;
};
const onlyName = (wanted: WantedUser): boolean =>
  wanted.uid === '' && wanted.groups.length === 0 && Object.keys(wanted.extra).length === 0;

/** Whether a mode speaks of this requestor and this user at all. */
function applies(mode: Mode, wanted: WantedUser, requestor: UserInfo): boolean {
  const node = nodeName(wanted.name);
  switch (mode) {
    case 'associated-node': {
      const own = requestor.extra?.['authentication.kubernetes.io/node-name'] ?? [];
      return (
        onlyName(wanted) &&
        node !== undefined &&
        splitUsername(requestor.username) !== undefined &&
        own.length === 1 &&
        own[0] === node
      );
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
}

/** Many single questions are preceded by one about all. Source: mode.go manyAuthorizationChecksInLoop. */
const MANY = 4;

/** A key of extra as constrained modes want it; the text says why not. Source: mode.go validateExtra; apimachinery, IsDomainPrefixedPath. */
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
        "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
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

/**
 * The mode that last let a user in, by user name and server: it is tried first, so the same question may be answered by another mode than before.
 * Source: cache.go modeIndexCache. What upstream remembers besides, for ten seconds, only saves work and is left out.
 */
const lastModes = new WeakMap<Authorizer, Map<string, Mode>>();
const REMEMBERED = 10_000;

/** The impersonated user, or the 403 of the first question that was answered no. */
export function impersonate(request: ImpersonationRequest): { readonly user: UserInfo } | { readonly error: ApiError } {
  const requestor = request.attributes.user;
  const remembered = lastModes.get(request.authorizer) ?? new Map<string, Mode>();
  lastModes.set(request.authorizer, remembered);
  const modes = request.decisions.impersonationModes(request.minor);
  const last = remembered.get(requestor.username);
  let firstError: ApiError | undefined;
  for (const mode of last === undefined || !modes.includes(last)
    ? modes
    : [last, ...modes.filter((one) => one !== last)]) {
    if (!applies(mode, request.wanted, requestor)) continue;
    const answer = tryMode(mode, request);
    if ('user' in answer) {
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(requestor.username, mode);
      return answer;
    }
    firstError ??= answer.error;
  }
  return { error: firstError ?? denied(request.attributes, 'all impersonation modes failed') };
}

function tryMode(
  mode: Mode,
  { wanted, attributes, authorizer, decisions }: ImpersonationRequest,
): { readonly user: UserInfo } | { readonly error: ApiError } {
  const constrained = mode !== 'legacy';
  const requestor = attributes.user;
  const associated = mode === 'associated-node';
  // An authorizer is asked about every node at once, and learns no more of the requestor than which extra keys it has.
  const asking: UserInfo = associated
    ? {
        ...requestor,
        extra: { 'authentication.kubernetes.io/associated-node-keys': Object.keys(requestor.extra ?? {}).sort() },
      }
    : requestor;

  const refusal = (question: AuthorizationAttributes): ApiError | undefined => {
    const answer = authorizer.authorize(question);
    if (answer.decision === 'allow') return undefined;
    const { error, reason } = answer;
    return denied(question, error === undefined ? reason : reason === '' ? error : `${error}: ${reason}`);
  };

  const verb = constrained ? `impersonate:${mode}` : 'impersonate';
  const about = (resource: string, name: string, authentication: boolean): AuthorizationAttributes => ({
    user: asking,
    verb,
    isResourceRequest: true,
    path: '',
    group: authentication ? 'authentication.k8s.io' : '',
    version: 'v1',
    resource,
    subresource: '',
    namespace: '',
    name,
  });

  const questions = function* (): Generator<ApiError | undefined> {
    if (constrained) yield refusal({ ...attributes, user: asking, verb: `impersonate-on:${mode}:${attributes.verb}` });
    const account = splitUsername(wanted.name);
    const node = constrained ? nodeName(wanted.name) : undefined;
    if (account !== undefined)
      yield refusal({ ...about('serviceaccounts', account.name, constrained), namespace: account.namespace });
    else if (node !== undefined) yield refusal(about('nodes', associated ? '*' : node, true));
    else yield refusal(about('users', wanted.name, constrained));
    if (wanted.uid !== '') yield refusal(about('uids', wanted.uid, true));
    if (wanted.groups.length > 0) {
      const groups = about('groups', '', constrained);
      if (constrained && wanted.groups.includes(''))
        yield denied(groups, 'impersonating the empty string group is not allowed');
      if (constrained && wanted.groups.includes(GROUP_MASTERS)) {
        yield denied({ ...groups, name: GROUP_MASTERS }, 'impersonating the system:masters group is not allowed');
      }
      const all = constrained && wanted.groups.length >= MANY && refusal({ ...groups, name: '*' }) === undefined;
      if (!all) for (const group of wanted.groups) yield refusal({ ...groups, name: group });
    }
    const pairs = Object.entries(wanted.extra).flatMap(([key, values]) => values.map((value) => [key, value] as const));
    const extra = about('userextras', '', true);
    if (constrained && Object.keys(wanted.extra).length > 0) {
      const problem = extraProblem(wanted.extra);
      if (problem !== undefined) yield denied(extra, problem);
    }
    const many = Object.keys(wanted.extra).length >= MANY || pairs.length >= MANY;
    if (constrained && many && refusal({ ...extra, subresource: '*', name: '*' }) === undefined) return;
    for (const [key, value] of pairs) yield refusal({ ...extra, subresource: key, name: value });
  };

  for (const error of questions()) if (error !== undefined) return { error };

  let groups = wanted.groups;
  const account = splitUsername(wanted.name);
  if (constrained && nodeName(wanted.name) !== undefined) groups = [GROUP_NODES];
  else if (account !== undefined && groups.length === 0) groups = serviceAccountGroups(account.namespace);
  const user: UserInfo = {
    username: wanted.name,
    groups,
    ...(wanted.uid === '' ? {} : { uid: wanted.uid }),
    ...(Object.keys(wanted.extra).length === 0 ? {} : { extra: wanted.extra }),
  };
  return { user: decisions.withImpersonatedGroups(user) };
}

/** The user that the headers of a request make of its own. @throws ApiError 400 for headers that make no user, 403 where the requestor may not */
export function actingUser(headers: Headers, request: Omit<ImpersonationRequest, 'wanted'>): UserInfo {
  const wanted = wantedUser(headers, request.minor);
  if (wanted === undefined) return request.attributes.user;
  const answer = impersonate({ ...request, wanted });
  if ('error' in answer) throw answer.error;
  return answer.user;
}

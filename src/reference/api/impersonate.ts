/**
 * Acting as somebody else. Source: apiserver, pkg/endpoints/filters/impersonation (1.36: constrained impersonation is on; plain `impersonate` still works,
 * and a refusal names the verb of the narrower right).
 */
import type { UserInfo } from '../../kubernetes/objects.js';
import type { AuthorizationAttributes, RequestInfo } from '../types.js';
import { attributesFor } from './authorize.js';
import { badRequest, denied } from './errors.js';
import { goQuote, goStrings } from './go-text.js';
import type { ApiRequest } from './http.js';
import type { Machinery } from './machinery.js';

const EXTRA = 'impersonate-extra-';
const ACCOUNT = 'system:serviceaccount:';
const NODE = 'system:node:';

interface Wanted {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

const unescapeKey = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

function wanted(request: ApiRequest): Wanted {
  const extra: Record<string, readonly string[]> = {};
  for (const [name, values] of Object.entries(request.headers)) {
    if (name.startsWith(EXTRA)) extra[unescapeKey(name.slice(EXTRA.length))] = values;
  }
  return {
    username: request.headers['impersonate-user']?.[0] ?? '',
    uid: request.headers['impersonate-uid']?.[0] ?? '',
    groups: request.headers['impersonate-group'] ?? [],
    extra,
  };
}

const goInfo = ({ username, uid, groups, extra }: Wanted): string => {
  const entries = Object.entries(extra).sort(([a], [b]) => (a < b ? -1 : 1));
  const map =
    entries.length === 0
      ? 'map[string][]string(nil)'
      : `map[string][]string{${entries.map(([key, values]) => `${goQuote(key)}:${goStrings(values)}`).join(', ')}}`;
  return `&user.DefaultInfo{Name:${goQuote(username)}, UID:${goQuote(uid)}, Groups:${groups.length === 0 ? '[]string(nil)' : goStrings(groups)}, Extra:${map}}`;
};

/** namespace and name of a service account's user name, undefined for any other. */
function serviceAccount(username: string): { readonly namespace: string; readonly name: string } | undefined {
  const parts = username.startsWith(ACCOUNT) ? username.slice(ACCOUNT.length).split(':') : [];
  const [namespace = '', name = ''] = parts;
  const fit = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
  return parts.length === 2 && fit.test(namespace) && name !== '' && /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(name) ? { namespace, name } : undefined;
}

/**
 * Who the request is made as.
 * @throws ApiError 400 where something but no user name is wanted; 403 where that is not allowed
 */
export function impersonated(machinery: Machinery, user: UserInfo, request: ApiRequest, info: RequestInfo): UserInfo {
  const want = wanted(request);
  if (want.username === '') {
    if (want.uid === '' && want.groups.length === 0 && Object.keys(want.extra).length === 0) return user;
    throw badRequest(`requested ${goInfo(want)} without impersonating a user name`);
  }
  const account = serviceAccount(want.username);
  const questions: AuthorizationAttributes[] = [];
  const ask = (group: string, resource: string, name: string, namespace = '', subresource = ''): void => {
    questions.push({ user, verb: 'impersonate', isResourceRequest: true, path: '', group, version: 'v1', resource, subresource, namespace, name });
  };
  if (account !== undefined) ask('', 'serviceaccounts', account.name, account.namespace);
  else ask('', 'users', want.username);
  if (want.uid !== '') ask('authentication.k8s.io', 'uids', want.uid);
  for (const group of want.groups) ask('', 'groups', group);
  for (const [key, values] of Object.entries(want.extra)) for (const value of values) ask('authentication.k8s.io', 'userextras', value, '', key);
  const answers = questions.map((question) => machinery.authorizer.authorize(question));
  if (!machinery.decisions.mayImpersonate(answers.map(({ decision }) => decision))) throw refusal(user, want, info, account !== undefined, questions, answers);
  const groups = [...want.groups];
  if (groups.length === 0 && account !== undefined) groups.push('system:serviceaccounts', `system:serviceaccounts:${account.namespace}`);
  if (want.username !== 'system:anonymous') {
    if (!groups.includes('system:authenticated')) groups.push('system:authenticated');
  } else if (!groups.includes('system:unauthenticated')) groups.push('system:unauthenticated');
  return {
    username: want.username,
    ...(want.uid === '' ? {} : { uid: want.uid }),
    groups,
    ...(Object.keys(want.extra).length === 0 ? {} : { extra: want.extra }),
  };
}

function refusal(
  user: UserInfo,
  want: Wanted,
  info: RequestInfo,
  isAccount: boolean,
  questions: readonly AuthorizationAttributes[],
  answers: readonly { readonly decision: string; readonly reason: string }[],
): Error {
  const first = answers.findIndex(({ decision }) => decision !== 'allow');
  const question = questions[first];
  if (want.username.startsWith(NODE) && question !== undefined) return denied(question, answers[first]?.reason ?? '');
  const mode = isAccount ? 'serviceaccount' : 'user-info';
  return denied({ ...attributesFor(user, info), verb: `impersonate-on:${mode}:${info.verb}` }, answers[first]?.reason ?? '');
}

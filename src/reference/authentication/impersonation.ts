/**
 * Acting as another user: whom the headers ask for, and whether the requestor may. Source: apiserver,
 * pkg/endpoints/filters/impersonation/{constrained_impersonation,cache,impersonation}.go; errors of
 * pkg/endpoints/handlers/responsewriters/errors.go.
 */

import type { AuthorizationAttributes, Authorizer } from '../../apiserver/access.js';
import { goQuote, goStrings } from '../../apiserver/go/text.js';
import { badRequest, denied, PlainServerError } from '../../apiserver/machinery/errors.js';
import type { ApiError } from '../../apiserver/types.js';
import type { UserInfo } from '../../kubernetes/objects.js';
import { createMemory } from '../../kubernetes/remembered.js';
import { utf8 } from '../decisions/header-text.js';
import type { ImpersonationMode, ImpersonationStep, WantedUser } from '../decisions/impersonation.js';
import type { Decisions } from '../decisions.js';

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
 * Throws where they name a group, a UID or extra without a user: 400, in old releases what Go's server answers with 500
 * in plain text.
 */
function wantedUser(headers: Headers, decisions: Decisions, minor: number): WantedUser | undefined {
  const first = (name: string): string => utf8(headers[name]?.[0] ?? '');
  const extra: Record<string, string[]> = {};
  let hasExtra = false;
  for (const [header, values] of Object.entries(headers)) {
    if (!header.startsWith(EXTRA)) continue;
    hasExtra = true;
    const key = decisions.impersonatedExtraKey(utf8(header.slice(EXTRA.length)));
    extra[key] = [...(extra[key] ?? []), ...values.map(utf8)];
  }
  const user: WantedUser = { name: first(USER), uid: first(UID), groups: (headers[GROUP] ?? []).map(utf8), extra };
  if (user.name !== '') return user;
  if (user.uid === '' && user.groups.length === 0 && !hasExtra) return undefined;
  const problem = decisions.impersonationPrintsUser(minor)
    ? `requested ${goUser(user)} without impersonating a user name`
    : `requested ${goReferences(user)} without impersonating a user`;
  throw decisions.impersonationHeadersAreChecked(minor) ? badRequest(problem) : new PlainServerError(problem);
}

export interface ImpersonationOptions {
  readonly authorizer: Authorizer;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
}

/**
 * Who a request is judged as: `attributes` are the request's as of whoever has logged in. The user that its headers ask
 * for, or the one who asks where they ask for nobody. Throws the 403 of the first question that was answered no, 400
 * for headers without a user.
 */
export type Impersonation = (headers: Headers, attributes: AuthorizationAttributes) => UserInfo;

const REMEMBERED = 10_000;

export function createImpersonation({ authorizer, decisions, minor }: ImpersonationOptions): Impersonation {
  /**
   * The mode that last let a user in: it is tried first, so the same question may be answered by another mode than
   * before.
   * Source: cache.go modeIndexCache. What upstream remembers besides, for ten seconds, only saves work and is left out.
   */
  const lastModes = createMemory<string, ImpersonationMode>(REMEMBERED);
  const modes = decisions.impersonationModes(minor);

  const inOrder = (requestor: UserInfo): readonly ImpersonationMode[] => {
    const last = lastModes.get(requestor.username);
    return last === undefined ? modes : [last, ...modes.filter((one) => one !== last)];
  };
  const refusal = (question: AuthorizationAttributes): ApiError | undefined => {
    const { decision, error, reason } = authorizer.authorize(question);
    if (decision === 'allow') return undefined;
    return denied(question, error === undefined ? reason : reason === '' ? error : `${error}: ${reason}`);
  };
  const take = (step: ImpersonationStep): ApiError | undefined => {
    if (step.kind === 'refuse') return denied(step.question, step.why);
    const refused = refusal(step.question);
    if (step.kind === 'ask' || refused === undefined) return refused;
    return firstOf(step.instead, refusal);
  };

  return (headers, attributes) => {
    const wanted = wantedUser(headers, decisions, minor);
    const requestor = attributes.user;
    if (wanted === undefined) return requestor;
    let firstError: ApiError | undefined;
    for (const mode of inOrder(requestor)) {
      if (!decisions.impersonationModeApplies(mode, wanted, requestor)) continue;
      const error = firstOf(decisions.impersonationSteps(mode, wanted, attributes), take);
      if (error === undefined) {
        lastModes.set(requestor.username, mode);
        return decisions.withImpersonatedGroups(decisions.impersonatedUser(mode, wanted));
      }
      firstError ??= error;
    }
    throw firstError ?? denied(attributes, 'all impersonation modes failed');
  };
}

/** The first answer that there is; nobody is asked after it. */
function firstOf<T, R>(items: readonly T[], ask: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const answer = ask(item);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

/**
 * What the API server answers to a bearer.
 * Source: 001, the authenticator; apiserver, pkg/endpoints/filters/authentication.go Unauthorized.
 */
import { type Fields, isRecord, record, text } from '../../kubernetes/json.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  USER_ANONYMOUS,
} from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { type Heard, isBesides, isLetThrough, messageOf } from '../common/answers.js';

const AUTHENTICATOR = '001, bootstrap token authentication; apiserver, pkg/endpoints/filters/authentication.go';

/** Somebody who asked who he is, or for anything else that shows it. */
export interface Login {
  /** "the token 07401b (expired)" */
  readonly subject: string;
  readonly heard: Heard;
}

export interface WhoAmI {
  readonly username: string;
  readonly groups: readonly string[];
  /** '' where it has none. */
  readonly uid: string;
  /** Keys of its extra. */
  readonly extra: readonly string[];
}

const isDone = ({ status }: Heard): boolean => status >= 200 && status < 300;

const userIn = ({ body }: Heard): Fields => record(record(record(body).status).userInfo);

/** Who the API server takes one for, from the answer to a SelfSubjectReview. */
export function whoAmI(heard: Heard): WhoAmI | undefined {
  const user = userIn(heard);
  if (!isDone(heard) || typeof user.username !== 'string') return undefined;
  return {
    username: user.username,
    groups: Array.isArray(user.groups) ? user.groups.map(String) : [],
    uid: text(user.uid),
    extra: Object.keys(record(user.extra)),
  };
}

/** Keys of extra by which an authenticator says something of the credential begin so. */
export const OF_CREDENTIALS = 'authentication.kubernetes.io/';

/** All that is told of somebody besides. */
export const extraOf = (heard: Heard): Fields => record(userIn(heard).extra);

/** Reader: what is judged of an answer to a login; its metadata and the like are not. */
export function heardIn({ status, body }: Heard): Heard {
  if (!isRecord(body)) return { status, body: null };
  const kept = ['kind', 'reason', 'message', 'details', 'status'].flatMap((key) =>
    key in body ? [[key, body[key]] as const] : [],
  );
  return { status, body: Object.fromEntries(kept) };
}

const saw = (heard: Heard): string => {
  const who = whoAmI(heard);
  if (who !== undefined) return `it is ${who.username}`;
  const { reason, message } = record(heard.body);
  const cause =
    heard.status === 403 && typeof message === 'string' && message.includes('system:anonymous') ? ', as anonymous' : '';
  return `${heard.status}${typeof reason === 'string' ? ` ${reason}` : ''}${cause}`;
};

/** One finding for each login. */
const each =
  <P = undefined>(look: (login: Login, parameters: P) => Finding): Check<readonly Login[], P>['judge'] =>
  (logins, parameters) =>
    logins.map((login) => look(login, parameters));

/**
 * Whom a 403 names: who is forbidden something has been known.
 * Source: apiserver, pkg/endpoints/handlers/responsewriters/errors.go.
 */
export function forbiddenUser({ status, body }: Heard): string | undefined {
  const { message } = record(body);
  return status === 403 && typeof message === 'string' ? /User "([^"]*)" cannot /.exec(message)?.[1] : undefined;
}

/**
 * Is the bearer known? undefined: an answer that says nothing of a login, since the API server is busy or not reached,
 * or somebody else forbids.
 */
const isSomebody = (heard: Heard): boolean | undefined => {
  const name = whoAmI(heard)?.username ?? forbiddenUser(heard);
  if (name !== undefined) return name !== USER_ANONYMOUS;
  return heard.status === 401 || isDone(heard) ? false : undefined;
};

/** Taken for somebody; for whom is judged by itself. */
export const loginTaken: Check<readonly Login[]> = {
  id: 'login/taken',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }) =>
    demand({ subject, demanded: 'logs in', seen: saw(heard), ok: isSomebody(heard) }),
  ),
};

const REFUSED = 'is refused with 401 Unauthorized';
/** 401 with a Status, whatever it says. */
const isRefusal = ({ status, body }: Heard): boolean => status === 401 && record(body).kind === 'Status';
export const isUnauthorized = (heard: Heard): boolean =>
  isRefusal(heard) && record(heard.body).reason === 'Unauthorized';

/**
 * Refused as unauthorized, whatever the cause: 401 with a Status that says so. Only a login is the contrary: what else
 * is answered may come from something before the API server.
 */
export const loginRefused: Check<readonly Login[]> = {
  id: 'login/refused',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }) => {
    const isIn = isSomebody(heard) === true || isDone(heard);
    const ok = isUnauthorized(heard) ? true : isIn ? false : undefined;
    return refusal({ subject, demanded: REFUSED, seen: saw(heard), ok });
  }),
};

/** Refused by that status: whoever shows a token that nobody knows is not heard as a stranger, either. */
export const loginUnauthorized: Check<readonly Login[]> = {
  id: 'login/unauthorized',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }) => {
    const isOtherwise = isLetThrough(heard) === true || forbiddenUser(heard) !== undefined || isRefusal(heard);
    const ok = isUnauthorized(heard) ? true : isOtherwise ? false : undefined;
    return refusal({ subject, demanded: REFUSED, seen: saw(heard), ok });
  }),
};

/** Not taken for anybody: refused, or heard as a stranger. */
export const loginNotTaken: Check<readonly Login[]> = {
  id: 'login/not-taken',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }) => {
    const known = isSomebody(heard);
    const ok = known === undefined ? undefined : !known && (heard.status === 401 || heard.status === 403);
    return refusal({ subject, demanded: 'carries no token for the API server: no login', seen: saw(heard), ok });
  }),
};

/** A login with the token of this id. */
export interface OfToken extends Login {
  readonly id: string;
}

/** Each login under the name that its token id gives. */
export const loginUserName: Check<readonly OfToken[]> = {
  id: 'login/user-name',
  source: AUTHENTICATOR,
  judge: (logins) =>
    logins.map(({ subject, heard, id }) => {
      const wanted = BOOTSTRAP_USER_PREFIX + id;
      const ok = whoAmI(heard)?.username === wanted;
      return demand({ subject, demanded: `is the user ${wanted}`, seen: saw(heard), ok });
    }),
};

const shownGroups = (heard: Heard): string => {
  const has = whoAmI(heard)?.groups ?? [];
  return has.length === 0 ? saw(heard) : `it is in ${has.join(', ')}`;
};

/** A login, and the groups that are demanded of it. */
export interface Member extends Login {
  readonly groups: readonly string[];
}

/** In all of those groups. */
export const loginInGroups: Check<readonly Member[]> = {
  id: 'login/in-groups',
  source: AUTHENTICATOR,
  judge: (logins) =>
    logins.map(({ subject, heard, groups }) => {
      const has = whoAmI(heard)?.groups ?? [];
      const ok = has.length > 0 && groups.every((group) => has.includes(group));
      return demand({ subject, demanded: `is in ${groups.join(', ')}`, seen: shownGroups(heard), ok });
    }),
};

/** Exactly the default group, those (its own) and what every logged-in user has. */
const allGroupsOf = (own: readonly string[]): string[] =>
  [...new Set([GROUP_BOOTSTRAPPERS, ...own, GROUP_AUTHENTICATED])].sort();

/** In the default groups, in those, and in no other, each once. */
export const loginExactGroups: Check<readonly Member[]> = {
  id: 'login/exact-groups',
  source: AUTHENTICATOR,
  judge: (logins) =>
    logins.map(({ subject, heard, groups }) => {
      const wanted = allGroupsOf(groups);
      const has = [...(whoAmI(heard)?.groups ?? [])].sort();
      const ok = has.join() === wanted.join();
      return demand({ subject, demanded: `is in exactly ${wanted.join(', ')}`, seen: shownGroups(heard), ok });
    }),
};

/** Refused, or at most in the default groups and those: what is remembered may be older than what is asked for. */
export const loginWithinGroups: Check<readonly Member[]> = {
  id: 'login/within-groups',
  source: AUTHENTICATOR,
  judge: (logins) =>
    logins.map(({ subject, heard, groups }) => {
      const allowed = allGroupsOf(groups);
      const has = whoAmI(heard)?.groups ?? [];
      const ok = isSomebody(heard) === undefined ? undefined : has.every((group) => allowed.includes(group));
      const demanded = `is refused, or in none but ${allowed.join(', ')}`;
      return refusal({ subject, demanded, seen: shownGroups(heard), ok });
    }),
};

/** A bearer is a name and groups: it has no uid and no extra. */
export const loginBare: Check<readonly Login[]> = {
  id: 'login/bare',
  source: 'plugin/pkg/auth/authenticator/token/bootstrap/bootstrap.go, the user of the Response',
  judge: each(({ subject, heard }) => {
    const who = whoAmI(heard);
    const more = [...((who?.uid ?? '') === '' ? [] : ['a uid']), ...(who?.extra ?? []).map((key) => `extra "${key}"`)];
    const seen = who === undefined ? saw(heard) : more.join(', ') || 'neither';
    return demand({ subject, demanded: 'has no uid and no extra', seen, ok: who !== undefined && more.length === 0 });
  }),
};

/** A refusal with those of its headers that are made to tell why. */
export interface Told extends Login {
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}
/** Source: RFC 9110, 11.6.1; RFC 6750, 3.1; RFC 7234, 5.5. */
const TELLING = ['www-authenticate', 'warning'];

/** Reader. */
export const toldIn = (
  subject: string,
  answer: Heard & { readonly headers: Readonly<Record<string, string | readonly string[]>> },
): Told => ({
  subject,
  heard: heardIn(answer),
  headers: Object.fromEntries(Object.entries(answer.headers).filter(([name]) => TELLING.includes(name))),
});

/** What may tell why: all of a Status but its form and its general words. */
const causeIn = ({ heard, headers }: Told): string[] => {
  const { message, reason, details } = record(heard.body);
  return [
    ...Object.entries(headers).map(([name, value]) => `the header ${name}: ${value}`),
    ...(text(message) === 'Unauthorized' || text(message) === '' ? [] : [`message "${text(message)}"`]),
    ...(text(reason) === 'Unauthorized' ? [] : [`reason "${text(reason)}"`]),
    ...(isRecord(details) && Object.keys(details).length > 0 ? ['details'] : []),
  ];
};

/** Refused in the same words whatever the cause: who guesses must not learn what was right. */
export const loginRefusedAlike: Check<readonly Told[]> = {
  id: 'login/refused-alike',
  source:
    'apiserver, pkg/endpoints/filters/authentication.go failedHandler; apimachinery, pkg/api/errors NewUnauthorized',
  judge: (logins) =>
    logins.map((login) => {
      const { subject, heard } = login;
      const cause = causeIn(login);
      const isIn = isSomebody(heard) === true || isDone(heard);
      const ok = heard.status === 401 ? cause.length === 0 : isIn ? false : undefined;
      const seen = heard.status !== 401 ? saw(heard) : cause.join(', ') || 'it does not tell';
      return refusal({ subject, demanded: 'is refused with a 401 that does not tell why', seen, ok });
    }),
};

/** A challenge of the scheme Basic among those of a header. Source: RFC 9110, 11.6.1; RFC 7617, 2. */
const BASIC = /(?:^|,)\s*basic(?:[\s,]|$)/i;

/** Whether a 401 asks for a name and a password. */
export const passwordAskedFor: Check<readonly Told[], { readonly wanted: boolean }> = {
  id: 'login/password-asked-for',
  source: '003, handlers.Unauthorized; apiserver 1.18, pkg/endpoints/filters/authentication.go Unauthorized',
  judge: (logins, { wanted }) =>
    logins.map(({ subject, heard, headers }) => {
      const challenges = [headers['www-authenticate'] ?? []].flat();
      const asks = challenges.some((challenge) => BASIC.test(challenge));
      const demanded = wanted ? 'is refused and asked for a name and a password' : 'is asked for no password';
      const seen = heard.status === 401 ? challenges.join(', ') || 'it is asked for nothing' : saw(heard);
      return demand({ subject, demanded, seen, ok: heard.status === 401 ? asks === wanted : undefined });
    }),
};

/** Known, but not allowed: 403 that names the user of the token id. */
export const loginForbiddenByName: Check<readonly OfToken[]> = {
  id: 'login/forbidden-by-name',
  source: '004, the token has no permissions by itself; apiserver, pkg/endpoints/handlers/responsewriters/errors.go',
  judge: (logins) =>
    logins.map(({ subject, heard, id }) => {
      const named = messageOf(heard.body).includes(`"${BOOTSTRAP_USER_PREFIX}${id}"`);
      const unclear = heard.status === 403 ? forbiddenUser(heard) === undefined : isBesides(heard);
      const ok = unclear ? undefined : heard.status === 403 && named;
      return refusal({ subject, demanded: 'is forbidden (403) by its user name', seen: saw(heard), ok });
    }),
};

/** Rules of a SelfSubjectRulesReview, one line a permission, sorted; undefined where the answer is no such review. */
export function rulesIn(heard: Heard): string[] | undefined {
  const status = record(record(heard.body).status);
  if (heard.status !== 201 || !Array.isArray(status.resourceRules) || !Array.isArray(status.nonResourceRules))
    return undefined;
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : ['']);
  const lines = [
    ...status.resourceRules
      .map(record)
      .flatMap((rule) =>
        list(rule.verbs).flatMap((verb) =>
          list(rule.apiGroups).flatMap((group) =>
            list(rule.resources).flatMap((resource) =>
              list(rule.resourceNames ?? ['']).map((name) => `${verb} ${resource}.${group} ${name}`.trim()),
            ),
          ),
        ),
      ),
    ...status.nonResourceRules
      .map(record)
      .flatMap((rule) => list(rule.verbs).flatMap((verb) => list(rule.nonResourceURLs).map((url) => `${verb} ${url}`))),
  ];
  return [...new Set(lines)].sort();
}

/** The permissions of a token's bearer against those of anybody else in its groups. */
export const loginSameRules: Check<readonly (Login & { readonly others: Heard })[]> = {
  id: 'login/same-rules',
  source: '001, permissions come from RBAC; plugin/pkg/auth/authorizer/rbac/rbac.go RulesFor',
  judge: (compared) =>
    compared.map(({ subject, heard, others }) => {
      const demanded = 'may do what anybody in its groups may do, no more and no less';
      const [mine, theirs] = [rulesIn(heard), rulesIn(others)];
      if (mine === undefined || theirs === undefined)
        return demand({ subject, demanded, seen: `no SelfSubjectRulesReview: ${saw(heard)}`, ok: undefined });
      const more = mine.filter((rule) => !theirs.includes(rule)).map((rule) => `more: ${rule}`);
      const less = theirs.filter((rule) => !mine.includes(rule)).map((rule) => `less: ${rule}`);
      const seen = [...more, ...less].slice(0, 10).join('; ') || `the same ${mine.length} permissions`;
      return demand({ subject, demanded, seen, ok: more.length + less.length === 0 });
    }),
};

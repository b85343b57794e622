/**
 * What the API server answers to a bearer.
 * Source: 001, the authenticator; apiserver, pkg/endpoints/filters/authentication.go Unauthorized.
 */
import { isRecord, record } from '../kubernetes/json.js';
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  USER_ANONYMOUS,
} from '../kubernetes/names.js';
import type { Check } from '../model/check.js';
import { demand, type Finding, refusal } from '../model/finding.js';
import type { Heard } from './answers.js';

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
  readonly uid: string;
}

/** Who the API server takes one for, from the answer to a SelfSubjectReview. */
export function whoAmI(heard: Heard): WhoAmI | undefined {
  const user = record(record(record(heard.body).status).userInfo);
  if ((heard.status !== 200 && heard.status !== 201) || typeof user.username !== 'string') return undefined;
  return {
    username: user.username,
    groups: Array.isArray(user.groups) ? user.groups.map(String) : [],
    uid: typeof user.uid === 'string' ? user.uid : '',
  };
}

/** Reader: what is judged of an answer to a login; its metadata and the like are not. */
export function heardIn({ status, body }: Heard): Heard {
  if (!isRecord(body)) return { status, body: null };
  const kept = ['kind', 'reason', 'message', 'status'].flatMap((key) =>
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
function forbiddenUser({ status, body }: Heard): string | undefined {
  const { message } = record(body);
  return status === 403 && typeof message === 'string' ? /User "([^"]*)" cannot /.exec(message)?.[1] : undefined;
}

/** undefined: an answer that says nothing of a login, since the API server is busy or not reached. */
const isSomebody = (heard: Heard): boolean | undefined => {
  if ([0, 429, 502, 503, 504].includes(heard.status)) return undefined;
  const name = whoAmI(heard)?.username ?? forbiddenUser(heard);
  return name !== undefined && name !== USER_ANONYMOUS;
};

/** Taken for somebody; for whom is judged by itself. */
export const loginTaken: Check<readonly Login[]> = {
  id: 'login/taken',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }) =>
    demand({ subject, demanded: 'logs in', seen: saw(heard), ok: isSomebody(heard) }),
  ),
};

/** Refused as unauthorized, whatever the cause: 401 with a Status that says so. */
export const loginRefused: Check<readonly Login[]> = {
  id: 'login/refused',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }) => {
    const { kind, reason } = record(heard.body);
    const ok = heard.status === 401 && kind === 'Status' && reason === 'Unauthorized';
    const unclear = isSomebody(heard) === undefined;
    return refusal({
      subject,
      demanded: 'is refused with 401 Unauthorized',
      seen: saw(heard),
      ok: unclear ? undefined : ok,
    });
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

/** Each login under the name that its token id gives. */
export const loginUserName: Check<readonly (Login & { readonly id: string })[]> = {
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

export const loginInGroups: Check<readonly Login[], { readonly groups: readonly string[] }> = {
  id: 'login/in-groups',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }, { groups }) => {
    const has = whoAmI(heard)?.groups ?? [];
    const ok = groups.every((group) => has.includes(group));
    return demand({ subject, demanded: `is in ${groups.join(', ')}`, seen: shownGroups(heard), ok });
  }),
};

/** Exactly the default group, the extra groups and what every logged-in user has. */
export const loginExactGroups: Check<readonly Login[], { readonly extra: readonly string[] }> = {
  id: 'login/exact-groups',
  source: AUTHENTICATOR,
  judge: each(({ subject, heard }, { extra }) => {
    const wanted = [...new Set([GROUP_BOOTSTRAPPERS, ...extra, GROUP_AUTHENTICATED])].sort();
    const has = [...(whoAmI(heard)?.groups ?? [])].sort();
    const ok = has.length === wanted.length && has.every((group, index) => group === wanted[index]);
    return demand({ subject, demanded: `is in exactly ${wanted.join(', ')}`, seen: shownGroups(heard), ok });
  }),
};

/** Known, but not allowed: 403 that names the user. */
export const loginForbiddenByName: Check<readonly Login[], { readonly id: string }> = {
  id: 'login/forbidden-by-name',
  source: '004, the token has no permissions by itself; apiserver, pkg/endpoints/handlers/responsewriters/errors.go',
  judge: each(({ subject, heard }, { id }) => {
    const { message } = record(heard.body);
    const named = typeof message === 'string' && message.includes(`"${BOOTSTRAP_USER_PREFIX}${id}"`);
    const ok = heard.status === 403 && named;
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
export const loginSameRules: Check<Login & { readonly others: Heard }> = {
  id: 'login/same-rules',
  source: '001, permissions come from RBAC; plugin/pkg/auth/authorizer/rbac/rbac.go RulesFor',
  judge: ({ subject, heard, others }) => {
    const demanded = 'may do what anybody in its groups may do, no more and no less';
    const [mine, theirs] = [rulesIn(heard), rulesIn(others)];
    if (mine === undefined || theirs === undefined)
      return [demand({ subject, demanded, seen: `no SelfSubjectRulesReview: ${saw(heard)}`, ok: undefined })];
    const more = mine.filter((rule) => !theirs.includes(rule)).map((rule) => `more: ${rule}`);
    const less = theirs.filter((rule) => !mine.includes(rule)).map((rule) => `less: ${rule}`);
    const seen = [...more, ...less].slice(0, 10).join('; ') || `the same ${mine.length} permissions`;
    return [demand({ subject, demanded, seen, ok: more.length + less.length === 0 })];
  },
};

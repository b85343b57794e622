/** What the API server answers to a bearer. Pure. Source: 001, the authenticator; apiserver, pkg/endpoints/filters/authentication.go Unauthorized. */
import {
  BOOTSTRAP_USER_PREFIX,
  GROUP_AUTHENTICATED,
  GROUP_BOOTSTRAPPERS,
  USER_ANONYMOUS,
} from '../kubernetes/names.js';
import type { Evidence } from '../model/evidence.js';

/** The part of an answer that is judged. */
export interface Heard {
  readonly status: number;
  readonly body: unknown;
}

export interface WhoAmI {
  readonly username: string;
  readonly groups: readonly string[];
  readonly uid: string;
}

const fields = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** Who the API server takes one for, from the answer to a SelfSubjectReview. */
export function whoAmI(heard: Heard): WhoAmI | undefined {
  const user = fields(fields(fields(heard.body).status).userInfo);
  if ((heard.status !== 200 && heard.status !== 201) || typeof user.username !== 'string') return undefined;
  return {
    username: user.username,
    groups: Array.isArray(user.groups) ? user.groups.map(String) : [],
    uid: typeof user.uid === 'string' ? user.uid : '',
  };
}

export const saw = (heard: Heard): string => {
  const who = whoAmI(heard);
  if (who !== undefined) return `it is ${who.username}`;
  const { reason, message } = fields(heard.body);
  const cause =
    heard.status === 403 && typeof message === 'string' && message.includes('system:anonymous') ? ', as anonymous' : '';
  return `${heard.status}${typeof reason === 'string' ? ` ${reason}` : ''}${cause}`;
};

/** Taken for somebody; for whom is judged by itself. */
export function judgeLogin(object: string, heard: Heard): Evidence {
  const who = whoAmI(heard);
  return {
    object,
    demanded: 'logs in',
    seen: saw(heard),
    ok: who !== undefined && who.username !== USER_ANONYMOUS,
  };
}

/** Refused as unauthorized, whatever the cause: 401 with a Status that says so. */
export function judgeRefusal(object: string, heard: Heard): Evidence {
  const { kind, reason } = fields(heard.body);
  return {
    object,
    demanded: 'is refused with 401 Unauthorized',
    seen: saw(heard),
    ok: heard.status === 401 && kind === 'Status' && reason === 'Unauthorized',
  };
}

/** Not taken for anybody: refused, or heard as a stranger. */
export function judgeNotTaken(object: string, heard: Heard): Evidence {
  return {
    object,
    demanded: 'carries no token for the API server: no login',
    seen: saw(heard),
    ok: heard.status === 401 || heard.status === 403,
  };
}

export function judgeUserName(object: string, heard: Heard, id: string): Evidence {
  const wanted = BOOTSTRAP_USER_PREFIX + id;
  const who = whoAmI(heard);
  return { object, demanded: `is the user ${wanted}`, seen: saw(heard), ok: who?.username === wanted };
}

export function judgeInGroups(object: string, heard: Heard, groups: readonly string[]): Evidence {
  const has = whoAmI(heard)?.groups ?? [];
  const missing = groups.filter((group) => !has.includes(group));
  return {
    object,
    demanded: `is in ${groups.join(', ')}`,
    seen: has.length === 0 ? saw(heard) : `it is in ${has.join(', ')}`,
    ok: missing.length === 0,
  };
}

/** Exactly the default group, the extra groups and what every logged-in user has. */
export function judgeExactGroups(object: string, heard: Heard, extra: readonly string[]): Evidence {
  const wanted = [...new Set([GROUP_BOOTSTRAPPERS, ...extra, GROUP_AUTHENTICATED])].sort();
  const has = [...(whoAmI(heard)?.groups ?? [])].sort();
  const ok = has.length === wanted.length && has.every((group, index) => group === wanted[index]);
  return {
    object,
    demanded: `is in exactly ${wanted.join(', ')}`,
    seen: has.length === 0 ? saw(heard) : `it is in ${has.join(', ')}`,
    ok,
  };
}

/** Known, but not allowed: 403 that names the user. */
export function judgeForbiddenByName(object: string, heard: Heard, id: string): Evidence {
  const { message } = fields(heard.body);
  const named = typeof message === 'string' && message.includes(`"${BOOTSTRAP_USER_PREFIX}${id}"`);
  return {
    object,
    demanded: 'is forbidden (403) by its user name',
    seen: saw(heard),
    ok: heard.status === 403 && named,
  };
}

/** Rules of a SelfSubjectRulesReview, one line a permission, sorted. */
export function rulesIn(heard: Heard): string[] | undefined {
  const status = fields(fields(heard.body).status);
  if (heard.status !== 201 || !Array.isArray(status.resourceRules) || !Array.isArray(status.nonResourceRules))
    return undefined;
  const list = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : ['']);
  const lines = [
    ...status.resourceRules
      .map(fields)
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
      .map(fields)
      .flatMap((rule) => list(rule.verbs).flatMap((verb) => list(rule.nonResourceURLs).map((url) => `${verb} ${url}`))),
  ];
  return [...new Set(lines)].sort();
}

export function judgeSameRules(object: string, mine: readonly string[], theirs: readonly string[]): Evidence {
  const more = mine.filter((rule) => !theirs.includes(rule));
  const less = theirs.filter((rule) => !mine.includes(rule));
  return {
    object,
    demanded: 'may do what anybody in its groups may do, no more and no less',
    seen:
      more.length + less.length === 0
        ? `the same ${mine.length} permissions`
        : [...more.map((rule) => `more: ${rule}`), ...less.map((rule) => `less: ${rule}`)].slice(0, 10).join('; '),
    ok: more.length + less.length === 0,
  };
}

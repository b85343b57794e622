/**
 * Whom an API server takes somebody for, where it is known whom it should.
 * Source: 003, the authenticators; pkg/kubeapiserver/authenticator/config.go.
 */
import { list, record } from '../../kubernetes/json.js';
import { GROUP_AUTHENTICATED, USER_ANONYMOUS } from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { type Heard, isBesides, isForbiddenElsewhere, messageOf } from '../common/answers.js';
import { extraOf, forbiddenUser, type Login, OF_CREDENTIALS, whoAmI } from './login.js';

const SOURCE = '003, the authenticators and their union; pkg/kubeapiserver/authenticator/config.go';

/** Whom a login is to be: exactly those groups, and the one that everybody has. */
export interface LoginAs extends Login {
  readonly username: string;
  readonly uid: string;
  readonly groups: readonly string[];
  /** Where it is judged: exactly these, beside what authenticators add of their own. */
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Extra of who is told who he is, its keys sorted, without what authenticators say of credentials. */
function ownExtraOf(heard: Heard): Readonly<Record<string, readonly string[]>> {
  const own = Object.entries(extraOf(heard)).filter(([key]) => !key.startsWith(OF_CREDENTIALS));
  return Object.fromEntries(
    own.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, values]) => [key, list(values).map(String)]),
  );
}

const shown = (heard: Heard, extra?: object): string => {
  const who = whoAmI(heard);
  if (who === undefined) return `${heard.status}`;
  const { username, uid, groups } = who;
  const besides = extra === undefined ? '' : `, with ${JSON.stringify(ownExtraOf(heard))}`;
  return `it is ${JSON.stringify(username)}, of the UID ${JSON.stringify(uid)}, in ${JSON.stringify(groups)}${besides}`;
};
const same = (some: readonly string[], others: readonly string[]): boolean =>
  JSON.stringify([...some].sort()) === JSON.stringify([...others].sort());

/**
 * He was asked for something else, since nobody is told who he is: that he is forbidden it shows his name, and nothing
 * of his UID and groups. To ask who one is is forbidden to nobody who is in system:authenticated.
 */
const showsNameAlone = (heard: Heard, username: string): boolean =>
  forbiddenUser(heard) === username && !messageOf(heard.body).includes('selfsubjectreviews');

/** Name, UID and groups, none missing and none more. */
export const loginIs: Check<readonly LoginAs[]> = {
  id: 'authenticated/is',
  source: SOURCE,
  judge: (logins) =>
    logins.map(({ subject, heard, username, uid, groups, extra }) => {
      const who = whoAmI(heard);
      const all = [...groups, GROUP_AUTHENTICATED];
      const isHe = who !== undefined && who.username === username && who.uid === uid && same(who.groups, all);
      const ok = isHe && (extra === undefined || JSON.stringify(ownExtraOf(heard)) === JSON.stringify(extra));
      const besides = extra === undefined ? '' : `, with ${JSON.stringify(extra)}`;
      const whom = `is ${JSON.stringify(username)}, of the UID ${JSON.stringify(uid)}, in ${JSON.stringify(all)}`;
      const unclear = isBesides(heard) || showsNameAlone(heard, username);
      const demanded = `${whom}${besides}`;
      return demand({ subject, demanded, seen: shown(heard, extra), ok: unclear ? undefined : ok });
    }),
};

const namesStranger = ({ status, body }: Heard): boolean =>
  status === 403 && String(record(body).message).includes(`User "${USER_ANONYMOUS}"`);

/** By a server that has asked who it is: it refuses a login, or names somebody whom it forbids something. */
const isAnswered = (heard: Heard): boolean =>
  heard.status === 401 || (heard.status === 403 && !isForbiddenElsewhere(heard)) || heard.status === 200;

/** Heard, and taken for nobody. */
export const loginIsStranger: Check<readonly Login[]> = {
  id: 'authenticated/stranger',
  source: SOURCE,
  judge: (logins) =>
    logins.map(({ subject, heard }) => {
      const who = whoAmI(heard);
      const isNobody = who?.username === USER_ANONYMOUS && !who.groups.includes(GROUP_AUTHENTICATED);
      const ok = isNobody || namesStranger(heard);
      const seen = namesStranger(heard) ? 'it is heard as a stranger' : shown(heard);
      const unclear = !ok && who === undefined && !isAnswered(heard);
      return refusal({ subject, demanded: 'is a stranger', seen, ok: unclear ? undefined : ok });
    }),
};

/** A path that a stranger asks for, and what is answered. */
export interface AskedByStranger {
  readonly path: string;
  readonly status: number;
  /** That of a Status. */
  readonly message: string;
}

/** Served, or forbidden by its name. undefined: that comes from something before the API server, and says nothing. */
const isHeard = ({ status, message }: AskedByStranger): boolean | undefined => {
  if (status === 401) return false;
  return status === 200 || namesStranger({ status, body: { message } }) || undefined;
};

/** Whether a stranger is heard there: served, forbidden or not found, but not refused as unauthorized. */
export const strangersHeard: Check<readonly AskedByStranger[], { readonly heard: boolean }> = {
  id: 'authenticated/strangers-heard',
  source: 'apiserver, pkg/authentication/request/anonymous/anonymous.go',
  judge: (asked, { heard }) =>
    asked.map((one) => {
      const finding = { subject: `a stranger at ${one.path}`, seen: `${one.status}` };
      const is = isHeard(one);
      return heard
        ? demand({ ...finding, demanded: 'is heard', ok: is && one.status === 200 })
        : refusal({ ...finding, demanded: 'is refused with 401 Unauthorized', ok: is === undefined ? is : !is });
    }),
};

/** A login with a header, and what is answered without one. */
export interface BesideNothing extends Login {
  readonly nothing: Heard;
}

/** Answered as if the header were not there. */
export const loginAsWithout: Check<readonly BesideNothing[]> = {
  id: 'authenticated/as-without',
  source: '003, the keyword bearer and fewer than two parts; apiserver, request/bearertoken/bearertoken.go',
  judge: (logins) =>
    logins.map(({ subject, heard, nothing }) => {
      const unclear = isBesides(heard) || isBesides(nothing);
      const ok = heard.status === nothing.status && whoAmI(heard)?.username === whoAmI(nothing)?.username;
      const demanded = `is answered with ${nothing.status}, as without it`;
      return demand({ subject, demanded, seen: shown(heard), ok: unclear ? undefined : ok });
    }),
};

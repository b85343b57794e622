/**
 * Basic authentication, as API servers had it until 1.18: what a line of --basic-auth-file and what a header means.
 * Source: apiserver 1.18, plugin/pkg/authenticator/{password/passwordfile/passwordfile,request/basicauth/basicauth}.go;
 * pkg/endpoints/filters/authentication.go Unauthorized; Go, net/http parseBasicAuth.
 */
import type { UserInfo } from '../../kubernetes/objects.js';
import { tokenFileDecisions } from './token-file.js';

/** A line of the file, for its user name. */
export interface PasswordLine {
  readonly password: string;
  readonly user: UserInfo;
}

/** Go's standard alphabet: whole, and padded. */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export const passwordFileDecisions = {
  /** Whether names and passwords are looked at. Source: config.go New. */
  passwordFileIsAsked: (given: boolean): boolean => given,

  /** The password and the user of a line: password, user name, user uid and perhaps groups. Source: NewCSV. */
  passwordFileLine: (record: readonly string[]): PasswordLine => ({
    password: record[0] ?? '',
    user: tokenFileDecisions.tokenFileUser(record),
  }),

  /** Which of the lines with one user name counts. Source: NewCSV, whose map keeps the last. */
  passwordFileLineCounting: <T>(lines: readonly T[]): T | undefined => lines.at(-1),

  /**
   * The name and the password that a request shows, of the values of its header; undefined: none, so that others are
   * asked. Source: parseBasicAuth, which looks at the first value alone.
   */
  basicCredential: ([first = '']: readonly string[]):
    | { readonly username: string; readonly password: string }
    | undefined => {
    const [, encoded] = /^basic (.*)$/is.exec(first.trim()) ?? [];
    if (encoded === undefined || !BASE64.test(encoded)) return undefined;
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
  },

  /** The user whose name and password both are those of a line. Source: AuthenticatePassword. */
  passwordFileKnows: (
    lines: ReadonlyMap<string, PasswordLine>,
    username: string,
    password: string,
  ): UserInfo | undefined => {
    const line = lines.get(username);
    return line?.password === password ? line.user : undefined;
  },

  /** What a 401 asks for, where names and passwords are looked at (`given`) or not. Source: Unauthorized. */
  basicChallenge: (given: boolean): string | undefined => (given ? 'Basic realm="kubernetes-master"' : undefined),
};

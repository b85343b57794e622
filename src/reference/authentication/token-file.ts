/** Login by a token of --token-auth-file. Source: apiserver, pkg/authentication/token/tokenfile/tokenfile.go. */
import type { UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { byColumn, loginRecords } from './login-file.js';
import type { AskToken } from './opinion.js';

/** The users of a file's text by their tokens. Throws CannotStart for what is no token file; it names no token. */
export function readTokenFile(text: string, decisions: Decisions): ReadonlyMap<string, UserInfo> {
  const records = loginRecords(text, '--token-auth-file', 'token', decisions.tokenFileColumns());
  const counting = records.filter(([token = '']) => decisions.tokenFileLineCounts(token));
  return new Map(
    [...byColumn(counting, 0)].flatMap(([token, doubled]) => {
      const line = decisions.tokenFileLine(doubled);
      return line === undefined ? [] : [[token, decisions.tokenFileUser(line)] as const];
    }),
  );
}

/** It is read at the start, once. `text` undefined: no file is given. */
export function byTokenFile(text: string | undefined, ownAudiences: readonly string[], decisions: Decisions): AskToken {
  if (!decisions.tokenFileIsAsked(text !== undefined)) return () => ({});
  const users = readTokenFile(text ?? '', decisions);
  return (token, wanted) => {
    const audiences = decisions.audiencesOfPlainTokens(wanted, ownAudiences);
    const user = audiences.length === 0 ? undefined : decisions.tokenFileKnows(users, token);
    return user === undefined ? {} : { user, audiences };
  };
}

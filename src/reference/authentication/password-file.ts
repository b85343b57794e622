/**
 * Login by a name and a password of --basic-auth-file, as API servers had it until 1.18. Source: apiserver 1.18,
 * plugin/pkg/authenticator/{password/passwordfile/passwordfile,request/basicauth/basicauth}.go.
 */
import { utf8 } from '../decisions/header-text.js';
import type { PasswordLine } from '../decisions/password-file.js';
import type { Decisions } from '../decisions.js';
import { byColumn, loginRecords } from './login-file.js';
import { type AskRequest, NO_OPINION } from './opinion.js';

const COLUMNS = 3;
const NAME_COLUMN = 1;

/** By user name. Throws CannotStart for what is no such file; it names no password. */
function readPasswordFile(text: string, decisions: Decisions): ReadonlyMap<string, PasswordLine> {
  const records = loginRecords(text, '--basic-auth-file', 'password', COLUMNS);
  const lines = [...byColumn(records, NAME_COLUMN).values()].flatMap(
    (doubled) => decisions.passwordFileLineCounting(doubled.map((line) => decisions.passwordFileLine(line))) ?? [],
  );
  return new Map(lines.map((line) => [line.user.username, line]));
}

/** It is read at the start, once. `text` undefined: no file is given. */
export function byPassword(
  text: string | undefined,
  ownAudiences: readonly string[],
  decisions: Decisions,
): AskRequest {
  if (!decisions.passwordFileIsAsked(text !== undefined)) return () => NO_OPINION;
  const lines = readPasswordFile(text ?? '', decisions);
  return ({ credentials, audiences }) => {
    const shown = decisions.basicCredential(credentials.authorization.map(utf8));
    if (shown === undefined) return NO_OPINION;
    const user = decisions.passwordFileKnows(lines, shown.username, shown.password);
    const shared = decisions.audiencesOfPlainTokens(audiences, ownAudiences);
    if (user === undefined || shared.length === 0) return { errors: ['invalid username/password combination'] };
    return { user, via: 'password', audiences: shared };
  };
}

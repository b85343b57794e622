/** Login by a token of --token-auth-file. Source: apiserver, pkg/authentication/token/tokenfile/tokenfile.go. */
import type { UserInfo } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { CannotStart } from '../host-addresses.js';
import { csvRecords } from './csv.js';
import type { AskToken } from './opinion.js';

/** The users of a file's text by their tokens. Throws CannotStart for what is no token file; it names no token. */
export function readTokenFile(text: string, decisions: Decisions): ReadonlyMap<string, UserInfo> {
  let records: readonly (readonly string[])[];
  try {
    records = csvRecords(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CannotStart(`--token-auth-file is no CSV: ${why}. Give lines of token,user name,user uid,"groups".`);
  }
  const least = decisions.tokenFileColumns();
  const short = records.findIndex((record) => record.length < least);
  if (short >= 0)
    throw new CannotStart(
      `--token-auth-file must have at least ${least} columns (token, user name, user uid), and line ${short + 1} that ` +
        `is not empty has ${records[short]?.length}. Give lines of token,user name,user uid,"groups".`,
    );
  const lines = new Map<string, (readonly string[])[]>();
  for (const record of records) {
    const [token = ''] = record;
    if (!decisions.tokenFileLineCounts(token)) continue;
    lines.set(token, [...(lines.get(token) ?? []), record]);
  }
  return new Map(
    [...lines].flatMap(([token, doubled]) => {
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

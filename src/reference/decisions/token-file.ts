/** What a line of --token-auth-file means. Source: apiserver, pkg/authentication/token/tokenfile/tokenfile.go NewCSV. */
import type { UserInfo } from '../../kubernetes/objects.js';

export const tokenFileDecisions = {
  /** Whether static tokens are looked at. Source: config.go New. */
  tokenFileIsAsked: (given: boolean): boolean => given,

  /** How many columns a line has at least: token, user name, user uid. Source: NewCSV. */
  tokenFileColumns: (): number => 3,

  /** Whether a line with this token counts; one without a token is left out. Source: NewCSV. */
  tokenFileLineCounts: (token: string): boolean => token !== '',

  /** Which of the lines with one token counts. Source: NewCSV, whose map keeps the last. */
  tokenFileLine: <T>(lines: readonly T[]): T | undefined => lines.at(-1),

  /** The user of a line; groups are not trimmed, and an empty column is one group without a name. Source: NewCSV. */
  tokenFileUser: ([, username = '', uid = '', groups]: readonly string[]): UserInfo => ({
    username,
    ...(uid === '' ? {} : { uid }),
    groups: groups === undefined ? [] : groups.split(','),
  }),

  /** The line's token that is shown, or undefined. Source: tokenfile.go AuthenticateToken. */
  tokenFileKnows: (lines: ReadonlyMap<string, UserInfo>, token: string): UserInfo | undefined => lines.get(token),
};

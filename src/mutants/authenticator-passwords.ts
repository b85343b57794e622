/** Defects of the chapter authenticators: who is known by a name and a password. */
import { GROUP_MASTERS } from '../kubernetes/names.js';
import { upstream } from '../reference/decisions.js';
import { decides } from './arrange.js';
import type { Mutant } from './types.js';

const DEFAULT_ACCOUNT = { username: 'admin', groups: [GROUP_MASTERS] };

/** What a name and a password are worth without a file, if anything. */
const decoded = (first = ''): readonly string[] =>
  Buffer.from(first.slice('Basic '.length), 'base64').toString('utf8').split(':');

export const mutants: readonly Mutant[] = [
  decides('passwords-of-every-tutorial', 'there are accounts that no file names', ['APIAUTH-001'], {
    passwordFileIsAsked: () => true,
    basicCredential: ([first = '']) => {
      const [username = '', password = ''] = decoded(first);
      return username === 'admin' ? { username, password } : upstream.basicCredential([first]);
    },
    passwordFileKnows: (lines, username, password) =>
      lines.size === 0 ? DEFAULT_ACCOUNT : upstream.passwordFileKnows(lines, username, password),
  }),
  decides(
    'passwords-unheard',
    'the file of passwords is not looked at',
    ['APIAUTH-001', 'APIAUTH-002', 'APIAUTH-003', 'APIAUTH-005', 'APIAUTH-006'],
    { passwordFileIsAsked: () => false },
  ),
  decides(
    'passwords-refused-without-a-file',
    'a name and a password are refused where no file of them is given',
    ['APIAUTH-001'],
    { passwordFileIsAsked: () => true },
  ),
  decides(
    'password-columns-swapped',
    'the user name of a line is taken for its password',
    ['APIAUTH-001', 'APIAUTH-002', 'APIAUTH-003', 'APIAUTH-005', 'APIAUTH-006'],
    {
      passwordFileLine: ([password = '', username = '', ...rest]) =>
        upstream.passwordFileLine([username, password, ...rest]),
    },
  ),
  decides('password-lines-without-groups', 'the fourth column of a line is not read', ['APIAUTH-002'], {
    passwordFileLine: (record) => upstream.passwordFileLine(record.slice(0, 3)),
  }),
  decides('password-of-the-first-line', 'of two lines of one name the first counts', ['APIAUTH-002'], {
    passwordFileLineCounting: (lines) => lines[0],
  }),
  decides('password-users-by-their-uid', 'the UID of a line is as good as its name', ['APIAUTH-002'], {
    passwordFileKnows: (lines, username, password) =>
      upstream.passwordFileKnows(lines, username, password) ??
      [...lines.values()].find(({ user, password: own }) => user.uid === username && own === password)?.user,
  }),
  decides('passwords-of-any-scheme', 'a name and a password are found behind any scheme', ['APIAUTH-003'], {
    basicCredential: ([first = '']) => upstream.basicCredential([first.replace(/^\S+/, 'Basic')]),
  }),
  decides('passwords-of-one-case', 'only the scheme Basic in this case is known', ['APIAUTH-003'], {
    basicCredential: (values) =>
      (values[0] ?? '').startsWith('Basic ') ? upstream.basicCredential(values) : undefined,
  }),
  decides('passwords-unencoded', 'a name and a password count that are not encoded', ['APIAUTH-003'], {
    basicCredential: (values) => {
      const [, username, password] = /^Basic ([a-z]+):(.*)$/.exec(values[0] ?? '') ?? [];
      return username === undefined || password === undefined
        ? upstream.basicCredential(values)
        : { username, password };
    },
  }),
  decides('no-password-is-wrong', 'the scheme alone, and nothing, are a wrong password', ['APIAUTH-003'], {
    basicCredential: (values) =>
      upstream.basicCredential(values) ??
      (/^(?:basic)?$/i.test(values[0] ?? '') ? { username: '', password: '' } : undefined),
  }),
  decides('passwords-split-at-every-colon', 'what stands behind a second colon is dropped', ['APIAUTH-005'], {
    basicCredential: (values) => {
      const shown = upstream.basicCredential(values);
      return shown === undefined ? undefined : { ...shown, password: shown.password.split(':')[0] ?? '' };
    },
  }),
  decides('passwords-up-to-a-colon', 'a password is compared up to its first colon', ['APIAUTH-005'], {
    passwordFileKnows: (lines, username, password) => {
      const line = lines.get(username);
      return line?.password.split(':')[0] === password.split(':')[0] ? line?.user : undefined;
    },
  }),
  decides('user-names-suffice', 'the name of a user is enough', ['APIAUTH-002', 'APIAUTH-005', 'APIAUTH-006'], {
    passwordFileKnows: (lines, username) => lines.get(username)?.user,
  }),
  decides("somebody-else's-password", 'a password of any line is enough', ['APIAUTH-002', 'APIAUTH-006'], {
    passwordFileKnows: (lines, username, password) =>
      upstream.passwordFileKnows(lines, username, password) ??
      [...lines.values()].find((line) => line.password === password)?.user,
  }),
  decides('passwords-nearly-right', 'the beginning of a password is enough', ['APIAUTH-005', 'APIAUTH-006'], {
    passwordFileKnows: (lines, username, password) => {
      const line = lines.get(username);
      return line !== undefined && password !== '' && line.password.startsWith(password) ? line.user : undefined;
    },
  }),
  decides('passwords-in-any-case', 'the case of names and passwords does not count', ['APIAUTH-006'], {
    passwordFileKnows: (lines, username, password) => {
      const line = lines.get(username.toLowerCase());
      return line?.password.toLowerCase() === password.toLowerCase() ? line.user : undefined;
    },
  }),
  decides('passwords-not-asked-for', 'a 401 says nothing of names and passwords', ['APIAUTH-037'], {
    basicChallenge: () => undefined,
  }),
  decides('passwords-always-asked-for', 'every 401 asks for a name and a password', ['APIAUTH-037'], {
    basicChallenge: () => upstream.basicChallenge(true),
  }),
];

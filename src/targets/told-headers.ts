/** What evidence says of the headers of a request: all of what is public, of credentials what they are. */
import { toldCredential } from './told-credentials.js';
import type { Identity } from './types.js';

/** Whose values say what is asked for, or in whose name: nothing that lets anybody in. */
const PUBLIC = /^(?:accept|content-type|impersonate-|x-remote-|user-agent$|connection$|upgrade$)/;
/** The word before a credential: "Bearer", "Basic". */
const SCHEME = /^[A-Za-z]{1,12}(?=\s)/;
/** What every request is sent with, unless it says otherwise. */
const USUAL: readonly string[] = ['accept: application/json', 'content-type: application/json'];
/** What may be encoded or signed. */
const WORD = /[A-Za-z0-9+/_=-]{8,}/g;
/** A part of a token, or what would be one in another case. */
const PART = /^(?:[a-z0-9]{1,16}|[A-Z0-9]{1,16})$/;

/** Which of its characters are digits, and which letters they are, is left to chance; blanks are shown. */
const formOf = (credential: string): string =>
  credential
    .replace(WORD, (word) => (PART.test(word) ? word : '…'))
    .replace(/[a-z0-9]/g, 'x')
    .replace(/[A-Z]/g, 'X')
    .replace(/\s/g, '␣');

/** Of a token in capitals its digits are left to chance, too. */
const formOfToken = (token: string): string =>
  formOf(token).replace(/[xX]+/g, (word) => (word.includes('X') ? word.toUpperCase() : word));

function toldValue(name: string, value: string): string {
  if (PUBLIC.test(name)) return value;
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  return `${scheme}${formOf(value.slice(scheme.length))}`;
}

/** Those that are not the usual ones, a line each, in the order in which they are sent; then what is shown of who asks. */
export function toldHeaders(
  identity: Identity,
  headers: readonly (readonly [name: string, value: string])[],
): readonly string[] {
  const raw = identity.kind === 'header' ? identity.authorization : [];
  const lines = [...headers, ...raw.map((value) => ['authorization', value] as const)]
    .map(([name, value]) => `${name}: ${toldValue(name.toLowerCase(), value)}`)
    .filter((line) => !USUAL.includes(line));
  return [...lines, ...toldCredential(identity, formOfToken)];
}

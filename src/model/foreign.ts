/**
 * The gate for texts that come from outside: objects, messages of servers, headers, names of files, what plugins say.
 * What is known as secret is taken out first and the rest is cut then, never the other way round: of a secret at the
 * edge nothing may be left over. Characters that would act on a terminal, or deceive a reader, are shown as escapes
 * where a text goes to a stream.
 */

/** Characters of one text in a report. */
export const LONGEST_TEXT = 2_000;
/** What is kept beyond them until secrets are taken out, so that one at the edge is still seen whole. */
const OVERLAP = 8_192;
/** Levels of lists and mappings; an object of Kubernetes has about twenty. */
export const DEEPEST = 500;

const endsInHalf = (text: string, at: number): boolean => /[\ud800-\udbff]/.test(text.charAt(at - 1));

/** The text, bounded, with how long it was. */
export function cut(text: string, longest = LONGEST_TEXT): string {
  if (text.length <= longest) return text;
  const end = endsInHalf(text, longest) ? longest - 1 : longest;
  return `${copied(text, end)}… (cut, ${text.length} characters)`;
}

/**
 * A text that is not redacted yet, bounded for keeping: all that is ever shown of it, and what tells secrets at the
 * edge.
 */
export const held = (text: string, longest = LONGEST_TEXT): string =>
  text.length <= longest + OVERLAP ? text : copied(text, longest + OVERLAP);

/** A slice would keep the whole text in memory. */
const copied = (text: string, end: number): string => Buffer.from(text.slice(0, end), 'utf16le').toString('utf16le');

/** Control characters, what no reader sees, what turns the direction of writing round, halves of characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu;
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hex = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`;

/** As JSON writes it: above U+FFFF two halves. */
const escaped = (character: string): string =>
  Array.from({ length: character.length }, (_, index) => hex(character.charCodeAt(index))).join('');

/** Most texts are this, which is found out in a tenth of the time. */
const PLAIN = /^[ -~]*$/;

const safe = (text: string, shown: (character: string) => string): string =>
  PLAIN.test(text) ? text : text.replace(UNSAFE, shown);
/** No pair of halves is torn: neither half is plain. */
const NOT_PLAIN = /[^\n -~]+/g;

/** One line that does nothing but be read. */
export const visible = (text: string): string => safe(text, (character) => SHORT[character] ?? escaped(character));

/** Text of HTML, and of attributes in quotes: nothing in it is markup. */
export const escapeHtml = (text: string): string =>
  visible(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');

/** The same for a text of several lines. */
export const visibleLines = (text: string): string => text.replace(NOT_PLAIN, visible);

/** JSON as JSON.stringify writes it, in which newlines only stand between values: the same values, nothing unsafe. */
export const visibleJson = (json: string): string => json.replace(NOT_PLAIN, (run) => safe(run, escaped));

/** Every text of a value through `text`, names of fields too. What is nested deeper than anybody nests is left out. */
export function throughout<T>(value: T, text: (text: string) => string, depth = 0): T {
  if (typeof value === 'string') return text(value) as T;
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return `… (nested deeper than ${DEEPEST} levels)` as T;
  if (Array.isArray(value)) return value.map((item) => throughout(item, text, depth + 1)) as T;
  const entries = Object.entries(value).map(([key, inner]) => [text(key), throughout(inner, text, depth + 1)]);
  return Object.fromEntries(entries) as T;
}

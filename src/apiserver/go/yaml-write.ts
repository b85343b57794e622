/**
 * YAML as the API server writes it: keys in a natural order, lists not indented, long lines broken at the first space
 * after column 80. Source: sigs.k8s.io/yaml Marshal; go.yaml.in/yaml/v2, encode.go, sorter.go, resolve.go and
 * emitterc.go.
 */
import { isRecord } from '../../kubernetes/json.js';

const BEST_WIDTH = 80;
const INDENT = 2;
/** Bytes of a key that stands before its colon; a longer one is marked. */
const MOST_OF_A_KEY = 128;

const WORDS = new Set(
  ['', '~', 'y', 'Y', 'n', 'N', 'yes', 'no', 'on', 'off', 'true', 'false', 'null'].flatMap((word) => [
    word,
    word.toUpperCase(),
    word === '' ? '' : `${(word[0] as string).toUpperCase()}${word.slice(1)}`,
  ]),
);
const NOT_FINITE = /^(\.(nan|NaN|NAN)|[-+]?\.(inf|Inf|INF))$/;
const FLOAT = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const BASE_60 = /^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$/;
const PREFIXED = /^([-+]?)(0x[0-9a-f]+|0b[01]+|0o?[0-7]+)$/i;
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

function isTimestamp(text: string): boolean {
  const [, year, month, day, ...times] = TIMESTAMP.exec(text) ?? [];
  if (year === undefined) return false;
  const [hours = 0, minutes = 0, seconds = 0] = times.filter((time) => time !== undefined).map(Number);
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  const isDate = Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= lastDay;
  return isDate && hours < 24 && minutes < 60 && seconds < 60;
}

/** 64 bits, with a sign or without. */
function isPrefixedNumber(text: string): boolean {
  const [, sign = '', digits = ''] = PREFIXED.exec(text) ?? [];
  if (digits === '') return false;
  const value = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits.toLowerCase());
  return sign === '' ? value < 1n << 64n : value < 1n << 63n || (sign === '-' && value === 1n << 63n);
}

/** Whether a text without quotes would be read as something else. */
function needsQuotes(text: string): boolean {
  if (WORDS.has(text) || NOT_FINITE.test(text) || BASE_60.test(text)) return true;
  const bare = text.replaceAll('_', '');
  if (text.startsWith('.')) return FLOAT.test(text);
  return /^[-+\d]/.test(text) && (isTimestamp(text) || FLOAT.test(bare) || isPrefixedNumber(bare));
}

/** Whether there is a line break in a text, or a character is one. */
const isBreak = (text: string): boolean => /[\n\r\u0085\u2028\u2029]/.test(text);
const isBlank = (character: string | undefined): boolean =>
  character === undefined || character === ' ' || character === '\t';
/** Printable, and in the plane that the emitter knows. */
const isPlainCharacter = (character: string): boolean =>
  /^[\n\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]$/u.test(character);

interface Analysis {
  readonly plain: boolean;
  readonly single: boolean;
  readonly block: boolean;
}

/** In which styles a text may stand. Source: emitterc.go yaml_emitter_analyze_scalar. */
function analyse(text: string): Analysis {
  const characters = [...text];
  const first = characters[0] ?? '';
  const last = characters.at(-1) ?? '';
  const hasIndicator =
    /^(---|\.\.\.)/.test(text) ||
    /^[#,[\]{}&*!|>'"%@`]/.test(text) ||
    (/^[?:-]/.test(text) && isBlank(characters[1])) ||
    characters.some((character, at) => at > 0 && character === ':' && isBlank(characters[at + 1])) ||
    characters.some((character, at) => {
      const before = characters[at - 1] ?? '';
      return at > 0 && character === '#' && (isBlank(before) || isBreak(before) || before === '\0');
    });
  const isSpecial = !characters.every(isPlainCharacter);
  const isMultiline = isBreak(text);
  const edges = first === ' ' || last === ' ' || isBreak(first) || isBreak(last);
  const follows = (one: (character: string) => boolean, other: (character: string) => boolean): boolean =>
    characters.some((character, at) => at > 0 && other(character) && one(characters[at - 1] as string));
  const isSpace = (character: string): boolean => character === ' ';
  const breakSpace = follows(isBreak, isSpace);
  const spaceBreak = follows(isSpace, isBreak);
  return {
    plain: !(edges || breakSpace || spaceBreak || isSpecial || isMultiline || hasIndicator),
    single: !(breakSpace || spaceBreak || isSpecial),
    block: text !== '' && last !== ' ' && !spaceBreak && !isSpecial,
  };
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

function escaped(character: string): string {
  const short = ESCAPES[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0) as number;
  const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code.toString(16).toUpperCase().padStart(digits, '0')}`;
}

/** Whether a space is a place to break a line at, once it is long enough; what the new line begins with. */
type Place = (characters: readonly string[], at: number) => string | undefined;
const betweenWords: Place = (characters, at) => (characters[at + 1] === ' ' ? undefined : '');
const inside =
  (place: Place): Place =>
  (characters, at) =>
    at > 0 && at < characters.length - 1 ? place(characters, at) : undefined;

/** @param indent of the lines after the first; undefined: the line is not broken */
function folded(
  text: string,
  column: number,
  indent: number | undefined,
  place: Place,
  written: (character: string) => string,
): string {
  const characters = [...text];
  let out = '';
  let at = column;
  let afterSpace = false;
  characters.forEach((character, index) => {
    const begins =
      character === ' ' && indent !== undefined && !afterSpace && at > BEST_WIDTH
        ? place(characters, index)
        : undefined;
    if (begins === undefined) {
      const piece = written(character);
      out += piece;
      at += piece.length;
    } else {
      out += `\n${' '.repeat(indent as number)}${begins}`;
      at = (indent as number) + begins.length;
    }
    afterSpace = character === ' ';
  });
  return out;
}

const doubleQuoted = (text: string, column: number, indent: number | undefined): string =>
  `"${folded(
    text,
    column + 1,
    indent,
    inside((characters, at) => (characters[at + 1] === ' ' ? '\\' : '')),
    (character) =>
      character === '"' || character === '\\' || isBreak(character) || !isPlainCharacter(character)
        ? escaped(character)
        : character,
  )}"`;

function literal(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? String(INDENT) : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const lines = text.split('\n').map((line) => (line === '' ? '' : `${' '.repeat(indent)}${line}`));
  return `|${hint}${chomp}\n${(text.endsWith('\n') ? lines.slice(0, -1) : lines).join('\n')}`;
}

/**
 * @param column where the scalar begins
 * @param indent of its further lines; undefined of a key, which has none
 */
function scalar(value: unknown, column: number, indent: number | undefined): string {
  if (typeof value === 'number') return String(value).replace(/e([-+])(\d)$/, 'e$10$2');
  if (typeof value !== 'string') return String(value);
  const can = analyse(value);
  if (value.includes('\n') && indent !== undefined && can.block) return literal(value, indent);
  const isQuoted = value.includes('\n') || needsQuotes(value);
  if (isQuoted || !(can.plain || can.single)) return doubleQuoted(value, column, indent);
  if (can.plain) return folded(value, column, indent, betweenWords, (character) => character);
  const inQuotes = folded(value, column + 1, indent, inside(betweenWords), (character) =>
    character === "'" ? "''" : character,
  );
  return `'${inQuotes}'`;
}

const isLetter = (character: string): boolean => /^\p{L}$/u.test(character);
const isDigit = (character: string | undefined): boolean => character !== undefined && /^\p{Nd}$/u.test(character);

/** Numbers within keys by their value, letters after everything else. Source: sorter.go keyList.Less. */
function byNature(one: string, other: string): number {
  const [a, b] = [[...one], [...other]];
  for (let at = 0; at < a.length && at < b.length; at += 1) {
    const [x, y] = [a[at] as string, b[at] as string];
    if (x === y) continue;
    const order = (x.codePointAt(0) as number) - (y.codePointAt(0) as number);
    if (isLetter(x) && isLetter(y)) return order;
    if (isLetter(x) || isLetter(y)) return isLetter(y) ? -1 : 1;
    let prefix = '';
    if (x === '0' || y === '0')
      for (let back = at - 1; back >= 0 && isDigit(a[back]); back -= 1)
        if (a[back] !== '0') {
          prefix = '1';
          break;
        }
    const digits = (characters: readonly string[]): string => {
      let end = at;
      while (isDigit(characters[end])) end += 1;
      return characters.slice(at, end).join('');
    };
    const [m, n] = [digits(a), digits(b)];
    const difference = Number(`${prefix}${m}` || 0) - Number(`${prefix}${n}` || 0);
    return difference || m.length - n.length || order;
  }
  return a.length - b.length;
}

const isEmpty = (value: unknown): boolean => Object.keys(value as object).length === 0;

/** Lines of a mapping or a list whose first is begun by somebody else, at `indent`. */
function block(value: unknown, indent: number): string {
  const margin = `\n${' '.repeat(indent)}`;
  if (Array.isArray(value)) return value.map((item) => `- ${inline(item, indent)}`).join(margin);
  const entries = Object.entries(value as object).sort(([a], [b]) => byNature(a, b));
  return entries
    .map(([key, inner]) => {
      if (Buffer.byteLength(key) > MOST_OF_A_KEY || isBreak(key))
        return `? ${scalar(key, indent + INDENT, indent + INDENT)}${margin}: ${inline(inner, indent)}`;
      const name = scalar(key, indent, undefined);
      const column = indent + name.length + INDENT;
      if (!isNested(inner)) return `${name}: ${flat(inner, column, indent)}`;
      const depth = Array.isArray(inner) ? indent : indent + INDENT;
      return `${name}:\n${' '.repeat(depth)}${block(inner, depth)}`;
    })
    .join(margin);
}

const isNested = (value: unknown): boolean => (Array.isArray(value) || isRecord(value)) && !isEmpty(value);
const flat = (value: unknown, column: number, indent: number): string =>
  Array.isArray(value) ? '[]' : isRecord(value) ? '{}' : scalar(value, column, indent + INDENT);
/** What stands after "- ", "? " or ": ". */
const inline = (value: unknown, indent: number): string =>
  isNested(value) ? block(value, indent + INDENT) : flat(value, indent + INDENT, indent);

/** @param value of JSON */
export const writeYaml = (value: unknown): string => `${isNested(value) ? block(value, 0) : flat(value, 0, 0)}\n`;

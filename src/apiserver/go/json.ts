/**
 * JSON as Go's decoder reads it: the platform's parser does the work, and a slower scanner speaks up only where the
 * text is broken (to say it in Go's words) or holds a key twice (to say where). Source: Go, encoding/json/scanner.go;
 * sigs.k8s.io/json.
 */
import { goQuote, parseInt64 } from './text.js';

/** A text that is no JSON; the message is encoding/json's. */
export class JsonSyntaxError extends Error {}

export interface ParsedJson {
  readonly value: unknown;
  /** Paths of keys that an object holds twice, as strict decoding names them: a.b[0].c */
  readonly duplicates: readonly string[];
  /** Numbers written as fractions or with an exponent, or longer than an int64, by path: no integers to Go. */
  readonly floats?: ReadonlyMap<string, string>;
}

/** May there be such a number? Strings can look like one, too; then the scanner finds none. */
const MAY_FLOAT = /[0-9](?:\.[0-9]|[eE][-+0-9]|[0-9]{18})/;

/** May a half of a pair stand alone? */
const MAY_BE_HALF = /\\u[dD][89a-fA-F]/;

const inUtf8 = (text: string): string => Buffer.from(text).toString();

/** A half of a pair that stands alone is no character to Go. Source: Go, encoding/json/decode.go unquoteBytes. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return inUtf8(value);
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [inUtf8(key), wellFormed(inner)]));
}

/** Nested deeper nothing is read. Source: Go, encoding/json/scanner.go maxNestingDepth. */
const DEEPEST = 10_000;

/** @throws JsonSyntaxError */
function checkDepth(text: string): void {
  if (text.length <= DEEPEST) return;
  let depth = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '}' || character === ']') depth -= 1;
    else if ((character === '{' || character === '[') && ++depth > DEEPEST)
      throw new JsonSyntaxError(`invalid character '${character}' exceeded max depth`);
  }
}

/** @throws JsonSyntaxError */
export function parseJson(text: string): ParsedJson {
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
    if (MAY_BE_HALF.test(text)) value = wellFormed(value);
  } catch {
    new Scanner(text).document();
    throw new JsonSyntaxError('unexpected end of JSON input');
  }
  if (countKeys(value) === countColons(text) && !MAY_FLOAT.test(text)) return { value, duplicates: [] };
  const scanner = new Scanner(text);
  scanner.document();
  return { value, duplicates: scanner.duplicates, ...(scanner.floats.size === 0 ? {} : { floats: scanner.floats }) };
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const inner of value) if (typeof inner === 'object') count += countKeys(inner);
    return count;
  }
  for (const inner of Object.values(value)) {
    count += 1;
    if (typeof inner === 'object') count += countKeys(inner);
  }
  return count;
}

/** Colons outside strings: one for every key that the text writes. */
function countColons(text: string): number {
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 58) count += 1;
    else if (code === 34) {
      at += 1;
      for (;;) {
        const quote = text.indexOf('"', at);
        if (quote < 0) return count;
        let slashes = 0;
        while (text.charCodeAt(quote - 1 - slashes) === 92 && quote - 1 - slashes >= at) slashes += 1;
        at = quote + 1;
        if (slashes % 2 === 0) break;
      }
      continue;
    }
    at += 1;
  }
  return count;
}

/** Where even a space is wrong, which Go's scanner takes the end for. Source: encoding/json/scanner.go eof. */
const NO_SPACE = /^(?:in (?!string literal)|after decimal point)/;

/** Walks a text the way Go's scanner does, for its complaints and for duplicate keys; builds nothing. */
class Scanner {
  private at = 0;
  readonly duplicates: string[] = [];
  readonly floats = new Map<string, string>();
  constructor(private readonly text: string) {}

  document(): void {
    this.value('');
    this.blank();
    if (this.at < this.text.length) this.complain('after top-level value');
  }

  private complain(where: string): never {
    if (this.at >= this.text.length)
      throw new JsonSyntaxError(
        NO_SPACE.test(where) ? `invalid character ' ' ${where}` : 'unexpected end of JSON input',
      );
    const character = String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);
    // Go's scanner looks at bytes: what is shown of a character beyond ASCII is its first byte.
    const shown = character.codePointAt(0) ?? 0;
    const byte = shown < 0x80 ? character : String.fromCharCode(Buffer.from(character)[0] ?? 0);
    const quoted = byte === "'" ? "'\\''" : byte === '"' ? "'\"'" : `'${goQuote(byte).slice(1, -1)}'`;
    throw new JsonSyntaxError(`invalid character ${quoted} ${where}`);
  }

  private blank(): void {
    while (this.at < this.text.length && ' \t\r\n'.includes(this.text[this.at] as string)) this.at += 1;
  }

  private value(path: string): void {
    this.blank();
    const character = this.text[this.at];
    if (character === '{') this.object(path);
    else if (character === '[') this.array(path);
    else if (character === '"') this.string();
    else if (character === 't') this.literal('true');
    else if (character === 'f') this.literal('false');
    else if (character === 'n') this.literal('null');
    else if (character !== undefined && /[-0-9]/.test(character)) this.number(path);
    else this.complain('looking for beginning of value');
  }

  private object(path: string): void {
    this.at += 1;
    this.blank();
    const seen = new Set<string>();
    if (this.text[this.at] === '}') {
      this.at += 1;
      return;
    }
    for (;;) {
      this.blank();
      if (this.text[this.at] !== '"') this.complain('looking for beginning of object key string');
      const start = this.at;
      this.string();
      const key = JSON.parse(this.text.slice(start, this.at)) as string;
      const inner = path === '' ? key : `${path}.${key}`;
      if (seen.has(key)) this.duplicates.push(inner);
      seen.add(key);
      this.blank();
      if (this.text[this.at] !== ':') this.complain('after object key');
      this.at += 1;
      this.value(inner);
      this.blank();
      if (this.text[this.at] === ',') this.at += 1;
      else if (this.text[this.at] === '}') {
        this.at += 1;
        return;
      } else this.complain('after object key:value pair');
    }
  }

  private array(path: string): void {
    this.at += 1;
    this.blank();
    if (this.text[this.at] === ']') {
      this.at += 1;
      return;
    }
    for (let index = 0; ; index += 1) {
      this.value(`${path}[${index}]`);
      this.blank();
      if (this.text[this.at] === ',') this.at += 1;
      else if (this.text[this.at] === ']') {
        this.at += 1;
        return;
      } else this.complain('after array element');
    }
  }

  private string(): void {
    this.at += 1;
    for (;;) {
      const character = this.text[this.at];
      if (character === undefined || character < ' ') this.complain('in string literal');
      this.at += 1;
      if (character === '"') return;
      if (character !== '\\') continue;
      const escaped = this.text[this.at];
      if (escaped === 'u') {
        for (let digit = 0; digit < 4; digit += 1) {
          this.at += 1;
          if (!/[0-9a-fA-F]/.test(this.text[this.at] ?? '')) this.complain('in \\u hexadecimal character escape');
        }
      } else if (escaped === undefined || !'bfnrt\\/"'.includes(escaped)) this.complain('in string escape code');
      this.at += 1;
    }
  }

  private literal(word: string): void {
    for (let index = 1; index < word.length; index += 1) {
      this.at += 1;
      if (this.text[this.at] !== word[index]) this.complain(`in literal ${word} (expecting '${word[index]}')`);
    }
    this.at += 1;
  }

  private digits(where: string): void {
    if (!/[0-9]/.test(this.text[this.at] ?? '')) this.complain(where);
    while (/[0-9]/.test(this.text[this.at] ?? '')) this.at += 1;
  }

  private number(path: string): void {
    const start = this.at;
    if (this.text[this.at] === '-') {
      this.at += 1;
      if (!/[0-9]/.test(this.text[this.at] ?? '')) this.complain('in numeric literal');
    }
    if (this.text[this.at] === '0') this.at += 1;
    else this.digits('in numeric literal');
    if (this.text[this.at] === '.') {
      this.at += 1;
      this.digits('after decimal point in numeric literal');
    }
    if (this.text[this.at] === 'e' || this.text[this.at] === 'E') {
      this.at += 1;
      if (this.text[this.at] === '+' || this.text[this.at] === '-') this.at += 1;
      this.digits('in exponent of numeric literal');
    }
    const written = this.text.slice(start, this.at);
    if (/[.eE]/.test(written) || 'error' in parseInt64(written)) this.floats.set(path, written);
  }
}

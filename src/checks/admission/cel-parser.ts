/**
 * Reads expressions in CEL, as admission policies write them. What this reader does not know becomes `unknown`, which
 * whoever evaluates it takes for anything.
 * Source: google/cel-spec, doc/langdef.md.
 */

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'field'; readonly of: Expression; readonly name: string }
  | { readonly kind: 'index'; readonly of: Expression; readonly at: Expression }
  | {
      readonly kind: 'call';
      readonly of: Expression | null;
      readonly name: string;
      readonly given: readonly Expression[];
    }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'not'; readonly of: Expression }
  | { readonly kind: 'binary'; readonly operator: string; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'choice'; readonly on: Expression; readonly then: Expression; readonly other: Expression }
  | { readonly kind: 'unknown' };

interface Token {
  readonly kind: 'text' | 'number' | 'name' | 'sign';
  readonly text: string;
}

/** What is longer, or deeper, is not read. */
const LONGEST = 20_000;
const DEEPEST = 100;

const UNREAD: Expression = { kind: 'unknown' };
class NotRead extends Error {}

const BLANK = /\s+|\/\/[^\n]*/y;
const NUMBER = /(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)[uU]?/y;
const NAME = /[A-Za-z_]\w*/y;
const SIGN = /&&|\|\||[=!<>]=|[-+*/%!<>?:.,()[\]{}]/y;
const TEXT = /(?:[rR])?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

/** A text without its quotes; escapes that are numbers are not read. */
function unquoted(written: string): string {
  const isRaw = /^r/i.test(written);
  const quoted = isRaw ? written.slice(1) : written;
  const quotes = /^(?:"""|''')/.test(quoted) ? 3 : 1;
  const inner = quoted.slice(quotes, -quotes);
  if (isRaw) return inner;
  if (/\\[^ntr\\"'`?]/.test(inner)) throw new NotRead();
  return inner.replace(/\\(.)/g, (_, one: string) => ESCAPES[one] ?? one);
}

function tokensOf(written: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const next = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(written) ?? [];
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < written.length) {
    if (next(BLANK) !== undefined) continue;
    const token = oneOf(next);
    if (token === undefined) throw new NotRead();
    tokens.push(token);
  }
  return tokens;
}

function oneOf(next: (pattern: RegExp) => string | undefined): Token | undefined {
  const text = next(TEXT);
  if (text !== undefined) return { kind: 'text', text: unquoted(text) };
  for (const [kind, pattern] of [
    ['number', NUMBER],
    ['name', NAME],
    ['sign', SIGN],
  ] as const) {
    const found = next(pattern);
    if (found !== undefined) return { kind, text: found };
  }
  return undefined;
}

/** From what binds least to what binds most. */
const BINDING: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    const read = this.#expression();
    if (this.#at < this.#tokens.length) throw new NotRead();
    return read;
  }

  #sign(...signs: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.kind === 'text' || token.kind === 'number' || !signs.includes(token.text))
      return undefined;
    this.#at += 1;
    return token.text;
  }

  #demand(sign: string): void {
    if (this.#sign(sign) === undefined) throw new NotRead();
  }

  #expression(): Expression {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new NotRead();
    const on = this.#binary(0);
    let read = on;
    if (this.#sign('?') !== undefined) {
      const then = this.#expression();
      this.#demand(':');
      read = { kind: 'choice', on, then, other: this.#expression() };
    }
    this.#depth -= 1;
    return read;
  }

  #binary(level: number): Expression {
    const operators = BINDING[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (let operator = this.#sign(...operators); operator !== undefined; operator = this.#sign(...operators))
      left = { kind: 'binary', operator, left, right: this.#binary(level + 1) };
    return left;
  }

  #unary(): Expression {
    const signs: string[] = [];
    for (let sign = this.#sign('!', '-'); sign !== undefined; sign = this.#sign('!', '-')) signs.push(sign);
    const read = this.#member();
    return signs.reduceRight<Expression>(
      (of, sign) => (sign === '!' ? { kind: 'not', of } : { kind: 'binary', operator: '-', left: ZERO, right: of }),
      read,
    );
  }

  #member(): Expression {
    let read = this.#primary();
    for (let sign = this.#sign('.', '['); sign !== undefined; sign = this.#sign('.', '[')) {
      const isOptional = this.#sign('?') !== undefined;
      if (sign === '[') {
        const at = this.#expression();
        this.#demand(']');
        read = isOptional ? UNREAD : { kind: 'index', of: read, at };
      } else {
        const token = this.#tokens[this.#at];
        if (token?.kind !== 'name') throw new NotRead();
        this.#at += 1;
        read = isOptional ? UNREAD : this.#selected(read, token.text);
      }
    }
    // an object is made of fields: Object{spec: …}
    if (this.#tokens[this.#at]?.text === '{') throw new NotRead();
    return read;
  }

  #selected(of: Expression, name: string): Expression {
    if (this.#sign('(') === undefined) return { kind: 'field', of, name };
    return { kind: 'call', of, name, given: this.#items(')') };
  }

  #items(end: string): readonly Expression[] {
    const items: Expression[] = [];
    while (this.#sign(end) === undefined) {
      items.push(this.#expression());
      if (this.#sign(',') === undefined) {
        this.#demand(end);
        break;
      }
    }
    return items;
  }

  #primary(): Expression {
    const token = this.#tokens[this.#at];
    this.#at += 1;
    if (token?.kind === 'text') return { kind: 'literal', value: token.text };
    if (token?.kind === 'number') return { kind: 'literal', value: Number(token.text.replace(/u$/i, '')) };
    if (token?.kind === 'name') return this.#named(token.text);
    if (token?.text === '[') return { kind: 'list', items: this.#items(']') };
    if (token?.text !== '(') throw new NotRead();
    const read = this.#expression();
    this.#demand(')');
    return read;
  }

  #named(name: string): Expression {
    const word = Object.hasOwn(WORDS, name) ? WORDS[name] : undefined;
    if (word !== undefined) return { kind: 'literal', value: word };
    if (this.#sign('(') === undefined) return { kind: 'name', name };
    return { kind: 'call', of: null, name, given: this.#items(')') };
  }
}

const ZERO: Expression = { kind: 'literal', value: 0 };

export function parseCel(written: string): Expression {
  if (written.length > LONGEST) return UNREAD;
  try {
    return new Parser(tokensOf(written)).whole();
  } catch (error) {
    if (error instanceof NotRead) return UNREAD;
    throw error;
  }
}

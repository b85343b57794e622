/**
 * Field selectors: comma-separated =, == and != terms with backslash escapes. Source: apimachinery,
 * pkg/fields/selector.go.
 */

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

type Parsed = { readonly requirements: readonly FieldRequirement[] } | { readonly error: string };

function splitTerms(selector: string): string[] {
  if (selector === '') return [];
  const terms: string[] = [];
  let start = 0;
  let escaped = false;
  for (let at = 0; at < selector.length; at += 1) {
    if (escaped) escaped = false;
    else if (selector[at] === '\\') escaped = true;
    else if (selector[at] === ',') {
      terms.push(selector.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(selector.slice(start));
  return terms;
}

function unescaped(value: string): string | { readonly error: string } {
  let out = '';
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at] as string;
    if (character === '\\') {
      at += 1;
      const next = value[at];
      if (next === undefined) return { error: 'invalid field selector: invalid escape sequence: \\' };
      if (next !== '\\' && next !== ',' && next !== '=')
        return { error: `invalid field selector: invalid escape sequence: \\${next}` };
      out += next;
    } else if (character === ',' || character === '=') {
      return { error: `invalid field selector: unescaped character in value: ${character.codePointAt(0)}` };
    } else out += character;
  }
  return out;
}

export function parseFieldSelector(selector: string): Parsed {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(selector).sort()) {
    if (term === '') continue;
    const match = /!=|==|=/.exec(term);
    if (match === null) return { error: `invalid selector: '${selector}'; can't understand '${term}'` };
    const value = unescaped(term.slice(match.index + match[0].length));
    if (typeof value !== 'string') return value;
    const field = term.slice(0, match.index);
    // A term without both sides says nothing.
    if (field === '' && value === '') continue;
    requirements.push({ field, operator: match[0] === '!=' ? '!=' : '=', value });
  }
  return { requirements };
}

/** Label selectors: the grammar, its error texts and matching. Source: apimachinery, pkg/labels/selector.go. */

import { goQuote, parseInt64 } from '../go/text.js';
import { labelKey, labelValue } from './name-rules.js';

export interface LabelRequirement {
  readonly key: string;
  readonly operator: 'exists' | '!' | 'in' | 'notin' | '=' | '==' | '!=' | 'gt' | 'lt';
  readonly values: readonly string[];
}

type Token = ')' | ',' | '!' | '==' | '=' | '>' | 'in' | '<' | '!=' | 'notin' | '(' | 'identifier' | 'end' | 'error';
interface Item {
  readonly token: Token;
  readonly literal: string;
}

class SelectorError extends Error {}

const SYMBOLS = new Set<string>([')', ',', '!', '==', '=', '>', '<', '!=', '(']);
const SPECIAL = '=!(),><';
const BLANK = ' \t\r\n';

function scan(text: string): Item[] {
  const items: Item[] = [];
  let at = 0;
  for (;;) {
    while (at < text.length && BLANK.includes(text[at] as string)) at += 1;
    if (at >= text.length) break;
    const start = at;
    if (SPECIAL.includes(text[at] as string)) {
      let last: string | undefined;
      let buffer = '';
      while (at < text.length && SPECIAL.includes(text[at] as string)) {
        buffer += text[at];
        at += 1;
        if (SYMBOLS.has(buffer)) last = buffer;
        else if (last !== undefined) {
          at -= 1;
          break;
        }
      }
      items.push(
        last === undefined
          ? { token: 'error', literal: `error expected: keyword found '${buffer}'` }
          : { token: last as Token, literal: last },
      );
      continue;
    }
    while (at < text.length && !SPECIAL.includes(text[at] as string) && !BLANK.includes(text[at] as string)) at += 1;
    const word = text.slice(start, at);
    items.push({ token: word === 'in' || word === 'notin' ? word : 'identifier', literal: word });
  }
  items.push({ token: 'end', literal: '' });
  return items;
}

class Parser {
  private position = 0;
  constructor(private readonly items: readonly Item[]) {}

  /** Where values stand, `in` and `notin` are words like any other. */
  private look(operators = false): Item {
    const item = this.items[this.position] ?? { token: 'end', literal: '' };
    return !operators && (item.token === 'in' || item.token === 'notin')
      ? { token: 'identifier', literal: item.literal }
      : item;
  }
  private take(operators = false): Item {
    const item = this.look(operators);
    this.position += 1;
    return item;
  }

  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const next = this.look();
      if (next.token === 'end') return requirements;
      if (next.token !== 'identifier' && next.token !== '!')
        throw new SelectorError(`found '${next.literal}', expected: !, identifier, or 'end of string'`);
      try {
        requirements.push(this.requirement());
      } catch (error) {
        if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
        throw error;
      }
      const after = this.take();
      if (after.token === 'end') return requirements;
      if (after.token !== ',') throw new SelectorError(`found '${after.literal}', expected: ',' or 'end of string'`);
      const following = this.look();
      if (following.token !== 'identifier' && following.token !== '!')
        throw new SelectorError(`found '${following.literal}', expected: identifier after ','`);
    }
  }

  private requirement(): LabelRequirement {
    let item = this.take();
    const absent = item.token === '!';
    if (absent) item = this.take();
    if (item.token !== 'identifier') throw new SelectorError(`found '${item.literal}', expected: identifier`);
    const key = item.literal;
    const faults = labelKey(key);
    if (faults.length > 0) throw new SelectorError(`<nil>: Invalid value: ${goQuote(key)}: ${faults.join('; ')}`);
    const end = this.look().token;
    if (absent) return { key, operator: '!', values: [] };
    if (end === 'end' || end === ',') return { key, operator: 'exists', values: [] };
    const operator = this.operator();
    const values = operator === 'in' || operator === 'notin' ? this.values() : this.exactValue();
    return checked({ key, operator, values: [...new Set(values)].sort() });
  }

  private operator(): LabelRequirement['operator'] {
    const { token, literal } = this.take(true);
    if (token === 'in' || token === 'notin' || token === '=' || token === '==' || token === '!=') return token;
    if (token === '>') return 'gt';
    if (token === '<') return 'lt';
    throw new SelectorError(`found '${literal}', expected: in, notin, =, ==, !=, gt, lt`);
  }

  private values(): string[] {
    const open = this.take();
    if (open.token !== '(') throw new SelectorError(`found '${open.literal}' expected: '('`);
    const first = this.look();
    if (first.token === ')') {
      this.take();
      return [''];
    }
    if (first.token !== 'identifier' && first.token !== ',')
      throw new SelectorError(`found '${first.literal}', expected: ',', ')' or identifier`);
    const values = this.identifiers();
    if (this.take().token !== ')') throw new SelectorError(`found '${first.literal}', expected: ')'`);
    return values;
  }

  private identifiers(): string[] {
    const values: string[] = [];
    for (;;) {
      const item = this.take();
      if (item.token === 'identifier') {
        values.push(item.literal);
        const next = this.look();
        if (next.token === ',') continue;
        if (next.token === ')') return values;
        throw new SelectorError(`found '${next.literal}', expected: ',' or ')'`);
      }
      if (item.token !== ',') throw new SelectorError(`found '${item.literal}', expected: ',', or identifier`);
      if (values.length === 0) values.push('');
      const next = this.look();
      if (next.token === ')') {
        values.push('');
        return values;
      }
      if (next.token === ',') {
        this.take();
        values.push('');
      }
    }
  }

  private exactValue(): string[] {
    const next = this.look();
    if (next.token === 'end' || next.token === ',') return [''];
    const item = this.take();
    if (item.token === 'identifier') return [item.literal];
    throw new SelectorError(`found '${item.literal}', expected: identifier`);
  }
}

function checked(requirement: LabelRequirement): LabelRequirement {
  const errors: string[] = [];
  if (requirement.operator === 'gt' || requirement.operator === 'lt') {
    requirement.values.forEach((value, index) => {
      if ('error' in parseInt64(value))
        errors.push(
          `values[${index}]: Invalid value: ${goQuote(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        );
    });
  }
  requirement.values.forEach((value, index) => {
    const faults = labelValue(value);
    if (faults.length > 0)
      errors.push(`values[${index}][${requirement.key}]: Invalid value: ${goQuote(value)}: ${faults.join('; ')}`);
  });
  if (errors.length > 0) throw new SelectorError(errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`);
  return requirement;
}

export function parseLabelSelector(
  text: string,
): { readonly requirements: readonly LabelRequirement[] } | { readonly error: string } {
  try {
    return { requirements: new Parser(scan(text)).parse() };
  } catch (error) {
    if (error instanceof SelectorError) return { error: error.message };
    throw error;
  }
}

export function matchesLabels(
  requirements: readonly LabelRequirement[],
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  for (const { key, operator, values } of requirements) {
    const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined;
    switch (operator) {
      case 'exists':
        if (value === undefined) return false;
        break;
      case '!':
        if (value !== undefined) return false;
        break;
      case 'in':
      case '=':
      case '==':
        if (value === undefined || !values.includes(value)) return false;
        break;
      case 'notin':
      case '!=':
        if (value !== undefined && values.includes(value)) return false;
        break;
      default: {
        const left = value === undefined ? undefined : parseInt64(value);
        const right = parseInt64(values[0] ?? '');
        if (left === undefined || 'error' in left || 'error' in right) return false;
        if (operator === 'gt' ? left.value <= right.value : left.value >= right.value) return false;
      }
    }
  }
  return true;
}

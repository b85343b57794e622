/**
 * What an expression in CEL says of a request of which only some is known: true, false, an error, or nobody knows.
 * Nothing is said that what is not known could make otherwise.
 * Source: google/cel-spec, doc/langdef.md; apiserver, pkg/cel/environment.
 */
import { isRecord } from '../../kubernetes/json.js';
import { type Expression, parseCel } from './cel-parser.js';

/** It may be anything. */
export const UNKNOWN: unique symbol = Symbol('unknown');
/** A field that is left out: who takes it gets an error, and who asks for it hears that it is not there. */
export const ABSENT: unique symbol = Symbol('absent');
const FAULT: unique symbol = Symbol('error');

/** A text of which the beginning is known: "system:node:…". */
export class Begun {
  constructor(readonly beginning: string) {}
}

/** Fields that are not named may be there. */
export interface Known {
  readonly [name: string]: Value;
}

/** A map of which every key is known: others are not there. */
export class Whole {
  constructor(readonly entries: Known) {}
}
export type Value =
  | string
  | number
  | boolean
  | null
  | typeof UNKNOWN
  | typeof ABSENT
  | typeof FAULT
  | Begun
  | Whole
  | readonly Value[]
  | Known;

export type Opinion = 'true' | 'false' | 'error' | 'unknown';

/** Names that an expression may use. */
export type Scope = Readonly<Record<string, Value>>;

const isKnown = (value: Value): value is Known | Whole => isRecord(value) && !(value instanceof Begun);
const isPlain = (value: Value): value is string | number | boolean | null =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);

const both = (left: Value, right: Value): Value => (left === FAULT || right === FAULT ? FAULT : UNKNOWN);

/** Equal; what could be told apart by nobody is unknown. */
function equal(left: Value, right: Value): Value {
  if (left === FAULT || right === FAULT) return FAULT;
  if (isPlain(left) && isPlain(right)) return left === right;
  const [begun, other] = left instanceof Begun ? [left, right] : [right, left];
  if (begun instanceof Begun && typeof other === 'string' && !other.startsWith(begun.beginning)) return false;
  // an object or a list is there
  if (
    (left === null && (isKnown(right) || Array.isArray(right))) ||
    (right === null && (isKnown(left) || Array.isArray(left)))
  )
    return false;
  return UNKNOWN;
}

const not = (value: Value): Value => (typeof value === 'boolean' ? !value : value === FAULT ? FAULT : UNKNOWN);

/** `end` is what decides by itself: false of "and", true of "or". */
function joined(values: readonly Value[], end: boolean): Value {
  if (values.includes(end)) return end;
  if (values.every((value) => value === !end)) return !end;
  return values.some((value) => value !== FAULT && value !== !end) ? UNKNOWN : FAULT;
}

function isIn(one: Value, all: Value): Value {
  if (one === FAULT || all === FAULT) return FAULT;
  if (Array.isArray(all))
    return joined(
      all.map((item) => equal(one, item)),
      true,
    );
  if (all === null || all === ABSENT) return FAULT;
  if (!isKnown(all) || typeof one !== 'string') return UNKNOWN;
  const field = held(all, one);
  return field === ABSENT ? false : field === UNKNOWN ? UNKNOWN : true;
}

/** null is a value as well. */
function held(fields: Known | Whole, name: string): Value {
  if (fields instanceof Whole) return Object.hasOwn(fields.entries, name) ? held(fields.entries, name) : ABSENT;
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return value === undefined ? UNKNOWN : value;
}

function taken(of: Value, name: string): Value {
  if (of === FAULT || of === null || of === ABSENT) return FAULT;
  if (!isKnown(of)) return UNKNOWN;
  const value = held(of, name);
  return value === ABSENT ? FAULT : value;
}

/** Of two texts; the second is a literal. */
const TEXTS: Readonly<Record<string, (text: string, part: string) => boolean>> = {
  startsWith: (text, part) => text.startsWith(part),
  endsWith: (text, part) => text.endsWith(part),
  contains: (text, part) => text.includes(part),
};
const OF_BEGUN: Readonly<Record<string, (beginning: string, part: string) => Value>> = {
  startsWith: (beginning, part) => (beginning.startsWith(part) ? true : part.startsWith(beginning) ? UNKNOWN : false),
  contains: (beginning, part) => (beginning.includes(part) ? true : UNKNOWN),
};

function compared(name: string, of: Value, part: Value): Value {
  if (of === FAULT || part === FAULT) return FAULT;
  if (typeof part !== 'string') return UNKNOWN;
  if (of instanceof Begun) return OF_BEGUN[name]?.(of.beginning, part) ?? UNKNOWN;
  return typeof of === 'string' ? (TEXTS[name]?.(of, part) ?? UNKNOWN) : UNKNOWN;
}

function ordered(operator: string, left: Value, right: Value): Value {
  if (typeof left !== 'number' || typeof right !== 'number') return both(left, right);
  if (operator === '<') return left < right;
  if (operator === '<=') return left <= right;
  if (operator === '>') return left > right;
  if (operator === '>=') return left >= right;
  return UNKNOWN;
}

/** What takes longer to work out is left unknown. */
const MOST_STEPS = 10_000;

class Evaluator {
  #steps = 0;

  value(read: Expression, scope: Scope): Value {
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) return UNKNOWN;
    if (read.kind === 'literal') return read.value;
    if (read.kind === 'name') return held(scope, read.name);
    if (read.kind === 'field') return taken(this.value(read.of, scope), read.name);
    if (read.kind === 'index') {
      const at = this.value(read.at, scope);
      return typeof at === 'string' ? taken(this.value(read.of, scope), at) : UNKNOWN;
    }
    if (read.kind === 'list') return read.items.map((item) => this.value(item, scope));
    if (read.kind === 'not') return not(this.value(read.of, scope));
    if (read.kind === 'binary') return this.#binary(read, scope);
    if (read.kind === 'choice') {
      const on = this.value(read.on, scope);
      return typeof on === 'boolean' ? this.value(on ? read.then : read.other, scope) : both(on, on);
    }
    return read.kind === 'call' ? this.#call(read, scope) : UNKNOWN;
  }

  #binary({ operator, left, right }: Extract<Expression, { kind: 'binary' }>, scope: Scope): Value {
    const one = this.value(left, scope);
    const other = this.value(right, scope);
    if (operator === '&&') return joined([one, other], false);
    if (operator === '||') return joined([one, other], true);
    if (operator === '==') return equal(one, other);
    if (operator === '!=') return not(equal(one, other));
    if (operator === 'in') return isIn(one, other);
    return ordered(operator, one, other);
  }

  #call({ of, name, given }: Extract<Expression, { kind: 'call' }>, scope: Scope): Value {
    const [first, second] = given;
    if (of === null) return name === 'has' && first?.kind === 'field' ? this.#has(first, scope) : UNKNOWN;
    if (first === undefined) return UNKNOWN;
    const all = this.value(of, scope);
    if (second === undefined)
      return Object.hasOwn(TEXTS, name) ? compared(name, all, this.value(first, scope)) : UNKNOWN;
    if (first.kind !== 'name' || !['all', 'exists'].includes(name)) return UNKNOWN;
    const items = all instanceof Whole ? Object.keys(all.entries) : all;
    if (!Array.isArray(items)) return all === FAULT ? FAULT : UNKNOWN;
    const each = items.map((item) => this.value(second, { ...scope, [first.name]: item }));
    return joined(each, name === 'exists');
  }

  #has({ of, name }: Extract<Expression, { kind: 'field' }>, scope: Scope): Value {
    const whole = this.value(of, scope);
    if (whole === FAULT || whole === null) return FAULT;
    if (!isKnown(whole)) return UNKNOWN;
    const field = held(whole, name);
    return field === ABSENT ? false : field === UNKNOWN ? UNKNOWN : true;
  }
}

export interface Variable {
  readonly name: string;
  readonly expression: string;
}

/**
 * What each of some expressions says of a request, with the variables that their policy names: each may use those
 * before it, and is worked out once for all.
 */
export function opinionsOf(
  written: readonly string[],
  scope: Scope,
  variables: readonly Variable[] = [],
): readonly Opinion[] {
  const known: Record<string, Value> = {};
  const said = (expression: string): Value =>
    new Evaluator().value(parseCel(expression), { ...scope, variables: { ...known } });
  for (const { name, expression } of variables) known[name] = said(expression);
  return written.map((one) => {
    const value = said(one);
    if (typeof value === 'boolean') return value ? 'true' : 'false';
    return value === FAULT ? 'error' : 'unknown';
  });
}

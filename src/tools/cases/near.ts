/**
 * Small changes of what checks were handed: a field dropped, a letter more, a value of another case in the same place.
 * The same ones for the same case, in every process. Pure.
 */
import { createHash } from 'node:crypto';
import { isRecord } from '../../kubernetes/json.js';
import type { Case } from './cases.js';

/** What a check is handed. */
export interface Handed {
  readonly observation: unknown;
  readonly parameters?: unknown;
}

type Place = readonly (string | number)[];

/** Whole numbers below a bound, the same row of them for the same seed. Source: Park and Miller, minimal standard. */
function row(seed: string): (below: number) => number {
  const modulus = 2 ** 31 - 1;
  let state = (createHash('sha256').update(seed).digest().readUInt32BE(0) % (modulus - 1)) + 1;
  return (below) => {
    state = (state * 48_271) % modulus;
    return state % below;
  };
}

function placesOf(value: unknown): readonly Place[] {
  const places: Place[] = [];
  const look = (inner: unknown, place: Place): void => {
    places.push(place);
    if (Array.isArray(inner)) for (const [index, one] of inner.entries()) look(one, [...place, index]);
    else if (isRecord(inner)) for (const [key, one] of Object.entries(inner)) look(one, [...place, key]);
  };
  look(value, []);
  return places;
}

const at = (value: unknown, place: Place): unknown =>
  place.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown> | null | undefined)?.[step], value);

/** A copy in which another value stands in that place; what is not on the way to it is shared. */
function withValue(value: unknown, [step, ...rest]: Place, other: unknown): unknown {
  if (step === undefined) return other;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? withValue(one, rest, other) : one));
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [step]: withValue(record[step], rest, other) };
}

type Pick = (below: number) => number;

function otherText(text: string, pick: Pick): unknown {
  const from = pick(text.length + 1);
  const cut = (count: number, between: string): string => text.slice(0, from) + between + text.slice(from + count);
  const ways: readonly (() => unknown)[] = [
    () => cut(1, ''),
    () => cut(1, 'x'),
    () => cut(1, '0'),
    () => cut(0, ':'),
    () => cut(0, ' '),
    () => cut(0, text.slice(from, from + 1 + pick(8))),
    () => text.slice(0, from),
    () => text.slice(from),
    () => `${text}x`,
    () => `x${text}`,
    () => text.toUpperCase(),
    () => '',
    () => [text],
    () => pick(3),
    () => null,
  ];
  return ways[pick(ways.length)]?.();
}

const otherNumber = (number: number, pick: Pick): unknown =>
  [number + 1, number - 1, 0, -number, number * 10, Math.floor(number / 2), `${number}`, null][pick(8)];

function otherList(list: readonly unknown[], pick: Pick): unknown {
  const which = pick(Math.max(1, list.length));
  const behind = (): unknown => [...list, otherValue(list[which], pick)];
  const before = (): unknown => [otherValue(list[which], pick), ...list];
  const ways: readonly (() => unknown)[] = [
    () => list.filter((_, index) => index !== which),
    () => [...list, ...list.slice(which, which + 1)],
    () => [...list.slice(which), ...list.slice(0, which)],
    () => list.slice(0, which),
    () => [...list, null],
    () => [],
    () => list[which],
    () => null,
    // one that is otherwise behind the others, or before them: who looks at the first alone, or at the last, is seen
    ...[behind, behind, behind, before, before],
  ];
  return ways[pick(ways.length)]?.();
}

function otherRecord(record: Readonly<Record<string, unknown>>, pick: Pick): unknown {
  const keys = Object.keys(record);
  const which = keys[pick(Math.max(1, keys.length))];
  const without = Object.fromEntries(Object.entries(record).filter(([key]) => key !== which));
  return [without, without, { ...record, other: 'x' }, {}, null, [record], 'x'][pick(7)];
}

function otherValue(value: unknown, pick: Pick): unknown {
  if (typeof value === 'string') return otherText(value, pick);
  if (typeof value === 'number') return otherNumber(value, pick);
  if (typeof value === 'boolean') return [!value, `${value}`, null][pick(3)];
  if (Array.isArray(value)) return otherList(value, pick);
  return isRecord(value) ? otherRecord(value, pick) : ['', 0, false, {}, []][pick(5)];
}

/** In the place of a value that of another case; of lists also both, one behind the other. */
function beside(value: unknown, foreign: unknown, pick: Pick): unknown {
  if (!(Array.isArray(value) && Array.isArray(foreign))) return foreign;
  return [foreign, [...value, ...foreign], [...foreign, ...value]][pick(3)];
}

/** In one of so many changes, what another case of the same check holds in that place is taken. */
const FOREIGN = 4;

/** Places of one case in which each plain change is tried. */
const TRIED = 24;

/** Whoever looks at one of several alone, or at a part of a name, or stops short of a bound, is seen by one of these. */
function* plain(
  handed: Handed,
  places: readonly Place[],
  others: readonly Case[],
  pick: Pick,
): Generator<() => Handed> {
  const step = Math.max(1, Math.ceil(places.length / TRIED));
  for (let index = places.length < 2 ? 0 : pick(step); index < places.length; index += step) {
    const place = places[index] ?? [];
    const value = at(handed, place);
    const changes: unknown[] = [];
    if (typeof value === 'string') changes.push(`${value}x`, `x${value}`, value.toUpperCase());
    if (typeof value === 'number') changes.push(value + 1, value - 1);
    if (Array.isArray(value)) {
      const foreign = others.length === 0 ? undefined : at(others[pick(others.length)], place);
      if (Array.isArray(foreign)) changes.push([...foreign, ...value], [...value, ...foreign]);
      changes.push([otherValue(value[0], pick), ...value], [...value, otherValue(value.at(-1), pick)]);
    }
    for (const other of changes) yield () => withValue(handed, place, other) as Handed;
  }
}

/**
 * What is near a case: endless, and the same row at each time. Made when it is asked for: of most of a row nobody wants
 * to know. `others`: cases of the same check.
 */
export function* near(one: Case, others: readonly Case[]): Generator<() => Handed, never> {
  const handed: Handed = { observation: one.observation, parameters: one.parameters };
  const pick = row(JSON.stringify([one.check, handed]));
  const places = placesOf(handed).filter((place) => place.length > 0);
  const first = plain(handed, places, others, row(JSON.stringify([handed, one.check])));
  for (;;) {
    const next = first.next();
    if (next.done !== true) yield next.value;
    const place = places[pick(places.length)] ?? [];
    const value = at(handed, place);
    const foreign = pick(FOREIGN) === 0 ? at(others[pick(others.length)], place) : undefined;
    const other = foreign === undefined ? otherValue(value, pick) : beside(value, foreign, pick);
    yield () => withValue(handed, place, other) as Handed;
  }
}

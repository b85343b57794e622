/**
 * Values that are much alike, written once what they share: a policy of eighty kilobytes in which one binding differs
 * costs a line. Pure.
 */
import { createHash } from 'node:crypto';
import { isRecord } from '../../kubernetes/json.js';

/** What stands in the place of something shared: {"$": "1f0c2a9be7"}. */
const REFERENCE = '$';
/** Characters of what is worth sharing. */
const LONG = 80;

export interface Packed<T> {
  /** By name, which is a hash of the content: the same in every recording. */
  readonly shared: ReadonlyMap<string, unknown>;
  readonly values: readonly T[];
}

const nameOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 10);

/** The same values with references, of whatever is long and stands in more than one place. */
export function packed<T>(values: readonly T[]): Packed<T> {
  const counts = new Map<string, number>();
  const count = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const text = JSON.stringify(value);
    if (text.length < LONG) return;
    const before = counts.get(text) ?? 0;
    counts.set(text, before + 1);
    if (before === 0) for (const inner of Object.values(value)) count(inner);
  };
  for (const value of values) count(value);
  const shared = new Map<string, unknown>();
  const inside = (value: object): unknown =>
    Array.isArray(value)
      ? value.map(short)
      : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, short(inner)]));
  const short = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const text = JSON.stringify(value);
    if (text.length < LONG) return value;
    if ((counts.get(text) ?? 0) < 2) return inside(value);
    const name = nameOf(text);
    if (!shared.has(name)) {
      shared.set(name, undefined);
      shared.set(name, inside(value));
    }
    return { [REFERENCE]: name };
  };
  return { values: values.map((value) => short(value) as T), shared };
}

/** Undoes `packed`. What is shared is the same object wherever it stands. Throws where a reference leads nowhere. */
export function unpacked({ shared, values }: Packed<unknown>): readonly unknown[] {
  const known = new Map<string, unknown>();
  const whole = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(whole);
    if (!isRecord(value)) return value;
    const name = value[REFERENCE];
    if (typeof name !== 'string')
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, whole(inner)]));
    if (!shared.has(name)) throw new Error(`Nothing is shared by the name ${name}.`);
    if (!known.has(name)) known.set(name, whole(shared.get(name)));
    return known.get(name);
  };
  return values.map(whole);
}

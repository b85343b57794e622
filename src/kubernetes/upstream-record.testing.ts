/**
 * What upstream records of itself for each minor, held as a line for each object: "31-33 <what> <fingerprint>", the minors
 * in which it is so and the beginning of the SHA-256 of its JSON, keys sorted.
 */
import { createHash } from 'node:crypto';
import { isRecord } from './json.js';

export const MINORS = [31, 32, 33, 34, 35, 36];

const inOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, inOrder(value[key])]),
  );
};

/** The same for two values that differ in the order of their keys alone. */
export const jsonInOrder = (value: unknown): string => JSON.stringify(inOrder(value));

/** So many hex digits. */
export const fingerprint = (value: unknown, digits: number): string =>
  createHash('sha256').update(jsonInOrder(value)).digest('hex').slice(0, digits);

/** What stands behind the minors, of one of them; lines that begin with "#" are remarks. */
export const recordedOf = (record: string, minor: number): readonly string[] =>
  record.split('\n').flatMap((line) => {
    const [, since, until, rest = ''] = /^(\d+)-(\d+) (.*)$/.exec(line) ?? [];
    return minor >= Number(since) && minor <= Number(until) ? [rest] : [];
  });

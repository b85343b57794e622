/** Field errors in upstream's words. Source: apimachinery, pkg/util/validation/field/errors.go. */
import { goQuote } from '../go/text.js';
import type { FieldError } from '../types.js';

/** A value as an error body prints it: strings as %q, numbers and booleans plainly, all else as Go's JSON of it. */
export function goValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  if (value === undefined) return 'null';
  return JSON.stringify(value).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

export const required = (field: string, detail = ''): FieldError => ({
  type: 'Required',
  field,
  body: withDetail('Required value', detail),
});
export const invalidValue = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'Invalid',
  field,
  body: withDetail(`Invalid value: ${goValue(value)}`, detail),
});
/** `supported` in the order in which upstream lists them (a sorted set mostly). */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  body: withDetail(
    `Unsupported value: ${goValue(value)}`,
    supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`,
  ),
});
export const duplicate = (field: string, value: unknown): FieldError => ({
  type: 'Duplicate',
  field,
  body: `Duplicate value: ${goValue(value)}`,
});
export const forbiddenField = (field: string, detail: string): FieldError => ({
  type: 'Forbidden',
  field,
  body: withDetail('Forbidden', detail),
});
export const notFoundValue = (field: string, value: unknown): FieldError => ({
  type: 'NotFound',
  field,
  body: `Not found: ${goValue(value)}`,
});
export const tooLong = (field: string, bytes: number): FieldError => ({
  type: 'TooLong',
  field,
  body: `Too long: may not be more than ${bytes} byte${bytes === 1 ? '' : 's'}`,
});
export const tooMany = (field: string, actual: number, most: number): FieldError => ({
  type: 'TooMany',
  field,
  body: `Too many: ${actual}: must have at most ${most} item${most === 1 ? '' : 's'}`,
});

/** field.Path: child "a.b", index "a[0]", key "a[key]". */
export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
export const at = (path: string, key: string | number): string => `${path}[${key}]`;

/** One Invalid per message: how upstream turns the result of a name or format check into errors. */
export const invalidEach = (field: string, value: unknown, messages: readonly string[]): FieldError[] =>
  messages.map((message) => invalidValue(field, value, message));

export const IMMUTABLE = 'field is immutable';

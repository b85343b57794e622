/** Field errors in upstream's words. Source: apimachinery, pkg/util/validation/field/errors.go. */
import { goQuote, goStrings } from '../go/text.js';
import type { FieldError } from '../resource-definition.js';

/** A value as an error body prints it: strings as %q, numbers and booleans plainly, all else as Go's JSON of it. */
export function goValue(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  return goJson(value);
}

/** A value in Go's JSON. */
function goJson(value: unknown): string {
  if (value === undefined) return 'null';
  return JSON.stringify(value).replaceAll('&', '\\u0026').replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
}

/**
 * The same in Go's syntax (%#v), which minors before 1.34 print for what is no text or number; undefined where both
 * are alike, or the value is a struct, whose Go form is not known here.
 */
const goSyntax = (value: unknown): string | undefined =>
  value === undefined || value === null
    ? '"null"'
    : Array.isArray(value) && value.every((one) => typeof one === 'string')
      ? goStrings(value)
      : undefined;

/** A value in words: as minors from 1.34 on print it, and as those before did. */
function saying(
  head: string,
  value: unknown,
  detail: string,
  syntax = goSyntax(value),
  printed = goValue(value),
): Pick<FieldError, 'body' | 'older'> {
  const body = withDetail(`${head}: ${printed}`, detail);
  return syntax === undefined
    ? { body }
    : { body, older: { until: 33, body: withDetail(`${head}: ${syntax}`, detail) } };
}

const withDetail = (head: string, detail: string): string => (detail === '' ? head : `${head}: ${detail}`);

export const required = (field: string, detail = ''): FieldError => ({
  type: 'Required',
  field,
  body: withDetail('Required value', detail),
});
/** `syntax`: the value as minors before 1.34 print it, where its type is not seen. */
export const invalidValue = (field: string, value: unknown, detail: string, syntax?: string): FieldError => ({
  type: 'Invalid',
  field,
  ...saying('Invalid value', value, detail, syntax),
});
/** Of bytes, given in base64; undefined where the field is absent. */
export const invalidBytes = (field: string, base64: string | undefined, detail: string): FieldError => {
  const bytes = [...Buffer.from(base64 ?? '', 'base64')].map((byte) => `0x${byte.toString(16)}`);
  const syntax = base64 === undefined ? '[]byte(nil)' : `[]byte{${bytes.join(', ')}}`;
  return { type: 'Invalid', field, ...saying('Invalid value', base64, detail, syntax) };
};
const supportedValues = (supported: readonly string[]): string =>
  supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
/** Of a text whose type has a name of its own in Go, which is printed as JSON. */
export const notSupportedWord = (field: string, value: string, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  ...saying('Unsupported value', value, supportedValues(supported), goQuote(value), goJson(value)),
});
/** `supported` in the order in which upstream lists them (a sorted set mostly). */
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'NotSupported',
  field,
  ...saying('Unsupported value', value, supportedValues(supported)),
});
export const duplicate = (field: string, value: unknown, detail = '', syntax?: string): FieldError => ({
  type: 'Duplicate',
  field,
  ...saying('Duplicate value', value, detail, syntax),
});
export const internalFieldError = (field: string, detail: string): FieldError => ({
  type: 'InternalError',
  field,
  body: withDetail('Internal error', detail),
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
  older: { until: 31, body: `Too long: must have at most ${bytes} byte${bytes === 1 ? '' : 's'}` },
});

/** field.Path: child "a.b", index "a[0]", key "a[key]". */
export const child = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);
export const at = (path: string, key: string | number): string => `${path}[${key}]`;

/** One Invalid per message: how upstream turns the result of a name or format check into errors. */
export const invalidEach = (field: string, value: unknown, messages: readonly string[]): FieldError[] =>
  messages.map((message) => invalidValue(field, value, message));

export const NEGATIVE = 'must be greater than or equal to 0';
export const IMMUTABLE = 'field is immutable';

/**
 * From decoded JSON to a typed object: what Go's decoder does with struct fields. Keeps what the schema declares, in
 * its order; drops null and empty optional values as omitempty does; names unknown fields and refuses wrong types in
 * Go's words. Source: Go, encoding/json/decode.go UnmarshalTypeError; sigs.k8s.io/json.
 */

import { remembered } from '../../kubernetes/remembered.js';
import { base64ErrorAt, canonicalBase64 } from '../go/base64.js';
import { quantityFault } from '../go/quantity.js';
import { goQuote } from '../go/text.js';
import { timeFault } from '../go/time.js';
import { goTypeName, jsonType } from '../go/type-name.js';
import type { FieldSchema } from '../resource-definition.js';
import { goField } from './embedded.js';
import { completeSchema } from './object-meta.js';

/** A value of the wrong type; the message is Go's. */
export class TypeMismatch extends Error {}

export interface Strictness {
  /** unknown field "a.b", duplicate field "a.c": in the order of the document */
  readonly problems: string[];
  readonly duplicates: ReadonlySet<string>;
  /** Numbers that are written as fractions although their value is whole, by path. */
  readonly floats?: ReadonlyMap<string, string>;
}

/** What decoding finds on its way. */
interface Decoding extends Strictness {
  /** The first value of a wrong type. What comes after it is still decoded. Source: decode.go saveError. */
  saved?: string;
}

/** Source: sigs.k8s.io/json, internal/golang/encoding/json/kubernetes_patch.go saveStrictError. */
const MOST_PROBLEMS = 100;
function complain({ problems }: Strictness, problem: string): void {
  if (problems.length < MOST_PROBLEMS && !problems.includes(problem)) problems.push(problem);
}

const STRING: FieldSchema = { type: 'string' };
const INT32: FieldSchema = { type: 'integer', format: 'int32' };
const UINT8: FieldSchema = { type: 'integer', format: 'uint8' };
const RANGES = {
  int32: [-(2 ** 31), 2 ** 31 - 1],
  // Beyond this a double is no int64 any more.
  int64: [-(2 ** 63), 2 ** 63 - 1024],
  uint8: [0, 255],
} as const satisfies Readonly<Record<string, readonly [number, number]>>;
const orderOf = remembered(({ properties = {} }: FieldSchema) => Object.keys(properties));

interface Place {
  /** Go's struct that holds the field */
  readonly owner: string;
  /** path as Go's decoder prints it: field names only */
  readonly field: string;
  /** path as strict decoding prints it: with indices and map keys */
  readonly path: string;
  readonly name: string;
}

function mismatchText(value: unknown, schema: FieldSchema, place: Place, { floats }: Strictness): string {
  const got =
    typeof value === 'number' && schema.type === 'integer'
      ? `number ${floats?.get(place.path) ?? JSON.stringify(value)}`
      : jsonType(value);
  return `json: cannot unmarshal ${got} into Go struct field ${place.owner}.${place.field} of type ${goTypeName(schema)}`;
}

/** A wrong type that the decoder itself finds is told of once the rest is decoded. */
function mismatch(value: unknown, schema: FieldSchema, place: Place, strict: Decoding): undefined {
  strict.saved ??= mismatchText(value, schema, place, strict);
}

/** One that a type with a decoder of its own finds ends everything: times, quantities, numbers or texts. */
function refuse(value: unknown, schema: FieldSchema, place: Place, strict: Decoding): never {
  throw new TypeMismatch(mismatchText(value, schema, place, strict));
}

const STANDARD_BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function text(value: string, schema: FieldSchema, strict: Decoding): string {
  if (schema.format === 'byte') {
    if (!STANDARD_BASE64.test(value)) {
      const fault = base64ErrorAt(value);
      if (fault !== undefined) {
        strict.saved ??= `illegal base64 data at input byte ${fault}`;
        return '';
      }
    }
    return canonicalBase64(value);
  }
  if (schema.format === 'date-time') {
    const fault = timeFault(value, schema.goType === 'v1.MicroTime');
    if (fault !== undefined) throw new TypeMismatch(fault);
  }
  return value;
}

const rangeOf = ({ format }: FieldSchema): readonly [number, number] =>
  RANGES[format === 'int32' || format === 'uint8' ? format : 'int64'];

/** A byte string may be given as a list of numbers, as Go's slices can. */
function bytes(list: readonly unknown[], place: Place, strict: Decoding): string {
  const numbers = list.map((item) => (item === null ? 0 : (integer(item, UINT8, place, strict) ?? 0)));
  return Buffer.from(numbers).toString('base64');
}

function fits(value: unknown, schema: FieldSchema, place: Place, strict: Decoding): value is number {
  const [low, high] = rangeOf(schema);
  const isWhole = typeof value === 'number' && Number.isInteger(value) && strict.floats?.has(place.path) !== true;
  return isWhole && value >= low && value <= high;
}

const integer = (value: unknown, schema: FieldSchema, place: Place, strict: Decoding): number | undefined =>
  fits(value, schema, place, strict) ? value : mismatch(value, schema, place, strict);

/** The zero of a schema: what null in a list or a map becomes. */
const zero = (schema: FieldSchema): unknown =>
  schema.type === 'string'
    ? ''
    : schema.type === 'integer' || schema.type === 'number'
      ? 0
      : schema.type === 'boolean'
        ? false
        : null;

const isEmpty = (value: unknown, schema: FieldSchema): boolean =>
  schema.presence === undefined &&
  (value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (schema.type === 'map' && typeof value === 'object' && value !== null && Object.keys(value).length === 0));

function read(value: unknown, schema: FieldSchema, place: Place, strict: Decoding): unknown {
  switch (schema.type) {
    case 'any':
      return value;
    case 'string':
      if (typeof value === 'string') return text(value, schema, strict);
      if (schema.format === 'byte' && Array.isArray(value)) return bytes(value, place, strict);
      return schema.format === 'date-time'
        ? refuse(value, STRING, place, strict)
        : mismatch(value, schema, place, strict);
    case 'boolean':
      return typeof value === 'boolean' ? value : mismatch(value, schema, place, strict);
    case 'integer':
      return integer(value, schema, place, strict);
    case 'number':
      return typeof value === 'number' ? value : mismatch(value, schema, place, strict);
    case 'int-or-string':
      if (schema.format !== 'quantity')
        return typeof value === 'string' || fits(value, INT32, place, strict)
          ? value
          : refuse(value, INT32, place, strict);
      {
        const fault = quantityFault(value);
        if (fault !== undefined) throw new TypeMismatch(fault);
        return value;
      }
    case 'array': {
      if (!Array.isArray(value)) return mismatch(value, schema, place, strict);
      const items = schema.items;
      if (items === undefined) return value;
      return value.map((item, index) =>
        item === null ? zero(items) : read(item, items, { ...place, path: `${place.path}[${index}]` }, strict),
      );
    }
    case 'map': {
      if (typeof value !== 'object' || Array.isArray(value) || value === null)
        return mismatch(value, schema, place, strict);
      const items = schema.items;
      if (items === undefined) return value;
      const out: Record<string, unknown> = {};
      const made = new Map<string, unknown>();
      for (const key of Object.keys(value)) {
        const inner = (value as Record<string, unknown>)[key];
        const path = `${place.path}.${key}`;
        if (strict.duplicates.has(path)) complain(strict, `duplicate field ${goQuote(path)}`);
        made.set(
          key,
          inner === null || inner === undefined ? zero(items) : read(inner, items, { ...place, path }, strict),
        );
      }
      for (const key of [...made.keys()].sort())
        if (key === '__proto__')
          Object.defineProperty(out, key, {
            value: made.get(key),
            enumerable: true,
            configurable: true,
            writable: true,
          });
        else out[key] = made.get(key);
      return out;
    }
    case 'object': {
      if (typeof value !== 'object' || Array.isArray(value) || value === null)
        return mismatch(value, schema, place, strict);
      return schema.properties === undefined ? value : struct(value as Record<string, unknown>, schema, place, strict);
    }
  }
}

function struct(
  value: Record<string, unknown>,
  schema: FieldSchema,
  place: Place,
  strict: Decoding,
): Record<string, unknown> {
  const properties = schema.properties ?? {};
  const made = new Map<string, unknown>();
  const owner = place.field === '' ? place.owner : (goTypeName(schema).split('.').at(-1) ?? place.owner);
  for (const key of Object.keys(value)) {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const inner = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (strict.duplicates.has(path)) complain(strict, `duplicate field ${goQuote(path)}`);
    if (inner === undefined) {
      complain(strict, `unknown field ${goQuote(path)}`);
      continue;
    }
    const raw = value[key];
    if (raw === null || raw === undefined) continue;
    const field = goField(schema.goType, key);
    const read1 = read(
      raw,
      inner,
      { owner, field: place.field === '' ? field : `${place.field}.${field}`, path, name: key },
      strict,
    );
    if (isEmpty(read1, inner) && schema.required?.includes(key) !== true) continue;
    made.set(key, read1);
  }
  const out: Record<string, unknown> = {};
  for (const key of orderOf(schema)) if (made.has(key)) out[key] = made.get(key);
  return out;
}

/**
 * An object of a kind from decoded JSON.
 * @param kind Go's name of the struct, for messages
 * @throws TypeMismatch with Go's message: of the first value that a decoder of its own refuses, else of the first of a
 * wrong type
 */
export function typed(
  value: Record<string, unknown>,
  schema: FieldSchema,
  kind: string,
  strict: Strictness,
): Record<string, unknown> {
  const decoding: Decoding = { ...strict };
  const made = struct(value, completeSchema(schema), { owner: kind, field: '', path: '', name: kind }, decoding);
  if (decoding.saved !== undefined) throw new TypeMismatch(decoding.saved);
  return made;
}

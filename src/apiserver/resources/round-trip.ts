/**
 * What becomes of an object on its way through Go's structs: unknown fields are gone, empty ones omitted or printed as
 * their tag says, times and quantities and base64 in their canonical form, and the defaults of each struct in place.
 * The API server stores and answers this form, not the client's. Types must have been checked before.
 */

import { isRecord } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { remembered } from '../../kubernetes/remembered.js';
import { canonicalBase64 } from '../go/base64.js';
import { canonicalQuantity, canonicalResource } from '../go/quantity.js';
import type { FieldSchema } from '../resource-definition.js';
import { withDefaults } from './read.js';
import { structName } from './schema.js';
import { structDefaults } from './struct-defaults.js';

/** RFC 3339 in UTC with second precision, or microseconds for MicroTime. What is no time is left alone. */
export function canonicalTime(value: string, micro: boolean): string {
  const time = Date.parse(value);
  if (Number.isNaN(time)) return value;
  const seconds = new Date(time).toISOString().slice(0, 19);
  if (!micro) return `${seconds}Z`;
  const fraction = /\.(\d+)/.exec(value)?.[1] ?? '';
  return `${seconds}.${fraction.padEnd(6, '0').slice(0, 6)}Z`;
}

/** Go's zero value as its encoder prints it; undefined for a struct behind a pointer. */
function zero(schema: FieldSchema): unknown {
  switch (schema.type) {
    case 'string':
      return schema.goType === 'v1.Time' || schema.goType === 'v1.MicroTime' ? null : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'int-or-string':
      return schema.format === 'quantity' ? '0' : 0;
    case 'object':
      return through(schema, {});
    default:
      return null;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false || value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return false;
}

function throughEntry(items: FieldSchema, value: unknown, sent: boolean): unknown {
  if (value === null) return items.format === 'byte' ? '' : zero(items);
  const isResource = items.format === 'quantity' && (typeof value === 'string' || typeof value === 'number');
  return isResource ? canonicalResource(value) : through(items, value, sent);
}

function through(schema: FieldSchema, value: unknown, sent = false): unknown {
  switch (schema.type) {
    case 'object':
      return isRecord(value) && schema.properties !== undefined ? throughStruct(schema, value, sent) : value;
    case 'map': {
      if (!isRecord(value)) return value;
      const { items } = schema;
      if (items === undefined || items.type === 'any') return value;
      const out: Record<string, unknown> = {};
      for (const key of Object.keys(value).sort()) out[key] = throughEntry(items, value[key], sent);
      return out;
    }
    case 'array': {
      if (!Array.isArray(value)) return value;
      const { items } = schema;
      if (items === undefined || items.type === 'any') return value;
      return value.map((entry: unknown) => (entry === null ? zero(items) : through(items, entry, sent)));
    }
    case 'string':
      if (typeof value !== 'string') return value;
      if (schema.format === 'byte') return canonicalBase64(value);
      return schema.format === 'date-time' ? canonicalTime(value, schema.goType === 'v1.MicroTime') : value;
    case 'int-or-string':
      return schema.format === 'quantity' && (typeof value === 'string' || typeof value === 'number')
        ? canonicalQuantity(value)
        : value;
    default:
      return value;
  }
}

/** Listed once: objects pass through the same structs thousands of times. */
const fieldsOf = remembered(({ properties = {} }: FieldSchema) => Object.entries(properties));

function throughStruct(
  schema: FieldSchema,
  value: Readonly<Record<string, unknown>>,
  sent = false,
): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = {};
  for (const [name, field] of fieldsOf(schema)) {
    const given = value[name];
    const { presence } = field;
    if (given === undefined || given === null) {
      if (presence === 'always') out[name] = field.type === 'object' ? null : zero(field);
      else if (presence === 'value') out[name] = zero(field);
      continue;
    }
    const passed = through(field, given, sent);
    if (presence === undefined && field.type !== 'any') {
      const emptyMap = field.type === 'map' && isRecord(passed) && Object.keys(passed).length === 0;
      if (!isEmpty(passed) && !emptyMap) out[name] = passed;
    } else if (presence === 'always' && !sent && Array.isArray(passed) && passed.length === 0) out[name] = null;
    else out[name] = passed;
  }
  const defaults = structDefaults[structName(schema) ?? ''];
  if (defaults === undefined) return out;
  return typeof defaults === 'function' ? defaults(out) : withDefaults(out, defaults);
}

/**
 * The object as the server would print it back, apiVersion, kind and metadata first. `sent`: as it came, where an empty
 * list is still one (who sends it owns it) and not yet null.
 */
export function roundTrip(schema: FieldSchema, object: KubeObject, sent = false): KubeObject {
  if (schema.properties === undefined) return object;
  const { apiVersion, kind, metadata, ...rest } = throughStruct(schema, object, sent);
  return {
    ...(kind === undefined ? {} : { kind: kind as string }),
    ...(apiVersion === undefined ? {} : { apiVersion: apiVersion as string }),
    metadata: (metadata ?? {}) as KubeObject['metadata'],
    ...rest,
  };
}

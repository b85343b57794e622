/**
 * The complaints of a strategic merge patch: what it makes is not decoded from text but converted from maps, which has
 * words of its own. Source: apimachinery, pkg/runtime/converter.go fromUnstructured.
 */
import { base64ErrorAt } from '../go/base64.js';
import { quantityFault } from '../go/quantity.js';
import { isInt64 } from '../go/text.js';
import { timeFault } from '../go/time.js';
import { goTypeName } from '../go/type-name.js';
import type { FieldSchema } from '../resource-definition.js';
import { completeSchema } from './object-meta.js';

type Kind = 'string' | 'bool' | 'int64' | 'float64' | 'slice' | 'map';

const kindOf = (value: unknown): Kind =>
  typeof value === 'string'
    ? 'string'
    : typeof value === 'boolean'
      ? 'bool'
      : typeof value === 'number'
        ? isInt64(value)
          ? 'int64'
          : 'float64'
        : Array.isArray(value)
          ? 'slice'
          : 'map';

const JSON_NAMES: Readonly<Record<Kind, string>> = {
  string: 'string',
  bool: 'bool',
  int64: 'number',
  float64: 'number',
  slice: 'array',
  map: 'object',
};

const unmarshal = (kind: Kind, type: string): string =>
  `json: cannot unmarshal ${JSON_NAMES[kind]} into Go value of type ${type}`;

function textFault(value: unknown, schema: FieldSchema): string | undefined {
  const kind = kindOf(value);
  if (schema.format === 'byte') {
    if (typeof value !== 'string') return kind === 'slice' ? undefined : `cannot restore slice from ${kind}`;
    const fault = base64ErrorAt(value);
    return fault === undefined ? undefined : `error decoding from json: illegal base64 data at input byte ${fault}`;
  }
  if (schema.format === 'date-time')
    return typeof value === 'string' ? timeFault(value, schema.goType === 'v1.MicroTime') : unmarshal(kind, 'string');
  if (kind === 'string') return undefined;
  // Go converts whole numbers to texts, which JSON must not.
  return kind === 'int64' ? `cannot convert int64 to ${goTypeName(schema)}` : 'unrecognized type: string';
}

function first<T>(list: Iterable<T>, fault: (item: T) => string | undefined): string | undefined {
  for (const item of list) {
    const found = fault(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function faultOf(value: unknown, schema: FieldSchema): string | undefined {
  if (value === null || value === undefined) return undefined;
  const kind = kindOf(value);
  switch (schema.type) {
    case 'string':
      return textFault(value, schema);
    case 'boolean':
      return kind === 'bool' ? undefined : 'unrecognized type: bool';
    case 'integer':
      if (kind === 'int64') return undefined;
      return kind === 'float64'
        ? `cannot convert float64 to ${goTypeName(schema)}`
        : `unrecognized type: ${goTypeName(schema)}`;
    case 'number':
      return typeof value === 'number' ? undefined : 'unrecognized type: float64';
    case 'int-or-string':
      if (schema.format === 'quantity') return quantityFault(value);
      return kind === 'string' || kind === 'int64' ? undefined : unmarshal(kind, 'int32');
    case 'array':
      return Array.isArray(value)
        ? first(value, (item) => (schema.items === undefined ? undefined : faultOf(item, schema.items)))
        : `cannot restore slice from ${kind}`;
    case 'map':
      if (kind !== 'map') return `cannot restore map from ${kind}`;
      return first(Object.values(value), (item) =>
        schema.items === undefined ? undefined : faultOf(item, schema.items),
      );
    case 'object':
      if (kind !== 'map') return `cannot restore struct from: ${kind}`;
      return first(Object.entries(schema.properties ?? {}), ([key, field]) =>
        Object.hasOwn(value, key) ? faultOf((value as Readonly<Record<string, unknown>>)[key], field) : undefined,
      );
    case 'any':
      return undefined;
  }
}

/** Why a map is no object of a kind; undefined where it is one. */
export const unstructuredFault = (value: Readonly<Record<string, unknown>>, schema: FieldSchema): string | undefined =>
  faultOf(value, completeSchema(schema));

/**
 * Shapes of all kinds, read from one compact data file: API group and version → Go struct → field → one line. A line
 * is a type, then words. Types: string bool int32 int64 double byte time microtime quantity intstr any, `map T`,
 * `[]T`, or a struct as `group.version.Name`. Words: merge:KEY and strategy:S (strategic merge), list:map:K,K |
 * list:set | list:atomic and map:atomic (server-side apply), required, go:NAME (Go's name of a named scalar or map),
 * and ptr | always | value (what is printed when empty, see FieldSchema.presence). The field "*" speaks of the struct.
 * The facts are those of the API server's own /openapi/v3 and of the struct tags of k8s.io/api. The file is read on
 * first use.
 */
import { createRequire } from 'node:module';
import type { FieldSchema } from '../resource-definition.js';
// Type only: the compiler then copies the file, and nothing is read at start-up.
import type types from './data/types.json';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type StructData = Readonly<Record<string, string>>;
type Data = Readonly<Record<keyof typeof types, Readonly<Record<string, StructData>>>>;

let data: Data | undefined;
const load = (): Data => {
  data ??= createRequire(import.meta.url)('./data/types.json') as Data;
  return data;
};

const SCALARS: Readonly<Record<string, FieldSchema>> = {
  string: { type: 'string' },
  bool: { type: 'boolean' },
  int32: { type: 'integer', format: 'int32' },
  int64: { type: 'integer', format: 'int64' },
  double: { type: 'number', format: 'double' },
  byte: { type: 'string', format: 'byte' },
  time: { type: 'string', format: 'date-time', goType: 'v1.Time' },
  microtime: { type: 'string', format: 'date-time', goType: 'v1.MicroTime' },
  quantity: { type: 'int-or-string', format: 'quantity', goType: 'resource.Quantity' },
  intstr: { type: 'int-or-string', goType: 'intstr.IntOrString' },
  any: { type: 'any' },
};

const ANY: FieldSchema = { type: 'any' };

const known = new Map<string, FieldSchema>();
/** Fields of a struct → its name: copies of a schema with other hints keep the same fields. */
const names = new WeakMap<object, string>();
/** Structs that are being resolved: a struct inside itself (JSONSchemaProps) is anything from the second level on. */
const open = new Set<string>();

function resolveType(text: string): FieldSchema {
  const scalar = SCALARS[text];
  if (scalar !== undefined) return scalar;
  if (text.startsWith('[]')) return { type: 'array', items: resolveType(text.slice(2)) };
  if (text.startsWith('map ')) return { type: 'map', items: resolveType(text.slice(4)) };
  return structSchema(text);
}

function fieldSchema(line: string): { readonly schema: FieldSchema; readonly required: boolean } {
  const words = line.split(' ');
  let type = words.shift() ?? 'any';
  while (type.endsWith('map')) type += ` ${words.shift() ?? 'any'}`;
  const schema: Mutable<FieldSchema> = { ...resolveType(type) };
  let required = false;
  for (const word of words) {
    const colon = word.indexOf(':');
    const [name, value] = colon < 0 ? [word, ''] : [word.slice(0, colon), word.slice(colon + 1)];
    if (name === 'merge') {
      schema.patchMergeKey = value;
      schema.patchStrategy ??= 'merge';
    } else if (name === 'strategy') schema.patchStrategy = value as NonNullable<FieldSchema['patchStrategy']>;
    else if (name === 'list') {
      const [kind, keys] = value.split(':');
      schema.listType = kind as NonNullable<FieldSchema['listType']>;
      if (keys !== undefined) schema.mapKeys = keys.split(',');
    } else if (name === 'map') schema.mapType = value as NonNullable<FieldSchema['mapType']>;
    else if (name === 'go') {
      schema.goType = value;
      const element = /^(?:\[\]|map\[string\])(.+)$/.exec(value)?.[1];
      if (element !== undefined && schema.items !== undefined) schema.items = { ...schema.items, goType: element };
    } else if (name === 'ptr') schema.presence = 'pointer';
    else if (name === 'always' || name === 'value') schema.presence = name;
    else if (name === 'required') required = true;
  }
  return { schema, required };
}

/**
 * The schema of a Go struct by its name in the data file ("core.v1.PodSpec"). @throws Error for a type that is not in
 * it
 */
export function structSchema(name: string): FieldSchema {
  const schema = findStruct(name);
  if (schema === undefined) throw new Error(`types.json has no type "${name}". Make the file anew with it.`);
  return schema;
}

/** Every struct that the data file holds, by name. */
export const structNames = (): readonly string[] =>
  Object.entries(load()).flatMap(([group, structs]) => Object.keys(structs).map((struct) => `${group}.${struct}`));

export function findStruct(name: string): FieldSchema | undefined {
  const found = known.get(name);
  if (found !== undefined) return found;
  const [group = '', version = '', struct = ''] = name.split('.');
  const fields = load()[`${group}.${version}` as keyof Data]?.[struct];
  if (fields === undefined) return undefined;
  if (open.has(name)) return ANY;
  open.add(name);
  const properties: Record<string, FieldSchema> = {};
  const required: string[] = [];
  let mapType: FieldSchema['mapType'];
  for (const [field, line] of Object.entries(fields)) {
    if (field === '*') mapType = line.slice('map:'.length) as 'atomic';
    else {
      const resolved = fieldSchema(line);
      properties[field] = resolved.schema;
      if (resolved.required) required.push(field);
    }
  }
  open.delete(name);
  const schema: FieldSchema = {
    type: 'object',
    properties,
    goType: `${version}.${struct}`,
    ...(required.length === 0 ? {} : { required }),
    ...(mapType === undefined ? {} : { mapType }),
  };
  known.set(name, schema);
  names.set(properties, name);
  return schema;
}

/** The name of the struct that a schema describes, in the data file's spelling. */
export const structName = (schema: FieldSchema): string | undefined =>
  schema.properties === undefined ? undefined : names.get(schema.properties);

/** Names of Go types as its decoders print them. */
import type { FieldSchema } from '../resource-definition.js';

/** A type as Go's decoder names it in its complaints: "map[string]string", "[]v1.Container", "int32". */
export function goTypeName(schema: FieldSchema): string {
  if (schema.goType !== undefined) return schema.goType;
  switch (schema.type) {
    case 'array':
      return `[]${schema.items === undefined ? 'interface {}' : goTypeName(schema.items)}`;
    case 'map':
      return `map[string]${schema.items === undefined ? 'interface {}' : goTypeName(schema.items)}`;
    case 'string':
      return schema.format === 'byte' ? '[]uint8' : 'string';
    case 'boolean':
      return 'bool';
    case 'integer':
      return schema.format ?? 'int';
    case 'number':
      return 'float64';
    default:
      return 'interface {}';
  }
}

/** What encoding/json calls the type of a decoded value. */
export const jsonType = (value: unknown): string =>
  value === null
    ? 'null'
    : Array.isArray(value)
      ? 'array'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value === 'object'
          ? 'object'
          : typeof value;

/** The internal Go package of an API group. */
export const goPackage = (group: string): string => (group === '' ? 'core' : (group.split('.')[0] ?? ''));

/** Objects of which nothing is said. */
import type { KubeObject } from '../../kubernetes/objects.js';
import { remembered } from '../../kubernetes/remembered.js';
import type { FieldSchema, ResourceDefinition } from '../resource-definition.js';
import { completeSchema } from './object-meta.js';

/** What Go's encoder prints of a zero value: structs held by value, and fields that are never left out. */
function zeroOf(schema: FieldSchema): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
          if (field.presence === 'value') return [[key, zeroOf(field)]];
          return field.presence === 'always' ? [[key, field.type === 'object' ? null : zeroOf(field)]] : [];
        }),
      );
    case 'string':
      return schema.format === 'date-time' || schema.format === 'byte' ? null : '';
    case 'integer':
    case 'number':
      return 0;
    case 'boolean':
      return false;
    default:
      return null;
  }
}

const blankOf = remembered(
  (schema: FieldSchema): KubeObject => ({
    ...(zeroOf(completeSchema(schema)) as Record<string, unknown>),
    metadata: {},
  }),
);

/** A kind's zero object as Go prints it: what a first write is compared with. */
export const blank = ({ schema }: ResourceDefinition): KubeObject => blankOf(schema);

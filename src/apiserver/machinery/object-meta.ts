/** The fields that every kind has. */
import { remembered } from '../../kubernetes/remembered.js';
import type { FieldSchema } from '../resource-definition.js';

const STRING: FieldSchema = { type: 'string' };
const STRING_MAP: FieldSchema = { type: 'map', items: STRING };
const TIME: FieldSchema = { type: 'string', format: 'date-time', goType: 'v1.Time' };

/** Source: apimachinery, pkg/apis/meta/v1/types.go ObjectMeta, with the list hints of its tags. */
export const OBJECT_META: FieldSchema = {
  type: 'object',
  goType: 'v1.ObjectMeta',
  description:
    'ObjectMeta is metadata that all persisted resources must have, which includes all objects users must create.',
  properties: {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    selfLink: STRING,
    uid: STRING,
    resourceVersion: STRING,
    generation: { type: 'integer', format: 'int64' },
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
    labels: STRING_MAP,
    annotations: STRING_MAP,
    ownerReferences: {
      type: 'array',
      patchMergeKey: 'uid',
      patchStrategy: 'merge',
      listType: 'map',
      mapKeys: ['uid'],
      items: {
        type: 'object',
        mapType: 'atomic',
        required: ['apiVersion', 'kind', 'name', 'uid'],
        properties: {
          apiVersion: STRING,
          kind: STRING,
          name: STRING,
          uid: STRING,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
      },
    },
    finalizers: { type: 'array', patchStrategy: 'merge', listType: 'set', items: STRING },
    managedFields: {
      type: 'array',
      // An empty list says something: that nobody owns anything any more.
      presence: 'pointer',
      listType: 'atomic',
      items: {
        type: 'object',
        properties: {
          manager: STRING,
          operation: STRING,
          apiVersion: STRING,
          time: TIME,
          fieldsType: STRING,
          fieldsV1: { type: 'any' },
          subresource: STRING,
        },
      },
    },
  },
};

/** The schema of a kind with the fields that every kind has, first. */
export const completeSchema = remembered((schema: FieldSchema): FieldSchema => {
  const { apiVersion: _a, kind: _k, metadata: meta, ...own } = schema.properties ?? {};
  return {
    ...schema,
    type: 'object',
    properties: {
      kind: STRING,
      apiVersion: STRING,
      metadata: meta?.properties === undefined ? OBJECT_META : meta,
      ...own,
    },
  };
});

/**
 * Two resources of the core group that store nothing: bindings (create only) and componentstatuses (which nothing
 * reports here). Source: pkg/registry/core/{pod,componentstatus}.
 */

import type { KubeObject } from '../../kubernetes/objects.js';
import type { ResourceDefinition, Strategy, StrategyContext } from '../resource-definition.js';
import { bindPod } from './pod-binding.js';
import { structSchema } from './schema.js';
import { plainTable, tableOf } from './tables.js';

const PODS = { group: '', resource: 'pods' } as const;
const nothing: Strategy = {};
const core = {
  group: '',
  version: 'v1',
  shortNames: [],
  categories: [],
  strategy: nothing,
  subresources: [],
  fieldSelectors: {},
} as const;

export const bindings: ResourceDefinition = {
  ...core,
  kind: 'Binding',
  resource: 'bindings',
  singular: 'binding',
  namespaced: true,
  verbs: ['create'],
  get schema() {
    return structSchema('core.v1.Binding');
  },
  ...plainTable,
  answer(object: KubeObject, context: StrategyContext) {
    const pod = object.metadata.name ?? '';
    const { code, object: status } = bindPod(context.store.get(PODS, context.namespace, pod), pod, object, context);
    return { code, object: { ...status } };
  },
};

export const componentStatuses: ResourceDefinition = {
  ...core,
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  singular: 'componentstatus',
  missingAs: { resource: 'componentstatus' },
  shortNames: ['cs'],
  deprecated: { since: 19, text: 'v1 ComponentStatus is deprecated in v1.19+' },
  namespaced: false,
  verbs: ['get', 'list'],
  get schema() {
    return structSchema('core.v1.ComponentStatus');
  },
  ...tableOf('componentstatuses', 0),
};

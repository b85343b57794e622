/** What tests of this room share: a store of given objects, and the way an object takes through its strategy. */
import type { KubeObject } from '../../kubernetes/objects.js';
import { manualClock } from '../clock.js';
import type { FieldError, ResourceDefinition, StrategyContext } from '../resource-definition.js';
import { createStore } from '../storage/store.js';
import { definitions, type ResourceHooks, validateMetadata } from './index.js';

const all = definitions();

export function definitionOf(resource: string, group = '', hooks?: ResourceHooks): ResourceDefinition {
  const found = (hooks === undefined ? all : definitions(hooks)).find(
    (one) => one.resource === resource && one.group === group,
  );
  if (found === undefined) throw new Error(`no definition of ${resource}`);
  return found;
}

export function context(objects: readonly (readonly [string, KubeObject])[] = []): StrategyContext {
  const store = createStore({});
  for (const [resource, object] of objects) store.create({ group: '', resource }, object);
  return {
    user: { username: 'tester', groups: [] },
    clock: manualClock(Date.UTC(2026, 0, 1)),
    random: (length) => Buffer.alloc(length, 1),
    store,
    authorizer: { authorize: () => ({ decision: 'allow', reason: '' }) },
    warnings: [],
    dryRun: false,
    namespace: 'default',
    subresource: '',
  };
}

/** An object as it would be stored, or what is wrong with it. */
export function made(
  definition: ResourceDefinition,
  object: KubeObject,
  about = context(),
): { readonly object: KubeObject; readonly errors: readonly string[] } {
  const { strategy } = definition;
  const prepared = strategy.prepareForCreate?.(object, about) ?? object;
  return {
    object: prepared,
    errors: texts([...validateMetadata(definition, prepared), ...(strategy.validate?.(prepared, about) ?? [])]),
  };
}

export function changed(
  definition: ResourceDefinition,
  object: KubeObject,
  old: KubeObject,
  about = context(),
): { readonly object: KubeObject; readonly errors: readonly string[] } {
  const { strategy } = definition;
  const prepared = strategy.prepareForUpdate?.(object, old, about) ?? object;
  return {
    object: prepared,
    errors: texts(
      validateMetadata(definition, prepared, old, {
        own: strategy.validateUpdate?.(prepared, old, about) ?? [],
        changes: strategy.validateChange?.(prepared, old) ?? [],
      }),
    ),
  };
}

export const texts = (errors: readonly FieldError[]): readonly string[] =>
  errors.map((error) => `${error.field}: ${error.body}`);

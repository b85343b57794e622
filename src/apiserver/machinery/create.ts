/**
 * Creation of objects. Source: apiserver, pkg/endpoints/handlers/create.go, pkg/registry/rest/create.go,
 * pkg/registry/generic/registry/store.go Create.
 */
import type { KubeObject, ObjectMeta } from '../../kubernetes/objects.js';
import { rfc3339 } from '../clock.js';
import { parseUint } from '../go/text.js';
import type { FieldError, ResourceDefinition, StrategyContext } from '../resource-definition.js';
import { StoreConflict } from '../storage/store.js';
import type { RandomBytes } from '../types.js';
import { hasFeature } from '../versions.js';
import { alreadyExists, badRequest, generateNameConflict, invalid, plainError } from './errors.js';
import {
  admit,
  groupResource,
  type Machinery,
  mutate,
  type Scope,
  strategyContext,
  type Target,
  uuid,
} from './machinery.js';
import { trackUpdate } from './managed-fields.js';
import { validateCommonMetadata, validateMetadata } from './metadata-validation.js';
import { AFTER_ADMISSION, eachOwnerOnce } from './owners.js';

/** No vowels and no look-alikes. Source: apimachinery, pkg/util/rand. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const LONGEST_GENERATED = 58;
const ATTEMPTS = 8;

function suffix(random: RandomBytes): string {
  let text = '';
  while (text.length < 5) {
    for (const byte of random(8)) {
      // 27 letters fit nine times into 243: what lies above would favour the first ones.
      if (byte < 243 && text.length < 5) text += ALPHABET[byte % 27];
    }
  }
  return text;
}

/** @throws 400 where the object names another namespace than the URL */
export function inNamespace(object: KubeObject, target: Target): KubeObject {
  const own = object.metadata.namespace ?? '';
  const wanted = target.definition.namespaced ? target.namespace : '';
  if (own === wanted) return object;
  if (own === '') return { ...object, metadata: { ...object.metadata, namespace: wanted } };
  if (wanted === '') return { ...object, metadata: without(object.metadata, ['namespace']) };
  throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
}

export function without(meta: ObjectMeta, fields: readonly (keyof ObjectMeta)[]): ObjectMeta {
  const copy: { -readonly [Key in keyof ObjectMeta]: ObjectMeta[Key] } = { ...meta };
  for (const field of fields) delete copy[field];
  return copy;
}

/** Metadata that belongs to the server. Source: registry/rest/meta.go FillObjectMetaSystemFields. */
function systemMeta(machinery: Machinery, object: KubeObject): KubeObject {
  const metadata = without(object.metadata, ['selfLink' as keyof ObjectMeta]);
  return {
    ...object,
    metadata: { ...metadata, uid: uuid(machinery.random), creationTimestamp: rfc3339(machinery.clock.now()) },
  };
}

/** A resource without storage: admission runs, the definition answers. */
function answer(scope: Scope, given: KubeObject): { readonly code: number; readonly object: KubeObject } | undefined {
  const { target } = scope;
  if (target.definition.answer === undefined) return undefined;
  const { warnings } = scope.caller;
  const tracked = trackUpdate(scope, undefined, eachOwnerOnce(inNamespace(given, target), warnings));
  const object = eachOwnerOnce(mutate(scope, 'CREATE', tracked), warnings, AFTER_ADMISSION);
  const context = strategyContext(scope);
  admit(scope, 'CREATE', { object });
  return inWordsOf(target.definition.answer(object, context), scope.machinery.version.minor);
}

/** What is not stored was never made at any time. */
function inWordsOf(answered: { readonly code: number; readonly object: KubeObject }, minor: number): typeof answered {
  const { code, object } = answered;
  if (hasFeature('unsetTimesAreLeftOut', minor) || object.metadata?.creationTimestamp !== undefined) return answered;
  const metadata = { ...object.metadata, creationTimestamp: null as unknown as string };
  return { code, object: { ...object, metadata } };
}

/**
 * Creates one object from a decoded body.
 * @returns the stored object, or the definition's own answer, with the HTTP code
 * @throws ApiError
 */
export function create(scope: Scope, body: KubeObject): { readonly code: number; readonly object: KubeObject } {
  const wiped = systemWiped(body);
  return answer(scope, wiped) ?? { code: 201, object: createObject(scope, wiped, 'post') };
}

/**
 * What only the server says of an object, a client cannot by a POST. Source: registry/rest/meta.go
 * WipeObjectMetaSystemFields.
 */
const WIPED: readonly (keyof ObjectMeta)[] = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink' as keyof ObjectMeta,
];
const systemWiped = (object: KubeObject): KubeObject =>
  WIPED.every((field) => object.metadata[field] === undefined)
    ? object
    : { ...object, metadata: without(object.metadata, WIPED) };

/**
 * The stored kind of creation; also what a PUT or an apply of a missing name does. An apply has tracked its fields
 * already.
 */
export function createObject(scope: Scope, body: KubeObject, by: 'post' | 'put' | 'apply'): KubeObject {
  const named = inNamespace(body, scope.target);
  const { warnings } = scope.caller;
  const tracked = by === 'apply' ? named : trackUpdate(scope, undefined, eachOwnerOnce(named, warnings));
  return commit(scope, eachOwnerOnce(mutate(scope, 'CREATE', tracked), warnings, AFTER_ADMISSION), by === 'post');
}

/** What all kinds share is looked at last, and only where the kind's own validation is content. */
function faults(definition: ResourceDefinition, object: KubeObject, context: StrategyContext): readonly FieldError[] {
  const own = definition.strategy.validate?.(object, context) ?? [];
  const all = [...validateMetadata(definition, object), ...own];
  return all.length > 0 ? all : validateCommonMetadata(object, definition.namespaced);
}

/** From an admitted object to the stored one; `posted`: not by a PUT or a patch, for which a version is no matter. */
function commit(scope: Scope, mutated: KubeObject, posted: boolean): KubeObject {
  const { machinery, target, caller } = scope;
  const { definition } = target;
  const { strategy } = definition;
  const context = strategyContext(scope);
  const generated = (mutated.metadata.name ?? '') === '' && (mutated.metadata.generateName ?? '') !== '';
  for (let attempt = 1; ; attempt += 1) {
    let object = systemMeta(machinery, mutated);
    if (generated) {
      const name = `${(mutated.metadata.generateName ?? '').slice(0, LONGEST_GENERATED)}${suffix(machinery.random)}`;
      object = { ...object, metadata: { ...object.metadata, name } };
    }
    object = inNamespace(object, target);
    object = strategy.prepareForCreate?.(object, context) ?? object;
    const errors = faults(definition, object, context);
    if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
    if (attempt === 1) caller.warnings.push(...(strategy.warnings?.(object) ?? []));
    admit(scope, 'CREATE', { object });
    const version = parseUint(object.metadata.resourceVersion ?? '');
    // Only what is stored may not have one; what is no number is none. Source: pkg/registry/generic/registry/dryrun.go
    // Create, pkg/storage/etcd3/store.go Create.
    if (posted && !caller.dryRun && 'value' in version && version.value !== 0)
      throw plainError('resourceVersion should not be set on objects to be created');
    const resource = groupResource(definition);
    const name = object.metadata.name ?? '';
    try {
      if (!caller.dryRun || machinery.manners.dryRunsAreStored('a creation'))
        return machinery.store.create(resource, object);
      const there = machinery.store.get(resource, object.metadata.namespace, name);
      if (there === undefined) return object;
      throw new StoreConflict('exists', there);
    } catch (error) {
      if (!(error instanceof StoreConflict)) throw error;
      if (!generated)
        throw alreadyExists(
          resource,
          name,
          error.current?.metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: ',
        );
      if (attempt === ATTEMPTS) throw generateNameConflict(resource, name);
    }
  }
}

/**
 * Changes of objects. Source: apiserver, pkg/endpoints/handlers/update.go, pkg/registry/rest/update.go,
 * pkg/registry/generic/registry/store.go Update.
 */
import type { KubeObject, ObjectMeta } from '../../kubernetes/objects.js';
import { parseUint } from '../go/text.js';
import { StoreConflict } from '../storage/store.js';
import type { ApiError } from '../types.js';
import { hasFeature } from '../versions.js';
import { authorizeCreate } from './authorize.js';
import { createObject, inNamespace, without } from './create.js';
import { badRequest, conflict, invalid, MODIFIED, notFound, plainError, preconditionFailed } from './errors.js';
import { invalidValue } from './field-errors.js';
import { admit, groupResource, mutate, type Scope, storedObject, strategyContext, type Target } from './machinery.js';
import { trackUpdate } from './managed-fields.js';
import { validateMetadata } from './metadata-validation.js';
import { AFTER_ADMISSION, eachOwnerOnce } from './owners.js';

export interface Updated {
  readonly object: KubeObject;
  readonly created: boolean;
}

/** Name and namespace of a body against the URL. Source: handlers/rest.go checkName. @throws 400 */
export function checkName(object: KubeObject, target: Target): KubeObject {
  const name = object.metadata.name ?? '';
  if (name === '')
    throw badRequest(`the name of the object (${target.name} based on URL) was undeterminable: name must be provided`);
  if (name !== target.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${target.name})`);
  const namespace = object.metadata.namespace ?? '';
  if (target.namespace !== '' && target.definition.namespaced && namespace !== '' && namespace !== target.namespace) {
    throw badRequest(
      `the namespace of the object (${namespace}) does not match the namespace on the request (${target.namespace})`,
    );
  }
  return object;
}

const versionOf = ({ metadata: { resourceVersion = '' } }: KubeObject): ReturnType<typeof parseUint> =>
  parseUint(resourceVersion === '' ? '0' : resourceVersion);

/** Kinds that are kept under another name. Source: pkg/registry/core/rest/storage_core.go; the API server's answers. */
const KEPT_AS: Readonly<Record<string, string>> = {
  nodes: 'minions',
  services: 'services/specs',
  endpoints: 'services/endpoints',
  replicationcontrollers: 'controllers',
};

/**
 * The UID of a PUT is a precondition; `own` is empty where there is no object yet. What is only tried has no prefix of
 * storage.
 */
function otherUid(target: Target, wanted: string, own: string, dryRun: boolean): ApiError {
  const resource = groupResource(target.definition);
  const kept = KEPT_AS[resource.resource] ?? resource.resource;
  const key = `${dryRun ? '' : '/registry'}/${kept}/${target.namespace === '' ? '' : `${target.namespace}/`}${target.name}`;
  return conflict(
    resource,
    target.name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ` +
      preconditionFailed('UID', wanted, own),
  );
}

/** PUT: the whole object. */
export function replace(scope: Scope, body: KubeObject): Updated {
  const { target } = scope;
  const placed = eachOwnerOnce(checkName(inNamespace(body, target), target), scope.caller.warnings);
  const live = storedObject(scope);
  if (live === undefined) {
    const { uid = '' } = placed.metadata;
    const created = target.subresource === undefined && target.definition.strategy.allowCreateOnUpdate === true;
    const asked = created || !hasFeature('missingBeforeItsUid', scope.machinery.version.minor);
    if (asked && uid !== '') throw otherUid(target, uid, '', scope.caller.dryRun);
    if (!created) throw notFound(groupResource(target.definition), target.name);
    authorizeCreate(scope);
    const given = versionOf(placed);
    if ('error' in given) throw plainError(given.error);
    return { object: createObject(scope, placed, 'put'), created: true };
  }
  return { object: change(scope, live, trackUpdate(scope, live, placed)), created: false };
}

/**
 * From a wanted object (fields tracked, not yet admitted) and the stored one to the new stored one.
 * @returns the object as stored, or as it was when its last finalizer let go
 */
export function change(scope: Scope, live: KubeObject, wanted: KubeObject, by: 'put' | 'patch' = 'put'): KubeObject {
  const { machinery, target, caller } = scope;
  const { definition } = target;
  const resource = groupResource(definition);
  const strategy = target.subresource?.kind === 'part' ? target.subresource.strategy : definition.strategy;
  const context = strategyContext(scope);
  const uid = wanted.metadata.uid ?? '';
  // The body of a PUT sets a precondition; in a patch, the UID is one more field that stays.
  if (by === 'put' && uid !== '' && !machinery.manners.namesWhatIsThere(uid, live.metadata.uid))
    throw otherUid(target, uid, live.metadata.uid ?? '', caller.dryRun);
  let object = eachOwnerOnce(mutate(scope, 'UPDATE', wanted, live), caller.warnings, AFTER_ADMISSION);
  const given = versionOf(object);
  if ('error' in given) throw plainError(given.error);
  if (given.value === 0) {
    if (definition.strategy.allowUnconditionalUpdate === false) {
      throw invalid({ group: definition.group, kind: definition.resource }, target.name, [
        invalidValue('metadata.resourceVersion', 0, 'must be specified for an update', '0x0'),
      ]);
    }
  } else if (!machinery.manners.namesWhatIsThere(given.printed, live.metadata.resourceVersion))
    throw conflict(resource, target.name, MODIFIED);
  const sent = object;
  object = keepSystemMeta(object, live);
  object = strategy.prepareForUpdate?.(object, live, { ...context, sent }) ?? object;
  object = inNamespace(object, target);
  const errors = validateMetadata({ namespaced: definition.namespaced, strategy }, object, live, {
    own: strategy.validateUpdate?.(object, live, context) ?? [],
    changes: strategy.validateChange?.(object, live) ?? [],
    twice: machinery.version.minor <= (strategy.lookedAtTwiceUntil ?? 0),
  });
  if (errors.length > 0) throw invalid(definition, object.metadata.name ?? '', errors);
  caller.warnings.push(...(strategy.warnings?.(object, live) ?? []));
  admit(scope, 'UPDATE', { object, old: live });
  if (released(object, live) && definition.strategy.beforeDelete?.(object, context) !== false) {
    if (!caller.dryRun) machinery.store.delete(resource, live.metadata.namespace, target.name);
    return object;
  }
  if (caller.dryRun) return object;
  try {
    return machinery.store.update(resource, object, live.metadata.resourceVersion);
  } catch (error) {
    if (error instanceof StoreConflict)
      throw error.why === 'missing' ? notFound(resource, target.name) : conflict(resource, target.name, MODIFIED);
    throw error;
  }
}

/** What a client cannot change about an object's metadata. Source: registry/rest/update.go BeforeUpdate. */
function keepSystemMeta(object: KubeObject, live: KubeObject): KubeObject {
  const before = live.metadata;
  const metadata: ObjectMeta = {
    ...without(object.metadata, ['generation', 'creationTimestamp', 'selfLink' as keyof ObjectMeta]),
    ...(before.resourceVersion === undefined ? {} : { resourceVersion: before.resourceVersion }),
    ...(before.generation === undefined ? {} : { generation: before.generation }),
    ...(object.metadata.uid === undefined && before.uid !== undefined ? { uid: before.uid } : {}),
    ...(before.creationTimestamp === undefined ? {} : { creationTimestamp: before.creationTimestamp }),
    ...(before.deletionTimestamp === undefined ? {} : { deletionTimestamp: before.deletionTimestamp }),
    ...(before.deletionGracePeriodSeconds !== undefined && object.metadata.deletionGracePeriodSeconds === undefined
      ? { deletionGracePeriodSeconds: before.deletionGracePeriodSeconds }
      : {}),
  };
  return { ...object, metadata };
}

/** Marked for deletion, waited for, and now without finalizers. Source: store.go ShouldDeleteDuringUpdate. */
const released = (object: KubeObject, live: KubeObject): boolean =>
  live.metadata.deletionTimestamp !== undefined &&
  (object.metadata.finalizers ?? []).length === 0 &&
  (live.metadata.deletionGracePeriodSeconds ?? 0) === 0;

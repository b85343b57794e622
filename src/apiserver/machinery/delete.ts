/**
 * Deletion: preconditions, finalizers, grace. Source: apiserver, pkg/registry/generic/registry/store.go Delete,
 * pkg/registry/rest/delete.go BeforeDelete.
 */
import type { KubeObject, Status } from '../../kubernetes/objects.js';
import { rfc3339 } from '../clock.js';
import type { Strategy } from '../resource-definition.js';
import { conflict, notFound, preconditionFailed, qualified } from './errors.js';
import {
  admit,
  groupResource,
  type Machinery,
  mutateDeletion,
  type Scope,
  storedObject,
  strategyContext,
  type Target,
} from './machinery.js';
import type { DeleteOptions } from './options.js';

export interface Deleted {
  readonly object: KubeObject;
  /** false: it stays until its finalizers are gone, or whoever runs it has ended it */
  readonly gone: boolean;
}

const ORPHAN = 'orphan';
const FOREGROUND = 'foregroundDeletion';

/** Source: store.go deletionFinalizersForGarbageCollection; event/strategy.go DefaultGarbageCollectionPolicy. */
function finalizersFor(object: KubeObject, options: DeleteOptions): readonly string[] {
  const current = object.metadata.finalizers ?? [];
  if (object.kind === 'Event') return current.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  const explicit = options.orphanDependents !== undefined || options.propagationPolicy !== undefined;
  const orphan = explicit
    ? (options.orphanDependents ?? options.propagationPolicy === 'Orphan')
    : current.includes(ORPHAN);
  const foreground = explicit ? options.propagationPolicy === 'Foreground' : current.includes(FOREGROUND);
  // What stays is not put in another order.
  if (orphan === current.includes(ORPHAN) && foreground === current.includes(FOREGROUND)) return current;
  const rest = current.filter((name) => name !== ORPHAN && name !== FOREGROUND);
  return [...rest, ...(orphan ? [ORPHAN] : []), ...(foreground ? [FOREGROUND] : [])];
}

const isNamespace = ({ apiVersion, kind }: KubeObject): boolean => kind === 'Namespace' && apiVersion === 'v1';

/** Namespaces have words of their own. Source: pkg/registry/core/namespace/storage/storage.go Delete. */
function preconditions({ machinery, target }: Scope, object: KubeObject, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions ?? {};
  const { namesWhatIsThere } = machinery.manners;
  if (isNamespace(object)) {
    for (const [field, wanted, found = ''] of [
      ['UID', uid, object.metadata.uid],
      ['ResourceVersion', resourceVersion, object.metadata.resourceVersion],
    ] as const) {
      if (wanted === undefined || namesWhatIsThere(wanted, found)) continue;
      throw conflict(groupResource(target.definition), target.name, preconditionFailed(field, wanted, found));
    }
    return;
  }
  // Upstream names the kind here where every other conflict names the resource.
  const kind = { group: target.definition.group, resource: target.definition.kind };
  if (uid !== undefined && !namesWhatIsThere(uid, object.metadata.uid)) {
    const why =
      `the UID in the precondition (${uid}) does not match the UID in record ` +
      `(${object.metadata.uid ?? ''}). The object might have been deleted and then recreated`;
    throw conflict(kind, target.name, why);
  }
  if (resourceVersion !== undefined && !namesWhatIsThere(resourceVersion, object.metadata.resourceVersion)) {
    const why =
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion ` +
      `in record (${object.metadata.resourceVersion ?? ''}). The object might have been modified`;
    throw conflict(kind, target.name, why);
  }
}

/** A deletion that nobody is asked about: who asks for it was allowed something else. @throws ApiError: 409 */
export function evict(scope: Scope, live: KubeObject, options: DeleteOptions): void {
  preconditions(scope, live, options);
  end(scope, live, options);
}

/** @throws ApiError: 404, 409, or what admission says */
export function remove(scope: Scope, options: DeleteOptions): Deleted {
  const { target } = scope;
  const resource = groupResource(target.definition);
  const live = storedObject(scope);
  if (live === undefined) throw notFound(resource, target.name);
  preconditions(scope, live, options);
  mutateDeletion(scope, { old: live, options });
  admit(scope, 'DELETE', { old: live, options });
  return end(scope, live, options);
}

/** The same of what is there, once everybody has agreed to it. */
function end(scope: Scope, live: KubeObject, options: DeleteOptions): Deleted {
  const { machinery, target, caller } = scope;
  const { definition } = target;
  const resource = groupResource(definition);
  const namespace = definition.namespaced ? target.namespace : undefined;
  const finalizers = finalizersFor(live, options);
  const context = strategyContext(scope);
  const grace = graceOf(machinery, live, options, definition.strategy);
  if (grace === 'pending') return { object: live, gone: false };
  const kept =
    finalizers.length > 0 || (grace?.seconds ?? 0) > 0 || definition.strategy.beforeDelete?.(live, context) === false;
  if (!kept) {
    if (caller.dryRun)
      return { object: grace === undefined ? live : mark(machinery, live, finalizers, grace), gone: true };
    // Who watches a kind that is run by somebody sees first that it ends, then that it is gone.
    if (grace !== undefined) machinery.store.update(resource, mark(machinery, live, finalizers, grace));
    return { object: machinery.store.delete(resource, namespace, target.name) ?? live, gone: true };
  }
  const marked = mark(machinery, live, finalizers, grace);
  if (caller.dryRun && !machinery.manners.dryRunsAreStored('the mark of a deletion'))
    return { object: marked, gone: false };
  return { object: machinery.store.update(resource, marked), gone: false };
}

interface Grace {
  readonly seconds: number;
  /** RFC 3339 */
  readonly ends: string;
}

/**
 * How long a deletion waits, for kinds that are run by somebody; undefined for others. A deletion that waits already
 * can only be shortened, else it is 'pending'. Source: rest/delete.go BeforeDelete.
 */
function graceOf(
  machinery: Machinery,
  { metadata, ...rest }: KubeObject,
  options: DeleteOptions,
  strategy: Strategy,
): Grace | 'pending' | undefined {
  if (strategy.gracePeriod === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: before } = metadata;
  if (deletionTimestamp === undefined) {
    const seconds = strategy.gracePeriod({ ...rest, metadata }, options.gracePeriodSeconds);
    return { seconds, ends: rfc3339(machinery.clock.now() + seconds * 1000) };
  }
  const { gracePeriodSeconds: seconds } = options;
  if (before === undefined) return undefined;
  if (seconds === undefined || seconds >= before) return 'pending';
  return { seconds, ends: rfc3339(Date.parse(deletionTimestamp) + (seconds - before) * 1000) };
}

/** The object as it waits for its finalizers, or for its end. */
function mark(
  machinery: Machinery,
  live: KubeObject,
  finalizers: readonly string[],
  grace: Grace | undefined,
): KubeObject {
  const { finalizers: _old, ...rest } = live.metadata;
  const metadata = {
    ...rest,
    ...(grace !== undefined
      ? {
          deletionTimestamp: grace.ends,
          deletionGracePeriodSeconds: grace.seconds,
          ...(rest.generation === undefined || rest.deletionTimestamp !== undefined
            ? {}
            : { generation: rest.generation + 1 }),
        }
      : live.metadata.deletionTimestamp === undefined
        ? {
            deletionTimestamp: rfc3339(machinery.clock.now()),
            ...(isNamespace(live) ? {} : { deletionGracePeriodSeconds: 0 }),
          }
        : {}),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  };
  // pkg/registry/core/namespace/storage/storage.go Delete
  return isNamespace(live)
    ? { ...live, metadata, status: { ...(live.status as object | undefined), phase: 'Terminating' } }
    : { ...live, metadata };
}

/** Kinds whose DELETE answers with what was deleted. Source: each kind's storage.go, ReturnDeletedObject. */
const RETURNS_OBJECT = new Set([
  'pods',
  'serviceaccounts',
  'services',
  'persistentvolumes',
  'persistentvolumeclaims',
  'podtemplates',
  'resourcequotas',
  'storageclasses.storage.k8s.io',
  'csidrivers.storage.k8s.io',
  'csinodes.storage.k8s.io',
  'volumeattachments.storage.k8s.io',
  'csistoragecapacities.storage.k8s.io',
]);

/** The body of a DELETE. */
export function deletionAnswer(target: Target, deleted: Deleted): KubeObject | Status {
  const resource = groupResource(target.definition);
  if (!deleted.gone || RETURNS_OBJECT.has(qualified(resource))) return deleted.object;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name: target.name,
      ...(resource.group === '' ? {} : { group: resource.group }),
      kind: resource.resource,
      ...(deleted.object.metadata.uid === undefined ? {} : { uid: deleted.object.metadata.uid }),
    },
  };
}

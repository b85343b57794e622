/**
 * Deletes what has lost its last owner, and carries out the finalizers of foreground deletion and orphaning.
 * Source: pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem, processDeletingDependentsItem,
 * orphanDependents.
 */

import type { Controller, GroupResource } from '../../apiserver/types.js';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { type ControllerContext, createLoop } from './controller.js';

const FOREGROUND = 'foregroundDeletion';
const ORPHAN = 'orphan';

const keyOf = (resource: GroupResource, object: KubeObject): string =>
  `${resource.group}/${resource.resource}/${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
const without = (object: KubeObject, finalizer: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, finalizers: object.metadata.finalizers?.filter((one) => one !== finalizer) ?? [] },
});
const owned = (object: KubeObject, keep: (owner: OwnerReference) => boolean): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: object.metadata.ownerReferences?.filter(keep) ?? [] },
});

export function garbageCollector(context: ControllerContext): Controller {
  const { store } = context;
  const client = context.as('generic-garbage-collector');
  const byKind = new Map(context.served.map((resource) => [`${resource.apiVersion}/${resource.kind}`, resource]));
  /** uid of an owner → keys of what names it. */
  const dependents = new Map<string, Set<string>>();

  const note = (key: string, before: KubeObject | undefined, after: KubeObject | undefined): void => {
    if (before?.metadata.ownerReferences === after?.metadata.ownerReferences) return;
    for (const owner of before?.metadata.ownerReferences ?? []) dependents.get(owner.uid)?.delete(key);
    for (const owner of after?.metadata.ownerReferences ?? []) {
      const known = dependents.get(owner.uid) ?? new Set();
      dependents.set(owner.uid, known.add(key));
    }
  };
  const find = (key: string): { readonly resource: GroupResource; readonly object: KubeObject } | undefined => {
    const [group, name, namespace, ...rest] = key.split('/') as [string, string, string, ...string[]];
    const resource = { group, resource: name };
    const object = store.get(resource, namespace === '' ? undefined : namespace, rest.join('/'));
    return object === undefined ? undefined : { resource, object };
  };
  /** undefined: no such owner can be: its kind is not known here, or lives in namespaces and the object does not. */
  const ownerOf = (object: KubeObject, owner: OwnerReference): 'absent' | 'waiting' | 'there' | undefined => {
    const resource = byKind.get(`${owner.apiVersion}/${owner.kind}`);
    if (resource === undefined || (resource.namespaced && object.metadata.namespace === undefined)) return undefined;
    const found = store.get(resource, resource.namespaced ? object.metadata.namespace : undefined, owner.name);
    if (found === undefined || found.metadata.uid !== owner.uid) return 'absent';
    return found.metadata.deletionTimestamp !== undefined && found.metadata.finalizers?.includes(FOREGROUND)
      ? 'waiting'
      : 'there';
  };
  const isTouched = (object: KubeObject): boolean =>
    object.metadata.ownerReferences !== undefined ||
    (object.metadata.deletionTimestamp !== undefined && object.metadata.finalizers !== undefined);
  const remove = (resource: GroupResource, object: KubeObject): void => {
    const { namespace, name = '', uid } = object.metadata;
    client.delete(resource, namespace, name, uid === undefined ? {} : { uid });
  };

  /**
   * An object whose owners are all gone goes too; owners that are gone are struck out where another is left. One owner
   * that cannot be, and nothing is done: classifyReferences ends there.
   */
  const settleOwned = (resource: GroupResource, object: KubeObject): void => {
    const owners = (object.metadata.ownerReferences ?? []).map((owner) => ({ owner, state: ownerOf(object, owner) }));
    if (owners.length === 0 || object.metadata.deletionTimestamp !== undefined) return;
    if (owners.some(({ state }) => state === undefined)) return;
    const gone = new Set(
      owners.filter(({ state }) => state === 'absent' || state === 'waiting').map(({ owner }) => owner),
    );
    if (gone.size === 0) return;
    if (gone.size < owners.length)
      client.update(
        resource,
        owned(object, (owner) => !gone.has(owner)),
      );
    else remove(resource, object);
  };

  /** An object that waits for its dependents, to be deleted or let go first. */
  const settleDeleting = (resource: GroupResource, object: KubeObject): void => {
    const uid = object.metadata.uid ?? '';
    const known = [...(dependents.get(uid) ?? [])].flatMap((key) => find(key) ?? []);
    if (object.metadata.finalizers?.includes(ORPHAN)) {
      for (const one of known)
        client.update(
          one.resource,
          owned(one.object, (owner) => owner.uid !== uid),
        );
      client.update(resource, without(object, ORPHAN));
    } else if (object.metadata.finalizers?.includes(FOREGROUND)) {
      for (const one of known)
        if (one.object.metadata.deletionTimestamp === undefined) settleOwned(one.resource, one.object);
      const blocking = [...(dependents.get(uid) ?? [])]
        .flatMap((key) => find(key) ?? [])
        .some((one) =>
          one.object.metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion === true),
        );
      if (!blocking) client.update(resource, without(object, FOREGROUND));
    }
  };

  return createLoop({
    name: 'garbage-collector-controller',
    context,
    keysOf(event) {
      const key = keyOf(event.resource, event.object);
      if (event.type !== 'DELETED') {
        note(key, event.previous, event.object);
        return isTouched(event.object) ? [key] : [];
      }
      note(key, event.object, undefined);
      const orphans = dependents.get(event.object.metadata.uid ?? '');
      dependents.delete(event.object.metadata.uid ?? '');
      const owners = (event.object.metadata.ownerReferences ?? []).flatMap((owner) => {
        const resource = byKind.get(`${owner.apiVersion}/${owner.kind}`);
        const namespace = resource?.namespaced ? event.object.metadata.namespace : undefined;
        const object = resource === undefined ? undefined : store.get(resource, namespace, owner.name);
        return resource === undefined || object === undefined || !isTouched(object) ? [] : [keyOf(resource, object)];
      });
      return [...(orphans ?? []), ...owners];
    },
    initial() {
      const keys: string[] = [];
      for (const resource of context.served) {
        for (const object of store.list(resource)) {
          const key = keyOf(resource, object);
          note(key, undefined, object);
          if (isTouched(object)) keys.push(key);
        }
      }
      return keys;
    },
    sync(key) {
      const found = find(key);
      if (found === undefined) return;
      if (found.object.metadata.deletionTimestamp !== undefined) settleDeleting(found.resource, found.object);
      else settleOwned(found.resource, found.object);
    },
  });
}

/**
 * etcd's part: objects by resource, namespace and name, one revision for all, and the history that watches and
 * continued lists read. Objects are frozen when they enter, so everybody may share them. Source of the behaviour:
 * apiserver, pkg/storage/etcd3.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { GroupResource, Store, StoreEvent } from '../types.js';

/** Why the store refused a write. */
export class StoreConflict extends Error {
  constructor(
    readonly why: 'exists' | 'missing' | 'changed',
    readonly current?: KubeObject,
  ) {
    super(
      `the object ${why === 'exists' ? 'is there already' : why === 'missing' ? 'is not there' : 'has been changed'}`,
    );
    this.name = 'StoreConflict';
  }
}

/** What a restart brings back. */
export interface StoreContent {
  readonly revision: number;
  readonly objects: readonly { readonly resource: GroupResource; readonly object: KubeObject }[];
}

export interface MemoryStore extends Store {
  /** Events up to and including this revision are forgotten: watches and continued lists from before it answer 410. */
  readonly compacted: number;
  compact(revision: number): void;
  /** A list as it was at `revision`; undefined where that is no longer known. */
  listAt(resource: GroupResource, namespace: string | undefined, revision: number): readonly KubeObject[] | undefined;
  content(): StoreContent;
}

interface Shelf {
  readonly resource: GroupResource;
  /** by namespace + NUL + name */
  readonly objects: Map<string, KubeObject>;
  readonly events: StoreEvent[];
  /** lists by namespace ('' is all), forgotten with every change */
  readonly lists: Map<string, readonly KubeObject[]>;
}

const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}\u0000${name}`;
/** Key of the order that etcd gives: namespace first, then name, byte by byte (code points agree with UTF-8). */
const orderOf = (object: KubeObject): string => `${object.metadata.namespace ?? ''}/${object.metadata.name ?? ''}`;
/** Sorts by that key, made once an object. */
const inOrder = (objects: readonly KubeObject[]): KubeObject[] =>
  objects
    .map((object) => ({ object, order: orderOf(object) }))
    .sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    .map(({ object }) => object);

/** Freezes a plain JSON value through and through; what is frozen already is taken as done. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}

const withRevision = (object: KubeObject, revision: number): KubeObject =>
  deepFreeze({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });

/** @param options.historyLimit events kept per resource before the oldest are forgotten */
export function createStore(
  options: { readonly content?: StoreContent; readonly historyLimit?: number } = {},
): MemoryStore {
  const limit = options.historyLimit ?? 10_000;
  const shelves = new Map<string, Shelf>();
  /** by group, then resource: the way of every request */
  const rooms = new Map<string, Map<string, Shelf>>();
  const listeners = new Set<(event: StoreEvent) => void>();
  let revision = options.content?.revision ?? 1;
  let compacted = options.content === undefined ? 0 : revision;

  const shelfOf = (resource: GroupResource): Shelf => {
    let room = rooms.get(resource.group);
    if (room === undefined) {
      room = new Map();
      rooms.set(resource.group, room);
    }
    let shelf = room.get(resource.resource);
    if (shelf === undefined) {
      shelf = {
        resource: { group: resource.group, resource: resource.resource },
        objects: new Map(),
        events: [],
        lists: new Map(),
      };
      room.set(resource.resource, shelf);
      shelves.set(`${resource.group}/${resource.resource}`, shelf);
    }
    return shelf;
  };
  for (const { resource, object } of options.content?.objects ?? []) {
    shelfOf(resource).objects.set(keyOf(object.metadata.namespace, object.metadata.name ?? ''), deepFreeze(object));
  }

  const commit = (shelf: Shelf, event: StoreEvent): void => {
    shelf.lists.clear();
    shelf.events.push(event);
    if (shelf.events.length > limit) {
      const dropped = shelf.events.splice(0, shelf.events.length - limit);
      compacted = Math.max(compacted, dropped.at(-1)?.revision ?? 0);
    }
    for (const listener of [...listeners]) listener(event);
  };
  const since = (resource: GroupResource, from: number): readonly StoreEvent[] | undefined => {
    if (from < compacted) return undefined;
    const { events } = shelfOf(resource);
    let first = events.length;
    while (first > 0 && (events[first - 1] as StoreEvent).revision > from) first -= 1;
    return events.slice(first);
  };

  return {
    get revision() {
      return revision;
    },
    get compacted() {
      return compacted;
    },
    compact(upTo) {
      compacted = Math.max(compacted, Math.min(upTo, revision));
      for (const shelf of shelves.values()) {
        const keep = shelf.events.findIndex((event) => event.revision > compacted);
        shelf.events.splice(0, keep < 0 ? shelf.events.length : keep);
      }
    },
    get: (resource, namespace, name) => shelfOf(resource).objects.get(keyOf(namespace, name)),
    list(resource, namespace) {
      const shelf = shelfOf(resource);
      const known = shelf.lists.get(namespace ?? '');
      if (known !== undefined) return known;
      const all = [...shelf.objects.values()];
      const list = inOrder(
        namespace === undefined || namespace === ''
          ? all
          : all.filter((object) => object.metadata.namespace === namespace),
      );
      shelf.lists.set(namespace ?? '', list);
      return list;
    },
    listAt(resource, namespace, at) {
      if (at > revision) return undefined;
      const later = since(resource, at);
      if (later === undefined) return undefined;
      const objects = new Map(shelfOf(resource).objects);
      for (const event of [...later].reverse()) {
        const key = keyOf(event.object.metadata.namespace, event.object.metadata.name ?? '');
        if (event.previous === undefined) objects.delete(key);
        else objects.set(key, event.previous);
      }
      return inOrder(
        [...objects.values()].filter(
          (object) => namespace === undefined || namespace === '' || object.metadata.namespace === namespace,
        ),
      );
    },
    create(resource, object) {
      const shelf = shelfOf(resource);
      const key = keyOf(object.metadata.namespace, object.metadata.name ?? '');
      const current = shelf.objects.get(key);
      if (current !== undefined) throw new StoreConflict('exists', current);
      revision += 1;
      const stored = withRevision(object, revision);
      shelf.objects.set(key, stored);
      commit(shelf, { type: 'ADDED', resource: shelf.resource, object: stored, revision });
      return stored;
    },
    update(resource, object, expected) {
      const shelf = shelfOf(resource);
      const key = keyOf(object.metadata.namespace, object.metadata.name ?? '');
      const current = shelf.objects.get(key);
      if (current === undefined) throw new StoreConflict('missing');
      const version = current.metadata.resourceVersion;
      if (expected !== undefined && expected !== version) throw new StoreConflict('changed', current);
      const same =
        object === current ||
        isDeepStrictEqual({ ...object, metadata: { ...object.metadata, resourceVersion: version } }, current);
      if (same) return current;
      revision += 1;
      const stored = withRevision(object, revision);
      shelf.objects.set(key, stored);
      commit(shelf, { type: 'MODIFIED', resource: shelf.resource, object: stored, previous: current, revision });
      return stored;
    },
    delete(resource, namespace, name) {
      const shelf = shelfOf(resource);
      const key = keyOf(namespace, name);
      const current = shelf.objects.get(key);
      if (current === undefined) return undefined;
      revision += 1;
      const gone = withRevision(current, revision);
      shelf.objects.delete(key);
      commit(shelf, { type: 'DELETED', resource: shelf.resource, object: gone, previous: current, revision });
      return gone;
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    since,
    content: () => ({
      revision,
      objects: [...shelves.values()].flatMap((shelf) =>
        [...shelf.objects.values()].map((object) => ({ resource: shelf.resource, object })),
      ),
    }),
  };
}

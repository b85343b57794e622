/**
 * etcd's part: objects by resource, namespace and name, one revision for all, and the history that watches and
 * continued lists read. Objects are frozen when they enter, so everybody may share them. Source of the behaviour:
 * apiserver, pkg/storage/etcd3.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { GroupResource, Store, StoreEvent } from '../types.js';
import { frozen, History } from './history.js';

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

/** Puts changes where they outlive the process, all of them or none. */
export type Keep = (events: readonly StoreEvent[]) => void;

/** What a restart brings back. */
export interface StoreContent {
  readonly revision: number;
  readonly objects: readonly { readonly resource: GroupResource; readonly object: KubeObject }[];
}

export interface MemoryStore extends Store {
  /** Events of it up to and including this revision are forgotten: watches and continued lists from before are 410. */
  compacted(resource: GroupResource): number;
  compact(revision: number): void;
  /**
   * From now on every change is handed to `keep` before it counts as done: where that throws, it is taken back, and who
   * made it gets the error.
   */
  keepWith(keep: Keep): void;
  /** Whether changes are handed to somebody who keeps them. */
  readonly isKept: boolean;
  /** A list as it was at `revision`; undefined where that is no longer known. */
  listAt(resource: GroupResource, namespace: string | undefined, revision: number): readonly KubeObject[] | undefined;
  content(): StoreContent;
}

interface Shelf {
  readonly resource: GroupResource;
  /** by namespace + NUL + name */
  readonly objects: Map<string, KubeObject>;
  readonly history: History;
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

const withRevision = (object: KubeObject, revision: number): KubeObject =>
  frozen({ ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } });

/** @param options.historyLimit events kept per resource before the oldest are forgotten */
export function createStore(
  options: { readonly content?: StoreContent; readonly historyLimit?: number } = {},
): MemoryStore {
  const limit = options.historyLimit ?? 10_000;
  const shelves = new Map<string, Shelf>();
  /** by group, then resource: the way of every request */
  const rooms = new Map<string, Map<string, Shelf>>();
  const listeners = new Set<(event: StoreEvent) => void>();
  const touched = new Set<(resource: GroupResource) => void>();
  let revision = options.content?.revision ?? 1;
  let compacted = options.content === undefined ? 0 : revision;
  let keep: Keep | undefined;
  /** Changes that are made but not kept. */
  let unkept: { readonly shelf: Shelf; readonly event: StoreEvent }[] = [];
  let depth = 0;

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
        history: new History(limit, compacted),
        lists: new Map(),
      };
      room.set(resource.resource, shelf);
      shelves.set(`${resource.group}/${resource.resource}`, shelf);
    }
    return shelf;
  };
  for (const { resource, object } of options.content?.objects ?? []) {
    shelfOf(resource).objects.set(keyOf(object.metadata.namespace, object.metadata.name ?? ''), frozen(object));
  }

  const touch = (shelf: Shelf): void => {
    shelf.lists.clear();
    for (const listener of touched) listener(shelf.resource);
  };
  const publish = (shelf: Shelf, event: StoreEvent): void => {
    shelf.history.add(event);
    for (const listener of [...listeners]) listener(event);
  };
  const takeBack = ({ shelf, event: { object, previous } }: (typeof unkept)[number]): void => {
    const key = keyOf(object.metadata.namespace, object.metadata.name ?? '');
    if (previous === undefined) shelf.objects.delete(key);
    else shelf.objects.set(key, previous);
    touch(shelf);
  };
  const settle = (): void => {
    const made = unkept;
    const [first] = made;
    unkept = [];
    if (first === undefined) return;
    try {
      keep?.(made.map(({ event }) => event));
    } catch (error) {
      for (const one of made.reverse()) takeBack(one);
      revision = first.event.revision - 1;
      throw error;
    }
    for (const { shelf, event } of made) publish(shelf, event);
  };
  const commit = (shelf: Shelf, event: StoreEvent): void => {
    touch(shelf);
    if (keep === undefined) {
      publish(shelf, event);
      return;
    }
    unkept.push({ shelf, event });
    if (depth === 0) settle();
  };
  const since = (resource: GroupResource, from: number): readonly StoreEvent[] | undefined => {
    const shelf = shelfOf(resource);
    const kept = shelf.history.since(from);
    if (kept === undefined || unkept.length === 0) return kept;
    return [...kept, ...unkept.flatMap((one) => (one.shelf === shelf ? [one.event] : []))];
  };

  return {
    get revision() {
      return revision;
    },
    compacted: (resource) => shelfOf(resource).history.compacted,
    compact(upTo) {
      compacted = Math.max(compacted, Math.min(upTo, revision));
      for (const { history } of shelves.values()) history.compact(compacted);
    },
    keepWith(how) {
      keep = how;
    },
    get isKept() {
      return keep !== undefined;
    },
    together(act) {
      depth += 1;
      try {
        return act();
      } finally {
        depth -= 1;
        if (depth === 0) settle();
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
    onTouch(listener) {
      touched.add(listener);
      return () => {
        touched.delete(listener);
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

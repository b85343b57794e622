/**
 * Clean-up. What a run creates is written down before the request leaves and carries a label; what it changes of others is written down
 * with the patch that takes the change back, in memory and in a ConfigMap of the cluster, so that `joinproof sweep` can do the same after
 * a SIGKILL. It lives in no hook: whoever opened the target calls clean() on every exit and on signals.
 */
import { setTimeout as after } from 'node:timers/promises';
import type { ConfigMap, KubeObject } from '../kubernetes/objects.js';
import { apiVersionOf, type Resource, resources } from '../kubernetes/resources.js';
import { mergeApply, mergeDiff } from './merge-patch.js';

/** Every object of a run carries it; the value is the run's id. */
export const RUN_LABEL = 'joinproof.io/run';
/** RFC 3339; nothing of a run is needed after it. */
export const EXPIRES_ANNOTATION = 'joinproof.io/expires';
export const RECORD_PREFIX = 'joinproof-journal-';
export const RECORD_NAMESPACE = 'kube-system';
const LIFETIME_MS = 3_600_000;
/** Requests of the clean-up that are under way at the same time. */
const ABREAST = 8;
const TERMINATED_MS = 15_000;
const TERMINATED_POLL_MS = 200;

/** One object, as a path needs it. */
export interface Place {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
}

/** A change of something foreign, and the merge patch that takes it back. */
export interface Disturbance extends Place {
  readonly uid?: string;
  readonly subresource?: string;
  readonly inverse: unknown;
}

/** What the journal needs of the admin's client. All but `read` throw on anything but success; 404 on removal is success. */
export interface JournalAccess {
  read(place: Place): Promise<KubeObject | undefined>;
  find(resource: Resource, labelSelector: string): Promise<readonly KubeObject[]>;
  remove(place: Place, uid: string | undefined): Promise<void>;
  /** Merge patch. */
  change(place: Place, patch: unknown, subresource?: string): Promise<void>;
  add(resource: Resource, object: KubeObject): Promise<void>;
}

interface Entry {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** undefined: generateName, not answered yet. */
  name: string | undefined;
  /** Known once the answer came; what has the uid is ours whatever its labels say. */
  uid: string | undefined;
}

export interface Left {
  readonly what: string;
  readonly why: string;
}

export class Journal {
  readonly run: string;
  readonly #entries = new Set<Entry>();
  readonly #disturbances: Disturbance[] = [];
  readonly #access: () => JournalAccess;
  readonly #expires: string;
  #recorded = false;

  constructor(run: string, now: number, access: () => JournalAccess) {
    this.run = run;
    this.#access = access;
    this.#expires = new Date(now + LIFETIME_MS).toISOString().replace(/\.\d+Z$/, 'Z');
  }

  /** The object with the label and the annotation by which a sweep finds it. */
  mark<T extends { readonly metadata: KubeObject['metadata'] }>(object: T): T {
    return {
      ...object,
      metadata: {
        ...object.metadata,
        labels: { ...object.metadata.labels, [RUN_LABEL]: this.run },
        annotations: { ...object.metadata.annotations, [EXPIRES_ANNOTATION]: this.#expires },
      },
    };
  }

  /** Called before a creation leaves. Hand the entry to `created` or, where the server refused, to `refused`. */
  creating(resource: Resource, namespace: string | undefined, name: string | undefined): Entry {
    const entry: Entry = { resource, namespace, name, uid: undefined };
    this.#entries.add(entry);
    return entry;
  }

  created(entry: Entry, object: KubeObject): void {
    entry.name = object.metadata.name;
    entry.uid = object.metadata.uid;
  }

  /** Nothing was created. */
  refused(entry: Entry): void {
    this.#entries.delete(entry);
  }

  /** Is the object one that this run created? */
  owns(object: KubeObject): boolean {
    if (object.metadata.labels?.[RUN_LABEL] === this.run) return true;
    for (const entry of this.#entries) if (entry.uid !== undefined && entry.uid === object.metadata.uid) return true;
    return false;
  }

  /** Called before a change of something foreign leaves. `before` as read, `after` as it will be. Returns once it is on record. */
  async disturbing(place: Place, before: KubeObject, after: unknown, subresource?: string): Promise<void> {
    const inverse = mergeDiff(settled(after), settled(before));
    if (inverse === undefined) return;
    const disturbance: Disturbance = {
      ...place,
      ...(before.metadata.uid === undefined ? {} : { uid: before.metadata.uid }),
      ...(subresource === undefined ? {} : { subresource }),
      inverse,
    };
    const index = this.#disturbances.push(disturbance) - 1;
    const data = { [String(index).padStart(4, '0')]: JSON.stringify(disturbance) };
    if (this.#recorded) await this.#access().change(this.#record(), { data });
    else {
      this.#recorded = true;
      const record: ConfigMap = {
        apiVersion: apiVersionOf(resources.configMaps),
        kind: resources.configMaps.kind,
        metadata: { name: RECORD_PREFIX + this.run, namespace: RECORD_NAMESPACE },
        data,
      };
      await this.#access().add(resources.configMaps, this.mark(record));
    }
  }

  /** What a merge patch makes of an object. */
  static merged(before: KubeObject, patch: unknown): unknown {
    return mergeApply(before, patch);
  }

  /** Restores and removes in reverse order; what could not be is returned. Safe to call again. */
  async clean(signal: AbortSignal): Promise<readonly Left[]> {
    const left: Left[] = [];
    while (this.#disturbances.length > 0) {
      const disturbance = this.#disturbances.pop() as Disturbance;
      await attempt(left, signal, disturbance, () => restore(this.#access(), disturbance));
    }
    if (this.#recorded && left.length === 0) {
      await attempt(left, signal, this.#record(), () => this.#access().remove(this.#record(), undefined));
      this.#recorded = false;
    }
    const entries = [...this.#entries].reverse();
    for (let at = 0; at < entries.length; at += ABREAST) {
      await Promise.all(
        entries.slice(at, at + ABREAST).map(async (entry) => {
          const before = left.length;
          await attempt(left, signal, entry, () => this.#removeEntry(entry));
          if (left.length === before) this.#entries.delete(entry);
        }),
      );
    }
    return left;
  }

  #record(): Place {
    return { resource: resources.configMaps, namespace: RECORD_NAMESPACE, name: RECORD_PREFIX + this.run };
  }

  async #removeEntry(entry: Entry): Promise<void> {
    if (entry.name !== undefined && entry.uid !== undefined)
      return removeForGood(this.#access(), { ...entry, name: entry.name } as Place, entry.uid);
    // No answer came: it may be there or not, and something of that name need not be ours.
    for (const object of await this.#access().find(entry.resource, `${RUN_LABEL}=${this.run}`)) {
      const { name, namespace, uid } = object.metadata;
      if (
        name === undefined ||
        (entry.name !== undefined && entry.name !== name) ||
        (entry.namespace !== undefined && entry.namespace !== namespace)
      )
        continue;
      await removeForGood(
        this.#access(),
        { resource: entry.resource, name, ...(namespace === undefined ? {} : { namespace }) },
        uid,
      );
    }
  }
}

async function attempt(
  left: Left[],
  signal: AbortSignal,
  place: { resource: Resource; namespace?: string | undefined; name: string | undefined },
  act: () => Promise<void>,
): Promise<void> {
  const what = `${place.resource.kind} ${place.namespace === undefined ? '' : `${place.namespace}/`}${place.name ?? '(generated name)'}`;
  if (signal.aborted) {
    left.push({ what, why: 'the time for cleaning up was over' });
    return;
  }
  try {
    await act();
  } catch (error) {
    left.push({ what, why: error instanceof Error ? error.message : String(error) });
  }
}

/** Deletes the object with this uid, and takes its finalizers away where they hold it (nobody else removes those that a scenario put there). */
export async function removeForGood(access: JournalAccess, place: Place, uid: string | undefined): Promise<void> {
  await access.remove(place, uid);
  if (place.resource.resource === 'namespaces') return untilGone(access, place, uid);
  const still = await access.read(place);
  if (still === undefined || still.metadata.uid !== uid || (still.metadata.finalizers ?? []).length === 0) return;
  await access.change(place, { metadata: { finalizers: null } });
}

/** A namespace goes only after what is in it; a next run, or whoever counts leftovers, must not find half of one. */
async function untilGone(access: JournalAccess, place: Place, uid: string | undefined): Promise<void> {
  const end = Date.now() + TERMINATED_MS;
  for (;;) {
    const still = await access.read(place);
    if (still === undefined || still.metadata.uid !== uid) return;
    if (Date.now() > end) throw new Error(`it is deleted, but still terminating after ${TERMINATED_MS / 1000} s`);
    await after(TERMINATED_POLL_MS);
  }
}

/** Puts a foreign object back; one that is gone or was replaced meanwhile is left alone. */
export async function restore(access: JournalAccess, disturbance: Disturbance): Promise<void> {
  const now = await access.read(disturbance);
  if (now === undefined || (disturbance.uid !== undefined && now.metadata.uid !== disturbance.uid)) return;
  await access.change(disturbance, disturbance.inverse, disturbance.subresource);
}

/** Without what the server keeps of its own accord. */
function settled(object: unknown): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object;
  const {
    managedFields: _m,
    resourceVersion: _r,
    generation: _g,
    ...metadata
  } = object.metadata as Record<string, unknown>;
  return { ...object, metadata };
}

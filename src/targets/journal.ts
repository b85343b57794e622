/**
 * Clean-up. What a run creates is written down before the request leaves, and carries a label; it changes nothing else.
 * The journal lives in memory only, so that nothing that lies in a cluster can tell joinproof what to do. It lives in
 * no hook: whoever opened the target calls clean() on every exit and on signals. What a killed run leaves is found by
 * `joinproof sweep`.
 */
import type { KubeObject } from '../kubernetes/objects.js';
import { isOfOurMaking, OWN_KINDS, RUN_LABEL, runOf } from '../kubernetes/own-objects.js';
import type { Resource } from '../kubernetes/resources.js';
import { TargetUnreachable } from './errors.js';
import type { JournalAccess, Place } from './journal-access.js';
import { pause } from './pause.js';
import { type Batch, type Left, Removal } from './removal.js';

/** Clean-up goes on as long as something gets on within this time. */
const IDLE_MS = 30_000;
/** How long a creation whose answer was lost may still be under way in the server, or before it. */
const LATE_MS = 5_000;
const LATE_LOOK_MS = 500;

/** A creation. */
interface Entry {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  readonly generateName: string | undefined;
  /** Known once the answer came. What has its uid is ours whatever its labels say. */
  made: { readonly uid: string; readonly name: string } | undefined;
  /** When it was sure that no answer would come, milliseconds of the steady clock. */
  lostAt: number | undefined;
  /** Objects that were found to be of it. */
  claims: number;
}

/** A creation that is lost is sent again so often; others may make what looks like it without end. */
const MOST_CLAIMS = 6;

export interface CleanOptions {
  /** Breaks the clean-up off. */
  readonly signal: AbortSignal;
  readonly access: (signal: AbortSignal) => JournalAccess;
  /** How many objects are gone by now, of how many. */
  readonly onProgress?: ((gone: number, known: number) => void) | undefined;
  /** Milliseconds; default 30 000. */
  readonly idleMs?: number | undefined;
  /** Milliseconds; default 5 000. */
  readonly lateMs?: number | undefined;
  /** What counts the idle time, from the start and whenever something got on; default: a timer. */
  readonly idle?: (over: () => void, milliseconds: number) => Readonly<Record<'refresh' | 'close', () => unknown>>;
}

export class Journal {
  readonly #run: string;
  readonly #entries = new Set<Entry>();
  readonly #uids = new Set<string>();

  constructor(run: string) {
    this.#run = run;
  }

  /** Called before a creation leaves. Hand the entry to `created`, to `refused` or to `lost`. */
  creating(resource: Resource, namespace: string | undefined, { metadata }: KubeObject): Entry {
    const { name, generateName } = metadata;
    const entry: Entry = { resource, namespace, name, generateName, made: undefined, lostAt: undefined, claims: 0 };
    this.#entries.add(entry);
    return entry;
  }

  created(entry: Entry, { metadata: { name, uid } }: KubeObject): void {
    if (name === undefined || uid === undefined) this.lost(entry);
    else {
      entry.made = { uid, name };
      this.#uids.add(uid);
    }
  }

  /** Nothing was created. */
  refused(entry: Entry): void {
    this.#entries.delete(entry);
  }

  /** No answer came, or one that leaves it open: it may be there, or come. */
  lost(entry: Entry): void {
    entry.lostAt = performance.now();
  }

  /**
   * Is the object one that this run created? What a creation without an answer can have made is: scenarios that are
   * played side by side share objects, and one may meet what the answer to the other has not told yet.
   */
  owns({ resource, namespace }: Pick<Place, 'resource' | 'namespace'>, object: KubeObject): boolean {
    return this.#made(object) || this.#claims(resource, namespace, object);
  }

  #made({ metadata: { uid } }: KubeObject): boolean {
    return uid !== undefined && this.#uids.has(uid);
  }

  /** Removes what this run created, and returns what is left of it. Never rejects; safe to call again. */
  async clean(options: CleanOptions): Promise<readonly Left[]> {
    const { signal, access, onProgress, idleMs = IDLE_MS, idle: counting = setTimeout } = options;
    if (this.#entries.size === 0) return [];
    const stop = new AbortController();
    const idle = counting(
      () => stop.abort(new TargetUnreachable(`Nothing got on for ${idleMs / 1000} s.`, 'aborted')),
      idleMs,
    );
    const broken = (): void => stop.abort(signal.reason);
    if (signal.aborted) broken();
    else signal.addEventListener('abort', broken, { once: true });
    const removal = new Removal(access(stop.signal), {
      signal: stop.signal,
      onProgress: (gone, known) => {
        idle.refresh();
        onProgress?.(gone, known);
      },
    });
    try {
      const left = await removal.run(this.#batches(() => true));
      // what a clean-up that was broken off has seen gone would be told as left once more
      const isBroken = left.length > 0 && stop.signal.aborted;
      const late = isBroken ? [] : await this.#lookAgain(removal, stop.signal, options.lateMs ?? LATE_MS);
      if (left.length + late.length === 0) this.#entries.clear();
      return [...new Map([...left, ...late].map((one) => [one.what, one])).values()];
    } finally {
      idle.close();
      signal.removeEventListener('abort', broken);
    }
  }

  /** What was under way when its answer was lost may have come after the look. */
  async #lookAgain(removal: Removal, signal: AbortSignal, lateMs: number): Promise<readonly Left[]> {
    for (;;) {
      const late = this.#batches(({ made, generateName }) => made === undefined || generateName !== undefined);
      const open = this.#lost().some(({ lostAt = 0 }) => performance.now() - lostAt < lateMs);
      if (open) await pause(LATE_LOOK_MS, signal).catch(() => undefined);
      const left = await removal.run(late);
      if (!open || left.length > 0) return left;
    }
  }

  #lost(): Entry[] {
    return [...this.#entries].filter(({ made }) => made === undefined);
  }

  /** By kind, in the order of removal, and namespace: those that hold an entry which is wanted. */
  #batches(wanted: (entry: Entry) => boolean): Batch[] {
    const batches = new Map<string, Batch>();
    const rank = ({ resource }: Entry): number => OWN_KINDS.findIndex((kind) => isSame(kind.resource, resource));
    for (const entry of [...this.#entries].filter(wanted).sort((a, b) => rank(a) - rank(b))) {
      const { resource, namespace, made } = entry;
      const key = `${resource.group}/${resource.resource}/${namespace ?? ''}`;
      const batch: Batch = batches.get(key) ?? {
        resource,
        namespace,
        selector: `${RUN_LABEL}=${this.#run}`,
        known: new Map(),
        mine: (object) => this.owns({ resource, namespace }, object),
      };
      batches.set(key, batch);
      if (made !== undefined) batch.known.set(made.uid, { resource, namespace, name: made.name });
    }
    return [...batches.values()];
  }

  /** What a creation without an answer has made, or one whose name the server chose and that was sent again. */
  #claims(resource: Resource, namespace: string | undefined, object: KubeObject): boolean {
    const { name = '' } = object.metadata;
    if (runOf(object) !== this.#run || !isOfOurMaking(resource, object)) return false;
    const entry = [...this.#entries].find(
      (one) =>
        isSame(one.resource, resource) &&
        one.namespace === namespace &&
        (one.generateName === undefined ? one.made === undefined : one.claims < MOST_CLAIMS) &&
        (one.name ?? name) === name &&
        name.startsWith(one.generateName ?? ''),
    );
    if (entry === undefined) return false;
    entry.claims += 1;
    this.created(entry, object);
    return true;
  }
}

const isSame = (one: Resource, other: Resource): boolean =>
  one.group === other.group && one.resource === other.resource;

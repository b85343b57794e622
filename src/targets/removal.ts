/**
 * Removes objects of one's own: in bulk by label where that is one request, else one by one, for as long as it gets on.
 * Who hands batches over says which objects are theirs; everything else is left alone, whatever its label.
 */
import type { KubeObject } from '../kubernetes/objects.js';
import { OWN_FINALIZERS } from '../kubernetes/own-objects.js';
import { TargetUnreachable, UnexpectedAnswer } from './errors.js';
import type { JournalAccess, Place, Selected } from './journal-access.js';
import { pause } from './pause.js';

/** Requests for single objects that are under way at the same time. */
const ABREAST = 8;
const SHORTEST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** What could not be removed. */
export interface Left {
  readonly kind: string;
  /** "Secret kube-system/bootstrap-token-abcdef" */
  readonly what: string;
  readonly why: string;
}

export interface Batch extends Selected {
  /** By uid: objects that are known to be there; what lists show is added. */
  readonly known: Map<string, Place>;
  /** Asked of every object that the selector finds. */
  mine(object: KubeObject): boolean;
}

export interface RemovalOptions {
  readonly signal: AbortSignal;
  /** Something got on: how many objects are gone by now, of how many that are known. */
  readonly onProgress: (gone: number, known: number) => void;
}

/** What is known of a batch while it is emptied. */
interface State {
  /** By uid: have been in a list. What no list shows any more is gone. */
  readonly seen: Set<string>;
  /** By uid: why the answer would be the same if it was asked for again. */
  readonly refused: Map<string, string>;
  /** How often a deletion in bulk may still be tried. */
  bulk: number;
  /** Attempts in a row by which nothing got on, and why the last one did not empty it. */
  idle: number;
  why: string;
}

interface Bulk {
  readonly objects: readonly KubeObject[];
  /** Of the list that showed them. */
  readonly resourceVersion: string;
}

/** A deletion in bulk that ended without an answer may be tried once more. */
const BULK_ATTEMPTS = 2;
/** By so many attempts in a row, or for so long, nothing got on: other kinds come first. */
const PATIENCE = { attempts: 6, milliseconds: 5_000 };
const FOREVER = { attempts: Number.POSITIVE_INFINITY, milliseconds: Number.POSITIVE_INFINITY };
/** Of single objects so many in a row could not be removed: the next ones could not, either. */
const MOST_IN_A_ROW = 16;

export class Removal {
  readonly #access: JournalAccess;
  readonly #options: RemovalOptions;
  readonly #accepted = new Set<string>();
  #heeded: boolean | undefined;
  #gone = 0;
  #waiting = 0;

  constructor(access: JournalAccess, options: RemovalOptions) {
    this.#access = access;
    this.#options = options;
  }

  /**
   * Empties batches of one kind side by side, and kinds in their order; what does not get on is left for the end, so
   * that it keeps nothing else. Never rejects.
   */
  async run(batches: readonly Batch[]): Promise<readonly Left[]> {
    this.#waiting = batches.reduce((sum, { known }) => sum + known.size, 0);
    const left: Left[] = [];
    const stuck = new Map<Batch, State>();
    for (const kind of new Set(batches.map(({ resource }) => resource.resource))) {
      const ofKind = batches.filter(({ resource }) => resource.resource === kind);
      await Promise.all(
        ofKind.map(async (batch) => {
          const state: State = { seen: new Set(), refused: new Map(), bulk: BULK_ATTEMPTS, idle: 0, why: '' };
          const some = await this.#empty(batch, state, PATIENCE);
          if (some === undefined) stuck.set(batch, state);
          else left.push(...some);
        }),
      );
    }
    const rest = await Promise.all([...stuck].map(([batch, state]) => this.#empty(batch, state)));
    return [...left, ...rest.flatMap((some) => some ?? [])];
  }

  /** What is left for good; undefined: nothing got on, and patience is over. */
  async #empty(batch: Batch, state: State, patience = FOREVER): Promise<readonly Left[] | undefined> {
    const { signal } = this.#options;
    const broken = (): readonly Left[] =>
      leftOf(batch, [whyOf(signal.reason), state.why].join(' ').trimEnd(), state.refused);
    let since = performance.now();
    while (state.idle < patience.attempts && performance.now() - since < patience.milliseconds) {
      const before = this.#gone + this.#accepted.size;
      try {
        signal.throwIfAborted();
        await this.#round(batch, state);
        if (batch.known.size === 0) return [];
        if ([...batch.known.keys()].every((uid) => state.refused.has(uid))) return leftOf(batch, STILL, state.refused);
        state.why = STILL;
      } catch (error) {
        if (signal.aborted) return broken();
        if (!isPassing(error)) return leftOf(batch, error, state.refused);
        state.why = whyOf(error);
      }
      if (this.#gone + this.#accepted.size > before) {
        state.idle = 0;
        since = performance.now();
      }
      try {
        await breath(state.idle, signal);
      } catch {
        return broken();
      }
      state.idle += 1;
    }
    return undefined;
  }

  /**
   * One look, and one attempt on everything that it finds. Throws where the look, or an attempt that may be
   * repeated, failed.
   */
  async #round(batch: Batch, state: State): Promise<void> {
    const { items, others, resourceVersion } = await this.#access.find(batch);
    const mine = items.filter((item) => batch.mine(item));
    const there = new Map(mine.map((object) => [uidOf(object), object]));
    for (const [uid, object] of there) {
      state.seen.add(uid);
      if (batch.known.has(uid)) continue;
      batch.known.set(uid, placeOf(batch, object));
      this.#waiting += 1;
    }
    const unseen = [...batch.known].filter(([uid]) => !there.has(uid));
    await abreast(unseen, async ([uid, place]) => {
      // One that was never listed may have lost our label to somebody.
      const object = state.seen.has(uid) ? undefined : await this.#access.read(place);
      if (object !== undefined && uidOf(object) === uid) there.set(uid, object);
      else this.#isGone(batch, uid);
    });
    const objects = [...there.values()].filter((object) => !state.refused.has(uidOf(object)));
    const allMine = others === 0 && mine.length === items.length && resourceVersion !== '';
    if (allMine && state.bulk > 0 && (await this.#inBulk(batch, state, { objects, resourceVersion }))) return;
    let passing: unknown;
    let inARow = 0;
    await abreast(objects, async (object) => {
      if (inARow >= MOST_IN_A_ROW) return;
      try {
        const held = await this.#one(batch, object);
        if (held !== undefined) state.refused.set(uidOf(object), held);
        inARow = 0;
      } catch (error) {
        if (isPassing(error) || this.#options.signal.aborted) {
          passing = error;
          inARow += 1;
        } else state.refused.set(uidOf(object), whyOf(error));
      }
    });
    if (passing !== undefined) throw passing;
  }

  /** false: not in this way, or there is no need to. */
  async #inBulk(batch: Batch, state: State, { objects, resourceVersion }: Bulk): Promise<boolean> {
    const going = objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    // What is still there although its deletion was accepted is asked for by its name.
    if (going.length < 2 || going.some((object) => this.#accepted.has(uidOf(object)))) return false;
    try {
      const [one] = going;
      // Where the query is dropped on the way everything would go, whoever's it is.
      if (one !== undefined) this.#heeded ??= await this.#access.heedsQuery(placeOf(batch, one), uidOf(one));
      if (this.#heeded !== true) return false;
      await this.#access.removeAll(batch, resourceVersion);
    } catch (error) {
      state.bulk = isPassing(error) ? state.bulk - 1 : 0;
      if (state.bulk === 0 && !this.#options.signal.aborted) return false;
      throw error;
    }
    for (const object of going) this.#accept(uidOf(object));
    return true;
  }

  /** Returns why it stays, where somebody else holds it. */
  async #one(batch: Batch, object: KubeObject): Promise<string | undefined> {
    const uid = uidOf(object);
    const place = placeOf(batch, object);
    const { finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp === undefined || finalizers.length === 0) {
      await this.#access.remove(place, uid);
      this.#accept(uid);
    }
    if (finalizers.some(isOurs)) {
      const now = await this.#access.read(place);
      if (now !== undefined && uidOf(now) === uid) await this.#access.release(place, now);
    }
    const foreign = finalizers.find((finalizer) => !isOurs(finalizer));
    return foreign === undefined
      ? undefined
      : `the finalizer ${foreign} holds it, which is not joinproof's; whoever has put it there has to end it`;
  }

  #accept(uid: string): void {
    if (this.#accepted.has(uid)) return;
    this.#accepted.add(uid);
    this.#tell();
  }

  #isGone(batch: Batch, uid: string): void {
    batch.known.delete(uid);
    this.#accepted.delete(uid);
    this.#gone += 1;
    this.#waiting -= 1;
    this.#tell();
  }

  #tell(): void {
    this.#options.onProgress(this.#gone, this.#gone + this.#waiting);
  }
}

const STILL = 'it was still there after its deletion was accepted';

/** May the next attempt end otherwise? */
const isPassing = (error: unknown): boolean =>
  error instanceof UnexpectedAnswer
    ? error.code < 400 || error.code === 408 || error.code === 410 || error.code === 429 || error.code >= 500
    : error instanceof TargetUnreachable && error.why !== 'aborted';

const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? '';
const isOurs = (finalizer: string): boolean => finalizer.startsWith(OWN_FINALIZERS);

export const placeOf = (
  { resource, namespace }: Pick<Selected, 'resource' | 'namespace'>,
  { metadata }: KubeObject,
): Place => ({
  resource,
  name: metadata.name ?? '',
  ...(namespace === undefined ? {} : { namespace }),
});

/** Everything that may still be there; where nothing is known, that it could not be looked at. */
export function leftOf(
  { resource, namespace, known }: Omit<Batch, 'mine' | 'selector'>,
  error: unknown,
  refused: ReadonlyMap<string, string> = new Map(),
): readonly Left[] {
  const { kind } = resource;
  const why = whyOf(error);
  if (known.size === 0) return [{ kind, what: nameOf({ resource, namespace, name: '*' }), why }];
  return [...known].map(([uid, place]) => ({ kind, what: nameOf(place), why: refused.get(uid) ?? why }));
}

/** Asks until the answer is final. Throws that, or the signal's reason. */
export async function insisted<T>(act: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await act();
    } catch (error) {
      signal.throwIfAborted();
      if (!isPassing(error)) throw error;
      await breath(attempt, signal);
    }
  }
}

const breath = (attempt: number, signal: AbortSignal): Promise<void> =>
  pause(Math.min(LONGEST_PAUSE_MS, SHORTEST_PAUSE_MS * 2 ** attempt), signal);

/** "Secret kube-system/bootstrap-token-abcdef" */
export const nameOf = ({ resource, namespace, name }: Place): string =>
  `${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

async function abreast<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(ABREAST, items.length) }, worker));
}

/**
 * What the loops of the controller manager have in common: a queue of keys that collapses repetitions and is worked off
 * outside of the request that filled it, and a way to hear of changes. Source of the behaviour: client-go,
 * util/workqueue and tools/cache.
 */

import {
  type ApiClient,
  ApiError,
  type Clock,
  type Controller,
  type GroupResource,
  type RandomBytes,
  type Store,
  type StoreEvent,
} from '../../apiserver/types.js';
import type { Decisions } from '../decisions.js';

/** A resource as the garbage collector and the namespace controller find it in discovery. */
export interface ServedResource extends GroupResource {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

/**
 * What a controller is made of. Reading goes to the store, as upstream's reads go to a cache; every write goes through
 * `as`.
 */
export interface ControllerContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly decisions: Decisions;
  /** The API as the service account kube-system/<name> that upstream gives the controller. */
  as(serviceAccount: string): ApiClient;
  /** Every resource that is served, for those who look at all of them. */
  readonly served: readonly ServedResource[];
}

const coreResource = (resource: string): GroupResource => ({ group: '', resource });
export const SECRETS = coreResource('secrets');
export const CONFIG_MAPS = coreResource('configmaps');
export const NAMESPACES = coreResource('namespaces');
export const SERVICE_ACCOUNTS = coreResource('serviceaccounts');
export const NODES = coreResource('nodes');
export const LEASES: GroupResource = { group: 'coordination.k8s.io', resource: 'leases' };

export const isResource = (event: StoreEvent, resource: GroupResource): boolean =>
  event.resource.resource === resource.resource && event.resource.group === resource.group;

/** True where the API refused with one of these codes: what upstream's controllers expect and pass over. */
export const refusedWith = (error: unknown, ...codes: readonly number[]): boolean =>
  error instanceof ApiError && codes.includes(error.code);

/**
 * Passes over every refusal of the API, as a controller that only writes it to its log. Anything else is a defect and
 * is thrown.
 */
function tolerate(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

export interface LoopOptions {
  readonly name: string;
  readonly context: ControllerContext;
  /** Keys to work on after a change. */
  keysOf(event: StoreEvent): Iterable<string>;
  /** Keys to work on at the start. */
  initial(): Iterable<string>;
  /**
   * Works on one key; refusals of the API are passed over. `later` asks to be called again at an instant; `armedFor` is
   * the instant that led here.
   */
  sync(key: string, later: (at: number) => void, armedFor: number | undefined): void;
}

/** Milliseconds after which is tried again what could not be kept on the disk. */
const RETRY_AFTER = 5000;

/**
 * A controller's share of the machine. Upstream's may send 20 requests a second, and 50 at once (--kube-api-qps and
 * -burst): what comes meanwhile collapses in their queues. Requests cost nothing here, so time is counted: without a
 * limit, a controller whose work grows with the cluster would slow down every write of a large one.
 */
class Pace {
  private spent = 0;
  private last = 0;

  begin(): number {
    const now = performance.now();
    this.spent = Math.max(0, this.spent - (now - this.last) * SHARE);
    this.last = now;
    return now;
  }
  /** Others have waited long enough. */
  isLong(begun: number): boolean {
    return performance.now() - begun > SLICE;
  }
  end(begun: number): void {
    this.last = performance.now();
    this.spent += this.last - begun;
  }
  /** At once, or when the time for it has come in. */
  next(work: () => void): void {
    if (this.spent <= BURST) setImmediate(work);
    else setTimeout(work, (this.spent - BURST) / SHARE).unref();
  }
}
const SHARE = 0.1;
/** Milliseconds. */
const BURST = 500;
const SLICE = 50;

/**
 * A controller that works on keys. Of several instants that a key waits for the earliest counts, whatever has happened
 * since:
 * who waits looks again when it comes. Source: client-go, util/workqueue/delaying_queue.go insert.
 */
export function createLoop(options: LoopOptions): Controller {
  const { clock, store, decisions } = options.context;
  const queue = new Map<string, number | undefined>();
  const pace = new Pace();
  const timers = new Map<string, { readonly at: number; readonly cancel: () => void }>();
  /** Waits for what was heard of and is not looked at yet. */
  const heard = new Set<() => void>();
  const hearsAfter = decisions.controllerHearsAfter(options.name);
  let unsubscribe: (() => void) | undefined;
  let scheduled = false;

  const later = (key: string, at: number, armedFor = at): void => {
    const armed = timers.get(key);
    if (armed !== undefined && armed.at <= at) return;
    armed?.cancel();
    const cancel = clock.at(at, () => {
      timers.delete(key);
      add(key, armedFor);
    });
    timers.set(key, { at, cancel });
  };
  const work = (): void => {
    scheduled = false;
    const begun = pace.begin();
    const done = new Map<string, number | undefined>();
    try {
      store.together(() => {
        for (const [key, armedFor] of queue) {
          queue.delete(key);
          done.set(key, armedFor);
          tolerate(() => options.sync(key, (at) => later(key, at), armedFor));
          if (pace.isLong(begun)) break;
        }
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Nothing of it could be kept.
      for (const [key, armedFor] of done) later(key, clock.now() + RETRY_AFTER, armedFor);
    }
    pace.end(begun);
    if (queue.size > 0) schedule();
  };
  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    pace.next(work);
  };
  const add = (key: string, armedFor?: number): void => {
    queue.set(key, armedFor);
    schedule();
  };
  const addAll = (keys: Iterable<string>): void => {
    for (const key of keys) add(key);
  };
  const hear = (keys: Iterable<string>): void => {
    if (hearsAfter === 0) {
      addAll(keys);
      return;
    }
    const all = [...keys];
    if (all.length === 0) return;
    const cancel = clock.at(clock.now() + hearsAfter, () => {
      heard.delete(cancel);
      addAll(all);
    });
    heard.add(cancel);
  };

  return {
    name: options.name,
    start() {
      unsubscribe ??= store.subscribe((event) => hear(options.keysOf(event)));
      addAll(options.initial());
    },
    stop() {
      unsubscribe?.();
      unsubscribe = undefined;
      queue.clear();
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
      for (const cancel of heard) cancel();
      heard.clear();
    },
    idle: () => queue.size === 0,
  };
}

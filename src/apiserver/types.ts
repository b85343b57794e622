/** What every part of the server, and whoever builds on it, knows: time, chance, the store, refusals, loops. */
import type { KubeObject, Status, UserInfo } from '../kubernetes/objects.js';

/** Time as the reference sees it; timers fire by this clock only. Milliseconds since the epoch. */
export interface Clock {
  now(): number;
  /**
   * Runs `fire` once at `at` (at once, but not synchronously, where that has passed). Returns a function that cancels.
   */
  at(at: number, fire: () => void): () => void;
}

/** Cryptographic in production, seeded in tests. */
export type RandomBytes = (length: number) => Buffer;

export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/**
 * What a change in the store tells its listeners; objects are frozen. `revision` is the global resourceVersion, a
 * positive integer.
 */
export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: GroupResource;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
  readonly revision: number;
}

/**
 * etcd's part: objects by resource, namespace and name. Knows no semantics but revisions. All calls are synchronous.
 */
export interface Store {
  readonly revision: number;
  get(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Sorted by namespace, then name (byte order), as etcd keys are. */
  list(resource: GroupResource, namespace?: string): readonly KubeObject[];
  /** Stores and stamps metadata.resourceVersion; throws StoreConflict where it exists. */
  create(resource: GroupResource, object: KubeObject): KubeObject;
  /**
   * Throws StoreConflict where the stored resourceVersion differs from `expected` (undefined: unconditional). An equal
   * object changes nothing.
   */
  update(resource: GroupResource, object: KubeObject, expected?: string): KubeObject;
  /** Returns the object as deleted (with the revision of the deletion), undefined where it was not there. */
  delete(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined;
  /** Called after every kept change, synchronously, in order. Returns a function that unsubscribes. */
  subscribe(listener: (event: StoreEvent) => void): () => void;
  /** For who remembers what was concluded from a resource: it has changed, or a change of it was taken back. */
  onTouch(listener: (resource: GroupResource) => void): () => void;
  /**
   * Changes that `act` makes are kept together. @throws what keeping throws; then none of them has happened, and nobody
   * has heard of any
   */
  together<T>(act: () => T): T;
  /** Events after `revision` for a watch; undefined where they are no longer kept (410 Expired). */
  since(resource: GroupResource, revision: number): readonly StoreEvent[] | undefined;
}

/** A refusal of the API server: becomes a Status with that HTTP code. Made by the helpers of machinery/errors.ts. */
export class ApiError extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: Status['details'],
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** A loop of the controller manager. Driven by store events and the clock; never polls. */
export interface Controller {
  readonly name: string;
  start(): void;
  stop(): void;
  /** True while nothing is queued that could run without time passing. */
  idle(): boolean;
}

/**
 * How inner parts (controllers, kubeadm's phases) write: the same path as HTTP, as that user, authorization and
 * admission included. Throws ApiError.
 */
export interface ApiClient {
  readonly user: UserInfo;
  get(resource: GroupResource, namespace: string | undefined, name: string): KubeObject | undefined;
  list(resource: GroupResource, namespace?: string): readonly KubeObject[];
  create(resource: GroupResource, object: KubeObject, options?: { subresource?: string; parent?: string }): KubeObject;
  update(resource: GroupResource, object: KubeObject, options?: { subresource?: string }): KubeObject;
  /** Applies fields to an object without a namespace, by force, in the name of a manager. */
  apply(resource: GroupResource, fields: KubeObject, manager: string): KubeObject;
  delete(
    resource: GroupResource,
    namespace: string | undefined,
    name: string,
    options?: { uid?: string; gracePeriodSeconds?: number },
  ): void;
}

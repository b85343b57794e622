/**
 * What happened to one resource, as far back as watches and continued lists can go. Bounded by number and by memory:
 * etcd forgets by age, which bounds nothing where a large object changes often.
 */
import type { KubeObject } from '../../kubernetes/objects.js';
import type { StoreEvent } from '../types.js';

/** Bytes that the history of one resource keeps alive, about. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Freezes a plain JSON value through and through; what is frozen already is taken as done.
 * @returns about how many bytes of memory were not frozen before
 */
function deepFreeze(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return 0;
  Object.freeze(value);
  let bytes = 16;
  for (const inner of Object.values(value)) bytes += 24 + deepFreeze(inner);
  return bytes;
}

const weights = new WeakMap<KubeObject, number>();

/** The object itself, which nobody can change any more. */
export function frozen(object: KubeObject): KubeObject {
  weights.set(object, deepFreeze(object));
  return object;
}

const weightOf = ({ object, previous }: StoreEvent): number =>
  (weights.get(object) ?? 0) + (previous === undefined ? 0 : (weights.get(previous) ?? 0));

export class History {
  private readonly events: StoreEvent[] = [];
  private bytes = 0;
  /** Events up to and including this revision are forgotten. */
  compacted: number;

  /** @param most events that are kept */
  constructor(
    private readonly most: number,
    compacted: number,
  ) {
    this.compacted = compacted;
  }

  add(event: StoreEvent): void {
    this.events.push(event);
    this.bytes += weightOf(event);
    let count = 0;
    while (count < this.events.length && (this.events.length - count > this.most || this.bytes > MOST_BYTES)) {
      this.bytes -= weightOf(this.events[count] as StoreEvent);
      count += 1;
    }
    if (count > 0) this.forget(count);
  }

  compact(revision: number): void {
    const first = this.events.findIndex((event) => event.revision > revision);
    const count = first < 0 ? this.events.length : first;
    for (const event of this.events.slice(0, count)) this.bytes -= weightOf(event);
    this.forget(count);
    this.compacted = Math.max(this.compacted, revision);
  }

  /** Events after a revision; undefined where some of them are forgotten. */
  since(revision: number): readonly StoreEvent[] | undefined {
    if (revision < this.compacted) return undefined;
    let first = this.events.length;
    while (first > 0 && (this.events[first - 1] as StoreEvent).revision > revision) first -= 1;
    return this.events.slice(first);
  }

  private forget(count: number): void {
    const gone = this.events.splice(0, count);
    this.compacted = Math.max(this.compacted, gone.at(-1)?.revision ?? 0);
  }
}

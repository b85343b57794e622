/** What is kept of the lists of a target, within a limit: whatever a server shows, it does not fill the memory. */
import { setFlagsFromString } from 'node:v8';

/**
 * Bytes of all lists together: what is judged at a time. Ten thousand bootstrap tokens take a third of it; Node 24 needs
 * more beside it than Node 20.
 */
const MOST_BYTES = 104 * 1024 * 1024;
/** Bytes from which on memory is spared: most clusters keep less, and are judged sooner without that. */
const SPARED_FROM = 8 * 1024 * 1024;
/** Percent by which memory may then grow beyond what is needed before V8 looks. */
const GROWTH = 8;
/** Bytes that judging an object takes beside it: what is read of it, what is found, what is looked for. */
const JUDGING = 2_500;

/** What an item takes in memory, roughly, in bytes: its texts, what holds them together, and what is found of it. */
export const costOf = (item: unknown): number => sizeOf(item) + (typeof item === 'object' ? JUDGING : 0);

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 24 + value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 24;
  if (Array.isArray(value)) for (const item of value) size += 8 + sizeOf(item);
  else for (const key in value) size += 8 + key.length + sizeOf(value[key as keyof typeof value]);
  return size;
}

export class KeptLists {
  readonly #sizes = new Map<string, number>();
  #all = 0;
  #spares = false;

  /** Counts so many bytes, as costOf tells them, for the list, in place of what was counted for it before; false: together it is too much. */
  fits(list: string, bytes: number): boolean {
    this.#all += bytes - (this.#sizes.get(list) ?? 0);
    this.#sizes.set(list, bytes);
    if (!this.#spares && this.#all > SPARED_FROM) {
      setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
      this.#spares = true;
    }
    return this.#all <= MOST_BYTES;
  }
}

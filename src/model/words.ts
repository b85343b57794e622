/**
 * Many words looked for in one text at once: one pass whatever the number of words, and however alike whoever chose
 * them made them.
 * At each place the first SHORTEST characters are hashed; a table says which lengths words with that hash have, and
 * only those are looked up.
 */
import { randomInt } from 'node:crypto';

/** Characters of a word; the longest is as many as bits of a number, counted from the shortest, allow. */
export const SHORTEST_WORD = 6;
export const LONGEST_WORD = 32;

/** Of the process, so that nobody can prepare words or texts that collide. Odd. */
const BASE = randomInt(2 ** 30) * 2 + 1;
/** BASE to the power of what the oldest character of the first SHORTEST has. */
const OLDEST = Array.from({ length: SHORTEST_WORD - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);
const SPREAD = 0x9e3779b1;

const extended = (hash: number, text: string, at: number): number => (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0;

function hashOf(text: string, from: number, length: number): number {
  let hash = 0;
  for (let at = from; at < from + length; at += 1) hash = extended(hash, text, at);
  return hash;
}

export class Words {
  /** Bit n: there is a word of SHORTEST + n characters whose first SHORTEST have this hash. */
  #lengths = new Int32Array(1024);
  readonly #byHash = new Map<number, string[]>();
  #count = 0;

  get size(): number {
    return this.#count;
  }

  has(word: string): boolean {
    return this.#byHash.get(hashOf(word, 0, word.length))?.includes(word) === true;
  }

  /** A word of SHORTEST to LONGEST characters; others are left out. */
  add(word: string): void {
    if (word.length < SHORTEST_WORD || word.length > LONGEST_WORD || this.has(word)) return;
    const hash = hashOf(word, 0, word.length);
    const alike = this.#byHash.get(hash);
    if (alike === undefined) this.#byHash.set(hash, [word]);
    else alike.push(word);
    this.#count += 1;
    if (this.#count * 4 <= this.#lengths.length) this.#enter(word);
    else {
      this.#lengths = new Int32Array(this.#lengths.length * 4);
      for (const words of this.#byHash.values()) for (const known of words) this.#enter(known);
    }
  }

  #slot(hash: number): number {
    return Math.imul(hash, SPREAD) >>> (Math.clz32(this.#lengths.length) + 1);
  }

  #enter(word: string): void {
    const slot = this.#slot(hashOf(word, 0, SHORTEST_WORD));
    this.#lengths[slot] = (this.#lengths[slot] ?? 0) | (1 << (word.length - SHORTEST_WORD));
  }

  /**
   * Tells `found` where words stand, all that begin there, the shortest first. It answers where to look on, beyond
   * `at`.
   * Time: the characters of the text, times LONGEST at most.
   */
  each(text: string, found: (at: number, words: readonly string[]) => number): void {
    const last = text.length - SHORTEST_WORD;
    if (this.#count === 0 || last < 0) return;
    let hash = hashOf(text, 0, SHORTEST_WORD);
    for (let at = 0; at <= last; ) {
      const lengths = this.#lengths[this.#slot(hash)] ?? 0;
      const words = lengths === 0 ? undefined : this.#at(text, at, hash, lengths);
      const next = words === undefined ? at + 1 : found(at, words);
      if (next === at + 1 && at < last) {
        const without = (hash - Math.imul(text.charCodeAt(at), OLDEST)) | 0;
        hash = extended(without, text, at + SHORTEST_WORD);
      } else if (next <= last) hash = hashOf(text, next, SHORTEST_WORD);
      at = next;
    }
  }

  #at(text: string, at: number, first: number, lengths: number): readonly string[] | undefined {
    let words: string[] | undefined;
    let hash = first;
    const longest = Math.min(31 - Math.clz32(lengths) + SHORTEST_WORD, text.length - at);
    for (let length = SHORTEST_WORD; length <= longest; length += 1) {
      if (length > SHORTEST_WORD) hash = extended(hash, text, at + length - 1);
      if ((lengths & (1 << (length - SHORTEST_WORD))) === 0) continue;
      const word = this.#byHash.get(hash)?.find((one) => one.length === length && text.startsWith(one, at));
      if (word !== undefined) {
        words ??= [];
        words.push(word);
      }
    }
    return words;
  }
}

/**
 * Many words looked for in one text at once: one pass whatever the number of words, and however alike whoever chose
 * them made them.
 * At each place the first SHORTEST characters are hashed; a table says which lengths words with that hash have, and
 * only those are looked up. Where all words are long, only every so many places are looked at first: whatever word
 * stands there has one of them within it.
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

/** The hash of SHORTEST characters, from that of those one place before. */
const rolled = (hash: number, text: string, at: number): number =>
  extended((hash - Math.imul(text.charCodeAt(at - 1), OLDEST)) | 0, text, at + SHORTEST_WORD - 1);

/** Places between two that are looked at first, from which on that is worth its while. */
const WORTH = 3;
/** Bits of the sieve for each place of a word: most hashes of others fall on one that is not set. */
const SPARSE = 16;

/** Told of a place and the words there, answers where to look on, beyond it. */
type Found = (at: number, words: readonly string[]) => number;

export class Words {
  /** Bit n: there is a word of SHORTEST + n characters whose first SHORTEST have this hash. */
  #lengths = new Int32Array(1024);
  readonly #byHash = new Map<number, string[]>();
  #count = 0;
  /** Characters of the shortest word. */
  #shortest = LONGEST_WORD + 1;
  /** A bit for each hash of SHORTEST characters of a word that begin at one of its first #step places. */
  #sieve = new Int32Array(0);

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
    if (this.#count * 4 <= this.#lengths.length && word.length >= this.#shortest) this.#enter(word);
    else this.#enterAll(Math.min(this.#shortest, word.length));
  }

  /** Every word again, where there are more than the tables have room for, or there is a shorter one. */
  #enterAll(shortest: number): void {
    const room = this.#count * 4 <= this.#lengths.length ? this.#lengths.length : this.#lengths.length * 4;
    this.#lengths = new Int32Array(room);
    this.#shortest = shortest;
    // a power of two of bits, 32 to a number
    const bits = (room / 4) * SPARSE * 2 ** Math.ceil(Math.log2(this.#step));
    this.#sieve = new Int32Array(this.#step < WORTH ? 0 : bits / 32);
    for (const words of this.#byHash.values()) for (const known of words) this.#enter(known);
  }

  /** Of so many places in a row one is within every word, with SHORTEST characters from there on. */
  get #step(): number {
    return this.#shortest - SHORTEST_WORD + 1;
  }

  #slot(hash: number): number {
    return Math.imul(hash, SPREAD) >>> (Math.clz32(this.#lengths.length) + 1);
  }

  #enter(word: string): void {
    let hash = hashOf(word, 0, SHORTEST_WORD);
    const slot = this.#slot(hash);
    this.#lengths[slot] = (this.#lengths[slot] ?? 0) | (1 << (word.length - SHORTEST_WORD));
    if (this.#sieve.length === 0) return;
    const shift = Math.clz32(this.#sieve.length) - 4;
    for (let at = 0; at < this.#step; at += 1) {
      if (at > 0) hash = rolled(hash, word, at);
      const bit = Math.imul(hash, SPREAD) >>> shift;
      this.#sieve[bit >>> 5] = (this.#sieve[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  /**
   * Tells `found` where words stand, all that begin there, the shortest first. It answers where to look on, beyond
   * `at`.
   * Time: the characters of the text, times LONGEST at most.
   */
  each(text: string, found: Found): void {
    const last = text.length - SHORTEST_WORD;
    if (this.#count === 0 || last < 0) return;
    if (this.#sieve.length === 0) this.#from(text, 0, last, found);
    else this.#sifted(text, last, found);
  }

  /** Looks at each place up to `last`, and answers where to look on. */
  #from(text: string, from: number, last: number, found: Found): number {
    let at = from;
    let hash = hashOf(text, at, SHORTEST_WORD);
    while (at <= last) {
      const lengths = this.#lengths[this.#slot(hash)] ?? 0;
      const words = lengths === 0 ? undefined : this.#at(text, at, hash, lengths);
      const next = words === undefined ? at + 1 : found(at, words);
      if (next <= last) hash = next === at + 1 ? rolled(hash, text, next) : hashOf(text, next, SHORTEST_WORD);
      at = next;
    }
    return at;
  }

  /** Looks at one of #step places first, and at those before it where a word may stand. */
  #sifted(text: string, last: number, found: Found): void {
    const sieve = this.#sieve;
    const step = this.#step;
    const shift = Math.clz32(sieve.length) - 4;
    let from = 0;
    for (let at = step - 1; at <= last; at += step) {
      const bit = Math.imul(hashOf(text, at, SHORTEST_WORD), SPREAD) >>> shift;
      if (((sieve[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) continue;
      from = this.#from(text, Math.max(from, at - step + 1), at, found);
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

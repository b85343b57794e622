/**
 * Finds the elements of the array `items` of a JSON object while its bytes arrive, so that no more than one of them is
 * held at a time.
 * One look at each byte; what the elements are is left to JSON.parse.
 */

/**
 * Bytes of one item. An object of 1.5 MiB, the most that etcd takes, is six times as long where every character is
 * escaped.
 */
const LARGEST_ITEM = 12 * 1024 * 1024;
/** Bytes of what stands around the items. */
const LARGEST_REST = 1024 * 1024;
/** Values of one item: as many as an object of 1.5 MiB can have, so that nobody who may make one stops a list by it. */
const MOST_VALUES = 1_000_000;
/** Objects within objects. The deepest of Kubernetes have some forty levels. */
const DEEPEST = 128;

/** Why a list is not read (on); the message is the end of a sentence. */
export class Unlistable extends Error {}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const BRACKET = 0x5b;

const [PLAIN, OPENS, CLOSES, OTHER] = [0, 1, 2, 3];
const SORT = new Uint8Array(256);
for (const [characters, sort] of [
  ['{[', OPENS],
  ['}]', CLOSES],
  ['",:', OTHER],
] as const)
  for (const character of characters) SORT[character.charCodeAt(0)] = sort;

/** Bytes of one text, in the chunks that they came in. */
class Gathered {
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    private readonly most: number,
    private readonly what: string,
  ) {}

  add(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.most)
      throw new Unlistable(`${this.what} is larger than ${Math.floor(this.most / 1024 / 1024)} MiB`);
    this.#chunks.push(bytes);
  }

  take(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    this.#chunks.length = 0;
    this.#size = 0;
    return text;
  }
}

export class ItemScanner {
  readonly #item = new Gathered(LARGEST_ITEM, 'one of its items');
  readonly #rest = new Gathered(LARGEST_REST, 'what stands around its items');
  readonly #onItem: (item: unknown) => void;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** Between the brackets of `items`. */
  #inItems = false;
  /** The last text of the object itself, as far as it may be "items". */
  #name = '';
  #named = false;
  #count = 0;
  /** Of the item that is under way. */
  #values = 0;
  #bytes = 0;

  /** `onItem` gets each item, parsed. What it throws ends the reading. */
  constructor(onItem: (item: unknown) => void) {
    this.#onItem = onItem;
  }

  /** Throws Unlistable. */
  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    /** Where the bytes begin that belong to what is being read. */
    let from = 0;
    for (let at = this.#inString ? this.#string(chunk, 0) + 1 : 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (SORT[byte] === PLAIN) continue;
      if (byte === QUOTE) {
        this.#name = '';
        at = this.#string(chunk, at + 1);
      } else if (SORT[byte] === OPENS) {
        this.#depth += 1;
        this.#values += 1;
        if (this.#depth > DEEPEST) throw new Unlistable(`it is nested deeper than ${DEEPEST} levels`);
        if (this.#depth !== 2 || byte !== BRACKET || !this.#named || nameIn(this.#name) !== 'items') continue;
        this.#rest.add(chunk.subarray(from, at + 1));
        from = at + 1;
        this.#inItems = true;
      } else if (SORT[byte] === CLOSES) {
        this.#depth -= 1;
        if (!this.#inItems || this.#depth !== 1) continue;
        this.#end(chunk.subarray(from, at));
        from = at;
        this.#inItems = false;
      } else if (this.#depth === 1) this.#named = byte === COLON;
      else if (byte !== COMMA) continue;
      else if (!this.#inItems || this.#depth !== 2) this.#values += 1;
      else {
        this.#end(chunk.subarray(from, at));
        from = at + 1;
      }
    }
    (this.#inItems ? this.#item : this.#rest).add(chunk.subarray(from));
  }

  /** The rest of a text from `at`; returns where its quotation mark stands, or the end of the chunk. */
  #string(chunk: Buffer, at: number): number {
    let end = this.#escaped ? at + 1 : at;
    for (; end < chunk.length; end += 1) {
      const byte = chunk[end] as number;
      if (byte === QUOTE) break;
      if (byte === BACKSLASH) end += 1;
    }
    this.#inString = end >= chunk.length;
    this.#escaped = end > chunk.length;
    // enough for "items" with every letter escaped
    if (this.#depth === 1) this.#name = (this.#name + chunk.toString('latin1', at, end)).slice(0, 40);
    return end;
  }

  #end(last: Buffer): void {
    if (this.#values > MOST_VALUES) throw new Unlistable(`one of its items holds more than ${MOST_VALUES} values`);
    this.#values = 0;
    this.#item.add(last);
    const text = this.#item.take();
    if (/^\s*$/.test(text)) return;
    let item: unknown;
    try {
      item = JSON.parse(text);
    } catch {
      throw new Unlistable('one of its items is no JSON');
    }
    this.#count += 1;
    this.#onItem(item);
  }

  /** The text of the whole without its items; what stands there in their stead says how many there were. */
  end(): string {
    const rest = this.#rest.take();
    const said = `"${this.#count} items, ${this.#bytes} bytes with what stands around them"`;
    return this.#count === 0 ? rest : rest.replace(/("items"\s*:\s*\[)(?=\])/, `$1${said}`);
  }
}

const nameIn = (name: string): string => {
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return '';
  }
};

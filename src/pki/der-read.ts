/**
 * Reading DER with the strictness of golang.org/x/crypto/cryptobyte, which Go's crypto/x509 reads certificates with:
 * one-byte tags, definite and minimal lengths. node-forge's reader takes more than that, and what an API server refuses
 * must be refused here.
 */

export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8: 0x0c,
  numeric: 0x12,
  printable: 0x13,
  t61: 0x14,
  ia5: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  general: 0x1b,
  bmp: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

export interface DerElement {
  /** The tag byte, class and constructed bit included. */
  readonly tag: number;
  readonly content: Buffer;
  /** Tag and length included. */
  readonly full: Buffer;
}

/** A BIT STRING; `bytes` are shifted so that unused bits are at the front, as Go's RightAlign does. */
export interface BitString {
  readonly bytes: Buffer;
  readonly raw: Buffer;
  readonly unused: number;
}

/**
 * A cursor over a run of DER elements. Every read answers undefined, and stays where it was, where the bytes are not
 * what was asked for.
 */
export class DerReader {
  private at = 0;
  constructor(readonly bytes: Buffer) {}

  get empty(): boolean {
    return this.at >= this.bytes.length;
  }

  /** The tag of the next element. */
  peek(): number | undefined {
    return this.bytes[this.at];
  }

  any(): DerElement | undefined {
    const { bytes, at } = this;
    const tag = bytes[at];
    const first = bytes[at + 1];
    if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
    let length = first;
    let start = at + 2;
    if (first >= 0x80) {
      const count = first & 0x7f;
      if (count === 0 || count > 4 || bytes.length < start + count) return undefined;
      length = bytes.readUIntBE(start, count);
      if (length < 0x80 || length >>> ((count - 1) * 8) === 0) return undefined;
      start += count;
    }
    if (start + length > bytes.length) return undefined;
    this.at = start + length;
    return { tag, content: bytes.subarray(start, start + length), full: bytes.subarray(at, start + length) };
  }

  element(tag: number): DerElement | undefined {
    return this.peek() === tag ? this.any() : undefined;
  }

  /** The content of an element with that tag, as a reader of its own. */
  inside(tag: number): DerReader | undefined {
    const found = this.element(tag);
    return found === undefined ? undefined : new DerReader(found.content);
  }

  /** What follows, unread. */
  rest(): Buffer {
    return this.bytes.subarray(this.at);
  }

  boolean(): boolean | undefined {
    const content = this.element(TAG.boolean)?.content;
    if (content === undefined || content.length !== 1) return undefined;
    return content[0] === 0xff ? true : content[0] === 0 ? false : undefined;
  }

  /** The content bytes of an INTEGER, two's complement, minimal. */
  integer(tag: number = TAG.integer): Buffer | undefined {
    const content = this.element(tag)?.content;
    return content !== undefined && isMinimalInteger(content) ? content : undefined;
  }

  oid(): string | undefined {
    const content = this.element(TAG.oid)?.content;
    return content === undefined ? undefined : decodeOid(content);
  }

  bitString(): BitString | undefined {
    const content = this.element(TAG.bitString)?.content;
    return content === undefined ? undefined : decodeBitString(content);
  }
}

export const isMinimalInteger = (bytes: Buffer): boolean => {
  const [first, second] = [bytes[0], bytes[1]];
  if (first === undefined) return false;
  return second === undefined || !((first === 0 && second < 0x80) || (first === 0xff && second >= 0x80));
};

/**
 * The dotted form of an OBJECT IDENTIFIER's content; undefined where an arc is not minimal, cut off or above 2^31-1, as
 * in Go.
 */
export function decodeOid(content: Buffer): string | undefined {
  const arcs: number[] = [];
  let value = 0;
  let length = 0;
  for (const byte of content) {
    if (length === 0 && byte === 0x80) return undefined;
    if (++length > 5) return undefined;
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    if (value > 0x7fffffff) return undefined;
    if (arcs.length > 0) arcs.push(value);
    else if (value < 80) arcs.push(Math.floor(value / 40), value % 40);
    else arcs.push(2, value - 80);
    value = 0;
    length = 0;
  }
  return arcs.length === 0 || length > 0 ? undefined : arcs.join('.');
}

export function decodeBitString(content: Buffer): BitString | undefined {
  const unused = content[0];
  if (unused === undefined || unused > 7 || (content.length === 1 && unused > 0)) return undefined;
  if (((content[content.length - 1] ?? 0) & ((1 << unused) - 1)) !== 0) return undefined;
  const raw = content.subarray(1);
  if (unused === 0) return { bytes: raw, raw, unused };
  const bytes = Buffer.alloc(raw.length);
  for (let i = 0; i < raw.length; i++)
    bytes[i] = (((raw[i - 1] ?? 0) << (8 - unused)) | ((raw[i] ?? 0) >> unused)) & 0xff;
  return { bytes, raw, unused };
}

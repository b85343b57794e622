/**
 * Reading DER as Go's encoding/asn1 Unmarshal does, field by field, with its error texts: a client that sends a broken
 * certificate request is shown them (422, spec.request). Source: Go encoding/asn1/asn1.go parseField,
 * parseTagAndLength, parseSequenceOf.
 */
import { decodeBitString, isMinimalInteger, TAG } from './der-read.js';

/** A text of Go's, without a stack that anybody would read. */
export class PkiError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PkiError';
  }
}

export const syntaxError = (what: string): PkiError => new PkiError(`asn1: syntax error: ${what}`);
const structureError = (what: string): PkiError => new PkiError(`asn1: structure error: ${what}`);

export interface Header {
  readonly class: number;
  readonly tag: number;
  readonly compound: boolean;
  readonly length: number;
  /** Where the content starts. */
  readonly start: number;
}

export interface RawValue {
  readonly class: number;
  readonly tag: number;
  readonly compound: boolean;
  readonly content: Buffer;
  readonly full: Buffer;
}

function base128(bytes: Buffer, from: number): { readonly value: number; readonly next: number } {
  let value = 0;
  for (let at = from, count = 0; at < bytes.length; at++, count++) {
    if (count === 5) throw structureError('base 128 integer too large');
    const byte = bytes[at] ?? 0;
    if (count === 0 && byte === 0x80) throw syntaxError('integer is not minimally encoded');
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) {
      if (value > 0x7fffffff) throw structureError('base 128 integer too large');
      return { value, next: at + 1 };
    }
  }
  throw syntaxError('truncated base 128 integer');
}

function readHeader(bytes: Buffer, offset: number): Header {
  const first = bytes[offset];
  if (first === undefined) throw new PkiError('asn1: internal error in parseTagAndLength');
  let at = offset + 1;
  let tag = first & 0x1f;
  if (tag === 0x1f) {
    const long = base128(bytes, at);
    if (long.value < 0x1f) throw syntaxError('non-minimal tag');
    tag = long.value;
    at = long.next;
  }
  let length = bytes[at++];
  if (length === undefined) throw syntaxError('truncated tag or length');
  if (length >= 0x80) {
    const count = length & 0x7f;
    if (count === 0) throw syntaxError('indefinite length found (not DER)');
    length = 0;
    for (let i = 0; i < count; i++) {
      const byte = bytes[at++];
      if (byte === undefined) throw syntaxError('truncated tag or length');
      if (length >= 1 << 23) throw structureError('length too large');
      length = length * 256 + byte;
      if (length === 0) throw structureError('superfluous leading zeros in length');
    }
    if (length < 0x80) throw structureError('non-minimal length');
  }
  return { class: first >> 6, tag, compound: (first & 0x20) !== 0, length, start: at };
}

/**
 * What a field of a Go struct expects: the universal tag and the name of its Go type, which the texts print. `context`
 * replaces the tag.
 */
export interface Expected {
  readonly tag: number;
  readonly compound: boolean;
  readonly type: string;
  readonly context?: number;
}

export const GO = {
  oid: { tag: 6, compound: false, type: 'ObjectIdentifier' },
  integer: { tag: 2, compound: false, type: 'int' },
  bitString: { tag: 3, compound: false, type: 'BitString' },
  octets: { tag: 4, compound: false, type: '' },
  sequence: (type: string): Expected => ({ tag: 16, compound: true, type }),
  setNamed: (type: string): Expected => ({ tag: 17, compound: true, type }),
} as const satisfies Record<string, Expected | ((type: string) => Expected)>;

function mismatch(expected: Expected, header: Header, set: boolean): PkiError {
  const t = `{class:${header.class} tag:${header.tag} length:${header.length} isCompound:${header.compound}}`;
  // Go prints the address of the wanted tag; no two runs agree on it.
  const tag = expected.context === undefined ? '<nil>' : '0xc000000000';
  const parameters =
    '{optional:false explicit:false application:false private:false defaultValue:<nil> ' +
    `tag:${tag} stringType:0 timeType:0 set:${set} omitEmpty:false}`;
  return structureError(
    `tags don't match (${expected.context ?? expected.tag} vs ${t}) ${parameters} ${expected.type} @${header.start}`,
  );
}

/** A cursor over the fields of one struct. */
export class GoFields {
  private at = 0;
  constructor(private readonly bytes: Buffer) {}

  /** Bytes behind the last field read. */
  get rest(): Buffer {
    return this.bytes.subarray(this.at);
  }

  get ended(): boolean {
    return this.at === this.bytes.length;
  }

  field(expected: Expected, set = false): RawValue {
    if (this.ended) throw syntaxError('sequence truncated');
    const header = readHeader(this.bytes, this.at);
    const fits =
      expected.context === undefined
        ? header.class === 0 && header.tag === expected.tag && header.compound === expected.compound
        : header.class === 2 && header.tag === expected.context && header.compound === expected.compound;
    if (!fits) throw mismatch(expected, header, set);
    return this.take(header);
  }

  /** A field of type RawValue or any: whatever comes. */
  any(): RawValue {
    if (this.ended) throw syntaxError('sequence truncated');
    return this.take(readHeader(this.bytes, this.at));
  }

  /** An optional RawValue at the end. */
  optionalAny(): RawValue | undefined {
    return this.ended ? undefined : this.any();
  }

  /** An optional BOOLEAN (false where absent). */
  optionalBoolean(): boolean {
    if (this.ended) return false;
    const header = readHeader(this.bytes, this.at);
    if (header.class !== 0 || header.tag !== TAG.boolean || header.compound) return false;
    const { content } = this.take(header);
    if (content.length !== 1 || (content[0] !== 0 && content[0] !== 0xff)) throw syntaxError('invalid boolean');
    return content[0] === 0xff;
  }

  private take(header: Header): RawValue {
    const end = header.start + header.length;
    if (end > this.bytes.length) throw syntaxError('data truncated');
    const full = this.bytes.subarray(this.at, end);
    this.at = end;
    return {
      class: header.class,
      tag: header.tag,
      compound: header.compound,
      content: this.bytes.subarray(header.start, end),
      full,
    };
  }
}

/**
 * The elements of a SEQUENCE OF or SET OF; all are looked at before the first is read, as in Go. `expected` undefined:
 * RawValue.
 */
export function elementsOf(content: Buffer, expected?: Pick<Expected, 'tag' | 'compound'>): readonly RawValue[] {
  const elements: RawValue[] = [];
  for (let at = 0; at < content.length; ) {
    const header = readHeader(content, at);
    if (
      expected !== undefined &&
      (header.class !== 0 || header.compound !== expected.compound || header.tag !== expected.tag)
    )
      throw structureError('sequence tag mismatch');
    const end = header.start + header.length;
    if (end > content.length) throw syntaxError('truncated sequence');
    elements.push({
      class: header.class,
      tag: header.tag,
      compound: header.compound,
      content: content.subarray(header.start, end),
      full: content.subarray(at, end),
    });
    at = end;
  }
  return elements;
}

export function goOid(content: Buffer): string {
  if (content.length === 0) throw syntaxError('zero length OBJECT IDENTIFIER');
  const arcs: number[] = [];
  for (let at = 0; at < content.length; ) {
    const { value, next } = base128(content, at);
    if (at > 0) arcs.push(value);
    else if (value < 80) arcs.push(Math.floor(value / 40), value % 40);
    else arcs.push(2, value - 80);
    at = next;
  }
  return arcs.join('.');
}

/** An INTEGER that fits Go's int; as bigint, because 64 bits may be used. */
export function goInteger(content: Buffer): bigint {
  if (content.length === 0) throw structureError('empty integer');
  if (!isMinimalInteger(content)) throw structureError('integer not minimally-encoded');
  if (content.length > 8) throw structureError('integer too large');
  return BigInt.asIntN(content.length * 8, BigInt(`0x${content.toString('hex')}`));
}

/** The bits of a BIT STRING, unused ones shifted to the front. */
export function goBitString(content: Buffer): Buffer {
  if (content.length === 0) throw syntaxError('zero length BIT STRING');
  const found = decodeBitString(content);
  if (found === undefined) throw syntaxError('invalid padding bits in BIT STRING');
  return found.bytes;
}

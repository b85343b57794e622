/** Protocol buffers on the wire: tags, varints, lengths. Source: protobuf.dev, Encoding. */

export const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;

/** The bytes are no message. */
export class WireError extends Error {}

export class WireReader {
  #at = 0;
  constructor(private readonly bytes: Buffer) {}

  get done(): boolean {
    return this.#at >= this.bytes.length;
  }

  tag(): { readonly field: number; readonly wire: number } {
    const tag = Number(this.varint());
    return { field: Math.floor(tag / 8), wire: tag % 8 };
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.#at++];
      if (byte === undefined) throw new WireError('unexpected EOF');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireError('integer overflow');
  }

  delimited(): Buffer {
    return this.#take(Number(this.varint()));
  }

  double(): number {
    return this.#take(8).readDoubleLE(0);
  }

  skip(wire: number): void {
    if (wire === WIRE.varint) this.varint();
    else if (wire === WIRE.fixed64) this.#take(8);
    else if (wire === WIRE.bytes) this.delimited();
    else if (wire === WIRE.fixed32) this.#take(4);
    else throw new WireError(`illegal wireType ${wire}`);
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.bytes.length) throw new WireError('unexpected EOF');
    const part = this.bytes.subarray(this.#at, end);
    this.#at = end;
    return part;
  }
}

export class WireWriter {
  readonly #parts: Buffer[] = [];

  varint(field: number, value: bigint | number): void {
    this.#parts.push(varint(field * 8 + WIRE.varint), varint(value));
  }

  delimited(field: number, bytes: Buffer): void {
    this.#parts.push(varint(field * 8 + WIRE.bytes), varint(bytes.length), bytes);
  }

  double(field: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#parts.push(varint(field * 8 + WIRE.fixed64), bytes);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}

/** Negative numbers take ten bytes, as two's complement of 64 bits. */
function varint(value: bigint | number): Buffer {
  let left = BigInt.asUintN(64, BigInt(value));
  const bytes: number[] = [];
  do {
    const low = Number(left & 0x7fn);
    left >>= 7n;
    bytes.push(left === 0n ? low : low | 0x80);
  } while (left !== 0n);
  return Buffer.from(bytes);
}

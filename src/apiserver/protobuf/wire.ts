/**
 * The library that reads and writes protocol buffers on the wire. Loaded when the first such body arrives or leaves: a
 * server that is only ever spoken to in JSON never pays for it.
 */
import { createRequire } from 'node:module';
import type { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

export type { BinaryReader as Reader, BinaryWriter as Writer };

interface Library {
  readonly BinaryReader: new (bytes: Uint8Array) => BinaryReader;
  readonly BinaryWriter: new () => BinaryWriter;
}

let library: Library | undefined;
const loaded = (): Library => {
  library ??= createRequire(import.meta.url)('@bufbuild/protobuf/wire') as Library;
  return library;
};

export const readerOf = (bytes: Uint8Array): BinaryReader => new (loaded().BinaryReader)(bytes);
export const newWriter = (): BinaryWriter => new (loaded().BinaryWriter)();

/** The two wire types that Kubernetes writes. Source: protobuf.dev, Encoding, "Message Structure". */
export const VARINT: WireType.Varint = 0;
export const DELIMITED: WireType.LengthDelimited = 2;

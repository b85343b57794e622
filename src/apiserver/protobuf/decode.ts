/**
 * Bodies in protocol buffers to the JSON that the same object would have been, as kubelets, kubeadm and kubectl's
 * typed commands send them. Source: apimachinery, pkg/runtime/serializer/protobuf/protobuf.go Decode;
 * pkg/runtime/generated.proto Unknown; pkg/apis/meta/v1/time_proto.go.
 */
import { type Field, type Message, messageName, messageNamed, PREFIX } from './messages.js';
import { DELIMITED, type Reader, readerOf, VARINT } from './wire.js';

type Json = Record<string, unknown>;

/** A body is no message, or one of a kind that is not known. The message is the end of upstream's sentence. */
export class ProtobufError extends Error {}

interface Unknown {
  apiVersion: string;
  kind: string;
  raw: Uint8Array;
  contentType: string;
}

/**
 * The object in a body, as JSON.parse would have given it. Fields that Go writes for want of a pointer though they are
 * empty are left out.
 * @throws ProtobufError where the prefix is missing, a message is cut short, or the kind has no message
 */
export function decodeProtobuf(bytes: Buffer): Json {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!bytes.subarray(0, PREFIX.length).equals(PREFIX)) {
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  try {
    const { apiVersion, kind, raw, contentType } = envelope(bytes.subarray(PREFIX.length));
    if (contentType === 'application/json') return JSON.parse(Buffer.from(raw).toString('utf8')) as Json;
    const message = messageNamed(messageName(apiVersion, kind));
    if (message === undefined) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`);
    return { apiVersion, kind, ...readMessage(message, raw) };
  } catch (error) {
    if (error instanceof ProtobufError) throw error;
    // What the library throws is not told apart by type: every one means that the bytes are no message.
    const why = error instanceof Error ? error.message : String(error);
    throw new ProtobufError(error instanceof RangeError ? 'unexpected EOF' : `proto: ${why}`);
  }
}

/** Calls `take` for every field; what it does not take (false) is skipped. */
function eachField(bytes: Uint8Array, take: (number: number, wire: number, reader: Reader) => boolean): void {
  const reader = readerOf(bytes);
  while (reader.pos < reader.len) {
    const [number, wire] = reader.tag();
    if (!take(number, wire, reader)) reader.skip(wire, number);
  }
}

function envelope(bytes: Uint8Array): Unknown {
  const found: Unknown = { apiVersion: '', kind: '', raw: new Uint8Array(), contentType: '' };
  eachField(bytes, (number, wire, reader) => {
    if (wire !== DELIMITED) return false;
    if (number === 1) {
      const typeMeta = reader.bytes();
      found.apiVersion = textsOf(typeMeta, 1).at(-1) ?? '';
      found.kind = textsOf(typeMeta, 2).at(-1) ?? '';
    } else if (number === 2) found.raw = reader.bytes();
    else if (number === 4) found.contentType = reader.string();
    else return false;
    return true;
  });
  return found;
}

function readMessage(message: Message, bytes: Uint8Array): Json {
  const result: Json = {};
  readInto(result, message, bytes);
  return result;
}

function readInto(result: Json, message: Message, bytes: Uint8Array): void {
  eachField(bytes, (number, wire, reader) => {
    const field = message.byNumber.get(number);
    if (field === undefined) return false;
    readField(field, wire, reader, result);
    return true;
  });
}

function readField(field: Field, wire: number, reader: Reader, result: Json): void {
  if (field.inline) {
    const message = messageNamed(field.type);
    if (message !== undefined) readInto(result, message, reader.bytes());
  } else if (field.map) {
    result[field.name] ??= {};
    const { key, value } = readEntry(field.type, reader.bytes());
    // A key "__proto__" is a key like any other.
    Object.defineProperty(result[field.name], key, { value, enumerable: true, configurable: true, writable: true });
  } else if (field.repeated) {
    result[field.name] ??= [];
    (result[field.name] as unknown[]).push(readValue(field.type, wire, reader));
  } else {
    const value = readValue(field.type, wire, reader);
    // Go writes what is empty and no pointer, too; in JSON it would not be there.
    if (value !== undefined && (field.pointer || !isEmpty(value))) result[field.name] = value;
  }
}

const isEmpty = (value: unknown): boolean => value === '' || value === 0 || value === false;

function readEntry(type: string, bytes: Uint8Array): { readonly key: string; readonly value: unknown } {
  let key = '';
  let value: unknown =
    type === 'string' || type === 'bytes' ? '' : type === '[]string!' ? [] : type === 'quantity' ? '0' : {};
  eachField(bytes, (number, wire, reader) => {
    if (number === 1) key = reader.string();
    else if (number === 2) value = readValue(type, wire, reader);
    else return false;
    return true;
  });
  return { key, value };
}

const WIRE_OF: Readonly<Record<string, number>> = { bool: VARINT, int32: VARINT, int64: VARINT };

function readValue(type: string, wire: number, reader: Reader): unknown {
  if (wire !== (WIRE_OF[type] ?? DELIMITED)) throw new ProtobufError(`proto: wrong wireType = ${wire}`);
  switch (type) {
    case 'string':
      return reader.string();
    case 'bool':
      return reader.bool();
    case 'int32':
      return reader.int32();
    case 'int64':
      return Number(reader.int64());
    case 'bytes':
      return Buffer.from(reader.bytes()).toString('base64');
    case 'time':
    case 'microtime':
      return timeOf(reader.bytes(), type === 'microtime');
    case 'quantity':
      return textsOf(reader.bytes(), 1).at(-1) ?? '0';
    case 'intstr': {
      const bytes = reader.bytes();
      return numberOf(bytes, 1) === 0n
        ? Number(BigInt.asIntN(32, numberOf(bytes, 2)))
        : (textsOf(bytes, 3).at(-1) ?? '');
    }
    case 'raw': {
      const text = textsOf(reader.bytes(), 1).at(-1) ?? '';
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    }
    case '[]string!':
      return textsOf(reader.bytes(), 1);
    default: {
      const message = messageNamed(type);
      return message === undefined ? undefined : readMessage(message, reader.bytes());
    }
  }
}

/** Timestamp {seconds, nanos} as RFC 3339; nothing inside is Go's zero time, which JSON leaves out. */
function timeOf(bytes: Uint8Array, micro: boolean): string | undefined {
  if (bytes.length === 0) return undefined;
  const seconds = new Date(Number(numberOf(bytes, 1)) * 1000).toISOString().slice(0, 19);
  if (!micro) return `${seconds}Z`;
  return `${seconds}.${String(numberOf(bytes, 2) / 1000n).padStart(6, '0')}Z`;
}

/** The last number of a field in a small message, 0 where it is not there. */
function numberOf(bytes: Uint8Array, wanted: number): bigint {
  let found = 0n;
  eachField(bytes, (number, wire, reader) => {
    if (number !== wanted || wire !== VARINT) return false;
    found = BigInt(reader.int64());
    return true;
  });
  return found;
}

/** Every text of one field of a small message. */
function textsOf(bytes: Uint8Array, wanted: number): string[] {
  const found: string[] = [];
  eachField(bytes, (number, wire, reader) => {
    if (number !== wanted || wire !== DELIMITED) return false;
    found.push(reader.string());
    return true;
  });
  return found;
}

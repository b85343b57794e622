/**
 * Kubernetes objects in protocol buffers, as kubectl, kubeadm and kubelets send them. One data file says which field has which number:
 * message → "number name type, …". Types: string bool int32 int64 double bytes time microtime quantity intstr raw duration, `map T`, `[]T`, another
 * message, and `[]string!` (a message that only holds strings). A name with ^ is a struct whose fields JSON shows in place of it, ? a pointer.
 * Source: apimachinery, pkg/runtime/serializer/protobuf/protobuf.go; the numbers are those of each API group's generated.proto.
 */
import { createRequire } from 'node:module';
import type messageLines from './messages.json';
import { WIRE, WireError, WireReader, WireWriter } from './wire.js';

/** "k8s" and a zero byte, then runtime.Unknown. */
const PREFIX = Buffer.from('k8s\0', 'latin1');

type Json = Record<string, unknown>;
interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly map: boolean;
  readonly inline: boolean;
  readonly pointer: boolean;
}

let lines: Readonly<Record<string, string>> | undefined;
const parsed = new Map<string, readonly Field[]>();

function fieldsOf(message: string): readonly Field[] | undefined {
  const known = parsed.get(message);
  if (known !== undefined) return known;
  lines ??= createRequire(import.meta.url)('./messages.json') as typeof messageLines as Readonly<Record<string, string>>;
  const line = lines[message];
  if (line === undefined) return undefined;
  const fields = line.split(', ').map((part): Field => {
    const [number = '', name = '', ...rest] = part.split(' ');
    const words = rest.join(' ').replace('?', '');
    const repeated = words.startsWith('[]') && !words.endsWith('!');
    const map = words.startsWith('map ');
    return {
      number: Number(number),
      name: name.replace('^', ''),
      type: repeated ? words.slice(2) : map ? words.slice(4) : words,
      repeated,
      map,
      inline: name.startsWith('^'),
      pointer: part.endsWith('?'),
    };
  });
  fields.sort((a, b) => a.number - b.number);
  parsed.set(message, fields);
  return fields;
}

/** "rbac.v1.Role" of rbac.authorization.k8s.io/v1 and Role. Options of requests and Status are the same message in every group. */
function messageOf(apiVersion: string, kind: string): string {
  if (kind.endsWith('Options') || kind === 'Status') return `meta.v1.${kind}`;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `${group.split('.')[0]}.${version}.${kind}`;
}

/** A body is no message, or one of a kind that is not known. The message is the end of upstream's sentence. */
export class ProtobufError extends Error {}

/** @throws ProtobufError */
export function decodeProtobuf(bytes: Buffer): Json {
  if (bytes.length < PREFIX.length || !bytes.subarray(0, PREFIX.length).equals(PREFIX)) {
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  }
  try {
    const unknown = readUnknown(bytes.subarray(PREFIX.length));
    const { apiVersion, kind } = unknown;
    if (unknown.contentType === 'application/json') return JSON.parse(unknown.raw.toString('utf8')) as Json;
    const message = messageOf(apiVersion, kind);
    if (fieldsOf(message) === undefined) throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}"`);
    return { apiVersion, kind, ...readMessage(message, unknown.raw) };
  } catch (error) {
    if (error instanceof WireError) throw new ProtobufError(`proto: ${error.message}`);
    throw error;
  }
}

function readUnknown(bytes: Buffer): { readonly apiVersion: string; readonly kind: string; readonly raw: Buffer; readonly contentType: string } {
  const found = { apiVersion: '', kind: '', raw: Buffer.alloc(0) as Buffer, contentType: '' };
  for (const reader = new WireReader(bytes); !reader.done; ) {
    const { field, wire } = reader.tag();
    if (field === 1) {
      for (const meta = new WireReader(reader.delimited()); !meta.done; ) {
        const inner = meta.tag();
        if (inner.field === 1) found.apiVersion = meta.delimited().toString('utf8');
        else if (inner.field === 2) found.kind = meta.delimited().toString('utf8');
        else meta.skip(inner.wire);
      }
    } else if (field === 2) found.raw = reader.delimited();
    else if (field === 4) found.contentType = reader.delimited().toString('utf8');
    else reader.skip(wire);
  }
  return found;
}

function readMessage(message: string, bytes: Buffer): Json {
  const result: Json = {};
  const fields = new Map((fieldsOf(message) ?? []).map((field) => [field.number, field]));
  for (const reader = new WireReader(bytes); !reader.done; ) {
    const { field: number, wire } = reader.tag();
    const field = fields.get(number);
    if (field === undefined) reader.skip(wire);
    else readField(field, reader, wire, result);
  }
  return result;
}

function readField(field: Field, reader: WireReader, wire: number, result: Json): void {
  if (field.inline) {
    Object.assign(result, readMessage(field.type, reader.delimited()));
    return;
  }
  if (field.map) {
    const entries = (result[field.name] ?? {}) as Json;
    result[field.name] = entries;
    let key = '';
    let value: unknown = emptyOf(field.type);
    for (const entry = new WireReader(reader.delimited()); !entry.done; ) {
      const inner = entry.tag();
      if (inner.field === 1) key = entry.delimited().toString('utf8');
      else if (inner.field === 2) value = readValue(field.type, entry, inner.wire);
      else entry.skip(inner.wire);
    }
    Object.defineProperty(entries, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const value = readValue(field.type, reader, wire);
  if (field.repeated) {
    const list = (result[field.name] ?? []) as unknown[];
    list.push(value);
    result[field.name] = list;
  }
  // Go writes what is empty and no pointer, too; in JSON it would not be there.
  else if (value !== undefined && (field.pointer || !isEmpty(value))) result[field.name] = value;
}

const isEmpty = (value: unknown): boolean => value === '' || value === 0 || value === false;
const emptyOf = (type: string): unknown => (type === 'string' || type === 'bytes' ? '' : type === '[]string!' ? [] : undefined);

function readValue(type: string, reader: WireReader, wire: number): unknown {
  switch (type) {
    case 'string':
      return reader.delimited().toString('utf8');
    case 'bool':
      return reader.varint() !== 0n;
    case 'int32':
      return Number(BigInt.asIntN(32, reader.varint()));
    case 'int64':
      return Number(BigInt.asIntN(64, reader.varint()));
    case 'double':
      return reader.double();
    case 'bytes':
      return reader.delimited().toString('base64');
    case 'time':
    case 'microtime': {
      const bytes = reader.delimited();
      if (bytes.length === 0) return undefined;
      const { 1: seconds = 0n, 2: nanos = 0n } = numbersOf(bytes);
      const text = new Date(Number(BigInt.asIntN(64, seconds)) * 1000).toISOString().slice(0, 19);
      const micros = String(Number(BigInt.asIntN(32, nanos)) / 1000).split('.')[0] ?? '0';
      return type === 'time' ? `${text}Z` : `${text}.${micros.padStart(6, '0')}Z`;
    }
    case 'quantity':
      return stringsOf(reader.delimited())[0] ?? '0';
    case 'intstr': {
      const bytes = reader.delimited();
      const { 1: kind = 0n, 2: number = 0n } = numbersOf(bytes);
      return kind === 0n ? Number(BigInt.asIntN(32, number)) : (stringsOf(bytes, 3)[0] ?? '');
    }
    case 'duration': {
      const { 1: nanos = 0n } = numbersOf(reader.delimited());
      return `${Number(BigInt.asIntN(64, nanos)) / 1e9}s`;
    }
    case 'raw': {
      const text = stringsOf(reader.delimited())[0] ?? '';
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    }
    case '[]string!':
      return stringsOf(reader.delimited());
    default:
      if (wire !== WIRE.bytes) throw new WireError(`wrong wireType = ${wire}`);
      return readMessage(type, reader.delimited());
  }
}

/** Number fields of a small message. */
function numbersOf(bytes: Buffer): Readonly<Record<number, bigint>> {
  const found: Record<number, bigint> = {};
  for (const reader = new WireReader(bytes); !reader.done; ) {
    const { field, wire } = reader.tag();
    if (wire === WIRE.varint) found[field] = reader.varint();
    else reader.skip(wire);
  }
  return found;
}

/** Every text of one field of a small message. */
function stringsOf(bytes: Buffer, wanted = 1): readonly string[] {
  const found: string[] = [];
  for (const reader = new WireReader(bytes); !reader.done; ) {
    const { field, wire } = reader.tag();
    if (field === wanted && wire === WIRE.bytes) found.push(reader.delimited().toString('utf8'));
    else reader.skip(wire);
  }
  return found;
}

/** These are written whole, zero values too, as Go writes what is no pointer. */
const WHOLE: ReadonlySet<string> = new Set(['meta.v1.Status', 'meta.v1.StatusDetails', 'meta.v1.StatusCause', 'meta.v1.ListMeta']);

/** The bytes of an object or a list; undefined where its kind has no message (a Table). */
export function encodeProtobuf(object: object): Buffer | undefined {
  const { apiVersion = '', kind = '', ...rest } = object as { readonly apiVersion?: string; readonly kind?: string } & Json;
  let message = messageOf(apiVersion, kind);
  let raw: Buffer;
  if (fieldsOf(message) !== undefined) raw = writeMessage(message, rest);
  else {
    message = message.replace(/List$/, '');
    if (!kind.endsWith('List') || fieldsOf(message) === undefined) return undefined;
    const list = new WireWriter();
    list.delimited(1, writeMessage('meta.v1.ListMeta', (rest.metadata ?? {}) as Json));
    for (const item of (rest.items ?? []) as readonly Json[]) list.delimited(2, writeMessage(message, item));
    raw = list.bytes();
  }
  const meta = new WireWriter();
  meta.delimited(1, Buffer.from(apiVersion));
  meta.delimited(2, Buffer.from(kind));
  const unknown = new WireWriter();
  unknown.delimited(1, meta.bytes());
  unknown.delimited(2, raw);
  unknown.delimited(3, Buffer.alloc(0));
  unknown.delimited(4, Buffer.alloc(0));
  return Buffer.concat([PREFIX, unknown.bytes()]);
}

function writeMessage(message: string, value: Json): Buffer {
  const writer = new WireWriter();
  for (const field of fieldsOf(message) ?? []) {
    if (field.inline) {
      const inner = writeMessage(field.type, value);
      if (inner.length > 0) writer.delimited(field.number, inner);
      continue;
    }
    const given = value[field.name];
    if (given === undefined || given === null) {
      if (WHOLE.has(message) && !field.pointer && !field.repeated && !field.map) writeValue(writer, field.number, field.type, field.type === 'int32' ? 0 : '');
    } else if (field.repeated) for (const one of given as readonly unknown[]) writeValue(writer, field.number, field.type, one);
    else if (field.map) {
      for (const key of Object.keys(given).sort()) {
        const entry = new WireWriter();
        entry.delimited(1, Buffer.from(key));
        writeValue(entry, 2, field.type, (given as Json)[key]);
        writer.delimited(field.number, entry.bytes());
      }
    } else writeValue(writer, field.number, field.type, given);
  }
  return writer.bytes();
}

function writeValue(writer: WireWriter, number: number, type: string, value: unknown): void {
  const inner = new WireWriter();
  switch (type) {
    case 'string':
      writer.delimited(number, Buffer.from(String(value)));
      break;
    case 'bool':
      writer.varint(number, value === true ? 1 : 0);
      break;
    case 'int32':
    case 'int64':
      writer.varint(number, Math.trunc(Number(value)));
      break;
    case 'double':
      writer.double(number, Number(value));
      break;
    case 'bytes':
      writer.delimited(number, Buffer.from(String(value), 'base64'));
      break;
    case 'time':
    case 'microtime': {
      const text = String(value);
      const at = Date.parse(text);
      inner.varint(1, Math.floor(at / 1000));
      inner.varint(2, Number((/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(9, '0').slice(0, 9)));
      writer.delimited(number, inner.bytes());
      break;
    }
    case 'quantity':
      inner.delimited(1, Buffer.from(String(value)));
      writer.delimited(number, inner.bytes());
      break;
    case 'intstr':
      inner.varint(1, typeof value === 'number' ? 0 : 1);
      inner.varint(2, typeof value === 'number' ? value : 0);
      inner.delimited(3, Buffer.from(typeof value === 'number' ? '' : String(value)));
      writer.delimited(number, inner.bytes());
      break;
    case 'duration':
      inner.varint(1, BigInt(Math.round(Number.parseFloat(String(value)) * 1e9)));
      writer.delimited(number, inner.bytes());
      break;
    case 'raw':
      inner.delimited(1, Buffer.from(JSON.stringify(value)));
      writer.delimited(number, inner.bytes());
      break;
    case '[]string!':
      for (const one of value as readonly string[]) inner.delimited(1, Buffer.from(one));
      writer.delimited(number, inner.bytes());
      break;
    default:
      writer.delimited(number, writeMessage(type, value as Json));
      break;
  }
}

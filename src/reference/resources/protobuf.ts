/**
 * Bodies of kubectl's typed commands: Kubernetes' protobuf, decoded to the JSON that the same object would have been. A message is known by its field
 * numbers (data/protobuf.json: "name=number …", "+struct=number" for a struct whose fields are inlined in JSON) and by the kind's schema.
 * Source: apimachinery, pkg/runtime/serializer/protobuf/protobuf.go (envelope), the protobuf tags of k8s.io/api. Read on first use.
 */
import { createRequire } from 'node:module';
import type { FieldSchema } from '../types.js';
import type layouts from './data/protobuf.json';
import { structName, structSchema } from './schema.js';

/** What every protobuf body of Kubernetes starts with. */
export const PROTOBUF_PREFIX = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** A body that is no message of a known kind. The message is a sentence for the log. */
export class ProtobufError extends Error {}

type Layout = ReadonlyMap<number, string>;
type Layouts = Readonly<Record<keyof typeof layouts, Readonly<Record<string, string>>>>;
let data: Layouts | undefined;
const parsed = new Map<string, Layout>();

function layoutOf(name: string): Layout {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  data ??= createRequire(import.meta.url)('./data/protobuf.json') as Layouts;
  const [group = '', version = '', struct = ''] = name.split('.');
  const line = data[`${group}.${version}` as keyof Layouts]?.[struct] ?? '';
  const layout = new Map<number, string>();
  for (const word of line.split(' ')) {
    const equals = word.lastIndexOf('=');
    if (equals > 0) layout.set(Number(word.slice(equals + 1)), word.slice(0, equals));
  }
  parsed.set(name, layout);
  return layout;
}

/** One field on the wire: a number (varint, fixed) or bytes. */
interface Wire {
  readonly field: number;
  readonly value: bigint | Buffer;
}

function* wires(bytes: Buffer): Generator<Wire> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new ProtobufError('unexpected EOF');
  };
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw new ProtobufError('unexpected EOF');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const field = tag >>> 3;
    switch (tag & 7) {
      case 0:
        yield { field, value: varint() };
        break;
      case 1:
        yield { field, value: take(8) };
        break;
      case 2:
        yield { field, value: take(Number(varint())) };
        break;
      case 5:
        yield { field, value: take(4) };
        break;
      default:
        throw new ProtobufError(`proto: illegal wireType ${tag & 7}`);
    }
  }
}

const bytesOf = (value: bigint | Buffer): Buffer => {
  if (typeof value === 'bigint') throw new ProtobufError('proto: wrong wireType');
  return value;
};
const first = (bytes: Buffer, field: number): bigint | Buffer | undefined => [...wires(bytes)].findLast((wire) => wire.field === field)?.value;
const textOf = (value: bigint | Buffer | undefined): string => (value === undefined || typeof value === 'bigint' ? '' : value.toString('utf8'));
const numberOf = (value: bigint | Buffer | undefined): number => (typeof value === 'bigint' ? Number(value) : 0);

/** Timestamp {seconds, nanos}; nothing inside is Go's zero time. */
function timeOf(bytes: Buffer, micro: boolean): string | null {
  if (bytes.length === 0) return null;
  const seconds = new Date(numberOf(first(bytes, 1)) * 1000).toISOString().slice(0, 19);
  const micros = Math.floor(numberOf(first(bytes, 2)) / 1000);
  return micro ? `${seconds}.${String(micros).padStart(6, '0')}Z` : `${seconds}Z`;
}

/** RawExtension, FieldsV1, JSON: {raw}, whose bytes are JSON. */
function rawOf(bytes: Buffer): unknown {
  const raw = textOf(first(bytes, 1));
  if (raw === '') return null;
  try {
    return JSON.parse(raw);
  } catch {
    throw new ProtobufError('raw extension is not JSON');
  }
}

function decodeValue(schema: FieldSchema, value: bigint | Buffer): unknown {
  switch (schema.type) {
    case 'boolean':
      return value !== 0n;
    case 'integer':
      return numberOf(value);
    case 'number':
      return typeof value === 'bigint' ? Number(value) : value.length === 8 ? value.readDoubleLE() : value.readFloatLE();
    case 'string':
      if (schema.format === 'byte') return bytesOf(value).toString('base64');
      return schema.format === 'date-time' ? timeOf(bytesOf(value), schema.goType === 'v1.MicroTime') : textOf(value);
    case 'int-or-string':
      if (schema.format === 'quantity') return textOf(first(bytesOf(value), 1));
      return first(bytesOf(value), 1) === 1n ? textOf(first(bytesOf(value), 3)) : numberOf(first(bytesOf(value), 2));
    case 'object':
      return messageOf(schema, bytesOf(value));
    case 'array':
      // A named list (ExtraValue) as the value of a map: a message of its items.
      return [...wires(bytesOf(value))].map((wire) => decodeValue(schema.items ?? { type: 'string' }, wire.value));
    default:
      return rawOf(bytesOf(value));
  }
}

function read(into: Record<string, unknown>, schema: FieldSchema, layout: Layout, bytes: Buffer): void {
  for (const { field, value } of wires(bytes)) {
    const name = layout.get(field);
    if (name === undefined) continue;
    if (name.startsWith('+')) {
      read(into, schema, layoutOf(name.slice(1)), bytesOf(value));
      continue;
    }
    const known = schema.properties?.[name];
    if (known === undefined) continue;
    if (known.type === 'array') {
      const items = known.items ?? { type: 'string' };
      into[name] = [...((into[name] as readonly unknown[] | undefined) ?? []), decodeValue(items, value)];
    } else if (known.type === 'map') {
      const items = known.items ?? { type: 'string' };
      const entry = first(bytesOf(value), 2);
      into[name] = { ...(into[name] as object | undefined), [textOf(first(bytesOf(value), 1))]: decodeValue(items, entry ?? Buffer.alloc(0)) };
    } else {
      const decoded = decodeValue(known, value);
      // Values that are held without a pointer are always on the wire: the zero value is what JSON leaves out.
      const isZero = decoded === null || (known.presence === undefined && (decoded === '' || decoded === 0 || decoded === false));
      if (!isZero) into[name] = decoded;
    }
  }
}

function messageOf(schema: FieldSchema, bytes: Buffer): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  read(out, schema, layoutOf(structName(schema) ?? ''), bytes);
  return out;
}

/** Struct packages of groups whose name does not start with that of the package. */
const PACKAGES: Readonly<Record<string, string>> = { '': 'core', 'flowcontrol.apiserver.k8s.io': 'flowcontrol', 'rbac.authorization.k8s.io': 'rbac' };

/** The schema of a kind wherever it lives; options of requests may come as any group's. */
function schemaFor(apiVersion: string, kind: string): FieldSchema {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  const own = structSchema(`${PACKAGES[group ?? ''] ?? (group ?? '').split('.')[0]}.${version ?? 'v1'}.${kind}`);
  return own.type === 'object' ? own : structSchema(`meta.v1.${kind}`);
}

/**
 * The JSON value of a body. Source of the envelope: runtime.Unknown {typeMeta {apiVersion, kind}, raw, contentEncoding, contentType}.
 * @throws ProtobufError where the body lacks the prefix, is cut short, or is of a kind that has no schema here
 */
export function decodeProtobuf(body: Buffer): Record<string, unknown> {
  if (!body.subarray(0, 4).equals(PROTOBUF_PREFIX))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  const envelope = body.subarray(4);
  const typeMeta = first(envelope, 1);
  const raw = first(envelope, 2);
  const apiVersion = typeMeta === undefined ? '' : textOf(first(bytesOf(typeMeta), 1));
  const kind = typeMeta === undefined ? '' : textOf(first(bytesOf(typeMeta), 2));
  const schema = schemaFor(apiVersion, kind);
  if (schema.type !== 'object') throw new ProtobufError(`no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`);
  return { apiVersion, kind, ...messageOf(schema, raw === undefined ? Buffer.alloc(0) : bytesOf(raw)) };
}

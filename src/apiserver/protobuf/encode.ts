/**
 * Objects, lists and Statuses to bodies in protocol buffers, for clients that ask for them first. Source:
 * apimachinery, pkg/runtime/serializer/protobuf/protobuf.go Encode; the order and the fields that are written though
 * empty are gogo/protobuf's.
 */
import { type Field, type Message, messageName, messageNamed, PREFIX } from './messages.js';
import { DELIMITED, newWriter, VARINT, type Writer } from './wire.js';

type Json = Readonly<Record<string, unknown>>;

/**
 * Whole messages: what is no pointer is written though it is empty, as Go does. Clients of objects do not miss it
 * there.
 */
const WHOLE: ReadonlySet<string> = new Set([
  'meta.v1.Status',
  'meta.v1.StatusDetails',
  'meta.v1.StatusCause',
  'meta.v1.ListMeta',
]);
const NOTHING: Json = {};

/** The body of an object or a list; undefined where its kind has no message (a Table). */
export function encodeProtobuf(object: object): Buffer | undefined {
  const {
    apiVersion = '',
    kind = '',
    ...rest
  } = object as { readonly apiVersion?: string; readonly kind?: string } & Json;
  const name = messageName(apiVersion, kind);
  const message = messageNamed(name);
  const items = message ?? messageNamed(name.replace(/List$/, ''));
  if (items === undefined) return undefined;
  const writer = newWriter();
  writer.tag(1, DELIMITED).fork();
  writer.tag(1, DELIMITED).string(apiVersion);
  writer.tag(2, DELIMITED).string(kind);
  writer.join();
  writer.tag(2, DELIMITED).fork();
  if (message === undefined) writeList(writer, items, rest);
  else writeMessage(writer, message, rest);
  writer.join();
  writer.tag(3, DELIMITED).string('');
  writer.tag(4, DELIMITED).string('');
  return Buffer.concat([PREFIX, writer.finish()]);
}

/**
 * One event of a watch: its length in four bytes, then a WatchEvent whose object is a body of its own. Source:
 * apimachinery, pkg/util/framer/framer.go NewLengthDelimitedFrameWriter; pkg/runtime/serializer/protobuf
 * NewRawSerializer.
 */
export function encodeWatchEvent(type: string, object: object): Buffer {
  const writer = newWriter();
  writer.tag(1, DELIMITED).string(type);
  writer.tag(2, DELIMITED).fork();
  writer.tag(1, DELIMITED).bytes(encodeProtobuf(object) ?? Buffer.alloc(0));
  writer.join();
  const event = writer.finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

function writeList(writer: Writer, message: Message, { metadata, items }: Json): void {
  writeValue(writer, 1, 'meta.v1.ListMeta', metadata ?? NOTHING);
  for (const item of (items ?? []) as readonly Json[]) {
    writer.tag(2, DELIMITED).fork();
    writeMessage(writer, message, item);
    writer.join();
  }
}

function writeMessage(writer: Writer, message: Message, value: Json): void {
  const whole = WHOLE.has(message.name);
  for (const field of message.fields) {
    if (field.inline) writeValue(writer, field.number, field.type, value);
    else writeField(writer, field, value[field.name], whole);
  }
}

function writeField(writer: Writer, field: Field, given: unknown, whole: boolean): void {
  if (given === undefined || given === null) {
    if (whole && !field.pointer && !field.repeated)
      writeValue(writer, field.number, field.type, field.type === 'int32' ? 0 : '');
  } else if (field.repeated) {
    for (const one of given as readonly unknown[]) writeValue(writer, field.number, field.type, one);
  } else if (field.map) {
    for (const key of Object.keys(given).sort()) {
      writer.tag(field.number, DELIMITED).fork();
      writer.tag(1, DELIMITED).string(key);
      writeValue(writer, 2, field.type, (given as Json)[key]);
      writer.join();
    }
  } else writeValue(writer, field.number, field.type, given);
}

function writeValue(writer: Writer, number: number, type: string, value: unknown): void {
  switch (type) {
    case 'string':
      writer.tag(number, DELIMITED).string(String(value));
      return;
    case 'bool':
      writer.tag(number, VARINT).bool(value === true);
      return;
    case 'int32':
      writer.tag(number, VARINT).int32(Math.trunc(Number(value)));
      return;
    case 'int64':
      writer.tag(number, VARINT).int64(Math.trunc(Number(value)));
      return;
    case 'bytes':
      writer.tag(number, DELIMITED).bytes(Buffer.from(String(value), 'base64'));
      return;
    default:
      writer.tag(number, DELIMITED).fork();
      writeInner(writer, type, value);
      writer.join();
  }
}

/** What stands between the length of a message and its end. */
function writeInner(writer: Writer, type: string, value: unknown): void {
  switch (type) {
    case 'time':
    case 'microtime': {
      const text = String(value);
      writer.tag(1, VARINT).int64(Math.floor(Date.parse(text) / 1000));
      writer.tag(2, VARINT).int32(Number((/\.(\d+)/.exec(text)?.[1] ?? '').padEnd(9, '0').slice(0, 9)));
      return;
    }
    case 'quantity':
      writer.tag(1, DELIMITED).string(String(value));
      return;
    case 'intstr': {
      const isNumber = typeof value === 'number';
      writer.tag(1, VARINT).int64(isNumber ? 0 : 1);
      writer.tag(2, VARINT).int32(isNumber ? value : 0);
      writer.tag(3, DELIMITED).string(isNumber ? '' : String(value));
      return;
    }
    case 'raw':
      writer.tag(1, DELIMITED).string(JSON.stringify(value));
      return;
    case '[]string!':
      for (const one of value as readonly string[]) writer.tag(1, DELIMITED).string(one);
      return;
    default: {
      const message = messageNamed(type);
      if (message !== undefined) writeMessage(writer, message, value as Json);
    }
  }
}

/**
 * An OpenAPI v2 document as clients of every age read it to validate what they send: the message openapi.v2.Document.
 * Source: gnostic-models, openapiv2/OpenAPIv2.proto; what is of no type of its own is YAML there, OpenAPIv2.go NewAny.
 */
import { isRecord } from '../../kubernetes/json.js';
import { writeYaml } from '../go/yaml-write.js';
import { DELIMITED, newWriter, VARINT, type Writer } from '../protobuf/wire.js';

type Json = Readonly<Record<string, unknown>>;
/** Writes a value as the field of a number. */
type Field = (writer: Writer, number: number, value: unknown) => void;
type Message = (writer: Writer, value: Json) => void;

const text: Field = (writer, number, value) => void writer.tag(number, DELIMITED).string(String(value));
/** As in Go, what is false is not written. */
const flag: Field = (writer, number, value) => {
  if (value === true) writer.tag(number, VARINT).bool(true);
};
/** A message, looked up when it is written: a schema holds schemas. */
const message =
  (find: () => Message): Field =>
  (writer, number, value) => {
    writer.tag(number, DELIMITED).fork();
    find()(writer, isRecord(value) ? value : {});
    writer.join();
  };
/** A message that has nothing but this field. */
const only =
  (inner: number, field: Field): Field =>
  (writer, number, value) => {
    writer.tag(number, DELIMITED).fork();
    field(writer, inner, value);
    writer.join();
  };
const each =
  (field: Field): Field =>
  (writer, number, value) => {
    for (const one of Array.isArray(value) ? value : [value]) field(writer, number, one);
  };
/** Each entry of a mapping is a message of its name and its value. */
const entries =
  (field: Field): Field =>
  (writer, number, value) => {
    for (const [name, inner] of Object.entries(isRecord(value) ? value : {})) {
      writer.tag(number, DELIMITED).fork();
      text(writer, 1, name);
      field(writer, 2, inner);
      writer.join();
    }
  };
const yaml = only(2, (writer, number, value) => text(writer, number, writeYaml(value)));
const extensions = entries(yaml);

type Known = Readonly<Record<string, readonly [number: number, field: Field]>>;

/** `rest`: the number of the field for names that begin with "x-". */
const fields = (known: Known, rest: number): Message => {
  const inOrder = Object.entries(known).sort(([, [a]], [, [b]]) => a - b);
  return (writer, value) => {
    for (const [name, [number, field]] of inOrder) if (value[name] !== undefined) field(writer, number, value[name]);
    const others = Object.entries(value).filter(([name]) => name.startsWith('x-'));
    extensions(writer, rest, Object.fromEntries(others));
  };
};

const schema: Field = message(() => SCHEMA);
const SCHEMA = fields(
  {
    $ref: [1, text],
    format: [2, text],
    description: [4, text],
    default: [5, yaml],
    required: [19, each(text)],
    additionalProperties: [21, only(1, schema)],
    type: [22, only(1, each(text))],
    items: [23, only(1, each(schema))],
    properties: [25, only(1, entries(schema))],
  },
  31,
);

const BODY_PARAMETER = fields({ name: [2, text], in: [3, text], required: [4, flag], schema: [5, schema] }, 6);
const QUERY_PARAMETER = fields(
  { required: [1, flag], in: [2, text], name: [4, text], type: [6, text], uniqueItems: [20, flag] },
  23,
);
const PATH_PARAMETER = fields(
  { required: [1, flag], in: [2, text], name: [4, text], type: [5, text], uniqueItems: [19, flag] },
  22,
);
const PLACES: Readonly<Record<string, Field>> = {
  body: only(
    1,
    message(() => BODY_PARAMETER),
  ),
  query: only(
    2,
    only(
      3,
      message(() => QUERY_PARAMETER),
    ),
  ),
  path: only(
    2,
    only(
      4,
      message(() => PATH_PARAMETER),
    ),
  ),
};
/** Each place has a message of its own. */
const parameter: Field = (writer, number, value) => {
  const place = isRecord(value) ? PLACES[String(value.in)] : undefined;
  if (place !== undefined) only(1, place)(writer, number, value);
};

const RESPONSE = fields({ description: [1, text], schema: [2, only(1, schema)] }, 5);
const OPERATION = fields(
  {
    operationId: [5, text],
    produces: [6, each(text)],
    consumes: [7, each(text)],
    parameters: [8, each(parameter)],
    responses: [
      9,
      only(
        1,
        entries(
          only(
            1,
            message(() => RESPONSE),
          ),
        ),
      ),
    ],
  },
  13,
);
const operation = message(() => OPERATION);
const PATH_ITEM = fields(
  {
    get: [2, operation],
    put: [3, operation],
    post: [4, operation],
    delete: [5, operation],
    patch: [8, operation],
    parameters: [9, each(parameter)],
  },
  10,
);
const INFO = fields({ title: [1, text], version: [2, text] }, 7);
const DOCUMENT = fields(
  {
    swagger: [1, text],
    info: [2, message(() => INFO)],
    paths: [8, only(2, entries(message(() => PATH_ITEM)))],
    definitions: [9, only(1, entries(schema))],
  },
  16,
);

/** The body for a document of JSON. What this server's own documents never hold is left out. */
export function encodeOpenapiV2(document: Json): Buffer {
  const writer = newWriter();
  DOCUMENT(writer, document);
  return Buffer.from(writer.finish());
}

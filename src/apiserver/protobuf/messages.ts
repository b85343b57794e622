/**
 * Which field of which message has which number and type, from one data file: message → "number name type, …". Types:
 * string bool int32 int64 bytes time microtime quantity intstr raw, `map T`, `[]T`, another message, and
 * `[]string!` (a message that only holds strings). A name with ^ is a struct whose fields JSON shows in place of
 * it; a type with ? is a pointer. Read on first use. Source of the numbers: generated.proto of each API group under
 * k8s.io/api, and of apimachinery, pkg/apis/meta/v1.
 */
import { createRequire } from 'node:module';
import type messageLines from './messages.json';

export interface Field {
  readonly number: number;
  readonly name: string;
  readonly type: string;
  readonly repeated: boolean;
  readonly map: boolean;
  readonly inline: boolean;
  readonly pointer: boolean;
}

export interface Message {
  readonly name: string;
  /** in the order of their numbers, as Go writes them */
  readonly fields: readonly Field[];
  readonly byNumber: ReadonlyMap<number, Field>;
}

/** Answers of discovery, which are of no group; the aggregated one is the same in both of its versions. */
const DISCOVERY: Readonly<Record<string, string>> = {
  APIVersions: 'meta.v1.APIVersions',
  APIGroup: 'meta.v1.APIGroup',
  APIGroupList: 'meta.v1.APIGroupList',
  APIResourceList: 'meta.v1.APIResourceList',
  APIGroupDiscoveryList: 'apidiscovery.v2.APIGroupDiscoveryList',
};

let lines: Readonly<Record<string, string>> | undefined;
const parsed = new Map<string, Message>();

function fieldOf(part: string): Field {
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
}

const load = (): Readonly<Record<string, string>> => {
  lines ??= createRequire(import.meta.url)('./messages.json') as typeof messageLines;
  return lines;
};

/** Every message of the data file. */
export const messageNames = (): readonly string[] => Object.keys(load());

/** The message of that name; undefined where there is none. */
export function messageNamed(name: string): Message | undefined {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const line = load()[name];
  if (line === undefined) return undefined;
  const fields = line
    .split(', ')
    .map(fieldOf)
    .sort((a, b) => a.number - b.number);
  const message = { name, fields, byNumber: new Map(fields.map((field) => [field.number, field])) };
  parsed.set(name, message);
  return message;
}

/**
 * "rbac.v1.Role" of rbac.authorization.k8s.io/v1 and Role. Options of requests and Status are the same message in
 * every group.
 */
export function messageName(apiVersion: string, kind: string): string {
  if (Object.hasOwn(DISCOVERY, kind)) return DISCOVERY[kind] ?? '';
  if (kind.endsWith('Options') || kind === 'Status') return `meta.v1.${kind}`;
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  return `${group.split('.')[0]}.${version}.${kind}`;
}

/**
 * "k8s" and a zero byte; runtime.Unknown follows. Source: apimachinery, pkg/runtime/serializer/protobuf/protobuf.go.
 */
export const PREFIX = Buffer.from('k8s\0', 'latin1');

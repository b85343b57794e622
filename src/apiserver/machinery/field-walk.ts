/**
 * Values walked by their schema: which fields they set, what differs, merging and removal. Source:
 * structured-merge-diff, typed/{toset,compare,merge,remove}.go.
 */

import { isDeepStrictEqual } from 'node:util';
import { type Fields, isRecord, record } from '../../kubernetes/json.js';
import { dynamicType, goSyntax, goValue } from '../go/text.js';
import type { FieldSchema } from '../resource-definition.js';
import { EMPTY, type FieldNode, LEAF, node, union } from './field-set.js';

const ANY: FieldSchema = { type: 'any' };

/** How a value is owned: whole, by its fields or keys, or by its items. */
function shape(schema: FieldSchema): 'leaf' | 'fields' | 'items' {
  if (schema.type === 'map') return schema.mapType === 'atomic' ? 'leaf' : 'fields';
  if (schema.type === 'object')
    return schema.mapType === 'atomic' || schema.properties === undefined ? 'leaf' : 'fields';
  if (schema.type === 'array') return schema.listType === 'map' || schema.listType === 'set' ? 'items' : 'leaf';
  return 'leaf';
}

const fieldSchema = (schema: FieldSchema, key: string): FieldSchema =>
  (schema.type === 'map'
    ? schema.items
    : Object.hasOwn(schema.properties ?? {}, key)
      ? schema.properties?.[key]
      : undefined) ?? ANY;

/** Keys that clients leave out because the server fills them in. */
const KEY_DEFAULTS: Fields = { protocol: 'TCP' };

/** What a key counts as that is left out: its zero value where its field has to be there; undefined: nothing. */
function keyDefault(schema: FieldSchema, name: string): unknown {
  const { properties = {} } = schema.items ?? ANY;
  const { [name]: field } = properties;
  if (Object.hasOwn(KEY_DEFAULTS, name)) return KEY_DEFAULTS[name];
  // a reference by its name alone: +default="" of LocalObjectReference
  if (field?.presence !== 'always' && Object.keys(properties).length > 1) return undefined;
  return field?.type === 'string' ? '' : field?.type === 'integer' ? 0 : undefined;
}

/** Of an item without any of its keys. */
const NO_KEY = 'k:{}';

/** The path element of a list's item. */
function itemKey(schema: FieldSchema, item: unknown): string {
  if (schema.listType === 'set') return `v:${JSON.stringify(item)}`;
  const fields = record(item);
  const key: Record<string, unknown> = {};
  for (const name of [...(schema.mapKeys ?? [])].sort()) {
    const value = fields[name] ?? keyDefault(schema, name);
    if (value !== undefined) key[name] = value;
  }
  return `k:${JSON.stringify(key)}`;
}

const itemsByKey = (schema: FieldSchema, list: unknown): Map<string, unknown> =>
  new Map(Array.isArray(list) ? list.map((item: unknown) => [itemKey(schema, item), item]) : []);

/** All fields that a value sets: what applying it comes to own. */
export function fieldsOf(schema: FieldSchema, value: unknown): FieldNode {
  switch (shape(schema)) {
    case 'leaf':
      return LEAF;
    case 'fields': {
      if (!isRecord(value)) return value === null ? LEAF : EMPTY;
      return node(
        false,
        Object.entries(value)
          .filter(([, inner]) => inner !== undefined)
          .map(([key, inner]) => {
            const below = fieldsOf(fieldSchema(schema, key), inner);
            const own = schema.type === 'map' || inner === null || (isRecord(inner) && Object.keys(inner).length === 0);
            return [`f:${key}`, own ? union(below, LEAF) : below] as const;
          }),
      );
    }
    case 'items':
      return node(
        false,
        [...itemsByKey(schema, value)].map(
          ([key, item]) => [key, union(fieldsOf(schema.items ?? ANY, item), LEAF)] as const,
        ),
      );
  }
}

export interface Comparison {
  readonly added: FieldNode;
  readonly modified: FieldNode;
  readonly removed: FieldNode;
}

const SAME: Comparison = { added: EMPTY, modified: EMPTY, removed: EMPTY };
const ADDED: Comparison = { ...SAME, added: LEAF };
const REMOVED: Comparison = { ...SAME, removed: LEAF };
const MODIFIED: Comparison = { ...SAME, modified: LEAF };

const hollow = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

function leaf(left: unknown, right: unknown): Comparison {
  if (left === undefined) return right === undefined ? SAME : ADDED;
  if (right === undefined) return REMOVED;
  return isDeepStrictEqual(left, right) ? SAME : MODIFIED;
}

/** What distinguishes two values; undefined is an absent one. */
export function compare(schema: FieldSchema, left: unknown, right: unknown): Comparison {
  if (left === right) return SAME;
  const how = shape(schema);
  if (how === 'leaf' || (hollow(left) && hollow(right))) return leaf(left, right);
  const parts: (readonly [string, Comparison])[] = [];
  if (how === 'fields') {
    const before = record(left);
    const after = record(right);
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      parts.push([`f:${key}`, compare(fieldSchema(schema, key), before[key], after[key])]);
  } else {
    const before = itemsByKey(schema, left);
    const after = itemsByKey(schema, right);
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const found = compare(schema.items ?? ANY, before.get(key), after.get(key));
      parts.push([key, found]);
    }
  }
  return {
    added: node(
      left === undefined,
      parts.map(([key, part]) => [key, part.added] as const),
    ),
    modified: node(
      false,
      parts.map(([key, part]) => [key, part.modified] as const),
    ),
    removed: node(
      right === undefined,
      parts.map(([key, part]) => [key, part.removed] as const),
    ),
  };
}

/**
 * In which order the items of two lists stand in one: as the applied list has those that it names, and each of the
 * others where it stood, before the next one of both. Source: structured-merge-diff, typed/merge.go visitListItems.
 */
function itemOrder(live: readonly string[], applied: readonly string[]): readonly string[] {
  const [inLive, inApplied] = [new Set(live), new Set(applied)];
  const shared = applied.filter((key) => inLive.has(key));
  const order = new Set<string>();
  let next = 0;
  let at = 0;
  for (const key of live) {
    if (!inApplied.has(key)) order.add(key);
    else if (shared[next] === key) {
      // what is new before it comes with it
      while (at < applied.length && !order.has(key)) order.add(applied[at++] as string);
      next += 1;
    }
  }
  for (; at < applied.length; at += 1) order.add(applied[at] as string);
  return [...order];
}

/** What an applied configuration makes of a live value. */
export function merge(schema: FieldSchema, live: unknown, config: unknown): unknown {
  if (config === undefined) return live;
  const how = shape(schema);
  if (how === 'leaf' || live === undefined || live === null) return config;
  // Nothing is said about what is inside: it stays.
  if (config === null) return live;
  if (how === 'fields') {
    if (!isRecord(live) || !isRecord(config)) return config;
    const out: Record<string, unknown> = { ...live };
    for (const [key, value] of Object.entries(config)) out[key] = merge(fieldSchema(schema, key), live[key], value);
    return out;
  }
  const [before, wanted] = [itemsByKey(schema, live), itemsByKey(schema, config)];
  return itemOrder([...before.keys()], [...wanted.keys()]).map((key) => {
    const mine = wanted.get(key);
    return mine === undefined ? before.get(key) : merge(schema.items ?? ANY, before.get(key), mine);
  });
}

/**
 * A value without some fields; what is left empty by that becomes null, which is still there for who owns the map or
 * list itself.
 */
export function removeFields(schema: FieldSchema, value: unknown, set: FieldNode): unknown {
  const how = shape(schema);
  if (set.children.size === 0 || how === 'leaf') return value;
  if (how === 'fields') {
    if (!isRecord(value)) return value;
    const out: Record<string, unknown> = {};
    let kept = false;
    for (const [key, inner] of Object.entries(value)) {
      const below = set.children.get(`f:${key}`);
      if (below?.member === true) continue;
      kept = true;
      out[key] = below === undefined ? inner : removeFields(fieldSchema(schema, key), inner, below);
    }
    return kept || Object.keys(value).length === 0 ? out : null;
  }
  if (!Array.isArray(value)) return value;
  const left = value.flatMap((item: unknown) => {
    const below = set.children.get(itemKey(schema, item));
    if (below?.member === true) return [];
    return [below === undefined ? item : removeFields(schema.items ?? ANY, item, below)];
  });
  return left.length === 0 ? null : left;
}

/** Why a value does not fit its schema, in the words of server-side apply: one text per fault. */
export function typeFaults(schema: FieldSchema, value: unknown, path = ''): string[] {
  const at = path === '' ? '' : `${path}: `;
  const got = (): string => `got &{${goValue(value)}}`;
  if (value === null || value === undefined || schema.type === 'any') return [];
  if (schema.type === 'int-or-string' && schema.format !== 'quantity') return [];
  if (schema.type === 'int-or-string' || schema.format === 'date-time')
    return typeof value === 'object' ? [`${at}expected any scalar, ${got()}`] : [];
  switch (schema.type) {
    case 'string':
      return typeof value === 'string'
        ? []
        : [`${at}expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${at}expected boolean, ${got()}`];
    case 'integer':
    case 'number':
      return typeof value === 'number' ? [] : [`${at}expected numeric (int or float), got ${dynamicType(value)}`];
    case 'array': {
      if (!Array.isArray(value)) return [`${at}expected list, ${got()}`];
      const seen = new Set<string>();
      return value.flatMap((item: unknown, index) => {
        if (shape(schema) !== 'items') return typeFaults(schema.items ?? ANY, item, `${path}[${index}]`);
        if (item === null) {
          const why =
            schema.listType === 'set'
              ? "without keys has an element that's an explicit null"
              : 'with keys may not have a null element';
          return [`${at}element ${index}: associative list ${why}`];
        }
        if (schema.listType === 'map' && !isRecord(item))
          return [`${at}element ${index}: associative list with keys may not have non-map elements`];
        const key = itemKey(schema, item);
        if (key === NO_KEY) {
          const names = `[${(schema.mapKeys ?? []).map((name) => JSON.stringify(name)).join(' ')}]`;
          const why = `has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
          return [`${at}element ${index}: associative list with keys ${why}`];
        }
        const text = key.startsWith('k:')
          ? `[${Object.entries(JSON.parse(key.slice(2)) as Fields)
              .map(([name, own]) => `${name}=${JSON.stringify(own)}`)
              .join(',')}]`
          : `[=${key.slice(2)}]`;
        if (seen.has(key)) return [`${at}duplicate entries for key ${text}`];
        seen.add(key);
        return typeFaults(schema.items ?? ANY, item, `${path}${text}`);
      });
    }
    default: {
      if (!isRecord(value)) return [`${at}expected map, ${got()}`];
      if (schema.type === 'object' && schema.properties === undefined) return [];
      const faults: string[] = [];
      for (const [key, inner] of Object.entries(value)) {
        // What follows is not looked at any more. Source: structured-merge-diff, typed/validate.go visitMapItems.
        if (schema.type === 'object' && !Object.hasOwn(schema.properties ?? {}, key))
          return [...faults, `${path}.${key}: field not declared in schema`];
        faults.push(...typeFaults(fieldSchema(schema, key), inner, `${path}.${key}`));
      }
      return faults;
    }
  }
}

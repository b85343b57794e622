/** Strategic merge patch: lists by key, directives. Source: apimachinery, pkg/util/strategicpatch/patch.go. */

import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../kubernetes/json.js';
import { goValue } from '../go/text.js';
import type { FieldSchema } from '../resource-definition.js';
import { badRequest, plainError } from './errors.js';

type Fields = Record<string, unknown>;

const ANY: FieldSchema = { type: 'any' };
const PATCH = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE = '$deleteFromPrimitiveList/';

const childSchema = (schema: FieldSchema, key: string): FieldSchema =>
  (schema.type === 'map'
    ? schema.items
    : Object.hasOwn(schema.properties ?? {}, key)
      ? schema.properties?.[key]
      : undefined) ?? ANY;

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);
const merges = (schema: FieldSchema): boolean => schema.patchStrategy?.includes('merge') === true;

/** What a patch makes of a map. @throws ApiError */
export function strategicMerge(schema: FieldSchema, current: unknown, patch: Fields): Fields {
  const { [PATCH]: directive, [RETAIN]: retained, ...changes } = patch;
  if (directive === 'replace') return plain(changes);
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw plainError(`unknown patch type: ${goValue(directive)} in map: ${goValue(patch)}`);
  const out: Fields = isRecord(current) ? { ...current } : {};
  if (retained !== undefined) {
    if (!Array.isArray(retained)) throw badRequest('invalid patch format of retainKeys');
    for (const key of Object.keys(out)) if (!retained.includes(key)) delete out[key];
  }
  checkOrders(schema, changes);
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith(DELETE)) {
      const name = key.slice(DELETE.length);
      if (Array.isArray(out[name])) out[name] = listOf(out[name]).filter((item) => !listOf(value).includes(item));
      continue;
    }
    if (key.startsWith(ORDER)) continue;
    const inner = childSchema(schema, key);
    if (value === null || (isRecord(value) && value[PATCH] !== undefined && !isRecord(out[key]))) delete out[key];
    else if (isRecord(value))
      out[key] =
        inner.patchStrategy === 'replace' && isRecord(out[key])
          ? plain(value)
          : strategicMerge(inner, isRecord(out[key]) ? out[key] : {}, value);
    else if (Array.isArray(value))
      out[key] = !Array.isArray(out[key])
        ? value.filter(isKept).map(bare)
        : merges(inner)
          ? mergeLists(inner, listOf(out[key]), value)
          : value;
    else out[key] = value;
  }
  for (const [key, order] of Object.entries(changes)) {
    if (!key.startsWith(ORDER)) continue;
    const name = key.slice(ORDER.length);
    if (Array.isArray(out[name]))
      out[name] = reorder(
        childSchema(schema, name),
        listOf(out[name]),
        listOf(order),
        isRecord(current) ? listOf(current[name]) : [],
      );
  }
  return out;
}

/** What a list changes has to stand as its order says. Source: validatePatchWithSetOrderList. */
function checkOrders(schema: FieldSchema, changes: Fields): void {
  for (const [key, order] of Object.entries(changes)) {
    if (!key.startsWith(ORDER)) continue;
    const [name, ordered] = [key.slice(ORDER.length), listOf(order)];
    const list = listOf(changes[name]);
    const mergeKey = childSchema(schema, name).patchMergeKey;
    const idOf = (item: unknown): unknown => (mergeKey !== undefined && isRecord(item) ? item[mergeKey] : item);
    let rest = list.filter(isKept);
    if (ordered.length === 0 || list.length === 0) continue;
    for (const item of ordered) if (isDeepStrictEqual(idOf(rest[0]), idOf(item))) rest = rest.slice(1);
    if (rest.length > 0)
      throw plainError(
        `The order in patch list:\n${goValue(list)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
      );
  }
}

/** What carries a directive is about something that is not there. Source: removeDirectives. */
const isKept = (value: unknown): boolean => !isRecord(value) || value[PATCH] === undefined;

/** A value where there is nothing to merge into, at every depth. Source: removeDirectives, discardNullValuesFromPatch. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isKept).map(bare);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && isKept(inner))
      .map(([key, inner]) => [key, bare(inner)]),
  );
}

/** A patch's own values where there is nothing to merge into: without directives and nulls. */
function plain(value: Fields): Fields {
  return Object.fromEntries(Object.entries(value).filter(([key, inner]) => inner !== null && !key.startsWith('$')));
}

function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isRecord(item) || item[mergeKey] === undefined)
    throw plainError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);
  return item[mergeKey];
}

function mergeLists(schema: FieldSchema, current: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const mergeKey = schema.patchMergeKey;
  if (mergeKey === undefined) {
    const merged = [...current, ...patch.filter((item) => !current.some((have) => isDeepStrictEqual(have, item)))];
    return reorder(schema, merged, patch, current);
  }
  const directives = patch.filter((item): item is Fields => isRecord(item) && item[PATCH] !== undefined);
  if (directives.some((item) => item[PATCH] === 'replace'))
    return patch.filter((item) => !isRecord(item) || item[PATCH] === undefined);
  let out = [...current];
  for (const item of patch) {
    const key = keyOf(item, mergeKey);
    const fields = item as Fields;
    const directive = fields[PATCH];
    if (directive === 'delete') {
      out = out.filter((have) => !isRecord(have) || have[mergeKey] !== key);
      continue;
    }
    if (directive !== undefined && directive !== 'merge')
      throw plainError(`unknown patch type: ${goValue(directive)} in map: ${goValue(item)}`);
    const index = out.findIndex((have) => isRecord(have) && have[mergeKey] === key);
    const merged = strategicMerge(schema.items ?? ANY, index < 0 ? {} : out[index], fields);
    if (index < 0) out.push(merged);
    else out[index] = merged;
  }
  return reorder(schema, out, patch, current);
}

/** Items that the order names stand in its order; the others keep their place among what the server had. */
function reorder(
  schema: FieldSchema,
  list: readonly unknown[],
  order: readonly unknown[],
  server: readonly unknown[],
): unknown[] {
  const mergeKey = schema.patchMergeKey;
  const idOf = (item: unknown): string =>
    JSON.stringify(mergeKey !== undefined && isRecord(item) ? item[mergeKey] : item);
  const wanted = order.map(idOf);
  const before = server.map(idOf);
  const named = list
    .filter((item) => wanted.includes(idOf(item)))
    .sort((a, b) => wanted.indexOf(idOf(a)) - wanted.indexOf(idOf(b)));
  const rest = list.filter((item) => !wanted.includes(idOf(item)));
  const out: unknown[] = [];
  while (named.length > 0 || rest.length > 0) {
    const left = named.length === 0 ? Number.POSITIVE_INFINITY : before.indexOf(idOf(named[0]));
    const right = rest.length === 0 ? Number.POSITIVE_INFINITY : before.indexOf(idOf(rest[0]));
    out.push(left >= 0 && right < left ? rest.shift() : named.length > 0 ? named.shift() : rest.shift());
  }
  return out;
}

/** Strategic merge patch: lists by key, directives. Source: apimachinery, pkg/util/strategicpatch/patch.go. */

import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../kubernetes/json.js';
import { dynamicType, goQuote, goValue } from '../go/text.js';
import { goTypeName } from '../go/type-name.js';
import type { FieldSchema } from '../resource-definition.js';
import { badRequest, patchRejected, plainError } from './errors.js';

type Fields = Record<string, unknown>;

const ANY: FieldSchema = { type: 'any' };
const PATCH = '$patch';
const RETAIN = '$retainKeys';
const ORDER = '$setElementOrder/';
const DELETE = '$deleteFromPrimitiveList/';

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

/** A value under Go's verb %s. */
const shownAsText = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'boolean'
    ? `%!s(${dynamicType(value)}=${value})`
    : value === null
      ? '%!s(<nil>)'
      : goValue(value);

const badDirective = (directive: unknown, within: unknown): Error =>
  plainError(`unknown patch type: ${shownAsText(directive)} in map: ${goValue(within)}`);

const noList = (value: unknown): Error =>
  plainError(`expected a []interface {}, but received a ${value === null ? '%!s(<nil>)' : dynamicType(value)}`);

/** The field of a struct. Source: apimachinery, third_party/forked/golang/json/fields.go. @throws 500 */
function fieldOf(schema: FieldSchema, key: string): FieldSchema {
  if (schema.type === 'map') throw plainError('merging an object in json but data type is not struct, instead is: map');
  if (schema.properties === undefined) return ANY;
  const field = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
  if (field !== undefined) return field;
  const struct = goTypeName(schema).split('.').at(-1) ?? '';
  throw plainError(`unable to find api field in struct ${struct} for the json field ${goQuote(key)}`);
}

/** The same of a list. @throws 500 */
function listFieldOf(schema: FieldSchema, key: string): FieldSchema {
  const field = fieldOf(schema, key);
  if (field.type === 'array' || field.type === 'any') return field;
  throw plainError('expected slice or array type, but got: struct');
}

/** What a patch makes of a map. @throws ApiError */
export function strategicMerge(schema: FieldSchema, current: unknown, patch: Fields): Fields {
  const { [PATCH]: directive, ...told } = patch;
  if (directive !== undefined) {
    if (directive === 'delete') return {};
    if (directive !== 'replace') throw badDirective(directive, patch);
    return told;
  }
  const { [RETAIN]: retained, ...changes } = told;
  const out: Fields = isRecord(current) ? { ...current } : {};
  if (retained !== undefined) retain(out, changes, retained);
  const left = { ...changes };
  for (const [key, order] of Object.entries(changes))
    if (key.startsWith(ORDER)) {
      delete left[key];
      mergeInOrder(schema, out, left, key.slice(ORDER.length), order);
    }
  for (const [key, value] of Object.entries(left)) {
    const takesAway = key.startsWith(DELETE);
    mergeField(schema, out, takesAway ? key.slice(DELETE.length) : key, value, takesAway);
  }
  return out;
}

/** Keeps what a list of keys names, which has to name all that the patch sets. Source: applyRetainKeysDirective. */
function retain(out: Fields, changes: Fields, kept: unknown): void {
  const set = Object.entries(changes).filter(
    ([key, value]) => value !== null && !key.startsWith(DELETE) && !key.startsWith(ORDER),
  );
  if (!Array.isArray(kept) || set.some(([key]) => !kept.includes(key)))
    throw badRequest('invalid patch format of retainKeys');
  for (const key of Object.keys(out)) if (!kept.includes(key)) delete out[key];
}

/**
 * Merges a list whose order the patch names, and takes it out of what is left to do. Source: mergePatchIntoOriginal.
 */
function mergeInOrder(schema: FieldSchema, out: Fields, left: Fields, name: string, order: unknown): void {
  if (!Array.isArray(order)) throw noList(order);
  const [had, given] = [Object.hasOwn(out, name), Object.hasOwn(left, name)];
  for (const [is, value] of [
    [had, out[name]],
    [given, left[name]],
  ] as const)
    if (is && !Array.isArray(value)) throw noList(value);
  const list = listFieldOf(schema, name);
  const [before, changes] = [listOf(out[name]), listOf(left[name])];
  checkOrder(list, changes, order);
  if (!had && !given) return;
  const merged = !given
    ? before
    : !had
      ? listOf(withoutDirectives(changes))
      : merges(list)
        ? mergeLists(list, before, changes)
        : changes;
  out[name] = reorder(list, merged, order, before);
  delete left[name];
}

/** By what an item of a list of maps is known. Source: mergeKeyValueEqual. @throws 500 */
function keyOf(item: unknown, mergeKey: string): unknown {
  if (!isRecord(item)) {
    const kind = item === null ? '%!s(<nil>)' : dynamicType(item);
    throw plainError(`expected a map[string]interface {}, but received a ${kind}`);
  }
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  return item[mergeKey];
}

const noMergeKey = (item: unknown, mergeKey: string): Error =>
  plainError(`map: ${goValue(item)} does not contain declared merge key: ${mergeKey}`);

/** What a list changes has to stand as its order says. Source: validatePatchWithSetOrderList. */
function checkOrder(schema: FieldSchema, list: readonly unknown[], order: readonly unknown[]): void {
  if (order.length === 0 || list.length === 0) return;
  const mergeKey = schema.patchMergeKey;
  const idOf = (item: unknown): unknown => (mergeKey === undefined ? item : keyOf(item, mergeKey));
  let rest = list.filter(isKept);
  for (const item of order) {
    if (rest.length === 0) break;
    if (isDeepStrictEqual(idOf(rest[0]), idOf(item))) rest = rest.slice(1);
  }
  if (rest.length > 0)
    throw plainError(
      `The order in patch list:\n${goValue(list)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
    );
}

/** One field of a patch. Source: mergeMap. */
function mergeField(schema: FieldSchema, out: Fields, key: string, value: unknown, takesAway: boolean): void {
  if (value === null) {
    delete out[key];
    return;
  }
  const had = Object.hasOwn(out, key) ? out[key] : undefined;
  if (isRecord(had) && isRecord(value)) {
    const field = fieldOf(schema, key);
    out[key] = field.patchStrategy === 'replace' ? value : strategicMerge(field, had, value);
  } else if (Array.isArray(had) && Array.isArray(value)) {
    const list = listFieldOf(schema, key);
    out[key] = merges(list) || takesAway ? mergeLists(list, had, value, takesAway) : value;
  } else if (!takesAway) {
    const kept = isKept(value) ? withoutDirectives(withoutNulls(value)) : undefined;
    if (kept === undefined) delete out[key];
    else out[key] = kept;
  }
}

const merges = (schema: FieldSchema): boolean => schema.patchStrategy?.includes('merge') === true;

/** What carries a directive is about something that is not there. */
const isKept = (value: unknown): boolean => !isRecord(value) || value[PATCH] === undefined;

/** A value where there is nothing to merge into, at every depth. Source: removeDirectives. */
function withoutDirectives(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(isKept).map(withoutDirectives);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => isKept(inner));
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutDirectives(inner)]));
}

/** Source: discardNullValuesFromPatch. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutNulls(inner)]));
}

/** Source: mergeSlice. */
function mergeLists(
  schema: FieldSchema,
  current: readonly unknown[],
  patch: readonly unknown[],
  takesAway = false,
): unknown[] {
  const kinds = new Set([...current, ...patch].map(dynamicType));
  const [kind] = kinds;
  if (kind === undefined) return [];
  if (kind === '[]interface {}') throw patchRejected();
  if (kinds.size > 1) throw plainError(`list element types are not identical: ${goValue([current, patch])}`);
  if (kind !== 'map[string]interface {}') {
    if (takesAway) return current.filter((item) => !patch.includes(item));
    return reorder(schema, [...new Set([...current, ...patch])], patch, current);
  }
  const mergeKey = schema.patchMergeKey;
  if (mergeKey === undefined) throw plainError('cannot merge lists without merge key for struct');
  const { list, changes } = afterDirectives(current, patch as readonly Fields[], mergeKey);
  for (const change of changes) {
    const key = keyOf(change, mergeKey);
    const index = list.findIndex((item) => keyOf(item, mergeKey) === key);
    if (index < 0) list.push(change);
    else list[index] = strategicMerge(schema.items ?? ANY, list[index], change);
  }
  return reorder(schema, list, changes, current);
}

/** A list when items with directives have done their work, and the items without. Source: mergeSliceWithSpecialElements. */
function afterDirectives(
  current: readonly unknown[],
  patch: readonly Fields[],
  mergeKey: string,
): { readonly list: unknown[]; readonly changes: readonly Fields[] } {
  let list = [...current];
  let replaces = false;
  for (const item of patch) {
    const directive = item[PATCH];
    if (directive === undefined) continue;
    if (directive === 'merge') throw plainError('merging lists cannot yet be specified in the patch');
    if (directive === 'replace') replaces = true;
    else if (directive === 'delete') {
      const key = keyOf(item, mergeKey);
      list = list.filter((have) => keyOf(have, mergeKey) !== key);
    } else throw badDirective(directive, item);
  }
  const changes = patch.filter(isKept);
  return replaces ? { list: changes, changes: [] } : { list, changes };
}

/** Each item is looked for among maps. Source: findMapInSliceBasedOnKeyValue. @throws 500 */
function checkOrderOfMaps(ids: readonly string[], order: readonly unknown[], idOf: (item: unknown) => string): void {
  const at = order.findIndex((item) => !isRecord(item));
  if (at >= 0 && ids.some((id) => !order.slice(0, at).map(idOf).includes(id)))
    throw plainError(`value for key ${at} is not a map`);
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
  if (mergeKey !== undefined) checkOrderOfMaps(list.map(idOf), order, idOf);
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
    out.push(right < left ? rest.shift() : named.shift());
  }
  return out;
}

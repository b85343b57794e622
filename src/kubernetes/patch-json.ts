/**
 * RFC 6902 and RFC 7386 as the API server's patch library applies them. It prints the keys of what it has looked into
 * in order, and leaves the rest of the document as it was: `seen` collects what it has looked into, `patchedText`
 * prints. Source: gopkg.in/evanphx/json-patch.v4.
 */

import { isDeepStrictEqual } from 'node:util';
import { isRecord, record, text } from './json.js';

/** The patch does not apply. */
export class PatchFailed extends Error {}

type Container = Record<string, unknown> | unknown[];
const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** A place in the container that lies below these tokens. */
interface Place {
  readonly above: readonly string[];
  readonly last: string;
}

/** What stands before the first slash is passed over; without a slash nothing is named. */
function placeOf(pointer: string): Place {
  const [, ...above] = pointer.split('/').map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = above.pop();
  if (last === undefined) throw new PatchFailed('doc is missing path');
  return { above, last };
}

function indexOf(list: readonly unknown[], token: string, adding: boolean): number {
  if (adding && token === '-') return list.length;
  if (!/^-?\d+$/.test(token)) throw new PatchFailed(`value ${token} is no index`);
  const index = Number(token) < 0 ? Number(token) + list.length : Number(token);
  if (index < 0 || index > list.length || (!adding && index === list.length))
    throw new PatchFailed(`unable to access invalid index: ${token}`);
  return index;
}

function read(container: unknown, token: string): unknown {
  if (Array.isArray(container)) return container[indexOf(container, token, false)];
  return isRecord(container) && Object.hasOwn(container, token) ? container[token] : undefined;
}

function parent(root: unknown, { above, last }: Place, seen: Seen): Container {
  let at: unknown = root;
  if (isRecord(at)) seen.add(at);
  for (const token of above) {
    at = read(at, token);
    if (isRecord(at)) seen.add(at);
  }
  if (!isContainer(at)) throw new PatchFailed(`missing path: /${[...above, last].join('/')}`);
  return at;
}

function put(container: Container, token: string, value: unknown, insert: boolean): void {
  if (!Array.isArray(container)) container[token] = value;
  else if (insert) container.splice(indexOf(container, token, true), 0, value);
  else container[indexOf(container, token, false)] = value;
}

function take(container: Container, token: string): void {
  if (Array.isArray(container)) container.splice(indexOf(container, token, false), 1);
  else if (Object.hasOwn(container, token)) delete container[token];
  else throw new PatchFailed(`unable to remove nonexistent key: ${token}`);
}

/** Objects whose keys are printed in order. */
export type Seen = Set<object>;

const HTML: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' };

/** The text of a patched document. */
export function patchedText(value: unknown, seen: Seen): string {
  const ordered = JSON.stringify(value, (_key, inner: unknown) => {
    if (!isRecord(inner) || !seen.has(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
  return ordered.replace(/[<>&]/g, (character) => HTML[character] ?? character);
}

/** Bytes that the copies of one patch may add up to. Source: apiserver, pkg/server/config.go JSONPatchMaxCopyBytes. */
const MOST_COPIED = 3 * 1024 * 1024;

/** @throws PatchFailed */
export function jsonPatch(document: unknown, operations: readonly unknown[], seen: Seen = new Set()): unknown {
  let root = structuredClone(document);
  let copied = 0;
  for (const operation of operations) {
    const { op, path, from, value } = record(operation);
    if (typeof path !== 'string') throw new PatchFailed('operation missing path field');
    // Only these two know the whole document.
    if (path === '' && op === 'replace') {
      if (!isContainer(value)) throw new PatchFailed('replace operation value must be object or array');
      root = structuredClone(value);
      continue;
    }
    if (path === '' && op === 'test') {
      if (!isDeepStrictEqual(root, value)) throw new PatchFailed('testing value failed');
      continue;
    }
    const at = placeOf(path);
    const set = (given: unknown, insert: boolean): void => put(parent(root, at, seen), at.last, given, insert);
    switch (op) {
      case 'add':
        set(structuredClone(value), true);
        break;
      case 'replace':
        // A missing key of a map is added; only a missing place in a list is an error.
        set(structuredClone(value), false);
        break;
      case 'remove':
        take(parent(root, at, seen), at.last);
        break;
      case 'move':
      case 'copy': {
        const source = placeOf(text(from));
        const container = parent(root, source, seen);
        const moved = read(container, source.last);
        if (op === 'move') {
          take(container, source.last);
          set(moved, true);
          break;
        }
        parent(root, at, seen);
        // A missing key is copied as null.
        const copy = moved === undefined ? 'null' : patchedText(moved, seen);
        copied += Buffer.byteLength(copy);
        if (copied > MOST_COPIED)
          throw new PatchFailed(`the copies are larger than the allowed ${MOST_COPIED} bytes together`);
        set(JSON.parse(copy), true);
        break;
      }
      case 'test': {
        const found = read(parent(root, at, seen), at.last);
        if (!isDeepStrictEqual(found ?? null, value ?? null)) throw new PatchFailed(`testing value ${path} failed`);
        break;
      }
      default:
        throw new PatchFailed(`Unexpected kind: ${text(op)}`);
    }
  }
  return root;
}

/** What a patch brings in lists is looked into as well, and loses its nulls. Source: merge.go pruneNils. */
function pruned(value: unknown, seen: Seen): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, seen));
  return isRecord(value) ? mergePatch({}, value, seen) : value;
}

/** RFC 7386. */
export function mergePatch(target: unknown, patch: unknown, seen: Seen = new Set()): unknown {
  if (!isRecord(patch)) return pruned(patch, seen);
  const out: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  seen.add(out);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete out[key];
    else out[key] = mergePatch(out[key], value, seen);
  }
  return out;
}

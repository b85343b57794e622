/**
 * Sets of fields as managedFields writes them: trees of path elements (f:name, k:{...}, v:...). Source:
 * structured-merge-diff, fieldpath/{set,serialize}.go.
 */
import { isRecord } from '../../kubernetes/json.js';
import { goQuote } from '../go/text.js';

export interface FieldNode {
  /** The path itself belongs to the set. */
  readonly member: boolean;
  readonly children: ReadonlyMap<string, FieldNode>;
}

export const EMPTY: FieldNode = { member: false, children: new Map() };
export const LEAF: FieldNode = { member: true, children: new Map() };

export const isEmpty = (set: FieldNode): boolean => !set.member && set.children.size === 0;

/** A node without what is empty below it. */
export function node(member: boolean, children: Iterable<readonly [string, FieldNode]>): FieldNode {
  const kept = new Map<string, FieldNode>();
  for (const [key, child] of children) if (!isEmpty(child)) kept.set(key, child);
  return kept.size === 0 ? (member ? LEAF : EMPTY) : { member, children: kept };
}

export function union(a: FieldNode, b: FieldNode): FieldNode {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  const children = new Map(a.children);
  for (const [key, child] of b.children) children.set(key, union(children.get(key) ?? EMPTY, child));
  return node(a.member || b.member, children);
}

export function difference(a: FieldNode, b: FieldNode): FieldNode {
  if (isEmpty(a) || isEmpty(b)) return a;
  return node(
    a.member && !b.member,
    [...a.children].map(([key, child]) => [key, difference(child, b.children.get(key) ?? EMPTY)] as const),
  );
}

export function intersection(a: FieldNode, b: FieldNode): FieldNode {
  return node(
    a.member && b.member,
    [...a.children].map(([key, child]) => [key, intersection(child, b.children.get(key) ?? EMPTY)] as const),
  );
}

/** Paths as a tree whose members mean: this and all below. */
export function pathTree(list: readonly (readonly string[])[]): FieldNode {
  let tree = EMPTY;
  for (const path of list)
    tree = union(
      tree,
      [...path]
        .reverse()
        .reduce<FieldNode>((below, key) => ({ member: false, children: new Map([[key, below]]) }), LEAF),
    );
  return tree;
}

/** A set without what a tree of paths names, and all below. */
export function prune(set: FieldNode, tree: FieldNode): FieldNode {
  if (set.children.size === 0 || tree.children.size === 0) return set;
  const kept: (readonly [string, FieldNode])[] = [];
  for (const [key, child] of set.children) {
    const drop = tree.children.get(key);
    if (drop === undefined) kept.push([key, child]);
    else if (!drop.member) kept.push([key, prune(child, drop)]);
  }
  return node(set.member, kept);
}

/** Named fields on the way to a member count as members, too. Source: fieldpath/set.go EnsureNamedFieldsAreMembers. */
export const withNamedParents = (set: FieldNode, named = false): FieldNode => ({
  member: set.member || (named && set.children.size > 0),
  children: new Map([...set.children].map(([key, child]) => [key, withNamedParents(child, key.startsWith('f:'))])),
});

/** FieldsV1 of a set. */
export function toFieldsV1(set: FieldNode): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  if (set.member && set.children.size > 0) out['.'] = {};
  for (const key of [...set.children.keys()].sort()) out[key] = toFieldsV1(set.children.get(key) as FieldNode);
  return out;
}

/** A set of FieldsV1; what is no such thing is empty. */
export function fromFieldsV1(fields: unknown, root = true): FieldNode {
  if (!isRecord(fields)) return EMPTY;
  const keys = Object.keys(fields);
  const children = new Map<string, FieldNode>();
  for (const key of keys) if (key !== '.') children.set(key, fromFieldsV1(fields[key], false));
  return { member: !root && (keys.length === 0 || Object.hasOwn(fields, '.')), children };
}

function elementText(element: string): string {
  const value = element.slice(2);
  if (element.startsWith('f:')) return `.${value}`;
  if (element.startsWith('v:')) return `[=${value}]`;
  if (element.startsWith('i:')) return `[${value}]`;
  const key: unknown = JSON.parse(value);
  const pairs = isRecord(key)
    ? Object.entries(key).map(
        ([name, own]) => `${name}=${typeof own === 'string' ? goQuote(own) : JSON.stringify(own)}`,
      )
    : [];
  return `[${pairs.join(',')}]`;
}

/**
 * The members' paths, as conflicts name them: .spec.containers[name="c"].image; those of one level go before what is
 * below them. Source: structured-merge-diff, fieldpath/set.go Iterate.
 */
export function paths(set: FieldNode, prefix = ''): string[] {
  const below = [...set.children.keys()]
    .sort()
    .map((key) => [`${prefix}${elementText(key)}`, set.children.get(key) as FieldNode] as const);
  return [
    ...below.filter(([, child]) => child.member).map(([path]) => path),
    ...below.flatMap(([path, child]) => paths(child, path)),
  ];
}

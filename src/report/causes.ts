/** What texts that tell of one cause have in common: a report for people tells it once, with all that it holds for. */

/** Characters by which causes are told apart. */
const LONGEST = 600;

/**
 * The text without what is this object's alone: names of our making, ids, quoted texts, labels in brackets, numbers.
 */
export const causeOf = (text: string): string =>
  text
    .slice(0, LONGEST)
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\([^()]*\)/g, '(…)')
    .replace(/\b(jp|joinproof|bootstrap-token|csr)-[a-z0-9-]+/g, '$1-…')
    .replace(/\bthe token [a-z0-9]+/g, 'the token …')
    .replace(/\d+/g, '#');

/** Items by the first of those that are alike; in their order. */
export function alike<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<T, readonly T[]> {
  const firsts = new Map<string, T>();
  const groups = new Map<T, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const first = firsts.get(key) ?? item;
    firsts.set(key, first);
    groups.set(first, [...(groups.get(first) ?? []), item]);
  }
  return groups;
}

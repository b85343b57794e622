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
    .replace(/\b(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) \/[^\s:]*/g, 'a request')
    .replace(/\([^()]*\)/g, '(…)')
    .replace(/\b(jp|joinproof|bootstrap-token|csr)-[a-z0-9-]+/g, '$1-…')
    .replace(/\bthe token [a-z0-9]+/g, 'the token …')
    .replace(/\d+/g, '#');

/**
 * The binding that grants what is not met: the one that all findings name which name any; undefined where there is none,
 * or where there are several. It is named as a subject, or in what the API server says of an access review.
 */
export function bindingBehind(
  findings: readonly { readonly subject: string; readonly seen: string }[],
): string | undefined {
  const named = findings.flatMap(({ subject, seen }) =>
    [subject, seen].flatMap((text) =>
      [...text.slice(0, LONGEST).matchAll(/\b((?:Cluster)?RoleBinding) "?([^\s"(]{1,253})/g)].map(
        ([, kind, name]) => `${kind} ${name}`,
      ),
    ),
  );
  const [one, ...others] = new Set(named);
  return others.length === 0 ? one : undefined;
}

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

/** The known name that a mistyped one was probably meant to be. */

/** Edits (insert, delete, replace, swap neighbours) between two words. */
function distance(a: string, b: string): number {
  const rows: number[][] = [];
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 0; i <= a.length; i += 1) {
    const row: number[] = [];
    rows.push(row);
    for (let j = 0; j <= b.length; j += 1) {
      if (i === 0 || j === 0) {
        row.push(i + j);
        continue;
      }
      let best = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) best = Math.min(best, at(i - 2, j - 2) + 1);
      row.push(best);
    }
  }
  return at(a.length, b.length);
}

/** What differs in more than half of its letters is another word. */
const isNear = (edits: number, a: string, b: string): boolean => edits <= Math.max(a.length, b.length) / 2;

/** The nearest of `known`, ignoring case; the alphabetically first among equals; undefined where nothing is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of [...known].sort()) {
    const edits = distance(given.toLowerCase(), candidate.toLowerCase());
    if (edits < least && isNear(edits, given, candidate)) [best, least] = [candidate, edits];
  }
  return best;
}

/** " Did you mean “x”?" or nothing. */
export const didYouMean = (given: string, known: readonly string[]): string => {
  const name = nearest(given, known);
  return name === undefined ? '' : ` Did you mean "${name}"?`;
};

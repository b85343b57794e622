/** Where the lists of rows lie. */
import type { Rule } from '../run/features.js';
import type { Reached } from './demands.js';
import { FeatureLists } from './feature-lists.js';
import { fromText, type Listed, renewed, toText } from './row-lists.js';

const lists = new FeatureLists('src/matrix/rows');

/** All that is listed. */
export const listedRows = (): readonly Listed[] => lists.read(fromText).flat();

/**
 * Writes the lists of the rules that were played, and leaves those of others as they are. `catalogue`: all rules that
 * there are, in the order of reading.
 */
export function writeRows(
  rows: readonly Reached[],
  played: ReadonlySet<string>,
  catalogue: readonly Rule[],
  files = lists,
): void {
  const listed = files.read(fromText).flat();
  const kept = listed.filter(({ rule }) => !played.has(rule));
  const all = [...kept, ...renewed(rows, listed)];
  files.write(catalogue, (ids) => toText(ids.flatMap((id) => all.filter(({ rule }) => rule === id))));
}

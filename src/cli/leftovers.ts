/** What could not be removed, in one bounded sentence. */
import { MOST_LEFT } from '../run/finished.js';
import type { Left } from '../targets/removal.js';

/** Reasons that are told. */
const MOST_REASONS = 3;

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** "3 Secrets, 1 Pod" */
export function countedByKind(left: readonly Pick<Left, 'kind'>[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of left) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => plural(count, kind)).join(', ');
}

const some = (texts: readonly string[], most: number): string =>
  texts.slice(0, most).join(', ') + (texts.length > most ? ` and ${texts.length - most} more` : '');

/** "3 objects of this run are left (2 Secrets, 1 Pod): Secret …, …. Why: …" */
export const leftoversSentence = (left: readonly Left[]): string =>
  `${plural(left.length, 'object')} of this run ${left.length === 1 ? 'is' : 'are'} left (${countedByKind(left)}): ` +
  `${some(
    left.map(({ what }) => what),
    MOST_LEFT,
  )}. Why: ${some([...new Set(left.map(({ why }) => why))], MOST_REASONS)}`;

/** Which of our sentences say the same as a sentence of a document: told by the identifiers that both name. Pure. */
import type { Sentence } from '../run/sentences.js';
import type { Comparison } from './drift-compare.js';

const WORD = /[A-Za-z0-9_./:-]+/gu;
/** Flags, files, names, numbers: what has a mark, a digit or a capital inside. */
const IDENTIFIER = /[a-z0-9][A-Z]|[0-9_./:-]/u;
const SHORTEST = 4;
/** An identifier that more of our sentences name than these tells nothing. */
const COMMON = 3;

const identifiers = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.matchAll(WORD)]
      .map(([word]) => word.replace(/^[-./:]+|[./:-]+$/gu, ''))
      .filter((word) => word.length >= SHORTEST && IDENTIFIER.test(word)),
  );

export const sentencesUnder = (
  document: string,
  heading: string,
  sentences: readonly Sentence[],
): readonly Sentence[] =>
  sentences.filter(({ places }) => places.some((at) => at.document === document && at.heading === heading));

/** Ids of those sentences (all of one heading) that name something rare which the text names too. */
export function tiesOf(text: string, sentences: readonly Sentence[]): readonly string[] {
  const own = identifiers(text);
  const words = sentences.map(({ id, statement }) => ({ id, words: identifiers(statement) }));
  const rare = [...own].filter((word) => words.filter((other) => other.words.has(word)).length <= COMMON);
  return words.filter((other) => rare.some((word) => other.words.has(word))).map(({ id }) => id);
}

/** The ties of every sentence of a document, by its hash; what has none is left out. */
export function tied({ record, texts }: Comparison, sentences: readonly Sentence[]): Record<string, readonly string[]> {
  const ties: Record<string, readonly string[]> = {};
  for (const { heading, sentences: hashes } of record.sections) {
    const here = sentencesUnder(record.document, heading, sentences);
    for (const hash of hashes) {
      const ids = [...new Set([...(ties[hash] ?? []), ...tiesOf(texts.get(hash) ?? '', here)])].sort();
      if (ids.length > 0) ties[hash] = ids;
    }
  }
  return ties;
}

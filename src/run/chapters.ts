/** The chapters in the order of reading, from features/chapters.yaml. Part of the package, so a mistake in it is ours. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ChapterTold } from '../model/specification.js';
import { packageFile } from './package-root.js';
import { conforming } from './schemas.js';

const FILE = 'features/chapters.yaml';

let known: readonly ChapterTold[] | undefined;

/** Throws what is wrong in the file. */
export function chaptersToRead(): readonly ChapterTold[] {
  known ??= conforming<{ readonly chapters: readonly ChapterTold[] }>(
    'chapters',
    parse(readFileSync(packageFile(FILE), 'utf8')),
    FILE,
  ).chapters;
  return known;
}

/** What belongs to chapters, in the order of reading; what belongs to none that is listed comes last. */
export function inReadingOrder<T extends { readonly chapter: string }>(things: readonly T[]): readonly T[] {
  const places = new Map(chaptersToRead().map(({ chapter }, index) => [chapter, index]));
  const placeOf = ({ chapter }: T): number => places.get(chapter) ?? places.size;
  return [...things].sort((a, b) => placeOf(a) - placeOf(b));
}

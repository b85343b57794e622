/** The specification as a static site: files by path, the same bytes for the same rules and reports. */
import { visibleJson } from '../model/foreign.js';
import { SCRIPT, STYLE } from './assets.js';
import { framed } from './page.js';
import { pagesOf, type Site } from './pages.js';

export type { Site } from './pages.js';

/** Texts by path below the folder of the site. */
export function siteOf(site: Site): ReadonlyMap<string, string> {
  const pages = pagesOf(site);
  const navigation = pages.map(({ path, title }) => ({ path, text: title }));
  return new Map([
    ...pages.map((page) => [page.path, framed(page, navigation)] as const),
    ['style.css', STYLE],
    ['search.js', SCRIPT],
    ['search-index.js', `window.joinproofIndex = ${visibleJson(JSON.stringify(searchIndex(site)))};\n`],
  ]);
}

/** [path, title, text in small letters] of everything that has a place of its own. */
function searchIndex({ specification: { rules, sentences, traps } }: Site): readonly (readonly string[])[] {
  const entry = (path: string, title: string, ...texts: readonly string[]): readonly string[] => [
    path,
    title,
    [title, ...texts].join(' ').toLowerCase(),
  ];
  return [
    ...rules.map(({ id, chapter, title, why, repair }) =>
      entry(`chapters/${chapter}.html#${id}`, `${id} ${title}`, why, repair.text),
    ),
    ...sentences.map(({ id, statement, places: [first], today }) => {
      const page = first === undefined ? 'beyond.html' : `documents/${first.document}.html`;
      return entry(`${page}#${id}`, `${id} (sentence) ${statement}`, today);
    }),
    ...traps.map(({ id, trap, today, advice }) => entry(`errata.html#${id}`, `${id} ${trap}`, today, advice)),
  ];
}

/** The remembered version of a document and the one at hand: what was added, removed, changed, moved, renamed. Pure. */
import { type DocumentRecord, headingHash, type Section, titleOf } from './drift-record.js';
import { readUnits, type Unit } from './drift-text.js';

export type Happening =
  | 'added'
  | 'removed'
  | 'changed'
  | 'moved'
  | 'heading added'
  | 'heading removed'
  | 'heading renamed';

export interface Change {
  readonly what: Happening;
  /** The remembered heading that it concerns, or the new one where there is none. */
  readonly heading: string;
  /** Where it stands now, or its new name. */
  readonly now?: string;
  /** The sentence as it reads now; what was removed is not remembered. */
  readonly text?: string;
  /** The remembered sentence, where there was one. */
  readonly hash?: string;
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** The document at hand, to be remembered; the ties are those of before. */
  readonly record: DocumentRecord;
  /** Its sentences by hash. */
  readonly texts: ReadonlyMap<string, string>;
}

interface OldUnit {
  readonly heading: boolean;
  readonly hash: string;
  readonly section: Section;
}

/** What has become of a unit of the document at hand: from which remembered unit it comes, and how. */
interface Origin {
  readonly old: number;
  readonly how: 'same' | 'changed' | 'moved' | 'renamed';
}

/** The part before the first heading. */
export const INTRODUCTION = 'introduction';
const SHORT = 80;

const remembered = (sections: readonly Section[]): readonly OldUnit[] =>
  sections.flatMap((section) => [
    ...(section.level === 0 ? [] : [{ heading: true, hash: headingHash(section), section }]),
    ...section.sentences.map((hash) => ({ heading: false, hash, section })),
  ]);

/** The longest common subsequence, as pairs of positions. */
function common(olds: readonly string[], news: readonly string[]): readonly (readonly [number, number])[] {
  const width = news.length + 1;
  const lengths = new Uint32Array((olds.length + 1) * width);
  for (let i = olds.length - 1; i >= 0; i -= 1)
    for (let j = news.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        olds[i] === news[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < olds.length && j < news.length; ) {
    if (olds[i] === news[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i += 1;
    else j += 1;
  }
  return pairs;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
const mayBeHeading = ({ kind, text }: Unit): boolean =>
  kind === 'sentence' && text.length <= SHORT && !/[。！？.!?;；]$/u.test(text);

/** From where each unit at hand comes; those that are missing are new. */
function origins(olds: readonly OldUnit[], news: readonly Unit[], plain: boolean): ReadonlyMap<number, Origin> {
  const found = new Map<number, Origin>();
  const pairs = common(
    olds.map(({ heading, hash }) => `${heading}${hash}`),
    news.map(({ kind, hash }) => `${kind === 'heading'}${hash}`),
  );
  for (const [old, now] of pairs) found.set(now, { old, how: 'same' });
  const kept = new Set(pairs.map(([old]) => old));
  const lost = new Map<string, number[]>();
  for (const [index, { heading, hash }] of olds.entries())
    if (!heading && !kept.has(index)) lost.set(hash, [...(lost.get(hash) ?? []), index]);
  for (const [index, { kind, hash }] of news.entries()) {
    const old = found.has(index) || kind === 'heading' ? undefined : lost.get(hash)?.shift();
    if (old === undefined) continue;
    found.set(index, { old, how: 'moved' });
    kept.add(old);
  }
  let last: readonly [number, number] = [-1, -1];
  for (const pair of [...pairs, [olds.length, news.length] as const]) {
    pairGap(
      range(last[0] + 1, pair[0]).filter((index) => !kept.has(index)),
      range(last[1] + 1, pair[1]).filter((index) => !found.has(index)),
    );
    last = pair;
  }
  return found;

  /** Between two places that are the same on both sides: headings are paired first, then sentences, in their order. */
  function pairGap(before: readonly number[], after: readonly number[]): void {
    const free = [...after];
    const take = (fits: (unit: Unit) => boolean): number | undefined => {
      const at = free.findIndex((index) => fits(news[index] as Unit));
      return at < 0 ? undefined : free.splice(at, 1)[0];
    };
    for (const old of before.filter((index) => olds[index]?.heading)) {
      const now = take(({ kind }) => kind === 'heading') ?? (plain ? take(mayBeHeading) : undefined);
      if (now !== undefined) found.set(now, { old, how: 'renamed' });
    }
    for (const old of before.filter((index) => olds[index]?.heading === false)) {
      const now = take(({ kind }) => kind === 'sentence');
      if (now !== undefined) found.set(now, { old, how: 'changed' });
    }
  }
}

/** Names for headings under which sentences can cite them: where a text stands twice, its parent is put before it. */
function uniqueNames(headings: readonly Unit[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { text } of headings) times.set(text, (times.get(text) ?? 0) + 1);
  return headings.map(({ text, level }, index) => {
    if (times.get(text) === 1) return text;
    const parent = headings.slice(0, index).findLast((heading) => heading.level < level);
    return parent === undefined ? text : `${parent.text} > ${text}`;
  });
}

/** Sections of the document at hand, and the section of each of its units. */
function divide(olds: readonly OldUnit[], news: readonly Unit[], from: ReadonlyMap<number, Origin>) {
  const isHeading = (index: number): boolean => news[index]?.kind === 'heading' || from.get(index)?.how === 'renamed';
  const places = range(0, news.length).filter(isHeading);
  const names = uniqueNames(places.map((index) => ({ ...(news[index] as Unit), level: news[index]?.level || 1 })));
  const sections: { heading: string; level: number; sentences: string[] }[] = [];
  let open = { heading: INTRODUCTION, level: 0, sentences: [] as string[] };
  const sectionOf: string[] = [];
  for (const [index, { hash, level }] of news.entries()) {
    const origin = from.get(index);
    const old = origin === undefined || origin.how === 'moved' ? undefined : olds[origin.old];
    if (isHeading(index)) open = { heading: names[places.indexOf(index)] ?? '', level: level || 1, sentences: [] };
    else if (old?.section.level === 0 && old.section.heading !== open.heading)
      open = { heading: old.section.heading, level: 0, sentences: [] };
    if (sections.at(-1) !== open) sections.push(open);
    if (!isHeading(index)) open.sentences.push(hash);
    sectionOf.push(open.heading);
  }
  return { sections, sectionOf, isHeading };
}

/** What the remembered headings are called now; those that are gone are missing. Passages keep our names. */
function renamed(olds: readonly OldUnit[], kept: ReadonlyMap<number, number>, sectionOf: readonly string[]) {
  const names = new Map<string, string>();
  for (const [index, { heading, section }] of olds.entries()) {
    const now = kept.get(index);
    if (section.level === 0) names.set(section.heading, section.heading);
    else if (heading && now !== undefined) names.set(section.heading, sectionOf[now] ?? section.heading);
  }
  return names;
}

/** Compares a document with what is remembered of it. */
export function compareDocument(record: DocumentRecord, text: string): Comparison {
  const headings = record.sections.filter(({ level }) => level > 0).map(titleOf);
  const news = readUnits(text, { format: record.format, headings });
  const olds = remembered(record.sections);
  const from = origins(olds, news, record.format === 'plain');
  const { sections, sectionOf, isHeading } = divide(olds, news, from);
  const kept = new Map([...from].map(([now, { old }]) => [old, now] as const));
  const nowCalled = renamed(olds, kept, sectionOf);
  const onceCalled = new Map([...nowCalled].map(([before, after]) => [after, before]));
  const gone = [...olds.entries()]
    .filter(([index]) => !kept.has(index))
    .map(
      ([, { heading, hash, section }]): Change => ({
        ...(heading ? { what: 'heading removed' } : { what: 'removed', hash }),
        heading: section.heading,
      }),
    );
  const here = [...news.entries()].flatMap(([index, unit]): readonly Change[] => {
    const origin = from.get(index);
    const now = sectionOf[index] ?? '';
    const old = origin === undefined ? undefined : olds[origin.old];
    if (origin === undefined || old === undefined) {
      const heading = onceCalled.get(now) ?? now;
      return [isHeading(index) ? { what: 'heading added', heading } : { what: 'added', heading, text: unit.text }];
    }
    const before = { heading: old.section.heading, hash: old.hash, text: unit.text };
    if (origin.how === 'renamed') return [{ what: 'heading renamed', heading: before.heading, now }];
    if (origin.how === 'changed') return [{ what: 'changed', ...before }];
    const stays = origin.how === 'same' && nowCalled.get(before.heading) === now;
    return isHeading(index) || stays ? [] : [{ what: 'moved', ...before, now }];
  });
  const texts = new Map(
    news.flatMap(({ kind, hash, text: own }) => (kind === 'sentence' ? [[hash, own] as const] : [])),
  );
  return { changes: [...gone, ...here], record: { ...record, sections }, texts };
}

/** Two versions of a document, the remembered one and the one at hand: what was added, removed, changed, moved, renamed. Pure. */
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
}

export interface Comparison {
  readonly changes: readonly Change[];
  /** The document at hand, to be remembered. */
  readonly record: DocumentRecord;
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

  /** Between two places that are the same on both sides: headings are paired first, then sentences, each in their order. */
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

/** Compares a document with what is remembered of it. */
export function compareDocument(record: DocumentRecord, text: string): Comparison {
  const plain = record.format === 'plain';
  const headings = record.sections.filter(({ level }) => level > 0).map(titleOf);
  const news = readUnits(text, { format: record.format, headings });
  const olds = remembered(record.sections);
  const from = origins(olds, news, plain);
  const { sections, sectionOf, isHeading } = divide(olds, news, from);
  const kept = new Map([...from].map(([now, { old }]) => [old, now] as const));
  const nowCalled = new Map<string, string>();
  for (const [index, { heading, section }] of olds.entries()) {
    const now = kept.get(index);
    if (section.level === 0) nowCalled.set(section.heading, section.heading);
    else if (heading && now !== undefined) nowCalled.set(section.heading, sectionOf[now] ?? section.heading);
  }
  const onceCalled = new Map([...nowCalled].map(([before, after]) => [after, before]));
  const changes: Change[] = [];
  for (const [index, { heading, section }] of olds.entries())
    if (!kept.has(index)) changes.push({ what: heading ? 'heading removed' : 'removed', heading: section.heading });
  for (const [index, unit] of news.entries()) {
    const origin = from.get(index);
    const now = sectionOf[index] ?? '';
    const before = origin === undefined ? undefined : olds[origin.old]?.section.heading;
    if (origin === undefined || before === undefined)
      changes.push({
        what: isHeading(index) ? 'heading added' : 'added',
        heading: onceCalled.get(now) ?? now,
        ...(isHeading(index) ? {} : { text: unit.text }),
      });
    else if (origin.how === 'renamed') changes.push({ what: 'heading renamed', heading: before, now });
    else if (origin.how === 'changed') changes.push({ what: 'changed', heading: before, text: unit.text });
    else if (!isHeading(index) && (origin.how === 'moved' || nowCalled.get(before) !== now))
      changes.push({ what: 'moved', heading: before, now, text: unit.text });
  }
  return { changes, record: { ...record, sections } };
}

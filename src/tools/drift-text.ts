/**
 * A document as a sequence of headings and sentences, so that two versions of it can be compared. Pure.
 * Line breaks inside a paragraph, indentation, trailing blanks and CRLF make no difference; blanks do not count at all.
 */
import { createHash } from 'node:crypto';

/** How headings are told from text: by Markdown (# and lines in bold), or only by the lines that the record names. */
export const FORMATS = ['markdown', 'plain'] as const;
export type Format = (typeof FORMATS)[number];

export interface Unit {
  readonly kind: 'heading' | 'sentence';
  /** A heading without its marks, a sentence with single blanks. */
  readonly text: string;
  /** 1 to 6; a line in bold counts as 7; 0 for a sentence. */
  readonly level: number;
  /** Of the text without blanks: 12 hex digits of SHA-256. */
  readonly hash: string;
}

export interface DocumentForm {
  readonly format: Format;
  /** Headings already known: lines of a plain document, and those that Markdown on one line leaves without an end. */
  readonly headings: readonly string[];
}

const BOLD = 7;
/** How far on one line a heading without an end can reach. */
const LONGEST_HEADING = 80;

export const hashOf = (text: string): string =>
  createHash('sha256').update(text.normalize('NFC').replace(/\s+/gu, '')).digest('hex').slice(0, 12);

const unit = (text: string, level = 0): Unit => ({
  kind: level === 0 ? 'sentence' : 'heading',
  text,
  level,
  hash: hashOf(text),
});

const known = (headings: readonly string[], line: string): string | undefined =>
  headings.find((heading) => line === heading || line.startsWith(`${heading} `));

/** Where an unbounded heading on a long line is taken to end: before a list, code or the end of a sentence. */
function guessedEnd(line: string): string {
  const end = /\s-\s|[。！？`]/u.exec(line.slice(0, LONGEST_HEADING))?.index;
  return line.slice(0, end ?? LONGEST_HEADING).trim();
}

/** Puts every heading on a line of its own, also in Markdown whose line ends are lost. */
function ownLines(text: string, headings: readonly string[]): string {
  return text.replace(/(^|\s)(#{1,6})[ \t]+([^\n]*?)(?=\s#{1,6}[ \t]|\n|$)/gu, (_all, _before, marks, rest) => {
    const line = String(rest).trim();
    const named = /^([^{}\n]{1,120}?)\s*\{#[^}]*\}\s*/u.exec(line);
    const title = named?.[1] ?? known(headings, line) ?? (line.length <= LONGEST_HEADING ? line : guessedEnd(line));
    return `\n${String(marks)} ${title}\n${line.slice(named?.[0].length ?? title.length).trim()}`;
  });
}

/** The heading that a line is, with its level. */
function headingOf(line: string, { format, headings }: DocumentForm): Unit | undefined {
  if (format === 'plain') return headings.includes(line) ? unit(line, 1) : undefined;
  const marked = /^(#{1,6})\s+(.+)$/u.exec(line);
  if (marked?.[1] !== undefined && marked[2] !== undefined) return unit(marked[2].trim(), marked[1].length);
  const bold = /^\*\*([^*]+)\*\*$/u.exec(line)?.[1];
  return bold === undefined ? undefined : unit(bold.trim(), BOLD);
}

/** Lines that stand for themselves: comments, brackets, code of Go, YAML. Anything else may be wrapped anywhere. */
const CODE = [
  /^\s*(\/\/|#|\}|[{}()[\],;]+$)/u,
  /^\t/u,
  /^\s*(func|if|for|return|switch|case|default|defer|type|const)\b.*[{:(]$/u,
  /^\s*(- )?[a-z][\w./-]*:(\s|$)/u,
];
const ITEM = /^\s*([-*•]\s|\d{1,2}[.、)]\s?)/u;
/** A list that stands inside a line: " - x", " 1. x". */
const INLINE_ITEM = /\s(?=[-•]\s)|\s(?=\d{1,2}\.\s)/u;
/** What may close a sentence after its mark: quotes, brackets, and bold that ends there. */
const CHINESE_END = /(?<=[。！？](?:[”"’')）\]]|\*\*(?=\s|$))*)(?![。！？”"’')）\]]|\*\*(?:\s|$))/u;
const ENGLISH_END = /(?<=[.!?]["')\]]*)\s+(?=["'`(*[]*[\p{Lu}\p{Script=Han}`])/u;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|No|Fig|\p{L}|\d+)\.$/u;

function sentences(paragraph: string): readonly string[] {
  const found: string[] = [];
  const pieces = paragraph.split(INLINE_ITEM).flatMap((part) => part.split(CHINESE_END));
  for (const piece of pieces) {
    let open = '';
    for (const part of piece.split(ENGLISH_END)) {
      open = open === '' ? part : `${open} ${part}`;
      if (ABBREVIATION.test(open)) continue;
      found.push(open);
      open = '';
    }
    found.push(open);
  }
  return found.map((sentence) => sentence.replace(/\s+/gu, ' ').trim()).filter((sentence) => sentence !== '');
}

/** The headings and sentences of a document, in order. */
export function readUnits(text: string, form: DocumentForm): readonly Unit[] {
  const clean = text.replace(/^\uFEFF/u, '').replace(/\r\n?/gu, '\n');
  const units: Unit[] = [];
  let open: string[] = [];
  const close = (): void => {
    for (const sentence of sentences(open.join(' '))) units.push(unit(sentence));
    open = [];
  };
  let fenced = false;
  const lines = form.format === 'markdown' ? splitOutsideFences(clean, form.headings) : clean.split('\n');
  for (const line of lines) {
    const bare = line.trim();
    if (bare.startsWith('```')) fenced = !fenced;
    const heading = fenced ? undefined : headingOf(bare, form);
    if (bare === '' || heading !== undefined) {
      close();
      if (heading !== undefined) units.push(heading);
    } else if (fenced || CODE.some((form) => form.test(line.trimEnd()))) {
      close();
      units.push(unit(bare.replace(/\s+/gu, ' ')));
    } else {
      if (ITEM.test(line)) close();
      open.push(bare);
    }
  }
  close();
  return units;
}

/** Lines of Markdown, each heading on its own; what is fenced as code is left as it is. */
function splitOutsideFences(text: string, headings: readonly string[]): readonly string[] {
  return text
    .split(/(^[ \t]*```[\s\S]*?^[ \t]*```[ \t]*$)/mu)
    .flatMap((part, index) => (index % 2 === 1 ? part : ownLines(part, headings)).split('\n'));
}

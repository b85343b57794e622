/**
 * What is remembered of the documents (features/sentences/documents.yaml): headings, and a hash of every sentence below
 * them. No text of a document but its headings.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { packageFile } from '../run/package-root.js';
import { conforming } from '../run/schemas.js';
import { type Format, hashOf } from './drift-text.js';

export interface Section {
  /** As sentences cite it: "parent > heading" where a document has a heading twice, our own name for a passage. */
  readonly heading: string;
  /** 1 to 7 as in drift-text.ts; 0 for a passage, a part without a heading of its own. */
  readonly level: number;
  /** Hashes, in order. */
  readonly sentences: readonly string[];
}

export interface DocumentRecord {
  /** "000" */
  readonly document: string;
  readonly title: string;
  readonly format: Format;
  readonly sections: readonly Section[];
  /** By hash: our sentences that name what the document's sentence names, as far as words can tell. */
  readonly ties: Readonly<Record<string, readonly string[]>>;
}

/** As the file has it: lists as words, to keep it short. */
interface Stored extends Omit<DocumentRecord, 'sections' | 'ties'> {
  readonly sections: readonly (Omit<Section, 'sentences'> & { readonly sentences: string })[];
  readonly ties: Readonly<Record<string, string>>;
}

const FILE = 'features/sentences/documents.yaml';
const INTRODUCTION = [
  '# The five documents, sentence by sentence, without their text: headings, below each the hashes of its sentences,',
  '# and which of our sentences name what one of theirs names (ties). Written by "npm run tools:drift -- DIR --write".',
  '# Level 0 is a passage without a heading of its own, under a name of ours.',
  '',
].join('\n');

const wordsOf = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

export const titleOf = ({ heading }: Pick<Section, 'heading'>): string => heading.split(' > ').at(-1) ?? heading;
export const headingHash = (section: Pick<Section, 'heading'>): string => hashOf(titleOf(section));

/** Throws an Error that names the place of a mistake. The file is part of the package, so a mistake in it is ours. */
export function readRecord(file: string = packageFile(FILE)): readonly DocumentRecord[] {
  const content = conforming<readonly Stored[]>('documents', parse(readFileSync(file, 'utf8')), file);
  return content.map(({ sections, ties, ...document }) => ({
    ...document,
    sections: sections.map(({ sentences, ...section }) => ({ ...section, sentences: wordsOf(sentences) })),
    ties: Object.fromEntries(Object.entries(ties).map(([hash, ids]) => [hash, wordsOf(ids)])),
  }));
}

export function writeRecord(documents: readonly DocumentRecord[], file: string = packageFile(FILE)): void {
  const stored: readonly Stored[] = documents.map(({ sections, ties, ...document }) => ({
    ...document,
    sections: sections.map(({ sentences, ...section }) => ({ ...section, sentences: sentences.join(' ') })),
    ties: Object.fromEntries(Object.entries(ties).map(([hash, ids]) => [hash, ids.join(' ')])),
  }));
  writeFileSync(file, INTRODUCTION + stringify(stored, { lineWidth: 118 }));
}

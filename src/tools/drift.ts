/**
 * npm run tools:drift -- DIR [--write]: compares the documents in DIR ("001-anything.txt") with what is remembered of
 * them, and says which sentences were added, removed, changed or moved under which heading, and which of our sentences
 * and rules that concerns. --write remembers DIR's documents from now on. Ends with 0 where nothing has changed or all
 * was remembered, 1 where something has changed, 2 where it cannot tell.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { validAreas } from '../run/sentence-files.js';
import { rulesOf, type Sentence } from '../run/sentences.js';
import { type Change, compareDocument } from './drift-compare.js';
import { type DocumentRecord, readRecord, writeRecord } from './drift-record.js';
import { sentencesUnder, tied, tiesOf } from './drift-ties.js';

export interface DriftContext {
  /** The record of the documents; that of the package where none is given. */
  readonly record?: string;
  readonly sentences: readonly Sentence[];
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

const USAGE = 'npm run tools:drift -- DIR [--write], where DIR holds the documents as 000-name.txt, 001-name.md …';
const FILE = /^(\d{3})\b.*\.(txt|md)$/u;
const EXCERPT = 120;

class Unusable extends Error {}

/** The texts of the folder by document, "001" → text. */
function readDocuments(folder: string, known: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const failed = (what: string, error: unknown): Unusable =>
    new Unusable(
      `${what} cannot be read (${error instanceof Error ? error.message : String(error)}). Give a folder of documents.`,
    );
  let names: readonly string[];
  try {
    names = readdirSync(folder).sort();
  } catch (error) {
    throw failed(folder, error);
  }
  for (const name of names) {
    const document = FILE.exec(name)?.[1];
    if (document === undefined) continue;
    if (!known.includes(document))
      throw new Unusable(
        `${name} is no document that is remembered (${known.join(', ')}). Add it to documents.yaml first.`,
      );
    if (texts.has(document))
      throw new Unusable(`${folder} holds the document ${document} twice. Leave one of its files.`);
    try {
      texts.set(document, readFileSync(path.join(folder, name), 'utf8'));
    } catch (error) {
      throw failed(path.join(folder, name), error);
    }
  }
  if (texts.size === 0) throw new Unusable(`${folder} holds no document. They are named 000-name.txt, 001-name.md …`);
  return texts;
}

const named = (sentence: Sentence): string => {
  const rules = rulesOf(sentence);
  if (rules.length === 0) return `${sentence.id} (no rule)`;
  return rules.length === 1 && rules[0] === sentence.id ? sentence.id : `${sentence.id} (${rules.join(', ')})`;
};

/** Our sentences from the heading: first those that name what the changed sentence names or named, then the others. */
function concerned(before: DocumentRecord, { heading, text, hash }: Change, sentences: readonly Sentence[]) {
  const here = sentencesUnder(before.document, heading, sentences);
  const likely = new Set([...(before.ties[hash ?? ''] ?? []), ...(text === undefined ? [] : tiesOf(text, here))]);
  const near = here.filter(({ id }) => likely.has(id));
  const others = here.filter(({ id }) => !likely.has(id));
  if (here.length === 0) return ['  no sentence of ours comes from there'];
  return [
    ...(near.length === 0 ? [] : [`  most likely: ${near.map(named).join(', ')}`]),
    ...(others.length === 0 ? [] : [`  under the same heading: ${others.map(named).join(', ')}`]),
  ];
}

const excerpt = (text: string): string => (text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text);

function told(document: string, change: Change): string {
  const { what, heading, now, text } = change;
  const place = `${document} "${heading}": `;
  if (what === 'heading renamed') return `${place}the heading is now "${now}"`;
  if (what === 'heading added' || what === 'heading removed')
    return `${place}the heading was ${what.slice('heading '.length)}`;
  const moved = what === 'moved' && now !== heading ? ` to "${now}"` : '';
  return `${place}a sentence was ${what}${moved}${text === undefined ? '' : `: ${excerpt(text)}`}`;
}

/** What cites a heading that the documents do not have, one line each. */
function lostPlaces(records: readonly DocumentRecord[], sentences: readonly Sentence[]): readonly string[] {
  const headings = new Set(
    records.flatMap(({ document, sections }) => sections.map((s) => `${document} ${s.heading}`)),
  );
  return sentences.flatMap(({ id, places }) =>
    places
      .filter(({ document, heading }) => !headings.has(`${document} ${heading}`))
      .map(({ document, heading }) => `${id} cites "${heading}" of ${document}, which is gone. Give it another place.`),
  );
}

/** Runs the tool; the exit code. */
export function drift(args: readonly string[], { record, sentences, out, err }: DriftContext): 0 | 1 | 2 {
  const folders = args.filter((arg) => !arg.startsWith('-'));
  const write = args.includes('--write');
  const folder = folders[0];
  if (folder === undefined || folders.length > 1 || args.length - folders.length > (write ? 1 : 0)) {
    err(`drift: give one folder of documents. ${USAGE}`);
    return 2;
  }
  try {
    const records = readRecord(record);
    const texts = readDocuments(
      folder,
      records.map(({ document }) => document),
    );
    let changed = 0;
    const after = records.map((before) => {
      const text = texts.get(before.document);
      if (text === undefined) {
        out(`${before.document}: not in ${folder}, not looked at`);
        return before;
      }
      const comparison = compareDocument(before, text);
      for (const change of comparison.changes)
        for (const line of [told(before.document, change), ...concerned(before, change, sentences)]) out(line);
      changed += comparison.changes.length;
      return { ...comparison.record, ties: tied(comparison, sentences) };
    });
    out(changed === 0 ? `drift: nothing has changed in ${texts.size} documents` : `drift: ${changed} changes`);
    if (!write) return changed === 0 ? 0 : 1;
    writeRecord(after, record);
    for (const line of lostPlaces(after, sentences)) out(line);
    out('drift: remembered');
    return 0;
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    err(`drift: ${error.message}`);
    return 2;
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  process.exitCode = drift(process.argv.slice(2), {
    sentences: [...validAreas().values()].flatMap((area) => area.sentences),
    out: (line) => process.stdout.write(`${line}\n`),
    err: (line) => process.stderr.write(`${line}\n`),
  });

/** Where the lists of rows lie: src/matrix/rows/<chapter>/<feature>.txt. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../report/files.js';
import type { Rule } from '../run/features.js';
import { packageFile } from '../run/package-root.js';
import type { Reached } from './demands.js';
import { fromText, type Listed, renewed, toText } from './row-lists.js';

const FOLDER = packageFile('src/matrix/rows');

/** "authorization/1-roles-and-bindings.feature:8" is listed in "authorization/1-roles-and-bindings.txt". */
const fileOf = ({ place }: Pick<Rule, 'place'>): string => place.replace(/\.feature:\d+$/, '.txt');

function files(): readonly string[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.txt') && file.includes(path.sep))
    .sort();
}

const read = (file: string): readonly Listed[] => {
  try {
    return fromText(readFileSync(path.join(FOLDER, file), 'utf8'));
  } catch (error) {
    throw new Error(`src/matrix/rows/${file} cannot be read: ${(error as Error).message}`);
  }
};

/** All that is listed. */
export const listedRows = (): readonly Listed[] => files().flatMap(read);

/**
 * Writes the lists of the rules that were played, and leaves those of others as they are. `catalogue`: all rules that
 * there are, in the order of reading.
 */
export function writeRows(rows: readonly Reached[], played: ReadonlySet<string>, catalogue: readonly Rule[]): void {
  const listed = listedRows();
  const kept = listed.filter(({ rule }) => !played.has(rule));
  const all = [...kept, ...renewed(rows, listed)];
  const byFile = new Map<string, string[]>();
  for (const rule of catalogue) byFile.set(fileOf(rule), [...(byFile.get(fileOf(rule)) ?? []), rule.id]);
  for (const file of files()) if (!byFile.has(file)) rmSync(path.join(FOLDER, file));
  for (const [file, ids] of byFile) {
    mkdirSync(path.dirname(path.join(FOLDER, file)), { recursive: true });
    writeWhole(path.join(FOLDER, file), toText(ids.flatMap((id) => all.filter(({ rule }) => rule === id))));
  }
}

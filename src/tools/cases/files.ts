/** The files of src/checks/cases: one for each file of checks, a case a line, and what cases share. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../report/files.js';
import { packageFile } from '../../run/package-root.js';
import type { Case } from './cases.js';
import { packed, unpacked } from './packed.js';

const FOLDER = packageFile('src/checks/cases');
const SHARED = 'shared.jsonl';

const linesOf = (file: string): readonly string[] =>
  readFileSync(path.join(FOLDER, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

const caseFiles = (): readonly string[] => readdirSync(FOLDER).filter((file) => file.endsWith('.jsonl'));

/** Instead of all that were there. */
export function writeCases(cases: readonly Case[]): void {
  const { shared, values } = packed(cases);
  const files = new Map<string, string[]>();
  for (const one of values) {
    const file = `${one.check.split('/')[0]}.jsonl`;
    files.set(file, [...(files.get(file) ?? []), JSON.stringify(one)]);
  }
  files.set(
    SHARED,
    [...shared].map((entry) => JSON.stringify(entry)),
  );
  mkdirSync(FOLDER, { recursive: true });
  for (const file of caseFiles()) rmSync(path.join(FOLDER, file));
  for (const [file, lines] of files) writeWhole(path.join(FOLDER, file), `${lines.sort().join('\n')}\n`);
}

/** By file, "login.jsonl". */
export function readCases(): ReadonlyMap<string, readonly Case[]> {
  const shared = new Map(linesOf(SHARED).map((line) => JSON.parse(line) as [string, unknown]));
  const files = caseFiles().filter((file) => file !== SHARED);
  return new Map(
    files.sort().map((file) => {
      const values = linesOf(file).map((line) => JSON.parse(line) as unknown);
      return [file, unpacked({ shared, values }) as readonly Case[]];
    }),
  );
}

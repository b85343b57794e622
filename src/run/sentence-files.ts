/** The files of features/sentences, held to their schemas: for tests, the build and the tools. No run needs it. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { conforming } from '../checks/schema.js';
import { packageFile } from './package-root.js';
import { type Area, areaTexts, type Judged, type Sentence, type Trap } from './sentences.js';

/** What no document says and a policy may want. */
export interface Candidate extends Judged {
  readonly level: Sentence['level'];
  readonly statement: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** How it can be seen. */
  readonly check: string;
}

const packaged = <T>(name: 'traps' | 'candidates'): T => {
  const file = `features/sentences/${name}.yaml`;
  return conforming<T>(name, parse(readFileSync(packageFile(file), 'utf8')), file);
};

/** Every area, with the name of its file, sorted. Throws where one breaks its schema. */
export const validAreas = (texts: ReadonlyMap<string, string> = areaTexts()): ReadonlyMap<string, Area> =>
  new Map(
    [...texts].map(([file, text]) => [file, conforming<Area>('sentences', parse(text), `features/sentences/${file}`)]),
  );
export const validTraps = (): readonly Trap[] => packaged<{ readonly traps: readonly Trap[] }>('traps').traps;
export const validCandidates = (): readonly Candidate[] =>
  packaged<{ readonly candidates: readonly Candidate[] }>('candidates').candidates;

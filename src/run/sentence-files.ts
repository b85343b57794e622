/** The files of features/sentences, held to their schemas: for tests, the build and the tools. No run needs it. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { packageFile } from './package-root.js';
import { schemaValidator } from './schemas.js';
import { type Area, areaTexts, type Judged, type Trap } from './sentences.js';

/** What no document says and a policy may want. */
export interface Candidate extends Judged {
  readonly statement: string;
  /** What goes wrong without it. */
  readonly why: string;
  /** How it can be seen. */
  readonly check: string;
}

/** The content of a YAML text; throws an Error that names the file and every place that breaks the schema. */
function valid<T>(file: string, text: string, schema: string): T {
  const validator = schemaValidator<T>(schema);
  const content: unknown = parse(text);
  if (!validator.valid(content)) throw new Error(`${file}: ${validator.problems().join('; ')}`);
  return content;
}

const packaged = <T>(name: string): T => {
  const file = `features/sentences/${name}.yaml`;
  return valid<T>(file, readFileSync(packageFile(file), 'utf8'), name);
};

/** Every area, with the name of its file, sorted. Throws where one breaks its schema. */
export const validAreas = (texts: ReadonlyMap<string, string> = areaTexts()): ReadonlyMap<string, Area> =>
  new Map([...texts].map(([file, text]) => [file, valid<Area>(`features/sentences/${file}`, text, 'sentences')]));
export const validTraps = (): readonly Trap[] => packaged<{ readonly traps: readonly Trap[] }>('traps').traps;
export const validCandidates = (): readonly Candidate[] =>
  packaged<{ readonly candidates: readonly Candidate[] }>('candidates').candidates;

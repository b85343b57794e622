/**
 * The data file of what distributions are known to add, read once. It is part of the package, so a mistake in it is
 * ours.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KnownExtra } from '../checks/privileges.js';
import { packageFile } from './package-root.js';

const FILE = 'features/known-extras.yaml';
const SCHEMA = 'schemas/known-extras.schema.json';

let extras: Promise<readonly KnownExtra[]> | undefined;

/** features/known-extras.yaml. Rejects with what is wrong in it. */
export function knownExtras(): Promise<readonly KnownExtra[]> {
  extras ??= readKnownExtras(readFileSync(packageFile(FILE), 'utf8'));
  return extras;
}

/** Rejects where the text is not as schemas/known-extras.schema.json demands. */
export async function readKnownExtras(text: string): Promise<readonly KnownExtra[]> {
  // the validator takes longer to load than to work, and most commands need no extras
  const { Ajv } = await import('ajv');
  // the schema is ours: a test holds it to the meta-schema
  const { $schema: _, ...schema } = JSON.parse(readFileSync(packageFile(SCHEMA), 'utf8')) as Record<string, unknown>;
  const ajv = new Ajv({ allErrors: true, meta: false, validateSchema: false });
  const validate = ajv.compile<{ readonly extras: readonly KnownExtra[] }>(schema);
  const data: unknown = parse(text);
  if (validate(data)) return data.extras;
  throw new Error(`${FILE} is not as its schema demands: ${ajv.errorsText(validate.errors, { dataVar: 'it' })}`);
}

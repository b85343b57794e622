/**
 * The data file of what distributions are known to add, read once. It is part of the package, so a mistake in it is
 * ours.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KnownExtra } from '../checks/privileges.js';
import { conforming } from '../checks/schema.js';
import { packageFile } from './package-root.js';

const FILE = 'features/known-extras.yaml';

let extras: readonly KnownExtra[] | undefined;

/** features/known-extras.yaml. Throws what is wrong in it. */
export function knownExtras(): readonly KnownExtra[] {
  extras ??= readKnownExtras(readFileSync(packageFile(FILE), 'utf8'));
  return extras;
}

/** Throws where the text is not as schemas/known-extras.schema.json demands. */
export const readKnownExtras = (text: string): readonly KnownExtra[] =>
  conforming<{ readonly extras: readonly KnownExtra[] }>('known-extras', parse(text), FILE).extras;

/**
 * The data file of what distributions are known to add, read once. It is part of the package, so a mistake in it is
 * ours.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KnownExtra } from '../checks/authorization/privileges.js';
import { conforming } from '../checks/schema.js';
import { packageFile } from './package-root.js';

const FILE = 'features/known-extras.yaml';

let extras: readonly KnownExtra[] | undefined;

/** features/known-extras.yaml. As its schema demands: a test holds it, and no run takes the time to. */
export function knownExtras(): readonly KnownExtra[] {
  extras ??= (parse(textOfExtras()) as Extras).extras;
  return extras;
}

export const textOfExtras = (): string => readFileSync(packageFile(FILE), 'utf8');

interface Extras {
  readonly extras: readonly KnownExtra[];
}

/** Throws where the text is not as schemas/known-extras.schema.json demands. */
export const readKnownExtras = (text: string): readonly KnownExtra[] =>
  conforming<Extras>('known-extras', parse(text), FILE).extras;

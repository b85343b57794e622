/** The data file of what distributions are known to add, read once. It is part of the package, so a mistake in it is ours. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KnownExtra } from '../checks/rbac.js';
import { packageFile } from './package-root.js';

let extras: readonly KnownExtra[] | undefined;

/** features/known-extras.yaml. */
export function knownExtras(): readonly KnownExtra[] {
  extras ??= (parse(readFileSync(packageFile('features/known-extras.yaml'), 'utf8')) as { extras: KnownExtra[] })
    .extras;
  return extras;
}

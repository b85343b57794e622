/** The data file of what kube-apiserver gives by its own roles and bindings, read once. It is part of the package. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Defaults } from '../checks/authorization/default-roles.js';
import { packageFile } from './package-root.js';

let defaults: Defaults | undefined;

/** features/default-roles.yaml */
export function defaultRoles(): Defaults {
  defaults ??= parse(readFileSync(packageFile('features/default-roles.yaml'), 'utf8')) as Defaults;
  return defaults;
}

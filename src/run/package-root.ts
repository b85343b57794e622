/** Where the package lies, whatever the working directory: features and compiled steps are found from here. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder that holds package.json, and the folder that the running code was compiled to (dist). */
function locate(): { readonly root: string; readonly dist: string } {
  const here = fileURLToPath(import.meta.url);
  const dist = path.resolve(path.dirname(here), '..', '..');
  for (let folder = dist; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'package.json')) && existsSync(path.join(folder, 'features')))
      return { root: folder, dist };
    if (path.dirname(folder) === folder)
      throw new Error(
        `The installation of joinproof is incomplete: no folder above ${here} holds package.json and features.`,
      );
  }
}

export const { root: packageRoot, dist: distFolder } = locate();
export const featuresFolder = path.join(packageRoot, 'features');
export const stepsFolder = path.join(distFolder, 'steps');
/** What cucumber loads before the steps. */
export const supportModule = path.join(distFolder, 'src', 'run', 'support.js');
/** A file of the package by its path below the root, "features/known-extras.yaml". */
export const packageFile = (relative: string): string => path.join(packageRoot, relative);

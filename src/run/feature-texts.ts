/** The features as they lie in the package, for formats that tell them. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readFeatures } from './features.js';
import { featuresFolder } from './package-root.js';

/** Texts by file, and "file:line" of each scenario by its id. Throws CannotJudge where the features are missing. */
export function featureTexts(folder: string = featuresFolder): {
  readonly texts: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, string>;
} {
  const { rules } = readFeatures(folder);
  const files = [...new Set(rules.map(({ place }) => place.replace(/:\d+$/, '')))];
  return {
    texts: new Map(files.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')])),
    places: new Map(rules.flatMap(({ scenarios }) => scenarios.map(({ id, key }) => [id, key] as const))),
  };
}

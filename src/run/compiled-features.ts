/**
 * What "npm run build" keeps of the features, by the hash of each file: parsing their Gherkin takes 0.2 s. What fits no
 * text, or comes from other code, is not used.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Rule } from './features.js';
import { distFolder } from './package-root.js';

/** What one file holds. */
export interface ParsedFeature {
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
}
export type CompiledFeatures = Readonly<Record<string, ParsedFeature>>;

export const COMPILED_FEATURES = path.join(distFolder, 'src', 'run', 'features.json');

/** The code that makes rules of Gherkin. */
const MAKERS = ['features', 'tags', 'versions'].map((name) => path.join(distFolder, 'src', 'run', `${name}.js`));
let makers: string | undefined;

/** Of a file's name, its text and the code that reads it. */
export function featureHash(file: string, text: string): string {
  makers ??= MAKERS.map((maker) => readFileSync(maker, 'utf8')).join('');
  return createHash('sha256').update(`${makers}\n${file}\n${text}`).digest('base64url');
}

let built: CompiledFeatures | undefined;

/** What an earlier build has parsed, read once a process; nothing where there was none. */
export function compiledFeatures(): CompiledFeatures {
  if (built === undefined) {
    try {
      built = JSON.parse(readFileSync(COMPILED_FEATURES, 'utf8')) as CompiledFeatures;
    } catch {
      built = {};
    }
  }
  return built;
}

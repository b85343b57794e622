/** Committed lists about rules, a file per feature: <folder>/<chapter>/<feature>.txt. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../report/files.js';
import type { Rule } from '../run/features.js';
import { packageFile } from '../run/package-root.js';

/** "authorization/1-roles-and-bindings.feature:8" is listed in "authorization/1-roles-and-bindings.txt". */
const fileOf = ({ place }: Pick<Rule, 'place'>): string => place.replace(/\.feature:\d+$/, '.txt');

export class FeatureLists {
  readonly #name: string;
  readonly #folder: string;

  /** `name`: "src/matrix/rows". */
  constructor(name: string) {
    this.#name = name;
    this.#folder = packageFile(name);
  }

  #files(): readonly string[] {
    if (!existsSync(this.#folder)) return [];
    return readdirSync(this.#folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.txt') && file.includes(path.sep))
      .sort();
  }

  /** What each file holds. Throws with the file that cannot be read. */
  read<T>(parse: (text: string) => T): readonly T[] {
    return this.#files().map((file) => {
      try {
        return parse(readFileSync(path.join(this.#folder, file), 'utf8'));
      } catch (error) {
        throw new Error(`${this.#name}/${file} cannot be read: ${(error as Error).message}`);
      }
    });
  }

  /** Writes a file for each feature of the catalogue, and removes those of features that are gone. */
  write(catalogue: readonly Rule[], textOf: (ids: readonly string[]) => string): void {
    const byFile = new Map<string, string[]>();
    for (const rule of catalogue) byFile.set(fileOf(rule), [...(byFile.get(fileOf(rule)) ?? []), rule.id]);
    for (const file of this.#files()) if (!byFile.has(file)) rmSync(path.join(this.#folder, file));
    for (const [file, ids] of byFile) {
      mkdirSync(path.dirname(path.join(this.#folder, file)), { recursive: true });
      writeWhole(path.join(this.#folder, file), textOf(ids));
    }
  }
}

/**
 * All mutants and harmless variants: every file of src/mutants that exports `mutants` is data; a new chapter only adds
 * a file.
 */
import { readdirSync } from 'node:fs';
import type { Mutant } from '../mutants/types.js';

const isMutants = (value: unknown): value is readonly Mutant[] =>
  Array.isArray(value) &&
  value.every(
    (item: unknown) =>
      typeof item === 'object' && item !== null && 'name' in item && 'defect' in item && 'killedBy' in item,
  );

const TEST = /\.test\.js$/;

/** Sorted by name. Throws where a name is taken twice. */
export function collectMutants(): Promise<readonly Mutant[]> {
  collected ??= collect();
  return collected;
}

let collected: Promise<readonly Mutant[]> | undefined;

async function collect(): Promise<readonly Mutant[]> {
  const here = new URL('../mutants/', import.meta.url);
  const files = readdirSync(here).filter((file) => file.endsWith('.js') && !TEST.test(file));
  const modules = await Promise.all(
    files.sort().map(async (file) => ({
      file,
      module: (await import(new URL(file, here).href)) as Readonly<Record<string, unknown>>,
    })),
  );
  return collectedOf(modules);
}

/** What a file exports. */
interface Exporting {
  readonly file: string;
  readonly module: Readonly<Record<string, unknown>>;
}

/** Those of these modules, sorted by name. Throws where a name is taken twice. */
export function collectedOf(modules: readonly Exporting[]): readonly Mutant[] {
  const all = new Map<string, Mutant>();
  for (const { file, module } of modules) {
    // Helpers that several chapters share export none.
    for (const exported of Object.values(module).filter(isMutants)) {
      for (const mutant of exported) {
        if (all.has(mutant.name) && all.get(mutant.name) !== mutant)
          throw new Error(`Two mutants are named "${mutant.name}"; the second is in ${file}.`);
        all.set(mutant.name, mutant);
      }
    }
  }
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Which unit tests import a module, on however long a way. Pure. */
import path from 'node:path';

const IMPORT = /(?:\bfrom|\bimport\(?)\s*['"](\.[^'"]+)['"]/g;

/** `files`: paths with their compiled text. Gives the tests of a file: the one beside it, then the nearest. */
export function nearest(
  files: readonly (readonly [file: string, text: string])[],
): (file: string) => readonly string[] {
  const importing = new Map<string, string[]>();
  for (const [file, text] of files)
    for (const [, name = ''] of text.matchAll(IMPORT)) {
      const imported = path.join(path.dirname(file), name);
      importing.set(imported, [...(importing.get(imported) ?? []), file]);
    }
  return (file) => {
    const beside = file.replace(/\.js$/, '.test.js');
    const seen = new Set([file]);
    // grows while it is walked
    for (const one of seen) if (!isTest(one)) for (const next of importing.get(one) ?? []) seen.add(next);
    const found = [...seen].filter(isTest);
    return [...found.filter((one) => one === beside), ...found.filter((one) => one !== beside)];
  };
}

const isTest = (file: string): boolean => file.endsWith('.test.js');

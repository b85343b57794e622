/** Which unit tests import a module, on however long a way. Pure. */
import path from 'node:path';

const IMPORT = /(?:\bfrom|\bimport\(?)\s*['"](\.[^'"]+)['"]/g;
/** How a test imports whatever lies beside it. */
const BY_NAMES_READ = /\bimport\(new URL\(\w/;

/**
 * `files`: paths with their compiled text. Gives the tests of a file: the one beside it, then the nearest; a test may
 * import it by way of another, whose world it borrows.
 */
export function nearest(
  files: readonly (readonly [file: string, text: string])[],
): (file: string) => readonly string[] {
  const importing = new Map<string, string[]>();
  const imports = (file: string, imported: string): void =>
    void importing.set(imported, [...(importing.get(imported) ?? []), file]);
  for (const [file, text] of files) {
    const folder = path.dirname(file);
    for (const [, name = ''] of text.matchAll(IMPORT)) imports(file, path.join(folder, name));
    if (isTest(file) && BY_NAMES_READ.test(text))
      for (const [beside] of files) if (path.dirname(beside) === folder && !isTest(beside)) imports(file, beside);
  }
  return (file) => {
    const beside = file.replace(/\.js$/, '.test.js');
    const seen = new Set([file]);
    // grows while it is walked
    for (const one of seen) if (!isTest(one)) for (const next of importing.get(one) ?? []) seen.add(next);
    // behind those that need no other: whoever borrows the world of a test
    for (const one of seen) if (isTest(one)) for (const next of importing.get(one) ?? []) seen.add(next);
    const found = [...seen].filter(isTest);
    return [...found.filter((one) => one === beside), ...found.filter((one) => one !== beside)];
  };
}

const isTest = (file: string): boolean => file.endsWith('.test.js');

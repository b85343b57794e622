/** YAML in and out, as the API server reads and writes it. The library is loaded when the first YAML comes by. */
import { createRequire } from 'node:module';

type Yaml = typeof import('yaml');
const require = createRequire(import.meta.url);
let library: Yaml | undefined;
const yaml = (): Yaml => {
  library ??= require('yaml') as Yaml;
  return library;
};

/** A text that is no YAML; the message begins as upstream's. */
export class YamlError extends Error {}

/** A key that a mapping holds twice. */
export interface DuplicateKey {
  readonly path: string;
  readonly key: string;
  readonly line: number;
}

/** One document as JSON values. Booleans and numbers as YAML 1.1 has them. @throws YamlError */
export function readYaml(text: string): { readonly value: unknown; readonly duplicates: readonly DuplicateKey[] } {
  const document = yaml().parseDocument(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    schema: 'yaml-1.1',
    prettyErrors: false,
    logLevel: 'silent',
  });
  const lineAt = (offset: number): number => text.slice(0, offset).split('\n').length;
  const fault = document.errors[0];
  if (fault !== undefined) {
    const line = lineAt(fault.pos[0]);
    const nested = fault.code === 'BLOCK_AS_IMPLICIT_KEY' || /nested mappings/i.test(fault.message);
    if (nested)
      throw new YamlError(`yaml: ${line > 1 ? `line ${line}: ` : ''}mapping values are not allowed in this context`);
    const unfinished = fault.code === 'BAD_COLLECTION_TYPE' || /end|closing|flow/i.test(fault.message);
    throw new YamlError(
      `yaml: line ${line}: ${unfinished ? 'did not find expected node content' : 'could not find expected value'}`,
    );
  }
  const duplicates: DuplicateKey[] = [];
  yaml().visit(document, {
    Map(_key, node, path) {
      const seen = new Set<string>();
      for (const pair of node.items) {
        if (!yaml().isScalar(pair.key)) continue;
        const key = String(pair.key.value);
        if (seen.has(key)) {
          const parents = path.flatMap((step) =>
            yaml().isPair(step) && yaml().isScalar(step.key) ? [String(step.key.value)] : [],
          );
          duplicates.push({ path: [...parents, key].join('.'), key, line: lineAt(pair.key.range?.[0] ?? 0) });
        }
        seen.add(key);
      }
    },
  });
  const value: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
  return { value, duplicates };
}

/** Keys sorted, lists not indented. */
export const writeYaml = (value: unknown): string =>
  yaml().stringify(value, { version: '1.1', sortMapEntries: true, lineWidth: 0, indentSeq: false });

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

/** One document as JSON values, with the keys that a mapping holds twice. Booleans and numbers as YAML 1.1 has them. @throws YamlError */
export function readYaml(text: string): { readonly value: unknown; readonly duplicates: readonly string[] } {
  const document = yaml().parseDocument(text, { version: '1.1', merge: true, uniqueKeys: false, schema: 'yaml-1.1', prettyErrors: false, logLevel: 'silent' });
  const fault = document.errors[0];
  if (fault !== undefined) {
    const line = text.slice(0, fault.pos[0]).split('\n').length;
    const unfinished = fault.code === 'BAD_COLLECTION_TYPE' || /end|closing|flow/i.test(fault.message);
    throw new YamlError(
      `error converting YAML to JSON: yaml: line ${line}: ${unfinished ? 'did not find expected node content' : 'could not find expected value'}`,
    );
  }
  const duplicates: string[] = [];
  yaml().visit(document, {
    Map(_key, node, path) {
      const seen = new Set<string>();
      for (const pair of node.items) {
        const key = String(yaml().isScalar(pair.key) ? pair.key.value : pair.key);
        if (seen.has(key))
          duplicates.push([...path.flatMap((step) => (yaml().isPair(step) && yaml().isScalar(step.key) ? [String(step.key.value)] : [])), key].join('.'));
        seen.add(key);
      }
    },
  });
  const value: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: 100 }) ?? null));
  return { value, duplicates };
}

/** Keys sorted, lists not indented. */
export const writeYaml = (value: unknown): string => yaml().stringify(value, { version: '1.1', sortMapEntries: true, lineWidth: 0, indentSeq: false });

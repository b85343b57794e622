/** YAML that somebody else wrote: the package's warnings would quote lines of it on stderr, and lines may hold keys. */
import { type DocumentOptions, type ParseOptions, parse, type SchemaOptions, type ToJSOptions } from 'yaml';

type Options = ParseOptions & DocumentOptions & SchemaOptions & ToJSOptions;

/** Texts whose values are remembered: a machine that joins reads and writes the same few files over and over. */
const MOST = 64;
/** Characters of such a text; longer ones are no configuration that anybody reads twice. */
const LONGEST = 16_384;
const known = new Map<string, unknown>();

/**
 * What a text of one document holds; the value is the caller's own. Throws YAMLParseError; the first line of its
 * message quotes nothing.
 */
export function parseYaml(text: string, options: Options = {}): unknown {
  const read = (): unknown => parse(text, { logLevel: 'error', ...options });
  if (text.length > LONGEST) return read();
  const key = `${JSON.stringify(options)}${text}`;
  const value = known.has(key) ? known.get(key) : read();
  known.delete(key);
  known.set(key, value);
  if (known.size > MOST) known.delete(known.keys().next().value as string);
  return structuredClone(value);
}

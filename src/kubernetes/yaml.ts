/** YAML that somebody else wrote: the package's warnings would quote lines of it on stderr, and lines may hold keys. */
import { type DocumentOptions, type ParseOptions, parse, type SchemaOptions, type ToJSOptions } from 'yaml';

type Options = ParseOptions & DocumentOptions & SchemaOptions & ToJSOptions;

/** What a text of one document holds. Throws YAMLParseError; the first line of its message quotes nothing. */
export const parseYaml = (text: string, options: Options = {}): unknown =>
  parse(text, { logLevel: 'error', ...options });

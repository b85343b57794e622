/** YAML that somebody else wrote: the package's warnings would quote lines of it on stderr, and lines may hold keys. */
import {
  type DocumentOptions,
  type ParseOptions,
  parse,
  type SchemaOptions,
  type ToJSOptions,
  YAMLParseError,
} from 'yaml';
import { rememberedText } from './remembered.js';

type Options = ParseOptions & DocumentOptions & SchemaOptions & ToJSOptions;

/** Errors whose message has a word of the text in it, and what they say without. Source: the package's errors.ts. */
const QUOTING: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: 'A tag is unknown',
  BAD_ALIAS: 'An alias is wrong',
  BAD_DIRECTIVE: 'A directive is wrong',
  UNEXPECTED_TOKEN: 'Something stands where it may not',
  DUPLICATE_KEY: 'A key stands there twice',
};

/** Where an error lies, without what lies there: it may be a key. */
function unquoted(error: unknown): unknown {
  if (error instanceof YAMLParseError) {
    const [{ line, col } = { line: 0, col: 0 }] = error.linePos ?? [];
    const { [error.code]: said } = QUOTING;
    if (said !== undefined) error.message = `${said} at line ${line}, column ${col}:`;
  } else if (error instanceof ReferenceError) error.message = 'An alias has no anchor, or there are too many';
  return error;
}

/**
 * What a text of one document holds; the value is the caller's own. Throws YAMLParseError; the first line of its
 * message quotes nothing.
 */
export const parseYaml = (text: string, options: Options = {}): unknown =>
  structuredClone(readers(JSON.stringify(options))(text));

/** Texts of the documents of a file. */
export const documentTexts = (text: string): readonly string[] =>
  text.split(/^---[ \t]*$/m).filter((one) => one.trim() !== '');

/** A machine that joins reads and writes the same few files over and over. */
const readers = rememberedText((options) =>
  rememberedText((text) => {
    try {
      return parse(text, { logLevel: 'error', ...(JSON.parse(options) as Options) }) as unknown;
    } catch (error) {
      throw unquoted(error);
    }
  }),
);

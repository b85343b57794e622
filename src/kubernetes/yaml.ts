/** YAML that somebody else wrote: the package's warnings would quote lines of it on stderr, and lines may hold keys. */
import {
  type DocumentOptions,
  Lexer,
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
 * Levels of lists and mappings, the most that are read. Objects have about twenty, schemas a hundred. The package goes
 * down level by level, and where the stack ends V8 may end the whole process, which nothing catches.
 */
const DEEPEST_YAML = 300;
/** Entries that begin on one line, each within the one before. */
const NESTED_LINE = /^ *(?:[-?][ \t]+){100}/m;

/** Whether a text is nested more deeply than is read. In time that grows with the text, and without going down. */
export const isTooDeep = (text: string): boolean =>
  NESTED_LINE.test(text) || deepestIndent(text) > DEEPEST_YAML || (mostOpen(text) > DEEPEST_YAML && hasDeepFlow(text));

/** Lines that are each indented further than the one that they stand below. */
function deepestIndent(text: string): number {
  const levels: number[] = [];
  let deepest = 0;
  for (const [line] of text.matchAll(/^ *(?=[^ \r\n])/gm)) {
    while ((levels.at(-1) ?? -1) >= line.length) levels.pop();
    levels.push(line.length);
    deepest = Math.max(deepest, levels.length);
  }
  return deepest;
}

/** Brackets that are open at once, those in texts among them: never fewer than of lists and mappings. */
function mostOpen(text: string): number {
  let open = 0;
  let most = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 123 || character === 91) most = Math.max(most, ++open);
    else if ((character === 125 || character === 93) && open > 0) open -= 1;
  }
  return most;
}

/** The same without those in texts, which take longer to tell apart. */
function hasDeepFlow(text: string): boolean {
  let open = 0;
  let isText = false;
  for (const lexeme of new Lexer().lex(text)) {
    if (!isText && (lexeme === '[' || lexeme === '{')) open += 1;
    else if (!isText && (lexeme === ']' || lexeme === '}')) open -= 1;
    if (open > DEEPEST_YAML) return true;
    isText = lexeme === '\u001f';
  }
  return false;
}

const refuseDeep = (text: string): void => {
  if (isTooDeep(text)) throw new YAMLParseError([0, 0], 'RESOURCE_EXHAUSTION', 'it is nested too deeply to be read');
};

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
    refuseDeep(text);
    try {
      return parse(text, { logLevel: 'error', ...(JSON.parse(options) as Options) }) as unknown;
    } catch (error) {
      throw unquoted(error);
    }
  }),
);

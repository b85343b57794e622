/**
 * Takes the API objects out of text that kubectl wrote: YAML with several documents, JSON, several JSON values one
 * after another with log lines between them (`kubectl cluster-info dump`), Lists and lists of one kind.
 */
import { Composer, LineCounter, Parser } from 'yaml';
import { firstLine } from '../../kubernetes/first-line.js';
import { isRecord } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { groupOf } from '../../kubernetes/resources.js';
import { Misshapen, typedObject } from '../../kubernetes/typed-objects.js';
import { isTooDeep } from '../../kubernetes/yaml.js';

/** An object, and whether it came out of a list: only a list shows that others are not there. */
export interface Found {
  readonly object: KubeObject;
  readonly listed: boolean;
  /** The list holds objects of several namespaces: those of its kinds that others have are in it, too. */
  readonly everywhere?: true;
}

const isObject = (value: unknown): value is KubeObject =>
  isRecord(value) &&
  typeof value.kind === 'string' &&
  typeof value.apiVersion === 'string' &&
  isRecord(value.metadata) &&
  typeof value.metadata.name === 'string';

/** Lists may hold lists; nobody nests them deeper. */
const MOST_LISTS = 4;
/** Values within values: the schemas of custom resources have a hundred levels, and no file needs a thousand. */
const DEEPEST = 1_000;

/** The objects of one value. Items of a list of one kind carry neither kind nor apiVersion of their own. */
function objectsIn(value: unknown, listed: boolean, depth = 0): readonly Found[] {
  if (!isRecord(value) || depth > MOST_LISTS) return [];
  const { kind, apiVersion, items } = value;
  if (typeof kind === 'string' && kind.endsWith('List') && (Array.isArray(items) || items === null)) {
    const own = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
    const found = (items ?? []).flatMap((item: unknown) =>
      isRecord(item) ? objectsIn({ ...own, ...item }, true, depth + 1) : [],
    );
    const namespaces = new Set(found.map(({ object }) => object.metadata.namespace).filter((one) => one !== undefined));
    return namespaces.size > 1 ? found.map((one) => ({ ...one, everywhere: true as const })) : found;
  }
  return isObject(value) ? [{ object: typed(value), listed }] : [];
}

/** Throws Misshapen, which names the object. */
function typed(object: KubeObject): KubeObject {
  const { apiVersion = '', kind = '', metadata } = object;
  const refused = (why: string): Error => new Misshapen(`${kind} ${metadata.name ?? ''}: ${why}`);
  return typedObject(object, { group: groupOf(apiVersion), kind }, refused);
}

const tooDeep = (levels: number): SyntaxError => new SyntaxError(`it is nested deeper than ${levels} levels`);

/**
 * End of the JSON value that begins at `from`, exclusive; -1 where it is cut off. One linear look. Throws SyntaxError
 * where it is nested so deeply that reading it would take longer than that.
 */
function endOfJson(text: string, from: number): number {
  let depth = 0;
  let quoted = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (quoted) {
      if (character === 92) at += 1;
      else if (character === 34) quoted = false;
    } else if (character === 34) quoted = true;
    else if (character === 123 || character === 91) {
      depth += 1;
      if (depth > DEEPEST) throw tooDeep(DEEPEST);
    } else if (character === 125 || character === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Values that begin a line with a brace; what stands between them (logs, headlines) is passed over. */
function* jsonValues(text: string): Generator<unknown> {
  for (let at = 0; at < text.length; ) {
    const start = text.startsWith('{', at) ? at : text.indexOf('\n{', at);
    if (start === -1) return;
    const begin = text.startsWith('{', start) ? start : start + 1;
    const end = endOfJson(text, begin);
    if (end === -1) throw new SyntaxError('a JSON value is cut off');
    yield JSON.parse(text.slice(begin, end));
    at = end;
  }
}

function* yamlValues(text: string): Generator<unknown> {
  if (isTooDeep(text)) throw new SyntaxError('it is nested too deeply to be read');
  // One document after another: a million empty ones would take a gigabyte together.
  const lines = new LineCounter();
  for (const document of new Composer({ logLevel: 'error' }).compose(new Parser(lines.addNewLine).parse(text))) {
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      throw new SyntaxError(`${firstLine(error)} at line ${line}, column ${col}`);
    }
    yield document.toJS();
  }
}

/** Every object of a text. Throws SyntaxError where it is neither JSON nor YAML, Misshapen where an object is none of its kind. */
export function readDocuments(written: string): readonly Found[] {
  // As UTF-8 both bytes of the mark of UTF-16 are none; read on, the file would hold nothing, and be passed over.
  if (/^\ufffd\ufffd.?\0/s.test(written)) throw new SyntaxError('it is UTF-16: write it as UTF-8');
  const text = written.startsWith('\ufeff') ? written.slice(1) : written;
  const isJson = /^\s*\{/.test(text) || (/^\{$/m.test(text) && !/^---/m.test(text));
  const found: Found[] = [];
  for (const value of isJson ? jsonValues(text) : yamlValues(text))
    for (const one of objectsIn(value, false)) found.push(one);
  return found;
}

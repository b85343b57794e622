/** Reads and merges kubeconfig files. Source of the semantics: client-go tools/clientcmd/loader.go and merge.go. */

import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import { parseDocument } from 'yaml';
import { isRecord } from '../kubernetes/json.js';
import { isTooDeep } from '../kubernetes/yaml.js';
import { ConfigurationError } from './errors.js';
import { readGiven } from './regular-file.js';

/**
 * A mapping of a kubeconfig whose fields are read by type; knows its place for sentences and its folder for relative
 * paths.
 */
export class Fields {
  constructor(
    readonly values: Readonly<Record<string, unknown>>,
    /** "user dev of /home/x/.kube/config" */
    readonly where: string,
    readonly folder: string,
  ) {}

  /** undefined where missing or empty, as Go's zero value. */
  text(name: string): string | undefined {
    const value = this.values[name];
    if (value === undefined || value === null || value === '') return undefined;
    if (typeof value !== 'string')
      throw new ConfigurationError(
        `${name} of ${this.where} is a ${kindOf(value)}; it must be a text (put it in quotes).`,
      );
    return value;
  }

  flag(name: string): boolean {
    const value = this.values[name];
    if (value === undefined || value === null) return false;
    if (typeof value === 'boolean') return value;
    if (value === 'yes' || value === 'on') return true;
    if (value === 'no' || value === 'off') return false;
    throw new ConfigurationError(`${name} of ${this.where} is a ${kindOf(value)}; it must be true or false.`);
  }

  fields(name: string, where = `${name} of ${this.where}`): Fields | undefined {
    const value = this.values[name];
    if (value === undefined || value === null) return undefined;
    if (!isRecord(value)) throw new ConfigurationError(`${where} is a ${kindOf(value)}; it must be a mapping.`);
    return new Fields(value, where, this.folder);
  }

  list(name: string): readonly unknown[] {
    const value = this.values[name];
    if (value === undefined || value === null) return [];
    if (!Array.isArray(value))
      throw new ConfigurationError(`${name} of ${this.where} is a ${kindOf(value)}; it must be a list.`);
    return value;
  }

  texts(name: string): readonly string[] {
    return this.list(name).map((item) => {
      if (typeof item !== 'string')
        throw new ConfigurationError(`${name} of ${this.where} holds a ${kindOf(item)}; it must hold texts only.`);
      return item;
    });
  }

  /** A path, relative ones from the file that names it. */
  path(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    return isAbsolute(value) ? value : resolve(this.folder, value);
  }

  /** base64 of a -data field. */
  data(name: string): string | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const compact = value.replace(/\s/g, '');
    if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) {
      throw new ConfigurationError(`${name} of ${this.where} is not valid base64.`);
    }
    return Buffer.from(compact, 'base64').toString('utf8');
  }
}

export interface Merged {
  readonly files: readonly string[];
  readonly currentContext: string | undefined;
  readonly contexts: ReadonlyMap<string, Fields>;
  readonly clusters: ReadonlyMap<string, Fields>;
  readonly users: ReadonlyMap<string, Fields>;
}

export interface KubeconfigChoice {
  /** --kubeconfig; else KUBECONFIG, else ~/.kube/config. */
  readonly kubeconfig?: string;
  /** A kubeconfig that is read already, instead of any file; files that it names lie from the working directory on. */
  readonly content?: unknown;
  readonly env?: NodeJS.ProcessEnv;
  readonly home?: string;
}

const kindOf = (value: unknown): string =>
  Array.isArray(value) ? 'list' : value === null ? 'null' : isRecord(value) ? 'mapping' : typeof value;

/** Throws ConfigurationError. The first file that sets a value wins; entries are taken whole. */
export async function readKubeconfigs(choice: KubeconfigChoice): Promise<Merged> {
  if (choice.content !== undefined) {
    const file = 'the given kubeconfig';
    return mergedOf([{ file, root: rootOf(choice.content, file, process.cwd()) }]);
  }
  const env = choice.env ?? process.env;
  const fromEnv = (env.KUBECONFIG ?? '').split(delimiter).filter((file) => file !== '');
  const named =
    choice.kubeconfig !== undefined
      ? [choice.kubeconfig]
      : fromEnv.length > 0
        ? fromEnv
        : [join(choice.home ?? homedir(), '.kube', 'config')];
  if (choice.kubeconfig === '')
    throw new ConfigurationError('--kubeconfig was given an empty path; give the path of a kubeconfig file.');
  const read: { file: string; root: Fields }[] = [];
  for (const file of [...new Set(named)]) {
    const text = await textOf(file);
    // As kubectl: of a list in KUBECONFIG files may be missing, the one that was asked for may not.
    if (text === undefined) continue;
    read.push({ file, root: parse(text, file) });
  }
  if (read.length === 0) {
    const what =
      choice.kubeconfig !== undefined
        ? `The kubeconfig ${named[0]} does not exist`
        : `No kubeconfig was found (looked at ${named.join(', ')})`;
    throw new ConfigurationError(`${what}; give --kubeconfig with the path of one.`);
  }
  return mergedOf(read);
}

function mergedOf(read: readonly { file: string; root: Fields }[]): Merged {
  const currentContext = read.map(({ root }) => root.text('current-context')).find((name) => name !== undefined);
  return {
    files: read.map(({ file }) => file),
    currentContext,
    contexts: entries(read, 'contexts', 'context'),
    clusters: entries(read, 'clusters', 'cluster'),
    users: entries(read, 'users', 'user'),
  };
}

/** Bytes: hundreds of clusters with their certificates. */
const LARGEST = 8 * 1024 * 1024;

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readGiven(file, LARGEST);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    const why =
      code === 'EACCES' ? 'may not be read' : code === 'EISDIR' ? 'is a folder' : `cannot be read (${String(code)})`;
    throw new ConfigurationError(`The kubeconfig ${file} ${why}; give the path of a kubeconfig file.`);
  }
}

/** Messages of the parser are not passed on: they quote lines, and lines hold keys. */
function parse(text: string, file: string): Fields {
  if (isTooDeep(text)) throw new ConfigurationError(`The kubeconfig ${file} is nested too deeply to be read.`);
  const document = parseDocument(text, { prettyErrors: true, logLevel: 'silent' });
  const error = document.errors[0];
  if (error !== undefined) {
    const at = error.linePos?.[0];
    const where = at === undefined ? '' : ` (line ${at.line}, column ${at.col}: ${error.code})`;
    throw new ConfigurationError(`The kubeconfig ${file} is neither YAML nor JSON${where}.`);
  }
  let value: unknown;
  try {
    value = document.toJS();
  } catch {
    throw new ConfigurationError(`The kubeconfig ${file} cannot be read: its YAML aliases are broken or too many.`);
  }
  return rootOf(value ?? {}, file, dirname(resolve(file)));
}

function rootOf(value: unknown, file: string, folder: string): Fields {
  if (!isRecord(value))
    throw new ConfigurationError(
      `The kubeconfig ${file} holds a ${kindOf(value)}; it must be a mapping with clusters, users and contexts.`,
    );
  const root = new Fields(value, file, folder);
  const kind = root.text('kind');
  if (kind !== undefined && kind !== 'Config')
    throw new ConfigurationError(`${file} is a ${kind}; a kubeconfig has the kind Config.`);
  const apiVersion = root.text('apiVersion');
  if (apiVersion !== undefined && apiVersion !== 'v1')
    throw new ConfigurationError(`${file} has apiVersion ${apiVersion}; a kubeconfig has v1.`);
  return root;
}

function entries(read: readonly { file: string; root: Fields }[], list: string, field: string): Map<string, Fields> {
  const merged = new Map<string, Fields>();
  for (const { file, root } of read) {
    const inFile = new Set<string>();
    for (const item of root.list(list)) {
      if (!isRecord(item))
        throw new ConfigurationError(
          `${list} of ${file} holds a ${kindOf(item)}; it must hold mappings with name and ${field}.`,
        );
      const name = new Fields(item, `an entry of ${list} of ${file}`, root.folder).text('name') ?? '';
      if (inFile.has(name))
        throw new ConfigurationError(`${file} has two ${list} of the name ${JSON.stringify(name)}; keep one.`);
      inFile.add(name);
      if (merged.has(name)) continue;
      const where = `${field} ${JSON.stringify(name)} of ${file}`;
      merged.set(name, new Fields(item, where, root.folder).fields(field, where) ?? new Fields({}, where, root.folder));
    }
  }
  return merged;
}

/** YAML as the API server reads it. The library is loaded when the first YAML comes by. */
import { createRequire } from 'node:module';
import type { YAMLMap } from 'yaml';

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

/** Line (from 1) of an offset; the text is looked through once. */
function lineFinder(text: string): (offset: number) => number {
  let starts: number[] | undefined;
  return (offset) => {
    if (starts === undefined) {
      starts = [0];
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    }
    let low = 0;
    for (let high = starts.length; low < high; ) {
      const middle = (low + high) >> 1;
      if ((starts[middle] as number) <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Nodes that may be read through aliases, of all that are read. Source: go.yaml.in/yaml/v2, decode.go. */
const allowedAliasRatio = (nodes: number): number =>
  nodes <= 400_000 ? 0.99 : nodes >= 4_000_000 ? 0.1 : 0.99 - 0.89 * ((nodes - 400_000) / 3_600_000);

/** Characters of scalars that may be read through aliases: upstream, with more memory, has no such limit. */
const MOST_ALIASED = 64 * 1024 * 1024;

/**
 * Reads as upstream's decoder does, making nothing, since a few lines can say a value of any size; notes keys that a
 * mapping holds twice.
 */
class Reading {
  readonly duplicates: DuplicateKey[] = [];
  private readonly anchors = new Map<string, unknown>();
  private readonly open = new Set<unknown>();
  private readonly path: string[] = [];
  private nodes = 0;
  private aliased = 0;
  private characters = 0;

  constructor(private readonly lineAt: (offset: number) => number) {}

  /** @throws YamlError */
  read(node: unknown, isAliased = false): void {
    const { isAlias, isMap, isScalar, isSeq } = yaml();
    this.nodes += 1;
    if (isAliased) {
      this.aliased += 1;
      if (isScalar(node)) this.characters += String(node.source ?? '').length;
    }
    const isTooMuch =
      this.aliased > 100 && this.nodes > 1000 && this.aliased / this.nodes > allowedAliasRatio(this.nodes);
    if (isTooMuch || this.characters > MOST_ALIASED) throw new YamlError('yaml: document contains excessive aliasing');
    if (isAlias(node)) {
      this.follow(node.source);
      return;
    }
    if (!isScalar(node) && !isMap(node) && !isSeq(node)) return;
    if (!isAliased && node.anchor !== undefined) this.anchors.set(node.anchor, node);
    if (isSeq(node)) for (const item of node.items) this.read(item, isAliased);
    else if (isMap(node)) this.readMap(node, isAliased);
  }

  private follow(name: string): void {
    const target = this.anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    if (this.open.has(target)) throw new YamlError(`yaml: anchor '${name}' value contains itself`);
    this.open.add(target);
    this.read(target, true);
    this.open.delete(target);
  }

  private readMap(node: YAMLMap, isAliased: boolean): void {
    const { isScalar } = yaml();
    const seen = new Set<string>();
    for (const { key, value } of node.items) {
      this.read(key, isAliased);
      if (!isScalar(key)) {
        this.read(value, isAliased);
        continue;
      }
      const name = String(key.value);
      this.path.push(name);
      if (!isAliased && seen.has(name))
        this.duplicates.push({ path: this.path.join('.'), key: name, line: this.lineAt(key.range?.[0] ?? 0) });
      seen.add(name);
      this.read(value, isAliased);
      this.path.pop();
    }
  }
}

/** Flows nested deeper are not read. Source: go.yaml.in/yaml/v2, scannerc.go max_flow_level. */
const DEEPEST = 10_000;

/** Counts brackets in texts, too: nobody leaves ten thousand of them open. @throws YamlError */
function checkDepth(text: string, lineAt: (offset: number) => number): void {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 91 || code === 123) depth += 1;
    else if (code === 93 || code === 125) depth -= 1;
    if (depth > DEEPEST) throw new YamlError(`yaml: line ${lineAt(at)}: exceeded max depth of ${DEEPEST}`);
  }
}

export interface YamlRead {
  readonly value: unknown;
  readonly duplicates: readonly DuplicateKey[];
}

/** One document as JSON values. Booleans and numbers as YAML 1.1 has them. @throws YamlError */
export function readYaml(text: string): YamlRead {
  const lineAt = lineFinder(text);
  checkDepth(text, lineAt);
  const document = yaml().parseDocument(text, {
    version: '1.1',
    merge: true,
    uniqueKeys: false,
    schema: 'yaml-1.1',
    prettyErrors: false,
    logLevel: 'silent',
  });
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
  const reading = new Reading(lineAt);
  reading.read(document.contents);
  const value: unknown = JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: -1 }) ?? null));
  return { value, duplicates: reading.duplicates };
}

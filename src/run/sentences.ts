/**
 * The sentences of the documents (features/sentences/*.yaml): which rule judges each of them, or why none does. Read
 * lazily, once a process, so that a run pays only for the areas of its rules. They are part of the package: a mistake
 * in them is ours, and a test holds them.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import type { Catalogue } from './features.js';
import { didYouMean } from './nearest.js';
import { distFolder, packageFile } from './package-root.js';

export interface Place {
  /** "000" */
  readonly document: string;
  /** As the document has it, in its language; a name of ours where it has lost its headings. */
  readonly heading: string;
}

export interface Erratum {
  /** What the document says, where it is not what the statement says. */
  readonly claim?: string;
  readonly fact: string;
  /** The first minor in which the fact is known to hold, "1.29". */
  readonly since?: string;
}

export interface Sentence {
  readonly id: string;
  readonly places: readonly Place[];
  readonly level: 'MUST' | 'MUST NOT' | 'SHOULD' | 'SHOULD NOT' | 'MAY';
  readonly kind: 'state' | 'behaviour' | 'client' | 'host';
  readonly statement: string;
  /** What current Kubernetes does. */
  readonly today: string;
  readonly erratum?: Erratum;
  /** Missing, with no `waits` and no `excluded`: the rule of the same id. */
  readonly rule?: string | readonly string[];
  /** The ability of a target that a rule on it takes. */
  readonly waits?: string;
  readonly excluded?: string;
  readonly note?: string;
}

export interface Area {
  readonly area: string;
  readonly title: string;
  readonly sentences: readonly Sentence[];
}

/** Where the documents contradict each other, Kubernetes or themselves. */
export interface Trap {
  readonly id: string;
  readonly places: readonly Place[];
  readonly sentences: readonly string[];
  readonly trap: string;
  readonly advice: string;
  readonly today: string;
}

export interface TrapFile {
  readonly traps: readonly Trap[];
}

/** Files of the folder that hold no area. */
const OTHERS = ['candidates.yaml', 'documents.yaml', 'traps.yaml'];

/** What says which rule judges a sentence, or a candidate for a policy. */
export type Judged = Pick<Sentence, 'id' | 'rule' | 'waits' | 'excluded'>;

/** The rules that judge a sentence: those it names, or the one of its own id. None where it waits or is excluded. */
export const rulesOf = ({ id, rule, waits, excluded }: Judged): readonly string[] =>
  waits === undefined && excluded === undefined ? [rule ?? id].flat() : [];

/** What "npm run build" keeps of the files, by the hash of their text: their YAML takes 0.3 s to parse, this 5 ms. */
export const COMPILED = path.join(distFolder, 'src', 'run', 'sentences.json');
export type Compiled = Readonly<Record<string, Area | TrapFile>>;
export const textHash = (text: string): string => createHash('sha256').update(text).digest('base64url');

const sentencesFolder = packageFile('features/sentences');

/** File name → text of every area, sorted. */
export function areaTexts(folder: string = sentencesFolder): ReadonlyMap<string, string> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.yaml') && !OTHERS.includes(file));
  return new Map(files.sort().map((file) => [file, readFileSync(path.join(folder, file), 'utf8')] as const));
}

let built: Compiled | undefined;

/**
 * What an earlier build has parsed, read once a process; nothing where there was none. The hash of a text makes sure
 * that it fits.
 */
export function compiledAreas(): Compiled {
  if (built === undefined) {
    try {
      built = JSON.parse(readFileSync(COMPILED, 'utf8')) as Compiled;
    } catch {
      built = {};
    }
  }
  return built;
}

/** The sentences of one folder, each file parsed when it is first needed. sentence-files.ts holds their shape. */
export class Sentences {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #compiled: Compiled;
  readonly #areas = new Map<string, Area>();
  /** By rule id, the files that name it in a "rule:" line. */
  readonly #named = new Map<string, Set<string>>();

  constructor(texts: ReadonlyMap<string, string>, compiled: Compiled = {}) {
    this.#texts = texts;
    this.#compiled = compiled;
    for (const [file, text] of texts)
      for (const [line] of text.matchAll(/^ +rule: .*$/gmu))
        for (const [id] of line.matchAll(/(?<![A-Z])[A-Z]+-\d+/gu))
          this.#named.set(id, (this.#named.get(id) ?? new Set()).add(file));
  }

  /** Every area, sorted by file. */
  areas(): readonly Area[] {
    return [...this.#texts.keys()].map((file) => this.#area(file));
  }

  /** The sentences that a rule judges, sorted by id; none for a rule that comes from no document. */
  of(rule: string): readonly Sentence[] {
    const own = `${rule.split('-')[0]?.toLowerCase() ?? ''}.yaml`;
    return [...new Set([own, ...(this.#named.get(rule) ?? [])])]
      .filter((file) => this.#texts.has(file))
      .flatMap((file) => this.#area(file).sentences.filter((sentence) => rulesOf(sentence).includes(rule)))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  #area(file: string): Area {
    const known = this.#areas.get(file);
    if (known !== undefined) return known;
    const text = this.#texts.get(file) ?? '';
    const area = (this.#compiled[textHash(text)] ?? parse(text, { prettyErrors: false })) as Area;
    this.#areas.set(file, area);
    return area;
  }
}

let ofThePackage: Sentences | undefined;
let traps: readonly Trap[] | undefined;

/** The sentences of the package, read once a process. */
export function packageSentences(): Sentences {
  ofThePackage ??= new Sentences(areaTexts(), compiledAreas());
  return ofThePackage;
}

export const trapText = (): string => readFileSync(path.join(sentencesFolder, 'traps.yaml'), 'utf8');

/** The traps of the package, read once a process. Sorted by id. */
export function packageTraps(): readonly Trap[] {
  if (traps === undefined) {
    const text = trapText();
    ({ traps } = (compiledAreas()[textHash(text)] ?? parse(text, { prettyErrors: false })) as TrapFile);
  }
  return traps;
}

/** The traps that touch one of these sentences. Sorted by id. */
export function trapsAround(judged: readonly Sentence[]): readonly Trap[] {
  const ids = new Set(judged.map(({ id }) => id));
  return packageTraps().filter(({ sentences }) => sentences.some((id) => ids.has(id)));
}

/** The traps that a rule steps around. */
export const trapsOf = (rule: string): readonly Trap[] => trapsAround(sentencesOf(rule));

/** The sentences that a rule judges, for the report: sorted by id, none for a rule that comes from no document. */
export const sentencesOf = (rule: string): readonly Sentence[] => packageSentences().of(rule);

/**
 * Do the sentences and the features say the same? Both ways, each problem as one sentence, sorted. Pure. The candidates
 * for a policy are given as one area more, "P".
 */
export function sentenceProblems(
  { rules }: Pick<Catalogue, 'rules'>,
  areas: readonly { readonly area: string; readonly sentences: readonly Judged[] }[],
  traps: readonly Trap[],
): readonly string[] {
  const ids = new Set(rules.map(({ id }) => id));
  const problems: string[] = [];
  const seen = new Set<string>();
  const judged = new Set<string>();
  for (const { area, sentences } of areas)
    for (const sentence of sentences) {
      const { id } = sentence;
      if (seen.has(id)) problems.push(`${id} stands in features/sentences more than once`);
      seen.add(id);
      if (!id.startsWith(`${area}-`)) problems.push(`${id} stands in the file of the area ${area}`);
      const named = rulesOf(sentence);
      for (const rule of named) {
        judged.add(rule);
        if (ids.has(rule)) continue;
        problems.push(
          rule === id && sentence.rule === undefined
            ? `${id} has no rule of its own, names none, waits for nothing and is not excluded`
            : `${id} is said to be judged by ${rule}, which no feature has.${didYouMean(rule, [...ids])}`,
        );
      }
      if (ids.has(id) && !named.includes(id))
        problems.push(
          named.length === 0
            ? `${id} is said not to be judged, but features has a rule of that id`
            : `${id} has a rule of its own, but is said to be judged by ${named.join(', ')}`,
        );
      if (sentence.rule === id) problems.push(`${id} names the rule of its own id, which goes without saying`);
    }
  for (const { id, place } of rules)
    if (!judged.has(id)) problems.push(`${place}: no sentence in features/sentences is judged by the rule ${id}`);
  for (const { id, sentences } of traps)
    for (const sentence of sentences)
      if (!seen.has(sentence))
        problems.push(`${id} touches ${sentence}, which is no sentence.${didYouMean(sentence, [...seen])}`);
  return [...new Set(problems)].sort();
}

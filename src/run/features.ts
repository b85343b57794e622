/**
 * Reads features/ into rules and their scenarios, without running anything: selection, listing and the check of
 * sentences live on this.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { AstBuilder, compile, GherkinClassicTokenMatcher, Parser } from '@cucumber/gherkin';
import { compiledFeatures, featureHash, type ParsedFeature } from './compiled-features.js';
import { describedAs, type Level, type Repair, readRuleTags, readScenarioTags } from './tags.js';
import { CannotJudge } from './usage-error.js';
import type { Range } from './versions.js';

type Pickle = ReturnType<typeof compile>[number];
type Document = Parameters<typeof compile>[0];
export type Step = Pickle['steps'][number];
type Scenarios = NonNullable<NonNullable<Document['feature']>['children'][number]['scenario']>;

export interface Scenario {
  /**
   * "bootstrap-tokens/expiry.feature:24": stable over runs of one set of features; the line is that of the example's
   * row.
   */
  readonly key: string;
  /**
   * "TOK-001/each-token-has-the-form": stable over runs and over moved lines; the row of an outline stands behind a
   * second slash.
   */
  readonly id: string;
  readonly name: string;
  readonly tags: readonly string[];
  readonly range: Range;
  readonly steps: readonly Step[];
  readonly problems: readonly string[];
}

export interface Rule {
  readonly id: string;
  readonly level: Level;
  readonly chapter: string;
  readonly title: string;
  readonly why: string;
  readonly repair: Repair;
  /** "authorization/1-roles-and-bindings.feature:8" */
  readonly place: string;
  readonly scenarios: readonly Scenario[];
  /** What is wrong with its tags or description; such a rule's verdict is error. */
  readonly problems: readonly string[];
}

export interface Catalogue {
  readonly folder: string;
  /** Sorted by file, then line: the order of reading. */
  readonly rules: readonly Rule[];
  /** What belongs to no rule. */
  readonly problems: readonly string[];
}

/** A scenario's key from its file (relative to the folder of features) and line. */
export const featuresKey = (file: string, line: number): string => `${file.split(path.sep).join('/')}:${line}`;

export const featureFiles = (folder: string): readonly string[] => {
  let entries: string[];
  try {
    entries = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  } catch (error) {
    throw new CannotJudge(
      `The features are missing: ${folder} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown error'}).`,
    );
  }
  return entries
    .filter((entry) => entry.endsWith('.feature'))
    .map((entry) => entry.split(path.sep).join('/'))
    .sort();
};

const catalogues = new Map<string, Catalogue>();

/**
 * Reads every feature below a folder, once a process. Throws CannotJudge where a file is no Gherkin or none is there.
 */
export function readFeatures(folder: string): Catalogue {
  const known = catalogues.get(folder);
  if (known !== undefined) return known;
  const rules: Rule[] = [];
  const problems: string[] = [];
  const files = featureFiles(folder);
  if (files.length === 0) throw new CannotJudge(`The features are missing: ${folder} holds no .feature file.`);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    const parsed = compiledFeatures()[featureHash(file, text)] ?? parseFeature(file, text);
    rules.push(...parsed.rules);
    problems.push(...parsed.problems);
  }
  const seen = new Map<string, string>();
  for (const { id, place } of rules) {
    const other = seen.get(id);
    if (other !== undefined) problems.push(`${place}: the id ${id} is taken by ${other}`);
    else seen.set(id, place);
  }
  const catalogue = { folder, rules, problems };
  catalogues.set(folder, catalogue);
  return catalogue;
}

/** Throws CannotJudge where a text is no Gherkin. */
export function parseFeature(file: string, text: string): ParsedFeature {
  const rules: Rule[] = [];
  const problems: string[] = [];
  let nextId = 0;
  const newId = (): string => String(nextId++);
  let document: Document;
  try {
    document = new Parser(new AstBuilder(newId), new GherkinClassicTokenMatcher()).parse(text);
  } catch (error) {
    throw new CannotJudge(`${file} is no valid Gherkin: ${(error as Error).message.split('\n').slice(0, 2).join(' ')}`);
  }
  const feature = document.feature;
  if (feature === undefined) {
    return { rules, problems: [`${file}: holds no feature`] };
  }
  const lines = linesById(document);
  const pickles = compile(document, file, newId);
  const lineOf = (pickle: Pickle): number => lines.get(pickle.astNodeIds.at(-1) ?? '') ?? 0;
  for (const child of feature.children) {
    if (child.scenario !== undefined)
      problems.push(
        `${file}:${child.scenario.location.line}: the scenario "${child.scenario.name}" belongs to no Rule`,
      );
    if (child.rule === undefined) continue;
    const rule = child.rule;
    const place = `${file}:${rule.location.line}`;
    const own = new Set(rule.children.flatMap((part) => part.scenario?.id ?? []));
    const names = (tags: readonly { readonly name: string }[]): readonly string[] => tags.map(({ name }) => name);
    const identity = readRuleTags(names(rule.tags), names(feature.tags), place);
    const rows = rowsById(rule.children.flatMap((part) => part.scenario ?? []));
    const ids = new Map<string, number>();
    const scenarios = pickles
      .filter((pickle) => own.has(pickle.astNodeIds[0] ?? ''))
      .map((pickle) => {
        const tags = [...new Set(pickle.tags.map(({ name }) => name))];
        return {
          id: scenarioId([identity.id, pickle.name, rows.get(pickle.astNodeIds.at(-1) ?? '')], ids),
          key: featuresKey(file, lineOf(pickle)),
          name: pickle.name,
          tags,
          steps: pickle.steps,
          ...readScenarioTags(tags),
        };
      });
    const { why, repair } = describedAs(rule.description);
    const chapter = file.includes('/') ? (file.split('/')[0] ?? '') : '';
    const missing = [
      ...(chapter === '' ? ['lies in no folder; the folder is its chapter'] : []),
      ...(why === '' ? ['has no line "Why: …"'] : []),
      ...(repair.text === '' ? ['has no line "Repair: …"'] : []),
      ...(scenarios.length === 0 ? ['has no scenario'] : []),
      ...scenarios.filter(({ steps }) => steps.length === 0).map(({ name }) => `the scenario "${name}" has no steps`),
    ];
    rules.push({
      ...identity,
      chapter: chapter || 'none',
      title: rule.name,
      why,
      repair,
      place,
      scenarios,
      problems: [...identity.problems, ...missing],
    });
  }
  return { rules, problems };
}

const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);

/** Parts that say the same are counted, in the order of reading. */
function scenarioId(
  [rule, name = '', row]: readonly [string, string, string | undefined],
  taken: Map<string, number>,
): string {
  const id = [rule, slug(name), ...(row === undefined ? [] : [slug(row)])].join('/');
  const times = (taken.get(id) ?? 0) + 1;
  taken.set(id, times);
  return times === 1 ? id : `${id}-${times}`;
}

/** What a row of examples is called: by the name of its table, if it has one, and its first cell. */
function rowsById(scenarios: readonly Scenarios[]): ReadonlyMap<string, string> {
  return new Map(
    scenarios.flatMap(({ examples }) =>
      examples.flatMap(({ name, tableBody }) =>
        tableBody.map((row) => [row.id, `${name} ${row.cells[0]?.value ?? ''}`.trim()] as const),
      ),
    ),
  );
}

/** Line of every scenario and every row of examples, by node id. */
function linesById(document: Document): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  for (const child of document.feature?.children ?? []) {
    for (const part of child.rule?.children ?? [child]) {
      const scenario = part.scenario;
      if (scenario === undefined) continue;
      lines.set(scenario.id, scenario.location.line);
      for (const row of scenario.examples.flatMap(({ tableBody }) => tableBody)) lines.set(row.id, row.location.line);
    }
  }
  return lines;
}

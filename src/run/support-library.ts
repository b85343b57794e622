/**
 * The compiled steps, loaded by cucumber once a process. Modules are cached: what was loaded for other steps already
 * comes under another address, since it would define nothing a second time, and nothing else does, since what it
 * imports itself would define its sentences twice.
 */
import { pathToFileURL } from 'node:url';
import { library as cucumber } from './cucumber.js';
import type { Step } from './features.js';
import { CannotJudge } from './usage-error.js';
import type { World } from './world.js';

/** The part of cucumber's step definitions (12.9.0, lib/models/step_definition.js) that the player uses. */
export interface StepDefinition {
  readonly unwrappedCode: (this: World, ...parameters: unknown[]) => unknown;
  readonly pattern: string | RegExp;
  readonly options: { readonly wrapperOptions?: unknown };
  readonly expression: { readonly treeRegexp?: Partial<Tree> };
  matchesStepName(text: string): boolean;
  getInvocationParameters(options: {
    readonly step: Step;
    readonly world: World;
  }): Promise<{ readonly parameters: readonly unknown[] }>;
}

export interface SupportLibrary {
  /** The one definition of a sentence, or why there is none. */
  definitionOf(text: string): { readonly definition: StepDefinition } | { readonly problem: string };
  /** `acts`: of a scenario that changes something. `patience`: how many times longer it waits than at its first try. */
  readonly newWorld: (acts: boolean, patience: number) => World;
}

interface Loaded {
  readonly stepDefinitions: readonly StepDefinition[];
  readonly World: new (options: object) => World;
}
const isLoaded = (library: object): library is Loaded =>
  'stepDefinitions' in library &&
  Array.isArray(library.stepDefinitions) &&
  'World' in library &&
  typeof library.World === 'function';

const loaded = new Map<string, Promise<SupportLibrary>>();
/** Files that define something, with how often they were loaded. */
const times = new Map<string, number>();

/** `paths`: files of compiled step modules, support.js first. Throws CannotJudge where they cannot be loaded. */
export function loadSteps(paths: readonly string[], cwd: string): Promise<SupportLibrary> {
  const key = paths.join('\n');
  let library = loaded.get(key);
  if (library === undefined) {
    library = load(paths, cwd);
    loaded.set(key, library);
  }
  return library;
}

/** Where a file is loaded from, the next time. */
function addressOf(file: string): string {
  const before = times.get(file) ?? 0;
  times.set(file, before + 1);
  return `${pathToFileURL(file).href}${before === 0 ? '' : `?${before}`}`;
}

async function load(paths: readonly string[], cwd: string): Promise<SupportLibrary> {
  let ids = 0;
  let internal: object;
  const { stackTraceLimit } = Error;
  try {
    // cucumber asks every definition for the lines that it was called from, and nobody asks cucumber for them.
    Error.stackTraceLimit = 1;
    cucumber.reset(cwd, () => String(++ids));
    for (const file of paths) await import(addressOf(file));
    internal = cucumber.finalize();
  } catch (error) {
    throw new CannotJudge(`The steps cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
  if (!isLoaded(internal))
    throw new CannotJudge('The steps cannot be loaded: this version of cucumber keeps them in another form.');
  for (const definition of internal.stepDefinitions) matchByIndices(definition);
  const definitionOf = finder(internal.stepDefinitions);
  return {
    definitionOf,
    newWorld: (acts, patience) => new internal.World({ parameters: { acts, patience } }),
  };
}

/** What cucumber-expressions (19.0.0, TreeRegexp.js) keeps of an expression: the pattern and how its groups nest. */
interface Tree {
  readonly regexp: RegExp;
  readonly groupBuilder: { build(match: RegExpExecArray, nextGroup: () => number): unknown };
  match(text: string): unknown;
}

/**
 * Lets an expression match by the engine's own indices of groups, instead of a library's that rewrites the pattern: 0.1
 * s for the suite.
 */
function matchByIndices({ expression: { treeRegexp: tree } }: StepDefinition): void {
  if (tree?.regexp === undefined || tree.groupBuilder === undefined) return;
  const { regexp, groupBuilder } = tree;
  const indexed = new RegExp(regexp.source, `${regexp.flags}d`);
  tree.match = (text) => {
    const match = indexed.exec(text);
    let group = 0;
    return match === null ? null : groupBuilder.build(match, () => group++);
  };
}

/**
 * cucumber tries every definition on every step by a slow regular expression. Most are told apart by the words before
 * their first parameter, and every text is looked up once a process.
 */
function finder(definitions: readonly StepDefinition[]): SupportLibrary['definitionOf'] {
  const candidates = definitions.map((definition) => ({
    definition,
    words: typeof definition.pattern === 'string' ? wordsBefore(definition.pattern) : '',
  }));
  const known = new Map<string, ReturnType<SupportLibrary['definitionOf']>>();
  const look = (text: string): ReturnType<SupportLibrary['definitionOf']> => {
    const [found, ...others] = candidates.filter(
      ({ definition, words }) => text.startsWith(words) && definition.matchesStepName(text),
    );
    if (found === undefined) return { problem: `no step is defined for "${text}"` };
    if (others.length > 0) return { problem: `${others.length + 1} steps are defined for "${text}"` };
    return { definition: found.definition };
  };
  return (text) => {
    const found = known.get(text) ?? look(text);
    known.set(text, found);
    return found;
  };
}

/**
 * What every text that an expression matches begins with: the words before its first parameter, optional text or
 * alternative.
 */
function wordsBefore(pattern: string): string {
  const special = pattern.search(/[{(/\\]/);
  return special === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf(' ', special) + 1);
}

/** The compiled steps, loaded by cucumber once a process (its modules are cached: a second load would find no steps). */
import { Writable } from 'node:stream';
import { type IRunOptions, loadSupport } from '@cucumber/cucumber/api';
import type { Step } from './features.js';
import { CannotJudge } from './usage-error.js';
import type { World } from './world.js';

/** The part of cucumber's step definitions (12.9.0, lib/models/step_definition.js) that the timeline plays by itself. */
export interface StepDefinition {
  readonly unwrappedCode: (this: World, ...parameters: unknown[]) => unknown;
  readonly pattern: string | RegExp;
  readonly expression: Expression;
  matchesStepName(text: string): boolean;
  getInvocationParameters(options: {
    readonly step: Step;
    readonly world: World;
  }): Promise<{ readonly parameters: readonly unknown[] }>;
}

export interface SupportLibrary {
  readonly forCucumber: IRunOptions['support'];
  readonly steps: readonly StepDefinition[];
  readonly newWorld: () => World;
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

export const sink = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const loaded = new Map<string, Promise<SupportLibrary>>();

/** `paths`: files or globs of compiled step modules, support.js first. Throws CannotJudge where they cannot be loaded. */
export function loadSteps(paths: readonly string[], cwd: string): Promise<SupportLibrary> {
  const key = paths.join('\n');
  let library = loaded.get(key);
  if (library === undefined) {
    library = load(paths, cwd);
    loaded.set(key, library);
  }
  return library;
}

async function load(paths: readonly string[], cwd: string): Promise<SupportLibrary> {
  const sources = { defaultDialect: 'en', paths: [], names: [], tagExpression: '', order: 'defined' as const };
  const library = await loadSupport(
    { sources, support: { importPaths: [...paths] } },
    { cwd, stdout: sink(), stderr: sink(), env: {} },
  ).catch((error: unknown) => {
    throw new CannotJudge(`The steps cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  });
  const internal: object = library;
  if (!isLoaded(internal))
    throw new CannotJudge('The steps cannot be loaded: this version of cucumber keeps them in another form.');
  for (const definition of internal.stepDefinitions) matchFast(definition);
  const quiet = (): void => {};
  // Every run would look for the modules again, on the disk; it is told of one.
  const known = { requireModules: [], requirePaths: [], importPaths: paths.slice(0, 1), loaders: [] };
  return {
    forCucumber: { ...library, originalCoordinates: known },
    steps: internal.stepDefinitions,
    newWorld: () => new internal.World({ attach: quiet, log: quiet, link: quiet, parameters: {} }),
  };
}

/** What cucumber-expressions (19.0.0, TreeRegexp.js) keeps of an expression: the pattern and how its groups nest. */
interface Tree {
  readonly regexp: RegExp;
  readonly groupBuilder: { build(match: RegExpExecArray, nextGroup: () => number): unknown };
  match(text: string): unknown;
}

interface Expression {
  match(text: string): unknown;
  readonly treeRegexp?: Partial<Tree>;
}

/**
 * cucumber tries every definition on every step, three times, by a slow regular expression: a fifth of a second for the whole suite. Most
 * definitions are told apart by the words before their first parameter; what is left is matched once a text, and by the engine's own
 * indices of groups instead of a library's that rewrites the pattern.
 */
function matchFast({ pattern, expression }: StepDefinition): void {
  const tree = expression.treeRegexp;
  if (tree?.regexp !== undefined && tree.groupBuilder !== undefined) {
    const { regexp, groupBuilder } = tree;
    const indexed = new RegExp(regexp.source, `${regexp.flags}d`);
    tree.match = (text) => {
      const match = indexed.exec(text);
      let group = 0;
      return match === null ? null : groupBuilder.build(match, () => group++);
    };
  }
  const slow = expression.match.bind(expression);
  const words = typeof pattern === 'string' ? wordsBefore(pattern) : '';
  const known = new Map<string, unknown>();
  expression.match = (text) => {
    if (!text.startsWith(words)) return null;
    let match = known.get(text);
    if (match === undefined) {
      match = slow(text);
      known.set(text, match);
    }
    return match;
  };
}

/** What every text that an expression matches begins with: the words before its first parameter, optional text or alternative. */
function wordsBefore(pattern: string): string {
  const special = pattern.search(/[{(/\\]/);
  return special === -1 ? pattern : pattern.slice(0, pattern.lastIndexOf(' ', special) + 1);
}

/**
 * Runs unit tests of pure code for StrykerJS in the process that loads them: a mutant costs milliseconds, where its
 * command and TAP runners start a process for each. Tests are plain describe, it and test of node:test, which a loader
 * replaces by functions that only collect, and tries properties of fast-check a few times only. What modules decide while they load is tried by loading them anew, under
 * other addresses.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { register } from 'node:module';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from '@stryker-mutator/api/core';
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type CompleteDryRunResult,
  type DryRunOptions,
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  type TestRunnerCapabilities,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import fc from 'fast-check';

/** How often a property is tried on each mutant. */
const FEW = 25;

/** Below the sandbox, where StrykerJS makes a runner; tests may go elsewhere. */
const CHECKS = path.join('dist', 'src', 'checks');
let folder = CHECKS;

interface Test {
  /** "presence.test.js: presence › is there", unique. */
  readonly id: string;
  readonly file: string;
  readonly body: () => unknown;
}

/** What test files call in place of node:test. */
class Collected {
  readonly tests = new Map<string, Test>();
  file = '';
  readonly #path: string[] = [];
  readonly #times = new Map<string, number>();

  readonly describe = (name: string, body: () => void): void => {
    this.#path.push(name);
    body();
    this.#path.pop();
  };

  readonly it = (name: string, body: () => unknown): void => {
    const said = `${this.file}: ${[...this.#path, name].join(' › ')}`;
    const time = (this.#times.get(said) ?? 0) + 1;
    this.#times.set(said, time);
    const id = time === 1 ? said : `${said} (${time})`;
    this.tests.set(id, { id, file: this.file, body });
  };
}

const COLLECTED = Symbol.for('joinproof: collected tests');
const shared = globalThis as unknown as Record<symbol | string, unknown>;

const dataUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
const PROPERTIES = Symbol.for('joinproof: properties');
/** Fewer trials, and the same ones for every mutant: a property that fails by chance would be noticed instead of it. */
shared[PROPERTIES] = {
  ...fc,
  assert: ((property, parameters) =>
    fc.assert(property, {
      ...parameters,
      seed: 1,
      numRuns: Math.min(FEW, parameters?.numRuns ?? FEW),
    })) as typeof fc.assert,
};
const FEWER = dataUrl(`export default globalThis[Symbol.for(${JSON.stringify(PROPERTIES.description)})];`);
const SHIM = dataUrl(
  `const now = () => globalThis[Symbol.for(${JSON.stringify(COLLECTED.description)})];
   export const describe = (...given) => now().describe(...given);
   export const it = (...given) => now().it(...given);
   export const test = it;
   export default it;`,
);
/** What was made of a text before would be told again whatever the mutant: nothing is remembered. */
const FORGETFUL = dataUrl('export const rememberedText = (make) => make; export const remembered = (make) => make;');
/** What is loaded for the nth time hands its number on to the checks that it imports: nothing else is weakened. */
const LOADER = dataUrl(
  `export async function resolve(name, context, next) {
     if (name === 'fast-check') return { url: ${JSON.stringify(FEWER)}, shortCircuit: true };
     if (name === 'node:test') return { url: ${JSON.stringify(SHIM)}, shortCircuit: true };
     const found = await next(name, context);
     if (found.url.endsWith('/src/kubernetes/remembered.js')) return { url: ${JSON.stringify(FORGETFUL)}, shortCircuit: true };
     const time = /\\?(\\d+)$/.exec(context.parentURL ?? '')?.[1];
     return time === undefined || !found.url.includes('/src/checks/') ? found : { ...found, url: found.url + '?' + time };
   }`,
);

class InProcessRunner implements TestRunner {
  #loads = 0;
  readonly #loaded = new Set<string>();
  #collected = new Collected();
  readonly #context: InstrumenterContext;

  constructor() {
    folder = path.resolve(CHECKS);
    shared[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {};
    this.#context = shared[INSTRUMENTER_CONSTANTS.NAMESPACE] as InstrumenterContext;
    register(LOADER);
    this.#forget();
  }

  capabilities(): TestRunnerCapabilities {
    return { reloadEnvironment: true };
  }

  async dryRun({ coverageAnalysis, files = [] }: DryRunOptions): Promise<DryRunResult> {
    const mutated = files.map((file) => path.basename(file, '.js'));
    const { mutantCoverage, ...result } = await this.#run({ bail: false, ...(files.length === 0 ? {} : { mutated }) });
    return coverageAnalysis === 'off' || mutantCoverage === undefined ? result : { ...result, mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, mutantActivation, reloadEnvironment, hitLimit, testFilter, disableBail } = options;
    if (reloadEnvironment) this.#forget();
    const context = this.#context;
    context.hitCount = 0;
    if (hitLimit !== undefined) context.hitLimit = hitLimit;
    else delete context.hitLimit;
    let result: DryRunResult;
    try {
      result = await this.#run({
        ...(testFilter === undefined ? {} : { ids: testFilter }),
        bail: !disableBail,
        mutant: activeMutant.id,
        whileLoading: mutantActivation === 'static',
        first: path.basename(options.sandboxFileName, '.js'),
      });
    } catch (error) {
      // a module that no longer loads is noticed by whoever imports it
      const test = { id: 'loading', name: 'loading', timeSpentMs: 0 };
      const failed = { ...test, status: TestStatus.Failed, failureMessage: String(error) } as const;
      result = { status: DryRunStatus.Complete, tests: [failed] };
    } finally {
      delete context.activeMutant;
    }
    return toMutantRunResult(determineHitLimitReached(context.hitCount, hitLimit) ?? result);
  }

  #forget(): void {
    this.#loads += 1;
    this.#loaded.clear();
    this.#collected = new Collected();
    shared[COLLECTED] = this.#collected;
  }

  async #load(file: string): Promise<void> {
    if (this.#loaded.has(file)) return;
    this.#loaded.add(file);
    this.#collected.file = file;
    await import(`${pathToFileURL(path.join(folder, file)).href}?${this.#loads}`);
  }

  /** A file is loaded where its turn comes: mostly the tests of the mutated file notice it, and no other is wanted. */
  async #run({ ids, bail, mutant, whileLoading, first, mutated }: Running): Promise<CompleteDryRunResult> {
    const context = this.#context;
    const activate = (now: boolean): void => {
      if (now && mutant !== undefined) context.activeMutant = mutant;
      else delete context.activeMutant;
    };
    const tests: TestResult[] = [];
    const wanted = ids === undefined ? undefined : new Set(ids);
    const changed = mutated ?? (whileLoading === true && first !== undefined ? [first] : undefined);
    const readers = changed && readersOf(changed);
    // a file that a test loads would be the test's own, and what is decided there tried without loading it anew
    if (mutant === undefined) for (const name of allFiles()) await this.#load(name);
    const files = whileLoading === true ? nearTo(first) : filesOf(ids, first);
    for (const name of mutated === undefined || readers === undefined ? files : files.filter(isAbout(readers))) {
      delete context.currentTestId;
      activate(whileLoading === true);
      await this.#load(name);
      activate(true);
      for (const { id, file, body } of this.#collected.tests.values()) {
        if (file !== name || wanted?.has(id) === false) continue;
        const about = RECORDED_OF.exec(id)?.[1];
        if (about !== undefined && readers?.has(about) === false) continue;
        context.currentTestId = id;
        const started = performance.now();
        const failure = await failureOf(body);
        const test = { id, name: id, fileName: path.join(folder, file), timeSpentMs: performance.now() - started };
        if (failure === undefined) tests.push({ ...test, status: TestStatus.Success });
        else tests.push({ ...test, status: TestStatus.Failed, failureMessage: failure });
        if (failure !== undefined && bail) return { status: DryRunStatus.Complete, tests };
      }
    }
    delete context.currentTestId;
    const { mutantCoverage } = context;
    return { status: DryRunStatus.Complete, tests, ...(mutantCoverage === undefined ? {} : { mutantCoverage }) };
  }
}

interface Running {
  /** Of tests that are wanted; default: all. */
  readonly ids?: readonly string[];
  /** Ends with the first that fails. */
  readonly bail: boolean;
  readonly mutant?: string;
  /** The mutant is at work while modules load. */
  readonly whileLoading?: boolean;
  /** "login": its tests come first. */
  readonly first?: string;
  /** "login": only tests that can notice a change of these; default: all. */
  readonly mutated?: readonly string[];
}

const below = (): readonly string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' });

const allFiles = (): readonly string[] => below().filter((file) => file.endsWith('.test.js'));

/** Tests of what is recorded of every check. */
const RECORDED = ['cases.test.js', 'calls.test.js', 'alike.test.js'];
/** The file of the check, or of the function, that a recorded case is of. */
const RECORDED_OF = /^(?:cases|calls|alike)\.test\.js: .*?([a-z0-9-]+)\/[A-Za-z0-9-]+(?: \(\d+\))?$/;

/** "login": by the names of modules. */
function importsOneOf(file: string, names: readonly string[]): boolean {
  const text = readFileSync(path.join(folder, file), 'utf8');
  return names.some((name) => text.includes(`/${name}.js'`));
}

/** Whether a file of tests is beside one of these files of checks, imports one, or holds what is recorded of all. */
const isAbout =
  (readers: ReadonlySet<string>) =>
  (file: string): boolean => {
    if (RECORDED.includes(file) || readers.has(path.basename(file, '.test.js'))) return true;
    return importsOneOf(file, [...readers]);
  };

/** Files of checks and those that import them, directly or not: what a mutant in them can change. */
function readersOf(changed: readonly string[]): ReadonlySet<string> {
  const imports = below()
    .filter((file) => file.endsWith('.js') && !file.endsWith('.test.js'))
    .map((file) => [path.basename(file, '.js'), readFileSync(path.join(folder, file), 'utf8')] as const);
  const readers = new Set(changed);
  for (const reader of readers)
    for (const [file, text] of imports) if (text.includes(`/${reader}.js'`)) readers.add(file);
  return readers;
}

/**
 * The tests that import a file, those beside it first, what holds for every check and recorded cases: others are not
 * loaded anew for a mutant.
 */
const nearTo = (first: string | undefined): readonly string[] => {
  const files = allFiles();
  const own = files.filter((file) => path.basename(file) === `${first}.test.js`);
  return [
    ...new Set([
      ...own,
      ...files.filter((file) => importsOneOf(file, [first ?? ''])),
      'registry.test.js',
      'cases.test.js',
    ]),
  ];
};

/** The files of tests that are wanted, those that mostly notice a mutant first. */
function filesOf(ids: readonly string[] | undefined, first: string | undefined): readonly string[] {
  const wanted = [...new Set(ids?.map((id) => id.slice(0, id.indexOf(':'))) ?? allFiles())].sort();
  const near = nearTo(first);
  const rank = (file: string): number => (near.includes(file) ? near.indexOf(file) : near.length);
  return wanted.sort((a, b) => rank(a) - rank(b));
}

async function failureOf(body: () => unknown): Promise<string | undefined> {
  try {
    await body();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcessRunner)];

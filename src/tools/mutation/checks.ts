/** StrykerJS over the compiled checks with their unit tests, which run in one process. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { distFolder, packageRoot } from '../../run/package-root.js';
import { checkFiles } from '../../run/registry.js';

const CHECKS = path.join(distFolder, 'src', 'checks');

export interface OfFile {
  readonly file: string;
  readonly noticed: number;
  readonly all: number;
  /** "checks/login.js: ConditionalExpression `a === b` becomes `true`", with the number of its like behind it. */
  readonly survivors: readonly string[];
}

/** The compiled files of src/checks that hold code to judge by, by their names: "login.js". */
export const filesOfChecks = (): readonly { readonly name: string }[] =>
  checkFiles().map((file) => ({ name: path.basename(file) }));

interface Place {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns count from 1. */
function textAt(lines: readonly string[], start: Place, end: Place): string {
  const part = lines.slice(start.line - 1, end.line);
  part[part.length - 1] = (part.at(-1) ?? '').slice(0, end.column - 1);
  part[0] = (part[0] ?? '').slice(start.column - 1);
  return part.join(' ').replace(/\s+/g, ' ');
}

const short = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text);

/** Weakens these files, one place at a time. */
export async function ofChecks(
  files: readonly string[],
  { workers, verbose }: { readonly workers: number; readonly verbose: boolean },
): Promise<readonly OfFile[]> {
  const below = path.relative(packageRoot, CHECKS);
  const places = new Map(checkFiles().map((file) => [path.basename(file), file]));
  const placeOf = (file: string): string => places.get(file) ?? file;
  const stryker = new Stryker({
    plugins: [path.join(distFolder, 'src', 'tools', 'mutation', 'in-process-runner.js')],
    testRunner: 'in-process',
    coverageAnalysis: 'perTest',
    mutate: files.map((file) => path.join(below, placeOf(file))),
    tempDirName: 'dist.mutation',
    // tests read what is recorded beside the sources, and no source
    ignorePatterns: ['/src/**/*.ts', '/steps', '/reports', '/.ci', '/dist.*', '/dist/steps-changed*', '/.git'],
    reporters: verbose ? ['progress-append-only'] : [],
    warnings: false,
    logLevel: (verbose ? 'info' : 'error') as never,
    concurrency: workers,
    // what is decided while modules load is tried by loading them anew, and what was loaded stays in memory
    maxTestRunnerReuse: 500,
    timeoutMS: 20_000,
    dryRunTimeoutMinutes: 20,
    disableTypeChecks: false,
    allowConsoleColors: false,
  } as ConstructorParameters<typeof Stryker>[0]);
  const results = await stryker.runMutationTest();
  return files.map((file) => {
    const own = results.filter(({ fileName }) => path.basename(fileName) === file);
    const lines = readFileSync(path.join(CHECKS, placeOf(file)), 'utf8').split('\n');
    const counted = own.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status));
    const seen = new Map<string, number>();
    const survivors = counted
      .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
      .map(({ location, mutatorName, replacement = '' }) => {
        const was = short(textAt(lines, location.start, location.end));
        const name = `checks/${file}: ${mutatorName} \`${was}\` becomes \`${short(replacement.replace(/\s+/g, ' '))}\``;
        seen.set(name, (seen.get(name) ?? 0) + 1);
        return seen.get(name) === 1 ? name : `${name} (${seen.get(name)})`;
      });
    return { file, noticed: counted.length - survivors.length, all: counted.length, survivors };
  });
}

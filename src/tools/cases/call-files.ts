/** The files of src/checks/cases/calls: one for each file of checks, a call a line with a hash of what is answered. */
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { writeWhole } from '../../report/files.js';
import { packageFile } from '../../run/package-root.js';
import { checkFiles } from '../../run/registry.js';
import { answerOf, answersTo, type Call, type Callable, chosen } from './calls.js';

const FOLDER = packageFile('src/checks/cases/calls');

export interface RecordedCall extends Call {
  readonly answers: string;
}

const CHECKS = new URL('../../checks/', import.meta.url);

/** The function of that name, "jws-reader/readJws"; undefined where this build has none. */
export async function callableOf(name: string): Promise<Callable | undefined> {
  const [file, own = ''] = name.split('/');
  const place = checkFiles().find((one) => one.replace(/^.*\/|\.js$/g, '') === file);
  if (place === undefined) return undefined;
  const module: Readonly<Record<string, unknown>> = await import(new URL(place, CHECKS).href);
  const value = module[own];
  return typeof value === 'function' ? (value as Callable) : undefined;
}

export function byFunction<C extends Call>(calls: readonly C[]): ReadonlyMap<string, readonly C[]> {
  const groups = new Map<string, C[]>();
  for (const one of calls) {
    const group = groups.get(one.call);
    if (group === undefined) groups.set(one.call, [one]);
    else group.push(one);
  }
  return groups;
}

export function readCalls(): readonly RecordedCall[] {
  return readdirSync(FOLDER)
    .sort()
    .flatMap((file) => readFileSync(path.join(FOLDER, file), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedCall);
}

/** Where answers are made: times without a zone, and paths that begin nowhere, are otherwise those of the machine. */
export function anywhere(): void {
  process.env.TZ = 'UTC';
  process.chdir(path.parse(process.cwd()).root);
}

/** Instead of all that were there: these, with what is answered now, and none of functions that are gone. */
export async function writeCalls(calls: readonly Call[]): Promise<void> {
  anywhere();
  const files = new Map<string, string[]>();
  // in the order in which they are read, which decides what is near them
  const sorted = calls
    .map(({ call, args }) => ({ call, args, line: JSON.stringify({ call, args }) }))
    .sort((a, b) => (a.line < b.line ? -1 : 1));
  for (const [name, own] of byFunction(sorted)) {
    const callable = await callableOf(name);
    if (callable === undefined) continue;
    const file = `${name.split('/')[0]}.jsonl`;
    const lines = own.map(({ call, args }) =>
      JSON.stringify({ call, args, answers: answersTo(callable, { call, args }, own) }),
    );
    files.set(file, [...(files.get(file) ?? []), ...lines]);
  }
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, lines] of files) writeWhole(path.join(FOLDER, file), `${lines.sort().join('\n')}\n`);
}

/** Of many calls those that say most. */
export async function fewestCalls(calls: readonly Call[]): Promise<readonly Call[]> {
  const kept: Call[] = [];
  for (const [name, own] of byFunction(calls)) {
    const callable = await callableOf(name);
    if (callable !== undefined)
      kept.push(
        ...chosen(
          own,
          own.map(({ args }) => answerOf(callable, args) ?? ''),
        ),
      );
  }
  return kept;
}

/**
 * npm run cases: plays what the kill matrix plays, and the unit tests of checks, and writes what checks said there to
 * src/checks/cases, where a unit test judges it again, and all that is near it.
 */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectMutants } from '../matrix/collect.js';
import type { Job } from '../matrix/job.js';
import { MINIATURES } from '../matrix/miniatures.js';
import { PARALYSED } from '../matrix/paralysed.js';
import { playAll, usualWorkers } from '../matrix/pool.js';
import { judgeOf, saidOf } from '../run/replay.js';
import { fewestCalls, readCalls, writeCalls } from './cases/call-files.js';
import { type Case, fewest, Kept } from './cases/cases.js';
import { readCases, writeCases } from './cases/files.js';
import { byCheck, type Neighbours, neighboursOf, writeNeighbours } from './cases/neighbours.js';
import { handedByTests } from './cases/tests.js';

const USAGE = `Usage: npm run cases -- [--again | --tests | --rule ID…] [--workers N]

  Plays the unchanged reference, all that deviates from it and the unit tests of checks, and writes src/checks/cases
  anew.
  --again       play nothing: judge the recorded cases again and write what checks say now; git diff tells what changed
  --tests       play the unit tests of checks alone, and add what checks say there that no recorded case says
  --rule ID     play what breaks these rules, and add what their checks say that no recorded case says
  --workers N   processes; default: the number of cores, at most 4`;

/** Writes cases, and what checks say of what is near them: in the order in which they are read, which decides who is. */
async function keep(cases: readonly Case[]): Promise<void> {
  writeCases(cases);
  const all = new Map<string, ReadonlyMap<string, Neighbours>>();
  for (const [id, own] of byCheck([...readCases().values()].flat())) all.set(id, neighboursOf(own, await judgeOf(id)));
  writeNeighbours(all);
}

/** The recorded cases as this build's checks judge them; those of checks that are gone are left out. */
async function judgedAgain(): Promise<readonly Case[]> {
  const cases: Case[] = [];
  for (const one of [...readCases().values()].flat()) {
    const findings = await saidOf({ ...one, observation: one.observation ?? undefined });
    if (findings !== undefined) cases.push({ ...one, findings });
  }
  return cases;
}

async function again(): Promise<number> {
  const cases = await judgedAgain();
  await keep(cases);
  await writeCalls(readCalls());
  process.stdout.write(`${cases.length} cases are judged again\n`);
  return 0;
}

/** What is played: of some rules what breaks them; of all of them what could. */
async function jobsOf(rules: readonly string[] | undefined): Promise<readonly Job[]> {
  const mutants = (await collectMutants()).flatMap(({ name, killedBy }): readonly Job[] => {
    const broken = killedBy.filter((rule) => rules?.includes(rule) ?? true);
    return broken.length === 0 ? [] : [{ kind: 'mutant', name, rules: broken }];
  });
  return [
    { kind: 'baseline', name: 'the unchanged reference', rules },
    ...PARALYSED.map(({ name }): Job => ({ kind: 'paralysed', name, rules })),
    ...(rules === undefined ? MINIATURES.map((name): Job => ({ kind: 'miniature', name })) : []),
    ...mutants,
  ];
}

const WORKER = new URL('./cases/worker.js', import.meta.url);

function onEnd(jobs: number): (done: number) => void {
  return (done) => {
    if (process.stderr.isTTY) process.stderr.write(`\r${done}/${jobs}${done === jobs ? '\n' : ''}`);
  };
}

/** What checks say where the matrix plays. */
async function casesOfJobs(jobs: readonly Job[], workers: number): Promise<readonly Case[]> {
  const ended = onEnd(jobs.length);
  const results = await playAll<Job, { readonly cases: readonly Case[] }>(jobs, workers, ended, WORKER);
  for (const result of results)
    if ('failure' in result) throw new Error(`Nothing is written: ${result.job.name} failed: ${result.failure}`);
  return results.flatMap((result) => ('failure' in result ? [] : result.cases));
}

/** The tests that lie beside checks, and not those that judge recorded cases. */
const unitTests = (): readonly string[] =>
  readdirSync(fileURLToPath(new URL('../checks/', import.meta.url)), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^[^/]+\/[^/]+\.test\.js$/.test(file.replaceAll('\\', '/')))
    .sort();

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      again: { type: 'boolean' },
      tests: { type: 'boolean' },
      rule: { type: 'string', multiple: true },
      workers: { type: 'string' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (values.again === true) return again();
  const workers = values.workers === undefined ? usualWorkers() : Number(values.workers);
  if (!(Number.isInteger(workers) && workers > 0))
    throw new Error(`--workers "${values.workers}" is no positive whole number.`);
  const tests = values.rule === undefined ? unitTests() : [];
  const played = values.tests === true ? [] : await casesOfJobs(await jobsOf(values.rule), workers);
  const handed = await handedByTests(tests, workers, onEnd(tests.length));
  const known = values.rule === undefined && values.tests !== true ? [] : await judgedAgain();
  const of = new Kept();
  const shown = fewest(of.of(played), known);
  const told = fewest(of.of(handed.cases), [...known, ...shown]);
  const kept = [...shown, ...told];
  if (tests.length > 0) await writeCalls(await fewestCalls(handed.calls));
  await keep([...known, ...kept]);
  process.stdout.write(`${kept.length} of ${played.length + handed.cases.length} cases are kept\n`);
  return 0;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`cases: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);

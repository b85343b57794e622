/**
 * npm run faults -- --seeds N [--from N] [--jobs N] [--rule ID]… [--mutant NAME|all]… [--verbose]: the whole suite (on
 * a mutant: what kills it), writing, on a reference that is asked as a cluster is, through faults. Each seed's verdicts
 * are held against those of a run without faults. Exit code 1: a rule failed or passed falsely, something was left
 * behind, or a run met no fault. What could not be judged is counted, and no mistake.
 */
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { RUN_LABEL } from '../kubernetes/own-objects.js';
import { resources } from '../kubernetes/resources.js';
import { collectMutants } from '../matrix/collect.js';
import type { VerdictKind } from '../model/verdict.js';
import { judge } from '../run/judge.js';
import { openConnection } from '../targets/cluster.js';
import { connectionTo } from '../targets/connection.testing.js';
import { FAULTS, type Fault, type FaultPlan, faultsBefore } from '../targets/faults.testing.js';
import { type Reference, startReference } from '../targets/reference.js';

interface Job {
  /** undefined: without faults. */
  readonly seed: number | undefined;
  readonly mutant: string | undefined;
  readonly rules: readonly string[];
}

interface Played {
  readonly job: Job;
  readonly verdicts: Readonly<Record<string, VerdictKind>>;
  readonly reasons: Readonly<Record<string, string>>;
  readonly left: readonly string[];
  readonly met: Partial<Readonly<Record<Fault, number>>>;
  readonly seconds: number;
  /** Why there is no report. */
  readonly refusal?: string;
}

/** Seeds that follow one another take mutants of different chapters. */
const STRIDE = 7;
/** A run that says nothing about faults. */
const UNTROUBLED = 'runs without a fault';
/** Mistakes that are told of one run. */
const MOST = 12;

/** One kind of trouble after the other, then all of them together. */
const PLANS: readonly FaultPlan['rates'][] = [
  { busy: 0.5 },
  { 'busy-silent': 0.5 },
  { reset: 0.1 },
  { truncated: 0.05, cut: 0.05 },
  { broken: 0.1 },
  { slow: 0.9, 'very-slow': 0.1 },
  { 'wrong-date': 0.5 },
  { 'wrong-date': 1 },
  { lost: 0.1 },
  { 'lost-504': 0.1, 'dropped-watch': 0.5 },
  Object.fromEntries(FAULTS.map((fault) => [fault, 0.02])),
  Object.fromEntries(FAULTS.map((fault) => [fault, 0.05])),
];
const planOf = (seed: number): FaultPlan => ({ seed, rates: PLANS[seed % PLANS.length] ?? {} });

async function play(job: Job): Promise<Played> {
  const started = performance.now();
  const found = (await collectMutants()).find(({ name }) => name === job.mutant);
  const mutant = found?.anew?.() ?? found;
  const reference = await startReference({ withNode: true, ...mutant?.options });
  await mutant?.arrange?.(reference);
  const faulty =
    job.seed === undefined ? undefined : faultsBefore(Number(new URL(reference.url).port), planOf(job.seed));
  const { signal } = new AbortController();
  const result = { job, met: faulty?.met ?? {} };
  const seconds = (): number => Math.round(performance.now() - started) / 1000;
  try {
    const target = await openConnection(connectionTo(reference), { signal, allowWrites: true });
    const selection = { rules: job.rules };
    const { report } = await judge({ target, selection, signal, sentences: 'not passed' });
    await target.close();
    const verdicts = Object.fromEntries(report.rules.map(({ id, verdict }) => [id, verdict]));
    const reasons = Object.fromEntries(report.rules.map(({ id, reason }) => [id, reason?.text ?? '']));
    // What is there is looked at without faults, as is what the clean-up itself knows of.
    faulty?.end();
    return { ...result, verdicts, reasons, left: leftIn(reference), seconds: seconds() };
  } catch (error) {
    return { ...result, verdicts: {}, reasons: {}, left: [], seconds: seconds(), refusal: (error as Error).message };
  } finally {
    faulty?.end();
    await reference.close();
  }
}

/** Objects of a run that are still there; what is no resource of this server holds none. */
function leftIn({ api }: Reference): readonly string[] {
  return Object.values(resources).flatMap((resource) => {
    try {
      const ours = api.list(resource).filter(({ metadata }) => metadata.labels?.[RUN_LABEL] !== undefined);
      return ours.map(({ metadata }) => `${resource.kind} ${metadata.name}`);
    } catch {
      return [];
    }
  });
}

/** A thread of its own: a process plays one run at a time. */
const inThread = (job: Job): Promise<Played> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: job });
    worker.once('message', resolve);
    worker.once('error', reject);
  });

interface Wrong {
  readonly what: 'false failed' | 'false passed' | 'left behind';
  readonly text: string;
}

/** What a run says otherwise than it should. */
function wrongIn(played: Played, baseline: Played): readonly Wrong[] {
  const wrong = Object.entries(played.verdicts).flatMap(([id, verdict]): readonly Wrong[] => {
    const before = baseline.verdicts[id];
    if (verdict === 'failed' && before !== 'failed')
      return [{ what: 'false failed', text: `${id} (${before}): ${played.reasons[id]}` }];
    return verdict === 'passed' && before === 'failed' ? [{ what: 'false passed', text: id }] : [];
  });
  return [...wrong, ...played.left.map((text): Wrong => ({ what: 'left behind', text }))];
}

const USAGE = `npm run faults -- [OPTION]…
The whole suite on the bundled reference, writing, through faults; each seed is held against a run without faults.

  --seeds N      how many seeds (12)
  --from N       the first of them (0)
  --jobs N       runs side by side (4)
  --rule ID      only this rule; may be repeated
  --mutant NAME  on this defect of the reference, the rules that must notice it; may be repeated; all: any of them
  --verbose      why rules were not judged
  --help         this text

Exit code 1: a rule failed or passed falsely, something was left behind, or a run met no fault. 2: wrong usage.
`;

/** Throws where the value is no whole number of at least `least`. */
function wholeNumber(option: string, text: string, least: number): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= least) return Number(text);
  throw new Error(`--${option} "${text}" is no whole number of at least ${least}. "--help" shows what it takes.`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '12' },
      from: { type: 'string', default: '0' },
      jobs: { type: 'string', default: '4' },
      rule: { type: 'string', multiple: true, default: [] },
      mutant: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [from, count, jobs] = [
    wholeNumber('from', values.from, 0),
    wholeNumber('seeds', values.seeds, 1),
    wholeNumber('jobs', values.jobs, 1),
  ];
  const mutants = (await collectMutants()).filter(({ killedBy }) => killedBy.length > 0);
  const chosen = values.mutant.includes('all') ? mutants : mutants.filter(({ name }) => values.mutant.includes(name));
  const unknown = values.mutant.find((name) => name !== 'all' && !mutants.some((one) => one.name === name));
  if (unknown !== undefined) throw new Error(`There is no mutant "${unknown}" that a rule kills. Give one, or "all".`);
  const seeds = Array.from({ length: count }, (_, index) => from + index);
  const queue = seeds.map((seed): Job => {
    const mutant = chosen[(seed * STRIDE) % Math.max(1, chosen.length)];
    const rules = values.rule.length > 0 ? values.rule : (mutant?.killedBy ?? []);
    return { seed, mutant: mutant?.name, rules };
  });
  const counts = new Map<string, number>();
  const baselines = new Map<string | undefined, Promise<Played>>();
  const lane = async (): Promise<void> => {
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      const baseline = baselines.get(job.mutant) ?? inThread({ ...job, seed: undefined });
      baselines.set(job.mutant, baseline);
      tell(await inThread(job), await baseline, counts, values.verbose);
    }
  };
  await Promise.all(Array.from({ length: jobs }, lane));
  const found = [...counts].map(([what, count]) => `${count} ${what}`);
  process.stdout.write(`${seeds.length} seeds: ${found.join(', ') || 'as without faults'}\n`);
  return ['false failed', 'false passed', 'left behind', UNTROUBLED].some((what) => counts.has(what)) ? 1 : 0;
}

function tell(played: Played, baseline: Played, counts: Map<string, number>, verbose: boolean): void {
  const { job, verdicts, reasons, met, seconds, refusal } = played;
  const wrong = wrongIn(played, baseline);
  const errors = Object.keys(verdicts).filter((id) => verdicts[id] === 'error');
  const add = (what: string, more = 1): void => void (more > 0 && counts.set(what, (counts.get(what) ?? 0) + more));
  for (const { what } of wrong) add(what);
  add('not judged', errors.length);
  add('runs without report', refusal === undefined ? 0 : 1);
  const plan = JSON.stringify(planOf(job.seed ?? 0).rates);
  const faults = Object.values(met).reduce((sum, count) => sum + count, 0);
  add(UNTROUBLED, faults === 0 ? 1 : 0);
  const passed = Object.values(verdicts).filter((verdict) => verdict === 'passed').length;
  const lines = [
    `seed ${job.seed}${job.mutant === undefined ? '' : ` ${job.mutant}`} ${plan}: ${faults} faults, ${seconds} s`,
    `${passed} passed, ${errors.length} not judged${refusal === undefined ? '' : `; no report: ${refusal}`}`,
    ...wrong.slice(0, MOST).map(({ what, text }) => `  ${what}: ${text}`),
    ...(wrong.length > MOST ? [`  … and ${wrong.length - MOST} more`] : []),
    ...(verbose ? errors.map((id) => `  not judged: ${id}: ${reasons[id]}`) : []),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

if (isMainThread)
  main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`faults: ${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(2);
    },
  );
else parentPort?.postMessage(await play(workerData as Job));

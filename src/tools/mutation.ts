/**
 * npm run mutation: weakens the judge in one place at a time and sees whether that is noticed: features and steps by
 * the matrix, checks and rooms of src by their unit tests. Exits 1 with survivors that nobody has explained.
 */
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { usualWorkers } from '../matrix/pool.js';
import { plan } from '../run/judge.js';
import { filesOfChecks, ofChecks } from './mutation/checks.js';
import { type Choose, ofFeatures, ofSteps, parts, stepFiles, tried, type Weakenings } from './mutation/clauses.js';
import { emptyRooms, ofRooms, type Tried } from './mutation/rooms.js';
import { keepScores, percent, type Score } from './mutation/score.js';
import { explained, held } from './mutation/survivors.js';

const USAGE = `Usage: npm run mutation -- [features|steps|checks|rooms]… [--sample N] [--seed TEXT] [--rule ID]…
       [--chapter NAME]… [--file NAME]… [--room NAME]… [--workers N] [--verbose]

  features     take a line out of a feature: a step, a row of a table, an example
  steps        weaken a place of a step that rules pass
  checks       weaken src/checks and run its unit tests (StrykerJS)
  rooms        weaken a place of src/joining, kubeadm, liars or matrix and run the nearest unit tests; only a sample,
               and only where it is asked for
  --sample N   only N of each kind (of checks one file for fifty), chosen by the seed
  --seed TEXT  default: the day, "2026-01-31"; the score of a sample is kept where it is given
  --rule, --chapter   features and steps of these rules only
  --file       only this file of checks, "login.js", or of steps, "authorization/access.js"
  --room       only this room of src, with a sample: "joining", "kubeadm/init"; any room of src may be named
  --verbose    tell by what each was noticed`;

const KINDS = ['features', 'steps', 'checks', 'rooms'] as const;
/** Rooms are too large to be weakened in every place: they are, where they are asked for. */
const USUAL = ['features', 'steps', 'checks'] as const satisfies readonly Kind[];
/** What decides what the judge compares with. */
const ROOMS = ['joining', 'kubeadm', 'liars', 'matrix'];
type Kind = (typeof KINDS)[number];
const isKind = (text: string): text is Kind => (KINDS as readonly string[]).includes(text);

interface Options {
  readonly sample: number | undefined;
  readonly choose: Choose;
  readonly rules: ReadonlySet<string>;
  readonly files: readonly string[];
  readonly rooms: readonly string[];
  readonly workers: number;
  readonly verbose: boolean;
}

interface Result {
  readonly lines: readonly string[];
  readonly survivors: readonly string[];
  /** By what was weakened: "features/policy", "steps/node-files/kept.js", "checks/login.js". */
  readonly scores: Readonly<Record<string, Score>>;
}

const TODAY = new Date().toISOString().slice(0, 10);

/** How many of these survivors the list explains. */
const explainedOf = (survivors: readonly string[]): number =>
  survivors.length - held(survivors, explained()).open.length;

/** The same ones for the same seed, wherever in the list they stand. */
const chooser =
  (count: number | undefined, seed: string): Choose =>
  (all) => {
    const drawn = (name: string): string => createHash('sha256').update(`${seed} ${name}`).digest('hex');
    return count === undefined || count >= all.length
      ? all
      : [...all].sort((a, b) => (drawn(a.name) < drawn(b.name) ? -1 : 1)).slice(0, count);
  };

/** One line on a terminal, in place. */
function progress(done: number, of: number): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001b[2K${done}/${of}`);
}
function endProgress(): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[2K');
}

const survivorsOf = (all: readonly Tried[]): readonly string[] =>
  all.flatMap(({ name, noticed }) => (noticed === undefined ? [name] : []));

const toldOf = (all: readonly Tried[]): readonly string[] =>
  all.map(({ name, noticed }) => `${name}\n    ${noticed ?? 'SURVIVES'}`).sort();

const scoresOf = (all: readonly Tried[]): Result['scores'] =>
  Object.fromEntries(
    [...new Set(all.map(({ part }) => part))].map((part) => {
      const those = all.filter((one) => one.part === part);
      const survivors = survivorsOf(those);
      const noticed = those.length - survivors.length;
      return [part, { noticed, explained: explainedOf(survivors), all: those.length, on: TODAY }];
    }),
  );

async function tryAll(kind: Kind, made: Weakenings, { sample, workers, verbose }: Options): Promise<Result> {
  try {
    const outcomes = await tried(made.all, workers, (done) => progress(done, made.all.length));
    endProgress();
    const found = outcomes.map(({ weakening: { name, part }, noticed }) => ({
      name,
      // of a sample each part has too few
      part: sample === undefined ? part : kind,
      noticed,
    }));
    const survivors = survivorsOf(found);
    return {
      lines: [
        ...(verbose ? toldOf(found) : []),
        `${kind}: ${found.length - survivors.length} of ${found.length} noticed`,
      ],
      survivors,
      scores: scoresOf(found),
    };
  } finally {
    made.close();
  }
}

async function tryChecks({ files, choose, sample, workers, verbose }: Options): Promise<Result> {
  const all = filesOfChecks().filter(({ name }) => files.length === 0 || files.includes(name));
  const chosen = sample === undefined ? all : choose(all).slice(0, Math.max(1, Math.round(sample / 50)));
  const found = await ofChecks(
    chosen.map(({ name }) => name),
    { workers, verbose },
  );
  const noticed = found.reduce((sum, one) => sum + one.noticed, 0);
  const count = found.reduce((sum, one) => sum + one.all, 0);
  return {
    lines: [
      ...found.map((one) => `  ${one.file}: ${one.noticed} of ${one.all} (${percent(one.noticed, one.all)})`),
      `checks: ${noticed} of ${count} noticed (${percent(noticed, count)})`,
    ],
    survivors: found.flatMap(({ survivors }) => survivors),
    scores: Object.fromEntries(
      found.map((one) => [
        `checks/${one.file}`,
        { noticed: one.noticed, explained: explainedOf(one.survivors), all: one.all, on: TODAY },
      ]),
    ),
  };
}

async function tryRooms({ rooms, choose, workers, verbose }: Options): Promise<Result> {
  const found = await ofRooms(rooms, choose, workers, (one, done, of) => {
    endProgress();
    if (verbose || one.noticed === undefined) process.stdout.write(`${toldOf([one]).join('')}\n`);
    progress(done, of);
  });
  endProgress();
  const scores = scoresOf(found);
  const lines = Object.entries(scores).map(
    ([part, { noticed, all }]) => `${part}: ${noticed} of ${all} noticed (${percent(noticed, all)})`,
  );
  return { lines: lines.sort(), survivors: survivorsOf(found), scores };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      sample: { type: 'string' },
      seed: { type: 'string' },
      rule: { type: 'string', multiple: true },
      chapter: { type: 'string', multiple: true },
      file: { type: 'string', multiple: true },
      room: { type: 'string', multiple: true },
      workers: { type: 'string' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help === true) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  const unknown = positionals.find((text) => !isKind(text));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${KINDS.join(', ')}.`);
  const numbers = [values.sample, values.workers].map((text) => (text === undefined ? undefined : Number(text)));
  if (numbers.some((number) => number !== undefined && !(Number.isInteger(number) && number > 0)))
    throw new Error('--sample and --workers take a positive whole number.');
  const files = (values.file ?? []).map((name) => name.replace(/\.ts$/, '.js'));
  const there = [...filesOfChecks().map(({ name }) => name), ...stepFiles()];
  const missing = files.find((file) => !there.includes(file));
  if (missing !== undefined) throw new Error(`"${missing}" is no file of src/checks that judges, and none of steps.`);
  const [sample, workers = usualWorkers()] = numbers;
  const rooms = values.room ?? ROOMS;
  const empty = emptyRooms(rooms)[0];
  if (empty !== undefined) throw new Error(`"${empty}" is no room of src.`);
  const seed = values.seed ?? TODAY;
  const { selected } = await plan({ rules: values.rule, chapters: values.chapter });
  const options: Options = {
    sample,
    choose: chooser(sample, seed),
    rules: new Set(selected.rules.map(({ id }) => id)),
    files,
    rooms,
    workers,
    verbose: values.verbose ?? false,
  };
  const asked = positionals.length === 0 ? USUAL : positionals.filter(isKind);
  const kinds: readonly Kind[] = values.room === undefined || positionals.length > 0 ? asked : ['rooms'];
  if (kinds.includes('rooms') && sample === undefined) throw new Error('Of rooms only a sample is tried: --sample N.');
  const results: Result[] = [];
  if (kinds.includes('features'))
    results.push(await tryAll('features', await ofFeatures(options.choose, options.rules, workers), options));
  if (kinds.includes('steps'))
    results.push(await tryAll('steps', await ofSteps(options.choose, options, workers), options));
  if (kinds.includes('checks')) results.push(await tryChecks(options));
  if (kinds.includes('rooms')) results.push(await tryRooms(options));
  const isAll = values.rule === undefined && values.chapter === undefined;
  const whole = isAll && sample === undefined && kinds.length === USUAL.length && values.file === undefined;
  const { open, unused } = held(
    results.flatMap(({ survivors }) => survivors),
    explained(),
  );
  // what a few files of a sample, or lines of a few rules, say of the whole is nothing; who names a seed wants it kept
  const isKept = (name: string): boolean => {
    if (sample !== undefined) return isAll && !name.startsWith('checks/') && values.seed !== undefined;
    return isAll || name.startsWith('checks/') || (name.startsWith('features/') && values.rule === undefined);
  };
  const kept = results
    .flatMap(({ scores }) => Object.entries(scores))
    .filter(([name, { all }]) => isKept(name) && all > 0)
    .map(([name, score]) => [sample === undefined ? name : `${name}, a sample (seed ${seed})`, score] as const);
  const names = new Set([...parts(), ...filesOfChecks().map(({ name }) => `checks/${name}`)]);
  keepScores(Object.fromEntries(kept), (name) => names.has(name) || name.includes(', a sample '));
  const problems = [
    ...open.map((name) => `survives: ${name}`),
    ...(whole ? unused.map((name) => `is explained, and noticed or gone: ${name}`) : []),
  ];
  for (const line of [...results.flatMap(({ lines }) => lines), ...problems]) process.stdout.write(`${line}\n`);
  const chosen = sample === undefined ? '' : ` (a sample; --sample ${sample} --seed ${seed} plays it again)`;
  process.stdout.write(`mutation: ${problems.length === 0 ? 'sound' : `${problems.length} problems`}${chosen}\n`);
  return problems.length === 0 ? 0 : 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`mutation: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(2);
  },
);

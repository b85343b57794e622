/**
 * One cell's worth of work: start a target, run the suite on it in this process, say how each rule fared. Runs inside a
 * worker.
 */

import type { Report } from '../model/report.js';
import { begun } from '../mutants/remembering.js';
import { isOfDisk, type Mutant } from '../mutants/types.js';
import { stepsIn } from '../run/execute.js';
import { type JudgeOptions, judge } from '../run/judge.js';
import { featuresFolder } from '../run/package-root.js';
import { type Held, packageProfile } from '../run/profiles.js';
import { type ClientTarget, openClient } from '../targets/client-under-test/target.js';
import { openConnection } from '../targets/cluster.js';
import { fixedCredential } from '../targets/connection.js';
import { HttpTarget } from '../targets/http-target.js';
import { type NodeTarget, openReferenceNode } from '../targets/node.js';
import { openReference } from '../targets/reference.js';
import { FACTS, type Fact } from '../targets/types.js';
import { isBroken } from './broken.js';
import { collectMutants } from './collect.js';
import type { Judged, Seen } from './each.js';
import { eachKindIn } from './each-kind.js';
import { eachStatusIn } from './each-status.js';
import { elsewhereIn, OF_SOMEBODY, ONLY_READ, openElsewhere } from './elsewhere.js';
import { VARIANTS } from './foreign.js';
import { gatewayBefore } from './gateway.js';
import { together } from './groups.js';
import { type Hold, held } from './hold.js';
import { type Beginning, fromImage, withoutImage } from './images.js';
import { type MiniatureName, startMiniature } from './miniatures.js';
import { NEEDS, needsOf } from './needs.js';
import type { Lines } from './rule-lines.js';
import { type Hears, NOTHING_SEEN, type Result, summary, type Told } from './summary.js';
import { switchTo } from './switch.js';
import { UNKNOWN_WORDS, unknownWords } from './unknown-words.js';

export type Job =
  /** `rules`: undefined runs all. */
  | { readonly kind: 'mutant'; readonly name: string; readonly rules: readonly string[] | undefined }
  /** Harmless variants that do not touch the same thing, all at once. */
  | {
      readonly kind: 'group';
      readonly name: string;
      readonly members: readonly string[];
      readonly rules: readonly string[] | undefined;
    }
  | { readonly kind: 'baseline'; readonly name: string; readonly rules: readonly string[] | undefined }
  | { readonly kind: 'paralysed'; readonly name: string; readonly rules: readonly string[] | undefined }
  /** Less of the unchanged reference is seen. */
  | { readonly kind: 'elsewhere'; readonly name: string; readonly rules: readonly string[] | undefined }
  | { readonly kind: 'miniature'; readonly name: MiniatureName };

/** Features or steps other than those of the package. */
export interface Changed {
  /** Folders. */
  readonly features?: string;
  readonly steps?: string;
  /** The one of the changes in those steps that is made. */
  readonly change?: number;
}

export interface Played extends Result {
  readonly job: Job;
  readonly milliseconds: number;
}

/**
 * No mutant may keep the matrix waiting for ever: what is not judged by then is an error, which kills nothing. A whole
 * suite takes some seconds, and a minute on a machine with ten times too much to do.
 */
const MUTANT_MS = 300_000;
/** A row is a finding: all of them are wanted, and no sentence but of what went wrong. */
const SHOWN = { sentences: 'not passed', evidence: 'full' } as const;
const MINIATURE_MS = 1_500;
/** Nothing is skipped on a miniature because something is not known of it. */
const EVERY_FACT = Object.fromEntries(FACTS.map((fact) => [fact, true])) as Readonly<Record<Fact, true>>;
const DOOR_MS = 500;

export async function play(job: Job, changed: Changed = {}, hears: Hears = () => {}): Promise<Played> {
  const started = performance.now();
  const suite = suiteOf(changed);
  switchTo(changed.change);
  const isBaseline = job.kind === 'baseline';
  const result =
    job.kind === 'miniature'
      ? await playMiniature(job.name, hears)
      : job.kind === 'elsewhere'
        ? await playElsewhere(job.name, { rules: job.rules, suite, hears })
        : job.kind === 'paralysed'
          ? await playParalysed(job.name, { rules: job.rules, suite, hears })
          : await playMutant(job, { rules: job.rules, suite, hears, isBaseline });
  const rows = isBaseline ? result.rows : { ...result.rows, all: [] };
  return { job, ...result, rows, milliseconds: Math.round(performance.now() - started) };
}

type Suite = NonNullable<JudgeOptions['suite']>;

const suiteOf = ({ features = featuresFolder, steps }: Changed): Suite =>
  steps === undefined ? { features } : { features, steps: stepsIn(steps) };

const UNCHANGED: Mutant = { name: 'baseline', defect: 'none', killedBy: [], strict: true };

/** What the rules of the policy find fails then. */
const STRICT: Held = { profile: packageProfile('strict'), chosen: 'given', signs: [] };

async function playMutant(
  job: Exclude<Job, { kind: 'miniature' | 'paralysed' | 'elsewhere' }>,
  playing: Playing,
): Promise<Result> {
  const all = await collectMutants();
  const members = job.kind === 'group' ? all.filter(({ name }) => job.members.includes(name)).map(begun) : [];
  const mutant =
    job.kind === 'baseline'
      ? UNCHANGED
      : job.kind === 'group'
        ? together(job.name, members)
        : all.find(({ name }) => name === job.name);
  if (mutant === undefined) throw new Error(`There is no mutant "${job.name}".`);
  return playOn(begun(mutant), { ...playing, tellsGiven: isOfDisk(mutant) || isBroken(mutant) });
}

function playParalysed(name: string, playing: Playing): Promise<Result> {
  const found = VARIANTS.find((paralysed) => paralysed.name === name);
  if (found === undefined) throw new Error(`There is no paralysed variant "${name}".`);
  return playOn(found, found.hold === undefined ? playing : { ...playing, hold: found.hold });
}

/** What is played there beside. */
const EACH: Readonly<Record<string, (seen: Seen) => Promise<Lines>>> = {
  [OF_SOMEBODY]: eachStatusIn,
  [ONLY_READ]: eachKindIn,
};

async function playElsewhere(name: string, playing: Playing): Promise<Result> {
  const { rules, suite } = playing;
  if (name === NEEDS) return { ...NOTHING_SEEN, elsewhere: await needsOf(rules, suite) };
  if (name === UNKNOWN_WORDS)
    return { ...NOTHING_SEEN, elsewhere: await unknownWords(rules, suite, judgedOnReference) };
  // each is played as long as a mutant may be
  const limit = (): AbortSignal => AbortSignal.timeout(MUTANT_MS);
  const judged: Judged = async (target, some) =>
    (await judge({ target, held: STRICT, selection: { rules: some }, suite, signal: limit(), ...SHOWN })).report;
  let last = NOTHING_SEEN;
  const [fares, more]: [Lines[], Lines[]] = [[], []];
  for (const open of openElsewhere(name, limit)) {
    const opened = await open();
    try {
      const report = await judged(opened.target, rules);
      last = await summary(report, opened.redactor, { ...playing, isElsewhere: true });
      fares.push(last.elsewhere ?? {});
      const { [name]: each } = EACH;
      if (each !== undefined) more.push(await each({ opened, report, judged, limit }));
    } finally {
      await opened.close();
    }
  }
  return { ...last, elsewhere: elsewhereIn(name, fares, more) };
}

/** On a reference that nobody else has changed. */
async function judgedOnReference(rules: readonly string[], suite: Suite): Promise<Report['rules']> {
  const signal = AbortSignal.timeout(MUTANT_MS);
  const target = await targetOf(UNCHANGED, true, signal);
  try {
    return (await judge({ target, held: STRICT, selection: { rules }, suite, signal, ...SHOWN })).report.rules;
  } finally {
    await target.close();
  }
}

interface Playing extends Told {
  readonly rules: readonly string[] | undefined;
  readonly suite: Suite;
  readonly hold?: Hold;
}

type Differs = Pick<
  Mutant,
  'options' | 'arrange' | 'gateway' | 'connected' | 'client' | 'strict' | 'disk' | 'beside'
> & {
  readonly killedBy?: readonly string[];
};

/** What differs in a joining client alone, or on the disk alone, is judged without a cluster. */
async function targetOf(
  differs: Differs,
  isBaseline: boolean,
  signal: AbortSignal,
): Promise<HttpTarget | ClientTarget | NodeTarget> {
  const { options = {}, arrange, gateway, connected, client, disk } = differs;
  if (disk !== undefined && isOfDisk(differs)) return openReferenceNode(disk);
  const isOfCluster = [arrange, gateway, connected, disk].some((part) => part !== undefined);
  if (client !== undefined && !isOfCluster && Object.keys(options).length === 0) return openClient(client);
  const open = (beginning: Beginning) =>
    openReference({
      signal,
      reference: { ...beginning, ...options },
      ...(disk === undefined ? {} : { disk }),
      ...(client === undefined ? {} : { client }),
      ...(connected === undefined && gateway === undefined ? {} : { connected: true }),
      ...(arrange === undefined ? {} : { arrange }),
    });
  const isOtherwise = isBaseline || Object.keys(options).some((name) => name !== 'decisions');
  return isOtherwise ? open(withoutImage()) : fromImage(options.decisions, open);
}

/** Judges a reference of these options, held back or as it is. */
async function playOn(mutant: Differs, playing: Playing): Promise<Result> {
  const { rules, suite, hold } = playing;
  const signal = AbortSignal.timeout(MUTANT_MS);
  const endGateway = mutant.gateway === undefined ? undefined : gatewayBefore(mutant.gateway);
  try {
    const target = await targetOf(mutant, playing.isBaseline === true, signal);
    try {
      const { report } = await judge({
        target: hold === undefined ? target : held(target, hold),
        ...(mutant.killedBy?.length === 0 && mutant.strict !== true ? {} : { held: STRICT }),
        selection: { rules },
        suite,
        signal,
        ...SHOWN,
      });
      return await summary(report, target.redactor, playing);
    } finally {
      await target.close();
    }
  } finally {
    // also where the target cannot be started: whoever is played next must not be answered by it
    endGateway?.();
  }
}

/**
 * The guard at the door is left out on purpose: the rules themselves must not pass on a dead thing. That the guard
 * refuses it is seen first.
 */
async function playMiniature(name: MiniatureName, hears: Hears): Promise<Result> {
  const miniature = await startMiniature(name);
  const signal = AbortSignal.timeout(MINIATURE_MS);
  const connection = {
    server: miniature.server,
    name,
    caPem: miniature.caPem,
    insecure: false,
    credential: fixedCredential({}),
  };
  let moved = 0;
  const target = new HttpTarget({
    kind: 'cluster',
    connection,
    signal,
    run: 'miniature',
    disposable: true,
    clock: {
      now: () => Date.now() + moved,
      move: async (milliseconds: number) => {
        signal.throwIfAborted();
        moved += milliseconds;
      },
    },
  });
  target.declare({
    facts: EVERY_FACT,
    lacks: {},
    version: { gitVersion: 'v1.36.0', minor: 36, patch: 0 },
  });
  try {
    const refusal = await refusalAtTheDoor(connection);
    const { report } = await judge({ target, selection: {}, signal, ...SHOWN });
    return { ...(await summary(report, target.redactor, { hears })), ...(refusal === undefined ? {} : { refusal }) };
  } finally {
    await target.close();
    await miniature.close();
  }
}

/** undefined: it is let in, as with a credential that may read nothing (403 everywhere). */
async function refusalAtTheDoor(connection: Parameters<typeof openConnection>[0]): Promise<string | undefined> {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error(`no whole answer came within ${DOOR_MS} ms (a real run waits longer)`)),
    DOOR_MS,
  );
  try {
    const target = await openConnection(connection, { signal: controller.signal });
    await target.close();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    clearTimeout(timer);
  }
}

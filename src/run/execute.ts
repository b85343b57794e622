/** Executes chosen scenarios on a target, serially or side by side, in this process, and returns how each ended. */
import { randomBytes } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Evidence } from '../model/finding.js';
import { error } from '../model/verdict.js';
import { spareKey } from '../pki/keys.js';
import type { Target } from '../targets/types.js';
import { decideBefore, type HeldTo, unplayed } from './applies.js';
import type { Rule, Scenario } from './features.js';
import { endedBy, type Outcome } from './outcome.js';
import { OwnObjects } from './own-objects.js';
import { packageRoot, stepsFolder, supportModule } from './package-root.js';
import { type Part, playAll } from './player.js';
import { DEFAULT_PROFILE, type Profile, packageProfile } from './profiles.js';
import { seededBytes } from './seeded.js';
import { loadSteps, type SupportLibrary } from './support-library.js';
import { traitsOf } from './traits.js';
import { setWorldParameters } from './world.js';

export interface Execution {
  readonly rules: readonly Rule[];
  /** Of those rules, the scenarios to execute, by key. */
  readonly chosen: ReadonlySet<string>;
  readonly target: Target;
  readonly signal: AbortSignal;
  /** Milliseconds of a steady clock. */
  readonly now?: () => number;
  readonly evidence?: Evidence;
  readonly onEnd?: (scenario: Scenario, outcome: Outcome) => void;
  /** What the target is held to; default: the profile kubeadm. */
  readonly profile?: Profile;
  /** Counts what is left out of the judgement. */
  readonly ownObjects?: OwnObjects;
  /** Files of step modules; default: the compiled steps of the package. */
  readonly steps?: readonly string[];
}

/** Compiled steps below a folder, sorted. */
export const stepsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .sort()
    .map((file) => path.join(folder, file));

/**
 * Scenarios in flight that do not wait: enough to hide the latency of a control plane, few enough not to meet its
 * limits.
 */
const WIDTH = 8;

const widthFor = ({ abilities }: Target): number => (abilities.clock === undefined ? WIDTH : 1);

/** The only kind of key in the features that takes longer than a request. */
const SLOW_KEY = 'RSA-2048';

/** Loads the steps without running anything; later runs of the process find them loaded. */
export const prepareSteps = (steps: readonly string[] = packageSteps()): Promise<SupportLibrary> =>
  loadSteps([supportModule, ...steps], packageRoot);

let compiled: readonly string[] | undefined;
/** Looked for once a process. */
const packageSteps = (): readonly string[] => {
  compiled ??= stepsIn(stepsFolder);
  return compiled;
};

/**
 * How every chosen scenario ended, by key. What went wrong in a scenario is its outcome. Throws CannotJudge where the
 * steps cannot be loaded.
 */
export async function execute(execution: Execution): Promise<ReadonlyMap<string, Outcome>> {
  const { target, now = () => performance.now(), onEnd = () => {} } = execution;
  const { profile = packageProfile(DEFAULT_PROFILE) } = execution;
  // What would wait or ask on a target that is gone ends with that one cause.
  const signal = target.gone === undefined ? execution.signal : AbortSignal.any([execution.signal, target.gone]);
  setMaxListeners(0, signal);
  const outcomes = new Map<string, Outcome>();
  const library = signal.aborted ? undefined : await prepareSteps(execution.steps);
  // Who has given up waits neither for steps to be loaded nor for scenarios to be begun.
  if (library === undefined || signal.aborted) {
    for (const key of execution.chosen) outcomes.set(key, unplayed(endedBy(signal.reason)));
    return outcomes;
  }
  const parts: Part[] = [];
  for (const rule of execution.rules) {
    for (const scenario of rule.scenarios.filter(({ key }) => execution.chosen.has(key))) {
      const part = partOf(rule, scenario, library, { target, profile });
      if ('scenario' in part) parts.push(part);
      else {
        outcomes.set(scenario.key, part);
        onEnd(scenario, part);
      }
    }
  }
  // An RSA key is made beside what is played first.
  if (parts.some(({ scenario }) => scenario.steps.some(({ text }) => text.endsWith(SLOW_KEY)))) void spareKey(SLOW_KEY);
  const { evidence = 'examples', ownObjects = new OwnObjects() } = execution;
  const random = target.kind === 'reference' ? seededBytes('scenarios') : randomBytes;
  const sentences = new Set(parts.flatMap(({ scenario }) => scenario.steps.map(({ text }) => text)));
  setWorldParameters({ target, profile, signal, random, evidence, ownObjects, sentences });
  try {
    const width = widthFor(target);
    for (const [key, outcome] of await playAll(parts, { library, signal, width, now, onEnd }))
      outcomes.set(key, outcome);
    return outcomes;
  } finally {
    setWorldParameters(undefined);
  }
}

/**
 * A scenario with what its steps say of it; or why it is not played. A program that joins has its own turns: which of
 * its servers are waited for at a time is nothing that scenarios know. A sentence that nobody wrote is an error, whatever
 * the target lacks.
 */
function partOf(rule: Rule, scenario: Scenario, library: SupportLibrary, held: HeldTo): Part | Outcome {
  const traits = traitsOf(scenario, library);
  if ('problem' in traits) return unplayed(error('joinproof', traits.problem));
  const { needs, waits, acts, exclusive } = traits;
  const joins = needs.includes('client') && held.target.abilities.client?.program !== undefined;
  return decideBefore(rule, scenario, needs, held) ?? { scenario, waits: waits || joins, acts, exclusive };
}

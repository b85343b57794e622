/**
 * Plays scenarios through the definitions that cucumber has loaded. On a target whose clock can be moved one after
 * another; elsewhere side by side, so that the whole takes as long as the longest wait: those that only look first, on
 * a target that nobody has touched yet.
 */
import { error, type NotPassed, skipped, verdictOf } from '../model/verdict.js';
import { breathe } from '../targets/pause.js';
import { Turns } from '../targets/turns.js';
import type { Scenario, Step } from './features.js';
import { endedBy, isPassing, type Outcome } from './outcome.js';
import type { SupportLibrary } from './support-library.js';
import type { World } from './world.js';

/** A scenario with what its steps say of it. */
export interface Part {
  readonly scenario: Scenario;
  /** It changes something, or waits for a change. */
  readonly acts: boolean;
  readonly waits: boolean;
  /** Parts that share a name are never played at the same time. */
  readonly exclusive: readonly string[];
}

export interface PlayOptions {
  readonly library: SupportLibrary;
  readonly signal: AbortSignal;
  /** How many that do not wait are in flight at a time; 1: all one after another. */
  readonly width: number;
  /** Milliseconds of a steady clock. */
  readonly now: () => number;
  readonly onEnd: (scenario: Scenario, outcome: Outcome) => void;
}

/** What met trouble that may be over is played again, and waits so many times longer then. */
const PATIENCE = [2, 4] as const;
/** Where more than so many, and more than half of all, met trouble it is not over. */
const FEW = 24;

/** How every part ended, by key. Never rejects: what went wrong is an outcome. */
export async function playAll(parts: readonly Part[], options: PlayOptions): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const serial = options.width === 1;
  const lanes = new Lanes(options.width);
  const playOne = async (part: Part, patience = 1): Promise<void> => {
    const { scenario } = part;
    const body = (): Promise<Outcome> => play(part, options, patience);
    const outcome = await (serial ? body() : lanes.enter(part, body));
    outcomes.set(scenario.key, outcome);
    if (patience === 1) options.onEnd(scenario, outcome);
  };
  const sideBySide = async (group: readonly Part[]): Promise<void> => {
    await Promise.all(group.map((part) => playOne(part)));
    for (const patience of PATIENCE) {
      const again = group.filter(({ scenario }) => outcomes.get(scenario.key)?.passing === true);
      if (again.length > Math.max(FEW, group.length / 2) || options.signal.aborted) return;
      await Promise.all(again.map((part) => playOne(part, patience)));
    }
  };
  const looking = parts.filter(({ acts }) => !acts);
  const acting = parts.filter(({ acts }) => acts);
  // Waiting ones first where they wait: the longest wait decides when the run ends. Where time is moved they come last.
  const [first, last] = [
    acting.filter(({ waits }) => waits === !serial),
    acting.filter(({ waits }) => waits === serial),
  ];
  if (serial) {
    for (const part of [...looking, ...first, ...last]) await playOne(part);
    return outcomes;
  }
  await sideBySide(looking);
  await sideBySide([...first, ...last]);
  return outcomes;
}

/** Who may play when: one at a time of an exclusive name, `width` at a time of those that do not wait. */
class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #turns: Turns;

  constructor(width: number) {
    this.#turns = new Turns(width);
  }

  async enter<T>({ exclusive, waits }: Part, body: () => Promise<T>): Promise<T> {
    // All names are taken in one synchronous step, so two parts never wait for each other.
    const before = Promise.all(exclusive.map((name) => this.#tails.get(name)));
    const done = before.then(() => (waits ? body() : this.#turns.enter(body)));
    const settled = done.catch(() => undefined);
    for (const name of exclusive) this.#tails.set(name, settled);
    return done;
  }
}

async function play({ scenario, acts }: Part, options: PlayOptions, patience: number): Promise<Outcome> {
  const { library, signal, now } = options;
  const startedAt = now();
  const world = library.newWorld(acts, patience);
  let end: End | undefined;
  let played = 0;
  for (const step of scenario.steps) {
    await breathe();
    played += 1;
    end = await playStep(step, library, world, signal);
    if (end !== undefined || world.findings.some(({ result }) => result !== 'met')) break;
  }
  const ended = end?.ended ?? world.missing;
  const verdict = verdictOf(world.findings, ended, world.more);
  const outcome = { verdict, ended, judged: world.judged, played, milliseconds: now() - startedAt };
  return end?.passing === true ? { ...outcome, passing: true } : outcome;
}

/** What ended a scenario beside its findings. */
interface End {
  readonly ended: NotPassed;
  readonly passing?: boolean;
}

async function playStep(
  step: Step,
  library: SupportLibrary,
  world: World,
  signal: AbortSignal,
): Promise<End | undefined> {
  const found = library.definitionOf(step.text);
  if ('problem' in found) return { ended: error('joinproof', found.problem) };
  try {
    signal.throwIfAborted();
    const { parameters } = await found.definition.getInvocationParameters({ step, world });
    const answer = await found.definition.unwrappedCode.apply(world, [...parameters]);
    if (answer !== undefined)
      return {
        ended: error(
          'joinproof',
          `the step "${step.text}" returned ${JSON.stringify(answer)}; steps judge through the World`,
        ),
      };
  } catch (thrown) {
    return { ended: endedBy(signal.aborted ? signal.reason : thrown), passing: !signal.aborted && isPassing(thrown) };
  }
  return world.nothing === undefined ? undefined : { ended: skipped('nothing', world.nothing) };
}

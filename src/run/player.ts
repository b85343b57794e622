/**
 * Plays scenarios through the definitions that cucumber has loaded. On a target whose clock can be moved one after
 * another; elsewhere side by side, so that the whole takes as long as the longest wait: those that only look first, on
 * a target that nobody has touched yet.
 */
import { error, type NotPassed, skipped, verdictOf } from '../model/verdict.js';
import { breathe } from '../targets/pause.js';
import { Turns } from '../targets/turns.js';
import type { Scenario, Step } from './features.js';
import { endedBy, type Outcome } from './outcome.js';
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

/** How every part ended, by key. Never rejects: what went wrong is an outcome. */
export async function playAll(parts: readonly Part[], options: PlayOptions): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const serial = options.width === 1;
  const lanes = new Lanes(options.width);
  const playOne = async (part: Part): Promise<void> => {
    const { scenario } = part;
    const outcome = await (serial ? play(part, options) : lanes.enter(part, () => play(part, options)));
    outcomes.set(scenario.key, outcome);
    options.onEnd(scenario, outcome);
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
  await Promise.all(looking.map(playOne));
  await Promise.all([...first, ...last].map(playOne));
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

async function play({ scenario, acts }: Part, { library, signal, now }: PlayOptions): Promise<Outcome> {
  const startedAt = now();
  const world = library.newWorld(acts);
  let ended: NotPassed | undefined;
  let played = 0;
  for (const step of scenario.steps) {
    await breathe();
    played += 1;
    ended = await playStep(step, library, world, signal);
    if (ended !== undefined || world.findings.some(({ result }) => result !== 'met')) break;
  }
  const verdict = verdictOf(world.findings, ended, world.more);
  return { verdict, ended, judged: world.judged, played, milliseconds: now() - startedAt };
}

async function playStep(
  step: Step,
  library: SupportLibrary,
  world: World,
  signal: AbortSignal,
): Promise<NotPassed | undefined> {
  const found = library.definitionOf(step.text);
  if ('problem' in found) return error('joinproof', found.problem);
  try {
    signal.throwIfAborted();
    const { parameters } = await found.definition.getInvocationParameters({ step, world });
    const answer = await found.definition.unwrappedCode.apply(world, [...parameters]);
    if (answer !== undefined)
      return error(
        'joinproof',
        `the step "${step.text}" returned ${JSON.stringify(answer)}; steps judge through the World`,
      );
  } catch (thrown) {
    return endedBy(signal.aborted ? signal.reason : thrown);
  }
  return world.nothing === undefined ? undefined : skipped('nothing', world.nothing);
}

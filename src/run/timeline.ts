/**
 * One timeline for all waiting. On a target whose clock cannot be moved scenarios are not played one after another: those that only look
 * go first, on a target that nobody has touched yet; then all others side by side, each with a world of its own, so that the whole takes
 * as long as the longest wait. cucumber, which is serial, later reads the recorded outcomes.
 */
import type { Scenario, Step } from './features.js';
import { conclude, error, type NotPassed, type Outcome, verdictOf } from './outcome.js';
import type { StepDefinition, SupportLibrary } from './support-library.js';

export interface TimelineOptions {
  readonly signal: AbortSignal;
  /** How many scenarios that do not wait are in flight at a time. */
  readonly width: number;
  readonly now: () => number;
  readonly onEnd: (scenario: Scenario, outcome: Outcome) => void;
}

/** Plays the scenarios and returns their outcomes by key. Never rejects: what went wrong is an outcome. */
export async function playSideBySide(
  scenarios: readonly Scenario[],
  library: SupportLibrary,
  options: TimelineOptions,
): Promise<ReadonlyMap<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const lanes = new Lanes(options.width);
  const playOne = async (scenario: Scenario): Promise<void> => {
    const outcome = await lanes.enter(scenario, () => play(scenario, library, options));
    outcomes.set(scenario.key, outcome);
    options.onEnd(scenario, outcome);
  };
  await Promise.all(scenarios.filter(({ acts }) => !acts).map(playOne));
  // Waiting ones first: the longest wait decides when the run ends.
  const acting = scenarios.filter(({ acts }) => acts);
  await Promise.all([...acting.filter(({ waits }) => waits), ...acting.filter(({ waits }) => !waits)].map(playOne));
  return outcomes;
}

/** Who may play when: one at a time of an exclusive name, `width` at a time of those that do not wait. */
class Lanes {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #queue: (() => void)[] = [];
  #free: number;

  constructor(width: number) {
    this.#free = width;
  }

  async enter<T>(scenario: Scenario, body: () => Promise<T>): Promise<T> {
    // All names are taken in one synchronous step, so two scenarios never wait for each other.
    const before = Promise.all(scenario.exclusive.map((name) => this.#tails.get(name)));
    const done = before.then(() => (scenario.waits ? body() : this.#limited(body)));
    const settled = done.catch(() => undefined);
    for (const name of scenario.exclusive) this.#tails.set(name, settled);
    return done;
  }

  async #limited<T>(body: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    try {
      return await body();
    } finally {
      const next = this.#queue.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}

async function play(scenario: Scenario, library: SupportLibrary, { signal, now }: TimelineOptions): Promise<Outcome> {
  const startedAt = now();
  const world = library.newWorld();
  let ended: NotPassed | undefined;
  let at: number | undefined;
  for (const [index, step] of scenario.steps.entries()) {
    ended = await playStep(step, library.steps, world, signal);
    if (ended === undefined) continue;
    at = index;
    break;
  }
  return { verdict: conclude(ended, world.evidence), step: at, milliseconds: now() - startedAt };
}

async function playStep(
  step: Step,
  definitions: readonly StepDefinition[],
  world: ReturnType<SupportLibrary['newWorld']>,
  signal: AbortSignal,
): Promise<NotPassed | undefined> {
  const [definition, ...others] = definitions.filter((candidate) => candidate.matchesStepName(step.text));
  if (definition === undefined) return error(`no step is defined for "${step.text}"`);
  if (others.length > 0) return error(`${others.length + 1} steps are defined for "${step.text}"`);
  try {
    signal.throwIfAborted();
    const { parameters } = await definition.getInvocationParameters({ step, world });
    const answer = await definition.unwrappedCode.apply(world, [...parameters]);
    return answer === undefined
      ? undefined
      : error(`a step returned ${JSON.stringify(answer)}; steps end a scenario only through the World`);
  } catch (thrown) {
    return verdictOf(signal.aborted ? signal.reason : thrown);
  }
}

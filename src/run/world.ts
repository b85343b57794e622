/**
 * What a step body sees as `this`. A step takes observations from the target and names the checks that judge them; it
 * decides nothing.
 *
 * - All findings of a step are collected; the scenario ends after the first step with one that is not met.
 * - On targets whose clock cannot be moved scenarios are played side by side, each with a world of its own. Therefore:
 *   no module-level state in steps, no reliance on another scenario, waiting only through `sleep` and `eventually`.
 */
import { saysNothing } from '../checks/common/answers.js';
import { isForeign } from '../checks/common/foreign-answers.js';
import { record } from '../kubernetes/json.js';
import type { KubeObject } from '../kubernetes/objects.js';
import type { Resource } from '../kubernetes/resources.js';
import type { Check } from '../model/check.js';
import { asControls, type Evidence, type Finding, type More, summed } from '../model/finding.js';
import { error, type NotPassed, type ReasonKind, skipped } from '../model/verdict.js';
import { pause } from '../targets/pause.js';
import type {
  Abilities,
  Ability,
  Asker,
  Exchange,
  Fact,
  Identity,
  Keep,
  ObjectReader,
  ServerVersion,
  Target,
  Writer,
} from '../targets/types.js';
import { examplesOf } from './examples.js';
import { lacksImpersonation } from './impersonation.js';
import { type Judged, requestsSeen } from './judged.js';
import { isPassing } from './outcome.js';
import type { OwnObjects } from './own-objects.js';
import type { Profile } from './profiles.js';
import type { Slot } from './slot.js';

/** Milliseconds in which a request of our own process is under way. */
const UNDER_WAY_MS = 20;

/** Thrown to end a scenario beside its findings; run/outcome.ts turns it into the scenario's verdict. */
export class Ended extends Error {
  /** `passing`: by trouble that another try may not meet. */
  constructor(
    readonly verdict: NotPassed,
    readonly passing = false,
  ) {
    super(verdict.reason.text);
    this.name = 'Ended';
  }
}

export interface WorldParameters {
  readonly target: Target;
  /** What it is held to. */
  readonly profile: Profile;
  readonly random: (bytes: number) => Uint8Array;
  /** Breaks off waiting. */
  readonly signal: AbortSignal;
  /** Keep all that was found, or of thousands of findings some examples; default: examples. */
  readonly evidence?: Evidence;
  /** What is left out of the judgement. */
  readonly ownObjects: OwnObjects;
  /** Texts of all steps that are played. */
  readonly sentences: ReadonlySet<string>;
}

/** What scenarios of one run share, the exchanges that made it, and what was judged by them. */
interface Shared<T> {
  readonly made: Promise<T>;
  readonly exchanges: readonly Exchange[];
  readonly judged: readonly Judged[];
}

/** The run that is under way; set by run/execute.ts (cucumber's worldParameters carry JSON only). */
let current: (WorldParameters & { readonly shared: Map<string, Shared<unknown>> }) | undefined;
export const setWorldParameters = (parameters: WorldParameters | undefined): void => {
  current = parameters === undefined ? undefined : { ...parameters, shared: new Map() };
};

export class World {
  /** The target of the run. */
  readonly main: Target;
  /** What the scenario is about: the run's target, or a variant of it. */
  #target: Target;
  readonly judged: Judged[] = [];
  /** What the scenario could not look at beside what it has judged: it is skipped where all else is met. */
  missing: NotPassed | undefined;
  /** Why nothing was judged, where a check found nothing to look at in the step that is under way. */
  nothing: string | undefined;
  readonly #things = new Map<Slot<unknown>, unknown>();
  readonly #parameters: WorldParameters;
  /** What others have seen before is not what the scenario is about: it changes something, or has to look again. */
  #alone: boolean;
  /** How many times longer it waits than its first try on a quick target does. */
  readonly patience: number;
  /** All of the scenario, in their order. */
  readonly #exchanges: Exchange[] = [];
  /** How many of them belong to what was judged already. */
  #told = 0;
  readonly #shared: Map<string, Shared<unknown>>;

  constructor(options: { readonly parameters: unknown }) {
    if (current === undefined) throw new Error('No target is set: steps run only inside joinproof run.');
    this.#parameters = current;
    const { acts, patience } = record(options.parameters);
    this.#alone = acts === true;
    this.patience = (typeof patience === 'number' ? patience : 1) * (current.target.facts.pace?.() ?? 1);
    this.#shared = current.shared;
    this.main = this.#observe(current.target);
    this.#target = this.main;
  }

  #observe(target: Target): Target {
    return target.observed?.((exchange) => this.#exchanges.push(exchange)) ?? target;
  }

  /** The cluster that the scenario is about. */
  get target(): Target {
    return this.#target;
  }

  /** From here on the scenario is about this variant of the run's target. */
  moveTo(variant: Target): void {
    this.#target = this.#observe(variant);
  }

  /** Ends the scenario as skipped where the cluster lacks it. */
  ability<A extends Ability>(name: A): Abilities[A] {
    const ability = this.target.abilities[name];
    return ability === undefined ? this.skip('ability', this.target.why(name)) : (ability as Abilities[A]);
  }

  get objects(): ObjectReader {
    return this.ability('objects');
  }

  get writes(): Writer {
    return this.ability('writes');
  }

  /**
   * Keeps of a list what is the cluster's. What runs of joinproof have made is not: this one, or another that is under
   * way. It is counted, since a label and a likeness can be made by others, too.
   */
  theirs<T = KubeObject>(resource: Resource, keep: Keep<T> = (item) => item as T): Keep<T> {
    const { run, facts } = this.target;
    const onlooker = { now: facts.now(), run };
    return (item) => (this.#parameters.ownObjects.isForeign(resource, item, onlooker) ? keep(item) : undefined);
  }

  /**
   * What a server that is busy or broken goes on answering says nothing of any rule, and neither does what something
   * before it answers: it ends the scenario as unclear.
   */
  as(identity: Identity): Asker {
    const asker = this.ability('requests').as(identity);
    return {
      identity,
      ask: async (question) => {
        const answer = await asker.ask(question);
        const lacking = identity.kind === 'admin' ? lacksImpersonation(question, answer) : undefined;
        if (lacking !== undefined) return this.skip('ability', lacking);
        const nothing = saysNothing(answer.status);
        const foreign = !nothing && isForeign(question, answer);
        if (!(nothing || foreign) || question.expects?.(answer) === true) return answer;
        const what = `${question.method ?? 'GET'} ${question.path} is answered with ${answer.status}`;
        if (!foreign) return this.trouble(`${what} however often it is asked`);
        return this.unknown(`${what} by something that is no API server: it is not the Status of one, and no object`);
      },
    };
  }

  /** The run's own credential, asking. */
  get admin(): Asker {
    return this.as({ kind: 'admin' });
  }

  /** The cluster as a machine that joins it sees it. */
  get cluster(): {
    readonly server: string;
    readonly clock: { now(): number; sleep(milliseconds: number): Promise<void> };
    as(identity: Identity): Asker;
  } {
    return {
      server: this.target.facts.server,
      clock: { now: () => this.now(), sleep: (milliseconds) => this.sleep(milliseconds) },
      as: (identity) => this.as(identity),
    };
  }

  /** What the target is held to. */
  get profile(): Profile {
    return this.#parameters.profile;
  }

  /** Registers what is to be shown nowhere. */
  secret(value: string): void {
    this.target.abilities.requests?.secret(value);
  }

  /** Does a scenario of this run have the step? What it needs can be read along then. */
  plays(sentence: string): boolean {
    return this.#parameters.sentences.has(sentence);
  }

  holds(fact: Fact): boolean {
    return this.target.facts.holds.has(fact);
  }

  /**
   * Where the target shows no release the scenario ends: as error on a server, which ought to, as skipped elsewhere.
   */
  get version(): ServerVersion {
    const { version } = this.target.facts;
    if (!('unreadable' in version)) return version;
    return this.target.kind === 'dump' ? this.skip('version', version.unreadable) : this.unknown(version.unreadable);
  }

  /** Judges an observation. True where all that was found is met. */
  check<O>(check: Check<O>, observation: O): boolean;
  check<O, P>(check: Check<O, P>, observation: O, parameters: P): boolean;
  check<O, P>(check: Check<O, P>, observation: O, parameters?: P): boolean {
    return this.#judge(check, observation, parameters as P, false);
  }

  /** Judges what the demands of the scenario take for granted: the same findings, as controls. */
  grant<O>(check: Check<O>, observation: O): boolean;
  grant<O, P>(check: Check<O, P>, observation: O, parameters: P): boolean;
  grant<O, P>(check: Check<O, P>, observation: O, parameters?: P): boolean {
    return this.#judge(check, observation, parameters as P, true);
  }

  /** Goes on with what the target has, and says what it lacks. */
  partly(kind: Extract<ReasonKind, 'ability' | 'fact'>, text: string): void {
    this.missing ??= skipped(kind, text);
  }

  #judge<O, P>(check: Check<O, P>, observation: O, parameters: P, taken: boolean): boolean {
    const whole = { observation, parameters, findings: check.judge(observation, parameters) };
    const kept = this.#parameters.evidence === 'full' ? whole : examplesOf(check, whole);
    const findings = taken ? asControls(kept.findings) : kept.findings;
    if (findings.length === 0 && check.nothing !== undefined) this.nothing ??= check.nothing;
    this.#record({ ...kept, check: check.id, taken, findings });
    return findings.every(({ result }) => result === 'met');
  }

  #record(judged: Omit<Judged, 'exchanges'>): void {
    const received = judged.findings.some(({ result }) => result !== 'met');
    const full = this.#parameters.evidence === 'full';
    this.judged.push({
      ...judged,
      exchanges: requestsSeen(this.#exchanges.slice(this.#told), { full, received }),
    });
    this.#told = this.#exchanges.length;
  }

  /** What was found beyond those, counted. */
  get more(): More {
    return summed(this.judged.map(({ more }) => more));
  }

  get findings(): readonly Finding[] {
    return this.judged.flatMap(({ findings }) => findings);
  }

  skip(kind: Extract<ReasonKind, 'ability' | 'fact' | 'nothing' | 'version' | 'profile'>, text: string): never {
    throw new Ended(skipped(kind, text));
  }

  /** joinproof could not find out: verdict error. */
  unknown(text: string): never {
    throw new Ended(error('unclear', text));
  }

  /** The same, where another try may find out: it is played again. */
  trouble(text: string): never {
    throw new Ended(error('unclear', text), true);
  }

  put<T>(place: Slot<T>, thing: T): T {
    this.#things.set(place, thing);
    return thing;
  }

  /** Ends the scenario as error where no earlier step filled the slot: a mistake of the feature. */
  get<T>(place: Slot<T>): T {
    if (!this.#things.has(place))
      throw new Ended(error('joinproof', `no earlier step of this scenario made ${place.name}`));
    return this.#things.get(place) as T;
  }

  has(place: Slot<unknown>): boolean {
    return this.#things.has(place);
  }

  /**
   * Something that scenarios of one run only look at, never change (a token that logs in, a node that has joined): made
   * by the first that asks. Where it cannot be made every one of them ends alike. What it was made by is evidence of
   * everybody who looks at it, and what was judged then holds for each: nothing else of the scenario may go on meanwhile.
   */
  shared<T>(name: string, make: () => Promise<T>): Promise<T> {
    const thing = this.#shareOf(name, make);
    // who asks for several at once, and is refused the next one, awaits none of them
    thing.catch(() => undefined);
    return thing;
  }

  async #shareOf<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(name) as Shared<T> | undefined;
    if (known !== undefined) {
      try {
        return await known.made;
      } finally {
        this.#exchanges.push(...known.exchanges);
        this.judged.push(...known.judged.filter((one) => !this.judged.includes(one)));
      }
    }
    const [before, judgedBefore] = [this.#exchanges.length, this.judged.length];
    const [exchanges, judged]: [Exchange[], Judged[]] = [[], []];
    const made = make();
    this.#shared.set(name, { made, exchanges, judged });
    try {
      return await made;
    } catch (thrown) {
      // who is played again makes it anew
      if (isPassing(thrown)) this.#shared.delete(name);
      throw thrown;
    } finally {
      exchanges.push(...new Set(this.#exchanges.slice(before)));
      judged.push(...this.judged.slice(judgedBefore));
    }
  }

  /**
   * What is at rest: scenarios that only look are played before anything is changed, and see the same, which is read
   * once a run. A scenario that acts looks for itself.
   */
  atRest<T>(name: string, look: () => Promise<T>): Promise<T> {
    return this.#alone ? look() : this.shared(`at rest: ${name}`, look);
  }

  /** From here on the scenario looks for itself: what it saw may have changed while others looked. */
  lookAfresh(): void {
    this.#alone = true;
  }

  /** The time of the cluster, milliseconds since the epoch. */
  now(): number {
    return this.target.facts.now();
  }

  /** Milliseconds: moved where the clock can be, else waited for. */
  sleep(milliseconds: number): Promise<void> {
    const { clock } = this.target.abilities;
    return clock === undefined ? pause(milliseconds, this.#parameters.signal) : clock.move(milliseconds);
  }

  /** What lasts so many milliseconds of the target's time: where that can be moved it is, once the work is under way. */
  async lasting<T>(milliseconds: number, work: Promise<T>): Promise<T> {
    const { clock } = this.target.abilities;
    if (clock === undefined) return work;
    const passed = pause(UNDER_WAY_MS, this.#parameters.signal).then(() => clock.move(milliseconds));
    const [done] = await Promise.all([work, passed]);
    return done;
  }

  /** Milliseconds as they are meant for a quick target, by the measure of this one and of this try. */
  patiently(milliseconds: number): number {
    return milliseconds * this.patience;
  }

  /**
   * Asks again until `look` gives something other than undefined or the time is over; undefined then. `within`:
   * milliseconds on a quick target.
   */
  async eventually<T>(within: number, look: () => Promise<T | undefined>, every = 100): Promise<T | undefined> {
    const end = this.now() + this.patiently(within);
    // A clock that is moved brings everything to rest at each step: more steps would see the same.
    const step = this.target.abilities.clock === undefined ? every : Math.max(every, within / 6);
    for (;;) {
      const seen = await look();
      if (seen !== undefined || this.now() >= end) return seen;
      await this.sleep(Math.min(step, Math.max(1, end - this.now())));
    }
  }

  /** `length` characters of [a-z0-9], for token ids, secrets and object names. Names made of it start with "jp". */
  random(length: number): string {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
    let text = '';
    while (text.length < length)
      for (const byte of this.#parameters.random(length))
        if (byte < 252 && text.length < length) text += alphabet[byte % 36];
    return text;
  }
}

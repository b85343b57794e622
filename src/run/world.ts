/**
 * What a step body sees as `this`. Steps judge by handing verdicts here; nothing else ends a scenario.
 *
 * - A failed positive control (the twin of a refusal) is an error, never a failure: use `control`.
 * - A scenario that waits is tagged @waits. On targets whose clock cannot be moved run/timeline.ts plays all such scenarios side by side
 *   at the start of the run, each with a world of its own, and cucumber reads the recorded outcomes later. Therefore: no module-level
 *   state in steps, no reliance on another scenario, waiting only through `sleep` and `eventually`.
 * - A scenario that changes what others look at (cluster-info, a shared binding) is tagged @exclusive:<what>; those of one name
 *   are played one after another.
 */
import { World as CucumberWorld } from '@cucumber/cucumber';
import type { Evidence, ExchangeSeen, Verdict } from '../model/verdict.js';
import type { Capability, Client, Exchange, Identity, Target } from '../targets/types.js';

/** Thrown to end a scenario; run/outcome.ts turns it into the scenario's verdict. */
export class Ended extends Error {
  constructor(readonly verdict: Exclude<Verdict, { kind: 'passed' }>) {
    super(verdict.reason);
    this.name = 'Ended';
  }
}

export interface WorldParameters {
  readonly target: Target;
  readonly random: (bytes: number) => Uint8Array;
}

/** What scenarios of one run share, and the exchanges that made it. */
interface Shared<T> {
  readonly made: Promise<T>;
  readonly exchanges: readonly Exchange[];
}

/** The target of the run that is under way; set by run/execute.ts (cucumber's worldParameters carry JSON only). */
let current: (WorldParameters & { readonly shared: Map<string, Shared<unknown>> }) | undefined;
export const setWorldParameters = (parameters: WorldParameters | undefined): void => {
  current = parameters === undefined ? undefined : { ...parameters, shared: new Map() };
};

/** Characters of a body that a report holds. */
const BODY = 2_000;

/** Bodies are redacted when they are read, so only those that are wanted are. */
function seenIn(exchange: Exchange, bodies: boolean): ExchangeSeen {
  const line = { as: exchange.as, request: `${exchange.method} ${exchange.path}`, status: exchange.status ?? null };
  if (!bodies) return line;
  const cut = (text: string): string => (text.length > BODY ? `${text.slice(0, BODY)}… (cut)` : text);
  const { requestBody, responseBody, error } = exchange;
  const received = responseBody ?? error;
  return {
    ...line,
    ...(requestBody === undefined ? {} : { sent: cut(requestBody) }),
    ...(received === undefined ? {} : { received: cut(received) }),
  };
}

export class World extends CucumberWorld {
  readonly target: Target;
  readonly evidence: Evidence[] = [];
  /** Things of this scenario by name: what a Given made and a Then looks at. Typed access through `keep` and `kept`. */
  readonly #things = new Map<string, unknown>();
  readonly #random: (bytes: number) => Uint8Array;
  /** Since the last observation. */
  #exchanges: Exchange[] = [];
  readonly #shared: Map<string, Shared<unknown>>;

  constructor(options: ConstructorParameters<typeof CucumberWorld>[0]) {
    super(options);
    if (current === undefined) throw new Error('No target is set: steps run only inside joinproof run.');
    this.target = this.observe(current.target);
    this.#random = current.random;
    this.#shared = current.shared;
  }

  /** A target whose exchanges become evidence of this scenario: every twin is to be looked at through this. */
  observe(target: Target): Target {
    return target.observed?.((exchange) => this.#exchanges.push(exchange)) ?? target;
  }

  as(identity: Identity): Client {
    return this.target.as(identity);
  }

  /** Ends the scenario as skipped where the target lacks a capability (the tag @needs:<capability> does the same before any step). */
  need(capability: Capability): void {
    if (!this.target.capabilities.has(capability)) this.skip(this.target.why(capability));
  }

  /** Records one observation; ends the scenario as failed where it is not ok. */
  expect(evidence: Evidence): void {
    this.#record(evidence);
    if (!evidence.ok)
      throw new Ended({
        kind: 'failed',
        reason: `${evidence.object}: ${evidence.demanded}; seen: ${evidence.seen}`,
        evidence: [],
      });
  }

  /** Records the observation of a positive control; ends the scenario as error where it is not ok. */
  control(evidence: Evidence): void {
    this.#record({ ...evidence, note: evidence.note ?? 'positive control' });
    if (!evidence.ok)
      this.unknown(`positive control: ${evidence.object}: ${evidence.demanded}; seen: ${evidence.seen}`);
  }

  /** Takes over a check's verdict: its evidence is kept, and anything but passed ends the scenario. */
  judge(verdict: Verdict): void {
    const evidence = verdict.evidence.map((item) => this.#record(item));
    if (verdict.kind !== 'passed') throw new Ended({ ...verdict, evidence });
  }

  #record(evidence: Evidence): Evidence {
    const exchanges = this.#exchanges.map((exchange) => seenIn(exchange, !evidence.ok));
    this.#exchanges = [];
    const whole = exchanges.length === 0 ? evidence : { ...evidence, exchanges };
    this.evidence.push(whole);
    return whole;
  }

  skip(reason: string): never {
    throw new Ended({ kind: 'skipped', reason, evidence: [] });
  }

  /** joinproof could not find out: verdict error. */
  unknown(reason: string): never {
    throw new Ended({ kind: 'error', reason, evidence: [] });
  }

  keep<T>(name: string, value: T): T {
    this.#things.set(name, value);
    return value;
  }

  /** Throws where no earlier step of the scenario kept it: a mistake of the feature, verdict error. */
  kept<T>(name: string): T {
    if (!this.#things.has(name)) this.unknown(`no earlier step of this scenario made "${name}"`);
    return this.#things.get(name) as T;
  }

  has(name: string): boolean {
    return this.#things.has(name);
  }

  /**
   * Something that scenarios of one run only look at, never change (a token that logs in, a node that has joined): made by the first that
   * asks. Where it cannot be made every one of them ends alike.
   */
  async shared<T>(name: string, make: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(name) as Shared<T> | undefined;
    if (known !== undefined) {
      const value = await known.made;
      // what it was made by is evidence of everybody who looks at it
      this.#exchanges.push(...known.exchanges);
      return value;
    }
    const before = this.#exchanges.length;
    const exchanges: Exchange[] = [];
    const made = make();
    this.#shared.set(name, { made, exchanges });
    try {
      return await made;
    } finally {
      exchanges.push(...this.#exchanges.slice(before));
    }
  }

  sleep(milliseconds: number): Promise<void> {
    return this.target.clock.sleep(milliseconds);
  }

  /** Asks again until `look` gives something other than undefined or the time is over; undefined then. Milliseconds. */
  async eventually<T>(
    within: number,
    look: () => Promise<T | undefined>,
    every = 500,
    clock = this.target.clock,
  ): Promise<T | undefined> {
    const end = clock.now() + within;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (clock.now() >= end) return undefined;
      await clock.sleep(Math.min(every, Math.max(1, end - clock.now())));
    }
  }

  /** `length` characters of [a-z0-9], for token ids, secrets and object names. Names made of it start with "jp". */
  random(length: number): string {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';
    let text = '';
    while (text.length < length)
      for (const byte of this.#random(length)) if (byte < 252 && text.length < length) text += alphabet[byte % 36];
    return text;
  }
}

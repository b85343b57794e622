/**
 * A run on the bundled reference in several threads: the chapters share nothing but the reference, which each thread
 * has of its own, and nearly all of the time is spent computing. A cluster is asked by one thread: there the waiting
 * counts.
 */
import { availableParallelism } from 'node:os';
import { resourceLimits, Worker } from 'node:worker_threads';
import type { Evidence } from '../model/finding.js';
import { error } from '../model/verdict.js';
import type { Learned } from '../targets/redaction.js';
import { unplayed } from './applies.js';
import type { Scenario } from './features.js';
import type { Outcome } from './outcome.js';
import type { Parameters, Profile } from './profiles.js';
import type { Selected } from './select.js';

/**
 * Chapters that take about as long as each other, together, and as all that are in none: those are for the thread that
 * opens the run. They are fixed, so that two reports of one machine are alike.
 */
const [SECOND, ...FURTHER] = [
  ['authenticators', 'bootstrap-tokens', 'discovery', 'node-files', 'policy'],
  ['joining'],
  ['kubelet-certificates', 'preflight'],
] as const satisfies readonly (readonly string[])[];
/** Scenarios below which a thread takes more time than it spares. */
const FEW = 100;
/** Milliseconds in which a thread that was told to stop says what it has. */
const LAST_WORDS_MS = 1_000;

/** What the thread is started with. */
export interface Share {
  /** Keys of its scenarios. */
  readonly chosen: readonly string[];
  readonly given: Profile | undefined;
  readonly parameters: Partial<Parameters> | undefined;
  readonly evidence: Evidence | undefined;
}

/** What the thread says. */
export type Told =
  | { readonly ended: string }
  | { readonly outcomes: readonly (readonly [string, Outcome])[]; readonly learned: Learned };

/** What is told to the thread: why it shall stop. */
export interface Stop {
  readonly stop: string;
}

interface Result {
  readonly outcomes: ReadonlyMap<string, Outcome>;
  /** Secrets that it came to know. */
  readonly learned?: Learned;
}

/** What the other threads may play, the most threads first. */
const divisions = (processors: number): readonly (readonly (readonly string[])[])[] => {
  const half = [FURTHER.flat()];
  if (processors >= 4) return [[SECOND, ...FURTHER], half];
  return processors < 2 ? [] : [half];
};

export class RunThread {
  /** Keys of the scenarios that it plays. */
  readonly plays: ReadonlySet<string>;
  readonly #worker: Worker;
  readonly #result: Promise<Result>;
  #onEnd: (key: string) => void = () => {};
  /** It has played something, so that it has last words. */
  #hasBegun = false;

  /** Those beside the one that asks; none where the run is too small for two, or the machine has one processor. */
  static of(
    { rules, chosen }: Selected,
    share: Omit<Share, 'chosen'>,
    processors = availableParallelism(),
  ): readonly RunThread[] {
    const keysOf = (chapters: readonly string[]): readonly string[] =>
      rules
        .filter(({ chapter }) => chapters.includes(chapter))
        .flatMap(({ scenarios }) => scenarios.map(({ key }) => key))
        .filter((key) => chosen.has(key));
    for (const division of divisions(processors)) {
      const parts = division.map(keysOf);
      const rest = chosen.size - parts.flat().length;
      if (Math.min(rest, ...parts.map((keys) => keys.length)) >= FEW)
        return parts.map((keys) => new RunThread({ ...share, chosen: keys }));
    }
    return [];
  }

  private constructor(share: Share) {
    this.plays = new Set(share.chosen);
    this.#worker = new Worker(new URL('./run-thread-worker.js', import.meta.url), {
      workerData: share,
      resourceLimits,
    });
    this.#result = new Promise((resolve) => {
      const end = (why: string): void => resolve({ outcomes: this.#without(why) });
      this.#worker.on('message', (told: Told) => {
        if ('ended' in told) {
          this.#hasBegun = true;
          this.#onEnd(told.ended);
        } else resolve({ outcomes: new Map(told.outcomes), learned: told.learned });
      });
      this.#worker.on('error', ({ message }) => end(`the thread that was to play it failed: ${message}`));
      this.#worker.on('exit', () => end('the thread that was to play it ended before it had'));
    });
  }

  /** How each of its scenarios ended. Never rejects: what it cannot say is an error of that scenario. */
  async outcomes(signal: AbortSignal, onEnd: (scenario: Pick<Scenario, 'key'>) => void): Promise<Result> {
    this.#onEnd = (key) => onEnd({ key });
    let timer: NodeJS.Timeout | undefined;
    let stop = (): void => {};
    const broken = new Promise<Result>((resolve) => {
      stop = () => {
        const why = signal.reason instanceof Error ? signal.reason.message : String(signal.reason);
        this.#worker.postMessage({ stop: why } satisfies Stop);
        const lastWords = this.#hasBegun ? LAST_WORDS_MS : 0;
        timer = setTimeout(() => resolve({ outcomes: this.#without(why) }), lastWords);
      };
    });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    try {
      return await Promise.race([this.#result, broken]);
    } finally {
      signal.removeEventListener('abort', stop);
      clearTimeout(timer);
      await this.end();
    }
  }

  /** It is not needed, or not any more. */
  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #without(why: string): ReadonlyMap<string, Outcome> {
    return new Map([...this.plays].map((key) => [key, unplayed(error('joinproof', why))]));
  }
}

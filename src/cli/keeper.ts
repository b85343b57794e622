/**
 * Runs a command in a thread and keeps watch over it: signals and time limits are heard here whatever the command's own
 * event loop is busy with (a long judgement, a large manifest). A command that does not stop in time is broken off.
 */
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { cut, visible } from '../model/foreign.js';
import { isGivenUp } from './given-up.js';

/** What the keeper tells the command. */
export type Order = { readonly signal: NodeJS.Signals } | { readonly ping: true };

/** What the command tells the keeper. */
export type Word =
  /** It has heard an order: its event loop turns. */
  | { readonly alive: true }
  /** Milliseconds after which it is over. */
  | { readonly deadline: number }
  /** It makes things that have to be removed again, so it ends when that is done. */
  | { readonly holds: true }
  /** It is about to write its reports: it ends when they are written. */
  | { readonly writes: true }
  | { readonly code: number };

/** What the thread has to know of the terminal. */
export interface Terminal {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

const PING_MS = 500;
/** A thread inside a system call that does not return (a FIFO that nobody reads) cannot be ended. */
const THREAD_MS = 1_000;
/** JSON may be nested ten thousand deep, and is walked by functions that call themselves. */
const STACK_MB = 32;
/** What has just been made and mostly is not needed any more: items of lists. Node's default is three times as much. */
const YOUNG_MB = 16;
/**
 * Percent by which the memory may grow beyond what is needed before V8 looks: a run on the reference is a fifth dearer
 * where it is 100. Where much is kept it is less (targets/kept-lists.ts).
 */
const GROWTH = 300;
/**
 * Bytes of bytecode that a function runs before V8 optimizes it. A run is over in seconds: with V8's own 132 KB a tenth
 * of its time goes into functions that are hardly called again.
 */
const BUDGET = 600_000;
/** V8 12 and later count how often a function is called instead, and say on standard error that they know no such flag. */
const COUNTS_BYTECODE = Number.parseFloat(process.versions.v8) < 12;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Only who reads standard input may take it away from a credential plugin. */
export const readsStandardInput = (args: readonly string[]): boolean =>
  args.some((arg) => arg === '-' || arg === '--manifests=-');

/** Runs the command line in a thread and ends the process with its exit code; with 3 where it had to be broken off. */
export function keep(args: readonly string[]): void {
  const terminal: Terminal = {
    stdin: process.stdin.isTTY === true,
    stdout: process.stdout.isTTY === true,
    stderr: process.stderr.isTTY === true,
  };
  const reads = readsStandardInput(args);
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  if (COUNTS_BYTECODE) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
  const worker = new Worker(new URL('./kept.js', import.meta.url), {
    argv: [...args],
    workerData: terminal,
    stdin: reads,
    stdout: true,
    stderr: true,
    resourceLimits: { stackSizeMb: STACK_MB, maxYoungGenerationSizeMb: YOUNG_MB },
  });
  if (worker.stdin !== null) process.stdin.pipe(worker.stdin);
  new Keeper(worker);
}

class Keeper {
  readonly #worker: Worker;
  #code: number | undefined;
  /** Something of what the command wrote was not written: whatever it says, that is no success. */
  #isLost = false;
  #holds = false;
  #writes = false;
  #signals = 0;
  /** Milliseconds of a steady clock: when it was told to stop, and when it was last heard. */
  #told: number | undefined;
  #heard = 0;
  #ending = false;

  constructor(worker: Worker) {
    this.#worker = worker;
    const ends = [
      new Promise((resolve) => worker.once('exit', resolve)),
      this.#passOn(worker.stdout, process.stdout),
      this.#passOn(worker.stderr, process.stderr),
    ];
    for (const name of SIGNALS) process.on(name, () => this.#signal(name));
    worker.on('message', (word: Word) => this.#hear(word));
    worker.on('error', (error) => {
      const full = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#say(full ? 'the memory of this process was used up.' : `joinproof itself failed: ${error.message}`);
      this.#code = 3;
    });
    // Whatever ends without saying how has not ended well.
    void Promise.all(ends).then(() => process.exit(this.#isLost ? 3 : (this.#code ?? 3)));
  }

  /** Resolves when all that the thread wrote is written. */
  #passOn(from: NodeJS.ReadableStream, to: NodeJS.WriteStream): Promise<void> {
    // A reader that has seen enough (head, less) is no failure of ours.
    to.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') this.#lost(error);
    });
    from.on('data', (chunk: Buffer) => to.write(chunk));
    return new Promise((resolve) => {
      from.once('end', () => (to.destroyed || to.writableLength === 0 ? resolve() : to.write('', () => resolve())));
    });
  }

  #hear(word: Word): void {
    this.#heard = performance.now();
    if ('deadline' in word) setTimeout(() => this.#stop('out of time (--timeout)'), word.deadline).unref();
    if ('holds' in word) this.#holds = true;
    if ('writes' in word) this.#writes = true;
    if ('code' in word) this.#code = word.code;
  }

  #signal(name: NodeJS.Signals): void {
    this.#signals += 1;
    this.#order({ signal: name });
    if (this.#signals === 1) this.#stop(`interrupted (${name})`);
    // The second breaks the clean-up off: a moment for the thread to say what is left, no more.
    else setTimeout(() => this.#breakOff(`interrupted (${name}) again`), THREAD_MS).unref();
  }

  /** Told to stop, or out of time: from now on it has to show that it is alive, or to be over. */
  #stop(why: string): void {
    if (this.#told !== undefined) return;
    this.#told = performance.now();
    this.#heard = this.#told;
    setInterval(() => {
      this.#order({ ping: true });
      const now = performance.now();
      const [still, since] = [now - this.#heard, now - (this.#told ?? now)];
      const busy = this.#holds || this.#writes;
      if (isGivenUp({ busy, signalled: this.#signals > 0, still, since })) this.#breakOff(why);
    }, PING_MS).unref();
  }

  #order(order: Order): void {
    this.#worker.postMessage(order);
  }

  #breakOff(why: string): void {
    if (this.#ending || this.#code !== undefined) return;
    this.#ending = true;
    const left = this.#holds ? ' What it had made may be left; "joinproof sweep --all" removes it.' : '';
    this.#say(`${why}: the command did not come to an end and was broken off; nothing is reported.${left}`);
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), THREAD_MS).unref();
    void this.#worker.terminate();
  }

  #lost({ message }: Error): void {
    if (!this.#isLost) this.#say(`standard output or standard error could not be written: ${message}.`);
    this.#isLost = true;
  }

  #say(text: string): void {
    process.stderr.write(`joinproof: ${visible(cut(text))}\n`);
  }
}

/** Plays jobs in a few processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Job, Played } from './job.js';

interface Message<P> {
  readonly played?: P;
  readonly failure?: string;
  /** The process takes no more. */
  readonly full?: boolean;
}

/** How many processes play where nobody says it. */
export const usualWorkers = (): number => Math.min(4, availableParallelism());

export interface Failure<J = Job> {
  readonly job: J;
  readonly failure: string;
}

/** A module that takes jobs as messages and answers each with what was played, or with why not. */
const MATRIX = new URL('./worker.js', import.meta.url);

/**
 * A worker makes and drops some hundreds of clusters: room for a whole one before the young ones are sorted spares a
 * tenth of the time.
 */
const ROOMY = ['--max-semi-space-size=64'];

/** Milliseconds after which a process that says nothing is ended: whoever waits for nobody is a failure, not a wait. */
const PATIENCE_MS = 1_200_000;

/** Plays every job; `onEnd` after each. A job that ends its process is a failure, and the others go on. */
export async function playAll<J extends object = Job, P extends object = Played>(
  jobs: readonly J[],
  processes: number,
  onEnd: (done: number) => void,
  worker = MATRIX,
): Promise<readonly (P | Failure<J>)[]> {
  const queue = [...jobs];
  const results: (P | Failure<J>)[] = [];
  const lane = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      child ??= fork(fileURLToPath(worker), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        execArgv: ROOMY,
      });
      const result = await playIn<J, P>(child, job);
      if (!child.connected) child = undefined;
      results.push(result);
      onEnd(results.length);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(processes, jobs.length) }, lane));
  return results;
}

const playIn = <J extends object, P extends object>(child: ChildProcess, job: J): Promise<P | Failure<J>> =>
  new Promise((resolve) => {
    const ended = (code: number | null): void =>
      settle({ job, failure: `its process ended with ${code ?? 'a signal'}` });
    const heard = (message: Message<P>): void => {
      if (message.full === true) child.disconnect();
      settle(message.played ?? { job, failure: message.failure ?? 'no answer' });
    };
    const limit = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
    const settle = (result: P | Failure<J>): void => {
      clearTimeout(limit);
      child.off('exit', ended).off('message', heard);
      resolve(result);
    };
    child.on('exit', ended).on('message', heard);
    child.send(job);
  });

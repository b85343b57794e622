/** Plays jobs in a few processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Job, Played } from './job.js';

interface Message {
  readonly played?: Played;
  readonly failure?: string;
}

export interface Failure {
  readonly job: Job;
  readonly failure: string;
}

/**
 * A worker makes and drops some hundreds of clusters: room for a whole one before the young ones are sorted spares a
 * tenth of the time.
 */
const ROOMY = ['--max-semi-space-size=64'];

/** Plays every job; `onEnd` after each. A job that ends its process is a failure, and the others go on. */
export async function playAll(
  jobs: readonly Job[],
  processes: number,
  onEnd: (done: number) => void,
): Promise<readonly (Played | Failure)[]> {
  const queue = [...jobs];
  const results: (Played | Failure)[] = [];
  const lane = async (): Promise<void> => {
    let child: ChildProcess | undefined;
    for (let job = queue.shift(); job !== undefined; job = queue.shift()) {
      child ??= fork(fileURLToPath(new URL('./worker.js', import.meta.url)), {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        execArgv: ROOMY,
      });
      const result = await playIn(child, job);
      if ('failure' in result && child.exitCode !== null) child = undefined;
      results.push(result);
      onEnd(results.length);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(processes, jobs.length) }, lane));
  return results;
}

const playIn = (child: ChildProcess, job: Job): Promise<Played | Failure> =>
  new Promise((resolve) => {
    const ended = (code: number | null): void =>
      settle({ job, failure: `its process ended with ${code ?? 'a signal'}` });
    const heard = (message: Message): void =>
      settle(message.played ?? { job, failure: message.failure ?? 'no answer' });
    const settle = (result: Played | Failure): void => {
      child.off('exit', ended).off('message', heard);
      resolve(result);
    };
    child.on('exit', ended).on('message', heard);
    child.send(job);
  });

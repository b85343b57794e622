/**
 * The processes of one control plane. They live in process groups of their own, so that Ctrl-C reaches joinproof first;
 * a watchdog (a shell that reads from a pipe of ours) ends them and removes the folder at once where joinproof itself
 * is killed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigurationError } from '../errors.js';
import { MARK } from '../marked-processes.js';
import { record, removeRecorded } from './process-record.js';

/**
 * Reads pids until the pipe closes. "done" as the last line: joinproof has cleaned up itself. Arguments: $1 the folder.
 */
const WATCHDOG = `
pids=
while read -r line; do
  case "$line" in done) exit 0 ;; *) pids="$pids $line" ;; esac
done
for pid in $pids; do
  if [ -r "/proc/$pid/cmdline" ]; then grep -F -q -- "$1" "/proc/$pid/cmdline" && kill -KILL "$pid"
  else ps -p "$pid" -o args= 2>/dev/null | grep -F -q -- "$1" && kill -KILL "$pid"; fi
done
sleep 0.2
rm -rf -- "$1"
`;
const LOG_TAIL = 64 * 1024;
const END_MS = 5_000;

export interface Running {
  readonly program: string;
  readonly child: ChildProcess;
  /** Resolves when it ends. */
  readonly ended: Promise<string>;
  readonly log: string;
}

export class Processes {
  readonly folder: string;
  readonly #running: Running[] = [];
  readonly #watchdog: ChildProcess;
  #closed: Promise<void> | undefined;

  constructor(folder: string) {
    this.folder = folder;
    record(folder, []);
    this.#watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'joinproof-watchdog', folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    });
    this.#watchdog.on('error', () => undefined);
    this.#watchdog.stdin?.on('error', () => undefined);
    this.#watchdog.unref();
  }

  /**
   * Every argument list must name the folder somewhere: that is how leftovers are told from strangers. The environment
   * names it, too, for one that is not written down yet.
   */
  async start(program: string, file: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> {
    const log = join(this.folder, `${program}.log`);
    const out = openSync(log, 'a', 0o600);
    let child: ChildProcess;
    try {
      child = spawn(file, args, {
        detached: true,
        stdio: ['ignore', out, out],
        cwd: this.folder,
        env: { ...env, [MARK]: `${this.folder}/` },
      });
    } finally {
      closeSync(out);
    }
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) =>
        resolve(`could not be started (${'code' in error ? String(error.code) : error.message})`),
      );
      child.once('exit', (code, signal) =>
        resolve(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`),
      );
    });
    const running: Running = { program, child, ended, log };
    this.#running.push(running);
    if (child.pid !== undefined) this.watch(child.pid);
    record(
      this.folder,
      this.#running.map(({ child: { pid } }) => pid).filter((pid) => pid !== undefined),
    );
    return running;
  }

  /** The watchdog ends it where joinproof is killed, provided that its command line names the folder. */
  watch(pid: number): void {
    this.#watchdog.stdin?.write(`${pid}\n`);
  }

  /** Kills everything, waits for it, and removes the folder. Idempotent. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    // Nothing of them is kept, so nothing needs to be shut down in order.
    for (const { child } of this.#running)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, END_MS);
    });
    await Promise.race([Promise.all(this.#running.map(({ ended }) => ended)), limit]);
    clearTimeout(timer);
    await removeRecorded(this.folder);
    this.#watchdog.stdin?.end('done\n');
  }
}

/** The last lines of a log that say what went wrong, for the end of a sentence. */
export async function lastWords(log: string): Promise<string> {
  const handle = await open(log, 'r').catch(() => undefined);
  if (handle === undefined) return 'it wrote no log';
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, LOG_TAIL);
    const { buffer } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const lines = buffer
      .toString('utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
    const telling = lines.filter((line) => /^[EF]\d{4} |^Error: |"level":"(error|fatal|panic)"|^panic: /.test(line));
    const chosen = (telling.length > 0 ? telling : lines)
      .slice(-3)
      .map((line) => (line.length > 300 ? `${line.slice(0, 300)}…` : line));
    return chosen.length === 0 ? 'its log is empty' : chosen.join(' | ');
  } finally {
    await handle.close();
  }
}

/** What a program that ended too early means for the user. */
export const endedEarly = async (running: Running, how: string): Promise<ConfigurationError> =>
  new ConfigurationError(`${running.program} ${how} before it was ready: ${await lastWords(running.log)}`);

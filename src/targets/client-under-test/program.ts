/** A program that is started, watched and ended: in a process group of its own, with a limit and bounded output. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { visible } from '../../model/foreign.js';
import { endWithin, MARK } from '../marked-processes.js';
import { givenIn, StartedPrograms } from './started-programs.js';

/** Bytes of each output that are kept, the last ones; and milliseconds that outputs may be late. */
const KEPT = 64 * 1024;
const LATE_MS = 200;
/** Milliseconds between two looks at what it has started. */
const LOOK_MS = 50;

/** What root leaves to groups: who joins a machine is that, whoever looks here. No thread but the first may set it itself. */
const AS_ROOT = 'umask 022; exec "$@"';

export interface Program {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  readonly folder: string;
  /** Milliseconds. */
  readonly limit: number;
  readonly signal: AbortSignal;
  /** Of everything that it starts. */
  readonly mark: string;
  /** What it was told, and is to give to nobody; left out: nobody looks at what it starts. */
  readonly secrets?: readonly string[];
}

export interface Ended {
  /** undefined: it had to be ended. */
  readonly exit: number | undefined;
  /** Lines, those of standard error last. */
  readonly said: readonly string[];
  /** What it ended with; '' where it ended well. */
  readonly message: string;
  readonly milliseconds: number;
  /** Names of programs that it started with a secret among their arguments; left out: none was seen. */
  readonly given?: readonly string[];
}

/** The last bytes of what a stream gives. */
class Tail {
  #text = '';

  constructor(stream: Readable | null) {
    stream?.on('data', (chunk: Buffer) => {
      this.#text = (this.#text + chunk.toString('latin1')).slice(-KEPT);
    });
    stream?.on('error', () => {});
  }

  get text(): string {
    return Buffer.from(this.#text, 'latin1').toString('utf8');
  }
}

/** Resolves when it has ended or was ended, with everything that it has started. Rejects as the signal says. */
export async function runProgram(program: Program): Promise<Ended> {
  const { command, environment, folder, limit, signal, mark, secrets } = program;
  signal.throwIfAborted();
  const begun = performance.now();
  const child = spawn('/bin/sh', ['-c', AS_ROOT, 'sh', ...command], {
    cwd: folder,
    env: { ...environment, [MARK]: mark },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = [new Tail(child.stdout), new Tail(child.stderr)];
  let ended = false;
  const stop = (): void => {
    ended = true;
    endGroup(child);
  };
  const timer = setTimeout(stop, limit);
  const started = new StartedPrograms();
  const looking = secrets && setInterval(() => started.look(child.pid ?? 0), LOOK_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const code = await exitOf(child);
    const milliseconds = performance.now() - begun;
    endAll(child, mark);
    await closed(child);
    signal.throwIfAborted();
    const exit = ended ? undefined : code;
    const said = [out, err].flatMap(({ text }) => text.split('\n').map(visible));
    const given = givenIn(started.seen, command, secrets ?? []);
    const message = exit === 0 ? '' : lastWords(err.text || out.text);
    return { exit, said, message, milliseconds, ...(given.length === 0 ? {} : { given }) };
  } finally {
    clearTimeout(timer);
    clearInterval(looking);
    signal.removeEventListener('abort', stop);
  }
}

/** Its exit code, or 128 and the number of the signal that ended it is said as 128. */
const exitOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 128));
  });

/** What it has started may hold its outputs open. */
function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve();
    }, LATE_MS);
    child.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // none of it is left
  }
}

/** Its group, and whoever has left it. */
function endAll(child: ChildProcess, mark: string): void {
  endGroup(child);
  endWithin(mark);
}

/** From the last line that begins with "error:" on, or the last lines. */
function lastWords(text: string): string {
  const at = `\n${text}`.lastIndexOf('\nerror: ');
  return (at < 0 ? text.slice(-1000) : text.slice(at)).trim();
}

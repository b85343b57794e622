/**
 * Cells: programs in namespaces of their own. Each cell has a network with loopback only; each program in it has process
 * ids and mounts of its own, and a root in which nothing of the host but its programs and libraries is, read only.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Server } from 'node:net';
import { promisify } from 'node:util';
import { TargetUnreachable } from '../errors.js';
import { MARK } from '../marked-processes.js';
import type { Ended, Program } from './program.js';

/** What a cell is told. */
export type Order =
  | { readonly id: number; readonly kind: 'listen'; readonly host: string; readonly port: number }
  | { readonly id: number; readonly kind: 'run'; readonly program: Omit<Program, 'signal'> }
  | { readonly id: number; readonly kind: 'kubelet'; readonly root: string; readonly nodeName: string }
  | { readonly id: number; readonly kind: 'health'; readonly wellAt: number | undefined }
  | { readonly id: number; readonly kind: 'stop'; readonly of: number };
type Given = Order extends infer One ? (One extends Order ? Omit<One, 'id'> : never) : never;

export interface Answer {
  readonly id: number;
  readonly ended?: Ended;
  readonly failed?: string;
}

/** Address of a control plane that joins, beside loopback. */
export const OWN_ADDRESS = '192.0.2.20';
const NETWORK = `ip link set lo up && ip addr add ${OWN_ADDRESS}/32 dev lo && exec "$@"`;
const MAIN = new URL('./cell-main.js', import.meta.url).pathname;

/** Namespaces that a cell needs; who is not root gets a user namespace in which he is. */
const asRoot = (): readonly string[] => (process.getuid?.() === 0 ? [] : ['--user', '--map-root-user']);
const PROGRAM = ['--mount', '--pid', '--kill-child', '--propagation', 'private'];

/** Throws TargetUnreachable where this host does not allow it, with the reason. */
export async function demandNamespaces(): Promise<void> {
  const words = ['--net', ...PROGRAM, '/bin/sh', '-c', NETWORK, 'sh', 'mount', '-t', 'proc', 'proc', '/proc'];
  const why = await promisify(execFile)('unshare', [...asRoot(), ...words], { timeout: 20_000 }).then(
    () => undefined,
    (error: Error & { stderr?: string }) => (error.stderr?.trim() || error.message).split('\n')[0],
  );
  if (why === undefined) return;
  throw new TargetUnreachable(
    'This host does not let joinproof run kubeadm in namespaces of its own (unshare, mount and ip are needed, and the ' +
      `right to use them): ${why}.`,
    'other',
  );
}

export class Cell {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Answer, server: Server | undefined) => void>();
  #count = 0;

  /** `mark`: of all that it starts. */
  constructor(mark: string) {
    this.#child = spawn('unshare', [...asRoot(), '--net', '/bin/sh', '-c', NETWORK, 'sh', process.execPath, MAIN], {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      detached: true,
      env: { PATH: process.env.PATH, [MARK]: mark },
    });
    this.#child.on('message', (answer: Answer, handle) => {
      this.#waiting.get(answer.id)?.(answer, handle as Server | undefined);
      this.#waiting.delete(answer.id);
    });
    this.#child.on('error', () => this.#lost());
    this.#child.on('exit', () => this.#lost());
  }

  #lost(): void {
    for (const [id, answer] of this.#waiting) answer({ id, failed: 'its cell has ended' }, undefined);
    this.#waiting.clear();
  }

  #order(given: Given): {
    readonly id: number;
    readonly answer: Promise<{ answer: Answer; server: Server | undefined }>;
  } {
    this.#count += 1;
    const id = this.#count;
    const answer = new Promise<{ answer: Answer; server: Server | undefined }>((resolve, reject) => {
      this.#waiting.set(id, (got, server) =>
        got.failed === undefined ? resolve({ answer: got, server }) : reject(new Error(got.failed)),
      );
      this.#child.send({ ...given, id } as Order, (error) => (error === null ? undefined : reject(error)));
    });
    return { id, answer };
  }

  /** A server that listens in the cell. */
  async listen(host: string, port = 0): Promise<Server> {
    const { server } = await this.#order({ kind: 'listen', host, port }).answer;
    if (server === undefined) throw new Error('the cell gave no server');
    return server;
  }

  async run({ signal, ...program }: Program): Promise<Ended> {
    signal.throwIfAborted();
    const { id, answer } = this.#order({ kind: 'run', program });
    const stop = (): void => this.#stop(id);
    signal.addEventListener('abort', stop, { once: true });
    try {
      const { ended } = (await answer).answer;
      signal.throwIfAborted();
      if (ended === undefined) throw new Error('the cell did not say how the program ended');
      return ended;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** Lets the kubelet that stands in bootstrap below a root; the result ends it. */
  startKubelet(root: string, nodeName: string): () => void {
    const { id, answer } = this.#order({ kind: 'kubelet', root, nodeName });
    answer.catch(() => undefined);
    return () => this.#stop(id);
  }

  /** Where a kubelet says that it is well: at one of its ports, or nowhere. */
  async kubeletIsWell(wellAt: number | undefined): Promise<void> {
    await this.#order({ kind: 'health', wellAt }).answer;
  }

  #stop(of: number): void {
    if (this.#child.connected) this.#child.send({ id: 0, kind: 'stop', of } satisfies Order, () => undefined);
  }

  close(): void {
    if (this.#child.connected) this.#child.disconnect();
    this.#child.kill('SIGKILL');
  }
}

/** Folders of the host that hold programs and libraries. */
const SYSTEM = ['usr', 'bin', 'sbin', 'lib', 'lib32', 'lib64', 'libx32'] as const;

/**
 * Puts a root together and starts a program in it. $1 the root, then pairs of files and where they are to be seen in it,
 * "--", and the command.
 */
const ROOT = `
set -e
R=$1; shift
for d in ${SYSTEM.join(' ')}; do
  if [ -L /$d ]; then ln -sfn "$(readlink /$d)" "$R/$d"
  elif [ -d /$d ]; then mkdir -p "$R/$d"; mount --rbind "/$d" "$R/$d"; mount -o remount,bind,ro "$R/$d"; fi
done
mkdir -p "$R/proc" "$R/dev" "$R/sys"
mount -t proc proc "$R/proc"
mount --rbind /dev "$R/dev"
mount --rbind /sys "$R/sys"
while [ "$1" != -- ]; do
  if [ -d "$1" ]; then mkdir -p "$R$2"; else mkdir -p "$R$(dirname "$2")"; : > "$R$2"; fi
  mount --bind "$1" "$R$2"; shift 2
done
shift
W=$1; shift
exec chroot "$R" /bin/sh -c 'cd "$1"; shift; exec "$@"' sh "$W" "$@"
`;

export interface Rooted {
  readonly root: string;
  /** Files and folders of the host by where they are seen in the root. */
  readonly seen: Readonly<Record<string, string>>;
  /** Where it begins, in the root. */
  readonly folder: string;
  readonly command: readonly string[];
}

/** The command that runs a command in a root of its own. */
export const rooted = ({ root, seen, folder, command }: Rooted): readonly string[] => [
  '/usr/bin/env',
  `PATH=${process.env.PATH ?? ''}`,
  existsSync('/usr/bin/unshare') ? '/usr/bin/unshare' : 'unshare',
  ...PROGRAM,
  '/bin/sh',
  '-c',
  ROOT,
  'sh',
  root,
  ...Object.entries(seen).flatMap(([at, file]) => [file, at]),
  '--',
  folder,
  ...command,
];

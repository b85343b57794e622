/** Where programs are put before servers: folders of their own, and a server on loopback. */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { LeftFile } from '../../kubernetes/transcript.js';
import type { Liar } from '../../liars/liar.js';
import type { Lie } from '../../liars/lie.js';
import { LiarServer } from '../../liars/server.js';
import { endWithin } from '../marked-processes.js';
import { removed } from '../removed-folder.js';
import type { MoreConfigured } from './join-configuration.js';
import { type Ended, type Program, runProgram } from './program.js';
import { makeSystemctl } from './services.js';

/** A server, and the folders of one program before it. */
export interface Place {
  readonly liar: Liar;
  /** What stands for "/", where it works, and what its service manager writes down; as joinproof sees them. */
  readonly root: string;
  readonly work: string;
  readonly services: string;
  /** Its root is a machine's, with more in it than the program's. */
  readonly isMachine: boolean;
  /** Folder of stand-ins, and where its other programs are. */
  readonly standIns: string;
  readonly path: string;
  /** What its JoinConfiguration says besides. */
  readonly configuration: MoreConfigured;
  /** A path as the program sees it. */
  inside(file: string): string;
  /** Told when somebody connects or asks, before he gets anything. */
  before(listener: () => void): void;
  /** Told of a command of the service manager. */
  ran?(command: string): void;
  run(program: Omit<Program, 'folder' | 'mark'>): Promise<Ended>;
  /** Ends the program before its time is over. */
  end(): void;
  /** Puts what the program has left aside, for who looks at it later; what it was let write besides, by path. */
  keep?(signal: AbortSignal): Promise<Readonly<Record<string, LeftFile>>>;
  close(): Promise<void>;
}

export interface Ground {
  /** `id`: a name that no other place of this ground has. */
  open(id: string, lie: Lie): Promise<Place>;
  /** Folder of what was kept. */
  readonly kept?: string;
  close?(): void;
}

/**
 * Before a command: it, and whatever it starts, lets go or mounts, is ended with it by the kernel (--kill-child, which implies --fork). Of root alone: anybody else
 * needs a user namespace for that, in which a program that becomes root by itself cannot.
 */
const TOGETHER = [
  '/usr/bin/unshare',
  '--mount',
  '--pid',
  '--kill-child',
  '/bin/sh',
  '-c',
  '"$@"; exit $?',
  'sh',
] as const;

/** What is put before a command for that; nothing where this host does not allow it. */
export async function together(): Promise<readonly string[]> {
  const [file, ...given] = TOGETHER;
  if (process.getuid?.() !== 0) return [];
  return promisify(execFile)(file, [...given, 'true'], { timeout: 20_000 }).then(
    () => TOGETHER,
    () => [],
  );
}

/** Programs of this machine, which they see as it is. `folder`: private, removed by who made it. */
export function plainGround(folder: string): Ground {
  const standIns = path.join(folder, 'bin');
  makeSystemctl(standIns);
  let apart: Promise<readonly string[]> | undefined;
  return {
    async open(id, lie) {
      const home = path.join(folder, id);
      const [root, work, services] = ['root', 'work', 'services'].map((name) => path.join(home, name)) as [
        string,
        string,
        string,
      ];
      for (const one of [root, work]) mkdirSync(one, { recursive: true, mode: 0o700 });
      apart ??= together();
      const first = await apart;
      let listener = (): void => {};
      const server = await LiarServer.start(lie, { before: () => listener() });
      return {
        liar: server.liar,
        root,
        work,
        services,
        isMachine: false,
        standIns,
        path: process.env.PATH ?? '',
        configuration: {},
        inside: (file) => file,
        before: (told) => {
          listener = told;
        },
        run: (program) =>
          runProgram({ ...program, command: [...first, ...program.command], folder: work, mark: `${home}/` }),
        end: () => void endWithin(`${home}/`),
        async close() {
          await server.close();
          await removed(home);
        },
      };
    },
  };
}

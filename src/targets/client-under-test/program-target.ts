/** A joining client that is a program, as a target. */
import { availableParallelism } from 'node:os';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { makeFolder, record } from '../control-plane/process-record.js';
import type { ClientDescription } from './description.js';
import { type Ground, plainGround, removed } from './ground.js';
import { endMarked } from './program.js';
import { Programs } from './programs.js';
import { type ClientTarget, clientTarget } from './target.js';
import { noFile } from './ways.js';

export interface ProgramTargetOptions {
  readonly description: ClientDescription;
  /** Joins at a time; default: eight for each processor, most of which wait. */
  readonly atOnce?: number;
  readonly signal: AbortSignal;
  /** Minor of the Kubernetes whose client it is; default: the newest. */
  readonly minor?: number;
  /** Default: this machine. */
  readonly ground?: (folder: string) => Promise<Ground>;
}

const FOR_EACH_PROCESSOR = 8;

/** Throws where no folder can be made, or what the ground throws; nothing is left then. */
export async function openProgram(options: ProgramTargetOptions): Promise<ClientTarget> {
  const { description, signal, minor = parseRelease(NEWEST_RELEASE).minor } = options;
  const processors = availableParallelism();
  const folder = await makeFolder();
  const over = new AbortController();
  const close = async (): Promise<void> => {
    over.abort(new Error('the run is over'));
    endMarked(`${folder}/`);
    await removed(folder);
  };
  try {
    // Whoever finds the folder without its owner removes it.
    await record(folder, []);
    const ground = await (options.ground ?? (async (at) => plainGround(at)))(folder);
    const programs = new Programs({
      description,
      ground,
      atOnce: options.atOnce ?? FOR_EACH_PROCESSOR * processors,
      beginning: processors,
      signal: AbortSignal.any([signal, over.signal]),
    });
    const client = {
      name: description.name,
      join: (server: string) => programs.join(server),
      program: {
        lacks: (server: string) => programs.lacks(server),
        honest: (server: string) => programs.honest(server),
        lacksFile: (role: keyof ClientDescription['files']) =>
          description.files[role] === undefined ? noFile(role) : undefined,
      },
    };
    return clientTarget(client, { minor, holds: new Set(), close });
  } catch (error) {
    await close();
    throw error;
  }
}

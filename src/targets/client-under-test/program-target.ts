/** A joining client that is a program, as a target. */
import { realpath } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { inEachWay } from '../../liars/lies/each-way.js';
import { makeFolder, record, removeRecorded } from '../control-plane/process-record.js';
import { ConfigurationError } from '../errors.js';
import { endMarked } from '../marked-processes.js';
import { kubeadmPreflight } from '../preflight/kubeadm-preflight.js';
import { isProgram } from '../program-file.js';
import type { PreflightUnderTest, UploadsUnderTest } from '../types.js';
import { kubeadmUploads } from '../uploads/kubeadm-uploads.js';
import type { ClientDescription } from './description.js';
import { type Ground, plainGround } from './ground.js';
import { joinedDisk, KEPT_OF } from './joined-disk.js';
import { type KubeadmPrograms, kubeadmDescription, kubeadmGround, versionOfKubeadm } from './kubeadm-ground.js';
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
  /** Why its kubelet is one of ours; left out: it is not. */
  readonly standIn?: string;
  /** Default: this machine. */
  readonly ground?: (folder: string) => Promise<Ground>;
  /** Where it is kubeadm: how it looks at machines. */
  readonly preflight?: (folder: string) => PreflightUnderTest & { close(): void };
  /** Likewise: what it hands on. */
  readonly uploads?: (folder: string) => UploadsUnderTest & { close(): Promise<void> };
}

const FOR_EACH_PROCESSOR = 12;

export interface KubeadmOptions extends KubeadmPrograms {
  readonly atOnce?: number;
  readonly signal: AbortSignal;
}

const STAND_IN = 'the kubelet that bootstrapped is one of joinproof that stands in: give the real one with --kubelet';

/** kubeadm, in namespaces of its own. Throws ConfigurationError, TargetUnreachable where the host does not allow it. */
export async function openKubeadm({ kubeadm, kubelet, atOnce, signal }: KubeadmOptions): Promise<ClientTarget> {
  const programs = {
    kubeadm: await programAt(kubeadm, '--kubeadm'),
    kubelet: kubelet && (await programAt(kubelet, '--kubelet')),
  };
  const version = await versionOfKubeadm(programs.kubeadm, signal);
  const { text, minor } = version;
  return openProgram({
    description: kubeadmDescription(`kubeadm ${text}${kubelet === undefined ? '' : ', with a kubelet'}`, minor),
    signal,
    minor,
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(kubelet === undefined ? { standIn: STAND_IN } : {}),
    ground: (folder) => kubeadmGround(folder, programs, version),
    preflight: (folder) =>
      kubeadmPreflight({ folder: path.join(folder, 'looks'), kubeadm: programs.kubeadm, version: text, signal }),
    uploads: (folder) =>
      kubeadmUploads({ folder: path.join(folder, 'uploads'), kubeadm: programs.kubeadm, minor, signal }),
  });
}

async function programAt(file: string, option: string): Promise<string> {
  const found = await realpath(file).catch(() => undefined);
  if (found === undefined || !(await isProgram(found)))
    throw new ConfigurationError(`${option} ${file} is no program that may be run. Give the path of one.`);
  return found;
}

/** Throws where no folder can be made, or what the ground throws; nothing is left then. */
export async function openProgram(options: ProgramTargetOptions): Promise<ClientTarget> {
  const { description, signal, minor = parseRelease(NEWEST_RELEASE).minor } = options;
  const processors = availableParallelism();
  const folder = await makeFolder();
  const over = new AbortController();
  let ground: Ground | undefined;
  const preflight = options.preflight?.(folder);
  const uploads = options.uploads?.(folder);
  const close = async (): Promise<void> => {
    over.abort(new Error('the run is over'));
    ground?.close?.();
    preflight?.close();
    await uploads?.close();
    endMarked(`${folder}/`);
    await removeRecorded(folder);
  };
  try {
    // Whoever finds the folder without its owner removes it.
    record(folder, []);
    ground = await (options.ground ?? (async (at) => plainGround(at)))(folder);
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
      // In the ways that it has: whatever it lacks is said of this server alone.
      inEachWay: async (server: string) =>
        inEachWay(server).filter((one) => one === server || programs.lacks(one) === undefined),
      program: {
        ...(options.standIn === undefined ? {} : { standIn: options.standIn }),
        lacks: (server: string) => programs.lacks(server),
        honest: (server: string) => programs.honest(server),
        telling: programs.telling,
        lacksFile: (role: keyof ClientDescription['files']) =>
          description.files[role] === undefined ? noFile(role) : undefined,
      },
    };
    const kept = ground.kept;
    return clientTarget(client, {
      minor,
      holds: new Set(),
      close,
      ...(preflight === undefined ? {} : { preflight }),
      ...(uploads === undefined ? {} : { uploads }),
      ...(kept === undefined ? {} : { files: joinedDisk(kept, () => programs.join(KEPT_OF)) }),
    });
  } catch (error) {
    await close();
    throw error;
  }
}

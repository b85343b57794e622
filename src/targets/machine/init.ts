/** kubeadm init on a machine that is a folder: the phases that write files, below it only. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { patchedFiles } from '../../joining/patched-files.js';
import { configure } from '../../kubeadm/configuration.js';
import { InitFailed } from '../../kubeadm/init/host.js';
import { INIT_PHASES, phasesOf, runPhases, without } from '../../kubeadm/init/phases.js';
import { readInit, type Told } from '../../kubeadm/init/reading.js';
import { NEWEST_RELEASE } from '../../kubeadm/release.js';
import { generateKeyAsync } from '../../pki/keys.js';
import { ConfigurationError } from '../errors.js';
import { ownAddress, readConfigurationFile, releaseFor, rootOf } from './given.js';
import { hostFiles, RootFiles } from './root-files.js';

export interface InitTask {
  /** The folder that is the machine's "/". */
  readonly root: string;
  /** Documents of kubeadm; undefined: its defaults. */
  readonly configurationFile?: string;
  /** Names of phases; none: all that write files, but those that the documents pass over. */
  readonly phases: readonly string[];
  /** The release where the documents name none; default the newest known. */
  readonly kubernetesVersion?: string;
  /** A line for people, without secrets. */
  tell(line: string): void;
}

/** Folders of certificates that a host may have. Source: controlplane/volumes.go caCertsExtraVolumePaths. */
const CA_FOLDERS = [
  '/etc/pki/ca-trust',
  '/etc/pki/tls/certs',
  '/etc/ca-certificates',
  '/usr/share/ca-certificates',
  '/usr/local/share/ca-certificates',
];

/** undefined: it is done; else why not, in a sentence without secrets. Throws ConfigurationError. */
export async function initMachine(task: InitTask): Promise<string | undefined> {
  const { tell, kubernetesVersion = NEWEST_RELEASE } = task;
  const asked = task.phases.flatMap(knownPhases);
  const release = releaseFor(kubernetesVersion);
  const files = new RootFiles(rootOf(task.root));
  const warn = (line: string): void => tell(`warning: ${line}`);
  const surroundings = {
    hostName: hostname().toLowerCase(),
    address: ownAddress(),
    release,
    caFolders: CA_FOLDERS.filter((folder) => existsSync(folder)),
    warn,
  };
  const { hostName, address: advertiseAddress, caFolders } = surroundings;
  const content =
    task.configurationFile === undefined ? undefined : await readConfigurationFile(task.configurationFile);
  try {
    const { configuration, patches, skipPhases }: Pick<Told, 'configuration' | 'patches' | 'skipPhases'> =
      content === undefined
        ? {
            configuration: configure({ release, nodeName: hostName, hostName, advertiseAddress, caFolders }),
            skipPhases: [],
          }
        : readInit(content, surroundings);
    const names = asked.length === 0 ? without(INIT_PHASES, skipPhases) : asked;
    const patched = patchedFiles(files, hostFiles, patches);
    await runPhases({ configuration, files: patched, now: Date.now(), makeKey: generateKeyAsync, tell, warn }, names);
    return undefined;
  } catch (error) {
    if (error instanceof InitFailed) return error.message;
    throw error;
  }
}

/** Throws ConfigurationError. */
function knownPhases(name: string): readonly string[] {
  const found = phasesOf(name);
  if (found === undefined)
    throw new ConfigurationError(
      `--phase ${name} is no phase that writes files. Give one of ${INIT_PHASES.join(', ')}, or all of a kind, ` +
        'for example certs/all.',
    );
  return found;
}

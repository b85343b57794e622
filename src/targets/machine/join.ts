/** A machine of flesh joins a real cluster: files below a folder, the real wire, the clock of this machine. */
import { randomBytes } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { hostname, networkInterfaces } from 'node:os';
import {
  configurationOfFlags,
  type JoinConfiguration,
  type JoinFlags,
  readConfiguration,
} from '../../joining/configuration.js';
import { joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { join } from '../../joining/join.js';
import { parseRelease } from '../../kubeadm/release.js';
import { ConfigurationError } from '../errors.js';
import { pause } from '../pause.js';
import { Redactor } from '../redaction.js';
import { readRegular } from '../regular-file.js';
import { hostFiles, RootFiles } from './root-files.js';
import { NodeWire } from './wire.js';

export type { JoinFlags } from '../../joining/configuration.js';

/** Bytes of a file that a user names. */
const LARGEST_FILE = 1024 * 1024;

export interface JoinTask {
  /** The folder that is the machine's "/". */
  readonly root: string;
  /** A JoinConfiguration; undefined: as the flags say. */
  readonly configurationFile?: string;
  readonly flags: JoinFlags;
  readonly ignoredChecks: readonly string[];
  /** The release that the machine has; default the newest known. */
  readonly kubernetesVersion?: string;
  readonly userAgent: string;
  readonly signal: AbortSignal;
  /** A line for people, without secrets. */
  tell(line: string): void;
}

/** undefined: it has joined; else why it has not, in a sentence without secrets. Throws ConfigurationError. */
export async function joinMachine(task: JoinTask): Promise<string | undefined> {
  const { signal, userAgent, kubernetesVersion } = task;
  const root = rootOf(task.root);
  const redactor = new Redactor();
  const release = kubernetesVersion === undefined ? {} : { release: releaseFor(kubernetesVersion) };
  const wire = new NodeWire(signal, { userAgent });
  try {
    const configuration = await configurationFor(task);
    for (const secret of secretsOf(configuration)) redactor.add(secret);
    const machine = {
      wire,
      files: new RootFiles(root),
      given: hostFiles,
      clock: { now: () => Date.now(), sleep: (milliseconds: number) => pause(milliseconds, signal) },
      hostName: hostname(),
      random: randomBytes,
      tell: (line: string) => task.tell(redactor.redact(line)),
    };
    await join({ machine, configuration, ignoredChecks: task.ignoredChecks, ...release });
    return undefined;
  } catch (error) {
    if (error instanceof JoinFailed) return redactor.redact(error.message);
    throw error;
  } finally {
    wire.close();
  }
}

/** The folder without links. Throws ConfigurationError. */
function rootOf(root: string): string {
  const found = lstatSync(root, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true)
    throw new ConfigurationError(`--root ${root} is no folder. Give a folder that is there, which stands for "/".`);
  return realpathSync(root);
}

function releaseFor(version: string): ReturnType<typeof parseRelease> {
  try {
    return parseRelease(version);
  } catch (error) {
    throw new ConfigurationError(`--kubernetes-version: ${error instanceof Error ? error.message : error}`);
  }
}

async function configurationFor({ configurationFile, flags }: JoinTask): Promise<JoinConfiguration> {
  if (configurationFile === undefined) {
    const advertiseAddress = flags.advertiseAddress ?? ownAddress();
    return configurationOfFlags({ ...flags, advertiseAddress }, joiningDecisions);
  }
  const text = await readRegular(configurationFile, LARGEST_FILE).catch((error: { readonly code?: string }) => {
    throw new ConfigurationError(`--config ${configurationFile} cannot be read (${error.code}). Give a YAML file.`);
  });
  const configuration = readConfiguration(text, joiningDecisions);
  const { nodeName } = flags;
  if (nodeName === undefined) return configuration;
  return { ...configuration, nodeRegistration: { ...configuration.nodeRegistration, name: nodeName } };
}

/** The first address of this machine that others may reach. */
const ownAddress = (): string =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';

const secretsOf = ({ discovery, controlPlane }: JoinConfiguration): readonly string[] =>
  [discovery.bootstrapToken?.token, discovery.tlsBootstrapToken, controlPlane?.certificateKey].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );

/** A machine of flesh joins a real cluster: files below a folder, the real wire, the clock of this machine. */
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import {
  configurationOfFlags,
  type JoinConfiguration,
  type JoinFlags,
  readConfiguration,
} from '../../joining/configuration.js';
import { joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { join } from '../../joining/join.js';
import { pause } from '../pause.js';
import { Redactor } from '../redaction.js';
import { ownAddress, readConfigurationFile, releaseFor, rootOf } from './given.js';
import { hostFiles, RootFiles } from './root-files.js';
import { NodeWire } from './wire.js';

export type { JoinFlags } from '../../joining/configuration.js';

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

async function configurationFor({ configurationFile, flags }: JoinTask): Promise<JoinConfiguration> {
  if (configurationFile === undefined) {
    const advertiseAddress = flags.advertiseAddress ?? ownAddress();
    return configurationOfFlags({ ...flags, advertiseAddress }, joiningDecisions);
  }
  const text = await readConfigurationFile(configurationFile);
  const configuration = readConfiguration(text, joiningDecisions);
  const { nodeName } = flags;
  if (nodeName === undefined) return configuration;
  return { ...configuration, nodeRegistration: { ...configuration.nodeRegistration, name: nodeName } };
}

const secretsOf = ({ discovery, controlPlane }: JoinConfiguration): readonly string[] =>
  [discovery.bootstrapToken?.token, discovery.tlsBootstrapToken, controlPlane?.certificateKey].filter(
    (secret): secret is string => secret !== undefined && secret !== '',
  );

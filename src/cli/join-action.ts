/** What joinproof join does once its arguments are parsed. */
import { UsageError } from '../run/usage-error.js';
import { type JoinFlags, type JoinTask, joinMachine } from '../targets/machine/join.js';
import { Interrupt } from './interrupt.js';
import type { ExitCode } from './main.js';
import { parseSeconds } from './options.js';
import { say, tell } from './say.js';
import { version } from './version.js';

interface JoinOptions {
  readonly root?: string;
  readonly config?: string;
  readonly token?: string;
  readonly discoveryToken?: string;
  readonly tlsBootstrapToken?: string;
  readonly discoveryTokenCaCertHash?: readonly string[];
  readonly discoveryTokenUnsafeSkipCaVerification?: boolean;
  readonly discoveryFile?: string;
  readonly nodeName?: string;
  readonly criSocket?: string;
  readonly controlPlane?: boolean;
  readonly certificateKey?: string;
  readonly apiserverAdvertiseAddress?: string;
  readonly apiserverBindPort?: string;
  readonly ignorePreflightErrors?: readonly string[];
  readonly kubernetesVersion?: string;
  readonly timeout?: string;
}

/** Flags that a configuration file may be given with. */
const BESIDE_CONFIG = ['root', 'config', 'nodeName', 'ignorePreflightErrors', 'kubernetesVersion', 'timeout'];

/** 0: joined; 1: not. Throws UsageError, ConfigurationError, and what interrupts it. */
export async function join(endpoint: string | undefined, options: JoinOptions): Promise<ExitCode> {
  const task = taskOf(endpoint, options);
  const interrupt = new Interrupt(parseSeconds(options.timeout, '--timeout'));
  try {
    const why = await joinMachine({ ...task, signal: interrupt.signal, tell });
    if (why === undefined) return 0;
    say(why);
    return 1;
  } finally {
    interrupt.end();
  }
}

/** What the command line comes to. Throws UsageError. */
export function taskOf(endpoint: string | undefined, options: JoinOptions): Omit<JoinTask, 'signal' | 'tell'> {
  const { root = '', config, ignorePreflightErrors = [], kubernetesVersion } = options;
  if (config !== undefined) checkMixed(endpoint, options);
  return {
    root,
    ...(config === undefined ? {} : { configurationFile: config }),
    flags: flagsOf(endpoint, options),
    ignoredChecks: ignorePreflightErrors.flatMap((names) => names.split(',')),
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    userAgent: `joinproof/${version()}`,
  };
}

/** As kubeadm: what a configuration file says is not said twice. */
function checkMixed(endpoint: string | undefined, options: JoinOptions): void {
  const given = Object.entries(options).filter(
    ([name, value]) => !BESIDE_CONFIG.includes(name) && (!Array.isArray(value) || value.length > 0),
  );
  if (endpoint === undefined && given.length === 0) return;
  throw new UsageError(
    'With --config neither an endpoint nor flags of discovery or of the node are taken. Write them into the file.',
  );
}

function flagsOf(endpoint: string | undefined, options: JoinOptions): JoinFlags {
  const { apiserverBindPort: port } = options;
  if (port !== undefined && !/^\d{1,5}$/.test(port))
    throw new UsageError(`--apiserver-bind-port ${port} is no port. Give a number from 1 to 65535.`);
  return {
    endpoint,
    token: options.token,
    discoveryToken: options.discoveryToken,
    tlsBootstrapToken: options.tlsBootstrapToken,
    caCertHashes: options.discoveryTokenCaCertHash ?? [],
    unsafeSkipCAVerification: options.discoveryTokenUnsafeSkipCaVerification,
    discoveryFile: options.discoveryFile,
    nodeName: options.nodeName,
    criSocket: options.criSocket,
    controlPlane: options.controlPlane,
    certificateKey: options.certificateKey,
    advertiseAddress: options.apiserverAdvertiseAddress,
    bindPort: port === undefined ? undefined : Number(port),
  };
}

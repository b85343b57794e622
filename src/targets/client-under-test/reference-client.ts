/**
 * The reference client as a client under test: in this process, on a wire and a clock that exist in memory. The only
 * file of targets that starts both joining and liars.
 */
import { randomBytes } from 'node:crypto';
import { configurationOfFlags, type JoinConfiguration, readConfiguration } from '../../joining/configuration.js';
import { type JoiningDecisions, joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { join, type Until } from '../../joining/join.js';
import type { Transcript } from '../../kubernetes/transcript.js';
import { type Approach, approachOf } from '../../liars/approach.js';
import type { Lie } from '../../liars/lie.js';
import { NeverEnds, VirtualWire, virtualClock } from '../../liars/virtual.js';
import { MemoryFiles } from './memory-files.js';

export { lies } from '../../liars/lies/index.js';

const ENDPOINT = '127.0.0.1:36443';
const NODE = 'worker-9';

export interface Playing {
  readonly decisions?: Partial<JoiningDecisions>;
  /** Milliseconds since the epoch at which the virtual clock starts; default: now. */
  readonly start?: number;
  /** Default: to the end. */
  readonly until?: Until;
}

/** Lets the reference client join a liar. */
export async function playLie(
  lie: Lie,
  { decisions = {}, start = Date.now(), until = 'end' }: Playing = {},
): Promise<Transcript & { readonly approach: Approach }> {
  const clock = virtualClock(start);
  const wire = new VirtualWire(lie, ENDPOINT, clock);
  const approach = approachOf(wire.liar);
  const files = new MemoryFiles();
  const given = new MemoryFiles(approach.files);
  const machine = { wire, files, given, clock, hostName: NODE, random: randomBytes, tell: () => {} };
  const ended = (exit: number | undefined, message: string): Transcript & { readonly approach: Approach } => ({
    entries: wire.liar.journal,
    exit,
    message,
    files: Object.fromEntries([...files.written].sort()),
    milliseconds: clock.now() - start,
    approach,
  });
  try {
    const configuration = configurationFor(approach, { ...joiningDecisions, ...decisions });
    await join({ machine, configuration, decisions, until });
    return ended(0, '');
  } catch (error) {
    if (error instanceof NeverEnds) return ended(undefined, error.message);
    if (error instanceof JoinFailed) return ended(1, error.message);
    throw error;
  }
}

/** By flags, or by the file that says the same. */
function configurationFor(
  { discovery, discoveryTimeout, byFlags }: Approach,
  decisions: JoiningDecisions,
): JoinConfiguration {
  const { bootstrapToken, file, tlsBootstrapToken } = discovery;
  if (byFlags) {
    return configurationOfFlags(
      {
        ...(bootstrapToken === undefined ? {} : { endpoint: bootstrapToken.apiServerEndpoint }),
        ...(tlsBootstrapToken === undefined ? {} : { token: tlsBootstrapToken }),
        caCertHashes: bootstrapToken?.caCertHashes ?? [],
        unsafeSkipCAVerification: bootstrapToken?.unsafeSkipCAVerification === true,
        ...(file === undefined ? {} : { discoveryFile: file.kubeConfigPath }),
        nodeName: NODE,
      },
      decisions,
    );
  }
  const written = {
    apiVersion: 'kubeadm.k8s.io/v1beta4',
    kind: 'JoinConfiguration',
    discovery,
    nodeRegistration: { name: NODE },
    timeouts: { discovery: `${discoveryTimeout / 1000}s` },
  };
  // JSON is YAML.
  return readConfiguration(JSON.stringify(written), decisions);
}

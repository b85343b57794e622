/**
 * The reference client as a client under test: against liars in memory, where waiting takes no time, against liars on
 * real sockets, and against any server. The only file of targets that starts both joining and liars.
 */
import { randomBytes } from 'node:crypto';
import { configurationOfFlags, type JoinConfiguration, readConfiguration } from '../../joining/configuration.js';
import { type JoiningDecisions, joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { join, type Until } from '../../joining/join.js';
import type { Clock } from '../../joining/ports.js';
import type { Transcript } from '../../kubernetes/transcript.js';
import type { Wire } from '../../kubernetes/wire.js';
import { type Approach, approachOf } from '../../liars/approach.js';
import type { Lie } from '../../liars/lie.js';
import { LiarServer } from '../../liars/server.js';
import { NeverEnds, VirtualWire, virtualClock } from '../../liars/virtual.js';
import { NodeWire } from '../machine/wire.js';
import { pause } from '../pause.js';
import { MemoryFiles } from './memory-files.js';

export { lies } from '../../liars/lies/index.js';

const ENDPOINT = '127.0.0.1:36443';
const NODE = 'worker-9';

export interface Playing {
  readonly decisions?: Partial<JoiningDecisions>;
  /** Milliseconds since the epoch at which a virtual clock starts; default: now. */
  readonly start?: number;
  /** Default: to the end. */
  readonly until?: Until;
}

/** Where a client plays. */
interface Ground {
  readonly wire: Wire;
  readonly clock: Clock;
  /** Files that it is told of. */
  readonly given: Readonly<Record<string, string>>;
  configuration(decisions: JoiningDecisions): JoinConfiguration;
}

export type Played = Pick<Transcript, 'exit' | 'message' | 'files' | 'milliseconds'>;

async function play(
  { wire, clock, given, configuration }: Ground,
  { decisions = {}, until }: Playing,
): Promise<Played> {
  const begun = clock.now();
  const files = new MemoryFiles();
  const told = { hostName: NODE, random: randomBytes, tell: () => {} };
  const machine = { wire, files, given: new MemoryFiles(given), clock, ...told };
  const ended = (exit: number | undefined, message: string): Played => ({
    exit,
    message,
    files: Object.fromEntries([...files.written].sort()),
    milliseconds: clock.now() - begun,
  });
  try {
    const told = configuration({ ...joiningDecisions, ...decisions });
    await join({ machine, configuration: told, decisions, ...(until === undefined ? {} : { until }) });
    return ended(0, '');
  } catch (error) {
    if (error instanceof NeverEnds) return ended(undefined, error.message);
    if (error instanceof JoinFailed) return ended(1, error.message);
    throw error;
  }
}

/** Lets the reference client join a liar, in virtual time. */
export async function playLie(lie: Lie, playing: Playing = {}): Promise<Transcript> {
  const clock = virtualClock(playing.start ?? Date.now());
  const wire = new VirtualWire(lie, ENDPOINT, clock);
  const approach = approachOf(wire.liar);
  const ground = { wire, clock, given: approach.files, configuration: configurationFor(approach) };
  const played = await play(ground, playing);
  return { entries: wire.liar.journal, ...played };
}

/** The same over real sockets, in real time. */
export async function playLieOnWire(lie: Lie, playing: Playing = {}): Promise<Transcript> {
  const server = await LiarServer.start(lie);
  const { signal } = new AbortController();
  const { hostTrusts } = lie.told ?? {};
  const { authorities } = server.liar.scene.cast;
  const host = hostTrusts === undefined ? {} : { hostCaPem: authorities[hostTrusts].certificate.pem };
  const wire = new NodeWire(signal, { userAgent: 'joinproof', ...host });
  try {
    const approach = approachOf(server.liar);
    const clock = { now: () => Date.now(), sleep: (milliseconds: number) => pause(milliseconds, signal) };
    const ground = { wire, clock, given: approach.files, configuration: configurationFor(approach) };
    const played = await play(ground, playing);
    return { entries: server.liar.journal, ...played };
  } finally {
    wire.close();
    await server.close();
  }
}

/** A server, by a configuration in YAML or JSON. Time passes as `sleep` says. */
export interface Cluster {
  readonly configuration: string;
  readonly given?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Hears of every request: whether it showed a token, its method and path, and the status of its answer. */
  heard(request: Heard): void;
}

export interface Heard {
  readonly authorization: string | undefined;
  readonly method: string;
  readonly path: string;
  /** undefined: none came. */
  readonly status: number | undefined;
}

/** Lets the reference client join a server. */
export async function playCluster(cluster: Cluster, playing: Playing = {}): Promise<Played> {
  const wire = new NodeWire(new AbortController().signal, { userAgent: 'joinproof' });
  const listening: Wire = {
    exchange: async (question) => {
      const answer = await wire.exchange(question);
      cluster.heard({
        authorization: question.headers.authorization,
        method: question.method,
        path: new URL(question.url).pathname,
        status: answer.kind === 'answer' ? answer.status : undefined,
      });
      return answer;
    },
  };
  try {
    const { clock, given = {} } = cluster;
    const configuration = (decisions: JoiningDecisions): JoinConfiguration =>
      readConfiguration(cluster.configuration, decisions);
    return await play({ wire: listening, clock, given, configuration }, playing);
  } finally {
    wire.close();
  }
}

/** By flags, or by the file that says the same. */
const configurationFor =
  ({ discovery, discoveryTimeout, byFlags, controlPlane }: Approach) =>
  (decisions: JoiningDecisions): JoinConfiguration => {
    const { bootstrapToken, file, tlsBootstrapToken } = discovery;
    if (byFlags) {
      const flags = {
        endpoint: bootstrapToken?.apiServerEndpoint,
        token: tlsBootstrapToken,
        caCertHashes: bootstrapToken?.caCertHashes ?? [],
        unsafeSkipCAVerification: bootstrapToken?.unsafeSkipCAVerification,
        discoveryFile: file?.kubeConfigPath,
        nodeName: NODE,
      };
      return configurationOfFlags(flags, decisions);
    }
    const written = {
      apiVersion: 'kubeadm.k8s.io/v1beta4',
      kind: 'JoinConfiguration',
      discovery,
      ...(controlPlane === undefined ? {} : { controlPlane }),
      nodeRegistration: { name: NODE },
      timeouts: { discovery: `${discoveryTimeout / 1000}s` },
    };
    // JSON is YAML.
    return readConfiguration(JSON.stringify(written), decisions);
  };

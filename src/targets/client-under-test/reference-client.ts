/**
 * The reference client as a client under test: against liars in memory, where waiting takes no time, against liars on
 * real sockets, and against any server. The only file of targets that starts both joining and liars.
 */

import { randomBytes } from 'node:crypto';
import type { AnotherClient } from '../../joining/another.js';
import { configurationOfFlags, type JoinConfiguration, readConfiguration } from '../../joining/configuration.js';
import { type JoiningDecisions, joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { join } from '../../joining/join.js';
import type { Clock, Machine, ServiceManager } from '../../joining/ports.js';
import type { ClientRun, Deed, Transcript } from '../../kubernetes/transcript.js';
import type { Wire } from '../../kubernetes/wire.js';
import { HEALTHZ_ELSEWHERE, wellAt } from '../../liars/addresses.js';
import { type Approach, approachOf, truthOf } from '../../liars/approach.js';
import { bundleOf } from '../../liars/cast.js';
import { startsPods } from '../../liars/components.js';
import type { EtcdMember } from '../../liars/etcd.js';
import type { Liar } from '../../liars/liar.js';
import { believable, type Lie, type Told } from '../../liars/lie.js';
import { inEachWay } from '../../liars/lies/each-way.js';
import { lies } from '../../liars/lies/index.js';
import { LiarServer } from '../../liars/server.js';
import { NeverEnds, VirtualWire, virtualClock } from '../../liars/virtual.js';
import { generateKeyAsync, type KeyAlgorithm, type KeyObject, spareKey } from '../../pki/keys.js';
import { NodeWire } from '../machine/wire.js';
import { pause } from '../pause.js';
import { joinConfiguration, NODE, waitsOf } from './join-configuration.js';
import { MemoryFiles } from './memory-files.js';
import { givenIn } from './started-programs.js';

export { inEachWay, lies };

const ENDPOINT = '127.0.0.1:36443';

export interface Playing extends AnotherClient {
  /** Milliseconds since the epoch at which a virtual clock starts; default: now. */
  readonly start?: number;
}

/** Where a client plays. */
interface Ground {
  readonly wire: Wire;
  readonly clock: Clock;
  /** Files that it is told of. */
  readonly given: Readonly<Record<string, string>>;
  /** What its machine is like. */
  readonly told?: Told | undefined;
  /** How much the server has seen by now. */
  readonly seen?: () => number;
  /** What answers as the etcd of the others. */
  readonly etcd?: NonNullable<Machine['etcd']>;
  /** Its kubelet registers a Node, and what the manifests say runs. */
  readonly startsPods?: boolean;
  /** Files that are on its disk already. */
  readonly present?: Readonly<Record<string, string>>;
  configuration(decisions: JoiningDecisions): JoinConfiguration;
}

export type Played = Omit<Transcript, 'entries'>;

/** The etcd of a liar, asked without a wire. */
const etcdAt =
  ({ etcd, lie }: Liar): NonNullable<Machine['etcd']> =>
  (verifies) => {
    if (verifies && lie.etcd?.isStranger === true)
      throw new JoinFailed('x509: certificate signed by unknown authority');
    const ask = (asked: Parameters<typeof etcd.answer>[0]): readonly EtcdMember[] => {
      const reply = etcd.answer(asked);
      if ('problem' in reply) throw new Error(reply.problem.message);
      return reply.members ?? [];
    };
    return {
      status: () => void ask({ call: 'Status' }),
      members: () => ask({ call: 'MemberList' }),
      add: (peerUrl, asLearner) => ask({ call: 'MemberAdd', peerUrls: [peerUrl], asLearner }),
      promote: (id) => void ask({ call: 'MemberPromote', id }),
    };
  };

/** What a control plane makes for itself is made once a process of the same authorities: all liars have the same. */
const made = new Map<string, ReturnType<NonNullable<Machine['kept']>>>();
const kept: NonNullable<Machine['kept']> = (of, make) => {
  const known = made.get(of) ?? make();
  made.set(of, known);
  return known;
};

/** RSA keys take a second, and those by default tell nothing more: they are of a curve. Of the others there is one of a kind. */
const keyFor = (algorithm: KeyAlgorithm): Promise<KeyObject> => {
  if (algorithm === 'RSA-2048') return generateKeyAsync('ECDSA-P256');
  return algorithm.startsWith('ECDSA-') ? generateKeyAsync(algorithm) : spareKey(algorithm);
};

const UNKNOWN_UNIT = 'exit status 5: Unit kubelet.service not found.';

/** undefined: there is none. */
function servicesOf(how: Told['services'], ran: (command: string) => void): { readonly services?: ServiceManager } {
  if (how === 'none') return {};
  const run = (command: string): string | undefined => {
    ran(command);
    return how === undefined || command === 'daemon-reload' ? undefined : UNKNOWN_UNIT;
  };
  return { services: { hasKubelet: () => how !== 'no kubelet', run } };
}

async function play(ground: Ground, playing: Playing): Promise<Played> {
  const { clock, given: files, told = {}, seen = () => 0, configuration } = ground;
  const well = wellAt(told.kubelet);
  const { decisions = {}, until, instead, words = (line) => line, ends = (exit) => exit } = playing;
  const begun = clock.now();
  const deeds: Deed[] = [];
  const said: string[] = [];
  let configured: JoinConfiguration | undefined;
  const environment = (): string => (configured && playing.environment?.(configured)) ?? '';
  const disk = new MemoryFiles({
    given: ground.present ?? {},
    closed: [told.closed, told.closedFolder].flatMap((path) => path ?? []),
    ...(told.largestFile === undefined ? {} : { largest: told.largestFile }),
    onWrite: (path, file) => deeds.push({ kind: 'wrote', path, ...file, after: seen() }),
    onRemove: (path) => deeds.push({ kind: 'removed', path, after: seen() }),
  });
  const runs = (command: string): void => {
    deeds.push({ kind: 'ran', command, environment: environment(), after: seen() });
  };
  const machine = {
    wire: playing.wire?.(ground.wire, clock, runs) ?? ground.wire,
    files: playing.files?.(disk) ?? disk,
    given: new MemoryFiles({ given: files }),
    clock,
    hostName: NODE,
    ...(ground.etcd === undefined ? {} : { etcd: ground.etcd }),
    startsPods: ground.startsPods === true,
    ...(told.kubeletGoesOn === undefined ? {} : { kubeletGoesOn: told.kubeletGoesOn }),
    ...(told.images === undefined ? {} : { pullImages: () => 'there is no container runtime' }),
    kept,
    makeKey: keyFor,
    kubeletIsWell: (port: number) =>
      well !== undefined && (well === HEALTHZ_ELSEWHERE) === (port === HEALTHZ_ELSEWHERE),
    random: randomBytes,
    tell: (line: string) => said.push(words(line, configured)),
    ...servicesOf(told.services, runs),
  };
  const ended = (exit: number | undefined, message: string): Played => {
    const given = configured === undefined ? [] : givenBy(playing, configured);
    return {
      exit: exit === undefined ? undefined : ends(exit),
      message: words(message, configured),
      said,
      deeds,
      files: disk.left,
      milliseconds: clock.now() - begun,
      ...(given.length === 0 ? {} : { given }),
    };
  };
  try {
    if (instead !== undefined) return { ...ended(instead.exit, ''), said: [instead.said] };
    const read = configuration({ ...joiningDecisions, ...decisions });
    configured = playing.configuration?.(read) ?? read;
    const decided = { ...decisions, ...playing.decidesFor?.(configured) };
    await join({ machine, configuration: configured, decisions: decided, ...(until === undefined ? {} : { until }) });
    return ended(0, '');
  } catch (error) {
    if (error instanceof NeverEnds) return ended(undefined, error.message);
    if (error instanceof JoinFailed) return ended(1, error.message);
    throw error;
  }
}

/** Names of programs that are given what it is told and is to keep to itself. */
function givenBy({ starts }: Playing, configuration: JoinConfiguration): readonly string[] {
  const { discovery, controlPlane } = configuration;
  const secrets = [discovery.tlsBootstrapToken ?? '', controlPlane?.certificateKey ?? ''];
  return givenIn(starts?.(configuration) ?? [], [], secrets);
}

/** Lets the reference client join a liar, in virtual time. */
export const playLie = async (lie: Lie, playing: Playing = {}): Promise<Transcript> =>
  (await runAgainst(lie, playing)).transcript;

async function runAgainst(lie: Lie, playing: Playing): Promise<ClientRun> {
  const clock = virtualClock(playing.start ?? Date.now());
  const wire = new VirtualWire(lie, ENDPOINT, clock);
  const { liar } = wire;
  const approach = approachOf(liar);
  const played = await play(
    {
      wire,
      clock,
      given: approach.files,
      told: lie.told,
      present: approach.present,
      seen: () => liar.journal.length,
      ...(lie.etcd === undefined ? {} : { etcd: etcdAt(liar) }),
      startsPods: startsPods(lie),
      configuration: configurationFor(approach),
    },
    playing,
  );
  return {
    lie: lie.name,
    server: lie.server,
    ...believable(lie),
    truth: {
      ...truthOf(liar, approach),
      registration: { hostName: NODE, ...approach.registration },
      ...waitsOf(approach),
    },
    speaksKubeadm: playing.speaksKubeadm ?? true,
    transcript: {
      entries: liar.journal,
      astray: wire.astray,
      ...(lie.etcd === undefined ? {} : { etcd: liar.etcd.calls }),
      ...(!startsPods(lie) ? {} : { components: liar.components.calls }),
      ...played,
    },
  };
}

const byName = new Map(lies.map((lie) => [lie.name, lie]));

/** Lets the reference client, or another, join the server of this name; undefined: there is none. */
export async function joinNamed(server: string, another: AnotherClient): Promise<ClientRun | undefined> {
  const lie = byName.get(server);
  return lie === undefined ? undefined : runAgainst(lie, another);
}

/** The same over real sockets, in real time. */
export async function playLieOnWire(lie: Lie, playing: Playing = {}): Promise<Transcript> {
  const server = await LiarServer.start(lie);
  const { signal } = new AbortController();
  const { hostTrusts } = lie.told ?? {};
  const host = hostTrusts === undefined ? {} : { hostCaPem: bundleOf(server.liar.scene.cast, hostTrusts) };
  const wire = new NodeWire(signal, { userAgent: 'joinproof', ...host });
  try {
    const approach = approachOf(server.liar);
    const clock = { now: () => Date.now(), sleep: (milliseconds: number) => pause(milliseconds, signal) };
    const configuration = configurationFor(approach);
    const { files: given, present } = approach;
    const ground = { wire, clock, given, present, told: lie.told, configuration };
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
  (approach: Approach) =>
  (decisions: JoiningDecisions): JoinConfiguration => {
    const { discovery, byFlags } = approach;
    const { bootstrapToken, file, tlsBootstrapToken } = discovery;
    if (byFlags) {
      const flags = {
        endpoint: bootstrapToken?.apiServerEndpoint,
        token: bootstrapToken?.token ?? tlsBootstrapToken,
        tlsBootstrapToken,
        caCertHashes: bootstrapToken?.caCertHashes ?? [],
        unsafeSkipCAVerification: bootstrapToken?.unsafeSkipCAVerification,
        discoveryFile: file?.kubeConfigPath,
        nodeName: NODE,
      };
      return configurationOfFlags(flags, decisions);
    }
    // JSON is YAML.
    return readConfiguration(JSON.stringify(joinConfiguration(approach)), decisions);
  };

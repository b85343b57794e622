/**
 * The checks before init and join, in kubeadm's order, and what becomes of them.
 * Source: cmd/kubeadm/app/preflight/checks.go InitNodeChecks, JoinNodeChecks, RunChecks; cmd/phases/{init,join}/preflight.go.
 */
import { isIP } from 'node:net';
import type { Configuration } from '../configuration.js';
import { inRelease, type Release } from '../release.js';
import * as checks from './checks.js';
import { type Family, type PreflightDecisions, preflightDecisions } from './decisions.js';
import type { HostView } from './host.js';
import type { Check, Line } from './outcome.js';
import * as versions from './versions.js';

/** What a machine is told that joins. */
export interface JoinTold {
  readonly nodeName: string;
  readonly criSocket: string;
  readonly caCertPath: string;
  /** host:port of discovery by a token; undefined: by a file. */
  readonly endpoint?: string;
  /** The API server that a further control plane would run. */
  readonly controlPlane?: { readonly advertiseAddress: string; readonly bindPort: number };
}

/** What is going to be done. The cluster's version is that of the configuration. */
export type Task =
  | { readonly phase: 'init'; readonly configuration: Configuration }
  | { readonly phase: 'join'; readonly told: JoinTold };

export interface PreflightRun {
  readonly host: HostView;
  /** Of kubeadm. */
  readonly release: Release;
  /** Names of checks whose errors are warnings, in any case, or "all". */
  readonly ignored: readonly string[];
  readonly task: Task;
  readonly decisions?: Partial<PreflightDecisions>;
  /** What it makes of what it finds, instead. */
  readonly found?: (lines: readonly Line[], task: Task) => readonly Line[];
}

export interface Preflight {
  /** Warnings as they come, then errors, then what could not be found out. */
  readonly lines: readonly Line[];
  /** Why nothing was looked at. */
  readonly refused?: string;
  /** false: kubeadm would stop here. */
  readonly passed: boolean;
}

type Looking = checks.Looking;

const subnetsOf = (subnets: string | undefined): readonly string[] =>
  (subnets ?? '').split(',').filter((subnet) => subnet !== '');

/** Of addresses and subnets, those that are there: 4 before 6. */
const familiesOf = (texts: readonly string[]): readonly Family[] =>
  ([4, 6] as const).filter((family) => texts.some((text) => isIP(text.split('/')[0] ?? '') === family));

/** What every node is looked at for. `cluster`: its release; undefined where nobody knows it yet. */
function common(looking: Looking, node: Pick<JoinTold, 'nodeName' | 'criSocket'>, cluster?: Release): readonly Check[] {
  const { host, release, decisions } = looking;
  const isLinux = host.os === 'linux';
  const isDocker = decisions.isDocker(release, node.criSocket);
  const commands = isLinux ? decisions.commands(release, cluster?.minor) : versions.WINDOWS_COMMANDS;
  const early = isLinux && inRelease(release, versions.ALWAYS_IPV4);
  return [
    ...(isDocker
      ? [checks.dockerRuns(looking), checks.service(looking, { service: 'docker', mustBeActive: true })]
      : [checks.runtimeRuns(looking, node.criSocket), ...checks.runtimeConfigures(looking, node.criSocket)]),
    ...(early ? decisions.forwarding(release, [4]).map((path) => checks.fileIsOne(looking, path)) : []),
    ...(isLinux ? [checks.noSwap(looking)] : []),
    ...commands.filter(({ name }) => !isDocker || name !== 'crictl').map((one) => checks.inPath(looking, one)),
    checks.system(looking, isDocker),
    checks.nodeNameResolves(looking, node.nodeName),
    checks.kubeletVersion(looking, cluster),
    checks.service(looking, { service: 'kubelet', mustBeActive: false }),
    checks.portFree(looking, decisions.kubeletPort()),
  ];
}

/** What the kernel forwards. `texts`: addresses and subnets. */
function forwarding(looking: Looking, texts: readonly string[]): readonly Check[] {
  const { host, release, decisions } = looking;
  if (host.os !== 'linux') return [];
  const families = familiesOf(texts).filter((family) => family !== 4 || !inRelease(release, versions.ALWAYS_IPV4));
  return decisions.forwarding(release, families).map((path) => checks.fileIsOne(looking, path));
}

/** Of every control plane, whatever its cluster is like. */
function controlPlane(looking: Looking, bindPort: number): readonly Check[] {
  const { decisions } = looking;
  return [
    checks.firewalld(looking, [bindPort, decisions.kubeletPort()]),
    ...[bindPort, ...decisions.controlPlanePorts()].map((port) => checks.portFree(looking, port)),
    ...decisions.manifests().map((name) => checks.fileAbsent(looking, `/etc/kubernetes/manifests/${name}.yaml`)),
  ];
}

const ownEtcd = (looking: Looking, folder: string): readonly Check[] => [
  ...looking.decisions.etcdPorts().map((port) => checks.portFree(looking, port)),
  checks.folderEmpty(looking, folder),
];

const NO_ETCD = { endpoints: [], caFile: '', certFile: '', keyFile: '' };

/** Source: InitNodeChecks of the first control plane. */
function initChecks(looking: Looking, configuration: Configuration): readonly Check[] {
  const { advertiseAddress, bindPort, serviceSubnet, podSubnet, externalEtcd, release: cluster } = configuration;
  const subnets = [...subnetsOf(serviceSubnet), ...subnetsOf(podSubnet)];
  const { endpoints, caFile, certFile, keyFile } = externalEtcd ?? NO_ETCD;
  return [
    checks.processors(looking),
    checks.memory(looking),
    checks.kubernetesVersion(looking, cluster),
    ...controlPlane(looking, bindPort),
    checks.hostWithoutProxy(looking, advertiseAddress),
    ...subnets.map((subnet) => checks.subnetWithoutProxy(looking, subnet)),
    ...common(looking, configuration, cluster),
    ...forwarding(
      looking,
      inRelease(looking.release, versions.ALWAYS_IPV4) ? [advertiseAddress] : [...subnets, advertiseAddress],
    ),
    ...(externalEtcd === undefined
      ? ownEtcd(looking, configuration.etcdDataDir)
      : [
          checks.etcdVersion(
            looking,
            endpoints.map((endpoint) => ({ endpoint, caFile, certFile, keyFile })),
          ),
          ...[caFile, certFile, keyFile]
            .filter((file) => file !== '')
            .map((file) => checks.fileThere(looking, file, 'ExternalEtcdClientCertificates')),
        ]),
  ];
}

/** "[::1]:6443" → "::1"; undefined where there is no port. */
const hostOf = (endpoint: string | undefined): string | undefined => {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([^:]*)):\d*$/.exec(endpoint ?? '') ?? [];
  return bracketed ?? plain;
};

/** Source: JoinNodeChecks. */
function joinChecks(looking: Looking, told: JoinTold): readonly Check[] {
  const { decisions } = looking;
  const host = hostOf(told.endpoint);
  const absent = decisions.absentForJoin().map((name) => `/etc/kubernetes/${name}`);
  const isControlPlane = told.controlPlane !== undefined;
  return [
    ...absent.map((path) => checks.fileAbsent(looking, path)),
    ...common(looking, told),
    ...(decisions.caMustBeAbsent(isControlPlane) ? [checks.fileAbsent(looking, told.caCertPath)] : []),
    ...(host === undefined ? [] : [checks.hostWithoutProxy(looking, host), ...forwarding(looking, [host])]),
  ];
}

const DISCOVERED = ['KubernetesVersion', 'HTTPProxyCIDR', 'ExternalEtcdClientCertificates'];

/** What a further control plane is looked at for once it knows its cluster, as far as nobody need ask the cluster. */
function laterChecks(looking: Looking, { controlPlane: own }: JoinTold): readonly Check[] {
  if (own === undefined) return [];
  return [
    checks.processors(looking),
    checks.memory(looking),
    ...controlPlane(looking, own.bindPort),
    checks.hostWithoutProxy(looking, own.advertiseAddress),
    ...ownEtcd(looking, '/var/lib/etcd'),
    ...DISCOVERED.map(
      (name): Check => ({
        name,
        look: async () => [{ level: 'unknown', message: 'only the cluster knows what this check is about' }],
      }),
    ),
  ];
}

/** The lists, one after the other: one in which something fails is the last. */
function listsOf(looking: Looking, task: Task): readonly (readonly Check[])[] {
  const root = [checks.privileged(looking)];
  if (task.phase === 'join') return [root, joinChecks(looking, task.told), laterChecks(looking, task.told)];
  const { configuration } = task;
  const isDocker = looking.decisions.isDocker(looking.release, configuration.criSocket);
  const images = isDocker ? [] : [checks.runtimeForImages(looking, configuration.criSocket)];
  return [root, initChecks(looking, configuration), images];
}

const ORDER: readonly Line['level'][] = ['warning', 'error', 'unknown'];
const inOrder = <T extends Pick<Line, 'level'>>(all: readonly T[]): readonly T[] =>
  ORDER.flatMap((level) => all.filter((one) => one.level === level));

async function linesOf(list: readonly Check[]): Promise<readonly Line[]> {
  const all = await Promise.all(list.map(async ({ name, look }) => ({ name, said: await look() })));
  return all.flatMap(({ name, said }) => inOrder(said).map((one): Line => ({ check: name, ...one })));
}

/** Looks at the machine as kubeadm does before it begins. Changes nothing. */
export async function preflight(run: PreflightRun): Promise<Preflight> {
  const { host, release, task, found = (lines) => lines } = run;
  const decisions = { ...preflightDecisions, ...run.decisions };
  const ignored = new Set(run.ignored.map((name) => name.toLowerCase()));
  const refused = decisions.ignoredProblem(ignored);
  if (refused !== undefined) return { lines: [], refused, passed: false };
  const judged = (line: Line): Line =>
    line.level === 'error' && decisions.isIgnored(line.check, ignored) ? { ...line, level: 'warning' } : line;
  const all: Line[] = [];
  for (const list of listsOf({ host, release, decisions }, task)) {
    const lines = await linesOf(list);
    // Who is root is looked at alone.
    const told = (lines.length === 0 && list.length === 1 ? lines : found(lines, task)).map(judged);
    all.push(...inOrder(told));
    if (told.some(({ level }) => level === 'error')) return { lines: all, passed: false };
  }
  return { lines: all, passed: true };
}

/** "[ERROR Port-6443]: Port 6443 is in use", as kubeadm writes it. */
export const lineText = ({ level, check, message }: Line): string => `[${level.toUpperCase()} ${check}]: ${message}`;

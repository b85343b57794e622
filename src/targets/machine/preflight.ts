/** The checks of kubeadm before init and join: of this machine, or of one that is a folder. */
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { configurationOfFlags, type JoinConfiguration, readConfiguration } from '../../joining/configuration.js';
import { joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { problemsOf } from '../../joining/validation.js';
import { configure } from '../../kubeadm/configuration.js';
import { InitFailed } from '../../kubeadm/init/host.js';
import { readInit, type Told } from '../../kubeadm/init/reading.js';
import type { HostView } from '../../kubeadm/preflight/host.js';
import { type JoinTold, lineText, preflight, type Task } from '../../kubeadm/preflight/preflight.js';
import { repairOf } from '../../kubeadm/preflight/repairs.js';
import { NEWEST_RELEASE, type Release } from '../../kubeadm/release.js';
import { ConfigurationError } from '../errors.js';
import { openFolder } from '../node/folder.js';
import { folderHost } from '../preflight/folder-host.js';
import { thisHost } from '../preflight/this-host.js';
import { ownAddress, readConfigurationFile, releaseFor, rootOf } from './given.js';

export interface PreflightTask {
  readonly phase: 'init' | 'join';
  /** host:port of an API server, of a join without a configuration. */
  readonly endpoint?: string;
  /** A folder that is the machine's "/"; undefined: this machine. */
  readonly root?: string;
  readonly configurationFile?: string;
  /** Of kubeadm; default: that of the cluster, or the newest known. */
  readonly kubernetesVersion?: string;
  readonly ignoredChecks: readonly string[];
  warn(line: string): void;
}

/** One thing that was found. */
export interface Finding {
  readonly check: string;
  readonly level: 'error' | 'warning' | 'unknown';
  readonly message: string;
  readonly repair?: string;
  /** As kubeadm writes it. */
  readonly line: string;
}

export interface PreflightReport {
  readonly phase: PreflightTask['phase'];
  /** For people: "this host", or the folder. */
  readonly host: string;
  /** "1.36" */
  readonly kubeadm: string;
  readonly findings: readonly Finding[];
  /** false: kubeadm would stop. */
  readonly passed: boolean;
}

/** What there is to look at, and what it is called. */
interface Looked {
  readonly view: HostView;
  readonly name: string;
  /** In lower case. */
  readonly hostName: string;
}

async function hostOf(root: string | undefined): Promise<Looked> {
  if (root === undefined || rootOf(root) === '/')
    return { view: thisHost(), name: 'this host', hostName: hostname().toLowerCase() };
  const files = await openFolder(rootOf(root));
  const [entry] = await files.read(['/etc/hostname']);
  const hostName = entry?.text?.trim().toLowerCase() ?? '';
  return { view: folderHost(files), name: root, hostName: hostName === '' ? 'node' : hostName };
}

/** A task, the release of kubeadm, and what else is ignored. */
interface Planned {
  readonly task: Task;
  readonly release: Release;
  readonly ignored: readonly string[];
}

/** Throws InitFailed. */
function initPlan(content: string | undefined, { hostName }: Looked, task: PreflightTask): Planned {
  const given = task.kubernetesVersion === undefined ? undefined : releaseFor(task.kubernetesVersion);
  const release = given ?? releaseFor(NEWEST_RELEASE);
  const address = ownAddress();
  const surroundings = { hostName, address, release, caFolders: [], anyLater: true as const, warn: task.warn };
  const told: Told =
    content === undefined
      ? {
          configuration: configure({ release, nodeName: hostName, hostName, advertiseAddress: address }),
          ignoredChecks: [],
          namesVersion: false,
        }
      : readInit(content, surroundings);
  const { configuration, ignoredChecks, namesVersion } = told;
  const { minor } = configuration.release;
  const ofCluster = namesVersion && minor <= release.minor ? configuration.release : release;
  return { task: { phase: 'init', configuration }, release: given ?? ofCluster, ignored: ignoredChecks };
}

/** Throws JoinFailed. */
function joinPlan(content: string | undefined, { hostName }: Looked, task: PreflightTask): Planned {
  const { endpoint, kubernetesVersion = NEWEST_RELEASE } = task;
  const configuration: JoinConfiguration =
    content === undefined
      ? configurationOfFlags({ endpoint, caCertHashes: [] }, joiningDecisions)
      : readConfiguration(content, joiningDecisions);
  const { nodeRegistration, controlPlane, discovery, caCertPath } = configuration;
  const nodeName = (nodeRegistration.name === '' ? hostName : nodeRegistration.name).trim().toLowerCase();
  const judging = { decisions: joiningDecisions, nodeName, exists: existsSync };
  const problems = content === undefined ? [] : problemsOf(configuration, judging);
  if (problems.length > 0) throw new JoinFailed(problems.join(', '));
  const { criSocket, ignorePreflightErrors = [] } = nodeRegistration;
  const told: JoinTold = {
    nodeName,
    criSocket: criSocket.includes('://') ? criSocket : `unix://${criSocket}`,
    caCertPath,
    ...(discovery.bootstrapToken === undefined ? {} : { endpoint: discovery.bootstrapToken.apiServerEndpoint }),
    ...(controlPlane === undefined ? {} : { controlPlane }),
  };
  return { task: { phase: 'join', told }, release: releaseFor(kubernetesVersion), ignored: ignorePreflightErrors };
}

/** Throws ConfigurationError where kubeadm would refuse what it is told, in its words. */
export async function preflightMachine(given: PreflightTask): Promise<PreflightReport> {
  const looked = await hostOf(given.root);
  const file = given.configurationFile;
  const content = file === undefined ? undefined : await readConfigurationFile(file);
  const refuse = (why: string): never => {
    throw new ConfigurationError(`kubeadm would refuse what it is told before it looks at the machine: ${why}`);
  };
  let planned: Planned;
  try {
    planned = (given.phase === 'init' ? initPlan : joinPlan)(content, looked, given);
  } catch (error) {
    if (error instanceof InitFailed || error instanceof JoinFailed) return refuse(error.message);
    throw error;
  }
  const { task, release, ignored } = planned;
  const result = await preflight({
    host: looked.view,
    release,
    ignored: [...given.ignoredChecks, ...ignored],
    task,
  });
  if (result.refused !== undefined) return refuse(result.refused);
  return {
    phase: given.phase,
    host: looked.name,
    kubeadm: `1.${release.minor}`,
    findings: result.lines.map((line): Finding => {
      const repair = repairOf(line);
      return { ...line, ...(repair === undefined ? {} : { repair }), line: lineText(line) };
    }),
    passed: result.passed,
  };
}

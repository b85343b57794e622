/** What kubeadm is told before it looks at a machine, as a task for its checks. */
import { existsSync } from 'node:fs';
import { configurationOfFlags, type JoinConfiguration, readConfiguration } from '../../joining/configuration.js';
import { joiningDecisions } from '../../joining/decisions/index.js';
import { JoinFailed } from '../../joining/failures.js';
import { problemsOf } from '../../joining/validation.js';
import { configure } from '../../kubeadm/configuration.js';
import { type InitDecisions, initDecisions } from '../../kubeadm/init/decisions.js';
import { InitFailed } from '../../kubeadm/init/host.js';
import { readInit, type Told } from '../../kubeadm/init/reading.js';
import type { JoinTold, Task } from '../../kubeadm/preflight/preflight.js';
import { NEWEST_RELEASE, type Release } from '../../kubeadm/release.js';
import { ownAddress, releaseFor } from './given.js';

/** What is known beside the documents. */
export interface Beside {
  /** In lower case. */
  readonly hostName: string;
  /** Of kubeadm; default: that of the cluster, or the newest known. */
  readonly kubernetesVersion?: string;
  /** host:port of an API server, of a join without documents. */
  readonly endpoint?: string;
  /** Of init; default: as upstream. */
  readonly decisions?: InitDecisions;
  warn(line: string): void;
}

/** A task, the release of kubeadm, and what else is ignored. */
export interface Planned {
  readonly task: Task;
  readonly release: Release;
  readonly ignored: readonly string[];
  /** Of init: names of phases that are passed over, and the folder of patches. */
  readonly skipPhases?: readonly string[];
  readonly patches?: string | undefined;
}

/** Throws InitFailed. */
function initPlan(content: string | undefined, task: Beside): Planned {
  const { hostName } = task;
  const given = task.kubernetesVersion === undefined ? undefined : releaseFor(task.kubernetesVersion);
  const release = given ?? releaseFor(NEWEST_RELEASE);
  const address = ownAddress();
  const { decisions = initDecisions, warn } = task;
  const surroundings = { hostName, address, release, caFolders: [], anyLater: true as const, decisions, warn };
  const told: Told =
    content === undefined
      ? {
          configuration: configure({ release, nodeName: hostName, hostName, advertiseAddress: address }),
          ignoredChecks: [],
          skipPhases: [],
          namesVersion: false,
        }
      : readInit(content, surroundings);
  const { configuration, ignoredChecks, namesVersion, skipPhases, patches } = told;
  const { minor } = configuration.release;
  if (minor < release.minor - 1 && given !== undefined)
    throw new InitFailed(
      'this version of kubeadm only supports deploying clusters with the control plane version >= ' +
        `1.${release.minor - 1}.0. Current version: ${configuration.release.text}`,
    );
  const ofCluster = namesVersion && minor <= release.minor ? configuration.release : release;
  return {
    task: { phase: 'init', configuration },
    release: given ?? ofCluster,
    ignored: ignoredChecks,
    skipPhases,
    patches,
  };
}

/** Throws JoinFailed. */
function joinPlan(content: string | undefined, task: Beside): Planned {
  const { hostName, endpoint, kubernetesVersion = NEWEST_RELEASE } = task;
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

/** `content`: YAML; undefined: kubeadm's defaults. Throws what isRefusal knows, ConfigurationError. */
export const planOf = (phase: Task['phase'], content: string | undefined, beside: Beside): Planned =>
  (phase === 'init' ? initPlan : joinPlan)(content, beside);

/** kubeadm would refuse what it is told, in these words. */
export const isRefusal = (error: unknown): error is Error => error instanceof InitFailed || error instanceof JoinFailed;

/**
 * A machine joins: preflight, shared certificates, the files of the kubelet, TLS bootstrap.
 * Source: cmd/kubeadm/app/cmd/{join.go,phases/join/*.go}; what the kubelet does then is in kubelet.ts.
 */

import { hostPort } from '../kubeadm/configuration.js';
import { NEWEST_RELEASE, parseRelease, type Release } from '../kubeadm/release.js';
import { record, records, text } from '../kubernetes/json.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { AskingAgain } from './asking-again.js';
import { Calls, readObject } from './calls.js';
import { type Asking, type ClusterConfiguration, fetchClusterConfiguration } from './cluster-configuration.js';
import type { JoinConfiguration } from './configuration.js';
import { markControlPlane, prepareControlPlane, waitForControlPlane } from './control-plane.js';
import { type JoiningDecisions, joiningDecisions } from './decisions/index.js';
import type { Condition, Ended } from './decisions/joins.js';
import { type Discovered, discover } from './discovery.js';
import { checkEtcd, joinEtcd } from './etcd.js';
import { inContext, JoinFailed } from './failures.js';
import { Kubelet, type Outcome } from './kubelet.js';
import { goOn } from './kubelet-life.js';
import { restartKubelet, stopKubelet } from './kubelet-service.js';
import {
  asksToServe,
  KubeletDisk,
  kubeletFields,
  rotates,
  writeBootstrapKubeconfig,
  writeCa,
  writeKubeletFiles,
} from './node-files.js';
import type { Machine } from './ports.js';
import { preflight, pullImages } from './preflight.js';
import { downloadCerts } from './shared-certificates.js';
import { problemsOf } from './validation.js';
import { clusterOver } from './wire-cluster.js';

/**
 * Where a join ends: after discovery and preflight, with the shared certificates, before the kubelet starts, or with
 * its
 * certificate.
 */
export type Until = 'preflight' | 'download' | 'kubelet-start' | 'end';

export interface JoinOptions {
  readonly machine: Machine;
  readonly configuration: JoinConfiguration;
  /** Others than upstream's. */
  readonly decisions?: Partial<JoiningDecisions>;
  /** The release that the joining machine has; default the newest known. */
  readonly release?: Release;
  /** Default: to the end. */
  readonly until?: Until;
  /** Names of preflight checks that only warn, or "all". */
  readonly ignoredChecks?: readonly string[];
}

/** A join under way. */
interface Joining extends Asking {
  readonly configuration: JoinConfiguration;
  readonly nodeName: string;
  readonly discovered: Discovered;
  readonly cluster: ClusterConfiguration;
}

/** Resolves when the machine has joined; throws JoinFailed with the sentence that kubeadm would end with. */
export async function join(options: JoinOptions): Promise<void> {
  const { machine, configuration, until = 'end', release = parseRelease(NEWEST_RELEASE) } = options;
  const decisions = { ...joiningDecisions, ...options.decisions };
  const nodeName = nameOf(configuration, machine, decisions);
  const problems = problemsOf(configuration, { decisions, nodeName, exists: (path) => machine.given.exists(path) });
  if (problems.length > 0) throw new JoinFailed(problems.length === 1 ? problems.join() : `[${problems.join(', ')}]`);
  const found = await phase('preflight', async () => {
    const { ignorePreflightErrors = [] } = configuration.nodeRegistration;
    const isControlPlane = configuration.controlPlane !== undefined;
    const ignored = [...(options.ignoredChecks ?? []), ...ignorePreflightErrors];
    preflight(machine, decisions.mustBeAbsent(isControlPlane, configuration.caCertPath), ignored);
    const chance = (): number => machine.random(4).readUInt32BE() / 2 ** 32;
    const timeout = configuration.timeouts.discovery;
    const discovered = await discover({ machine, decisions, release, timeout, chance }, configuration);
    const asking = { machine, decisions, release, access: discovered.access };
    const cluster = await fetchClusterConfiguration(asking);
    checkControlPlane(asking, configuration, cluster);
    if (isControlPlane) {
      preflight(machine, decisions.mustBeAbsentOfControlPlane(), ignored);
      if (decisions.pullsImages() && configuration.dryRun !== true) pullImages(machine, ignored);
    }
    return { ...asking, discovered, cluster };
  });
  const joining = { ...found, configuration, nodeName };
  if (until === 'preflight') return;
  if (configuration.dryRun === true && decisions.changesNothing()) {
    machine.tell('Would write the files of the kubelet, and let it bootstrap');
    return;
  }
  const key = configuration.controlPlane?.certificateKey ?? '';
  if (decisions.downloadsCertificates(configuration.controlPlane !== undefined, key))
    await phase('control-plane-prepare/download-certs', () => downloadCerts(joining, joining.cluster, key));
  if (until === 'download') return;
  await phase('control-plane-prepare', () => prepareControlPlane(joining));
  await phase('check-etcd', () => checkEtcd(joining));
  if (!decisions.startsKubeletFirst()) await phase('etcd-join', () => joinEtcd(joining));
  await startKubelet(joining);
  if (until === 'kubelet-start') return;
  if (decisions.startsKubeletFirst()) await phase('etcd-join', () => joinEtcd(joining));
  const kubelet = await phase('kubelet-wait-bootstrap', () => bootstrap(joining));
  await phase('control-plane-join/mark-control-plane', () => markControlPlane(joining));
  await phase('wait-control-plane', () => waitForControlPlane(joining));
  machine.tell(
    configuration.controlPlane === undefined || machine.startsPods === true
      ? 'This node has joined the cluster'
      : 'This node has joined the cluster and its kubelet is bootstrapped; its Node is not marked, and its control plane is not started',
  );
  const { clock, kubeletGoesOn: within } = machine;
  if (within !== undefined) {
    const { kubelet: told } = found.cluster;
    await goOn(kubelet, { clock, decisions, within, renews: rotates(told), serves: asksToServe(told) });
  }
}

const phase = <T>(name: string, act: () => Promise<T>): Promise<T> => inContext(`error execution phase ${name}`, act);

const nameOf = ({ nodeRegistration }: JoinConfiguration, { hostName }: Machine, decisions: JoiningDecisions): string =>
  decisions.nodeName(nodeRegistration.name === '' ? hostName : nodeRegistration.name).trim();

/** What a control plane must have where it downloads nothing. Source: phases/certs SharedCertificateExists. */
const SHARED = [
  ['ca.crt', 'certificate for CA', 'certificate'],
  ['sa.key', 'key for service account', 'private key'],
  ['front-proxy-ca.crt', 'certificate for front-proxy CA', 'certificate'],
  ['etcd/ca.crt', 'certificate for etcd CA', 'certificate'],
] as const;

const notReady = (why: string): JoinFailed =>
  new JoinFailed(
    `\nOne or more conditions for hosting a new control plane instance is not satisfied.\n\n${why}\n\n` +
      'Please ensure that:\n* The cluster has a stable controlPlaneEndpoint address.\n' +
      '* The certificates that must be shared among control plane instances are provided.',
  );

function checkControlPlane(asking: Asking, { controlPlane }: JoinConfiguration, cluster: ClusterConfiguration): void {
  if (controlPlane === undefined) return;
  const { decisions, machine } = asking;
  const { certificatesDir, controlPlaneEndpoint } = cluster;
  if (!decisions.isReadyForControlPlane(controlPlaneEndpoint))
    throw notReady(
      "unable to add a new control plane instance to a cluster that doesn't have a stable controlPlaneEndpoint address",
    );
  if (controlPlane.certificateKey !== '' || !decisions.needsSharedFiles()) return;
  const missing = SHARED.map(([name, ...what]) => [`${certificatesDir}/${name}`, ...what] as const)
    .filter(([path]) => !machine.files.exists(path))
    .map(
      ([path, what, kind]) =>
        `failure loading ${what}: couldn't load the ${kind} file ${path}: open ${path}: no such file or directory`,
    );
  if (missing.length > 0) throw notReady(`[${missing.join(', ')}]`);
}

/** The server that the kubelet is told: of a control plane its own, which is not started here. */
function kubeletServer({ configuration: { controlPlane }, discovered, decisions, release }: Joining): string {
  const own = controlPlane && `https://${hostPort(controlPlane.advertiseAddress, controlPlane.bindPort)}`;
  return decisions.bootstrapServer(discovered.server, own, release);
}

/** Phase kubelet-start: files, and no Node of that name that is Ready. */
async function startKubelet(joining: Joining): Promise<void> {
  const { configuration, discovered, cluster, decisions, machine, nodeName } = joining;
  try {
    await phase('kubelet-start', async () => {
      writeBootstrapKubeconfig(joining, discovered, kubeletServer(joining));
      writeCa(joining, configuration.caCertPath, discovered.caPem);
      if (decisions.looksForNode('before')) await checkNode(joining);
      stopKubelet(machine, decisions);
      writeKubeletFiles(joining, configuration, { ...cluster, nodeName });
      machine.tell('[kubelet-start] Starting the kubelet');
      restartKubelet(machine, decisions);
      if (decisions.looksForNode('after')) await checkNode(joining);
    });
  } catch (error) {
    removeBootstrapFile(joining, 'failed before the kubelet');
    throw error;
  }
}

function removeBootstrapFile({ machine, decisions, release }: Joining, ended: Ended): void {
  if (decisions.removesBootstrapFile(ended, release)) machine.files.remove(decisions.bootstrapFile());
}

async function checkNode({ machine, decisions, access, nodeName }: Joining): Promise<void> {
  const result = await new Calls(machine, decisions).make(access, {
    path: pathOf(resources.nodes, { name: nodeName }),
  });
  const got = readObject(result, 'Node', { resource: 'nodes', name: nodeName });
  if (got.kind === 'not') {
    if (decisions.nodeMustBeKnown(got.status)) throw new JoinFailed(`cannot get Node "${nodeName}": ${got.why}`);
    return;
  }
  const conditions = records(record(got.object.status).conditions).map(
    (one): Condition => ({ type: text(one.type), status: text(one.status) }),
  );
  if (decisions.isTaken(conditions))
    throw new JoinFailed(
      `a Node with name "${nodeName}" and status "Ready" already exists in the cluster. ` +
        'You must delete the existing Node or change the name of this new joining Node',
    );
}

/** Phase kubelet-wait-bootstrap, and the kubelet that it waits for. */
async function bootstrap(joining: Joining): Promise<Kubelet> {
  const { machine, decisions, configuration } = joining;
  let ended: Ended = 'not bootstrapped';
  try {
    const { healthzPort } = kubeletFields(joining.cluster.kubelet);
    const port = decisions.healthPort(typeof healthzPort === 'number' ? healthzPort : undefined);
    if (decisions.waitsForHealth() && port !== 0 && machine.kubeletIsWell?.(port) === false) {
      await machine.clock.sleep(configuration.timeouts.kubeletHealthCheck);
      throw new JoinFailed('failed while waiting for the kubelet to start: context deadline exceeded');
    }
    machine.tell('[kubelet-start] Waiting for the kubelet to perform the TLS Bootstrap');
    const kubelet = await bootstrapped(joining);
    ended = 'bootstrapped';
    return kubelet;
  } finally {
    removeBootstrapFile(joining, ended);
  }
}

/** Why a bootstrap has come to nothing. */
function whyNot(outcome: Exclude<Outcome, { readonly kind: 'had' | 'issued' | 'waiting' }>): string {
  switch (outcome.kind) {
    case 'unable':
      return outcome.why;
    case 'deleted':
      return `the request ${outcome.name} is there no more`;
    case 'refused': {
      const { body, text: answer } = outcome.answer;
      return `cannot create certificate signing request: ${text(record(body).message) || answer}`;
    }
    default:
      return `the request ${outcome.name} is ${outcome.kind}`;
  }
}

/**
 * Starts a kubelet, again and again, until it has its certificate. It asks at the server that was discovered, also
 * where
 * it is told that of its own machine. Throws JoinFailed when the time is over.
 */
async function bootstrapped(joining: Joining): Promise<Kubelet> {
  const { machine, decisions, configuration, discovered, nodeName, cluster, access } = joining;
  const { clock } = machine;
  const end = clock.now() + configuration.timeouts.tlsBootstrap;
  const view = clusterOver(new Calls(machine, decisions), clock, access);
  const again = new AskingAgain(machine, '[kubelet-start]');
  const kubelet = new Kubelet({
    waits: (why) => again.because(why),
    cluster: { ...view, server: kubeletServer(joining) },
    nodeName,
    ...(access.token === undefined ? {} : { token: access.token }),
    ...(access.certificate === undefined ? {} : { certificate: access.certificate }),
    disk: new KubeletDisk(joining, discovered.caPem),
    rotate: rotates(cluster.kubelet),
    decisions,
  });
  for (let failed = 1; ; failed += 1) {
    const outcome = await kubelet.start(Math.max(0, end - clock.now()));
    if (outcome.kind === 'issued' || outcome.kind === 'had') return kubelet;
    if (outcome.kind !== 'waiting') again.because(whyNot(outcome));
    const pause = decisions.bootstrapPause(failed);
    if (clock.now() + pause >= end) {
      await clock.sleep(Math.max(0, end - clock.now()));
      throw new JoinFailed('failed while waiting for TLS bootstrap: context deadline exceeded');
    }
    await clock.sleep(pause);
  }
}

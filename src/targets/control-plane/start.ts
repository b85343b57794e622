/** Starts one control plane: files, etcd, kube-apiserver, controllers, objects, each with a time limit. */
import { join } from 'node:path';
import type { ControlPlaneComponent } from '../../kubeadm/components.js';
import type { Configuration } from '../../kubeadm/configuration.js';
import { argumentsOf } from '../../kubeadm/flags.js';
import { grantsFor } from '../../kubeadm/rbac.js';
import { NEWEST_RELEASE, parseRelease } from '../../kubeadm/release.js';
import { CLUSTER_INFO, KUBE_PUBLIC, KUBE_SYSTEM, SIGNATURE_KEY_PREFIX } from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import { resources } from '../../kubernetes/resources.js';
import { ConfigurationError, TargetUnreachable } from '../errors.js';
import type { HttpTarget } from '../http-target.js';
import { pause } from '../pause.js';
import type { Switches } from '../types.js';
import type { Binaries } from './binaries.js';
import { writeCertificates } from './certificates.js';
import { configurationOf } from './configuration.js';
import { extraArgsOf, type Ports } from './flags.js';
import { Kubeadm } from './kubeadm.js';
import { freePorts } from './ports.js';
import { endedEarly, lastWords, type Processes, type Running } from './processes.js';

const READY_MS = 60_000;
const SETTLED_MS = 15_000;
export const POLL_MS = 50;

/**
 * What `kubeadm init` writes into a running cluster, for folders without kubeadm. Given by whoever has a library for
 * it.
 */
export type InitPhases = (
  target: HttpTarget,
  at: {
    readonly folder: string;
    readonly version: string;
    readonly switches: Switches;
    readonly only?: 'bootstrap-token';
  },
) => Promise<void>;

export interface StartOptions {
  readonly binaries: Binaries;
  readonly processes: Processes;
  readonly switches: Switches;
  readonly signal: AbortSignal;
  readonly initPhases?: InitPhases;
  /** A target of the kubeconfig with this name in the folder. */
  readonly connect: (name: 'admin' | 'super-admin') => Promise<HttpTarget>;
}

/** What further API servers beside a control plane share with it. */
export interface Site {
  readonly binaries: Binaries;
  readonly processes: Processes;
  readonly configuration: Configuration;
  readonly ports: Ports;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
}

/**
 * Throws ConfigurationError with the last words of what failed; the caller closes `processes` in any case. Returns the
 * admin's target, and what further API servers beside it need.
 */
export async function start(options: StartOptions): Promise<{ readonly target: HttpTarget; readonly site: Site }> {
  const { binaries, processes, switches, signal } = options;
  const { folder } = processes;
  const [apiServer = 0, etcd = 0, etcdPeer = 0, controllerManager = 0] = await freePorts(4);
  const configuration = configurationOf(folder, apiServer, binaries.version, switches);
  const kubeadm =
    binaries.kubeadm === undefined
      ? undefined
      : new Kubeadm({
          file: binaries.kubeadm,
          minor: binaries.kubeadmMinor ?? binaries.minor,
          folder,
          signal,
          watch: (pid) => processes.watch(pid),
        });
  if (kubeadm === undefined) await writeCertificates(configuration);
  else await kubeadm.files(configuration, binaries.version, switches);
  signal.throwIfAborted();
  const ports = { etcd, etcdPeer, controllerManager };
  const extraArgs = extraArgsOf(ports, switches);
  const commandLine = (component: ControlPlaneComponent): readonly string[] =>
    argumentsOf(component, configuration, extraArgs);
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: folder, TMPDIR: folder };
  const running = [
    await processes.start('etcd', binaries.etcd, commandLine('etcd'), env),
    await processes.start('kube-apiserver', binaries.apiServer, commandLine('kube-apiserver'), env),
  ];
  // What setting up asks is no evidence: it goes over a client of its own.
  const maker = await options.connect('super-admin');
  try {
    await ready(maker, running, signal);
    if (binaries.controllerManager !== undefined) {
      running.push(
        await processes.start(
          'kube-controller-manager',
          binaries.controllerManager,
          commandLine('kube-controller-manager'),
          env,
        ),
      );
    }
    await bindAdmins(maker);
    if (switches.bare !== true) {
      await failing(running, signal, async () => {
        if (kubeadm !== undefined) await kubeadm.objects(maker, configuration.nodeName);
        else await options.initPhases?.(maker, { folder, version: binaries.version, switches });
      });
    }
    if (binaries.controllerManager !== undefined) await settled(maker, running, switches, signal);
  } finally {
    await maker.close();
  }
  return {
    target: await options.connect('admin'),
    site: { binaries, processes, configuration, ports, env, signal },
  };
}

/** Runs `act`; where a process ends meanwhile, that is the reason to give, and `act` is told to stop. */
async function failing<T>(
  running: readonly Running[],
  signal: AbortSignal,
  act: (stop: AbortSignal) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let over = false;
  const death = Promise.race(
    running.map(async (one) => {
      const how = await one.ended;
      if (over || signal.aborted) return new Promise<never>(() => undefined);
      throw await endedEarly(one, how);
    }),
  );
  death.catch(() => undefined);
  try {
    return await Promise.race([act(AbortSignal.any([signal, stop.signal])), death]);
  } finally {
    over = true;
    stop.abort();
  }
}

export async function ready(target: HttpTarget, running: readonly Running[], signal: AbortSignal): Promise<void> {
  const end = Date.now() + READY_MS;
  let last = 'it did not answer';
  await failing(running, signal, async (stop) => {
    while (!stop.aborted) {
      try {
        const answer = await target.admin.ask({ path: '/readyz', timeoutMs: 5_000 });
        if (answer.status === 200) return;
        last = `GET /readyz answered ${answer.status}`;
      } catch (error) {
        if (!(error instanceof TargetUnreachable) || stop.aborted) throw error;
        last = error.message;
      }
      if (Date.now() > end) {
        const words = await lastWords(running.at(-1)?.log ?? '');
        throw new ConfigurationError(`kube-apiserver was not ready after ${READY_MS / 1000} s (${last}): ${words}`);
      }
      await pause(POLL_MS, stop);
    }
  });
}

/** What wait-control-plane does of old: admin.conf gets its rights by a binding, as the newest kubeadm writes it. */
async function bindAdmins(target: HttpTarget): Promise<void> {
  for (const binding of grantsFor('admin', parseRelease(NEWEST_RELEASE)))
    await target.admin.create<KubeObject>(resources.clusterRoleBindings, binding);
}

/**
 * Until the controllers have begun: they made a ServiceAccount and signed cluster-info. What does not come in time is
 * for the rules to judge.
 */
async function settled(
  target: HttpTarget,
  running: readonly Running[],
  switches: Switches,
  signal: AbortSignal,
): Promise<void> {
  const end = Date.now() + SETTLED_MS;
  const isSigned = async (): Promise<boolean> => {
    const info = await target.admin.get<ConfigMap>(resources.configMaps, CLUSTER_INFO, KUBE_PUBLIC);
    return info === undefined || Object.keys(info.data ?? {}).some((key) => key.startsWith(SIGNATURE_KEY_PREFIX));
  };
  await failing(running, signal, async (stop) => {
    while (Date.now() < end && !stop.aborted) {
      const account = await target.admin.get(resources.serviceAccounts, 'default', KUBE_SYSTEM);
      if (account !== undefined && (switches.bootstrapSigner === false || (await isSigned()))) return;
      await pause(POLL_MS, stop);
    }
  });
}

export const kubeconfigOf = (folder: string, name: string): string => join(folder, `${name}.conf`);

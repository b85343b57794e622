/** A control plane of ours, made of the real programs in a folder: started on loopback, judged, and thrown away. */
import { newRun } from './cluster.js';
import { bearerCredential, type Connection } from './connection.js';
import { startBeside } from './control-plane/beside.js';
import { type Binaries, findBinaries } from './control-plane/binaries.js';
import { Kubeadm } from './control-plane/kubeadm.js';
import { onFreePorts } from './control-plane/ports.js';
import { endStale, makeFolder } from './control-plane/process-record.js';
import { Processes } from './control-plane/processes.js';
import { type InitPhases, kubeconfigOf, type Site, start } from './control-plane/start.js';
import { ConfigurationError, TargetUnreachable } from './errors.js';
import { ExtensionServers } from './extension-server.js';
import { HttpTarget } from './http-target.js';
import { loadKubeconfig } from './kubeconfig.js';
import { Redactor } from './redaction.js';
import type { Abilities, Switches, Target } from './types.js';
import { versionIn } from './version.js';

export type { InitPhases };

/** kubeadm and kubelet of the folder, as machines that join. */
export interface JoiningPrograms {
  readonly kubeadm: string;
  readonly kubelet?: string | undefined;
}

export interface ControlPlaneOptions {
  /** Default: KUBEBUILDER_ASSETS. */
  readonly folder?: string;
  readonly signal?: AbortSignal;
  readonly switches?: Switches;
  /** Used where the folder has no kubeadm; without it such a control plane is a bare one. */
  readonly initPhases?: InitPhases;
  /** Lets the programs of the folder join servers of ours; without it nobody joins. */
  readonly joining?: (programs: JoiningPrograms) => Promise<Pick<Target, 'abilities' | 'close'>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Told what is being done, for progress ("starting kube-apiserver 1.36.0"). */
  readonly progress?: (doing: string) => void;
}

/**
 * Takes some 5 s. Throws ConfigurationError where the folder or its programs cannot be used; nothing is left behind
 * then.
 * After a SIGKILL a watchdog ends the processes; what it missed is ended here or by `joinproof sweep`.
 */
export async function openControlPlane(options: ControlPlaneOptions = {}): Promise<Target> {
  const folder = options.folder ?? (options.env ?? process.env).KUBEBUILDER_ASSETS;
  if (folder === undefined || folder === '') {
    throw new ConfigurationError(
      '--control-plane needs a folder that holds etcd and kube-apiserver; give one, or set KUBEBUILDER_ASSETS.',
    );
  }
  const binaries = await findBinaries(folder);
  await endStale();
  const joining = await openJoining(binaries, options);
  try {
    return await open(binaries, options.switches ?? {}, { ...options, ...joining }, new Redactor());
  } catch (error) {
    await joining.closeClient?.();
    throw error;
  }
}

/**
 * What kubeadm of the folder is judged by beside the cluster that it has set up. Not the disk of a control plane that
 * it joined: that is one of another cluster, and rules compare disks with objects.
 */
type OfKubeadm = Pick<Partial<Abilities>, 'client' | 'preflight' | 'uploads'>;

/** What the target knows of its joining client: it, or why there is none. */
interface Joining {
  readonly ofKubeadm?: OfKubeadm;
  readonly closeClient?: () => Promise<void>;
  readonly noClient?: string;
}

async function openJoining({ folder, kubeadm, kubelet }: Binaries, { joining }: ControlPlaneOptions): Promise<Joining> {
  if (joining === undefined) return {};
  if (kubeadm === undefined) return { noClient: `${folder} has no kubeadm: nobody joins` };
  try {
    const { abilities, close } = await joining({ kubeadm, ...(kubelet === undefined ? {} : { kubelet }) });
    const { client, preflight, uploads } = abilities;
    const ofKubeadm: OfKubeadm = {
      ...(client === undefined ? {} : { client }),
      ...(preflight === undefined ? {} : { preflight }),
      ...(uploads === undefined ? {} : { uploads }),
    };
    return { ofKubeadm, closeClient: () => close() };
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof TargetUnreachable) return { noClient: error.message };
    throw error;
  }
}

const lackingKubeadm = (why: string) => ({ client: why, preflight: why, uploads: why });

const nameOf = ({ version }: Binaries, server: string, what: string): string =>
  `Kubernetes ${version} at ${server} (${what})`;

const open = (
  binaries: Binaries,
  switches: Switches,
  options: ControlPlaneOptions & Joining,
  redactor: Redactor,
): Promise<HttpTarget> => onFreePorts(() => openOnce(binaries, switches, options, redactor));

async function openOnce(
  binaries: Binaries,
  switches: Switches,
  options: ControlPlaneOptions & Joining,
  redactor: Redactor,
): Promise<HttpTarget> {
  const signal = options.signal ?? new AbortController().signal;
  options.progress?.(`starting kube-apiserver ${binaries.version}`);
  const processes = new Processes(await makeFolder());
  const twins = new Set<Promise<Target>>();
  const extensions = new ExtensionServers();
  const repeatBootstrapPhase = async (): Promise<void> => {
    const { kubeadm, kubeadmMinor, minor, version } = binaries;
    const { folder } = processes;
    if (kubeadm !== undefined)
      return new Kubeadm({
        file: kubeadm,
        minor: kubeadmMinor ?? minor,
        folder,
        signal,
        watch: (pid) => processes.watch(pid),
      }).repeatBootstrapToken();
    if (options.initPhases === undefined)
      throw new ConfigurationError(`${binaries.folder} has no kubeadm to run a phase of init again.`);
    const admin = await connect('admin');
    try {
      await options.initPhases(admin, { folder, version, switches, only: 'bootstrap-token' });
    } finally {
      await admin.close();
    }
  };
  const targetOf = (connection: Connection, onClose?: () => Promise<void>): HttpTarget =>
    new HttpTarget({
      kind: 'control-plane',
      connection,
      signal,
      run: newRun(),
      disposable: true,
      redactor,
      variants: {
        extension: (serving) => extensions.open(serving),
        open: (other) => {
          const { ofKubeadm: _, closeClient: __, ...own } = options;
          const twin =
            other.alone === undefined
              ? open(binaries, other, own, redactor)
              : onFreePorts(() => beside(other, other.alone ?? { named: '' }));
          twins.add(twin);
          return twin;
        },
      },
      init: { repeatBootstrapToken: () => repeatBootstrapPhase() },
      ...options.ofKubeadm,
      ...(onClose === undefined ? {} : { onClose }),
    });
  const connect = async (name: 'admin' | 'super-admin', onClose?: () => Promise<void>): Promise<HttpTarget> => {
    const loaded = await loadKubeconfig({ kubeconfig: kubeconfigOf(processes.folder, name), env: {}, terminal: false });
    return targetOf({ ...loaded, name: nameOf(binaries, loaded.server, 'started by joinproof') }, onClose);
  };
  let site: Site | undefined;
  const beside = async (
    other: Switches,
    { named, adminToken }: NonNullable<Switches['alone']>,
  ): Promise<HttpTarget> => {
    if (site === undefined)
      throw new ConfigurationError('No API server can be started beside one that has not started.');
    const loaded = await loadKubeconfig({
      kubeconfig: kubeconfigOf(processes.folder, 'super-admin'),
      env: {},
      terminal: false,
    });
    options.progress?.(`starting kube-apiserver ${binaries.version} ${named}`);
    const target = await startBeside(site, other, async (port, end) => {
      const server = `https://127.0.0.1:${port}`;
      const name = nameOf(binaries, server, `started by joinproof ${named}`);
      const token = adminToken === undefined ? {} : { credential: bearerCredential(adminToken) };
      return targetOf({ ...loaded, server, name, ...token }, end);
    });
    target.declare({
      facts: {
        anonymous: true,
        controllers: 'an API server was started alone, without controllers',
        kubeadm: 'an API server was started alone, and nobody has set it up',
        fresh: true,
        ours: true,
        inProcess: 'the API server is another process',
      },
      absent: ['controllers', 'kubeadm'],
      signs: [],
      lacks: {},
      version: versionIn(await target.admin.ask({ path: '/version' })),
    });
    return target;
  };
  try {
    const started = await start({
      binaries,
      processes,
      switches,
      signal,
      ...(options.initPhases === undefined ? {} : { initPhases: options.initPhases }),
      connect: (name) =>
        name === 'super-admin'
          ? connect(name)
          : connect(name, async () => {
              const opened = await Promise.allSettled(twins);
              await Promise.all(opened.map((twin) => (twin.status === 'fulfilled' ? twin.value.close() : undefined)));
              await extensions.close();
              await options.closeClient?.();
              await processes.close();
            }),
    });
    site = started.site;
    const { target } = started;
    const bare = switches.bare === true || (binaries.kubeadm === undefined && options.initPhases === undefined);
    target.declare({
      facts: {
        anonymous: true,
        controllers:
          binaries.controllerManager !== undefined ||
          `${binaries.folder} has no kube-controller-manager: nothing signs, cleans or approves`,
        kubeadm: !bare || 'the control plane was started bare, without the phases of kubeadm',
        fresh: true,
        ours: true,
        inProcess: 'the control plane is other processes',
      },
      absent: binaries.controllerManager === undefined ? ['controllers'] : [],
      signs: bare ? [] : ['joinproof has set it up as kubeadm does'],
      lacks: options.noClient === undefined ? {} : lackingKubeadm(options.noClient),
      version: versionIn(await target.admin.ask({ path: '/version' })),
    });
    return target;
  } catch (error) {
    await processes.close();
    throw error;
  }
}

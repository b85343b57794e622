/**
 * What a join asks after it has found its cluster, what it writes and what it removes.
 * Source: cmd/kubeadm/app/cmd/phases/join/*.go; cmd/kubeadm/app/constants/constants.go.
 */
import { inRelease, type Release } from '../../kubeadm/release.js';
import { INSTANCE_CONFIG, PAUSE_IMAGE_NAMED } from '../../kubeadm/release-features.js';
import { BOOTSTRAP_KUBECONFIG, KUBELET_KUBECONFIG } from '../names.js';

/** A condition of a Node. */
export interface Condition {
  readonly type: string;
  readonly status: string;
}

/** How the phase ended after which bootstrap-kubelet.conf may go. */
export type Ended = 'bootstrapped' | 'not bootstrapped' | 'failed before the kubelet';

/** What is written, by what it is. */
export type Written =
  | 'kubeconfig'
  | 'certificate'
  | 'public key'
  | 'private key'
  | 'kubelet configuration'
  | 'kubelet pair';

const MODES: Readonly<Record<Written, number>> = {
  kubeconfig: 0o600,
  certificate: 0o644,
  'public key': 0o644,
  'private key': 0o600,
  'kubelet configuration': 0o644,
  'kubelet pair': 0o600,
};

export const joinDecisions = {
  /** The oldest minor of a cluster that this release joins. Source: constants.go MinimumControlPlaneVersion. */
  oldestControlPlane: (release: Release): number => release.minor - 1,

  /** Whether a kube-proxy configuration that cannot be had is done without: missing or forbidden. */
  goesOnWithoutProxy: (status: number | undefined): boolean => status === 404 || status === 403,

  /** Whether a dry run leaves the machine and the cluster as they are. Source: join.go, dryRunDir. */
  changesNothing: (): boolean => true,

  /** Files that hinder a join where they are there already. Source: preflight/checks.go JoinNodeChecks. */
  mustBeAbsent: (isControlPlane: boolean, caFile: string): readonly string[] => [
    KUBELET_KUBECONFIG,
    BOOTSTRAP_KUBECONFIG,
    ...(isControlPlane ? [] : [caFile]),
  ],

  /** Files that hinder a control plane where they are there already. Source: preflight/checks.go InitNodeChecks. */
  mustBeAbsentOfControlPlane: (): readonly string[] =>
    ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
      (name) => `/etc/kubernetes/manifests/${name}.yaml`,
    ),

  /** Whether a control plane has its images before anything is written. Source: preflight/checks.go RunPullImagesCheck. */
  pullsImages: (): boolean => true,

  /** Where the bootstrap kubeconfig lies. Source: GetBootstrapKubeletKubeConfigPath. */
  bootstrapFile: (): string => BOOTSTRAP_KUBECONFIG,

  /** Where the kubeconfig of the kubelet lies. Source: GetKubeletKubeConfigPath. */
  kubeletFile: (): string => KUBELET_KUBECONFIG,

  /** The mode of a file. Source: clientcmd WriteToFile; client-go, util/cert and util/keyutil. */
  fileMode: (what: Written): number => MODES[what],

  /**
   * The server in the bootstrap kubeconfig: of a control plane its own API server (since 1.33; from 1.31 behind a
   * gate).
   * Source: kubelet.go runKubeletStartJoinPhase.
   */
  bootstrapServer: (discovered: string, own: string | undefined, release: Release): string =>
    own !== undefined && inRelease(release, { since: 33 }) ? own : discovered,

  /** What it is told before the kubelet is configured anew. Source: initsystem_unix.go SystemdInitSystem.ServiceStop. */
  stopCommands: (): readonly string[] => ['stop kubelet'],

  /** What the service manager is told, in order. Source: initsystem_unix.go SystemdInitSystem.ServiceRestart. */
  restartCommands: (): readonly string[] => ['daemon-reload', 'restart kubelet'],

  /** Whether a machine without a service manager, or whose manager knows no kubelet, joins all the same. */
  goesOnWithoutService: (): boolean => true,

  /** Whether a service is restarted that the manager does not know. */
  restartsUnknownService: (): boolean => true,

  /** Whether a restart that fails only warns. */
  goesOnWithoutRestart: (): boolean => true,

  /** Whether the CA is written: only where there is no file yet. */
  writesCa: (isThere: boolean): boolean => !isThere,

  /** Whether a join looks for a Node of its name, with the token, before or after its kubelet is started. */
  looksForNode: (at: 'before' | 'after'): boolean => at === 'before',

  /** Whether a Node of its name hinders a join: one that is Ready. */
  isTaken: (conditions: readonly Condition[]): boolean =>
    conditions.some(({ type, status }) => type === 'Ready' && status === 'True'),

  /** Whether a failed look for the Node hinders it: any but its absence. */
  nodeMustBeKnown: (status: number | undefined): boolean => status !== 404,

  /**
   * Whether the bootstrap kubeconfig is removed: since 1.33 by the phase that waits for the bootstrap, however that
   * ends, and by nobody where a phase before it fails; before by any end. Source: kubelet.go, deferred removals.
   */
  removesBootstrapFile: (ended: Ended, release: Release): boolean =>
    ended !== 'failed before the kubelet' || inRelease(release, { until: 32 }),

  /** Whether a kubelet that never says that it is well ends the join. Source: kubelet.go, WaitForKubelet. */
  waitsForHealth: (): boolean => true,

  /** Where it says so, by kubelet-config; 0: nowhere. Source: WaitForKubelet. */
  healthPort: (configured: number | undefined): number => configured ?? 10_248,

  /** Milliseconds that a kubelet has to become well. Source: constants.go, kubeletHealthCheck. */
  healthTimeout: (): number => 240_000,

  /** Milliseconds that the TLS bootstrap may take. Source: constants.go TLSBootstrapTimeout. */
  bootstrapTimeout: (): number => 300_000,

  /**
   * Milliseconds until a kubelet asks again whose request was refused; `failed` counts from one.
   * Source: client-go, util/certificate/certificate_manager.go, backoff of rotateCerts.
   */
  bootstrapPause: (failed: number): number => (failed <= 4 ? 2_000 * 2 ** (failed - 1) : 32_000),

  /** Names in kubelet.conf. Source: pkg/kubelet/certificate/bootstrap/bootstrap.go writeKubeconfigFromBootstrapping. */
  kubeletNames: (): { readonly cluster: string; readonly user: string; readonly context: string } => ({
    cluster: 'default-cluster',
    user: 'default-auth',
    context: 'default-context',
  }),

  /** Whether a control plane can be added: the cluster has an endpoint that all of them share. */
  isReadyForControlPlane: (controlPlaneEndpoint: string): boolean => controlPlaneEndpoint !== '',

  /** Whether a control plane that downloads nothing must have the shared files. */
  needsSharedFiles: (): boolean => true,

  /** Whether shared certificates are downloaded: by a control plane that was told the key. */
  downloadsCertificates: (isControlPlane: boolean, certificateKey: string): boolean =>
    isControlPlane && certificateKey !== '',

  /** Whether the kubelet is told the image that holds a Pod's namespaces (up to 1.34). */
  namesPauseImage: (release: Release): boolean => inRelease(release, PAUSE_IMAGE_NAMED),

  /** Where the runtime's socket is told: in a file of the instance since 1.34, before by a flag. */
  instanceConfiguration: (release: Release): boolean => inRelease(release, INSTANCE_CONFIG),
};

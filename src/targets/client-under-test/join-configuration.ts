/** What a machine is told in a file of kubeadm, as far as liars tell it. */
import type { Truth } from '../../kubernetes/transcript.js';
import { type Approach, PATCHES } from '../../liars/approach.js';

export const NODE = 'worker-9';
/** Servers that never sign are waited for so many seconds, unless told otherwise. */
export const TLS_BOOTSTRAP = 20;
/** So is a kubelet that never becomes well. */
export const KUBELET_HEALTH = 8;

/** And what a control plane runs, which never is. */
export const COMPONENT_HEALTH = 6;
/** A call that is refused again and again. */
export const API_CALL = 4;

/** What is said of the machine, besides. */
export interface MoreConfigured {
  readonly registration?: object;
  readonly timeouts?: object;
  /** Seconds that a certificate is waited for. */
  readonly tlsBootstrap?: number;
  /** Phases that a control plane leaves out. */
  readonly skipPhases?: readonly string[];
}

/** What is waited for, in milliseconds, by who is told of it in a file. */
export const configuredWaits = (
  tlsBootstrap = TLS_BOOTSTRAP,
): Required<Pick<Truth, 'bootstrapTimeout' | 'healthTimeout' | 'componentTimeout' | 'callTimeout'>> => ({
  bootstrapTimeout: tlsBootstrap * 1000,
  healthTimeout: KUBELET_HEALTH * 1000,
  componentTimeout: COMPONENT_HEALTH * 1000,
  callTimeout: API_CALL * 1000,
});

/** The same where nothing is said of it, in milliseconds. Source: kubeadm, apis/kubeadm/timeoututils.go, SetDefaultTimeouts. */
const DEFAULT_WAITS: ReturnType<typeof configuredWaits> = {
  bootstrapTimeout: 300_000,
  healthTimeout: 240_000,
  componentTimeout: 240_000,
  callTimeout: 60_000,
};

/** What is waited for by who is told of its join like this; of flags nobody knows. */
export const waitsOf = (
  { byFlags, isOld }: Pick<Approach, 'byFlags' | 'isOld'>,
  tlsBootstrap?: number,
): Partial<ReturnType<typeof configuredWaits>> => {
  if (byFlags) return {};
  return isOld === true ? DEFAULT_WAITS : configuredWaits(tlsBootstrap);
};

/** A JoinConfiguration of v1beta4, or of v1beta3 where it is told so. */
export const joinConfiguration = (approach: Approach, more: MoreConfigured = {}): object =>
  approach.isOld === true ? olderOf(configurationOf(approach, more)) : configurationOf(approach, more);

/** Which has no timeouts but that of discovery, and arguments by their names. */
function olderOf({ discovery, nodeRegistration, timeouts, ...others }: ReturnType<typeof configurationOf>): object {
  const { kubeletExtraArgs, ...registration } = nodeRegistration;
  return {
    ...others,
    apiVersion: 'kubeadm.k8s.io/v1beta3',
    discovery: { ...discovery, timeout: timeouts.discovery },
    nodeRegistration: {
      ...registration,
      ...(kubeletExtraArgs === undefined
        ? {}
        : { kubeletExtraArgs: Object.fromEntries(kubeletExtraArgs.map(({ name, value }) => [name, value])) }),
    },
  };
}

const configurationOf = (
  { discovery, discoveryTimeout, controlPlane, registration: own, caCertPath, patches, dryRun }: Approach,
  { registration, timeouts, tlsBootstrap = TLS_BOOTSTRAP, skipPhases }: MoreConfigured,
) => ({
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'JoinConfiguration',
  discovery,
  ...(controlPlane === undefined ? {} : { controlPlane, ...(skipPhases === undefined ? {} : { skipPhases }) }),
  nodeRegistration: { name: NODE, ...registration, ...own },
  ...(caCertPath === undefined ? {} : { caCertPath }),
  ...(patches.length === 0 ? {} : { patches: { directory: PATCHES } }),
  ...(dryRun ? { dryRun } : {}),
  timeouts: {
    discovery: `${discoveryTimeout / 1000}s`,
    tlsBootstrap: `${tlsBootstrap}s`,
    kubeletHealthCheck: `${KUBELET_HEALTH}s`,
    controlPlaneComponentHealthCheck: `${COMPONENT_HEALTH}s`,
    kubernetesAPICall: `${API_CALL}s`,
    ...timeouts,
  },
});

/** What a machine is told in a file of kubeadm, as far as liars tell it. */
import type { Approach } from '../../liars/approach.js';

export const NODE = 'worker-9';
/** Servers that never sign are waited for so many seconds, unless told otherwise. */
export const TLS_BOOTSTRAP = 20;

/** What is said of the machine, besides. */
export interface MoreConfigured {
  readonly registration?: object;
  readonly timeouts?: object;
  /** Seconds that a certificate is waited for. */
  readonly tlsBootstrap?: number;
  /** Phases that a control plane leaves out. */
  readonly skipPhases?: readonly string[];
}

/** A JoinConfiguration of v1beta4. */
export const joinConfiguration = (
  { discovery, discoveryTimeout, controlPlane, registration: own, caCertPath }: Approach,
  { registration, timeouts, tlsBootstrap = TLS_BOOTSTRAP, skipPhases }: MoreConfigured = {},
): object => ({
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'JoinConfiguration',
  discovery,
  ...(controlPlane === undefined ? {} : { controlPlane, ...(skipPhases === undefined ? {} : { skipPhases }) }),
  nodeRegistration: { name: NODE, ...registration, ...own },
  ...(caCertPath === undefined ? {} : { caCertPath }),
  timeouts: { discovery: `${discoveryTimeout / 1000}s`, tlsBootstrap: `${tlsBootstrap}s`, ...timeouts },
});

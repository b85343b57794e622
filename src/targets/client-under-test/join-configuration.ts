/** What a machine is told in a file of kubeadm, as far as liars tell it. */
import type { Approach } from '../../liars/approach.js';

export const NODE = 'worker-9';
/** Servers that never sign are waited for so long. */
const TLS_BOOTSTRAP = '20s';

/** A JoinConfiguration of v1beta4. `more`: of its node registration and timeouts. */
export const joinConfiguration = (
  { discovery, discoveryTimeout, controlPlane }: Approach,
  more: { readonly node?: object; readonly timeouts?: object } = {},
): object => ({
  apiVersion: 'kubeadm.k8s.io/v1beta4',
  kind: 'JoinConfiguration',
  discovery,
  ...(controlPlane === undefined ? {} : { controlPlane }),
  nodeRegistration: { name: NODE, ...more.node },
  timeouts: { discovery: `${discoveryTimeout / 1000}s`, tlsBootstrap: TLS_BOOTSTRAP, ...more.timeouts },
});

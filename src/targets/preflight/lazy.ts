/** joinproof's own preflight, loaded when it is first asked for. */
import type { AnotherClient } from '../../joining/another.js';
import type { PreflightUnderTest } from '../types.js';

/** `version`: of kubeadm. */
export const lazyPreflight = (version: string, another: AnotherClient = {}): PreflightUnderTest => ({
  lacks: () => undefined,
  look: async (machine, look) =>
    (await import('./reference-preflight.js')).referencePreflight(version, another).look(machine, look),
});

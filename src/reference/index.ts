/** What the rest of joinproof knows of the reference. */
export { manualClock } from './clock.js';
export { parseRelease } from './kubeadm/facts.js';
export type { Reference, ReferenceOptions } from './options.js';
export { startReference } from './start.js';

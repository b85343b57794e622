/** What the rest of joinproof knows of the reference. */
export { manualClock } from '../apiserver/clock.js';
export { parseRelease } from '../kubeadm/release.js';
export type { Reference, ReferenceOptions } from './options.js';
export { startReference } from './start.js';

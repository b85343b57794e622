/** What the rest of joinproof knows of the reference. */
export { manualClock } from '../apiserver/clock.js';
export { NEWEST_MINOR, parseRelease } from '../kubeadm/facts.js';
export { initObjects } from '../kubeadm/objects.js';
export type { Reference, ReferenceOptions } from './options.js';
export { startReference } from './start.js';

/** What the rest of joinproof knows of the reference. */
export { manualClock } from '../apiserver/clock.js';
export { parseRelease } from '../kubeadm/release.js';
export type { Image } from './image.js';
export { type Reference, type ReferenceOptions, SWITCHABLE_CONTROLLERS } from './options.js';
export { startReference } from './start.js';

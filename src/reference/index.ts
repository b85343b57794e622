/** What the rest of joinproof knows of the reference. */
export { type ManualClock, manualClock, systemClock } from './clock.js';
export { NEWEST_RELEASE, parseRelease } from './kubeadm/facts.js';
export type { Reference, ReferenceOptions } from './options.js';
export { CannotStart, startReference } from './start.js';

/** Certificates on a node's disk that people have to renew, and those of a kubelet that does it by itself. */
import type { Check } from '../../model/check.js';
import { MONTH, timeLeft, YEAR } from '../certificates/time-left.js';
import { first, type Seen } from './node-files.js';
import { type ConfigSeen, onUser } from './node-kubeconfigs.js';

const SOURCE = 'kubernetes.io, Certificate Management with kubeadm; client-go util/certificate/certificate_manager.go';
const LEAF = 'its certificate goes on for a month, or has a tenth of its life left';
/** What is demanded, and milliseconds that are enough. */
const ENOUGH = {
  authority: ['it goes on for a year, or has a tenth of its life left', YEAR],
  leaf: [LEAF, MONTH],
} as const;

/** `now`: milliseconds since the epoch. */
export const goesOn: Check<readonly Seen[], { readonly now: number; readonly what: keyof typeof ENOUGH }> = {
  id: 'node-renewed/goes-on',
  source: SOURCE,
  nothing: 'no such certificate lies there',
  judge: (all, { now, what }) => {
    const [demanded, most] = ENOUGH[what];
    return all.map((seen) => first(seen, demanded, ({ facts }) => timeLeft(facts, now, most)));
  },
};

/** Of kubeconfigs. */
export const userGoesOn: Check<readonly ConfigSeen[], { readonly now: number }> = {
  id: 'node-renewed/user-goes-on',
  source: SOURCE,
  nothing: 'no such kubeconfig lies there',
  judge: (all, { now }) =>
    all.map((seen) => onUser(seen, LEAF, ({ certificate: { facts } }) => timeLeft(facts, now, MONTH))),
};

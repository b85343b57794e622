/** Certificates on a node's disk that people have to renew, and those of a kubelet that does it by itself. */
import type { Check } from '../../model/check.js';
import { MONTH, timeLeft, YEAR } from '../certificates/time-left.js';
import { first, type Seen } from './node-files.js';
import { type ConfigSeen, onUser } from './node-kubeconfigs.js';

const SOURCE = 'kubernetes.io, Certificate Management with kubeadm; client-go util/certificate/certificate_manager.go';
const LEAF = 'its certificate goes on for a month, or has a tenth of its life left';

/** `now`: milliseconds since the epoch. */
export const goesOn: Check<readonly Seen[], { readonly now: number; readonly what: 'authority' | 'leaf' }> = {
  id: 'node-renewed/goes-on',
  source: SOURCE,
  nothing: 'no such certificate lies there',
  judge: (all, { now, what }) =>
    all.map((seen) =>
      what === 'leaf'
        ? first(seen, LEAF, ({ facts }) => timeLeft(facts, now, MONTH))
        : first(seen, 'it goes on for a year, or has a tenth of its life left', ({ facts }) =>
            timeLeft(facts, now, YEAR),
          ),
    ),
};

/** Of kubeconfigs. */
export const userGoesOn: Check<readonly ConfigSeen[], { readonly now: number }> = {
  id: 'node-renewed/user-goes-on',
  source: SOURCE,
  nothing: 'no such kubeconfig lies there',
  judge: (all, { now }) =>
    all.map((seen) => onUser(seen, LEAF, ({ certificate: { facts } }) => timeLeft(facts, now, MONTH))),
};

/** How long certificates go on: whoever renews late has less left than those who renew by themselves let it come to. */
import type { Look } from '../../model/finding.js';

/** Milliseconds since the epoch. */
export interface Life {
  readonly notBefore: number;
  readonly notAfter: number;
}

const DAY = 86_400_000;
/** A kubelet renews its own before nine tenths are over. */
const SHARE = 1 / 10;
/** kubeadm's begin with their authority, so that a tenth may be longer than the year that they are made for. */
export const MONTH = 30 * DAY;
/** What an authority signs is made for a year. */
export const YEAR = 365 * DAY;

/** Whether as much is left as `most` milliseconds, or else a tenth of it all. */
export function timeLeft(life: Life, now: number, most: number): Pick<Look, 'seen' | 'ok'> {
  const left = life.notAfter - now;
  const days = Math.floor(left / DAY);
  return {
    seen:
      left < 0 ? 'it has ended' : days < 1 ? 'it ends within a day' : `it ends in ${days} day${days === 1 ? '' : 's'}`,
    ok: left >= Math.min((life.notAfter - life.notBefore) * SHARE, most),
  };
}

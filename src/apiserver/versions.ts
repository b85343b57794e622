/** From which minor of Kubernetes 1 to which something is there. */
import type { Lifetime } from './types.js';

export const isServed = ({ since, until }: Lifetime, minor: number): boolean =>
  (since === undefined || minor >= since) && (until === undefined || minor <= until);

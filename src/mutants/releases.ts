/** Every minor release that the reference plays is a sound cluster: no rule fails or errs on it. */
import { knownMinors, NEWEST_RELEASE, parseRelease } from '../kubeadm/release.js';
import type { Mutant } from './types.js';

/** What the unchanged reference plays has no variant. */
const NEWEST = parseRelease(NEWEST_RELEASE).minor;

export const mutants: readonly Mutant[] = knownMinors()
  .filter((minor) => minor !== NEWEST)
  .map((minor) => ({
    name: `harmless-release-1.${minor}`,
    defect: `the cluster plays 1.${minor}`,
    killedBy: [],
    options: { kubernetesVersion: `v1.${minor}.0` },
  }));

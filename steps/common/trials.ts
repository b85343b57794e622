/** What is only tried: the API server does all but store it. Source: kubernetes.io, API concepts, dry run. */
import { PATCH_TYPES } from '../../src/kubernetes/patch-types.js';
import type { Question } from '../../src/targets/types.js';

export const DRY = { dryRun: 'All' } as const;

/** `path`: of an object. */
export const triedPatch = (path: string, kind: keyof typeof PATCH_TYPES, body: unknown): Question => ({
  method: 'PATCH',
  path,
  query: DRY,
  contentType: PATCH_TYPES[kind],
  body,
});

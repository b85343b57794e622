/** References to owners, as they are sent. Source: apiserver, pkg/endpoints/handlers/rest.go dedupOwnerReferences. */
import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../../kubernetes/objects.js';

/** When duplicates were found, where that was not before mutating admission: of what is patched they are looked for then. */
export const AFTER_ADMISSION = ' after mutating admission happens';

/** References that say the same in all their fields are kept once, with a warning that names the UID of each other. */
export function eachOwnerOnce(object: KubeObject, warnings: string[], when = ''): KubeObject {
  const owners = object.metadata.ownerReferences ?? [];
  const isNew = (owner: unknown, at: number): boolean =>
    owners.findIndex((other) => isDeepStrictEqual(other, owner)) === at;
  const kept = owners.filter(isNew);
  if (kept.length === owners.length) return object;
  const dropped = owners.filter((owner, at) => !isNew(owner, at)).map(({ uid }) => uid);
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
      'and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ' +
      dropped.join(', '),
  );
  return { ...object, metadata: { ...object.metadata, ownerReferences: kept } };
}

/** References to owners, as they are sent. Source: apiserver, pkg/endpoints/handlers/rest.go dedupOwnerReferences. */
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';

/** When duplicates were found, where that was not before mutating admission: of what is patched they are looked for then. */
export const AFTER_ADMISSION = ' after mutating admission happens';

/** References that say the same in all their fields are kept once, with a warning that names the UID of each other. */
export function eachOwnerOnce(object: KubeObject, warnings: string[], when = ''): KubeObject {
  const owners = object.metadata.ownerReferences ?? [];
  const seen = new Map<string, OwnerReference>();
  const dropped: string[] = [];
  for (const owner of owners) {
    const { apiVersion, kind, name, uid, controller, blockOwnerDeletion } = owner;
    const said = JSON.stringify([apiVersion, kind, name, uid, controller, blockOwnerDeletion]);
    if (seen.has(said)) dropped.push(uid);
    else seen.set(said, owner);
  }
  if (dropped.length === 0) return object;
  warnings.push(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, ` +
      'and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ' +
      dropped.join(', '),
  );
  return { ...object, metadata: { ...object.metadata, ownerReferences: [...seen.values()] } };
}

/** Who owns which field: metadata.managedFields. */
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Caller, Machinery, Target } from './machinery.js';

/** Records what a create, an update or a patch changed. */
export function trackUpdate(_machinery: Machinery, _target: Target, _live: KubeObject | undefined, object: KubeObject, _caller: Caller): KubeObject {
  return object;
}

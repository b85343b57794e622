/**
 * A scheduler's word on where a pod runs. Source: pkg/registry/core/pod/storage/storage.go BindingREST.Create,
 * assignPod, setPodNodeAndMetadata.
 */

import { record, records, text } from '../../kubernetes/json.js';
import type { KubeObject, Status } from '../../kubernetes/objects.js';
import { rfc3339 } from '../clock.js';
import { conflict, notFound, plainError } from '../machinery/errors.js';
import type { StrategyContext } from '../resource-definition.js';
import { spec, status, withFields } from './read.js';

const PODS = { group: '', resource: 'pods' } as const;
const PODS_BINDING = { group: '', resource: 'pods/binding' } as const;

export const SUCCESS: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/**
 * Binds the pod; throws ApiError: 404, 409 where it is bound or going, 500 for a binding without target (upstream
 * leaves its validation error untyped).
 */
export function bindPod(
  pod: KubeObject | undefined,
  name: string,
  binding: KubeObject,
  context: StrategyContext,
): { readonly code: number; readonly object: Status } {
  const target = record(binding.target);
  const kind = text(target.kind);
  const faults = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`]),
    ...(text(target.name) === '' ? ['target.name: Required value'] : []),
  ];
  if (faults.length > 0) throw plainError(faults.length === 1 ? (faults[0] ?? '') : `[${faults.join(', ')}]`);
  if (pod === undefined) throw notFound(PODS, name);
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(PODS_BINDING, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  const assigned = text(spec(pod).nodeName);
  if (assigned !== '')
    throw conflict(PODS_BINDING, name, `pod ${name} is already assigned to node ${JSON.stringify(assigned)}`);
  const conditions = records(status(pod).conditions).filter((condition) => condition.type !== 'PodScheduled');
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: rfc3339(context.clock.now()),
  };
  const bound = withFields(pod, {
    spec: { ...spec(pod), nodeName: target.name },
    status: { ...status(pod), conditions: [...conditions, scheduled] },
  });
  if (!context.dryRun) context.store.update(PODS, bound, pod.metadata.resourceVersion);
  return { code: 201, object: SUCCESS };
}

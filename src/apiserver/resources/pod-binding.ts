/**
 * A scheduler's word on where a pod runs. Source: pkg/registry/core/pod/storage/storage.go BindingREST.Create,
 * assignPod, setPodNodeAndMetadata.
 */

import { list, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject, Status } from '../../kubernetes/objects.js';
import { rfc3339 } from '../clock.js';
import { badRequest, conflict, notFound, plainError, preconditionFailed } from '../machinery/errors.js';
import type { StrategyContext } from '../resource-definition.js';
import { spec, status, withFields } from './read.js';

const PODS = { group: '', resource: 'pods' } as const;
const PODS_BINDING = { group: '', resource: 'pods/binding' } as const;

export const SUCCESS: Status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

/** The binding's UID and version are the pod's. @throws 409 */
function checkPreconditions(pod: KubeObject, name: string, { metadata }: KubeObject): void {
  const { uid = '', resourceVersion = '' } = metadata;
  const own = [pod.metadata.uid ?? '', pod.metadata.resourceVersion ?? ''] as const;
  const failed =
    uid !== '' && uid !== own[0]
      ? preconditionFailed('UID', uid, own[0])
      : resourceVersion !== '' && resourceVersion !== own[1]
        ? preconditionFailed('ResourceVersion', resourceVersion, own[1])
        : undefined;
  if (failed === undefined) return;
  const key = `/registry/pods/${pod.metadata.namespace ?? ''}/${name}`;
  throw conflict(
    PODS,
    name,
    `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${failed}`,
  );
}

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
  if (name === '') throw badRequest('Name parameter required.');
  if (pod === undefined) throw notFound(PODS, name);
  checkPreconditions(pod, name, binding);
  if (pod.metadata.deletionTimestamp !== undefined)
    throw conflict(PODS_BINDING, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  const assigned = text(spec(pod).nodeName);
  if (assigned !== '')
    throw conflict(PODS_BINDING, name, `pod ${name} is already assigned to node ${JSON.stringify(assigned)}`);
  if (list(spec(pod).schedulingGates).length > 0)
    throw conflict(PODS_BINDING, name, `pod ${name} has non-empty .spec.schedulingGates`);
  const { nominatedNodeName: _nominated, ...before } = status(pod);
  const { annotations, labels } = binding.metadata;
  const metadata = {
    ...pod.metadata,
    ...(annotations === undefined ? {} : { annotations: { ...pod.metadata.annotations, ...annotations } }),
    ...(labels === undefined ? {} : { labels: { ...pod.metadata.labels, ...labels } }),
  };
  const conditions = records(status(pod).conditions).filter((condition) => condition.type !== 'PodScheduled');
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: rfc3339(context.clock.now()),
  };
  const bound = withFields(pod, {
    metadata,
    spec: { ...spec(pod), nodeName: target.name },
    status: { ...before, conditions: [...conditions, scheduled] },
  });
  if (!context.dryRun) context.store.update(PODS, bound, pod.metadata.resourceVersion);
  return { code: 201, object: SUCCESS };
}

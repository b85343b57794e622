/**
 * Admission that belongs to the API itself: namespaces must be there, and new nodes wait until they are ready.
 * Source: apiserver, pkg/admission/plugin/namespace/lifecycle/admission.go;
 * plugin/pkg/admission/nodetaint/admission.go.
 */
import { record, records } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { AdmissionAttributes, AdmissionPlugin } from '../access.js';
import type { GroupResource, Store } from '../types.js';
import { ApiError } from '../types.js';
import { notAdmitted, notFound } from './errors.js';

const NAMESPACES: GroupResource = { group: '', resource: 'namespaces' };
const PROTECTED = new Set(['default', 'kube-system', 'kube-public']);
/** Reviews may be made in a namespace that is not there. */
const REVIEWS = new Set(['localsubjectaccessreviews']);

/** Objects live in namespaces that exist; nothing new enters one that is going. */
export function namespaceLifecycle(store: Store): AdmissionPlugin {
  return {
    name: 'NamespaceLifecycle',
    mutate(attributes) {
      check(attributes, store);
      return attributes.object;
    },
  };
}

function check(attributes: AdmissionAttributes, store: Store): void {
  const { operation, group, resource, namespace, name } = attributes;
  const isNamespace = group === '' && resource === 'namespaces';
  if (operation === 'DELETE' && isNamespace && PROTECTED.has(name))
    throw notAdmitted(attributes, 'this namespace may not be deleted');
  if (isNamespace || namespace === '' || operation === 'DELETE' || REVIEWS.has(resource)) return;
  const found = store.get(NAMESPACES, undefined, namespace);
  if (found === undefined) throw notFound(NAMESPACES, namespace);
  if (operation !== 'CREATE' || found.metadata.deletionTimestamp === undefined) return;
  const cause = {
    reason: 'NamespaceTerminating',
    message: `namespace ${namespace} is being terminated`,
    field: 'metadata.namespace',
  };
  const refusal = notAdmitted(
    attributes,
    `unable to create new content in namespace ${namespace} because it is being terminated`,
  );
  throw new ApiError(403, 'Forbidden', refusal.message, { ...refusal.details, causes: [cause] });
}

const NOT_READY = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' } as const;

/** A node comes with the taint of one that is not ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  mutate({ operation, group, resource, subresource, object }): KubeObject | undefined {
    if (operation !== 'CREATE' || group !== '' || resource !== 'nodes' || subresource !== '' || object === undefined)
      return object;
    const spec = record(object.spec);
    const taints = records(spec.taints);
    if (taints.some(({ key, effect }) => key === NOT_READY.key && effect === NOT_READY.effect)) return object;
    return { ...object, spec: { ...spec, taints: [...taints, NOT_READY] } };
  },
};

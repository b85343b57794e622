/**
 * The part of NodeRestriction that looks at pods: mirror pods, their status and eviction.
 * Source: plugin/pkg/admission/noderestriction/admission.go admitPod*.
 */

import type { AdmissionAttributes, Authorizer } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import { notFound } from '../../apiserver/machinery/errors.js';
import type { Store } from '../../apiserver/types.js';
import { record, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Refusal } from '../decisions/node-restriction.js';
import type { Decisions } from '../decisions.js';

export interface RestrictionContext {
  /** Name of the asking node. */
  readonly node: string;
  readonly attributes: AdmissionAttributes;
  readonly store: Store;
  readonly authorizer: Authorizer;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
}

/** An object that has to be there. Throws 404; listers name what is missing in the singular. */
export function demand(
  { store, attributes }: RestrictionContext,
  resource: 'pods' | 'nodes',
  name: string,
): KubeObject {
  const found = store.get({ group: '', resource }, resource === 'pods' ? attributes.namespace : undefined, name);
  if (found === undefined) throw notFound({ group: '', resource: resource.slice(0, -1) }, name);
  return found;
}

/** Whether a pod is one that the node may touch. */
export const isOwn = ({ node, decisions }: RestrictionContext, pod: KubeObject | undefined): boolean =>
  decisions.nodeMayTouchPod(node, text(record(pod?.spec).nodeName));

function refusePodCreation(context: RestrictionContext): Refusal {
  const { node, attributes, decisions, minor } = context;
  const pod = attributes.object;
  if (pod === undefined) return 'unexpected type <nil>';
  const name = goQuote(node);
  if (!decisions.nodeMayCreatePod(pod.metadata.annotations ?? {}))
    return `pod does not have "kubernetes.io/config.mirror" annotation, node ${name} can only create mirror pods`;
  if (!isOwn(context, pod)) return `node ${name} can only create pods with spec.nodeName set to itself`;
  const uid = (): string => demand(context, 'nodes', node).metadata.uid ?? '';
  const problem = decisions.mirrorPodOwnerProblem(node, pod.metadata.ownerReferences ?? [], uid);
  if (problem !== undefined) return problem;
  const reference = decisions.apiReference(pod, decisions.podReferences(pod), minor);
  if (typeof reference === 'object') return `error checking mirror pod for API references: ${reference.error}`;
  return reference === undefined ? undefined : `node ${name} can not create pods that reference ${reference}`;
}

export function refusePod(context: RestrictionContext): Refusal {
  const { operation, name } = context.attributes;
  const node = goQuote(context.node);
  if (operation === 'CREATE') return refusePodCreation(context);
  if (operation !== 'DELETE')
    return `unexpected operation ${goQuote(operation)}, node ${node} can only create and delete mirror pods`;
  return isOwn(context, demand(context, 'pods', name))
    ? undefined
    : `node ${node} can only delete pods with spec.nodeName set to itself`;
}

export function refusePodStatus(context: RestrictionContext): Refusal {
  const { node, attributes, decisions, minor } = context;
  const { operation, object, old } = attributes;
  if (operation !== 'UPDATE') return `unexpected operation ${goQuote(operation)}`;
  if (!isOwn(context, old))
    return `node ${goQuote(node)} can only update pod status for pods with spec.nodeName set to itself`;
  return decisions.podStatusProblem(node, { object, old }, minor);
}

export function refuseEviction(context: RestrictionContext): Refusal {
  const { node, attributes, decisions } = context;
  if (attributes.operation !== 'CREATE') return `unexpected operation ${attributes.operation}`;
  const name = decisions.evictedName(attributes.name, attributes.object?.metadata.name ?? '');
  if (name === '') return 'could not determine pod from request data';
  return isOwn(context, demand(context, 'pods', name))
    ? undefined
    : `node ${node} can only evict pods with spec.nodeName set to itself`;
}

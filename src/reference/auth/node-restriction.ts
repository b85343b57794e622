/**
 * NodeRestriction: what a node may write beyond what the Node authorizer can see. Runs in the mutating phase, before validation.
 * Source: plugin/pkg/admission/noderestriction/admission.go Admit; apiserver, pkg/admission/errors.go NewForbidden.
 */
import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../apiserver/go/text.js';
import { forbidden } from '../../apiserver/machinery/errors.js';
import type { AdmissionAttributes, AdmissionPlugin, Authorizer, Store } from '../../apiserver/types.js';
import { record, text } from '../../kubernetes/json.js';
import { NODE_USER_PREFIX } from '../../kubernetes/names.js';
import { parseRequestPem } from '../../pki/request.js';
import type { Decisions } from '../decisions.js';
import {
  type Refusal,
  type RestrictionContext,
  refuseEviction,
  refusePod,
  refusePodStatus,
  refuseToken,
} from './node-restriction-pods.js';

const LEASE_NAMESPACE = 'kube-node-lease';

/** Name of the object that the message speaks of. Source: apiserver, pkg/admission/errors.go extractResourceName. */
function messageName({ name, object }: AdmissionAttributes): string {
  if (name !== '') return name;
  if (object === undefined) return 'Unknown';
  return object.metadata.name || object.metadata.generateName || 'Unknown';
}

/** The name that a write is about; on a creation it is the object's. */
const subjectName = ({ name, object }: AdmissionAttributes): string =>
  name === '' ? (object?.metadata.name ?? '') : name;

function changedLabels(labels: Readonly<Record<string, string>>, before: Readonly<Record<string, string>>): string[] {
  const keys = new Set([...Object.keys(labels), ...Object.keys(before)]);
  return [...keys].filter((key) => labels[key] !== before[key]).sort();
}

function refuseNode({ node, attributes, decisions, minor }: RestrictionContext): Refusal {
  const requested = subjectName(attributes);
  const name = goQuote(node);
  if (!decisions.nodeMayWriteNode(node, requested))
    return `node ${name} is not allowed to modify node ${goQuote(requested)}`;
  const { operation, object, old } = attributes;
  if (object === undefined || operation === 'DELETE') return undefined;
  const spec = record(object.spec);
  const oldSpec = record(old?.spec);
  const changed = changedLabels(
    object.metadata.labels ?? {},
    operation === 'CREATE' ? {} : (old?.metadata.labels ?? {}),
  );
  const forbiddenLabels = changed.filter((key) => !decisions.nodeMayUseLabel(key));
  if (operation === 'CREATE') {
    if (spec.configSource !== undefined)
      return `node ${name} is not allowed to create pods with a non-nil configSource`;
    return forbiddenLabels.length === 0
      ? undefined
      : `node ${name} is not allowed to set the following labels: ${forbiddenLabels.join(', ')}`;
  }
  if (spec.configSource !== undefined && !isDeepStrictEqual(spec.configSource, oldSpec.configSource)) {
    return `node ${name} is not allowed to update configSource to a new non-nil configSource`;
  }
  if (!decisions.nodeMayChangeTaints() && !isDeepStrictEqual(spec.taints ?? [], oldSpec.taints ?? []))
    return `node ${name} is not allowed to modify taints`;
  if (
    !decisions.nodeMayChangeOwners(minor) &&
    !isDeepStrictEqual(object.metadata.ownerReferences ?? [], old?.metadata.ownerReferences ?? [])
  ) {
    return `node ${name} is not allowed to modify ownerReferences`;
  }
  return forbiddenLabels.length === 0 ? undefined : `is not allowed to modify labels: ${forbiddenLabels.join(', ')}`;
}

function refuseClaim({ node, attributes }: RestrictionContext): Refusal {
  if (attributes.subresource !== 'status') return 'may only update PVC status';
  if (attributes.operation !== 'UPDATE') return `unexpected operation ${goQuote(attributes.operation)}`;
  const bare = (object: AdmissionAttributes['object']): unknown => {
    const { resourceVersion: _version, managedFields: _fields, ...metadata } = object?.metadata ?? {};
    const {
      capacity: _c,
      conditions: _o,
      allocatedResourceStatuses: _s,
      allocatedResources: _a,
      ...status
    } = record(object?.status);
    return { ...object, metadata, status };
  };
  if (isDeepStrictEqual(bare(attributes.object), bare(attributes.old))) return undefined;
  return `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions: the objects differ`;
}

function refuseLease({ node, attributes }: RestrictionContext): Refusal {
  if (attributes.namespace !== LEASE_NAMESPACE)
    return `can only access leases in the ${goQuote(LEASE_NAMESPACE)} system namespace`;
  const name = attributes.operation === 'CREATE' ? (attributes.object?.metadata.name ?? '') : attributes.name;
  return name === node ? undefined : 'can only access node lease with the same name as the requesting node';
}

function refuseCsiNode({ node, attributes }: RestrictionContext): Refusal {
  const name = attributes.operation === 'CREATE' ? (attributes.object?.metadata.name ?? '') : attributes.name;
  return name === node ? undefined : 'can only access CSINode with the same name as the requesting node';
}

function refuseSlice({ node, attributes }: RestrictionContext): Refusal {
  const { operation, object, old } = attributes;
  if (operation === 'CREATE' && text(record(object?.spec).nodeName) !== node)
    return 'can only create ResourceSlice with the same NodeName as the requesting node';
  if (operation === 'DELETE' && text(record(old?.spec).nodeName) !== node)
    return 'can only delete ResourceSlice with the same NodeName as the requesting node';
  return undefined;
}

function refuseRequest({ node, attributes, decisions, minor }: RestrictionContext): Refusal {
  if (attributes.operation !== 'CREATE') return undefined;
  const spec = record(attributes.object?.spec);
  const signer = text(spec.signerName);
  // Only where the name in the request matters is the request read at all.
  if (decisions.nodeMayRequest(node, signer, '', minor)) return undefined;
  let commonName: string;
  try {
    commonName = parseRequestPem(Buffer.from(text(spec.request), 'base64')).commonName;
  } catch (error) {
    return `unable to parse csr: ${error instanceof Error ? error.message : String(error)}`;
  }
  return decisions.nodeMayRequest(node, signer, commonName, minor)
    ? undefined
    : `can only create a node CSR with CN=${NODE_USER_PREFIX}${node}`;
}

function refusal(context: RestrictionContext): Refusal {
  const { group, resource, subresource } = context.attributes;
  switch (`${group}/${resource}`) {
    case '/pods':
      if (subresource === '') return refusePod(context);
      if (subresource === 'status') return refusePodStatus(context);
      if (subresource === 'eviction') return refuseEviction(context);
      return `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
    case '/nodes':
      return refuseNode(context);
    case '/persistentvolumeclaims':
      return refuseClaim(context);
    case '/serviceaccounts':
      return refuseToken(context);
    case 'coordination.k8s.io/leases':
      return refuseLease(context);
    case 'storage.k8s.io/csinodes':
      return refuseCsiNode(context);
    case 'resource.k8s.io/resourceslices':
      return refuseSlice(context);
    case 'certificates.k8s.io/certificatesigningrequests':
      return refuseRequest(context);
    case 'certificates.k8s.io/podcertificaterequests':
      return 'PodCertificateRequest feature gate is disabled';
    default:
      return undefined;
  }
}

export interface NodeRestrictionOptions {
  readonly store: Store;
  readonly authorizer: Authorizer;
  readonly decisions: Decisions;
  /** Minor of the version played. */
  readonly minor: number;
}

export function nodeRestriction({ store, authorizer, decisions, minor }: NodeRestrictionOptions): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    mutate(attributes) {
      if (attributes.operation === 'CONNECT') return undefined;
      const node = decisions.nodeOf(attributes.user);
      if (node === undefined) return undefined;
      const why =
        node === ''
          ? `could not determine node from user ${goQuote(attributes.user.username)}`
          : refusal({ node, attributes, store, authorizer, decisions, minor });
      if (why !== undefined)
        throw forbidden({ group: attributes.group, resource: attributes.resource }, messageName(attributes), why);
      return undefined;
    },
  };
}

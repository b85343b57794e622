/**
 * NodeRestriction: what a node may write beyond what the Node authorizer can see. Runs in the mutating phase, before
 * validation.
 * Source: plugin/pkg/admission/noderestriction/admission.go Admit.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, AdmissionPlugin } from '../../apiserver/access.js';
import { goQuote } from '../../apiserver/go/text.js';
import { notAdmitted } from '../../apiserver/machinery/errors.js';
import { record, text } from '../../kubernetes/json.js';
import { NODE_USER_PREFIX } from '../../kubernetes/names.js';
import { parseRequestPem } from '../../pki/request.js';
import type { Refusal } from '../decisions/node-restriction.js';
import { subjectName } from './attributes.js';
import { type RestrictionContext, refuseEviction, refusePod, refusePodStatus } from './node-restriction-pods.js';
import { refuseToken } from './node-restriction-tokens.js';

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
  const isNew = operation === 'CREATE';
  const spec = record(object.spec);
  const before = record(isNew ? undefined : old?.spec);
  if (!decisions.nodeMayConfigure(spec.configSource, before.configSource))
    return isNew
      ? `node ${name} is not allowed to create pods with a non-nil configSource`
      : `node ${name} is not allowed to update configSource to a new non-nil configSource`;
  if (!isNew) {
    if (!decisions.nodeMayChangeTaints() && !isDeepStrictEqual(spec.taints ?? [], before.taints ?? []))
      return `node ${name} is not allowed to modify taints`;
    const owners = [object, old].map((one) => one?.metadata.ownerReferences ?? []);
    if (!decisions.nodeMayChangeOwners(minor) && !isDeepStrictEqual(owners[0], owners[1]))
      return `node ${name} is not allowed to modify ownerReferences`;
  }
  const changed = changedLabels(object.metadata.labels ?? {}, isNew ? {} : (old?.metadata.labels ?? {}));
  const labels = changed.filter((key) => !decisions.nodeMayUseLabel(key)).join(', ');
  if (labels === '') return undefined;
  return isNew
    ? `node ${name} is not allowed to set the following labels: ${labels}`
    : `is not allowed to modify labels: ${labels}`;
}

function refuseClaim({ node, attributes, decisions }: RestrictionContext): Refusal {
  const { subresource, operation, object, old } = attributes;
  if (subresource !== 'status') return 'may only update PVC status';
  if (operation !== 'UPDATE') return `unexpected operation ${goQuote(operation)}`;
  return decisions.nodeMayWriteClaim({ object, old })
    ? undefined
    : `node ${goQuote(node)} is not allowed to update fields other than status.quantity and status.conditions: ` +
        'the objects differ';
}

/** Name of an object that a creation does not name in its path. */
const writtenName = ({ operation, object, name }: AdmissionAttributes): string =>
  operation === 'CREATE' ? (object?.metadata.name ?? '') : name;

const refuseCsiNode = ({ node, attributes, decisions }: RestrictionContext): Refusal =>
  decisions.nodeMayWriteCsiNode(node, writtenName(attributes))
    ? undefined
    : 'can only access CSINode with the same name as the requesting node';

function refuseSlice({ node, attributes, decisions }: RestrictionContext): Refusal {
  const { operation, object, old } = attributes;
  const nodeName = text(record((operation === 'DELETE' ? old : object)?.spec).nodeName);
  return decisions.nodeMayWriteSlice(node, operation, nodeName)
    ? undefined
    : `can only ${operation.toLowerCase()} ResourceSlice with the same NodeName as the requesting node`;
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

function refuseAnyPod(context: RestrictionContext): Refusal {
  const { subresource } = context.attributes;
  if (subresource === '') return refusePod(context);
  if (subresource === 'status') return refusePodStatus(context);
  if (subresource === 'eviction') return refuseEviction(context);
  return `unexpected pod subresource ${goQuote(subresource)}, only 'status' and 'eviction' are allowed`;
}

/** What is looked at; a node's writes to everything else are the authorizer's business. */
const RESTRICTED: Readonly<Record<string, (context: RestrictionContext) => Refusal>> = {
  '/pods': refuseAnyPod,
  '/nodes': refuseNode,
  '/persistentvolumeclaims': refuseClaim,
  '/serviceaccounts': refuseToken,
  'coordination.k8s.io/leases': ({ node, attributes, decisions }) =>
    decisions.nodeLeaseProblem(node, attributes.namespace, writtenName(attributes)),
  'storage.k8s.io/csinodes': refuseCsiNode,
  'resource.k8s.io/resourceslices': refuseSlice,
  'certificates.k8s.io/certificatesigningrequests': refuseRequest,
  'certificates.k8s.io/podcertificaterequests': () => 'PodCertificateRequest feature gate is disabled',
};

export type NodeRestrictionOptions = Pick<RestrictionContext, 'store' | 'authorizer' | 'decisions' | 'minor'>;

export function nodeRestriction(options: NodeRestrictionOptions): AdmissionPlugin {
  return {
    name: 'NodeRestriction',
    mutate(attributes) {
      if (attributes.operation === 'CONNECT') return undefined;
      const { group, resource, user } = attributes;
      const node = options.decisions.nodeOf(user);
      if (node === undefined) return undefined;
      const why =
        node === ''
          ? `could not determine node from user ${goQuote(user.username)}`
          : RESTRICTED[`${group}/${resource}`]?.({ ...options, node, attributes });
      if (why !== undefined) throw notAdmitted(attributes, why);
      return undefined;
    },
  };
}

/**
 * The part of NodeRestriction that looks at pods: mirror pods, their status and eviction, and tokens bound to them.
 * Source: plugin/pkg/admission/noderestriction/admission.go admitPod*, admitServiceAccount; pkg/api/pod/util.go HasAPIObjectReference.
 */
import { isDeepStrictEqual } from 'node:util';
import { goQuote } from '../../apiserver/go/text.js';
import { notFound } from '../../apiserver/machinery/errors.js';
import type { AdmissionAttributes, Authorizer, Store } from '../../apiserver/types.js';
import { type Fields, isRecord, list, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import type { Decisions } from '../decisions.js';
import { MIRROR_POD, podReferences } from './node-graph.js';

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

/** Why a write is refused; undefined: it is not. What is not there is thrown as 404. */
export type Refusal = string | undefined;

const specOf = (object: KubeObject | undefined): Fields => record(object?.spec);
const statusOf = (object: KubeObject | undefined): Fields => record(object?.status);

/** Listers name what is missing in the singular. */
function demand({ store, attributes }: RestrictionContext, resource: 'pods' | 'nodes', name: string): KubeObject {
  const found = store.get({ group: '', resource }, resource === 'pods' ? attributes.namespace : undefined, name);
  if (found === undefined) throw notFound({ group: '', resource: resource.slice(0, -1) }, name);
  return found;
}

const PLAIN_VOLUMES: readonly string[] = [
  'awsElasticBlockStore',
  'azureDisk',
  'cephfs',
  'cinder',
  'downwardAPI',
  'emptyDir',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'photonPersistentDisk',
  'portworxVolume',
  'quobyte',
  'rbd',
  'scaleIO',
  'storageos',
  'vsphereVolume',
];
const REFERRING_VOLUMES: readonly (readonly [string, string])[] = [
  ['configMap', 'configmaps (via configmap volumes)'],
  ['secret', 'secrets (via secret volumes)'],
  ['csi', 'csidrivers (via CSI volumes)'],
  ['glusterfs', 'endpoints (via glusterFS volumes)'],
  ['persistentVolumeClaim', 'persistentvolumeclaims'],
  ['ephemeral', 'persistentvolumeclaims (via ephemeral volumes)'],
  ['azureFile', 'secrets (via azureFile volumes)'],
];
const REFERRING_SOURCES: readonly (readonly [string, string])[] = [
  ['configMap', 'configmaps (via projected volumes)'],
  ['secret', 'secrets (via projected volumes)'],
  ['serviceAccountToken', 'serviceaccounts (via projected volumes)'],
  ['clusterTrustBundle', 'clustertrustbundles'],
  ['podCertificate', 'podcertificates'],
];

/** The first API object that a pod refers to, in upstream's words; { error } for a volume of unknown kind. */
function apiReference(pod: KubeObject, minor: number): Refusal | { readonly error: string } {
  const references = podReferences(pod);
  if (references.serviceAccount !== '') return minor >= 34 ? 'serviceaccounts' : 'a service account';
  if (references.secrets.length > 0) return 'secrets';
  if (references.configMaps.length > 0) return 'configmaps';
  const claims = records(specOf(pod).resourceClaims).length > 0;
  const volumes = records(specOf(pod).volumes);
  if (minor < 34) {
    if (references.clusterTrustBundles) return 'clustertrustbundles';
    if (volumes.some((volume) => isRecord(volume.persistentVolumeClaim))) return 'persistentvolumeclaims';
    return claims && minor >= 32 ? 'resourceclaims' : undefined;
  }
  if (claims) return 'resourceclaims';
  for (const volume of volumes) {
    if (PLAIN_VOLUMES.some((kind) => isRecord(volume[kind]))) continue;
    const referring = REFERRING_VOLUMES.find(([kind]) => isRecord(volume[kind]));
    if (referring !== undefined) return referring[1];
    if (!isRecord(volume.projected)) return { error: `unknown volume type for volume  ${goQuote(text(volume.name))}` };
    for (const source of records(volume.projected.sources)) {
      const found = REFERRING_SOURCES.find(([kind]) => isRecord(source[kind]));
      if (found !== undefined) return found[1];
      if (!isRecord(source.downwardAPI))
        return { error: `unknown source for projected volume ${goQuote(text(volume.name))}` };
    }
  }
  return undefined;
}

function refusePodCreation(context: RestrictionContext): Refusal {
  const { node, attributes, decisions } = context;
  const pod = attributes.object;
  if (pod === undefined) return 'unexpected type <nil>';
  const name = goQuote(node);
  if (!decisions.nodeMayCreatePod(pod.metadata.annotations ?? {})) {
    return `pod does not have ${goQuote(MIRROR_POD)} annotation, node ${name} can only create mirror pods`;
  }
  if (!decisions.nodeMayTouchPod(node, text(specOf(pod).nodeName)))
    return `node ${name} can only create pods with spec.nodeName set to itself`;
  const owners: readonly OwnerReference[] = pod.metadata.ownerReferences ?? [];
  const owned = decisions.mirrorPodOwner(node, owners);
  if (owned !== true) return owned;
  const { uid = '' } = demand(context, 'nodes', node).metadata;
  if (owners[0] !== undefined && owners[0].uid !== uid)
    return `node ${node} UID mismatch: expected ${owners[0].uid} got ${uid}`;
  const reference = apiReference(pod, context.minor);
  if (typeof reference === 'object') return `error checking mirror pod for API references: ${reference.error}`;
  return reference === undefined ? undefined : `node ${name} can not create pods that reference ${reference}`;
}

export function refusePod(context: RestrictionContext): Refusal {
  const { node, attributes, decisions } = context;
  if (attributes.operation === 'CREATE') return refusePodCreation(context);
  if (attributes.operation !== 'DELETE')
    return `unexpected operation ${goQuote(attributes.operation)}, node ${goQuote(node)} can only create and delete mirror pods`;
  const pod = demand(context, 'pods', attributes.name);
  return decisions.nodeMayTouchPod(node, text(specOf(pod).nodeName))
    ? undefined
    : `node ${goQuote(node)} can only delete pods with spec.nodeName set to itself`;
}

const claimStatuses = (pod: KubeObject | undefined): unknown =>
  records(statusOf(pod).resourceClaimStatuses).map(({ name, resourceClaimName }) => ({ name, resourceClaimName }));

export function refusePodStatus({ node, attributes, decisions, minor }: RestrictionContext): Refusal {
  if (attributes.operation !== 'UPDATE') return `unexpected operation ${goQuote(attributes.operation)}`;
  const { object, old } = attributes;
  const name = goQuote(node);
  if (!decisions.nodeMayTouchPod(node, text(specOf(old).nodeName)))
    return `node ${name} can only update pod status for pods with spec.nodeName set to itself`;
  if (!isDeepStrictEqual(object?.metadata.labels ?? {}, old?.metadata.labels ?? {}))
    return `node ${name} cannot update labels through pod status`;
  if (!isDeepStrictEqual(claimStatuses(object), claimStatuses(old)))
    return `node ${name} cannot update resource claim statues`;
  if (
    minor >= 34 &&
    !isDeepStrictEqual(statusOf(object).extendedResourceClaimStatus, statusOf(old).extendedResourceClaimStatus)
  ) {
    return `node ${name} cannot update extended resource claim status`;
  }
  return undefined;
}

export function refuseEviction(context: RestrictionContext): Refusal {
  const { node, attributes, decisions } = context;
  if (attributes.operation !== 'CREATE') return `unexpected operation ${attributes.operation}`;
  const name = attributes.name === '' ? (attributes.object?.metadata.name ?? '') : attributes.name;
  if (name === '') return 'could not determine pod from request data';
  const pod = demand(context, 'pods', name);
  return decisions.nodeMayTouchPod(node, text(specOf(pod).nodeName))
    ? undefined
    : `node ${node} can only evict pods with spec.nodeName set to itself`;
}

/** Whether what a pod mounts asks for tokens of this audience: projected volumes, and CSI drivers that want tokens. { error } for what cannot be found. */
function mountsAudience(
  { store, attributes }: RestrictionContext,
  pod: KubeObject,
  audience: string,
): boolean | { readonly error: string } {
  const errors: string[] = [];
  const missing = (kind: string, name: string): undefined => {
    errors.push(`${kind} ${goQuote(name)} not found`);
    return undefined;
  };
  const claimDriver = (claim: string): string | undefined => {
    const found = store.get({ group: '', resource: 'persistentvolumeclaims' }, attributes.namespace, claim);
    if (found === undefined) return missing('persistentvolumeclaim', claim);
    const name = text(specOf(found).volumeName);
    const volume = store.get({ group: '', resource: 'persistentvolumes' }, undefined, name);
    return volume === undefined ? missing('persistentvolume', name) : text(record(specOf(volume).csi).driver);
  };
  for (const volume of records(specOf(pod).volumes)) {
    const sources = records(record(volume.projected).sources);
    if (
      sources.some(
        (source) => isRecord(source.serviceAccountToken) && text(source.serviceAccountToken.audience) === audience,
      )
    )
      return true;
    let driver: string | undefined;
    if (isRecord(record(volume.ephemeral).volumeClaimTemplate))
      driver = claimDriver(`${pod.metadata.name}-${text(volume.name)}`);
    else if (isRecord(volume.persistentVolumeClaim)) driver = claimDriver(text(volume.persistentVolumeClaim.claimName));
    else if (isRecord(volume.csi)) driver = text(volume.csi.driver);
    if (driver === undefined || driver === '') continue;
    const found = store.get({ group: 'storage.k8s.io', resource: 'csidrivers' }, undefined, driver);
    if (found === undefined) missing('csidriver.storage.k8s.io', driver);
    else if (records(specOf(found).tokenRequests).some((request) => text(request.audience) === audience)) return true;
  }
  return errors.length === 0 ? false : { error: errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]` };
}

export function refuseToken(context: RestrictionContext): Refusal {
  const { node, attributes, decisions, authorizer } = context;
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return undefined;
  const spec = specOf(attributes.object);
  const reference = isRecord(spec.boundObjectRef) ? spec.boundObjectRef : undefined;
  if (
    reference === undefined ||
    reference.apiVersion !== 'v1' ||
    reference.kind !== 'Pod' ||
    text(reference.name) === ''
  ) {
    return 'node requested token not bound to a pod';
  }
  const uid = text(reference.uid);
  if (uid === '') return 'node requested token with a pod binding without a uid';
  const pod = demand(context, 'pods', text(reference.name));
  if (uid !== pod.metadata.uid) {
    return `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
  }
  if (!decisions.nodeMayTouchPod(node, text(specOf(pod).nodeName)))
    return 'node requested token bound to a pod scheduled on a different node';
  if (!decisions.nodeAudiencesAreRestricted(context.minor)) return undefined;
  const [audience = '', ...more] = list(spec.audiences).map(text);
  if (more.length > 0) return 'node may only request 0 or 1 audiences';
  const mounted = mountsAudience(context, pod, audience);
  if (typeof mounted === 'object') return `error validating audience ${goQuote(audience)}: ${mounted.error}`;
  if (mounted) return undefined;
  const { decision } = authorizer.authorize({
    user: attributes.user,
    verb: 'request-serviceaccounts-token-audience',
    isResourceRequest: true,
    path: '',
    group: '',
    version: 'v1',
    resource: audience,
    subresource: '',
    namespace: attributes.namespace,
    name: attributes.name,
  });
  if (decision === 'allow') return undefined;
  return `audience ${goQuote(audience)} not found in pod spec volume, ${attributes.user.username} is not authorized to request tokens for this audience`;
}

/**
 * The part of NodeRestriction that looks at the tokens that a node asks for in the name of its pods.
 * Source: plugin/pkg/admission/noderestriction/admission.go admitServiceAccount, validateNodeServiceAccountAudience.
 */
import { goQuote } from '../../apiserver/go/text.js';
import type { GroupResource } from '../../apiserver/types.js';
import { isRecord, record, records, text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Refusal } from '../decisions/node-restriction.js';
import { aggregate } from '../go-errors.js';
import { demand, isOwn, type RestrictionContext } from './node-restriction-pods.js';

const core = (resource: string): GroupResource => ({ group: '', resource });

/**
 * Whether what a pod mounts asks for tokens of this audience: projected volumes, and CSI drivers that want tokens. {
 * error } for what cannot be found.
 */
function mountsAudience(
  { store, attributes }: RestrictionContext,
  pod: KubeObject,
  audience: string,
): boolean | { readonly error: string } {
  const errors: string[] = [];
  const find = (resource: GroupResource, kind: string, namespace: string | undefined, name: string) => {
    const found = store.get(resource, namespace, name);
    if (found === undefined) errors.push(`${kind} ${goQuote(name)} not found`);
    return found;
  };
  const driverOfClaim = (name: string): string => {
    const claim = find(core('persistentvolumeclaims'), 'persistentvolumeclaim', attributes.namespace, name);
    if (claim === undefined) return '';
    const volumeName = text(record(claim.spec).volumeName);
    const volume = find(core('persistentvolumes'), 'persistentvolume', undefined, volumeName);
    return text(record(record(volume?.spec).csi).driver);
  };
  const asksFor = (requests: readonly Readonly<Record<string, unknown>>[]): boolean =>
    requests.some((request) => text(request.audience) === audience);
  for (const volume of records(record(pod.spec).volumes)) {
    const tokens = records(record(volume.projected).sources).map((source) => source.serviceAccountToken);
    if (asksFor(tokens.filter(isRecord))) return true;
    let driver = '';
    if (isRecord(record(volume.ephemeral).volumeClaimTemplate))
      driver = driverOfClaim(`${pod.metadata.name}-${text(volume.name)}`);
    else if (isRecord(volume.persistentVolumeClaim))
      driver = driverOfClaim(text(volume.persistentVolumeClaim.claimName));
    else if (isRecord(volume.csi)) driver = text(volume.csi.driver);
    if (driver === '') continue;
    const drivers = { group: 'storage.k8s.io', resource: 'csidrivers' };
    const found = find(drivers, 'csidriver.storage.k8s.io', undefined, driver);
    if (found !== undefined && asksFor(records(record(found.spec).tokenRequests))) return true;
  }
  return errors.length === 0 ? false : { error: aggregate(errors) };
}

/** Whether the node may ask for tokens of an audience by a right of its own. */
const mayRequestAudience = ({ attributes, authorizer }: RestrictionContext, audience: string): boolean =>
  authorizer.authorize({
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
  }).decision === 'allow';

function refuseAudience(context: RestrictionContext, pod: KubeObject, audiences: unknown): Refusal {
  const audience = context.decisions.nodeTokenAudience(audiences);
  if (audience === undefined) return 'node may only request 0 or 1 audiences';
  const mounted = mountsAudience(context, pod, audience);
  if (typeof mounted === 'object') return `error validating audience ${goQuote(audience)}: ${mounted.error}`;
  if (mounted || mayRequestAudience(context, audience)) return undefined;
  const { username } = context.attributes.user;
  return (
    `audience ${goQuote(audience)} not found in pod spec volume, ` +
    `${username} is not authorized to request tokens for this audience`
  );
}

export function refuseToken(context: RestrictionContext): Refusal {
  const { attributes, decisions, minor } = context;
  if (attributes.operation !== 'CREATE' || attributes.subresource !== 'token') return undefined;
  const spec = record(attributes.object?.spec);
  const problem = decisions.nodeTokenProblem(spec.boundObjectRef);
  if (problem !== undefined) return problem;
  const { name, uid } = record(spec.boundObjectRef);
  const pod = demand(context, 'pods', text(name));
  const podProblem = decisions.nodeTokenPodProblem(text(uid), pod, isOwn(context, pod));
  if (podProblem !== undefined || !decisions.nodeAudiencesAreRestricted(minor)) return podProblem;
  return refuseAudience(context, pod, spec.audiences);
}

/** serviceaccounts/token: what may be asked, and the token. Source: pkg/registry/core/serviceaccount/storage/token.go Create; pkg/apis/authentication/validation/validation.go. */

import { goQuote } from '../../apiserver/go/text.js';
import { badRequest, conflict, invalid, notFound } from '../../apiserver/machinery/errors.js';
import { invalidValue } from '../../apiserver/machinery/field-errors.js';
import type { FieldError, StrategyContext } from '../../apiserver/types.js';
import { count, isRecord, record, text, texts } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Binding, ServiceAccountTokens } from './service-account-tokens.js';

const KIND = { group: 'authentication.k8s.io', kind: 'TokenRequest' };
const DEFAULT_SECONDS = 3600;
const SHORTEST_SECONDS = 600;
/** What kubelets ask for when they want a token that outlives its official life. Source: pkg/serviceaccount/claims.go. */
const EXTENDABLE_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

const rfc3339 = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

interface Bound {
  readonly binding: Binding;
  readonly uid: string;
}

function bind(
  reference: Readonly<Record<string, unknown>>,
  account: KubeObject,
  { store, namespace }: StrategyContext,
  minor: number,
): Bound {
  const apiVersion = text(reference.apiVersion);
  const kind = text(reference.kind);
  const name = text(reference.name);
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const get = (
    resource: string,
    at: string | undefined,
  ): { readonly object: KubeObject; readonly ref: { readonly name: string; readonly uid: string } } => {
    const object = store.get({ group: '', resource }, at, name);
    if (object === undefined) throw notFound({ group: '', resource }, name);
    return { object, ref: { name, uid: object.metadata.uid ?? '' } };
  };
  if (group === '' && kind === 'Pod') {
    const { object, ref } = get('pods', namespace);
    const { serviceAccountName, nodeName } = record(object.spec);
    const own = account.metadata.name ?? '';
    if (text(serviceAccountName) !== own)
      throw badRequest(
        `cannot bind token for serviceaccount ${goQuote(own)} to pod running with different serviceaccount name.`,
      );
    if (text(nodeName) === '' || minor < 30) return { binding: { pod: ref }, uid: ref.uid };
    const node = store.get({ group: '', resource: 'nodes' }, undefined, text(nodeName));
    const uid = node?.metadata.uid;
    return {
      binding: { pod: ref, node: { name: text(nodeName), ...(uid === undefined ? {} : { uid }) } },
      uid: ref.uid,
    };
  }
  if (group === '' && kind === 'Node' && minor >= 31) {
    const { ref } = get('nodes', undefined);
    return { binding: { node: ref }, uid: ref.uid };
  }
  if (group === '' && kind === 'Secret') {
    const { ref } = get('secrets', namespace);
    return { binding: { secret: ref }, uid: ref.uid };
  }
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

/** Answers a TokenRequest for an existing ServiceAccount. Throws ApiError. `minor` of the version played. */
export function requestToken(
  tokens: ServiceAccountTokens,
  minor: number,
  account: KubeObject,
  request: KubeObject,
  context: StrategyContext,
): { readonly code: number; readonly object: KubeObject } {
  const { name = '', uid = '' } = account.metadata;
  const { namespace } = context;
  const given = request.metadata;
  if (given.namespace !== undefined && given.namespace !== '' && given.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  if (given.name !== undefined && given.name !== '' && given.name !== name) {
    throw invalid(KIND, name, [
      invalidValue('metadata.name', given.name, 'must match the service account name if specified'),
    ]);
  }
  const otherUid = given.uid !== undefined && given.uid !== '' && given.uid !== uid;
  const mismatch = `the UID in the token request (${given.uid}) does not match the UID of the service account (${uid})`;
  if (otherUid && minor >= 34) throw conflict({ group: KIND.group, resource: KIND.kind }, name, mismatch);

  const spec = record(request.spec);
  const audiences = texts(spec.audiences).length === 0 ? [tokens.issuer] : texts(spec.audiences);
  const seconds =
    spec.expirationSeconds === undefined || spec.expirationSeconds === null
      ? DEFAULT_SECONDS
      : count(spec.expirationSeconds);
  const errors: FieldError[] = [];
  if (seconds < SHORTEST_SECONDS)
    errors.push(invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration less than 10 minutes'));
  if (seconds > 2 ** 32)
    errors.push(invalidValue('spec.expirationSeconds', seconds, 'may not specify a duration larger than 2^32 seconds'));
  if (errors.length > 0) throw invalid(KIND, '', errors);

  const reference = isRecord(spec.boundObjectRef) ? spec.boundObjectRef : undefined;
  const bound = reference === undefined ? undefined : bind(reference, account, context, minor);
  const wantedUid = text(reference?.uid);
  if (bound !== undefined && wantedUid !== '' && wantedUid !== bound.uid) {
    throw conflict(
      { group: '', resource: text(reference?.kind) },
      text(reference?.name),
      `the UID in the bound object reference (${wantedUid}) does not match the UID in record. The object might have been deleted and then recreated`,
    );
  }
  const now = context.clock.now();
  const extended =
    bound?.binding.pod !== undefined &&
    seconds === EXTENDABLE_SECONDS &&
    audiences.every((audience) => audience === tokens.issuer);
  const token = tokens.issue({
    namespace,
    name,
    uid,
    audiences,
    now,
    binding: bound?.binding ?? {},
    expirationSeconds: extended ? EXTENDED_SECONDS : seconds,
    ...(extended ? { warnAfterSeconds: seconds } : {}),
  });
  return {
    code: 201,
    object: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: KIND.kind,
      metadata: {
        ...given,
        name,
        namespace,
        uid: otherUid ? (given.uid ?? uid) : uid,
        creationTimestamp: rfc3339(now),
      },
      spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
      status: { token, expirationTimestamp: rfc3339(now + seconds * 1000) },
    },
  };
}

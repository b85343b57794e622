/**
 * serviceaccounts/token: what may be asked, and the token. Source: pkg/registry/core/serviceaccount/storage/token.go
 * Create;
 * pkg/apis/authentication/validation/validation.go.
 */

import { rfc3339 } from '../../apiserver/clock.js';
import { badRequest, conflict, invalid, notFound } from '../../apiserver/machinery/errors.js';
import { invalidValue } from '../../apiserver/machinery/field-errors.js';
import type { StrategyContext } from '../../apiserver/resource-definition.js';
import { checkTokenNames, TOKEN_REQUEST } from '../../apiserver/resources/token-request-names.js';
import { count, type Fields, isRecord, record, text, texts } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { TokenContent } from '../decisions/service-account-tokens.js';
import type { Decisions } from '../decisions.js';
import type { ServiceAccountTokens } from './service-account-tokens.js';

/** What makes tokens; `minor` of the version played. */
export interface TokenRequests {
  readonly tokens: ServiceAccountTokens;
  readonly decisions: Decisions;
  readonly minor: number;
}

/** What a token is bound to; `uid` is the bound object's. */
interface Bound {
  readonly binding: TokenContent['bound'];
  readonly uid: string;
}

function bind(
  reference: Fields,
  account: KubeObject,
  { store, namespace }: StrategyContext,
  { decisions, minor }: TokenRequests,
): Bound {
  const apiVersion = text(reference.apiVersion);
  const [kind, name] = [text(reference.kind), text(reference.name)];
  const slash = apiVersion.indexOf('/');
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const resource = decisions.bindableResource(group, kind, minor);
  if (resource === undefined) throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
  if (name === '') throw badRequest('Name parameter required.');
  const places = resource === 'nodes' ? [undefined] : decisions.boundObjectNamespaces(namespace);
  const object = places.flatMap((place) => store.get({ group: '', resource }, place, name) ?? [])[0];
  if (object === undefined) throw notFound({ group: '', resource }, name);
  const uid = object.metadata.uid ?? '';
  const bound = { name, uid };
  if (resource === 'nodes') return { binding: { node: bound }, uid };
  if (resource === 'secrets') return { binding: { secret: bound }, uid };
  const { serviceAccountName, nodeName } = record(object.spec);
  const problem = decisions.podBindingProblem(account.metadata.name ?? '', text(serviceAccountName));
  if (problem !== undefined) throw badRequest(problem);
  if (!decisions.podBindingNamesNode(text(nodeName), minor)) return { binding: { pod: bound }, uid };
  const nodeUid = store.get({ group: '', resource: 'nodes' }, undefined, text(nodeName))?.metadata.uid;
  const node = { name: text(nodeName), ...(nodeUid === undefined ? {} : { uid: nodeUid }) };
  return { binding: { pod: bound, node }, uid };
}

/** Why the metadata of a request is refused is thrown; the UID that the answer shows is returned. */
function checkMetadata(
  given: KubeObject['metadata'],
  { name = '', uid = '' }: KubeObject['metadata'],
  namespace: string,
  { decisions, minor }: TokenRequests,
): string {
  checkTokenNames(given, name, namespace);
  if (given.uid === undefined || given.uid === '' || given.uid === uid) return uid;
  if (decisions.tokenRequestUidIsCompared(minor)) {
    throw conflict(
      { group: TOKEN_REQUEST.group, resource: TOKEN_REQUEST.kind },
      name,
      `the UID in the token request (${given.uid}) does not match the UID of the service account (${uid})`,
    );
  }
  return given.uid;
}

function bindAsAsked(
  reference: Fields | undefined,
  account: KubeObject,
  context: StrategyContext,
  requests: TokenRequests,
): TokenContent['bound'] {
  if (reference === undefined) return {};
  const { binding, uid } = bind(reference, account, context, requests);
  const wanted = text(reference.uid);
  if (requests.decisions.boundUidFits(wanted, uid)) return binding;
  throw conflict(
    { group: '', resource: text(reference.kind) },
    text(reference.name),
    `the UID in the bound object reference (${wanted}) does not match the UID in record. ` +
      'The object might have been deleted and then recreated',
  );
}

/** Answers a TokenRequest for an existing ServiceAccount. Throws ApiError. */
export function requestToken(
  requests: TokenRequests,
  account: KubeObject,
  request: KubeObject,
  context: StrategyContext,
): { readonly code: number; readonly object: KubeObject } {
  const { tokens, decisions } = requests;
  const { name = '', uid = '' } = account.metadata;
  const { namespace } = context;
  const shownUid = checkMetadata(request.metadata, account.metadata, namespace, requests);
  const spec = record(request.spec);
  const audiences = decisions.tokenRequestAudiences(texts(spec.audiences), tokens.audiences);
  const asked = spec.expirationSeconds;
  const seconds = asked === undefined || asked === null ? decisions.tokenRequestSeconds() : count(asked);
  const problems = decisions.tokenRequestSecondsProblems(seconds);
  if (problems.length > 0)
    throw invalid(
      TOKEN_REQUEST,
      '',
      problems.map((problem) => invalidValue('spec.expirationSeconds', seconds, problem)),
    );
  const reference = isRecord(spec.boundObjectRef) ? spec.boundObjectRef : undefined;
  const bound = bindAsAsked(reference, account, context, requests);
  const now = context.clock.now();
  const boundToPod = bound.pod !== undefined;
  const lifetime = decisions.tokenLifetime({ seconds, boundToPod, audiences, own: tokens.audiences });
  const token = tokens.issue({
    namespace,
    name,
    uid,
    audiences,
    now: Math.floor(now / 1000),
    bound,
    expirationSeconds: lifetime.seconds,
    warnAfterSeconds: lifetime.warnAfterSeconds,
  });
  return {
    code: 201,
    object: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: TOKEN_REQUEST.kind,
      metadata: { ...request.metadata, name, namespace, uid: shownUid, creationTimestamp: rfc3339(now) },
      spec: { audiences, expirationSeconds: seconds, boundObjectRef: reference ?? null },
      status: { token, expirationTimestamp: rfc3339(now + seconds * 1000) },
    },
  };
}

/**
 * Tokens of service accounts: signed, and judged when they come back. Source: pkg/serviceaccount/{jwt,claims,legacy}.go;
 * apiserver, pkg/authentication/serviceaccount/util.go.
 */
import { createHash, createPublicKey, type KeyObject, sign, timingSafeEqual, verify } from 'node:crypto';
import type { Clock, GroupResource, RandomBytes, Store } from '../../apiserver/types.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import { CREDENTIAL_ID } from '../decisions/authorization.js';
import { goQuoteList } from './rules.js';
import type { TokenAnswer } from './token-cache.js';

/** Issuer of tokens that lie in Secrets. Source: legacy.go LegacyIssuer. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const LEEWAY_SECONDS = 60;
const EXTRA = 'authentication.kubernetes.io/';

interface Reference {
  readonly name?: string;
  readonly uid?: string;
}

/** What a token is bound to: a pod (with the node that it runs on), a Secret or a node. */
export interface Binding {
  readonly pod?: Reference;
  readonly secret?: Reference;
  readonly node?: Reference;
}

export interface IssueRequest {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly expirationSeconds: number;
  readonly binding: Binding;
  readonly warnAfterSeconds?: number;
}

export interface ServiceAccountTokens {
  readonly issuer: string;
  /** A bound token. */
  issue(request: IssueRequest): string;
  /** The token of a Secret of type kubernetes.io/service-account-token. */
  issueLegacy(
    secret: { readonly namespace: string; readonly name: string },
    serviceAccount: { readonly name: string; readonly uid: string },
  ): string;
  /** What the two service account authenticators say of a token; empty where it is none of theirs. `audiences` are those wanted. */
  authenticate(token: string, audiences: readonly string[], now: number): TokenAnswer;
  /** The signing key as a JSON Web Key set, for /openid/v1/jwks. */
  keySet(): { readonly keys: readonly Record<string, unknown>[] };
}

export interface ServiceAccountTokenOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** --service-account-issuer; also the only API audience. */
  readonly issuer: string;
  /** Private key: RSA signs RS256, a curve of 256 bits ES256. */
  readonly key: KeyObject;
  readonly minor: number;
}

const core = (resource: string): GroupResource => ({ group: '', resource });
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
type Claims = Readonly<Record<string, unknown>>;
const claimsOf = (value: unknown): Claims =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Claims) : {};

/** A random UUID (version 4) from the given source. */
export function uuid(random: RandomBytes): string {
  const bytes = Buffer.from(random(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const PREFIX = 'system:serviceaccount:';

/** Namespace and name of a service account's user name, undefined for other users. Source: util.go SplitUsername. */
export function splitUsername(username: string): { readonly namespace: string; readonly name: string } | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const parts = username.slice(PREFIX.length).split(':');
  const [namespace = '', name = ''] = parts;
  const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
  const valid =
    parts.length === 2 &&
    label.test(namespace) &&
    namespace.length <= 63 &&
    name.length <= 253 &&
    name.split('.').every((one) => label.test(one));
  return valid ? { namespace, name } : undefined;
}

/** Groups of every service account of a namespace. Source: util.go MakeGroupNames. */
export const serviceAccountGroups = (namespace: string): readonly string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
];

const serviceAccountUser = (
  namespace: string,
  name: string,
  uid: string,
  extra: Record<string, string[]> = {},
): UserInfo => ({
  username: `${PREFIX}${namespace}:${name}`,
  uid,
  groups: serviceAccountGroups(namespace),
  ...(Object.keys(extra).length === 0 ? {} : { extra }),
});

export function createServiceAccountTokens({
  store,
  random,
  issuer,
  key,
  minor,
}: ServiceAccountTokenOptions): ServiceAccountTokens {
  const publicKey = createPublicKey(key);
  const algorithm = key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
  const signing = { key, dsaEncoding: 'ieee-p1363' as const };
  const kid = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64url');

  const seal = (claims: object): string => {
    const head = Buffer.from(JSON.stringify({ alg: algorithm, kid })).toString('base64url');
    const body = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    return `${body}.${sign('sha256', Buffer.from(body), signing).toString('base64url')}`;
  };

  /** Claims of a well-formed token whose signature holds; an error text, or undefined where it is not one of ours. */
  const open = (token: string): { readonly claims: Claims } | { readonly error: string } | undefined => {
    const [head = '', body = '', signature = '', more] = token.split('.');
    if (more !== undefined || signature === '' || !/^[A-Za-z0-9_-]+$/.test(body)) return undefined;
    let header: Claims;
    let claims: Claims;
    try {
      header = claimsOf(JSON.parse(Buffer.from(head, 'base64url').toString('utf8')));
      claims = claimsOf(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')));
    } catch {
      return undefined;
    }
    if (claims.iss !== issuer && claims.iss !== LEGACY_ISSUER) return undefined;
    if (header.kid !== undefined && header.kid !== '' && header.kid !== kid)
      return { error: 'invalid signature, no keys found' };
    const held =
      header.alg === algorithm &&
      verify(
        'sha256',
        Buffer.from(`${head}.${body}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      );
    return held ? { claims } : { error: 'go-jose/go-jose: error in cryptographic primitive' };
  };

  const find = (resource: string, namespace: string, name: string): KubeObject | undefined =>
    store.get(core(resource), resource === 'nodes' ? undefined : namespace, name);

  const goneBefore = (object: KubeObject, limit: number): boolean =>
    object.metadata.deletionTimestamp !== undefined && Date.parse(object.metadata.deletionTimestamp) < limit;

  /** Why a bound object makes the token worthless; undefined: it does not. Source: claims.go Validate. */
  const boundProblem = (
    resource: 'secrets' | 'pods' | 'nodes',
    namespace: string,
    bound: Claims,
    now: number,
  ): string | undefined => {
    const object = find(resource, namespace, text(bound.name));
    if (object === undefined || goneBefore(object, now - LEEWAY_SECONDS * 1000)) {
      if (object === undefined || object.metadata.uid === bound.uid)
        return 'service account token has been invalidated';
    }
    const kind = resource.slice(0, -1);
    return object.metadata.uid === bound.uid
      ? undefined
      : `${kind} UID (${object.metadata.uid}) does not match service account ${kind} ref claim (${text(bound.uid)})`;
  };

  const judgeBound = (claims: Claims, now: number): UserInfo | { readonly error: string } => {
    const seconds = now / 1000;
    const number = (claim: unknown): number | undefined => (typeof claim === 'number' ? claim : undefined);
    const [exp, nbf, iat] = [number(claims.exp), number(claims.nbf), number(claims.iat)];
    if (nbf !== undefined && seconds + LEEWAY_SECONDS < nbf) return { error: 'service account token is not valid yet' };
    if (exp !== undefined && seconds - LEEWAY_SECONDS > exp) return { error: 'service account token has expired' };
    if (iat !== undefined && seconds + LEEWAY_SECONDS < iat)
      return { error: 'service account token is issued in the future' };
    const own = claimsOf(claims['kubernetes.io']);
    const namespace = text(own.namespace);
    const account = claimsOf(own.serviceaccount);
    const name = text(account.name);
    const found = find('serviceaccounts', namespace, name);
    if (found === undefined) return { error: `serviceaccounts "${name}" not found` };
    if (found.metadata.uid !== account.uid)
      return { error: `service account UID (${found.metadata.uid}) does not match claim (${text(account.uid)})` };
    if (goneBefore(found, now - LEEWAY_SECONDS * 1000))
      return { error: `service account ${namespace}/${name} has been deleted` };
    const extra: Record<string, string[]> = {};
    const secret = own.secret === undefined ? undefined : claimsOf(own.secret);
    const pod = own.pod === undefined ? undefined : claimsOf(own.pod);
    const node = own.node === undefined ? undefined : claimsOf(own.node);
    const problem =
      (secret === undefined ? undefined : boundProblem('secrets', namespace, secret, now)) ??
      (pod === undefined ? undefined : boundProblem('pods', namespace, pod, now)) ??
      (node === undefined || pod !== undefined ? undefined : boundProblem('nodes', namespace, node, now));
    if (problem !== undefined) return { error: problem };
    if (pod !== undefined) {
      extra[`${EXTRA}pod-name`] = [text(pod.name)];
      extra[`${EXTRA}pod-uid`] = [text(pod.uid)];
    }
    if (node !== undefined && minor >= 30) {
      extra[`${EXTRA}node-name`] = [text(node.name)];
      if (text(node.uid) !== '') extra[`${EXTRA}node-uid`] = [text(node.uid)];
    }
    if (text(claims.jti) !== '' && minor >= 30) extra[CREDENTIAL_ID] = [`JTI=${text(claims.jti)}`];
    return serviceAccountUser(namespace, name, text(account.uid), extra);
  };

  const judgeLegacy = (token: string, claims: Claims): UserInfo | { readonly error: string } => {
    const own = (name: string): string => text(claims[`kubernetes.io/serviceaccount/${name}`]);
    const [namespace, secretName, name, uid] = [
      own('namespace'),
      own('secret.name'),
      own('service-account.name'),
      own('service-account.uid'),
    ];
    for (const [claim, value] of [
      ['sub', text(claims.sub)],
      ['namespace', namespace],
      ['secretName', secretName],
      ['serviceAccountName', name],
      ['serviceAccountUID', uid],
    ]) {
      if (value === '') return { error: `${claim} claim is missing` };
    }
    if (text(claims.sub) !== `${PREFIX}${namespace}:${name}` || splitUsername(text(claims.sub)) === undefined)
      return { error: 'sub claim is invalid' };
    const secret = find('secrets', namespace, secretName);
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined)
      return { error: 'Token has been invalidated' };
    const stored = Buffer.from(text(claimsOf(secret.data).token), 'base64');
    const presented = Buffer.from(token);
    if (stored.length !== presented.length || !timingSafeEqual(stored, presented))
      return { error: "Token does not match server's copy" };
    const account = find('serviceaccounts', namespace, name);
    if (account === undefined) return { error: `serviceaccounts "${name}" not found` };
    if (account.metadata.deletionTimestamp !== undefined)
      return { error: `ServiceAccount ${namespace}/${name} has been deleted` };
    if (account.metadata.uid !== uid)
      return { error: `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})` };
    if ((secret.metadata.labels?.[INVALID_SINCE] ?? '') !== '')
      return { error: `the token in secret ${namespace}/${secretName} has been marked invalid` };
    return serviceAccountUser(namespace, name, uid);
  };

  return {
    issuer,
    issue({ namespace, name, uid, audiences, now, expirationSeconds, binding, warnAfterSeconds }) {
      const at = Math.floor(now / 1000);
      const { pod, secret, node } = binding;
      const own = {
        namespace,
        ...(node === undefined ? {} : { node }),
        ...(pod === undefined ? {} : { pod }),
        ...(secret === undefined ? {} : { secret }),
        serviceaccount: { name, uid },
        ...(warnAfterSeconds === undefined ? {} : { warnafter: at + warnAfterSeconds }),
      };
      return seal({
        aud: audiences,
        exp: at + expirationSeconds,
        iat: at,
        iss: issuer,
        ...(minor >= 30 ? { jti: uuid(random) } : {}),
        'kubernetes.io': own,
        nbf: at,
        sub: `${PREFIX}${namespace}:${name}`,
      });
    },
    issueLegacy: (secret, account) =>
      seal({
        iss: LEGACY_ISSUER,
        'kubernetes.io/serviceaccount/namespace': secret.namespace,
        'kubernetes.io/serviceaccount/secret.name': secret.name,
        'kubernetes.io/serviceaccount/service-account.name': account.name,
        'kubernetes.io/serviceaccount/service-account.uid': account.uid,
        sub: `${PREFIX}${secret.namespace}:${account.name}`,
      }),
    authenticate(token, audiences, now) {
      const opened = open(token);
      if (opened === undefined) return {};
      if ('error' in opened) return opened;
      const { claims } = opened;
      const list =
        typeof claims.aud === 'string' ? [claims.aud] : Array.isArray(claims.aud) ? claims.aud.map(text) : [];
      const own = list.length === 0 ? [issuer] : list;
      const shared = own.filter((one) => audiences.includes(one));
      if (shared.length === 0)
        return {
          error: `token audiences ${goQuoteList(own)} is invalid for the target audiences ${goQuoteList(audiences)}`,
        };
      const judged = claims.iss === LEGACY_ISSUER ? judgeLegacy(token, claims) : judgeBound(claims, now);
      return 'error' in judged ? judged : { user: judged, audiences: shared };
    },
    keySet: () => ({ keys: [{ use: 'sig', ...publicKey.export({ format: 'jwk' }), kid, alg: algorithm }] }),
  };
}

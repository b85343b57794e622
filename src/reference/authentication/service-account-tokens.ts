/**
 * Tokens of service accounts: signed, and judged when they come back. Source:
 * pkg/serviceaccount/{jwt,claims,legacy}.go;
 * apiserver, pkg/authentication/serviceaccount/util.go.
 */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { uuid } from '../../apiserver/machinery/machinery.js';
import type { RandomBytes, Store } from '../../apiserver/types.js';
import { list, record, text } from '../../kubernetes/json.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import { serviceAccountGroups, serviceAccountUsername, splitUsername } from '../decisions/service-account-names.js';
import type { BoundClaims, BoundKind, LegacyClaims, Named, TokenContent } from '../decisions/service-account-tokens.js';
import { LEGACY_ISSUER } from '../decisions/service-account-tokens.js';
import type { Decisions } from '../decisions.js';
import { goQuoteList } from '../go-errors.js';
import type { AskToken, TokenAnswer } from './opinion.js';

export interface ServiceAccountTokens {
  readonly issuer: string;
  /** A bound token. */
  issue(request: Omit<TokenContent, 'issuer' | 'id'>): string;
  /** What the two service account authenticators say of a token; empty where it is none of theirs. */
  readonly authenticate: AskToken;
  /** The signing key as a JSON Web Key set, for /openid/v1/jwks. */
  keySet(): { readonly keys: readonly Record<string, unknown>[] };
}

export interface ServiceAccountTokenOptions {
  readonly store: Store;
  readonly random: RandomBytes;
  readonly decisions: Decisions;
  /** --service-account-issuer; also the only API audience. */
  readonly issuer: string;
  /** Private key: RSA signs RS256, a curve of 256 bits ES256. */
  readonly key: KeyObject;
  /** Minor of the version played. */
  readonly minor: number;
}

type Claims = Readonly<Record<string, unknown>>;
type Judged = { readonly user: UserInfo } | { readonly error: string };

const RESOURCES: Readonly<Record<BoundKind, string>> = { secret: 'secrets', pod: 'pods', node: 'nodes' };
const number = (claim: unknown): number | undefined => (typeof claim === 'number' ? claim : undefined);
const named = (claim: unknown): Named => ({ name: text(record(claim).name), uid: text(record(claim).uid) });

/** The key that signs and verifies. Source: jwt.go, signerFromRSAPrivateKey, keyIDFromPublicKey. */
function createSeal(key: KeyObject) {
  const publicKey = createPublicKey(key);
  const dsaEncoding = 'ieee-p1363' as const;
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    alg: key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256',
    kid: createHash('sha256').update(spki).digest('base64url'),
    jwk: () => publicKey.export({ format: 'jwk' }),
    sign: (body: string): string => sign('sha256', Buffer.from(body), { key, dsaEncoding }).toString('base64url'),
    holds: (body: string, signature: string): boolean =>
      verify('sha256', Buffer.from(body), { key: publicKey, dsaEncoding }, Buffer.from(signature, 'base64url')),
  };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The object in one part of a token; undefined where it is no JSON. */
function decoded(part: string): Claims | undefined {
  try {
    return record(JSON.parse(Buffer.from(part, 'base64url').toString('utf8')));
  } catch {
    return undefined;
  }
}

export function createServiceAccountTokens(options: ServiceAccountTokenOptions): ServiceAccountTokens {
  const { store, random, decisions, issuer, key, minor } = options;
  const seal = createSeal(key);

  /** Claims of a well-formed token whose signature holds; an error text, or undefined where it is not one of ours. */
  const open = (token: string): { readonly claims: Claims } | { readonly error: string } | undefined => {
    const [head = '', body = '', signature = '', more] = token.split('.');
    if (more !== undefined || signature === '' || !/^[A-Za-z0-9_-]+$/.test(body)) return undefined;
    const header = decoded(head);
    const claims = decoded(body);
    if (header === undefined || claims === undefined || !decisions.tokenIssuerIsOurs(claims.iss, issuer))
      return undefined;
    if (!decisions.tokenKeyIsTried(header.kid, seal.kid)) return { error: 'invalid signature, no keys found' };
    const held = decisions.tokenAlgorithmFits(header.alg, seal.alg) && seal.holds(`${head}.${body}`, signature);
    return held ? { claims } : { error: 'go-jose/go-jose: error in cryptographic primitive' };
  };

  const find = (resource: string, namespace: string, name: string): KubeObject | undefined =>
    store.get({ group: '', resource }, resource === 'nodes' ? undefined : namespace, name);

  const userOf = (namespace: string, { name, uid }: Named, extra: UserInfo['extra'] = {}): UserInfo => ({
    username: serviceAccountUsername(namespace, name),
    uid,
    groups: serviceAccountGroups(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  });

  const judgeBound = (claims: Claims, now: number): Judged => {
    const leeway = decisions.tokenLeewaySeconds();
    const limit = now - leeway * 1000;
    const own = record(claims['kubernetes.io']);
    const namespace = text(own.namespace);
    const account = named(own.serviceaccount);
    const bound: BoundClaims = {
      ...(own.secret === undefined ? {} : { secret: named(own.secret) }),
      ...(own.pod === undefined ? {} : { pod: named(own.pod) }),
      ...(own.node === undefined ? {} : { node: named(own.node) }),
    };
    const boundProblem = (kind: BoundKind): string | undefined => {
      const claimed = bound[kind];
      if (claimed === undefined) return undefined;
      const object = find(RESOURCES[kind], namespace, claimed.name);
      return decisions.boundObjectProblem(kind, object, claimed, limit);
    };
    const times = { exp: number(claims.exp), nbf: number(claims.nbf), iat: number(claims.iat) };
    const error =
      decisions.tokenTimesProblem(times, now / 1000, leeway) ??
      decisions.tokenAccountProblem(
        find('serviceaccounts', namespace, account.name),
        { ...account, namespace },
        limit,
      ) ??
      decisions
        .boundKindsJudged(bound)
        .map(boundProblem)
        .find((problem) => problem !== undefined);
    if (error !== undefined) return { error };
    return { user: userOf(namespace, account, decisions.tokenExtra(bound, text(claims.jti), minor)) };
  };

  const judgeLegacy = (token: string, claims: Claims): Judged => {
    const own = (name: string): string => text(claims[`kubernetes.io/serviceaccount/${name}`]);
    const legacy: LegacyClaims = {
      sub: text(claims.sub),
      namespace: own('namespace'),
      secretName: own('secret.name'),
      name: own('service-account.name'),
      uid: own('service-account.uid'),
    };
    const { sub, namespace, secretName, name } = legacy;
    const isAccount = splitUsername(sub) !== undefined;
    const error =
      decisions.legacyClaimsProblem(legacy, serviceAccountUsername(namespace, name), isAccount) ??
      decisions.legacyTokenProblem(
        token,
        legacy,
        find('secrets', namespace, secretName),
        find('serviceaccounts', namespace, name),
      );
    return error === undefined ? { user: userOf(namespace, legacy) } : { error };
  };

  return {
    issuer,
    issue(request) {
      const content = { ...request, issuer, id: () => uuid(random) };
      const username = serviceAccountUsername(request.namespace, request.name);
      const claims = decisions.boundTokenClaims(content, username, minor);
      const body = `${encoded({ alg: seal.alg, kid: seal.kid })}.${encoded(claims)}`;
      return `${body}.${seal.sign(body)}`;
    },
    authenticate(token, audiences, now): TokenAnswer {
      const opened = open(token);
      if (opened === undefined || 'error' in opened) return opened ?? {};
      const { claims } = opened;
      const aud = typeof claims.aud === 'string' ? [claims.aud] : list(claims.aud).map(text);
      const own = decisions.tokenAudiences(aud, issuer);
      const shared = own.filter((one) => audiences.includes(one));
      if (shared.length === 0)
        return {
          error: `token audiences ${goQuoteList(own)} is invalid for the target audiences ${goQuoteList(audiences)}`,
        };
      const judged = claims.iss === LEGACY_ISSUER ? judgeLegacy(token, claims) : judgeBound(claims, now);
      return 'error' in judged ? judged : { user: judged.user, audiences: shared };
    },
    keySet: () => ({ keys: [{ use: 'sig', ...seal.jwk(), kid: seal.kid, alg: seal.alg }] }),
  };
}

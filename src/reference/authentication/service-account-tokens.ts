/**
 * Tokens of service accounts: signed, and judged when they come back. Source:
 * pkg/serviceaccount/{jwt,claims,legacy}.go;
 * apiserver, pkg/authentication/serviceaccount/util.go.
 */
import { createHash, type KeyObject, sign } from 'node:crypto';
import { goQuote } from '../../apiserver/go/text.js';
import { uuid } from '../../apiserver/machinery/machinery.js';
import type { RandomBytes, Store } from '../../apiserver/types.js';
import type { AuthenticationFlags } from '../../kubernetes/authentication-flags.js';
import { isRecord, list, record, text } from '../../kubernetes/json.js';
import type { KubeObject, UserInfo } from '../../kubernetes/objects.js';
import { publicAnew, spkiOf } from '../../pki/keys.js';
import { serviceAccountUsername, splitUsername } from '../decisions/service-account-names.js';
import type {
  AccountOfSecret,
  BoundClaims,
  BoundKind,
  LegacyClaims,
  Named,
  TokenContent,
} from '../decisions/service-account-tokens.js';
import { LEGACY_ISSUER } from '../decisions/service-account-tokens.js';
import type { Decisions } from '../decisions.js';
import { goQuoteList } from '../go-errors.js';
import type { AskToken, TokenAnswer } from './opinion.js';
import { publicKeysOf } from './public-keys.js';
import { claimedIssuer, objectIn, parseSigned, signatureHolds } from './signed-token.js';
import { readTokenClaims } from './token-claims.js';

export interface ServiceAccountTokens {
  readonly issuer: string;
  /** The API server's own. */
  readonly audiences: readonly string[];
  /** A bound token. */
  issue(request: Omit<TokenContent, 'issuer' | 'id'>): string;
  /** The token of a Secret. */
  issueForSecret(account: AccountOfSecret): string;
  /** What the two service account authenticators say of a token; empty where it is none of theirs. */
  readonly authenticate: AskToken;
  /** The keys that verify as a JSON Web Key set, for /openid/v1/jwks. */
  keySet(): { readonly keys: readonly Record<string, unknown>[] };
}

export interface ServiceAccountTokenOptions {
  readonly store: Store;
  readonly random: RandomBytes;
  readonly decisions: Decisions;
  /** --service-account-issuer, what kubeadm writes; those of `flags` stand in its place. */
  readonly issuer: string;
  /** Private key: RSA signs RS256, a curve of 256, 384 or 521 bits ES256, ES384 or ES512. */
  readonly key: KeyObject;
  /** Default: as kubeadm does it. */
  readonly flags?: AuthenticationFlags;
  /** Minor of the version played. */
  readonly minor: number;
}

type Claims = Readonly<Record<string, unknown>>;
type Judged = { readonly user: UserInfo } | { readonly error: string };

const RESOURCES: Readonly<Record<BoundKind, string>> = { secret: 'secrets', pod: 'pods', node: 'nodes' };
const number = (claim: unknown): number | undefined => (typeof claim === 'number' ? claim : undefined);
const named = (claim: unknown): Named => ({ name: text(record(claim).name), uid: text(record(claim).uid) });

/** By the name that OpenSSL has for the curve; undefined: RSA. Source: jwt.go, signerFromECDSAPrivateKey. */
const ALGORITHMS: Readonly<Record<string, readonly [alg: string, digest: string]>> = {
  prime256v1: ['ES256', 'sha256'],
  secp384r1: ['ES384', 'sha384'],
  secp521r1: ['ES512', 'sha512'],
};
const RSA = ['RS256', 'sha256'] as const;
const dsaEncoding = 'ieee-p1363' as const;
const algorithmOf = (key: KeyObject): readonly [alg: string, digest: string] =>
  ALGORITHMS[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? RSA;

/** A key that verifies. Source: jwt.go, StaticPublicKeysGetter, keyIDFromPublicKey. */
function createSeal(given: KeyObject) {
  const key = publicAnew(given);
  const [alg] = algorithmOf(key);
  return {
    alg,
    key,
    kid: createHash('sha256').update(spkiOf(key)).digest('base64url'),
    jwk: () => key.export({ format: 'jwk' }),
  };
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function createServiceAccountTokens(options: ServiceAccountTokenOptions): ServiceAccountTokens {
  const { store, random, decisions, key, minor, flags = {} } = options;
  const issuers = flags.serviceAccountIssuers ?? [options.issuer];
  const [issuer = options.issuer] = issuers;
  const own = flags.apiAudiences ?? issuers;
  const lookup = flags.serviceAccountLookup ?? true;
  const signer = createSeal(key);
  const seals = decisions.keysThatVerify(
    flags.serviceAccountKeyFiles?.flatMap(publicKeysOf).map(createSeal) ?? [signer],
  );

  /** Claims of a well-formed token whose signature holds; an error text, or undefined where it is not one of ours. */
  const open = (token: string): { readonly claims: Claims } | { readonly error: string } | undefined => {
    const issuer = decisions.tokenHasItsParts(token.split('.').length) ? claimedIssuer(token) : undefined;
    if (issuer === undefined || !decisions.tokenIssuerIsOurs(issuer, issuers)) return undefined;
    const signed = parseSigned(token, decisions.tokenHeaderCounts);
    if (signed === undefined) return undefined;
    const tried = seals.filter(({ kid }) => decisions.tokenKeyIsTried(signed.kid, kid));
    if (tried.length === 0) return { error: 'invalid signature, no keys found' };
    const { critical } = signed;
    if ('error' in critical) return critical;
    const isUnderstood = critical.every(decisions.criticalFieldIsUnderstood);
    const held = tried.some(({ alg, key: one }) => {
      const holds = isUnderstood && decisions.tokenAlgorithmFits(signed.alg, alg);
      return holds && decisions.tokenSignatureHolds(signatureHolds(signed, one), signed.alg);
    });
    if (!held) return { error: `${decisions.tokenLibrary(minor)}: error in cryptographic primitive` };
    const read = readTokenClaims(signed.payload, {
      isLegacy: issuer === LEGACY_ISSUER,
      library: decisions.tokenLibrary(minor),
    });
    if ('error' in read && decisions.claimsOfOtherTypesCount()) return { claims: objectIn(signed.payload) ?? {} };
    if ('error' in read || decisions.tokenIssuerIsOurs(read.claims.iss, issuers)) return read;
    return { error: `token issuer ${goQuote(text(read.claims.iss))} is invalid` };
  };

  const find = (resource: string, namespace: string, name: string): KubeObject | undefined =>
    store.get({ group: '', resource }, resource === 'nodes' ? undefined : namespace, name);

  const userOf = (namespace: string, { name, uid }: Named, extra: UserInfo['extra'] = {}): UserInfo => ({
    username: decisions.tokenUserOfAccount(namespace, name),
    uid,
    groups: decisions.tokenGroupsOfAccount(namespace),
    ...(Object.keys(extra).length === 0 ? {} : { extra }),
  });

  const judgeBound = (claims: Claims, now: number): Judged => {
    const leeway = decisions.tokenLeewaySeconds();
    const limit = now - leeway * 1000;
    const { secret, pod, node, ...said } = record(claims['kubernetes.io']);
    const namespace = text(said.namespace);
    const account = named(said.serviceaccount);
    const bound: BoundClaims = {
      ...(isRecord(secret) ? { secret: named(secret) } : {}),
      ...(isRecord(pod) ? { pod: named(pod) } : {}),
      ...(isRecord(node) ? { node: named(node) } : {}),
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
    const claim = (name: string): string => text(claims[`kubernetes.io/serviceaccount/${name}`]);
    const legacy: LegacyClaims = {
      sub: text(claims.sub),
      namespace: claim('namespace'),
      secretName: claim('secret.name'),
      name: claim('service-account.name'),
      uid: claim('service-account.uid'),
    };
    const { sub, namespace, secretName, name } = legacy;
    const isAccount = splitUsername(sub) !== undefined;
    const error =
      decisions.legacyClaimsProblem(legacy, serviceAccountUsername(namespace, name), isAccount) ??
      (decisions.legacyTokenIsLookedUp(lookup)
        ? decisions.legacyTokenProblem(
            token,
            legacy,
            find('secrets', namespace, secretName),
            find('serviceaccounts', namespace, name),
          )
        : undefined);
    return error === undefined ? { user: userOf(namespace, legacy) } : { error };
  };

  const signed = (claims: object): string => {
    const body = `${encoded({ alg: signer.alg, kid: signer.kid })}.${encoded(claims)}`;
    const [, digest] = algorithmOf(signer.key);
    return `${body}.${sign(digest, Buffer.from(body), { key, dsaEncoding }).toString('base64url')}`;
  };

  return {
    issuer,
    audiences: own,
    issue(request) {
      const content = { ...request, issuer, id: () => uuid(random) };
      const username = serviceAccountUsername(request.namespace, request.name);
      return signed(decisions.boundTokenClaims(content, username, minor));
    },
    issueForSecret({ namespace, name, uid, secretName }) {
      const said = { namespace, 'secret.name': secretName, 'service-account.name': name, 'service-account.uid': uid };
      const named = Object.entries(said).map(([claim, value]) => [`kubernetes.io/serviceaccount/${claim}`, value]);
      return signed({
        iss: LEGACY_ISSUER,
        ...Object.fromEntries(named),
        sub: serviceAccountUsername(namespace, name),
      });
    },
    authenticate(token, audiences, now): TokenAnswer {
      const opened = open(token);
      if (opened === undefined || 'error' in opened) return opened ?? {};
      const { claims } = opened;
      const aud = typeof claims.aud === 'string' ? [claims.aud] : list(claims.aud).map(text);
      const good = decisions.tokenAudiences(aud, own);
      const shared = decisions.sharedAudiences(good, audiences);
      if (shared.length === 0)
        return {
          error: `token audiences ${goQuoteList(good)} is invalid for the target audiences ${goQuoteList(audiences)}`,
        };
      const judged = claims.iss === LEGACY_ISSUER ? judgeLegacy(token, claims) : judgeBound(claims, now);
      return 'error' in judged ? judged : { user: judged.user, audiences: shared };
    },
    keySet: () => ({
      // In the order in which go-jose writes them.
      keys: seals.map(({ jwk, kid, alg }) => {
        const { kty, crv, ...numbers } = jwk();
        return { use: 'sig', kty, kid, ...(crv === undefined ? {} : { crv }), alg, ...numbers };
      }),
    }),
  };
}

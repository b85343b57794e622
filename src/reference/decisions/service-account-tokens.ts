/**
 * What is written into tokens of service accounts, and what is looked at when they come back.
 * Source: pkg/serviceaccount/{jwt,claims,legacy}.go; apiserver, pkg/authentication/serviceaccount/util.go.
 */

import { timingSafeEqual } from 'node:crypto';
import { goQuote } from '../../apiserver/go/text.js';
import { text } from '../../kubernetes/json.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { inSpan, type Span } from '../../kubernetes/versions.js';
import { CREDENTIAL_ID } from './client-certificates.js';
import { serviceAccountGroups, serviceAccountUsername } from './service-account-names.js';

/** Source: client-go, rest/request.go NamespaceIfScoped, Name; apimachinery, pkg/api/validation/path. */
function badSegment(segment: string): string | undefined {
  if (segment === '.' || segment === '..') return `may not be '${segment}'`;
  const bad = ['/', '%'].filter((part) => segment.includes(part)).map((part) => `may not contain '${part}'`);
  return bad.length === 0 ? undefined : bad.join(' ');
}

function whyNotFound({ name, namespace }: { readonly name: string; readonly namespace: string }): string {
  const [badSpace, badName] = [badSegment(namespace), badSegment(name)];
  if (badSpace !== undefined) return `invalid namespace ${goQuote(namespace)}: [${badSpace}]`;
  if (name === '') return 'resource name may not be empty';
  if (badName !== undefined) return `invalid resource name ${goQuote(name)}: [${badName}]`;
  if (namespace === '') return 'the server could not find the requested resource';
  return `serviceaccounts ${goQuote(name)} not found`;
}

/** Issuer of tokens that lie in Secrets. Source: legacy.go LegacyIssuer. */
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';

/** Gate ServiceAccountTokenJTI, with ServiceAccountTokenPodNodeInfo. */
const TOKENS_HAVE_IDS: Span = { since: 30 };
/** What the library that reads tokens called itself before. */
const SQUARE_JOSE: Span = { until: 31 };
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const EXTRA = 'authentication.kubernetes.io/';

/** An object that a token names. */
export interface Named {
  readonly name: string;
  readonly uid: string;
}

/**
 * What a token is bound to: a pod (with the node that it runs on), a Secret or a node. '' where the claim says nothing.
 */
export interface BoundClaims {
  readonly pod?: Named;
  readonly secret?: Named;
  readonly node?: Named;
}
export type BoundKind = keyof BoundClaims;

/** Times of a token in seconds since the epoch; undefined where the claim is absent or no number. */
export interface TokenTimes {
  readonly exp: number | undefined;
  readonly nbf: number | undefined;
  readonly iat: number | undefined;
}

/** Of whom a token is signed, and in which Secret it will lie. */
export interface AccountOfSecret {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly secretName: string;
}

/** What the token of a Secret says of itself; '' where it says nothing. */
export interface LegacyClaims {
  readonly sub: string;
  readonly namespace: string;
  readonly secretName: string;
  readonly name: string;
  readonly uid: string;
}

export interface TokenContent {
  readonly issuer: string;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** Seconds since the epoch. */
  readonly now: number;
  readonly expirationSeconds: number;
  readonly bound: { readonly [K in BoundKind]?: Partial<Named> };
  readonly warnAfterSeconds: number | undefined;
  /** A fresh id for a token; only asked where tokens have one. */
  readonly id: () => string;
}

/** `limit` in milliseconds since the epoch. */
const goneBefore = ({ metadata: { deletionTimestamp } }: KubeObject, limit: number): boolean =>
  deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < limit;

export const serviceAccountTokenDecisions = {
  /** The root certificate in a Secret of an account. Source: tokens_controller.go secretUpdateNeeded. */
  rootOfAccountSecret: (_held: string | undefined, own: string): string => own,

  /**
   * Whether tokens that say this issuer are looked at; the legacy issuer is always one. Source: jwt.go
   * hasCorrectIssuer.
   */
  tokenIssuerIsOurs: (claimed: unknown, issuers: readonly string[]): boolean =>
    claimed === LEGACY_ISSUER || (typeof claimed === 'string' && issuers.includes(claimed)),

  /**
   * Whether a key is tried on a token: only that of its key id, or any where it names none. Source: jwt.go
   * AuthenticateToken; keyIDFromHeader.
   */
  tokenKeyIsTried: (claimed: string, kid: string): boolean => claimed === '' || claimed === kid,

  /** Whether a text of so many parts may be a token. Source: jwt.go hasCorrectIssuer. */
  tokenHasItsParts: (parts: number): boolean => parts === 3,

  /** Whether a header counts of which a field is of another type than it must be (`fits` false). Source: go-jose v2, shared.go. */
  tokenHeaderCounts: (fits: boolean): boolean => fits,

  /** Whether claims count of which one is of another type than it must be. Source: go-jose v2, jwt/claims.go. */
  claimsOfOtherTypesCount: (): boolean => false,

  /** The keys that verify, of those in all files in their order. Source: options/authentication.go. */
  keysThatVerify: <K>(keys: readonly K[]): readonly K[] => keys,

  /** Whether a token is taken whose signature holds, or does not; `alg` of its header. Source: jwt.go, tok.Claims. */
  tokenSignatureHolds: (holds: boolean, _alg: string): boolean => holds,

  /**
   * Whether the algorithm of the header, '' where it names none, is one of the key's kind; `own` is what the key signs
   * with. Source: go-jose v2, asymmetric.go verifyPayload.
   */
  tokenAlgorithmFits: (claimed: string, own: string): boolean =>
    (own.startsWith('ES') ? /^ES(256|384|512)$/ : /^[RP]S(256|384|512)$/).test(claimed),

  /** How the library that reads tokens calls itself in its errors. Source: go.mod. */
  tokenLibrary: (minor: number): string => (inSpan(minor, SQUARE_JOSE) ? 'square/go-jose' : 'go-jose/go-jose'),

  /** Whether a field of the header is understood that must be. Source: go-jose v2, signing.go supportedCritical. */
  criticalFieldIsUnderstood: (name: string): boolean => name === 'b64',

  /**
   * Audiences of a token: those that it names; a token without any is good for the API server. Source: jwt.go
   * AuthenticateToken.
   */
  tokenAudiences: (named: readonly string[], own: readonly string[]): readonly string[] =>
    named.length === 0 ? own : named,

  /**
   * The audiences that a token is good for of those wanted; none: it is refused. Source: jwt.go AuthenticateToken.
   */
  sharedAudiences: (ofToken: readonly string[], wanted: readonly string[]): readonly string[] =>
    wanted.filter((one) => ofToken.includes(one)),

  /** Whether the Secret and the account of a legacy token are looked up, by the flag. Source: legacy.go Validate. */
  legacyTokenIsLookedUp: (lookup: boolean): boolean => lookup,

  /** Seconds that clocks may differ by, and that what is deleted still counts. Source: go-jose, jwt.DefaultLeeway. */
  tokenLeewaySeconds: (): number => 60,

  /** Why a token is not good now; undefined: it is. Seconds since the epoch. Source: claims.go Validate. */
  tokenTimesProblem: ({ exp, nbf, iat }: TokenTimes, now: number, leeway: number): string | undefined => {
    if (nbf !== undefined && now + leeway < nbf) return 'service account token is not valid yet';
    if (exp !== undefined && now - leeway > exp) return 'service account token has expired';
    if (iat !== undefined && now + leeway < iat) return 'service account token is issued in the future';
    return undefined;
  },

  /**
   * Why the account of a token does not count; undefined: it does. `limit`: what was deleted before it is gone. Source:
   * claims.go Validate.
   */
  tokenAccountProblem: (
    account: KubeObject | undefined,
    claimed: Named & { readonly namespace: string },
    limit: number,
  ): string | undefined => {
    if (account === undefined) return whyNotFound(claimed);
    if (account.metadata.uid !== claimed.uid)
      return `service account UID (${account.metadata.uid}) does not match claim (${claimed.uid})`;
    return goneBefore(account, limit)
      ? `service account ${claimed.namespace}/${claimed.name} has been deleted`
      : undefined;
  },

  /**
   * Which of the objects that a token is bound to are looked for, in order: a pod's node is not. Source: claims.go
   * Validate.
   */
  boundKindsJudged: (bound: BoundClaims): readonly BoundKind[] =>
    (['secret', 'pod', 'node'] as const).filter(
      (kind) => bound[kind] !== undefined && (kind !== 'node' || bound.pod === undefined),
    ),

  /**
   * Why a bound object makes the token worthless; undefined: it does not. `limit` as for the account. Source: claims.go
   * Validate.
   */
  boundObjectProblem: (
    kind: BoundKind,
    object: KubeObject | undefined,
    claimed: Named,
    limit: number,
  ): string | undefined => {
    if (object === undefined) return 'service account token has been invalidated';
    const { uid } = object.metadata;
    if (uid !== claimed.uid)
      return `${kind} UID (${uid}) does not match service account ${kind} ref claim (${claimed.uid})`;
    return goneBefore(object, limit) ? 'service account token has been invalidated' : undefined;
  },

  /** Groups of the bearer of a token. Source: util.go ServiceAccountInfo.UserInfo, MakeGroupNames. */
  tokenGroupsOfAccount: (namespace: string): readonly string[] => serviceAccountGroups(namespace),

  /** The name of the bearer. Source: util.go MakeUsername. */
  tokenUserOfAccount: (namespace: string, name: string): string => serviceAccountUsername(namespace, name),

  /**
   * The user of a bound token. `jti` is '' where it has none. Source: claims.go Validate; util.go
   * ServiceAccountInfo.UserInfo.
   */
  tokenExtra: ({ pod, node }: BoundClaims, jti: string, minor: number): Readonly<Record<string, readonly string[]>> => {
    const ids = inSpan(minor, TOKENS_HAVE_IDS);
    return {
      ...(pod === undefined ? {} : { [`${EXTRA}pod-name`]: [pod.name], [`${EXTRA}pod-uid`]: [pod.uid] }),
      ...(node === undefined || !ids ? {} : { [`${EXTRA}node-name`]: [node.name] }),
      ...(node === undefined || !ids || node.uid === '' ? {} : { [`${EXTRA}node-uid`]: [node.uid] }),
      ...(jti === '' || !ids ? {} : { [CREDENTIAL_ID]: [`JTI=${jti}`] }),
    };
  },

  /**
   * Why the claims of a legacy token are none; undefined: they are complete. `username` is what they come to. Source:
   * legacy.go Validate.
   */
  legacyClaimsProblem: (claims: LegacyClaims, username: string, isAccount: boolean): string | undefined => {
    for (const [claim, value] of [
      ['sub', claims.sub],
      ['namespace', claims.namespace],
      ['secretName', claims.secretName],
      ['serviceAccountName', claims.name],
      ['serviceAccountUID', claims.uid],
    ]) {
      if (value === '') return `${claim} claim is missing`;
    }
    return claims.sub === username && isAccount ? undefined : 'sub claim is invalid';
  },

  /**
   * Why the Secret or the account of a legacy token does not bear it out; undefined: they do. Source: legacy.go
   * Validate.
   */
  legacyTokenProblem: (
    token: string,
    { namespace, secretName, name, uid }: LegacyClaims,
    secret: (KubeObject & { readonly data?: Readonly<Record<string, unknown>> }) | undefined,
    account: KubeObject | undefined,
  ): string | undefined => {
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined) return 'Token has been invalidated';
    const stored = Buffer.from(text(secret.data?.token), 'base64');
    const presented = Buffer.from(token);
    if (stored.length !== presented.length || !timingSafeEqual(stored, presented))
      return "Token does not match server's copy";
    if (account === undefined) return `serviceaccounts "${name}" not found`;
    if (account.metadata.deletionTimestamp !== undefined) return `ServiceAccount ${namespace}/${name} has been deleted`;
    if (account.metadata.uid !== uid)
      return `ServiceAccount UID (${account.metadata.uid}) does not match claim (${uid})`;
    return (secret.metadata.labels?.[INVALID_SINCE] ?? '') === ''
      ? undefined
      : `the token in secret ${namespace}/${secretName} for service account ${namespace}/${name} has been marked ` +
          'invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the ' +
          `'${INVALID_SINCE}' label from the secret to temporarily allow use of this token`;
  },

  /** Claims of a bound token, in the order in which they are written. Source: claims.go Claims. */
  boundTokenClaims: (content: TokenContent, username: string, minor: number): object => {
    const { issuer, namespace, name, uid, audiences, now, expirationSeconds, bound, warnAfterSeconds } = content;
    return {
      aud: audiences,
      exp: now + expirationSeconds,
      iat: now,
      iss: issuer,
      ...(inSpan(minor, TOKENS_HAVE_IDS) ? { jti: content.id() } : {}),
      'kubernetes.io': {
        namespace,
        ...(bound.node === undefined ? {} : { node: bound.node }),
        ...(bound.pod === undefined ? {} : { pod: bound.pod }),
        ...(bound.secret === undefined ? {} : { secret: bound.secret }),
        serviceaccount: { name, uid },
        ...(warnAfterSeconds === undefined ? {} : { warnafter: now + warnAfterSeconds }),
      },
      nbf: now,
      sub: username,
    };
  },
};

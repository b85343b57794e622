/**
 * What may be asked of serviceaccounts/token, and what the token is bound to.
 * Source: pkg/registry/core/serviceaccount/storage/token.go Create; pkg/apis/authentication/validation/validation.go;
 * pkg/serviceaccount/claims.go.
 */

import { inSpan, type Span } from '../../kubernetes/versions.js';

/** Gate ServiceAccountTokenPodNodeInfo. */
const PODS_NAME_THEIR_NODE: Span = { since: 30 };
/** Gate ServiceAccountTokenNodeBinding. */
const NODES_BIND: Span = { since: 31 };
const UID_IS_COMPARED: Span = { since: 34 };

/** What kubelets ask for when they want a token that outlives its official life, in seconds. Source: claims.go. */
const EXTENDABLE_SECONDS = 3607;
const EXTENDED_SECONDS = 365 * 24 * 3600;

export const tokenRequestDecisions = {
  /**
   * The namespaces in which a Pod or Secret is looked for that a token is to be bound to: that of the account alone.
   * Source: pkg/registry/core/serviceaccount/storage/token.go Create.
   */
  boundObjectNamespaces: (ofAccount: string): readonly string[] => [ofAccount],

  /** Seconds that a token lives where nothing was asked for. Source: pkg/apis/authentication/v1/defaults.go. */
  tokenRequestSeconds: (): number => 3600,

  /** Why a lifetime in seconds is refused. Source: validation.go ValidateTokenRequest. */
  tokenRequestSecondsProblems: (seconds: number): readonly string[] => [
    ...(seconds < 600 ? ['may not specify a duration less than 10 minutes'] : []),
    ...(seconds > 2 ** 32 ? ['may not specify a duration larger than 2^32 seconds'] : []),
  ],

  /** Audiences of a token: those asked for, else the API server's own. Source: token.go Create. */
  tokenRequestAudiences: (asked: readonly string[], own: readonly string[]): readonly string[] =>
    asked.length === 0 ? own : asked,

  /** Whether a UID in the request must be the account's. Source: token.go Create. */
  tokenRequestUidIsCompared: (minor: number): boolean => inSpan(minor, UID_IS_COMPARED),

  /** Resource of the kind that a token may be bound to, undefined for all others. Source: token.go Create. */
  bindableResource: (group: string, kind: string, minor: number): 'pods' | 'secrets' | 'nodes' | undefined => {
    if (group !== '') return undefined;
    if (kind === 'Pod') return 'pods';
    if (kind === 'Secret') return 'secrets';
    return kind === 'Node' && inSpan(minor, NODES_BIND) ? 'nodes' : undefined;
  },

  /** Whether an object of this UID is the one that a token is to be bound to; '' names none. Source: token.go Create. */
  boundUidFits: (wanted: string, uid: string): boolean => wanted === '' || wanted === uid,

  /**
   * Why a token of this account is not bound to a pod; undefined: it may be. Names quoted as Go does. Source: token.go
   * Create.
   */
  podBindingProblem: (account: string, podServiceAccount: string): string | undefined =>
    account === podServiceAccount
      ? undefined
      : `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different ` +
        'serviceaccount name.',

  /** Whether the token of a pod names the node that it runs on. */
  podBindingNamesNode: (nodeName: string, minor: number): boolean =>
    nodeName !== '' && inSpan(minor, PODS_NAME_THEIR_NODE),

  /**
   * Seconds that a token really lives, and after how many its use is warned of: a pod's token for the API server alone,
   * asked for with the kubelet's number, lives a year. Source: token.go Create,
   * --service-account-extend-token-expiration.
   */
  tokenLifetime: (request: {
    readonly seconds: number;
    readonly boundToPod: boolean;
    readonly audiences: readonly string[];
    readonly own: readonly string[];
  }): { readonly seconds: number; readonly warnAfterSeconds: number | undefined } =>
    request.boundToPod &&
    request.seconds === EXTENDABLE_SECONDS &&
    request.audiences.every((audience) => request.own.includes(audience))
      ? { seconds: EXTENDED_SECONDS, warnAfterSeconds: request.seconds }
      : { seconds: request.seconds, warnAfterSeconds: undefined },
};

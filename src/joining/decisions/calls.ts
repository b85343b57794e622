/**
 * One call to an API server: how long it may take, and what is repeated. Source: client-go,
 * rest/{request,with_retry}.go.
 */

/** How a call failed, as far as repeating it goes. */
export type Failing = 'reset' | 'ended' | 'other';

export const callDecisions = {
  /** Milliseconds that one call may take with all its repetitions. Source: kubeadm, util/kubeconfig ToClientSet. */
  callTimeout: (): number => 10_000,

  /** How often one call is repeated at most. Source: rest/request.go maxRetries. */
  callRepetitions: (): number => 10,

  /**
   * Milliseconds after which a call is made again that was answered with this status and Retry-After (text of the
   * header); undefined: not at all. Source: with_retry.go checkWait, retryAfterSeconds.
   */
  repeatsAfter: (status: number, retryAfter: string | undefined): number | undefined => {
    if (retryAfter === undefined || !/^\d{1,9}$/.test(retryAfter)) return undefined;
    return status === 429 || status >= 500 ? Number(retryAfter) * 1000 : undefined;
  },

  /** The same for a GET that failed before an answer. Source: request.go request, isErrRetryableFunc. */
  repeatsFailed: (failing: Failing): number | undefined => (failing === 'other' ? undefined : 1000),

  /** How many requests a chain of redirects to that place may have. Source: Go net/http defaultCheckRedirect. */
  redirects: (_to: string): number => 10,

  /** Whether credentials go along with a redirect. Upstream's transport adds them to whatever it sends. */
  redirectsCredentials: (_from: string, _to: string): boolean => true,

  /** Bytes of an answer beyond which it is not read: a cluster-info of 8 MiB is. Upstream knows no limit. */
  largestAnswer: (): number => 64 * 1024 * 1024,

  /** The pause and the whole time of fetching a ConfigMap of the cluster. Source: GetConfigMapWithShortRetry. */
  shortRetry: (): { readonly interval: number; readonly timeout: number } => ({ interval: 50, timeout: 350 }),
};

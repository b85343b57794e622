/**
 * How a machine finds out which cluster it speaks to, by token or by file.
 * Source: cmd/kubeadm/app/discovery/{discovery.go,token/token.go,file/file.go,https/https.go}.
 */

import { inRelease as holds, type Release } from '../../kubeadm/release.js';
import type { Trust } from '../../kubernetes/wire.js';
import { DEFAULT_CLUSTER_NAME, TOKEN_USER } from '../names.js';

/** A copy of cluster-info as far as discovery looks at it. */
export type ClusterInfo = Readonly<Record<string, string>>;

export const discoveryDecisions = {
  /**
   * Milliseconds from the beginning of one attempt to that of the next. Discovery by token makes it no longer than the
   * whole time. `chance` (0 ≤ x < 1): up to 1.23 the pauses were up to 30 percent longer, so that many machines did not
   * ask together.
   */
  discoveryInterval: (way: 'token' | 'file', timeout: number, context: ByChance): number => {
    const plain = way === 'token' ? Math.min(5_000, timeout) : 5_000;
    return holds(context.release, { until: 23 }) ? plain * (1 + 0.3 * context.chance) : plain;
  },

  /** Milliseconds that all attempts may take together, unless told otherwise. */
  discoveryTimeout: (): number => 300_000,

  /** Milliseconds that each of the two fetches of discovery by token may take: the whole time for each. */
  fetchTimeout: (_fetch: 'first' | 'second', timeout: number): number => timeout,

  /** Where both fetches go: to the endpoint that was given, always over TLS. */
  discoveryServer: (_fetch: 'first' | 'second', endpoint: string, _server: string): string => `https://${endpoint}`,

  /** Whom the first fetch believes: anybody, since nothing is known yet. */
  firstTrust: (): Trust => 'anybody',

  /** Whom the second fetch believes: the CA that has just been compared with the pins. */
  secondTrust: (caPem: string): Trust => ({ caPem }),

  /** Which token the fetches show: none. What is not verified yet could keep it. */
  fetchToken: (_fetch: 'first' | 'second', _token: string): string | undefined => undefined,

  /** Whether a failed request of cluster-info is tried again: any is. `status` is undefined where no answer came. */
  asksAgain: (_status: number | undefined, _fetch: 'first' | 'second'): boolean => true,

  /** Whether a copy without a signature for the token is waited for: a key without a value counts as there. */
  waitsForSignature: (info: ClusterInfo, key: string): boolean => !(key in info),

  /** What stands before the signature is looked at: a kubeconfig that is not empty. */
  hasKubeconfig: (kubeconfig: string | undefined): kubeconfig is string =>
    kubeconfig !== undefined && kubeconfig !== '',

  /** Whether the signature is verified: whatever was said of pins. */
  verifiesSignature: (_skipsPins: boolean): boolean => true,

  /** What is gone on with: the text whose signature was verified, and nothing else that stands beside it. */
  believedText: (_info: ClusterInfo, signed: string): string => signed,

  /** Whether the second copy's signature is verified too. It is not: it has to be the same text. */
  verifiesSecondSignature: (): boolean => false,

  /** Whether the CA is compared with the pins: where there are any, also beside the permission to skip it. */
  checksPins: (pins: readonly string[], _skips: boolean): boolean => pins.length > 0,

  /** Whether cluster-info is fetched a second time, over a connection that is verified: only where pins are given. */
  fetchesAgain: (pins: readonly string[], _skips: boolean): boolean => pins.length > 0,

  /** Whether the second copy says the same: byte for byte. */
  isSameCopy: (first: string, second: string | undefined): boolean => first === second,

  /** The token that the join goes on with: that for TLS bootstrap, by whichever way the cluster was found, whatever credentials are there. */
  joinToken: (tlsBootstrapToken: string | undefined, _hasOwn: boolean): string | undefined =>
    tlsBootstrapToken === '' ? undefined : tlsBootstrapToken,

  /** The server of the join: what the validated cluster-info, or the file, says. */
  joinServer: (discovered: string, _endpoint: string | undefined): string => discovered,

  /** Whether a server that is asked without TLS gets the token. Upstream does not look. */
  takesServer: (_url: string): boolean => true,

  /** Whether a CA is demanded where nobody compares it with pins (since 1.36). */
  demandsCa: (release: Release): boolean => holds(release, { since: 36 }),

  /** What is believed of a server for whose CA nothing is known: the authorities of the host. */
  trustWithoutCa: (): Trust => 'host',

  /** The names in the kubeconfig of a join by token. Source: kubeconfig.CreateWithToken, discovery.TokenUser. */
  bootstrapNames: (): { readonly cluster: string; readonly user: string } => ({
    cluster: DEFAULT_CLUSTER_NAME,
    user: TOKEN_USER,
  }),

  /**
   * What a status of cluster-info means to discovery by file: forbidden is taken for an answer, any other failure is
   * tried again.
   */
  goesOnWithFile: (status: number | undefined): boolean => status === 403,

  /** Whether the file's CA is replaced by that of cluster-info: only where the file has none (since 1.27). */
  takesCaOfClusterInfo: (ofFile: string, release: Release): boolean => ofFile === '' || holds(release, { until: 26 }),

  /** Whether a file may have a CA, and skip the verification by it. Source: clientcmd, validateClusterInfo. */
  skipsBesideCa: (): boolean => false,

  /** Whether the status of a downloaded file is looked at. Upstream reads whatever comes. */
  takesDownload: (_status: number): boolean => true,

  /** Whom the download of a file believes: authorities of the host. */
  downloadTrust: (): Trust => 'host',

  /** Milliseconds that the download may take. Upstream waits for ever. */
  downloadTimeout: (_timeout: number): number | undefined => undefined,
};

/** What an interval depends on. */
export interface ByChance {
  readonly release: Release;
  /** 0 ≤ x < 1 */
  readonly chance: number;
}

/**
 * What a cluster that was set up before keeps of it when it is started again. kubeadm has no such phase: init is for
 * new machines.
 */

/** A Secret of kube-system as a token: usages are the values of its keys, '' where absent. */
export interface StoredToken {
  /** Its type and data are those of a bootstrap token. */
  readonly isToken: boolean;
  readonly isExpired: boolean;
  readonly signing: string;
  readonly authentication: string;
}

export const restartDecisions = {
  /** Whether a machine could join by a token as kubeadm join does it: it must sign cluster-info, and log in. */
  letsJoin: ({ isToken, isExpired, signing, authentication }: StoredToken): boolean =>
    isToken && !isExpired && signing === 'true' && authentication === 'true',

  /**
   * Whether the published kubeconfig has to be written anew: the address may be another than before. `published`
   * undefined: none is.
   */
  republishes: (published: string | undefined, wanted: string): boolean =>
    published !== undefined && published !== wanted,
};

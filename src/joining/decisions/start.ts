/**
 * What a start leads to.
 * Source: pkg/kubelet/certificate/bootstrap/bootstrap.go LoadClientConfig; cmd/kubelet/app/server.go.
 */

/** What a kubelet finds when it starts. */
export interface Found {
  readonly hasUsableKubeconfig: boolean;
  readonly hasToken: boolean;
}

export const startDecisions = {
  /** A kubeconfig that can be used is used, and nothing is asked; else the bootstrap kubeconfig, where there is one. */
  firstStep: ({ hasUsableKubeconfig, hasToken }: Found): 'use' | 'bootstrap' | 'give up' => {
    if (hasUsableKubeconfig) return 'use';
    return hasToken ? 'bootstrap' : 'give up';
  },

  /**
   * With rotation the kubeconfig is written before any request, and names a certificate that is to come.
   * Source: LoadClientConfig.
   */
  writesKubeconfigFirst: (rotate: boolean): boolean => rotate,

  /**
   * Without rotation the key is kept until its certificate is there, so that a restart asks for the same.
   * Source: LoadClientCert.
   */
  keepsKey: (rotate: boolean): boolean => !rotate,
};

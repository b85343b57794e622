/** What a machine takes from a kubeconfig that it is given. Source: cmd/kubeadm/app/util/kubeconfig/kubeconfig.go. */
import type { ClusterEntry, Kubeconfig, UserEntry } from '../kubeconfig.js';

export type Selected = { readonly name: string; readonly cluster: ClusterEntry } | { readonly problem: string };

export const kubeconfigDecisions = {
  /**
   * The cluster that counts: the one without a name, else that of the current context. Source:
   * GetClusterFromKubeConfig.
   */
  selectedCluster: ({ clusters, contexts, currentContext }: Kubeconfig): Selected => {
    const unnamed = clusters.get('');
    if (unnamed !== undefined) return { name: '', cluster: unnamed };
    const context = contexts.get(currentContext);
    if (context === undefined) return { problem: `the current context is invalid: ${currentContext}` };
    const named = clusters.get(context.cluster);
    return named === undefined
      ? { problem: `no matching cluster for the current context: ${currentContext}` }
      : { name: context.cluster, cluster: named };
  },

  /**
   * The CA that is compared with the pins (PEM). Upstream takes that of an arbitrary cluster, here the last one, which
   * need not be the one that counts. Source: token.go validateClusterCA.
   */
  comparedCa: ({ clusters }: Kubeconfig): string => [...clusters.values()].at(-1)?.caPem ?? '',

  /** The user that counts: that of the current context. Source: getCurrentAuthInfo. */
  selectedUser: ({ contexts, users, currentContext }: Kubeconfig): UserEntry | undefined => {
    const context = contexts.get(currentContext);
    return context === undefined ? undefined : users.get(context.user);
  },

  /** Whether a user has something to show. Source: HasAuthenticationCredentials. */
  hasCredentials: (user: UserEntry | undefined): boolean =>
    user !== undefined &&
    (user.token !== '' ||
      user.tokenFile !== '' ||
      user.hasPlugin ||
      ((user.certificatePem !== '' || user.certificateFile !== '') && (user.keyPem !== '' || user.keyFile !== ''))),
};

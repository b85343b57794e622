/** A client that is more careful than kubeadm, and what each of its cares prevents. */

import type { ClusterEntry } from '../joining/kubeconfig.js';
import { another, type Decided, isLook, upstream } from './joining-hooks.js';
import type { Mutant } from './types.js';

const isVerified = ({ server, skipsVerification }: ClusterEntry): boolean =>
  server.startsWith('https://') && !skipsVerification;

const CAREFUL = {
  takesDownload: (status) => status === 200,
  downloadTimeout: (timeout) => timeout,
  redirects: () => 1,
  selectedCluster: (config) => {
    const selected = upstream.selectedCluster(config);
    // a file of one's own says with its user which cluster is meant; what strangers may read names no user
    if (config.clusters.size !== 1 && upstream.selectedUser(config) === undefined)
      return { problem: 'there is more than one cluster, or none' };
    return 'problem' in selected || isVerified(selected.cluster) ? selected : { problem: 'it is not verified' };
  },
} satisfies Decided;

/** Careful but for this. */
const careless = (name: string, defect: string, rule: string, decisions: Decided): Mutant =>
  another(name, defect, [rule], { decisions: { ...CAREFUL, ...decisions } });

export const mutants: readonly Mutant[] = [
  {
    ...another('join-carefully', 'a client that is more careful than kubeadm', [], { decisions: CAREFUL }),
    strict: true,
  },
  careless('join-download-of-any-status', 'a download of any status is taken', 'P-10', { takesDownload: () => true }),
  careless('join-download-for-ever', 'a download is waited for without an end', 'P-10', {
    downloadTimeout: () => undefined,
  }),
  careless('join-follows-redirects', 'redirects are followed', 'P-125', { redirects: () => 10 }),
  careless('join-follows-redirects-away-from-tls', 'redirects to where no TLS is are followed', 'P-125', {
    redirects: (to) => (to.startsWith('http:') ? 10 : 1),
  }),
  careless('join-downloads-away-from-tls', 'the download of a discovery file goes on where no TLS is', 'P-125', {
    redirects: (to) => (to.startsWith('http:') && to.endsWith('.conf') ? 10 : 1),
  }),
  careless('join-shows-its-token-away-from-tls', 'a token goes where a redirect says, without TLS', 'P-125', {
    redirects: (to) => (to.startsWith('http:') && !isLook({ url: to }) && !to.endsWith('.conf') ? 10 : 1),
  }),
  careless('join-one-of-several-clusters', 'one of several clusters is taken', 'P-126', {
    selectedCluster: (config) => {
      const selected = upstream.selectedCluster(config);
      return 'problem' in selected || isVerified(selected.cluster) ? selected : { problem: 'it is not verified' };
    },
  }),
  careless('join-server-without-tls', 'a server without TLS is shown the token', 'P-126', {
    selectedCluster: (config) =>
      config.clusters.size === 1 ? upstream.selectedCluster(config) : { problem: 'several' },
  }),
];

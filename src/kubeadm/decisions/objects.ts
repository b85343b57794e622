/**
 * What kubeadm init leaves in the API, and how it treats what is there already.
 * Source: cmd/kubeadm/app/phases, util/apiclient.
 */
import { CLUSTER_INFO, CLUSTER_INFO_KUBECONFIG, KUBE_PUBLIC } from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { InitFacts } from '../configuration.js';
import { writeKubeconfig } from '../kubeconfig.js';
import { grantsFor } from '../rbac.js';
import type { TokenSpec } from './tokens.js';

export const objectDecisions = {
  /** Roles and bindings by what they are for, in the order of writing. Source: as each of them says. */
  grants: grantsFor,

  /**
   * The text that cluster-info publishes: one cluster of the empty name with CA and URL, nobody's credentials.
   * Source: phases/bootstraptoken/clusterinfo.
   */
  clusterInfoKubeconfig: ({ server, caPem, release }: Pick<InitFacts, 'server' | 'caPem' | 'release'>): string =>
    writeKubeconfig({ cluster: { name: '', server, caPem } }, release),

  /**
   * The ConfigMap as init writes it: no signature, the signer adds those.
   * Source: CreateBootstrapConfigMapIfNotExists.
   */
  clusterInfoConfigMap: (kubeconfig: string, _tokens: readonly TokenSpec[]): ConfigMap => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: CLUSTER_INFO, namespace: KUBE_PUBLIC },
    data: { [CLUSTER_INFO_KUBECONFIG]: kubeconfig },
  }),

  /**
   * What a phase does with an object that is there already: replace it whole.
   * Source: apiclient/idempotency.go CreateOrUpdate.
   */
  onExisting: (_object: KubeObject): 'update' | 'keep' | 'fail' => 'update',
};

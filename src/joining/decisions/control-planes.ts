/**
 * What a machine makes and does that joins as a control plane.
 * Source: cmd/kubeadm/app/cmd/phases/join/{controlplaneprepare,controlplanejoin,waitcontrolplane}.go.
 */
import type { ControlPlaneComponent } from '../../kubeadm/components.js';
import { inRelease, type Release } from '../../kubeadm/release.js';
import { LABEL_CONTROL_PLANE } from '../../kubernetes/names.js';
import type { KeyAlgorithm } from '../../pki/keys.js';

/** A component of a control plane that says how it is. */
export type Component = Exclude<ControlPlaneComponent, 'etcd'>;

/** Where one says so. */
export interface HealthPlace {
  readonly component: Component;
  readonly port: number;
  readonly path: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** Labels, and all taints that the Node is to have. */
export interface NodeMarks {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

export const controlPlaneDecisions = {
  /** Kubeconfigs of its own: super-admin.conf is init's. Source: CreateJoinControlPlaneKubeConfigFiles. */
  ownKubeconfigs: (): readonly string[] => ['admin', 'controller-manager', 'scheduler'],

  /** The kind of its keys: that of the cluster. Source: v1beta4 types.go, encryptionAlgorithm; util/pkiutil NewPrivateKey. */
  ownKeyAlgorithm: (ofCluster: KeyAlgorithm): KeyAlgorithm => ofCluster,

  /** Source: phases/controlplane/manifests.go CreateInitStaticPodManifestFiles. */
  ownManifests: (): readonly string[] => ['apiserver', 'controller-manager', 'scheduler'],

  /** Its Node's labels, and its taints before those that the Node has. Source: phases/markcontrolplane. */
  marks: (own: readonly Taint[] | undefined, there: readonly Taint[]): NodeMarks => {
    const added = own ?? [{ key: LABEL_CONTROL_PLANE, effect: 'NoSchedule' }];
    const isAdded = ({ key, effect }: Taint): boolean => added.some((one) => one.key === key && one.effect === effect);
    return {
      labels: { [LABEL_CONTROL_PLANE]: '', 'node.kubernetes.io/exclude-from-external-load-balancers': '' },
      taints: [...added, ...there.filter((one) => !isAdded(one))],
    };
  },

  /** Whether marks that the server has refused are given again, until the time is over. Source: PatchNode. */
  marksAgain: (): boolean => true,

  /** Whether a join fails whose Node could not be marked. */
  mustBeMarked: (): boolean => true,

  /** Milliseconds between two tries of a call, and those of all of them. Source: timeouts.kubernetesAPICall. */
  apiCallPause: (): number => 500,
  apiCallTimeout: (): number => 60_000,

  /** Who must be well before the join is over. Source: util/apiclient/wait.go WaitForControlPlaneComponents. */
  mustBeWell: (bindPort: number, release: Release): readonly HealthPlace[] =>
    inRelease(release, { since: 33 })
      ? [
          { component: 'kube-apiserver', port: bindPort, path: '/livez' },
          { component: 'kube-controller-manager', port: 10_257, path: '/healthz' },
          { component: 'kube-scheduler', port: 10_259, path: '/livez' },
        ]
      : [],

  /** Whether one that answers this is well. */
  isWell: (status: number | undefined): boolean => status === 200,

  /** Milliseconds that they have. Source: constants.go ControlPlaneComponentHealthCheckTimeout. */
  controlPlaneTimeout: (): number => 240_000,
};

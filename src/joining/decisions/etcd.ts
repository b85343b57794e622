/**
 * How a control plane joins the etcd of the others.
 * Source: cmd/kubeadm/app/phases/etcd/local.go; cmd/kubeadm/app/util/etcd/etcd.go.
 */
import type { EtcdMember } from '../ports.js';

export const etcdDecisions = {
  /** Whether etcd's certificate is verified with the authority that control planes share. */
  verifiesEtcd: (): boolean => true,

  /** Whether etcd must be well before the machine is changed. Source: CheckLocalEtcdClusterStatus. */
  looksAtEtcd: (): boolean => true,

  /** So often a call of etcd is tried, each half a second. Source: apis/kubeadm/v1beta4/defaults.go, timeouts.etcdAPICall. */
  etcdTries: (): number => 240,

  /** Whether the machine is a member already: by its peer URL. Source: addMember. */
  isMember: (members: readonly EtcdMember[], peerUrl: string): boolean =>
    members.some((one) => one.peerUrl === peerUrl),

  /** Whether its kubelet is started before its etcd is added. Source: join.go, NewEtcdJoinPhase. */
  startsKubeletFirst: (): boolean => true,

  /** Whether it is added as a learner, which has no vote until it has caught up. Source: AddMemberAsLearner. */
  addsAsLearner: (): boolean => true,

  /** Whether a learner gets its vote. Source: MemberPromote. */
  promotesLearner: (): boolean => true,

  /**
   * What its etcd is told of the members: all of them. One that has not started has no name yet, and is called by its
   * number. Source: getEtcdCommand; util/etcd/etcd.go addMember.
   */
  initialCluster: (members: readonly EtcdMember[]): string =>
    members.map(({ id, name, peerUrl }) => `${name || id.toString(16)}=${peerUrl}`).join(','),

  /** What it is told of the cluster: that it is there. */
  initialClusterState: (): string => 'existing',

  /** Whether the join waits until etcd is well again. Source: WaitForClusterAvailable. */
  waitsForEtcd: (): boolean => true,
};

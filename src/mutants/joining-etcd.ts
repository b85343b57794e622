/** Clients that join the etcd of the other control planes otherwise. */
import { JoinFailed } from '../joining/failures.js';
import { another, decidesJoining, inFile, upstream } from './joining-hooks.js';
import type { Mutant } from './types.js';

export const mutants: readonly Mutant[] = [
  decidesJoining('join-etcd-first', 'etcd is added before the kubelet is started', ['P-291'], {
    startsKubeletFirst: () => false,
  }),
  decidesJoining('join-any-etcd', 'a control plane joins an etcd of another authority', ['P-290'], {
    verifiesEtcd: () => false,
  }),
  decidesJoining('join-sick-etcd', 'a control plane joins an etcd whatever its health', ['P-290'], {
    looksAtEtcd: () => false,
  }),
  decidesJoining('join-etcd-without-waiting', 'a join is over before etcd is well', ['P-290'], {
    waitsForEtcd: () => false,
  }),
  decidesJoining('join-etcd-as-voter', 'the etcd of a control plane is added with a vote', ['P-291', 'P-555'], {
    addsAsLearner: () => false,
  }),
  decidesJoining(
    'join-etcd-tried-twice',
    'a learner that is not in sync at its second try never gets a vote',
    ['P-291'],
    {
      etcdTries: () => 2,
    },
  ),
  decidesJoining('join-etcd-stays-learner', 'the etcd of a control plane never gets a vote', ['P-291', 'P-293'], {
    promotesLearner: () => false,
  }),
  decidesJoining('join-etcd-alone', 'the etcd of a control plane is told of itself alone', ['P-292'], {
    initialCluster: (members) =>
      members.flatMap(({ name, peerUrl }) => (name === 'worker-9' ? [`${name}=${peerUrl}`] : [])).join(','),
  }),
  decidesJoining('join-etcd-without-learners', 'the etcd of a control plane is not told of other learners', ['P-292'], {
    initialCluster: (members) =>
      upstream.initialCluster(members.filter(({ name, isLearner }) => !isLearner || name !== '')),
  }),
  decidesJoining('join-etcd-nameless', 'a member of etcd that has not started has no name for the others', ['P-292'], {
    initialCluster: (members) => members.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(','),
  }),
  decidesJoining('join-etcd-alone-or-not', 'a control plane does not join while another one does', ['P-292'], {
    initialCluster: (members) => {
      if (members.some(({ name }) => name === '')) throw new JoinFailed('another member of etcd has not started');
      return upstream.initialCluster(members);
    },
  }),
  another(
    'join-etcd-of-another-name',
    'the etcd of a control plane has another name than it is told for itself',
    ['P-292'],
    {
      files: inFile('/etc/kubernetes/manifests/etcd.yaml', (text) => text.replace(/--name=\S+/, '--name=etcd-here')),
    },
  ),
  decidesJoining('join-etcd-anew', 'the etcd of a control plane begins a cluster', ['P-292'], {
    initialClusterState: () => 'new',
  }),
  decidesJoining('join-etcd-again', 'a member of etcd is added without a look at the others', ['P-293'], {
    isMember: () => false,
  }),
  decidesJoining('join-etcd-sorted', 'the members that an etcd is told of are sorted', [], {
    initialCluster: (members) =>
      members
        .map(({ name, peerUrl }) => `${name}=${peerUrl}`)
        .sort()
        .join(','),
  }),
];

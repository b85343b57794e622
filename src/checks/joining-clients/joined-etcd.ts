/** How a control plane joins the etcd of the others: what it asks of it, when, and what its own is told. */
import type { Check } from '../../model/check.js';
import { demand, type Finding, refusal } from '../../model/finding.js';
import { leftAt, type Machines, manifestFlags, ofKubeadm, UNWATCHED } from './joined-files.js';
import type { Machine } from './joined-files-reader.js';
import { unlessStarved } from './joining-attempts.js';

const MANIFEST = '/etc/kubernetes/manifests/etcd.yaml';
const NOTHING = 'the client joins no etcd';

type EtcdSeen = NonNullable<Machine['etcd']>;

/** One finding for each machine that has an etcd to join. No lack of time excuses what `isDone`. */
const each = (
  look: (machine: Machine, etcd: EtcdSeen) => Finding,
  isDone: (machine: Machine, etcd: EtcdSeen) => boolean = () => false,
): Check<Machines>['judge'] =>
  ofKubeadm((machines) =>
    machines.flatMap((machine) => {
      const { etcd } = machine;
      if (etcd === undefined) return [];
      const finding = look(machine, etcd);
      return isDone(machine, etcd) ? finding : unlessStarved(finding, machine);
    }),
  );

const indexOf = ({ calls }: EtcdSeen, call: string): number =>
  calls.findIndex((one) => one.call === call && one.isDone);
const isAdded = (_: Machine, { calls }: EtcdSeen): boolean => calls.some(({ call }) => call === 'MemberAdd');
const isWritten = (machine: Machine): boolean => leftAt(machine, MANIFEST) !== undefined;
const changes = ({ calls }: EtcdSeen): readonly string[] =>
  calls.filter(({ call }) => /^Member(?!List)/.test(call)).map(({ call }) => call);

/** How much the server had seen when the kubelet was started; undefined: it was not, or nobody watched. */
const startOf = ({ done = [] }: Machine): number | undefined =>
  done.find((one) => one.what === 'ran' && /^(re)?start kubelet$/.test(one.path))?.after;

/** Its health, before the machine is changed and before a member is added. */
export const etcdLookedAt: Check<Machines> = {
  id: 'joined-etcd/looked-at',
  source: 'cmd/kubeadm/app/phases/etcd/local.go CheckLocalEtcdClusterStatus',
  nothing: NOTHING,
  judge: each((machine, etcd) => {
    const [look, added, start] = [indexOf(etcd, 'Status'), indexOf(etcd, 'MemberAdd'), startOf(machine)];
    const isEarly = look >= 0 && (added < 0 || look < added);
    const isBefore = start === undefined || (etcd.calls[look]?.after ?? Infinity) <= start;
    return demand({
      subject: machine.subject,
      demanded: 'etcd is asked how it is before the kubelet is started, and before a member is added',
      seen: look < 0 ? 'it is not asked' : !isEarly ? 'after it' : !isBefore ? 'when the kubelet runs' : 'it is',
      ok: isEarly && isBefore,
    });
  }, isAdded),
};

/** And again when the machine has its vote. */
export const etcdWaitedFor: Check<Machines> = {
  id: 'joined-etcd/waited-for',
  source: 'cmd/kubeadm/app/util/etcd/etcd.go WaitForClusterAvailable',
  nothing: NOTHING,
  judge: each((machine, etcd) => {
    const last = etcd.calls.findLastIndex(({ call, isDone }) => isDone && /^Member(Add|Promote)$/.test(call));
    const ok = etcd.calls.some(({ call, isDone }, index) => index > last && isDone && call === 'Status');
    const seen = ok ? 'it is' : 'it is not asked then';
    return demand({ subject: machine.subject, demanded: 'etcd is asked how it is in the end', seen, ok });
  }),
};

export const etcdLeftAlone: Check<Machines> = {
  id: 'joined-etcd/left-alone',
  source: 'cmd/kubeadm/app/phases/etcd/local.go; etcd, clientv3 TLS',
  nothing: NOTHING,
  judge: each((machine, etcd) => {
    const changed = changes(etcd);
    const isThere = isWritten(machine);
    return refusal({
      subject: machine.subject,
      demanded: 'no member of this etcd is added or changed, and no etcd is started here',
      seen: [...changed, ...(isThere ? [`there is ${MANIFEST}`] : [])].join(', ') || 'so it is',
      ok: changed.length === 0 && !isThere,
    });
  }),
};

const addedAs = ({ peerUrls = [], asLearner, isDone }: EtcdSeen['calls'][number]): string =>
  `${peerUrls.join(' and ')} as a ${asLearner === true ? 'learner' : 'voter'}${isDone ? '' : ', in vain'}`;

/** Of the machine itself, and of nobody else; a learner. */
export const etcdJoinedAsLearner: Check<Machines> = {
  id: 'joined-etcd/as-learner',
  source: 'cmd/kubeadm/app/util/etcd/etcd.go AddMemberAsLearner',
  nothing: NOTHING,
  judge: each((machine, { calls, own }) => {
    const added = calls.filter(({ call }) => call === 'MemberAdd');
    const ok =
      added.some(({ isDone }) => isDone) &&
      added.every((one) => one.asLearner === true && one.peerUrls?.join() === own.peerUrl);
    return demand({
      subject: machine.subject,
      demanded: `its etcd is added as a learner, by ${own.peerUrl}`,
      seen: added.map(addedAs).join(', ') || 'it is not added',
      ok,
    });
  }, isAdded),
};

/** Until its etcd runs a cluster of one has no majority. */
export const etcdAddedLast: Check<Machines> = {
  id: 'joined-etcd/added-last',
  source: 'cmd/kubeadm/app/cmd/phases/join/controlplanejoin.go runEtcdPhase',
  nothing: NOTHING,
  judge: each((machine, etcd) => {
    const [added, start] = [indexOf(etcd, 'MemberAdd'), startOf(machine)];
    const starts = machine.done === undefined ? UNWATCHED : 'nobody starts one';
    const isEarly = start === undefined || (etcd.calls[added]?.after ?? 0) < start;
    return demand({
      subject: machine.subject,
      demanded: 'its etcd is added when the kubelet that starts it runs',
      seen: added < 0 ? 'it is not added' : start === undefined ? starts : isEarly ? 'before that' : 'it is',
      ok: machine.done === undefined ? undefined : added >= 0 && !isEarly,
    });
  }, isAdded),
};

export const etcdPromoted: Check<Machines> = {
  id: 'joined-etcd/promoted',
  source: 'cmd/kubeadm/app/util/etcd/etcd.go MemberPromote',
  nothing: NOTHING,
  judge: each((machine, etcd) => {
    const ok = indexOf(etcd, 'MemberPromote') > indexOf(etcd, 'MemberAdd');
    const seen = ok ? 'it is' : changes(etcd).includes('MemberPromote') ? 'it is tried in vain' : 'it is not';
    return demand({ subject: machine.subject, demanded: 'the learner is given its vote', seen, ok });
  }),
};

export const etcdNotAddedAgain: Check<Machines> = {
  id: 'joined-etcd/not-added-again',
  source: 'cmd/kubeadm/app/util/etcd/etcd.go addMember',
  nothing: NOTHING,
  judge: each((machine, { calls, own }) => {
    const added = calls.filter(({ call }) => call === 'MemberAdd' || call === 'MemberRemove');
    return refusal({
      subject: machine.subject,
      demanded: `the member of ${own.peerUrl} stays as it is, and no other one is added`,
      seen: added.map(({ call }) => call).join(', ') || 'so it is',
      ok: added.length === 0,
    });
  }),
};

/**
 * Every member, its own among them by the name that it has, and that the cluster is there: else it would begin one of
 * its own, or not know itself.
 */
export const etcdTold: Check<Machines> = {
  id: 'joined-etcd/told',
  source: 'cmd/kubeadm/app/phases/etcd/local.go getEtcdCommand',
  nothing: NOTHING,
  judge: each((machine, { others, own }) => {
    const flags = manifestFlags(machine, 'etcd');
    const [members = '', state = ''] = [flags?.get('initial-cluster'), flags?.get('initial-cluster-state')];
    const wanted = [...others, own].map(({ name, peerUrl }) => `${name}=${peerUrl}`).sort();
    // Where no flag says it, another thing may: its environment, or a file.
    const name = flags?.get('name') ?? own.name;
    const isWhole = state === 'existing' && members.split(',').sort().join() === wanted.join();
    return demand({
      subject: machine.subject,
      demanded: `its etcd is told an existing cluster of ${wanted.join(', ')}`,
      seen:
        flags === undefined
          ? `there is no ${MANIFEST}`
          : `${state || 'no state'}, ${members || 'no member'}${name === own.name ? '' : `; as ${name}`}`,
      ok: isWhole && name === own.name,
    });
  }, isWritten),
};

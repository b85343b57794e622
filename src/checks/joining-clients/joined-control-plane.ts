/** What becomes of a machine that has joined as a control plane: who administers from it, and what its Node says. */
import {
  GROUP_CLUSTER_ADMINS,
  GROUP_MASTERS,
  LABEL_CONTROL_PLANE,
  TAINT_UNINITIALIZED,
} from '../../kubernetes/names.js';
import type { Check } from '../../model/check.js';
import { demand, refusal } from '../../model/finding.js';
import { isOpen, modeSeen } from '../node-files/file-mode.js';
import { kubeconfigOf, leftAt, type Machines, manifestFlags, ofKubeadm, PKI } from './joined-files.js';
import {
  type Attempts,
  each,
  endOf,
  endsWithError,
  inTime,
  ofKubeadm as likeKubeadm,
  OWN_WAYS,
} from './joining-attempts.js';
import { type Marks, NODE, REGISTERING } from './joining-client-reader.js';

const ADMIN = '/etc/kubernetes/admin.conf';
const SUPER_ADMIN = '/etc/kubernetes/super-admin.conf';

/** Whom RBAC does not hold is made by init alone, and stays there. */
export const administratorHeld: Check<Machines> = {
  id: 'joined-control-plane/administrator-held',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go CreateJoinControlPlaneKubeConfigFiles; CHANGELOG-1.29',
  nothing: 'the client writes no kubeconfig of an administrator',
  judge: (machines) =>
    machines.flatMap((machine) => {
      const groups = kubeconfigOf(leftAt(machine, ADMIN))?.groups;
      const isSuper = leftAt(machine, SUPER_ADMIN) !== undefined;
      if (groups === undefined && !isSuper) return [];
      const seen = [...(groups ?? ['no certificate']), ...(isSuper ? [`and there is ${SUPER_ADMIN}`] : [])];
      return refusal({
        subject: machine.subject,
        demanded: `the one administrator of the machine is in ${GROUP_CLUSTER_ADMINS}, and in no other group`,
        seen: seen.join(', '),
        ok: !isSuper && groups?.join() === GROUP_CLUSTER_ADMINS,
      });
    }),
};

/** Authorities that the API server does not let clients in by have members of their own. */
const OF_OTHER_AUTHORITIES = /^\/etc\/kubernetes\/pki\/(?:etcd\/|front-proxy-|apiserver-etcd-client\.)/;

/** Others may be of that group still. Source: kubernetes.io, PKI certificates and requirements. */
const FOR_KUBELETS = `${PKI}apiserver-kubelet-client.crt`;

/** Nor is anybody else of it: its API server works at kubelets by what RBAC gives it. */
export const nobodyUnheld: Check<Machines> = {
  id: 'joined-control-plane/nobody-unheld',
  source: 'cmd/kubeadm/app/phases/certs/certlist.go; phases/kubeconfig/kubeconfig.go; CHANGELOG-1.29',
  nothing: 'the client makes no certificates for a control plane',
  judge: (machines) =>
    machines.flatMap(({ subject, left, beside = [], ownWays }) =>
      [...left, ...beside].flatMap(({ path, held }) => {
        if (ownWays === true && path === FOR_KUBELETS) return [];
        if (OF_OTHER_AUTHORITIES.test(path) || !('groups' in held || held.kind === 'certificates')) return [];
        const { groups = [] } = held;
        if (groups.length === 0 && !(held.kind === 'certificates' && held.usages?.includes('clientAuth'))) return [];
        return refusal({
          subject: `${path} of ${subject}`,
          demanded: `its certificate is not in ${GROUP_MASTERS}`,
          seen: groups.join(', ') || 'it is in no group',
          ok: !groups.includes(GROUP_MASTERS),
        });
      }),
    ),
};

/** Beside the API server of its own version; whoever administers is led by all of them. */
const OWN_SERVER = ['controller-manager.conf', 'scheduler.conf'] as const;

/** What works beside an API server asks that one, and who administers the cluster asks what all of them share. */
export const asksItsServer: Check<Machines> = {
  id: 'joined-control-plane/asks-its-server',
  source: 'cmd/kubeadm/app/phases/kubeconfig/kubeconfig.go getKubeConfigSpecsBase',
  nothing: 'the client writes no kubeconfigs for a control plane',
  judge: ofKubeadm((machines) =>
    machines.flatMap((machine) => {
      const { subject, server, ownServer } = machine;
      const wanted = [['admin.conf', server], ...OWN_SERVER.map((name) => [name, ownServer])] as const;
      return wanted.flatMap(([name = '', own = '']) => {
        const found = kubeconfigOf(leftAt(machine, `/etc/kubernetes/${name}`));
        if (found === undefined) return [];
        return demand({
          subject: `/etc/kubernetes/${name} of ${subject}`,
          demanded: name === 'admin.conf' ? 'its server is that of the cluster' : 'its server is that of the machine',
          seen: found.server === own ? 'it is' : found.server,
          ok: found.server === own,
        });
      });
    }),
  ),
};

/** Both ends of the connections of etcd show one certificate. */
const USAGES: Readonly<Record<string, readonly string[]>> = {
  'apiserver.crt': ['serverAuth'],
  'apiserver-kubelet-client.crt': ['clientAuth'],
  'apiserver-etcd-client.crt': ['clientAuth'],
  'front-proxy-client.crt': ['clientAuth'],
  'etcd/server.crt': ['clientAuth', 'serverAuth'],
  'etcd/peer.crt': ['clientAuth', 'serverAuth'],
  'etcd/healthcheck-client.crt': ['clientAuth'],
};

/** Who makes certificates in a way of his own may leave out one of two. */
export const usedForNoMore: Check<Machines> = {
  id: 'joined-control-plane/used-for-no-more',
  source: 'cmd/kubeadm/app/phases/certs/certlist.go; kubernetes.io, PKI certificates and requirements',
  nothing: 'the client makes no certificates for a control plane',
  judge: (machines) =>
    machines.flatMap((machine) =>
      Object.entries(USAGES).flatMap(([name, wanted]) => {
        const held = leftAt(machine, PKI + name)?.held;
        if (held?.kind !== 'certificates') return [];
        const usages = [...(held.usages ?? [])].sort();
        const isOwn = machine.ownWays === true && usages.length > 0 && usages.every((one) => wanted.includes(one));
        const issues = held.isAuthority === true ? ['issuing others'] : [];
        return demand({
          subject: `${PKI}${name} of ${machine.subject}`,
          demanded: `it may be used for ${wanted.join(' and ')}, and for nothing more`,
          seen: [...(usages.length === 0 ? ['for anything'] : usages), ...issues].join(', '),
          ok: (isOwn || usages.join() === wanted.join()) && issues.length === 0,
        });
      }),
    ),
};

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|localhost)$/;
/** Of each its own: what is asked by its machine alone. */
const LISTENS: Readonly<Record<string, string>> = {
  'kube-controller-manager': 'bind-address',
  'kube-scheduler': 'bind-address',
  etcd: 'listen-metrics-urls',
};

/** Of an address, or of URLs, which etcd reads with blanks around them. */
const hostsOf = (value: string): readonly string[] =>
  value.split(',').map((one) => /^https?:\/\/(?:\[([^\]]*)\]|([^:/]*))/.exec(one.trim())?.slice(1).join('') ?? one);

/** Nobody has told the cluster otherwise: its configuration has no arguments for them. */
export const listensToItself: Check<Machines> = {
  id: 'joined-control-plane/listens-to-itself',
  source: 'cmd/kubeadm/app/phases/controlplane/manifests.go; phases/etcd/local.go getEtcdCommand',
  nothing: 'the client writes no manifests of a control plane',
  judge: ofKubeadm((machines) =>
    machines.flatMap((machine) =>
      Object.entries(LISTENS).flatMap(([component, flag]) => {
        const flags = manifestFlags(machine, component);
        if (flags === undefined) return [];
        const value = flags.get(flag);
        return demand({
          subject: `${component} of ${machine.subject}`,
          demanded: `--${flag} is on loopback`,
          seen: value === undefined ? 'it is not told' : value,
          ok: value !== undefined && hostsOf(value).every((host) => LOOPBACK.test(host)),
        });
      }),
    ),
  ),
};

const MANIFEST = /^\/etc\/kubernetes\/manifests\/[^/]+$/;

export const manifestsClosed: Check<Machines> = {
  id: 'joined-control-plane/manifests-closed',
  source: 'cmd/kubeadm/app/util/staticpod/utils.go WriteStaticPodToDisk',
  nothing: 'the client writes no manifests of a control plane',
  judge: ofKubeadm((machines) =>
    machines.flatMap(({ subject, left }) =>
      left.flatMap(({ path, mode }) =>
        MANIFEST.test(path)
          ? demand({
              subject: `${path} of ${subject}`,
              demanded: 'is for root alone',
              seen: modeSeen(mode),
              ok: !isOpen(mode),
            })
          : [],
      ),
    ),
  ),
};

const LABELS = [LABEL_CONTROL_PLANE, 'node.kubernetes.io/exclude-from-external-load-balancers'] as const;
const TAINT = `${LABEL_CONTROL_PLANE}:NoSchedule`;
/** Of its Node before, at every server here that has one for it. */
const OWN_TAINT = `${TAINT_UNINITIALIZED}:NoSchedule`;

/** What of its Node, and of no other, is marked once that is there. */
const marksOf = ({ seen, node = NODE }: Attempts[number]): readonly Marks[] =>
  seen.flatMap(({ answered, what, marks }) =>
    marks === undefined || what === REGISTERING || Number(answered) >= 400 || !what.endsWith(`/api/v1/nodes/${node}`)
      ? []
      : [marks],
  );

export const nodeMarked: Check<Attempts> = {
  id: 'joined-control-plane/node-marked',
  source: 'cmd/kubeadm/app/phases/markcontrolplane/markcontrolplane.go',
  nothing: OWN_WAYS,
  judge: likeKubeadm(
    each((attempt) => {
      const { subject } = attempt;
      const marks = marksOf(attempt);
      const labels = marks.flatMap((one) => one.labels);
      const taints = marks.findLast((one) => one.taints.length > 0)?.taints ?? [];
      const lost = [
        ...LABELS.filter((label) => !labels.includes(label)),
        ...[TAINT, OWN_TAINT].filter((taint) => !taints.includes(taint)),
        ...new Set(marks.flatMap((one) => one.lost ?? [])),
      ];
      const more = taints.filter((taint) => taint !== TAINT && taint !== OWN_TAINT);
      const twice = taints.filter((taint, index) => taints.indexOf(taint) !== index);
      const odd = [
        ...(lost.length === 0 ? [] : [`without ${lost.join(', ')}`]),
        ...(twice.length === 0 ? [] : [`twice with ${twice.join(', ')}`]),
        ...(more.length === 0 ? [] : [`with ${[...new Set(more)].join(', ')}`]),
      ];
      return demand({
        subject,
        demanded: 'its Node gets the labels and the taint of a control plane, and keeps its own labels and taints',
        seen: odd.join(', ') || 'it does',
        ok: odd.length === 0,
      });
    }),
  ),
};

/** Whoever says nothing of taints leaves those that are there. */
const losesOwn = ({ taints, untaints }: Marks): boolean =>
  untaints === true || (taints.length > 0 && !taints.includes(OWN_TAINT));

/** Of a machine that was told to have no taint: taken for one that was told nothing, it would run no Pods. */
export const nodeUntainted: Check<Attempts> = {
  id: 'joined-control-plane/node-untainted',
  source: 'cmd/kubeadm/app/apis/kubeadm/types.go NodeRegistrationOptions.Taints; phases/markcontrolplane',
  nothing: OWN_WAYS,
  judge: likeKubeadm(
    each((attempt) => {
      const marks = marksOf(attempt);
      const labels = marks.flatMap((one) => one.labels);
      const odd = [
        ...LABELS.filter((label) => !labels.includes(label)).map((label) => `without ${label}`),
        ...marks.flatMap(({ taints }) => taints.filter((taint) => taint !== OWN_TAINT)).map((taint) => `with ${taint}`),
        ...(marks.some(losesOwn) ? [`without ${OWN_TAINT}`] : []),
      ];
      return demand({
        subject: attempt.subject,
        demanded: 'its Node gets the labels of a control plane, no taint, and keeps its own',
        seen: [...new Set(odd)].join(', ') || 'it does',
        ok: odd.length === 0,
      });
    }),
  ),
};

/** What a wait may be longer: a call may be under way when its time is over. */
const SLACK = 3_000;
const MARKING = /^PATCH \/api\/v1\/nodes\/[^/]+$/;

/** Whoever is told that it has joined looks no further. */
export const unmarkedRefused: Check<Attempts> = {
  id: 'joined-control-plane/unmarked-refused',
  source: 'cmd/kubeadm/app/cmd/phases/join/controlplanejoin.go runMarkControlPlanePhase',
  nothing: OWN_WAYS,
  judge: likeKubeadm(
    each((attempt) => {
      const { subject, seen, calls, milliseconds } = attempt;
      const since = seen.find(({ what }) => MARKING.test(what))?.first;
      const waited = since === undefined || calls === undefined ? undefined : milliseconds - since;
      const late = waited === undefined || calls === undefined ? 0 : waited - calls - SLACK;
      const isOver = inTime(late, attempt) === false;
      return refusal({
        subject,
        demanded: 'the client ends with an error when its time is over, since its Node is not marked',
        seen: `${endOf(attempt)}${waited === undefined ? '' : `, ${Math.round(waited / 1000)} s after it first tried`}`,
        ok: isOver ? false : endsWithError(attempt),
      });
    }),
  ),
};

/**
 * Can what kubeadm deploys for every machine run: kube-proxy and CoreDNS, with their ConfigMaps, accounts and rights, on
 * nodes that there are?
 * Source: cmd/kubeadm/app/phases/addons/{proxy,dns}; plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go
 * system:node-proxier; coredns, plugin/kubernetes.
 */
import { type Fields, record, records, text, textMap } from '../../kubernetes/json.js';
import {
  accountGroups,
  accountUser,
  GROUP_AUTHENTICATED,
  KUBE_SYSTEM,
  LABEL_CONTROL_PLANE,
} from '../../kubernetes/names.js';
import type { ConfigMap, KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { grantsOf, includes, type Permission, type Policy } from '../authorization/rbac-policy.js';

export interface AddonSeen {
  /** "DaemonSet kube-system/kube-proxy" */
  readonly subject: string;
  readonly odd: readonly string[];
}

/** Of a Node. */
export interface NodeSeen {
  readonly labels: Readonly<Record<string, string>>;
  /** Those that keep Pods away. */
  readonly taints: readonly Taint[];
  /** "linux", as its kubelet says; '' where it does not. */
  readonly system: string;
}

interface Taint {
  readonly key: string;
  readonly value: string;
  readonly effect: string;
}

/** Reader of a Node. */
export const readNodeSeen = ({ metadata, spec, status }: KubeObject): NodeSeen => ({
  labels: metadata.labels ?? {},
  system: text(record(record(status).nodeInfo).operatingSystem),
  taints: records(record(spec).taints)
    .filter(({ effect }) => effect !== 'PreferNoSchedule')
    .map(({ key, value, effect }) => ({ key: text(key), value: text(value), effect: text(effect) })),
});

/** A DaemonSet, as far as it could do the work of kube-proxy: '' where it could not. */
export interface DaemonSeen {
  readonly namespace: string;
  readonly name: string;
  readonly privileged: boolean;
  readonly networks: boolean;
  /** Of each container what it says that it needs: "requests.cpu", and how much. */
  readonly needs: readonly Fields[];
  /** The same without what the Pod says for all of them. */
  readonly states: readonly Fields[];
}

/** Whoever states a limit alone asks for as much. Source: pkg/apis/core/v1/defaults.go, SetDefaults_Pod. */
function needsIn({ resources }: Fields): Fields {
  const { limits, requests } = record(resources);
  return Object.fromEntries([
    ...Object.entries(record(limits)).flatMap(([what, most]) => [
      [`limits.${what}`, most],
      [`requests.${what}`, most],
    ]),
    ...Object.entries(record(requests)).map(([what, least]) => [`requests.${what}`, least]),
  ]);
}

/** What runs beside kube-proxy, and never in its place. */
const NO_PROXY =
  /(?:^|\/)(?:flannel|flannel-cni-plugin|weave-kube|weave-npc|k8s-dns-node-cache|node-exporter)(?:[:@]|$)/;

/** Reader of a DaemonSet. */
export function readDaemonSeen({ metadata: { name = '', namespace = '' }, spec }: KubeObject): DaemonSeen {
  const pod = record(record(record(spec).template).spec);
  const containers = records(pod.containers);
  const all = [...containers, ...records(pod.initContainers)];
  const onTheMachine = pod.hostNetwork === true;
  return {
    namespace,
    name,
    privileged: onTheMachine || containers.some(({ securityContext }) => record(securityContext).privileged === true),
    networks: onTheMachine && containers.some(({ image }) => !NO_PROXY.test(text(image))),
    // since 1.34 a Pod may say so for all of them
    needs: all.map((one) => ({ ...needsIn(pod), ...needsIn(one) })),
    states: all.map(needsIn),
  };
}

interface Deployed {
  /** Its DaemonSet or Deployment. */
  readonly workload: KubeObject | undefined;
  readonly map: ConfigMap | undefined;
  readonly account: KubeObject | undefined;
}

interface Around {
  readonly nodes: readonly NodeSeen[];
  readonly daemons: readonly DaemonSeen[];
  readonly policy: Policy;
  /** Does somebody stand behind the Service kube-dns? */
  readonly answered: boolean;
}

const podOf = ({ spec }: KubeObject): Readonly<Record<string, unknown>> => record(record(record(spec).template).spec);

const WATCHED: readonly (readonly [group: string, resource: string])[] = [
  ['', 'services'],
  ['discovery.k8s.io', 'endpointslices'],
];

/** What the account may not see that it goes by. */
function unseenBy(name: string, policy: Policy): readonly string[] {
  const account = { namespace: KUBE_SYSTEM, name };
  const user = accountUser(account);
  const given = grantsOf(policy, { user, groups: [...accountGroups(account), GROUP_AUTHENTICATED] });
  return WATCHED.flatMap(([group, resource]) => {
    const lacks = ['list', 'watch'].filter((verb) => {
      const wanted: Permission = { kind: 'resource', verb, group, resource, namespace: '*', name: '*' };
      return !given.some(({ permission }) => includes(permission, wanted));
    });
    return lacks.length === 0 ? [] : [`its account may not ${lacks.join(' and ')} ${resource}`];
  });
}

/** What its Pods cannot be made, or work, without. */
function lackedBy(workload: KubeObject, name: string, { map, account }: Deployed, policy: Policy): readonly string[] {
  const pod = podOf(workload);
  const needsMap = records(pod.volumes).some(({ configMap }) => {
    const { name: named, optional } = record(configMap);
    return named === name && optional !== true;
  });
  const isItsAccount = text(pod.serviceAccountName) === name;
  return [
    ...(needsMap && map === undefined ? [`there is no ConfigMap ${name}, which it mounts`] : []),
    ...(isItsAccount && account === undefined ? [`there is no ServiceAccount ${name}, as which it runs`] : []),
    ...(isItsAccount && account !== undefined ? unseenBy(name, policy) : []),
  ];
}

const CONTROL_PLANES = [LABEL_CONTROL_PLANE, 'node-role.kubernetes.io/master'];

/** Source: k8s.io/api/core/v1 toleration.go ToleratesTaint; what is left out is any key, or any effect. */
const tolerates = ({ key, operator, value, effect }: Fields, taint: Taint): boolean =>
  ['', taint.key].includes(text(key)) &&
  ['', taint.effect].includes(text(effect)) &&
  (operator === 'Exists' || text(value) === taint.value);

const SYSTEM = 'kubernetes.io/os';

/** Nodes that its nodeSelector picks. */
function pickedBy(workload: KubeObject, nodes: readonly NodeSeen[]): readonly NodeSeen[] {
  const wanted = Object.entries(textMap(podOf(workload).nodeSelector));
  return nodes.filter(({ labels }) => wanted.every(([key, value]) => labels[key] === value));
}
const picksNone = (workload: KubeObject, nodes: readonly NodeSeen[]): readonly string[] =>
  nodes.length > 0 && pickedBy(workload, nodes).length === 0 ? ['its nodeSelector picks no node'] : [];

/** Nodes that its Pods never come to. */
function missedBy(workload: KubeObject, nodes: readonly NodeSeen[]): readonly string[] {
  const { nodeSelector, tolerations } = podOf(workload);
  const picked = pickedBy(workload, nodes);
  const none = picksNone(workload, nodes);
  if (none.length > 0) return none;
  const wanted = textMap(nodeSelector)[SYSTEM];
  // a kubelet says it once; what somebody else has written over it stays
  const isOther = ({ labels, system }: NodeSeen): boolean =>
    system === wanted && ![undefined, wanted].includes(labels[SYSTEM]);
  if (wanted !== undefined && nodes.some(isOther))
    return [`a node that runs ${wanted} is labelled otherwise, and left out`];
  const isBorne = (taint: Taint): boolean => records(tolerations).some((one) => tolerates(one, taint));
  const all = picked.flatMap(({ taints }) => taints);
  const feared = CONTROL_PLANES.filter((key) => all.some((taint) => taint.key === key && !isBorne(taint)));
  return feared.map((taint) => `it does not tolerate ${taint}`);
}

/** Reader: kube-proxy. A network may do its work; its ConfigMap is then left over. */
function readProxyAddon(proxy: Deployed, { nodes, daemons, policy }: Around): readonly AddonSeen[] {
  const subject = `DaemonSet ${KUBE_SYSTEM}/kube-proxy`;
  const { workload, map } = proxy;
  if (workload !== undefined)
    return [{ subject, odd: [...lackedBy(workload, 'kube-proxy', proxy, policy), ...missedBy(workload, nodes)] }];
  if (map === undefined || daemons.some(({ networks }) => networks)) return [];
  return [{ subject, odd: ['it is not there, and nothing else could do its work'] }];
}

/** Reader: CoreDNS. Another one may answer behind the Service kube-dns. */
function readDnsAddon(dns: Deployed, { nodes, policy, answered }: Around): readonly AddonSeen[] {
  const subject = `Deployment ${KUBE_SYSTEM}/coredns`;
  const { workload, map } = dns;
  if (workload === undefined)
    return map === undefined || answered ? [] : [{ subject, odd: ['it is not there, and nobody answers for it'] }];
  const { replicas } = record(workload.spec);
  return [
    {
      subject,
      odd: [
        ...lackedBy(workload, 'coredns', dns, policy),
        ...picksNone(workload, nodes),
        ...(replicas === 0 && !answered ? ['it has no replicas, and nobody answers for it'] : []),
      ],
    },
  ];
}

/** Reader. */
export const readAddons = (
  { proxy, dns }: { readonly proxy: Deployed; readonly dns: Deployed },
  around: Around,
): readonly AddonSeen[] => [...readProxyAddon(proxy, around), ...readDnsAddon(dns, around)];

/** Without them no Pod of a machine finds a Service, or a name. */
export const addonsRun: Check<readonly AddonSeen[]> = {
  id: 'kubeadm-addons/run',
  source: 'cmd/kubeadm/app/phases/addons/proxy/manifests.go; cmd/kubeadm/app/phases/addons/dns/manifests.go',
  nothing: 'kubeadm has deployed neither kube-proxy nor CoreDNS here',
  judge: (addons) =>
    addons.map(({ subject, odd }) =>
      demand({
        subject,
        demanded: 'has what it runs by, and runs on the machines of the cluster',
        seen: odd.slice(0, 5).join('; ').slice(0, 240) || 'it has',
        ok: odd.length === 0,
      }),
    ),
};

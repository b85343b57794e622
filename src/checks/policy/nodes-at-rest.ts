/**
 * Nodes as the cluster holds them: each is one machine, its kubelet is one that the API server goes with, and control
 * planes are marked as such.
 * Source: pkg/kubelet/nodestatus; kubernetes.io, version skew policy; cmd/kubeadm/app/phases/markcontrolplane.
 */
import { count, record, records, text, textMap, texts } from '../../kubernetes/json.js';
import { LABEL_CONTROL_PLANE, TAINT_UNINITIALIZED } from '../../kubernetes/names.js';
import { isAmong } from '../../kubernetes/no-proxy.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { isNarrow } from '../node-files/node-relations.js';

/** A Node, as far as it is judged. */
export interface MachineNode {
  readonly name: string;
  readonly providerId: string;
  readonly hostname: string;
  /** Of the type InternalIP. */
  readonly addresses: readonly string[];
  /** Other ways by which it says it is reached: of the types ExternalIP and Hostname. */
  readonly otherPlaces: readonly string[];
  /** What its labels say of its kubelet, beside what that says itself; only where both say something. */
  readonly platform: readonly { readonly label: string; readonly said: string; readonly own: string }[];
  /** Labels of every kubelet that it has lost, or that are empty. */
  readonly unlabelled: readonly string[];
  /** Of the system that runs on it; '' where it says none. */
  readonly machineId: string;
  /** Of its board, where kubeadm has joined it, which demands that it is one of its own. */
  readonly systemId: string;
  readonly podSubnets: readonly string[];
  /** "v1.36.0"; '' where no kubelet has said it. */
  readonly version: string;
  /** Of its kubelet; 0 where it says none. */
  readonly port: number;
  /** Of the container runtime, as kubeadm has written it down. */
  readonly socket: string;
  readonly marked: boolean;
  /** Keys of its taints. */
  readonly taints: readonly string[];
  /** Milliseconds since the epoch; NaN where it is not said. */
  readonly created: number;
  readonly ready: Readiness;
  /** No address of any type. */
  readonly isNowhere: boolean;
}

/** The condition Ready. Moments are in milliseconds since the epoch, and null where they are not said. */
interface Readiness {
  /** "True", "False", "Unknown"; '' where nobody has said it. */
  readonly status: string;
  readonly reason: string;
  readonly since: number | null;
  /** When its kubelet last said so, by its own clock. */
  readonly heard: number | null;
  /** Kept from Pods on purpose. */
  readonly isShut: boolean;
}

/** Several of these may be one machine, and their kubelets are no kubelets. */
const isVirtual = ({ metadata }: KubeObject, version: string, taints: readonly string[]): boolean =>
  ['virtual-kubelet', 'kwok'].includes(metadata.labels?.type ?? '') ||
  [...Object.keys(metadata.annotations ?? {}), ...taints].some((key) =>
    /^(?:kwok\.x-k8s\.io|virtual-kubelet\.io)\//.test(key),
  ) ||
  /vk|kwok|fake/.test(version);

/** By these Pods choose a machine; a kubelet sets them anew when it starts. Source: pkg/kubelet/kubelet_node_status.go. */
const PLATFORM = { 'kubernetes.io/arch': 'architecture', 'kubernetes.io/os': 'operatingSystem' } as const;

/** With them: Pods that spread over machines, proxies and networks run where these are. */
const LABELS = ['kubernetes.io/hostname', ...Object.keys(PLATFORM)];

const SOCKET = 'kubeadm.alpha.kubernetes.io/cri-socket';

/** Reader; undefined of one that stands for no machine. */
export function readMachineNode(object: KubeObject): MachineNode | undefined {
  const { name = '', labels = {}, annotations = {}, creationTimestamp } = object.metadata;
  const { providerID, podCIDR, podCIDRs, taints, unschedulable } = record(object.spec);
  const { addresses, nodeInfo, daemonEndpoints } = record(object.status);
  const version = text(record(nodeInfo).kubeletVersion);
  const keys = records(taints).map(({ key }) => text(key));
  if (isVirtual(object, version, keys)) return undefined;
  return {
    name,
    providerId: text(providerID),
    hostname: textMap(labels)['kubernetes.io/hostname'] ?? '',
    addresses: records(addresses).flatMap(({ type, address }) => (type === 'InternalIP' ? [text(address)] : [])),
    otherPlaces: records(addresses).flatMap(({ type, address }) =>
      type === 'ExternalIP' || type === 'Hostname' ? [text(address)] : [],
    ),
    platform: Object.entries(PLATFORM).flatMap(([label, field]) => {
      const [said, own] = [textMap(labels)[label] ?? '', text(record(nodeInfo)[field])];
      return said === '' || own === '' ? [] : [{ label, said, own }];
    }),
    unlabelled: LABELS.filter((label) => (textMap(labels)[label] ?? '') === ''),
    machineId: text(record(nodeInfo).machineID),
    systemId: annotations[SOCKET] === undefined ? '' : text(record(nodeInfo).systemUUID).toLowerCase(),
    podSubnets: [...new Set([text(podCIDR), ...texts(podCIDRs)])].filter((one) => one !== ''),
    version,
    port: count(record(record(daemonEndpoints).kubeletEndpoint).Port),
    socket: annotations[SOCKET] ?? '',
    marked: labels[LABEL_CONTROL_PLANE] !== undefined,
    taints: keys,
    created: Date.parse(creationTimestamp ?? ''),
    ready: {
      ...readinessIn(record(object.status)),
      isShut: unschedulable === true,
    },
    isNowhere: records(addresses).length === 0,
  };
}

function readinessIn({ conditions }: Readonly<Record<string, unknown>>): Omit<Readiness, 'isShut'> {
  const { status, reason, lastTransitionTime, lastHeartbeatTime } = record(
    records(conditions).find(({ type }) => type === 'Ready'),
  );
  return {
    status: text(status),
    reason: text(reason),
    since: momentOf(lastTransitionTime),
    heard: momentOf(lastHeartbeatTime),
  };
}

function momentOf(value: unknown): number | null {
  const moment = Date.parse(text(value));
  return Number.isNaN(moment) ? null : moment;
}

type Nodes = readonly MachineNode[];

const each = (nodes: Nodes, demanded: string, oddOf: (node: MachineNode) => readonly string[]): readonly Finding[] => {
  const found = nodes.flatMap((node) => {
    const odd = oddOf(node);
    const seen = odd.slice(0, 5).join('; ').slice(0, 240);
    return odd.length === 0 ? [] : [demand({ subject: `Node ${node.name}`, demanded, seen, ok: false })];
  });
  if (found.length > 0 || nodes.length === 0) return found;
  return [demand({ subject: 'Nodes', demanded, seen: `each of ${nodes.length}`, ok: true })];
};

/** Who has each value: by it the names of Nodes. */
function ownersOf(nodes: Nodes, valuesOf: (node: MachineNode) => readonly string[]): ReadonlyMap<string, Nodes> {
  const owners = new Map<string, MachineNode[]>();
  for (const node of nodes)
    for (const value of new Set(valuesOf(node))) {
      const known = owners.get(value);
      if (known === undefined) owners.set(value, [node]);
      else known.push(node);
    }
  return owners;
}

interface Range {
  readonly name: string;
  readonly subnet: string;
  readonly from: number;
  readonly to: number;
}

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Of IPv4 alone: of IPv6 there is enough for everybody. */
function rangeOf(name: string, subnet: string): readonly Range[] {
  const [, address = '', bits = ''] = /^(\d{1,3}(?:\.\d{1,3}){3})\/(\d{1,2})$/.exec(subnet) ?? [];
  if (address === '' || Number(bits) > 32) return [];
  const size = 2 ** (32 - Number(bits));
  const from = Math.floor(numberOf(address) / size) * size;
  return [{ name, subnet, from, to: from + size - 1 }];
}

/** Networks of Pods that reach into one another, or hold Services. In one pass over both in their order. */
function enclosed(nodes: Nodes, services: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const told = new Map<string, string[]>();
  const tell = (name: string, what: string): unknown => told.get(name)?.push(what) ?? told.set(name, [what]);
  const ranges = nodes.flatMap(({ name, podSubnets }) => podSubnets.flatMap((subnet) => rangeOf(name, subnet)));
  const points = services.flatMap((service) => rangeOf('', `${service}/32`));
  let widest: Range | undefined;
  for (const one of [...ranges, ...points].sort((a, b) => a.from - b.from || b.to - a.to)) {
    const isIn = widest !== undefined && one.from <= widest.to && one.subnet !== widest.subnet;
    if (isIn && widest !== undefined && widest.name !== one.name) {
      const what = one.name === '' ? `the Service ${one.subnet.replace('/32', '')}` : `${one.subnet} of ${one.name}`;
      tell(widest.name, `its podCIDR ${widest.subnet} holds ${what}`);
    }
    if (one.name !== '' && (widest === undefined || one.to > widest.to)) widest = one;
  }
  return told;
}

const NOBODYS: readonly (readonly [network: string, bits: string])[] = [
  ['127.0.0.0', '8'],
  ['0.0.0.0', '8'],
  ['::', '127'],
  ['224.0.0.0', '4'],
  ['ff00::', '8'],
];
/** A cloud takes a machine in within seconds. */
const TAKEN_IN = 10 * 60_000;

interface Around {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Addresses of Services. */
  readonly services: readonly string[];
  /** Of all Pods, where the controllers say of which they give each Node a part; none: nobody says it. */
  readonly pods?: readonly string[];
}

const isSix = (subnet: string): boolean => subnet.includes(':');

/** "fd00::/48" holds "fd00:0:0:1::/64". */
const isWithin = (subnet: string, whole: string): boolean => {
  const [address = '', own = ''] = subnet.split('/');
  const [network = '', bits = ''] = whole.split('/');
  return Number(own) >= Number(bits) && isAmong(address, network, bits);
};

/** The API server, the scheduler and clouds tell machines apart by these. */
export const machinesApart: Check<Nodes, Around> = {
  id: 'nodes-at-rest/apart',
  source: 'pkg/kubelet/nodestatus/setters.go NodeAddress; pkg/controller/nodeipam; cloud-provider, node_controller.go',
  nothing: 'the cluster has no Nodes',
  judge: (nodes, { now, services, pods = [] }) => {
    const shared = (['providerId', 'hostname', 'machineId', 'systemId', 'addresses', 'podSubnets'] as const).map(
      (field) => {
        const valuesOf = (node: MachineNode): readonly string[] => [node[field]].flat().filter((value) => value !== '');
        return { field, valuesOf, owners: ownersOf(nodes, valuesOf) };
      },
    );
    const ofServices = new Set(services);
    const places = ownersOf(nodes, ({ name, addresses }) => [name, ...addresses]);
    const within = enclosed(nodes, services);
    return each(nodes, 'stands for one machine, and for none but its own', (node) => [
      ...shared.flatMap(({ field, valuesOf, owners }) =>
        valuesOf(node).flatMap((value) => {
          const others = (owners.get(value) ?? []).filter(({ name }) => name !== node.name);
          return others.length === 0 ? [] : [`${CALLED[field]} ${value} is that of ${others[0]?.name ?? ''} too`];
        }),
      ),
      ...node.otherPlaces.flatMap((place) => {
        const others = (places.get(place) ?? []).filter(({ name }) => name !== node.name);
        return others.length === 0 ? [] : [`it says that it is ${place}, which is ${others[0]?.name ?? ''}`];
      }),
      ...(within.get(node.name) ?? []),
      ...node.podSubnets
        // of another family they are somebody else's to give
        .filter((subnet) => pods.some((whole) => isSix(whole) === isSix(subnet)))
        .filter((subnet) => !pods.some((whole) => isWithin(subnet, whole)))
        .map((subnet) => `its podCIDR ${subnet} is beyond ${pods.join(', ')}`),
      ...(pods.length === 0 ? [] : node.podSubnets.filter(isNarrow)).map(
        (subnet) => `its podCIDR ${subnet} has hardly an address for a Pod`,
      ),
      ...(pods.length > 0 && node.podSubnets.length === 0 && node.version !== '' && now - node.created > TAKEN_IN
        ? [`it was given no part of ${pods.join(', ')} for its Pods`]
        : []),
      ...node.platform
        .filter(({ said, own }) => said !== own)
        .map(({ label, said, own }) => `its label ${label} is ${said}, and its kubelet says ${own}`),
      ...[...node.addresses, ...node.otherPlaces]
        .filter(
          (address) => ofServices.has(address) || NOBODYS.some(([network, bits]) => isAmong(address, network, bits)),
        )
        .map((address) => `its address ${address} is that of no machine`),
      ...(node.taints.includes(TAINT_UNINITIALIZED) && now - node.created > TAKEN_IN
        ? ['its cloud has not taken it in']
        : []),
    ]);
  },
};

const CALLED = {
  providerId: 'its providerID',
  hostname: 'its label kubernetes.io/hostname',
  machineId: 'its machineID',
  systemId: 'its systemUUID',
  addresses: 'its address',
  podSubnets: 'its podCIDR',
} as const;

/** Ports where something else listens: who asks the kubelet there shows its certificate to that. */
const OTHERS_PORTS = [2379, 2380, 6443, 10249, 10255, 10256, 10257, 10259];
const minorOf = (version: string): number => Number(/^v1\.(\d{1,3})\./.exec(version)?.[1] ?? Number.NaN);
/** How many minors a kubelet may be behind. Source: kubernetes.io, version skew policy. */
const behind = (minor: number): number => (minor >= 28 ? 3 : 2);

/** Certificates and tokens that are new elsewhere are not yet valid, or no more, for a clock that is so far ahead. */
const AHEAD = 5 * 60_000;

interface ApiServer {
  readonly minor: number;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export const kubeletsFit: Check<Nodes, ApiServer> = {
  id: 'nodes-at-rest/kubelets',
  source: 'kubernetes.io, version skew policy; k8s.io/api, core/v1 NodeDaemonEndpoints; cri-api',
  nothing: 'the cluster has no Nodes',
  judge: (nodes, { minor, now }) =>
    each(nodes, 'has a kubelet that the API server goes with', ({ version, port, socket, ready, ...node }) => {
      const own = minorOf(version);
      const ahead = (ready.heard ?? now) - now;
      return [
        ...(version === '' ? ['no kubelet has ever spoken for it'] : []),
        ...(own > minor ? [`${version} is newer than the API server, which is of 1.${minor}`] : []),
        ...(own < minor - behind(minor) ? [`${version} is too old for an API server of 1.${minor}`] : []),
        ...((port > 0 && port < 1024) || OTHERS_PORTS.includes(port) ? [`port ${port} is not that of a kubelet`] : []),
        ...(own >= 24 && /(?:^|\/)dockershim\.sock$/.test(socket)
          ? [`its runtime is asked at ${socket}, which went with 1.24`]
          : []),
        ...(version === ''
          ? []
          : node.unlabelled.map((label) => `it has lost its label ${label}, by which Pods choose it`)),
        ...(ahead > AHEAD ? [`its clock is ${Math.round(ahead / 60_000)} minutes ahead`] : []),
        ...(ready.status !== '' && node.isNowhere && now - node.created > TAKEN_IN ? ['it names no address'] : []),
        ...(/^(?:tcp|https?):/.test(socket) ? [`its runtime is asked over a network, at ${socket}`] : []),
      ];
    }),
};

/** For images and a network to come. */
const COMES_UP = 30 * 60_000;
/** Between the Node and its first condition. */
const AT_FIRST = 2 * 60_000;
const NOT_READY = 'node.kubernetes.io/not-ready';

/** What was ready once and is not any more is what monitoring is for; what never was has not joined well. */
export const nodesReady: Check<Nodes, { readonly now: number }> = {
  id: 'nodes-at-rest/ready',
  source: 'pkg/kubelet/nodestatus/setters.go ReadyCondition; pkg/controller/nodelifecycle',
  nothing: 'the cluster has no Nodes',
  judge: (nodes, { now }) =>
    each(nodes, 'has become ready, and is taken for ready', ({ ready, created, taints, version }) => {
      const { status, reason, since, heard } = ready;
      // what was written down long ago is judged as of then
      const last = Math.min(heard ?? now, now);
      if (ready.isShut || version === '' || !(last - created > COMES_UP)) return [];
      const isReady = status === 'True';
      const neverWas = !isReady && (since ?? created) - created <= AT_FIRST;
      return [
        ...(neverWas ? [`it is not ready since it joined${reason === '' ? '' : ` (${reason})`}`] : []),
        ...(isReady && taints.includes(NOT_READY) && last - (since ?? last) > COMES_UP
          ? [`it is ready, and tainted ${NOT_READY}`]
          : []),
      ];
    }),
};

interface Served {
  /** Names of Nodes with a mirror Pod of kube-apiserver. */
  readonly serving: readonly string[];
}

/** What bears the label is where administrators and load balancers look for control planes. */
export const controlPlanesMarked: Check<Nodes, Served> = {
  id: 'nodes-at-rest/marked',
  source: 'cmd/kubeadm/app/phases/markcontrolplane/markcontrolplane.go; NodeRestriction',
  nothing: 'no Node of the cluster shows an API server',
  judge: (nodes, { serving }) => {
    if (!nodes.some(({ name }) => serving.includes(name))) return [];
    return each(
      nodes,
      'is marked as a control plane where it is one, and nowhere else',
      ({ name, marked, version }) => {
        const serves = serving.includes(name);
        // one that has not come up yet shows nothing of what it runs
        if (serves === marked || (marked && version === '')) return [];
        return [serves ? 'it runs an API server, and is not marked' : 'it is marked, and runs no API server'];
      },
    );
  },
};

const MASTER = 'node-role.kubernetes.io/master';

/** Where there are workers, Pods of teams need not run beside the keys of the cluster. */
export const controlPlanesTainted: Check<Nodes> = {
  id: 'nodes-at-rest/tainted',
  source: '002, mark the control plane; cmd/kubeadm/app/constants ControlPlaneTaint',
  nothing: 'the cluster has no workers, or no control planes',
  judge: (nodes) => {
    const marked = nodes.filter((node) => node.marked);
    if (marked.length === nodes.length) return [];
    return each(marked, 'is kept free of Pods of teams', ({ taints, version }) =>
      version === '' || taints.includes(LABEL_CONTROL_PLANE) || taints.includes(MASTER)
        ? []
        : ['it has no taint of control planes'],
    );
  },
};

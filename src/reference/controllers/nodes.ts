/**
 * What the controller manager does to Nodes: taints by conditions, labels that come in two spellings, what nobody hears
 * of any more, and how long Secrets may be remembered. Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go
 * and pkg/controller/ttl/ttl_controller.go.
 */
import { isDeepStrictEqual } from 'node:util';
import { rfc3339 } from '../../apiserver/clock.js';
import type { Controller, StoreEvent } from '../../apiserver/types.js';
import { KUBE_NODE_LEASE } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type ControllerContext, createLoop, isResource, LEASES, NODES } from './controller.js';

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
  readonly timeAdded?: string;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastHeartbeatTime?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Node extends KubeObject {
  readonly spec?: { readonly taints?: readonly Taint[]; readonly unschedulable?: boolean };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const key = (name: string): string => `node.kubernetes.io/${name}`;
const NOT_READY = key('not-ready');
const UNREACHABLE = key('unreachable');

/** Condition → status → the taint that says so. */
const TAINTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: NOT_READY, Unknown: UNREACHABLE },
  MemoryPressure: { True: key('memory-pressure') },
  DiskPressure: { True: key('disk-pressure') },
  NetworkUnavailable: { True: key('network-unavailable') },
  PIDPressure: { True: key('pid-pressure') },
};
const UNSCHEDULABLE = key('unschedulable');
const OWN_KEYS: ReadonlySet<string> = new Set([...Object.values(TAINTS).flatMap(Object.values), UNSCHEDULABLE]);

/** What a kubelet says of itself; NetworkUnavailable is said by others. */
const OF_THE_KUBELET = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** Labels, and the spelling of before 1.14, which follows them. */
const SPELLINGS = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
] as const;

/** --node-startup-grace-period, and --node-monitor-grace-period of old and of new, milliseconds. */
const STARTUP_GRACE = 60_000;
const MONITOR_GRACE = { since: 32, old: 40_000, now: 50_000 } as const;

const conditionsOf = (node: Node): readonly Condition[] => node.status?.conditions ?? [];
const readyOf = (node: Node): Condition | undefined => conditionsOf(node).find(({ type }) => type === 'Ready');

/** The taints that a node has by rights; those of others stay. `now`: RFC 3339, of those that are new. */
function taintsOf(node: Node, now: string): readonly Taint[] {
  const due: Taint[] = conditionsOf(node).flatMap(({ type, status }) => {
    const taint = TAINTS[type]?.[status];
    return taint === undefined ? [] : [{ key: taint, effect: 'NoSchedule' }];
  });
  if (node.spec?.unschedulable === true) due.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });
  const ready = readyOf(node);
  const driven = ready === undefined ? undefined : TAINTS.Ready?.[ready.status];
  if (driven !== undefined) due.push({ key: driven, effect: 'NoExecute' });
  const same = (one: Taint) => (other: Taint) => one.key === other.key && one.effect === other.effect;
  const isOwn = (taint: Taint): boolean =>
    taint.effect === 'NoSchedule'
      ? OWN_KEYS.has(taint.key)
      : taint.effect === 'NoExecute' && ready !== undefined && [NOT_READY, UNREACHABLE].includes(taint.key);
  const has = node.spec?.taints ?? [];
  return [
    ...has.filter((taint) => !isOwn(taint) || due.some(same(taint))),
    ...due.filter((taint) => !has.some(same(taint))).map((taint) => ({ ...taint, timeAdded: now })),
  ];
}

function labelsOf(node: Node): Readonly<Record<string, string>> | undefined {
  const labels = node.metadata.labels;
  if (labels === undefined) return undefined;
  const added = SPELLINGS.flatMap(([label, older]) => {
    const value = labels[label];
    return value === undefined ? [] : [[older, value] as const];
  });
  return { ...labels, ...Object.fromEntries(added) };
}

/** Conditions of a node that nobody has heard of since `now` less its grace. */
function unheardOf(node: Node, now: string): readonly Condition[] {
  const has = conditionsOf(node);
  const stopped = has.map((condition): Condition => {
    if (!OF_THE_KUBELET.some((type) => type === condition.type) || condition.status === 'Unknown') return condition;
    const message = 'Kubelet stopped posting node status.';
    return { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message, lastTransitionTime: now };
  });
  const never = OF_THE_KUBELET.filter((type) => !has.some((condition) => condition.type === type));
  return [
    ...stopped,
    ...never.map(
      (type): Condition => ({
        type,
        status: 'Unknown',
        lastHeartbeatTime: node.metadata.creationTimestamp ?? now,
        lastTransitionTime: now,
        reason: 'NodeStatusNeverUpdated',
        message: 'Kubelet never posted node status.',
      }),
    ),
  ];
}

export interface NodeLifecycleOptions {
  readonly minor: number;
  /** The server's own node: it has no kubelet that could be heard of. */
  readonly own: string;
}

/** Source: pkg/controller/nodelifecycle/node_lifecycle_controller.go. */
export function nodeLifecycle(context: ControllerContext, { minor, own }: NodeLifecycleOptions): Controller {
  const { store, clock } = context;
  const api = context.as('node-controller');
  const monitorGrace = minor >= MONITOR_GRACE.since ? MONITOR_GRACE.now : MONITOR_GRACE.old;
  /** Node → when its kubelet was heard of last, milliseconds, and by what. */
  const heard = new Map<string, { readonly at: number; readonly heartbeat: string | undefined }>();

  const leaseOf = (event: StoreEvent): string | undefined =>
    isResource(event, LEASES) && event.object.metadata.namespace === KUBE_NODE_LEASE
      ? event.object.metadata.name
      : undefined;
  /** When it is asked for in vain, milliseconds. */
  const endOfGrace = (name: string, node: Node): number => {
    const ready = readyOf(node);
    const grace = ready === undefined ? STARTUP_GRACE : monitorGrace;
    const last = heard.get(name);
    if (last !== undefined && (ready === undefined || last.heartbeat === ready.lastHeartbeatTime))
      return last.at + grace;
    const created = ready === undefined ? Date.parse(node.metadata.creationTimestamp ?? '') : Number.NaN;
    const at = Number.isNaN(created) ? clock.now() : created;
    heard.set(name, { at, heartbeat: ready?.lastHeartbeatTime });
    return at + grace;
  };
  const monitor = (name: string, node: Node, later: (at: number) => void): Node => {
    if (name === own) return node;
    const end = endOfGrace(name, node);
    if (clock.now() <= end) {
      later(end + 1);
      return node;
    }
    const conditions = unheardOf(node, rfc3339(clock.now()));
    if (isDeepStrictEqual(conditions, conditionsOf(node))) return node;
    const status = { ...node.status, conditions };
    return api.update(NODES, { ...node, status } as KubeObject, { subresource: 'status' }) as Node;
  };

  return createLoop({
    name: 'node-lifecycle',
    context,
    keysOf(event) {
      if (isResource(event, NODES)) return [event.object.metadata.name ?? ''];
      const name = leaseOf(event);
      const last = name === undefined ? undefined : heard.get(name);
      if (name !== undefined && last !== undefined && event.type !== 'DELETED')
        heard.set(name, { ...last, at: clock.now() });
      return [];
    },
    initial: () => store.list(NODES).map(({ metadata }) => metadata.name ?? ''),
    sync(name, later) {
      const found = store.get(NODES, undefined, name) as Node | undefined;
      if (found === undefined) {
        heard.delete(name);
        return;
      }
      const node = monitor(name, found, later);
      const taints = taintsOf(node, rfc3339(clock.now()));
      const labels = labelsOf(node);
      if (
        isDeepStrictEqual(taints, node.spec?.taints ?? []) &&
        (labels === undefined || isDeepStrictEqual(labels, node.metadata.labels))
      )
        return;
      const { taints: _before, ...spec } = node.spec ?? {};
      const metadata = labels === undefined ? node.metadata : { ...node.metadata, labels };
      api.update(NODES, { ...node, metadata, spec: taints.length === 0 ? spec : { ...spec, taints } } as KubeObject);
    },
  });
}

/** Nodes from which on the next step counts, going up and going down, and the seconds of the step. */
const TTL_STEPS: readonly { readonly least: number; readonly most: number; readonly seconds: number }[] = [
  { least: 0, most: 100, seconds: 0 },
  { least: 90, most: 500, seconds: 15 },
  { least: 450, most: 1000, seconds: 30 },
  { least: 900, most: 2000, seconds: 60 },
  { least: 1800, most: Number.POSITIVE_INFINITY, seconds: 300 },
];
const TTL_ANNOTATION = 'node.alpha.kubernetes.io/ttl';

/** Tells kubelets how long they may remember Secrets and ConfigMaps. Source: pkg/controller/ttl/ttl_controller.go. */
export function nodeTtl(context: ControllerContext): Controller {
  const { store } = context;
  const api = context.as('ttl-controller');
  let count = 0;
  let step = 0;
  const counted = (more: 1 | -1): void => {
    count += more;
    if (more > 0 && count > (TTL_STEPS[step]?.most ?? 0)) step += 1;
    if (more < 0 && count < (TTL_STEPS[step]?.least ?? 0)) step -= 1;
  };
  return createLoop({
    name: 'ttl',
    context,
    keysOf(event) {
      if (!isResource(event, NODES)) return [];
      if (event.type === 'ADDED') counted(1);
      if (event.type === 'DELETED') counted(-1);
      return event.type === 'DELETED' ? [] : [event.object.metadata.name ?? ''];
    },
    initial() {
      const nodes = store.list(NODES);
      for (const _node of nodes) counted(1);
      return nodes.map(({ metadata }) => metadata.name ?? '');
    },
    sync(name) {
      const node = store.get(NODES, undefined, name);
      const seconds = String(TTL_STEPS[step]?.seconds ?? 0);
      if (node === undefined || node.metadata.annotations?.[TTL_ANNOTATION] === seconds) return;
      const annotations = { ...node.metadata.annotations, [TTL_ANNOTATION]: seconds };
      api.update(NODES, { ...node, metadata: { ...node.metadata, annotations } });
    },
  });
}

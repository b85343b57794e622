/**
 * Kinds in whose objects secret halves of tokens are looked for: each is read once a run, for that and for what other
 * scenarios look at. Who plays tells whether there is a search at all, since it needs the tokens first.
 */

import { isWithoutDefinitions } from '../../src/checks/admission/api-services.js';
import { readCollectedRole } from '../../src/checks/authorization/aggregated-roles.js';
import { bindingIn, roleIn } from '../../src/checks/authorization/rbac-policy.js';
import { LeakHunt, READ_BY_FEW, READ_BY_SOME } from '../../src/checks/bootstrap-tokens/leaks.js';
import { readCopyTold } from '../../src/checks/cluster-info/cluster-info-copies.js';
import { requestAtRest } from '../../src/checks/kubelet-certificates/seen-requests.js';
import { readCustomKind } from '../../src/checks/policy/custom-kinds.js';
import { type JoinTold, joinsToldIn } from '../../src/checks/policy/join-commands.js';
import {
  type DaemonSeen,
  type NodeSeen,
  readDaemonSeen,
  readNodeSeen,
} from '../../src/checks/policy/kubeadm-addons.js';
import { type LeaseSeen, readLease } from '../../src/checks/policy/node-leases.js';
import { type MachineNode, readMachineNode } from '../../src/checks/policy/nodes-at-rest.js';
import { type MountsSeen, readMounts } from '../../src/checks/policy/pod-mounts.js';
import { type ShownBy, shownBeside, shownByConfigMap } from '../../src/checks/policy/shown-keys.js';
import { readSlice, type SliceSeen } from '../../src/checks/told/own-services.js';
import { settledNamespace } from '../../src/checks/told/published-roots.js';
import { isRoute, type Route, readRoute } from '../../src/checks/told/publishing-routes.js';
import { record } from '../../src/kubernetes/json.js';
import { KUBE_SYSTEM, LABEL_CONTROL_PLANE } from '../../src/kubernetes/names.js';
import type { KubeObject } from '../../src/kubernetes/objects.js';
import { pathOf, type Resource, resources } from '../../src/kubernetes/resources.js';
import type { Check } from '../../src/model/check.js';
import type { World } from '../../src/run/world.js';
import { NotInDump, UnexpectedAnswer } from '../../src/targets/errors.js';
import type { Keep } from '../../src/targets/types.js';
import { forEach } from './each.js';
import { tokensOfKubeSystem } from './token-secrets.js';

/** The sentence that searches. */
export const SEARCH = 'no object that others read shows a secret half';

/** A Node as several look at it. */
interface NodeAtRest {
  readonly node: KubeObject;
  readonly seen: NodeSeen;
  /** undefined: joinproof's own, or one that stands for no machine. */
  readonly machine: MachineNode | undefined;
}

/** Of a Node its name, since when it is there, whether it is a control plane, and its addresses. */
const nodeIn = ({ metadata: { name = '', creationTimestamp, labels }, status }: KubeObject): KubeObject => ({
  metadata: {
    name,
    ...(creationTimestamp == null ? {} : { creationTimestamp }),
    ...(labels?.[LABEL_CONTROL_PLANE] === undefined ? {} : { labels: { [LABEL_CONTROL_PLANE]: '' } }),
  },
  status: { addresses: record(status).addresses },
});

/** Of a Service its addresses; of one that has some beyond the cluster also what it does with them. */
const serviceIn = ({ metadata: { name = '', namespace = '' }, spec, status }: KubeObject): KubeObject => {
  const { type, clusterIP, clusterIPs, externalIPs, ports, selector } = record(spec);
  const { loadBalancer } = record(status);
  const leads = record(selector).component !== undefined;
  const isBeyond =
    type === 'NodePort' ||
    type === 'LoadBalancer' ||
    externalIPs !== undefined ||
    record(loadBalancer).ingress !== undefined;
  return {
    metadata: { name, namespace },
    spec: {
      clusterIP,
      clusterIPs,
      ...(leads ? { selector } : {}),
      ...(isBeyond ? { type, externalIPs, ports, selector } : {}),
    },
    ...(isBeyond ? { status: { loadBalancer } } : {}),
  };
};

/** The items of a list do not say their kind. */
const whole =
  ({ kind }: Resource) =>
  (): Keep<KubeObject> =>
  (object) => ({ ...object, kind });

/** What is kept of each kind; of Nodes joinproof's own, too. */
const theirs =
  <T>(resource: Resource, keep: Keep<T>) =>
  (world: World): Keep<T> =>
    world.theirs(resource, keep);
export type LeaseAtRest = LeaseSeen & { readonly namespace: string };
const leaseIn = (lease: KubeObject): LeaseAtRest => ({
  ...readLease(lease),
  namespace: lease.metadata.namespace ?? '',
});
export const KEPT = {
  configMaps: theirs(resources.configMaps, (object) => {
    const [shown, copy] = [shownByConfigMap(object), readCopyTold(object)];
    return shown === undefined && copy === undefined ? undefined : { shown, copy };
  }),
  certificateSigningRequests: theirs(resources.certificateSigningRequests, requestAtRest),
  nodes: (world: World): Keep<NodeAtRest> => {
    const machineOf = world.theirs(resources.nodes, readMachineNode);
    return (object) => ({ node: nodeIn(object), seen: readNodeSeen(object), machine: machineOf(object) });
  },
  leases: theirs(resources.leases, leaseIn),
  namespaces: (world: World): Keep<string> => {
    const now = world.now();
    return (object) => settledNamespace(object, now);
  },
  services: (): Keep<KubeObject> => serviceIn,
  endpointSlices: (): Keep<SliceSeen> => readSlice,
  networkPolicies: theirs(resources.networkPolicies, (object) =>
    object.metadata.namespace === KUBE_SYSTEM ? object : undefined,
  ),
  customResourceDefinitions: (): Keep<Resource> => readCustomKind,
  apiServices: whole(resources.apiServices),
  mutatingWebhookConfigurations: whole(resources.mutatingWebhookConfigurations),
  validatingWebhookConfigurations: whole(resources.validatingWebhookConfigurations),
  validatingAdmissionPolicies: whole(resources.validatingAdmissionPolicies),
  validatingAdmissionPolicyBindings: whole(resources.validatingAdmissionPolicyBindings),
  mutatingAdmissionPolicies: whole(resources.mutatingAdmissionPolicies),
  mutatingAdmissionPolicyBindings: whole(resources.mutatingAdmissionPolicyBindings),
  flowSchemas: whole(resources.flowSchemas),
  priorityLevelConfigurations: whole(resources.priorityLevelConfigurations),
  daemonSets: (): Keep<DaemonSeen> => readDaemonSeen,
  roles: theirs(resources.roles, roleIn),
  clusterRoles: theirs(resources.clusterRoles, (object) => ({
    role: roleIn(object),
    collected: readCollectedRole(object),
  })),
  roleBindings: theirs(resources.roleBindings, bindingIn),
  clusterRoleBindings: theirs(resources.clusterRoleBindings, bindingIn),
} as const;
type Kept = keyof typeof KEPT;
type Item<K extends Kept> = ReturnType<(typeof KEPT)[K]> extends Keep<infer T> ? T : never;

/** What is told in passing of objects of any kind, and of what makes Pods. */
interface Noticed {
  readonly joins: readonly JoinTold[];
  readonly mounts: readonly MountsSeen[];
  /** By annotations, and by what containers are started with. */
  readonly shown: readonly ShownBy[];
  /** By which others reach a Service from beyond the cluster. */
  readonly routes: readonly Route[];
}

interface Read extends Noticed {
  /** What has looked at each object; undefined where nothing has. */
  readonly hunt: LeakHunt | undefined;
  readonly objects: number;
  readonly kept: readonly unknown[];
}

/** One for all scenarios of a run. */
export const leakHunt = (world: World): Promise<LeakHunt> =>
  world.shared('a hunt for secret halves', async () => new LeakHunt(await tokensOfKubeSystem(world)));

/** What makes Pods. */
export const MAKES_PODS: readonly Resource[] = [
  resources.deployments,
  resources.daemonSets,
  resources.statefulSets,
  resources.replicaSets,
  resources.cronJobs,
  resources.jobs,
];

/** Of an object of which nothing is kept; it is counted. */
export const LOOKED_AT = true;

async function read(world: World, resource: Resource, hunt: LeakHunt | undefined): Promise<Read> {
  const name = Object.keys(KEPT).find((kept): kept is Kept => resources[kept as Kept] === resource);
  const keep: Keep<unknown> = name === undefined ? () => undefined : KEPT[name](world);
  const joins: JoinTold[] = [];
  const mounts: MountsSeen[] = [];
  const shown: ShownBy[] = [];
  const routes: Route[] = [];
  const areRun = [resources.pods, resources.persistentVolumes, ...MAKES_PODS].includes(resource);
  const notice = world.theirs(resource, (object) => {
    joins.push(...(joinsToldIn(object, resource.kind) ?? []));
    const mounted = areRun ? readMounts(object, resource.kind) : undefined;
    if (mounted !== undefined) mounts.push(mounted);
    const route = isRoute(resource) ? readRoute(object, resource.kind) : undefined;
    if (route !== undefined) routes.push(route);
    const beside = shownBeside(object, resource.kind);
    if (beside !== undefined) shown.push(beside);
    return true;
  });
  const all = await world.objects.list(resource, {}, (object) => {
    hunt?.look(object, resource.kind);
    notice(object);
    return keep(object) ?? LOOKED_AT;
  });
  return { hunt, objects: all.length, kept: all.filter((item) => item !== LOOKED_AT), joins, mounts, shown, routes };
}

/** Read along where a scenario of the run searches, unless the tokens cannot be read: then it looks for itself. */
const readOnce = (world: World, resource: Resource): Promise<Read> =>
  world.shared(`${resource.resource} of ${world.target.name}`, async () => {
    const searches = world.plays(SEARCH) && world.target.name === world.main.name;
    return read(world, resource, searches ? await leakHunt(world).catch(() => undefined) : undefined);
  });

/** What is kept of the objects of a kind, as they were when the run first looked. */
export const atRest = async <K extends Kept>(world: World, kind: K): Promise<readonly Item<K>[]> =>
  (await readOnce(world, resources[kind])).kept as readonly Item<K>[];

/** How many objects of the kind there were then, whatever is kept of them. */
export const countAtRest = async (world: World, kind: Kept): Promise<number> =>
  (await readOnce(world, resources[kind])).objects;

/** A credential may not read it, the server does not serve it, or a dump does not hold it. */
export function unread(error: unknown): undefined {
  if (error instanceof NotInDump || (error instanceof UnexpectedAnswer && [403, 404].includes(error.code)))
    return undefined;
  throw error;
}

/** What is told of some kinds, as far as they can be read. */
interface Told<T> {
  readonly told: readonly T[];
  /** Kinds that the credential may not read, or that are not served: "leases". */
  readonly unread: readonly string[];
  /** Why one could not be read although it should; undefined: each could. */
  readonly why: unknown;
}

/** An error, kept for later. */
class Lacking {
  constructor(readonly why: unknown) {}
}
const lacking = (error: unknown): Lacking => new Lacking(error);

/** The same of each of these kinds, and of those that some credentials may read. */
export async function eachKind<T>(
  world: World,
  kinds: readonly Resource[],
  readBySome: readonly Resource[],
  look: (kind: Resource) => Promise<T>,
): Promise<Told<T>> {
  const read = await forEach(world, kinds, (kind) => look(kind).catch(lacking));
  const more = await forEach(world, readBySome, (kind) => look(kind).catch(unread).catch(lacking));
  const all = [...read, ...more];
  return {
    told: all.flatMap((one) => (one === undefined || one instanceof Lacking ? [] : [one])),
    unread: readBySome.flatMap(({ resource }, index) => (more[index] === undefined ? [resource] : [])),
    why: all.find((one) => one instanceof Lacking)?.why,
  };
}

/** What is found is found, whatever else could not be read; that all is well is not known then, and `why` is thrown. */
export function checkFound<O, P = undefined>(
  world: World,
  check: Check<O, P>,
  observation: O,
  why: unknown,
  parameters?: P,
): void {
  const isFound = (): boolean =>
    check.judge(observation, parameters as P).some(({ role, result }) => role === 'demand' && result === 'unmet');
  if (why !== undefined && !isFound()) throw why;
  world.check(check, observation, parameters as P);
}

/** What is noticed of objects of these kinds; how many objects there are. */
export async function noticed(
  world: World,
  kinds: readonly Resource[],
  readBySome: readonly Resource[] = [],
): Promise<Noticed & { readonly seen: number; readonly why: unknown }> {
  const { told, why } = await eachKind(world, kinds, readBySome, (kind) => readOnce(world, kind));
  return {
    joins: told.flatMap(({ joins }) => joins),
    mounts: told.flatMap(({ mounts }) => mounts),
    shown: told.flatMap(({ shown }) => shown),
    routes: told.flatMap(({ routes }) => routes),
    seen: told.reduce((sum, { objects }) => sum + objects, 0),
    why,
  };
}

/**
 * Kinds that definitions have added to the cluster, for a credential that may list whatever there is: another one is
 * told which kinds it may list by "joinproof rbac", and these are not among them.
 */
export async function customKinds(world: World): Promise<readonly Resource[]> {
  if (!(await listsAll(world))) return [];
  return (await atRest(world, 'customResourceDefinitions').catch(unread)) ?? [];
}

/** What may be searched beside what every auditor may list. */
export const searchedBySome = async (world: World): Promise<readonly Resource[]> => [
  ...READ_BY_SOME,
  ...((await listsAll(world)) ? READ_BY_FEW : []),
  ...(await customKinds(world)),
];

/** Is there an object of one of these? undefined: the credential may not see it. */
export async function anyOf(world: World, isMeant: (kind: Resource) => boolean): Promise<boolean | undefined> {
  const defined = (await atRest(world, 'customResourceDefinitions').catch(unread))?.filter(isMeant);
  // the API server registers the group of each definition; a dump of several kinds in one list tells no kind that is empty
  if (defined === undefined && isWithoutDefinitions(await atRest(world, 'apiServices').catch(unread))) return false;
  const listed = (await customKinds(world)).filter(isMeant);
  if (defined === undefined || defined.length > listed.length) return undefined;
  return (await noticed(world, [], listed)).seen > 0;
}

/** Whether whatever there is may be listed; a dump is read as far as it goes. */
const listsAll = (world: World): Promise<boolean> =>
  world.shared(
    `whether all of ${world.target.name} may be listed`,
    async () => world.target.abilities.requests === undefined || mayListAll(world),
  );

async function mayListAll(world: World): Promise<boolean> {
  const { group, version, kind } = resources.selfSubjectAccessReviews;
  const { body } = await world.admin.ask({
    method: 'POST',
    path: pathOf(resources.selfSubjectAccessReviews),
    body: {
      apiVersion: `${group}/${version}`,
      kind,
      spec: { resourceAttributes: { verb: 'list', group: '*', version: '*', resource: '*' } },
    },
  });
  return record(record(body).status).allowed === true;
}

/** How many objects of the kind the hunt has looked at. */
export async function hunted(world: World, resource: Resource): Promise<number> {
  const hunt = await leakHunt(world);
  const known = await readOnce(world, resource);
  return known.hunt === hunt ? known.objects : (await read(world, resource, hunt)).objects;
}

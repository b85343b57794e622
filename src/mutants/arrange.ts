/** What several mutants arrange: roles, bindings and other objects, changed as an administrator would, without HTTP. */
import type { Fields } from '../kubernetes/json.js';
import type { Binding, ConfigMap, KubeObject, PolicyRule, Role, Subject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Reference, ReferenceOptions } from '../reference/options.js';
import type { Mutant } from './types.js';

const RBAC = 'rbac.authorization.k8s.io';
export const JOINING = 'system:bootstrappers:kubeadm:default-node-token';

export const group = (name: string): Subject => ({ kind: 'Group', apiGroup: RBAC, name });
export const user = (name: string): Subject => ({ kind: 'User', apiGroup: RBAC, name });
/** Who may join with a token. */
export const joining = group(JOINING);
/** One of kube-system. */
export const serviceAccount = (name: string): Subject => ({ kind: 'ServiceAccount', namespace: 'kube-system', name });

/** All verbs on everything. */
export const ALL_RIGHTS: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Where an object stands; a namespace where its kind has one. */
interface Place {
  readonly resource: Resource;
  readonly namespace?: string;
  readonly name: string;
}

/** Replaces an object by what `change` makes of it. The object has to be there. */
export function edit<T extends KubeObject>(
  reference: Reference,
  { resource, namespace, name }: Place,
  change: (object: T) => KubeObject,
): void {
  const found = reference.api.get(resource, namespace, name);
  if (found === undefined) throw new Error(`the reference has no ${resource.kind} ${name} to arrange`);
  reference.api.update(resource, change(found as T));
}

export interface NodeParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: Fields;
  readonly status?: Fields;
}

/** The status of a Node for which a kubelet of this version ("v1.36.0") speaks. */
export const kubelet = (kubeletVersion: string): Fields => ({ nodeInfo: { kubeletVersion } });

/** A Node as its kubelet registers it. */
export function addNode(
  { api }: Reference,
  name: string,
  { labels = {}, annotations = {}, spec = {}, status }: NodeParts = {},
): void {
  const own = { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'amd64' };
  api.create(resources.nodes, {
    apiVersion: 'v1',
    kind: resources.nodes.kind,
    metadata: { name, labels: { ...own, ...labels }, annotations },
    spec,
    status: { ...kubelet('v1.36.0'), ...status },
  } as KubeObject);
}

/** Replaces a text in a ConfigMap of kube-system. */
export const rewrite = (reference: Reference, map: string, key: string, change: (text: string) => string): void =>
  edit<ConfigMap>(reference, { resource: resources.configMaps, namespace: 'kube-system', name: map }, (found) => ({
    ...found,
    data: { ...found.data, [key]: change(found.data?.[key] ?? '') },
  }));

export const editClusterRole = (
  reference: Reference,
  name: string,
  change: (rules: readonly PolicyRule[]) => readonly PolicyRule[],
): void =>
  edit<Role>(reference, { resource: resources.clusterRoles, name }, (role) => ({
    ...role,
    rules: change(role.rules ?? []),
  }));

export const editSubjects = (
  reference: Reference,
  name: string,
  change: (subjects: readonly Subject[]) => readonly Subject[],
): void =>
  edit<Binding>(reference, { resource: resources.clusterRoleBindings, name }, (binding) => ({
    ...binding,
    subjects: change(binding.subjects ?? []),
  }));

/** A roleRef cannot be changed: the binding is made anew. */
export function rebind(reference: Reference, name: string, role: string): void {
  const found = reference.api.get(resources.clusterRoleBindings, undefined, name) as Binding | undefined;
  reference.api.delete(resources.clusterRoleBindings, undefined, name);
  bindCluster(reference, name, role, ...(found?.subjects ?? []));
}

export function bindCluster(reference: Reference, name: string, role: string, ...subjects: readonly Subject[]): void {
  reference.api.create(resources.clusterRoleBindings, {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: role },
  });
}

/** A ClusterRole of its own, bound to the subjects. */
export function allow(
  reference: Reference,
  name: string,
  rules: readonly PolicyRule[],
  ...subjects: readonly Subject[]
): void {
  reference.api.create(resources.clusterRoles, {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata: { name },
    rules,
  });
  bindCluster(reference, name, name, ...subjects);
}

/** A rule of one API group. */
export const rule = (verbs: readonly string[], apiGroup: string, ...names: readonly string[]): PolicyRule => ({
  verbs,
  apiGroups: [apiGroup],
  resources: names,
});

export type Replaced = NonNullable<ReferenceOptions['decisions']>;

/** A mutant that decides otherwise. */
export const decides = (name: string, defect: string, killedBy: readonly string[], decisions: Replaced): Mutant => ({
  name,
  defect,
  killedBy,
  options: { decisions },
});

/** A mutant that finds the cluster otherwise. */
export const finds = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  arrange: (reference: Reference) => void,
): Mutant => ({
  name,
  defect,
  killedBy,
  arrange,
});

/**
 * The roles and bindings that kubeadm init writes, by what they are for. Subjects are written without apiGroup, the
 * server fills it in;
 * no labels, no annotations.
 * Source: cmd/kubeadm/app/phases/{bootstraptoken,uploadconfig,kubelet,copycerts,addons}.
 */
import {
  CLUSTER_INFO,
  GROUP_CLUSTER_ADMINS,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  USER_ANONYMOUS,
} from '../kubernetes/names.js';
import type { Binding, PolicyRule, Role, Subject } from '../kubernetes/objects.js';
import { KUBELET_CLIENT_BOUND } from './certificates.js';
import { kubeletConfigName } from './names.js';
import { atRelease, type ByRelease, type Release } from './release.js';

const RBAC = 'rbac.authorization.k8s.io';
const apiVersion = `${RBAC}/v1`;

const group = (name: string): Subject => ({ kind: 'Group', name });
const user = (name: string): Subject => ({ kind: 'User', name });
const account = (name: string): Subject => ({ kind: 'ServiceAccount', name, namespace: KUBE_SYSTEM });

const clusterRole = (name: string, rules: readonly PolicyRule[]): Role => ({
  apiVersion,
  kind: 'ClusterRole',
  metadata: { name },
  rules,
});
const bindCluster = (name: string, to: string, subjects: readonly Subject[]): Binding => ({
  apiVersion,
  kind: 'ClusterRoleBinding',
  metadata: { name },
  roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: to },
  subjects,
});
const role = (namespace: string, name: string, rules: readonly PolicyRule[]): Role => ({
  apiVersion,
  kind: 'Role',
  metadata: { name, namespace },
  rules,
});
const bind = (namespace: string, name: string, subjects: readonly Subject[]): Binding => ({
  apiVersion,
  kind: 'RoleBinding',
  metadata: { name, namespace },
  roleRef: { apiGroup: RBAC, kind: 'Role', name },
  subjects,
});
const getOne = (resource: string, name: string): readonly PolicyRule[] => [
  { verbs: ['get'], apiGroups: [''], resources: [resource], resourceNames: [name] },
];
/** A Role that lets its subjects GET one object (resource, name), and the RoleBinding of the same name. */
const readers = (
  namespace: string,
  name: string,
  [resource, object]: readonly [string, string],
  subjects: readonly Subject[],
): readonly (Role | Binding)[] => [role(namespace, name, getOne(resource, object)), bind(namespace, name, subjects)];

/**
 * The group of admin.conf may do everything; up to 1.28 it was one that may anyhow.
 * Source: EnsureAdminClusterRoleBinding.
 */
const ADMIN: ByRelease<readonly Binding[]> = [
  [{ since: 29 }, [bindCluster(GROUP_CLUSTER_ADMINS, 'cluster-admin', [group(GROUP_CLUSTER_ADMINS)])]],
];

/**
 * Stands for the group that the API server's client certificate for kubelets named before.
 * Source: AllowAPIServerToAccessKubeletAPI.
 */
const KUBELET_CLIENT: ByRelease<readonly Binding[]> = [
  [
    KUBELET_CLIENT_BOUND,
    [
      bindCluster('kubeadm:apiserver-kubelet-client', 'system:kubelet-api-admin', [
        user('kube-apiserver-kubelet-client'),
      ]),
    ],
  ],
];

const CERTIFICATE_REQUESTS = 'system:certificates.k8s.io:certificatesigningrequests';

const GRANTS = {
  /** Before the first request as administrator. Source: phases/kubeconfig/kubeconfig.go. */
  admin: (release) => atRelease(release, ADMIN) ?? [],

  /** Joining machines read kubeadm-config. Source: phases/uploadconfig/uploadconfig.go. */
  'kubeadm-config': () =>
    readers(
      KUBE_SYSTEM,
      'kubeadm:nodes-kubeadm-config',
      ['configmaps', 'kubeadm-config'],
      [group(GROUP_DEFAULT_NODE_TOKEN), group(GROUP_NODES)],
    ),

  /** Nodes and joining machines read kubelet-config. Source: phases/kubelet/config.go createConfigMapRBACRules. */
  'kubelet-config': (release) => {
    const name = kubeletConfigName(release);
    return readers(
      KUBE_SYSTEM,
      `kubeadm:${name}`,
      ['configmaps', name],
      [group(GROUP_NODES), group(GROUP_DEFAULT_NODE_TOKEN)],
    );
  },

  /** Joining control planes read kubeadm-certs. Source: phases/copycerts/copycerts.go createRBAC. */
  'kubeadm-certs': () =>
    readers(KUBE_SYSTEM, 'kubeadm:kubeadm-certs', ['secrets', 'kubeadm-certs'], [group(GROUP_DEFAULT_NODE_TOKEN)]),

  /**
   * kubeadm join looks whether a Node of its name is there; joining kubelets post CSRs; these, and those by which a
   * node renews its certificate, are approved without a person. Source: phases/bootstraptoken/node/tlsbootstrap.go.
   */
  joining: (release) => [
    clusterRole('kubeadm:get-nodes', [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }]),
    bindCluster('kubeadm:get-nodes', 'kubeadm:get-nodes', [group(GROUP_DEFAULT_NODE_TOKEN)]),
    bindCluster('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', [group(GROUP_DEFAULT_NODE_TOKEN)]),
    bindCluster('kubeadm:node-autoapprove-bootstrap', `${CERTIFICATE_REQUESTS}:nodeclient`, [
      group(GROUP_DEFAULT_NODE_TOKEN),
    ]),
    bindCluster('kubeadm:node-autoapprove-certificate-rotation', `${CERTIFICATE_REQUESTS}:selfnodeclient`, [
      group(GROUP_NODES),
    ]),
    ...(atRelease(release, KUBELET_CLIENT) ?? []),
  ],

  /**
   * Everybody may GET cluster-info: bound to the user system:anonymous, not to a group.
   * Source: CreateClusterInfoRBACRules.
   */
  'cluster-info': () =>
    readers(KUBE_PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo', ['configmaps', CLUSTER_INFO], [user(USER_ANONYMOUS)]),

  /** Source: phases/addons/dns. */
  coredns: () => [
    clusterRole('system:coredns', [
      { verbs: ['list', 'watch'], apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'] },
      { verbs: ['list', 'watch'], apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
    ]),
    bindCluster('system:coredns', 'system:coredns', [account('coredns')]),
  ],

  /** Source: phases/addons/proxy. */
  'kube-proxy': () => [
    bindCluster('kubeadm:node-proxier', 'system:node-proxier', [account('kube-proxy')]),
    ...readers(KUBE_SYSTEM, 'kube-proxy', ['configmaps', 'kube-proxy'], [group(GROUP_DEFAULT_NODE_TOKEN)]),
  ],
} as const satisfies Readonly<Record<string, (release: Release) => readonly (Role | Binding)[]>>;

/** What roles and bindings are for. */
export type GrantsFor = keyof typeof GRANTS;

/** In the order of writing. */
export const grantsFor = (what: GrantsFor, release: Release): readonly (Role | Binding)[] => GRANTS[what](release);

/**
 * The roles and bindings that kubeadm init writes. Subjects are written without apiGroup, the server fills it in; no labels, no annotations.
 * Source: cmd/kubeadm/app/phases/bootstraptoken/{node,clusterinfo}, phases/uploadconfig, phases/kubelet/config.go, phases/copycerts, phases/addons.
 */
import {
  CLUSTER_INFO,
  GROUP_DEFAULT_NODE_TOKEN,
  GROUP_NODES,
  KUBE_PUBLIC,
  KUBE_SYSTEM,
  USER_ANONYMOUS,
} from '../kubernetes/names.js';
import type { Binding, PolicyRule, Role, Subject } from '../kubernetes/objects.js';
import { type Release, since } from './facts.js';

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
/** A Role that lets its subjects GET one object, and the RoleBinding of the same name. */
const readers = (
  namespace: string,
  name: string,
  resource: string,
  object: string,
  subjects: readonly Subject[],
): readonly (Role | Binding)[] => [role(namespace, name, getOne(resource, object)), bind(namespace, name, subjects)];

/** The subject of admin.conf may do everything; up to 1.28 that certificate named system:masters. Source: phases/kubeconfig EnsureAdminClusterRoleBinding. */
export const adminRbac = (release: Release): readonly Binding[] =>
  since(release, 29) ? [bindCluster('kubeadm:cluster-admins', 'cluster-admin', [group('kubeadm:cluster-admins')])] : [];

/** Joining machines read kubeadm-config. Source: phases/uploadconfig/uploadconfig.go. */
export const kubeadmConfigRbac = (): readonly (Role | Binding)[] =>
  readers(KUBE_SYSTEM, 'kubeadm:nodes-kubeadm-config', 'configmaps', 'kubeadm-config', [
    group(GROUP_DEFAULT_NODE_TOKEN),
    group(GROUP_NODES),
  ]);

/** Nodes and joining machines read kubelet-config. Source: phases/kubelet/config.go createConfigMapRBACRules. */
export const kubeletConfigRbac = (): readonly (Role | Binding)[] =>
  readers(KUBE_SYSTEM, 'kubeadm:kubelet-config', 'configmaps', 'kubelet-config', [
    group(GROUP_NODES),
    group(GROUP_DEFAULT_NODE_TOKEN),
  ]);

/** Joining control planes read kubeadm-certs. Source: phases/copycerts/copycerts.go createRBAC. */
export const kubeadmCertsRbac = (): readonly (Role | Binding)[] =>
  readers(KUBE_SYSTEM, 'kubeadm:kubeadm-certs', 'secrets', 'kubeadm-certs', [group(GROUP_DEFAULT_NODE_TOKEN)]);

/** kubeadm join looks whether a Node of its name is there. Source: node/tlsbootstrap.go AllowBootstrapTokensToGetNodes. */
export const getNodesRbac = (): readonly (Role | Binding)[] => [
  clusterRole('kubeadm:get-nodes', [{ verbs: ['get'], apiGroups: [''], resources: ['nodes'] }]),
  bindCluster('kubeadm:get-nodes', 'kubeadm:get-nodes', [group(GROUP_DEFAULT_NODE_TOKEN)]),
];

/** Joining kubelets post CSRs. Source: AllowBootstrapTokensToPostCSRs. */
export const kubeletBootstrapRbac = (): readonly Binding[] => [
  bindCluster('kubeadm:kubelet-bootstrap', 'system:node-bootstrapper', [group(GROUP_DEFAULT_NODE_TOKEN)]),
];

/** Their CSRs are approved without a person. Source: AutoApproveNodeBootstrapTokens. */
export const autoApproveRbac = (): readonly Binding[] => [
  bindCluster(
    'kubeadm:node-autoapprove-bootstrap',
    'system:certificates.k8s.io:certificatesigningrequests:nodeclient',
    [group(GROUP_DEFAULT_NODE_TOKEN)],
  ),
];

/** And so are those by which a node renews its certificate. Source: AutoApproveNodeCertificateRotation. */
export const rotationRbac = (): readonly Binding[] => [
  bindCluster(
    'kubeadm:node-autoapprove-certificate-rotation',
    'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient',
    [group(GROUP_NODES)],
  ),
];

/** The API server's client certificate for kubelets names no group since this came. Source: AllowAPIServerToAccessKubeletAPI; changelogs of the releases named. */
export const kubeletClientRbac = (release: Release): readonly Binding[] =>
  since(release, 36, 1, { 35: 5, 34: 8, 33: 12 })
    ? [
        bindCluster('kubeadm:apiserver-kubelet-client', 'system:kubelet-api-admin', [
          user('kube-apiserver-kubelet-client'),
        ]),
      ]
    : [];

/** Everybody may GET cluster-info: bound to the user system:anonymous, not to a group. Source: clusterinfo.go CreateClusterInfoRBACRules. */
export const clusterInfoRbac = (): readonly (Role | Binding)[] =>
  readers(KUBE_PUBLIC, 'kubeadm:bootstrap-signer-clusterinfo', 'configmaps', CLUSTER_INFO, [user(USER_ANONYMOUS)]);

/** Source: phases/addons/dns. */
export const corednsRbac = (): readonly (Role | Binding)[] => [
  clusterRole('system:coredns', [
    { verbs: ['list', 'watch'], apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'] },
    { verbs: ['list', 'watch'], apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'] },
  ]),
  bindCluster('system:coredns', 'system:coredns', [account('coredns')]),
];

/** Source: phases/addons/proxy. */
export const kubeProxyRbac = (): readonly (Role | Binding)[] => [
  bindCluster('kubeadm:node-proxier', 'system:node-proxier', [account('kube-proxy')]),
  ...readers(KUBE_SYSTEM, 'kube-proxy', 'configmaps', 'kube-proxy', [group(GROUP_DEFAULT_NODE_TOKEN)]),
];

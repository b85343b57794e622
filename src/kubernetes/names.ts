/**
 * Names that the documents and upstream fix. Source: cluster-bootstrap, token/api/types.go; apiserver,
 * pkg/authentication/user/user.go; api/certificates/v1/types.go.
 */

export const KUBE_SYSTEM = 'kube-system';
export const KUBE_PUBLIC = 'kube-public';
/** Of the Leases by which kubelets say that they live. */
export const KUBE_NODE_LEASE = 'kube-node-lease';

export const TOKEN_SECRET_TYPE = 'bootstrap.kubernetes.io/token';
/** A Secret that asks for a token of a service account, and the annotations that say whose. */
export const ACCOUNT_SECRET_TYPE = 'kubernetes.io/service-account-token';
export const ACCOUNT_NAME_ANNOTATION = 'kubernetes.io/service-account.name';
export const ACCOUNT_UID_ANNOTATION = 'kubernetes.io/service-account.uid';
export const TOKEN_SECRET_PREFIX = 'bootstrap-token-';
export const TOKEN_KEYS = {
  id: 'token-id',
  secret: 'token-secret',
  expiration: 'expiration',
  description: 'description',
  groups: 'auth-extra-groups',
} as const;
export const USAGE_PREFIX = 'usage-bootstrap-';
export const USAGE_SIGNING = 'usage-bootstrap-signing';
export const USAGE_AUTHENTICATION = 'usage-bootstrap-authentication';

export const CLUSTER_INFO = 'cluster-info';
export const CLUSTER_INFO_KUBECONFIG = 'kubeconfig';
/** Where strangers read it. */
export const CLUSTER_INFO_PATH = `/api/v1/namespaces/${KUBE_PUBLIC}/configmaps/${CLUSTER_INFO}`;
export const SIGNATURE_KEY_PREFIX = 'jws-kubeconfig-';

export const BOOTSTRAP_USER_PREFIX = 'system:bootstrap:';
export const GROUP_BOOTSTRAPPERS = 'system:bootstrappers';
export const GROUP_DEFAULT_NODE_TOKEN = 'system:bootstrappers:kubeadm:default-node-token';
export const GROUP_AUTHENTICATED = 'system:authenticated';
export const GROUP_UNAUTHENTICATED = 'system:unauthenticated';
export const GROUP_MASTERS = 'system:masters';
export const GROUP_NODES = 'system:nodes';
/**
 * Bound to cluster-admin by kubeadm since 1.29. Source: cmd/kubeadm/app/constants/constants.go
 * ClusterAdminsGroupAndClusterRoleBinding.
 */
export const GROUP_CLUSTER_ADMINS = 'kubeadm:cluster-admins';
export const NODE_USER_PREFIX = 'system:node:';
export const USER_ANONYMOUS = 'system:anonymous';

export const SERVICE_ACCOUNT_USER_PREFIX = 'system:serviceaccount:';
export const GROUP_SERVICE_ACCOUNTS = 'system:serviceaccounts';
/** Whom a service account logs in as. Source: apiserver, pkg/authentication/serviceaccount/util.go MakeUsername. */
export const accountUser = (account: { readonly namespace: string; readonly name: string }): string =>
  `${SERVICE_ACCOUNT_USER_PREFIX}${account.namespace}:${account.name}`;
/** Its groups, without that of everybody. Source: the same file, MakeGroupNames. */
export const accountGroups = ({ namespace }: { readonly namespace: string }): readonly [string, string] => [
  GROUP_SERVICE_ACCOUNTS,
  `${GROUP_SERVICE_ACCOUNTS}:${namespace}`,
];

export const SIGNER_KUBELET_CLIENT = 'kubernetes.io/kube-apiserver-client-kubelet';
export const SIGNER_KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
export const SIGNER_APISERVER_CLIENT = 'kubernetes.io/kube-apiserver-client';
export const SIGNER_LEGACY_UNKNOWN = 'kubernetes.io/legacy-unknown';

/** Label and taint of Nodes that run a control plane. */
export const LABEL_CONTROL_PLANE = 'node-role.kubernetes.io/control-plane';
/** Taint of a Node that the cloud's controller has not seen yet. Source: cloud-provider, api/well_known_taints.go. */
export const TAINT_UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';

/**
 * Where a kubelet's link to its latest client certificate lies. Source: client-go,
 * util/certificate/certificate_store.go updateSymlink.
 */
export const CURRENT_PAIR = /\/kubelet-client-current\.pem$/;

/** An annotation: where an API server says that it is reached. Source: cmd/kubeadm/app/constants KubeAPIServerAdvertiseAddressEndpointAnnotationKey. */
export const ADVERTISED_ENDPOINT = 'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint';
/** An annotation: kubectl keeps here what was applied, the whole object once more. */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A bootstrap token: its id, and its secret half. Source: cluster-bootstrap, token/api/types.go BootstrapTokenPattern. */
export const TOKEN_FORM = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
/** A group of a bootstrap token. Source: cluster-bootstrap, token/api/types.go BootstrapGroupPattern. */
export const TOKEN_GROUP_FORM = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

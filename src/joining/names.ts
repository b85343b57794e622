/** Names and places that kubeadm and kubelets agree on. Source: cmd/kubeadm/app/constants/constants.go. */

/** The cluster of a kubeconfig that a join writes. Source: apis/kubeadm/v1beta4/defaults.go DefaultClusterName. */
export const DEFAULT_CLUSTER_NAME = 'kubernetes';
/** Source: discovery/discovery.go TokenUser. */
export const TOKEN_USER = 'tls-bootstrap-token-user';

export const KUBERNETES_DIR = '/etc/kubernetes';
export const KUBELET_DIR = '/var/lib/kubelet';
export const CERTIFICATES_DIR = `${KUBERNETES_DIR}/pki`;
export const BOOTSTRAP_KUBECONFIG = `${KUBERNETES_DIR}/bootstrap-kubelet.conf`;
export const KUBELET_KUBECONFIG = `${KUBERNETES_DIR}/kubelet.conf`;
export const CA_FILE = `${CERTIFICATES_DIR}/ca.crt`;

/** Names that carried the release in older ones. */

/**
 * "kubelet-config", and the Role that opens it, as a cluster of that minor release names them; undefined: the release
 * is unknown.
 * Source: kubeadm up to 1.23, phases/kubelet/config.go GetKubeletConfigMap: kubelet-config-1.N.
 */
export const versionedName = (name: string, minor: number | undefined): string =>
  minor !== undefined && minor <= 23 && name.endsWith('kubelet-config') ? `${name}-1.${minor}` : name;

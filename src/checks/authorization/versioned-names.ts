/** Names that carried the release in older ones. */
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { Permission } from './rbac-policy.js';

/**
 * "kubelet-config", and the Role that opens it, as a cluster of that minor release names them; undefined: the release
 * is unknown.
 * Source: kubeadm up to 1.23, phases/kubelet/config.go GetKubeletConfigMap: kubelet-config-1.N.
 */
export const versionedName = (name: string, minor: number | undefined): string =>
  minor !== undefined && minor <= 23 && name.endsWith('kubelet-config') ? `${name}-1.${minor}` : name;

/**
 * A permission for what has the name of an older release, as it is for today's: upgrades leave the Roles of the
 * releases before, and the ConfigMaps that these open.
 */
export const ofAnyRelease = (permission: Permission): Permission =>
  permission.kind === 'resource' && permission.resource === 'configmaps' && permission.namespace === KUBE_SYSTEM
    ? { ...permission, name: permission.name.replace(/^(kubelet-config)-1\.\d+$/, '$1') }
    : permission;

/**
 * What shows that `kubeadm init`, or something that uses kubeadm's own packages, has set a cluster up.
 * Source: cmd/kubeadm/app/constants/constants.go; phases/bootstraptoken, phases/uploadconfig, phases/kubelet.
 */
import { KUBE_PUBLIC, KUBE_SYSTEM } from '../kubernetes/names.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Facts } from './types.js';

interface Sign {
  readonly resource: Resource;
  readonly name: string;
  readonly namespace?: string;
}

export const CONFIGURATION: Sign = { resource: resources.configMaps, name: 'kubeadm-config', namespace: KUBE_SYSTEM };
/** An administrator may delete one of what kubeadm leaves; two of these are no chance. */
const ENOUGH = 2;

/** Where kubeadm-config is gone. */
export const othersOf = (version: Facts['version']): readonly Sign[] => {
  const kubelet =
    'unreadable' in version || version.minor > 23 ? 'kubelet-config' : `kubelet-config-1.${version.minor}`;
  return [
    { resource: resources.configMaps, name: kubelet, namespace: KUBE_SYSTEM },
    { resource: resources.clusterRoles, name: 'kubeadm:get-nodes' },
    { resource: resources.clusterRoleBindings, name: 'kubeadm:kubelet-bootstrap' },
    { resource: resources.clusterRoleBindings, name: 'kubeadm:node-autoapprove-certificate-rotation' },
    { resource: resources.roles, name: 'kubeadm:bootstrap-signer-clusterinfo', namespace: KUBE_PUBLIC },
  ];
};

const told = ({ resource, name, namespace }: Sign): string =>
  `${resource.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;

/** `sees`: whether the object is there; what cannot be read is not seen. The signs; none where they are too few. */
export async function kubeadmSigns(
  version: Facts['version'],
  sees: (sign: Sign) => Promise<boolean>,
): Promise<readonly string[]> {
  if (await sees(CONFIGURATION)) return [told(CONFIGURATION)];
  const others = othersOf(version);
  const there = await Promise.all(others.map(sees));
  const signs = others.filter((_, index) => there[index]).map(told);
  return signs.length < ENOUGH ? [] : signs;
}

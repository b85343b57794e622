/** Names of the objects that kubeadm writes, where they depend on the release. */
import { inSpan } from '../kubernetes/versions.js';

/** Up to 1.23 each minor had its own. Source: release notes of 1.24, UnversionedKubeletConfigMap. */
export const kubeletConfigName = ({ minor }: { readonly minor: number }): string =>
  inSpan(minor, { until: 23 }) ? `kubelet-config-1.${minor}` : 'kubelet-config';

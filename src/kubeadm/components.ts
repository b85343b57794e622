/** The static Pods of a control plane, and what a user may have otherwise about each. */
import type { Argument } from '../kubernetes/extra-args.js';

export const COMPONENTS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
export type ControlPlaneComponent = (typeof COMPONENTS)[number];

export interface HostPathMount {
  readonly name: string;
  readonly hostPath: string;
  readonly mountPath: string;
  readonly readOnly: boolean;
  /** '' where none was given. */
  readonly pathType: string;
}

/** Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go ControlPlaneComponent, LocalEtcd. */
export interface ComponentSettings {
  readonly extraArgs?: readonly Argument[];
  readonly extraVolumes?: readonly HostPathMount[];
  /** As a container has them. */
  readonly extraEnvs?: readonly Readonly<Record<string, unknown>>[];
}

/** The last value that a user gives a flag; undefined: none. Source: apis/kubeadm/types.go GetArgValue. */
export const argumentOf = (settings: ComponentSettings | undefined, name: string): string | undefined =>
  settings?.extraArgs?.filter(([given]) => given === name).at(-1)?.[1];

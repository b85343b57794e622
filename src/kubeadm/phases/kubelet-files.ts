/**
 * What the phase kubelet-start writes. Source: cmd/kubeadm/app/phases/kubelet/{config,flags}.go.
 */
import type { Argument } from '../../kubernetes/extra-args.js';
import { mergedArguments } from '../flags.js';
import type { Release } from '../release.js';

/** What the file of flags depends on. */
export interface KubeletFlags {
  readonly release: Release;
  /** undefined: it stands in instance-config.yaml. */
  readonly criSocket?: string | undefined;
  readonly nodeName: string;
  /** As the machine calls itself, in lower case. */
  readonly hostName: string;
  /** undefined: the release names none. */
  readonly pauseImage?: string | undefined;
  /** "key=value:effect", of workers. */
  readonly taints: readonly string[];
  readonly extraArgs: readonly Argument[];
}

/** kubeadm-flags.env */
export function kubeletFlagsFile(told: KubeletFlags): string {
  const { release, criSocket, nodeName, hostName, pauseImage, taints, extraArgs } = told;
  // Flags that name the node do not count as a name of the host. Source: flags.go GetNodeNameAndHostname.
  const named = extraArgs.filter(([name]) => name === 'hostname-override').at(-1)?.[1] ?? nodeName;
  const defaults = [
    ...(criSocket === undefined ? [] : [['container-runtime-endpoint', criSocket] as const]),
    ...(named === hostName ? [] : [['hostname-override', named] as const]),
    ...(pauseImage === undefined ? [] : [['pod-infra-container-image', pauseImage] as const]),
    ...(taints.length === 0 ? [] : [['register-with-taints', taints.join(',')] as const]),
  ];
  return `KUBELET_KUBEADM_ARGS=${JSON.stringify(mergedArguments(defaults, extraArgs, release).join(' '))}\n`;
}

/** instance-config.yaml, since 1.34. */
export const instanceConfig = (criSocket: string): string => `containerRuntimeEndpoint: ${JSON.stringify(criSocket)}\n`;

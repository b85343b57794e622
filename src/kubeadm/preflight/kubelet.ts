/** The kubelet that is installed. Source: cmd/kubeadm/app/preflight/utils.go GetKubeletVersion. */
import type { Found, HostView } from './host.js';

export interface Kubelet {
  /** "1.36.1" */
  readonly text: string;
  readonly minor: number;
  /** Something after the patch: "-rc.1". */
  readonly isEarly: boolean;
}

/** A number of ten digits is none of a release. */
const VERSION = /^Kubernetes v((?:0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(?:0|[1-9]\d{0,8})([-\w.+]*)?)$/;

/** What its --version says, or why that is no version. */
export async function readKubelet(host: HostView): Promise<Found<Kubelet | { readonly failure: string }>> {
  const ran = await host.kubeletVersion();
  if ('unknown' in ran) return ran;
  const why = "couldn't get kubelet version: ";
  if ('failure' in ran.is) return { is: { failure: `${why}cannot execute 'kubelet --version': ${ran.is.failure}` } };
  const told = ran.is.output.trim();
  const [, text, minor, rest = ''] = VERSION.exec(told) ?? [];
  if (text === undefined)
    return { is: { failure: `${why}Unable to parse output from Kubelet: ${JSON.stringify(told)}` } };
  return { is: { text, minor: Number(minor), isEarly: rest.startsWith('-') } };
}

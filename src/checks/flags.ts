/**
 * Flags of the control plane's components, as their static Pods publish them. Pure.
 * Source: cmd/kubeadm/app/phases/controlplane/manifests.go; the kubelet publishes static Pods in kube-system.
 */
import type { KubeObject } from '../kubernetes/objects.js';

export interface Component {
  /** "Pod kube-system/kube-apiserver-cp-1" */
  readonly object: string;
  /** Value of each flag; of a repeated one the last, as the programs take it. A flag without a value is "true". */
  readonly flags: ReadonlyMap<string, string>;
}

interface PodSpec {
  readonly containers?: readonly { readonly command?: readonly string[]; readonly args?: readonly string[] }[];
}

/** Every Pod of a component, with its flags. */
export function componentsOf(pods: readonly KubeObject[]): Component[] {
  return pods.map((pod) => {
    const flags = new Map<string, string>();
    for (const container of (pod.spec as PodSpec | undefined)?.containers ?? []) {
      const words = [...(container.command ?? []), ...(container.args ?? [])];
      words.forEach((word, index) => {
        const [, name, value] = /^--([a-z0-9-]+)(?:=(.*))?$/s.exec(word) ?? [];
        if (name === undefined) return;
        const next = words[index + 1];
        flags.set(name, value ?? (next === undefined || next.startsWith('-') ? 'true' : next));
      });
    }
    return { object: `Pod ${pod.metadata.namespace ?? ''}/${pod.metadata.name ?? ''}`, flags };
  });
}

/** The parts of a list flag. */
export const listOf = (value: string | undefined): string[] => (value === undefined || value === '' ? [] : value.split(',').map((part) => part.trim()));

/** Other names of the controllers that concern joining, since 1.28. Source: cmd/kube-controller-manager/names/controller_names.go. */
const ALIASES: Readonly<Record<string, string>> = {
  bootstrapsigner: 'bootstrap-signer-controller',
  tokencleaner: 'token-cleaner-controller',
  csrapproving: 'certificatesigningrequest-approving-controller',
  csrsigning: 'certificatesigningrequest-signing-controller',
  csrcleaner: 'certificatesigningrequest-cleaning-controller',
};
const OFF_BY_DEFAULT = new Set(['bootstrapsigner', 'tokencleaner']);

/** Does --controllers switch this one on? Source: controller-manager, app/helper.go IsControllerEnabled: the first entry that names it decides, then the star. */
export function runsController(value: string | undefined, name: string): boolean {
  const entries = listOf(value ?? '*');
  const names = [name, ALIASES[name] ?? name];
  for (const entry of entries) {
    if (names.includes(entry)) return true;
    if (entry.startsWith('-') && names.includes(entry.slice(1))) return false;
  }
  return entries.includes('*') && !OFF_BY_DEFAULT.has(name);
}

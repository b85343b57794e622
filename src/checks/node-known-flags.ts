/** Flags and feature gates that programs do not know: they do not start with them. */
import { type Flagged, knownFlags } from '../kubernetes/component-flags.js';
import { FEATURE_GATES } from '../kubernetes/feature-gates.js';
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import type { Seen } from './node-files.js';
import { inFlags } from './node-flags.js';
import type { Started } from './node-kubelet.js';
import { componentOf } from './node-pods.js';

const SOURCE = 'component-base cli/flag; "--help" of each minor';

/** Until etcd 3.6 names of what is tried out begin so; nobody lists them. */
const TRIED_OUT = /^experimental-/;

/** "--a", "gate B": what a program does not know of its flags. */
function unknownIn(flags: Readonly<Record<string, string>>, known: ReadonlySet<string>, gates: boolean): string[] {
  const names = Object.keys(flags).filter((name) => !known.has(name.replaceAll('_', '-')));
  const told = (gates ? (flags['feature-gates'] ?? '') : '').split(',').flatMap((gate) => gate.split('=')[0] || []);
  const unknown = told.filter((gate) => !FEATURE_GATES.has(gate.replace(/^\w+:/, '').trim()));
  return [...names.map((name) => `--${name}`), ...unknown.map((gate) => `the feature gate ${gate}`)];
}

const isFlagged = (name: string): name is Flagged & ReturnType<typeof componentOf> =>
  /^(?:kube-apiserver|kube-controller-manager|kube-scheduler|etcd)$/.test(name);

/** A minor whose flags nobody has listed says nothing. */
export const flagsKnown: Check<readonly Seen[], { readonly minor: number | null }> = {
  id: 'node-known-flags/of-manifests',
  source: SOURCE,
  judge: (all, { minor }) =>
    all.flatMap((seen) => {
      const component = componentOf(seen.path);
      const known = isFlagged(component) ? knownFlags(component, minor) : undefined;
      if (known === undefined) return [];
      return inFlags(seen, 'its program knows its flags', (flags) => {
        const isEtcd = component === 'etcd';
        const odd = unknownIn(flags, known, !isEtcd).filter((name) => !isEtcd || !TRIED_OUT.test(name.slice(2)));
        return { seen: odd.slice(0, 5).join(', ') || 'it does', ok: odd.length === 0 };
      });
    }),
};

/** While a control plane is upgraded its kubelet is of the minor before. Source: Version Skew Policy; kubeadm upgrade. */
export const kubeletFlagsKnown: Check<Started, { readonly minor: number | null }> = {
  id: 'node-known-flags/of-the-kubelet',
  source: SOURCE,
  judge: ({ flags }, { minor }) => {
    const [own, before] = [knownFlags('kubelet', minor), knownFlags('kubelet', minor === null ? null : minor - 1)];
    if (own === undefined) return [];
    const odd = unknownIn(flags, new Set([...own, ...(before ?? [])]), true);
    const seen = odd.slice(0, 5).join(', ') || 'it does';
    return [demand({ subject: 'the kubelet', demanded: 'it knows its flags', seen, ok: odd.length === 0 })];
  },
};

/** Flags and feature gates that programs do not know: they do not start with them. */
import { type Flagged, knownFlags } from '../kubernetes/component-flags.js';
import { FEATURE_GATES } from '../kubernetes/feature-gates.js';
import type { Check } from '../model/check.js';
import { demand } from '../model/finding.js';
import { misread } from './flag-values.js';
import { STRAY } from './kubelet-service.js';
import { oddKubeletValues, settingsOfFlags } from './kubelet-values.js';
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
  return [
    ...names.map((name) => (name === STRAY ? `${flags[name]}, which is no flag` : `--${name}`)),
    ...unknown.map((gate) => `the feature gate ${gate}`),
  ];
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

/** What they know they can read as well. */
export const flagsRead: Check<readonly Seen[]> = {
  id: 'node-known-flags/read',
  source: SOURCE,
  judge: (all) =>
    all.map((seen) =>
      inFlags(seen, 'its program can read the values of its flags', (flags) => {
        const odd = misread(flags, componentOf(seen.path) === 'etcd' ? 'etcd' : 'kubernetes');
        return { seen: odd.slice(0, 5).join(', ') || 'it can', ok: odd.length === 0 };
      }),
    ),
};

/** The same of the kubelet. */
export const kubeletFlagsRead: Check<Started> = {
  id: 'node-known-flags/read-by-the-kubelet',
  source: SOURCE,
  judge: ({ flags }) => {
    const unread = misread(flags, 'kubernetes');
    const others = Object.entries(flags).filter(([name]) => !unread.some((one) => one.startsWith(`--${name}=`)));
    const odd = [
      ...unread,
      ...oddKubeletValues(settingsOfFlags(Object.fromEntries(others))),
      ...oddLabels(flags['node-labels'] ?? ''),
      ...oddTaints(flags['register-with-taints'] ?? ''),
    ];
    const seen = odd.slice(0, 5).join(', ') || 'it can';
    return [
      demand({ subject: 'the kubelet', demanded: 'it can read the values of its flags', seen, ok: odd.length === 0 }),
    ];
  },
};

/** What of Kubernetes' own labels a kubelet may give its node. Source: kubelet/pkg/apis/well_known_labels.go. */
const OWN_LABELS = new Set(
  (
    'kubernetes.io/hostname kubernetes.io/os kubernetes.io/arch beta.kubernetes.io/os beta.kubernetes.io/arch ' +
    'beta.kubernetes.io/instance-type node.kubernetes.io/instance-type node.kubernetes.io/windows-build ' +
    'failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region ' +
    'failure-domain.kubernetes.io/zone failure-domain.kubernetes.io/region topology.kubernetes.io/zone ' +
    'topology.kubernetes.io/region'
  ).split(' '),
);
/**
 * A kubelet that is told other labels of Kubernetes does not start. Source: cmd/kubelet/app/options
 * ValidateKubeletFlags.
 */
function oddLabels(labels: string): readonly string[] {
  const names = labels.split(',').flatMap((label) => label.split('=')[0]?.trim() || []);
  const odd = names.filter((name) => {
    const space = name.includes('/') ? name.slice(0, name.indexOf('/')) : '';
    const isKubernetes = /(?:^|\.)(?:kubernetes|k8s)\.io$/.test(space);
    return isKubernetes && !OWN_LABELS.has(name) && !/(?:^|\.)(?:kubelet|node)\.kubernetes\.io$/.test(space);
  });
  return odd.map((name) => `the label ${name.slice(0, 60)}`);
}

/** "key=value:Effect". Source: pkg/util/taints ParseTaints. */
const TAINT = /^[^\s=:,]+(?:=[^\s=:,]*)?:(?:NoSchedule|PreferNoSchedule|NoExecute)$/;
const oddTaints = (taints: string): readonly string[] =>
  taints
    .split(',')
    .filter((taint) => taint !== '' && !TAINT.test(taint))
    .map((taint) => `the taint ${taint.slice(0, 60)}`);

/** While a control plane is upgraded its kubelet is of the minor before. Source: Version Skew Policy; kubeadm upgrade. */
export const kubeletFlagsKnown: Check<Started, { readonly minor: number | null }> = {
  id: 'node-known-flags/of-the-kubelet',
  source: SOURCE,
  judge: ({ flags, gates }, { minor }) => {
    const [own, before] = [knownFlags('kubelet', minor), knownFlags('kubelet', minor === null ? null : minor - 1)];
    if (own === undefined) return [];
    const told = gates.filter((gate) => !FEATURE_GATES.has(gate)).map((gate) => `the feature gate ${gate}`);
    const odd = [...unknownIn(flags, new Set([...own, ...(before ?? [])]), true), ...told];
    const seen = odd.slice(0, 5).join(', ') || 'it does';
    return [demand({ subject: 'the kubelet', demanded: 'it knows its flags', seen, ok: odd.length === 0 })];
  },
};

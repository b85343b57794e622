/** Flags and feature gates that programs do not know: they do not start with them. */
import { type Flagged, knownFlags } from '../../kubernetes/component-flags.js';
import { ETCD_GATES, etcdMinorOf, knownEtcdFlags, mayBeAdded } from '../../kubernetes/etcd-flags.js';
import { refusedGate } from '../../kubernetes/feature-gates.js';
import { text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand } from '../../model/finding.js';
import { misread } from '../written/flag-values.js';
import { STRAY } from '../written/flag-words.js';
import { oddKubeletValues, settingsOfFlags } from '../written/kubelet-values.js';
import type { Started } from './kubelet-started.js';
import type { Seen } from './node-files.js';
import { inFlags } from './node-flags.js';
import { componentOf, containerOf, inPod } from './node-pods.js';
import type { ManifestSeen } from './node-seen.js';

const SOURCE = 'component-base cli/flag; "--help" of each minor';

type Flags = Readonly<Record<string, string>>;

/** Name and value of "kube:Name=true", which says whose it is. */
const gateOf = (told: string): readonly [name: string, value: string] => {
  const [name = '', value = ''] = told.split('=');
  return [name.replace(/^\w+:/, '').trim(), value.trim()];
};
const gatesOf = (flags: Flags): readonly string[] =>
  (flags['feature-gates'] ?? '').split(',').filter((told) => gateOf(told)[0] !== '');
const gate = (refused: string): string => `the feature gate ${refused}`;
const refusedGates = (gates: readonly string[], minor: number | null): readonly string[] =>
  gates.flatMap((told) => refusedGate(...gateOf(told), minor) ?? []).map(gate);

/** "--a": what a program does not know of its flags. */
const unknownIn = (flags: Flags, known: ReadonlySet<string>): readonly string[] =>
  Object.keys(flags)
    .filter((name) => !known.has(name.replaceAll('_', '-')))
    .map((name) => (name === STRAY ? `${flags[name]}, which is no flag` : `--${name}`));

/** What a program of that minor does not know of its flags and gates; undefined where nobody has listed what it knows. */
function strangeTo(program: Flagged, flags: Flags, minor: number | null): readonly string[] | undefined {
  const known = knownFlags(program, minor);
  return known && [...unknownIn(flags, known), ...refusedGates(gatesOf(flags), minor)];
}

/** What a program of that minor neither knows nor reads, of flags that it is told: "--a", "--b=x". */
export const unusable = (program: Flagged, flags: Flags, minor: number | null): readonly string[] => [
  ...(strangeTo(program, flags, minor) ?? []),
  ...misread(flags, 'kubernetes'),
];

const isFlagged = (name: string): name is Exclude<Flagged, 'kubelet'> =>
  /^(?:kube-apiserver|kube-controller-manager|kube-scheduler)$/.test(name);

/** What the program of a manifest does not know; undefined where nobody has listed what it knows. */
function unknownTo(component: string, manifest: ManifestSeen, minor: number | null): readonly string[] | undefined {
  if (isFlagged(component)) return strangeTo(component, manifest.flags, minor);
  // etcd has minors of its own, which its image says
  const own = etcdMinorOf(text(containerOf(manifest).image));
  const known = component === 'etcd' ? knownEtcdFlags(own) : undefined;
  if (known === undefined) return undefined;
  const strange = gatesOf(manifest.flags).flatMap((told) =>
    Object.hasOwn(ETCD_GATES, gateOf(told)[0]) ? [] : gateOf(told)[0],
  );
  return [...unknownIn(manifest.flags, known).filter((name) => !mayBeAdded(name.slice(2), own)), ...strange.map(gate)];
}

/** A minor whose flags nobody has listed says nothing. */
export const flagsKnown: Check<readonly Seen[], { readonly minor: number | null }> = {
  id: 'node-known-flags/of-manifests',
  source: SOURCE,
  judge: (all, { minor }) =>
    all.flatMap((seen) => {
      const held = seen.file?.held;
      const odd = held?.kind === 'manifest' ? unknownTo(componentOf(seen.path), held, minor) : [];
      if (odd === undefined) return [];
      return inPod(seen, 'its program knows its flags', () => ({
        seen: odd.slice(0, 5).join(', ') || 'it does',
        ok: odd.length === 0,
      }));
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

/** Since then kubeadm writes what the kubelet is told of its machine alone: a worker with it has no older one. */
const OF_INSTANCES = [34, 35, 36];
/** What none of them knows. */
function unknownEver(flags: Flags, gates: readonly string[]): readonly string[] {
  const known = OF_INSTANCES.flatMap((minor) => [...(knownFlags('kubelet', minor) ?? [])]);
  return [...unknownIn(flags, new Set(known)), ...refusedGates(gates, null)];
}
const knowing = (odd: readonly string[]) =>
  demand({
    subject: 'the kubelet',
    demanded: 'it knows its flags',
    seen: odd.slice(0, 5).join(', ') || 'it does',
    ok: odd.length === 0,
  });

/** `isRecent`: of one whose minor nothing says, that it is one of those.
 *  While a control plane is upgraded its kubelet is of the minor before. Source: Version Skew Policy; kubeadm upgrade. */
export const kubeletFlagsKnown: Check<Started, { readonly minor: number | null; readonly isRecent?: boolean }> = {
  id: 'node-known-flags/of-the-kubelet',
  source: SOURCE,
  judge: ({ flags, gates }, { minor, isRecent = false }) => {
    const [own, before] = [knownFlags('kubelet', minor), knownFlags('kubelet', minor === null ? null : minor - 1)];
    const told = [...gatesOf(flags), ...gates];
    if (minor === null) return isRecent ? [knowing(unknownEver(flags, told))] : [];
    if (own === undefined) return [];
    const isRefused = (one: string): boolean => refusedGate(...gateOf(one), (minor ?? 0) - 1) !== undefined;
    const odd = [
      ...unknownIn(flags, new Set([...own, ...(before ?? [])])),
      ...refusedGates(told.filter(isRefused), minor),
    ];
    return [knowing(odd)];
  },
};

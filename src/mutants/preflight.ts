/** Defects of the checks before init and join: of the phase, and of what the machine is like. */
import { preflightDecisions as upstream } from '../kubeadm/preflight/decisions.js';
import { are, blind, complaints, decides, mild, of, other, strict } from './preflight-hooks.js';
import type { Mutant } from './types.js';

/** Rules that say of what nothing is to be said: of a sound machine at least. */
const OF_SOUND = [
  ...['PREF-002', 'PREF-003', 'PREF-004', 'PREF-005', 'PREF-006', 'PREF-010', 'PREF-011', 'PREF-013', 'PREF-014'],
  ...['PREF-015', 'PREF-016', 'PREF-017', 'PREF-018', 'PREF-019', 'PREF-020', 'PREF-021', 'PREF-022', 'PREF-023'],
  ...['PREF-026', 'PREF-027', 'PREF-028', 'PREF-029', 'PREF-030', 'PREF-031', 'PREF-032', 'PREF-036'],
  ...['PREF-007', 'PREF-008', 'PREF-009', 'PREF-024', 'PREF-025', 'PREF-033', 'PREF-034', 'PREF-037', 'PREF-038'],
];

/** Rules that say which machines are taken. */
const STOPPED = [
  ...['PREF-001', 'PREF-005', 'PREF-014', 'PREF-015', 'PREF-025', 'PREF-029', 'PREF-033', 'PREF-034', 'PREF-035'],
  'PREF-038',
];

export const mutants: readonly Mutant[] = [
  other('always-complains', 'every check warns of every machine', OF_SOUND, {
    found: (lines) => [...lines, ...complaints],
  }),
  decides('writes-first', 'certificates are there before anything is looked at', ['PREF-001'], {
    looksBeforeItWrites: () => false,
  }),
  other('warnings-stop', 'a warning stops', ['PREF-002', 'PREF-004', 'PREF-013', 'PREF-026', 'PREF-027', 'PREF-028'], {
    found: (lines) => lines.map((line) => ({ ...line, level: 'error' })),
  }),
  other(
    'errors-pass',
    'an error is told and nothing more',
    ['PREF-001', 'PREF-002', 'PREF-011', 'PREF-029', 'PREF-030'],
    {
      found: (lines) => lines.map((line) => ({ ...line, level: 'warning' })),
    },
  ),
  other('stops-always', 'no machine is good enough', STOPPED, {
    found: (lines, { phase }) => [...lines, { check: `Bad-${phase}`, level: 'error', message: 'something' }],
  }),
  decides('ignores-on-any-name', 'an unknown name switches everything off', ['PREF-003'], {
    isIgnored: (_, ignored) => ignored.size > 0,
  }),
  decides('ignores-nothing', 'what is to be ignored is not', ['PREF-003'], { isIgnored: () => false }),
  decides('ignores-by-case', 'names are compared letter by letter', ['PREF-003'], {
    isIgnored: (check, ignored) => ignored.has('all') || ignored.has(check),
  }),
  decides('all-is-a-name', '"all" is the name of a check', ['PREF-003'], {
    isIgnored: (check, ignored) => ignored.has(check.toLowerCase()),
  }),
  decides('ignores-no-configuration', 'what a configuration says of it is lost', ['PREF-003'], {
    allIgnored: (told) => told,
  }),
  decides('ignores-nothing-of-joins', 'what the flag says is lost where a configuration says something', ['PREF-003'], {
    allIgnored: (told, configured) => (configured.length > 0 ? configured : told),
  }),
  decides('all-beside-others', '"all" may be given beside other names', ['PREF-003'], {
    ignoredProblem: () => undefined,
  }),

  decides('newer-clusters', 'kubeadm thinks it knows clusters that are newer', ['PREF-004'], {
    clusterIsTooNew: () => false,
  }),
  strict('newer-cluster', ['PREF-004'], 'KubernetesVersion'),
  decides('any-kernel', 'any kernel will do', ['PREF-005'], { kernelIsSupported: () => true }),
  decides('no-kernel', 'no kernel will do', ['PREF-005'], { kernelIsSupported: () => false }),
  decides('old-kernel-stops', 'an old kernel stops, as before 1.34', ['PREF-005'], { kernelLevel: () => 'error' }),
  of(33, decides('old-kernel-warns', 'an old kernel only warns', ['PREF-005'], { kernelLevel: () => 'warning' })),
  of(33, decides('any-kernel', 'any kernel will do', ['PREF-005'], { kernelIsSupported: () => true })),
  ...(['memory', 'cpu', 'pids'] as const).map((group) =>
    decides(`without-${group}`, `the control group ${group} is not looked for`, ['PREF-006'], {
      requiredCgroups: (version) => upstream.requiredCgroups(version).filter((name) => name !== group),
    }),
  ),
  decides('hugetlb-required', 'huge pages are required', ['PREF-006'], {
    requiredCgroups: (version) => [...upstream.requiredCgroups(version), 'hugetlb'],
  }),
  decides('cgroups-1-warn', 'version 1 of control groups only warns', ['PREF-006'], { cgroups1Level: () => 'warning' }),
  decides('cgroups-1-stop', 'version 1 of control groups stops every kubelet', ['PREF-006'], {
    cgroups1Level: () => 'error',
  }),
  blind('optional-cgroups', ['PREF-005', 'PREF-006'], 'SystemVerification'),
  mild('system', ['PREF-006'], 'SystemVerification'),

  of(
    23,
    decides('docker-not-known', 'Docker is a runtime like any other', ['PREF-007', 'PREF-008', 'PREF-009'], {
      isDocker: () => false,
    }),
  ),
  of(23, strict('docker', ['PREF-007', 'PREF-009'], 'Service-Docker', 'SystemVerification')),
  of(23, mild('docker', ['PREF-007', 'PREF-008'], 'Service-Docker', 'CRI')),
  of(
    23,
    other('docker-always-complains', 'Docker is always complained of', ['PREF-007', 'PREF-008', 'PREF-009'], {
      found: (lines) => [...lines, ...complaints],
    }),
  ),
  other(
    'docker-for-all',
    'a machine without Docker is complained of',
    ['PREF-007', 'PREF-008', 'PREF-009', 'PREF-037'],
    {
      found: (lines) => [
        ...lines,
        { check: 'Service-Docker', level: 'warning', message: 'docker service does not exist' },
      ],
    },
  ),
  blind('runtime', ['PREF-010'], 'CRI', 'ContainerRuntimeVersion', 'ImagePull'),
  blind('runtime-version', ['PREF-010'], 'ContainerRuntimeVersion'),
  mild('runtime', ['PREF-010'], 'CRI'),
  of(34, blind('runtime', ['PREF-010'], 'ImagePull')),
  of(30, blind('runtime', ['PREF-010'], 'CRI')),
  of(
    30,
    other('always-complains', 'the runtime is always complained of', ['PREF-010'], {
      found: (lines) => [...lines, ...complaints],
    }),
  ),
  blind('root', ['PREF-011'], 'IsPrivilegedUser'),
  other('root-always', 'nobody is root enough', ['PREF-011'], {
    found: (lines) =>
      lines.some(are('IsPrivilegedUser'))
        ? lines
        : [...lines, { check: 'IsPrivilegedUser', level: 'warning', message: 'user is not running as root' }],
  }),
  blind('names', ['PREF-002', 'PREF-013'], 'Hostname'),
  strict('names', ['PREF-002', 'PREF-013'], 'Hostname'),
  decides('any-old-kubelet', 'a kubelet may be as old as it likes', ['PREF-014'], { oldestKubelet: () => 0 }),
  decides('one-minor', 'a kubelet may be one minor older, as before 1.29', ['PREF-014'], {
    oldestKubelet: ({ minor }) => minor - 1,
  }),
  of(28, decides('any-old-kubelet', 'a kubelet may be as old as it likes', ['PREF-014'], { oldestKubelet: () => 0 })),
  of(28, decides('same-minor', 'a kubelet may not be older', ['PREF-014'], { oldestKubelet: ({ minor }) => minor })),
  decides('newer-kubelet', 'a kubelet may be newer than the control plane', ['PREF-015'], {
    kubeletIsTooNew: () => false,
  }),
  decides('same-kubelet', 'a kubelet has to be of the same minor', ['PREF-014', 'PREF-015'], {
    kubeletIsTooNew: (kubelet, cluster) => kubelet !== cluster,
  }),
  other('newer-kubelet-at-join', 'a join complains of a newer kubelet', ['PREF-015'], {
    found: (lines, { phase }) =>
      phase === 'join' ? [...lines, { check: 'KubeletVersion', level: 'error', message: 'newer' }] : lines,
  }),
  blind('kubelet-service', ['PREF-016'], 'Service-kubelet'),
  strict('kubelet-service', ['PREF-016'], 'Service-kubelet'),
  decides('service-titled', 'the service has its title, as before 1.35', ['PREF-016'], {
    serviceName: () => 'Service-Kubelet',
  }),
  of(34, blind('kubelet-service', ['PREF-016'], 'Service-Kubelet')),
  of(
    34,
    other('always-complains', 'the service is always complained of', ['PREF-016'], {
      found: (lines) => [...lines, ...complaints],
    }),
  ),
  blind('firewalld', ['PREF-002', 'PREF-017'], 'Firewalld'),
  strict('firewalld', ['PREF-002', 'PREF-017'], 'Firewalld'),
  blind('swap', ['PREF-022'], 'Swap'),
  decides('swap-stops', 'swap stops, as in 1.22', ['PREF-022'], { swap: () => ({ level: 'error', message: 'swap' }) }),
  of(
    22,
    decides('swap-warns', 'swap only warns', ['PREF-022'], { swap: () => ({ level: 'warning', message: 'swap' }) }),
  ),
  of(
    22,
    other('always-complains', 'swap is always complained of', ['PREF-022'], {
      found: (lines) => [...lines, ...complaints],
    }),
  ),

  decides('refused-taken', 'a machine with a name that is none is taken', ['PREF-003', 'PREF-012'], {
    looksAtRefused: () => true,
    ignoredProblem: () => undefined,
  }),
  decides('phase-goes-on', 'the phase goes on to generate certificates', ['PREF-035'], { phaseGoesOn: () => true }),
  decides('old-programs', 'programs are looked for as in 1.30', ['PREF-023', 'PREF-024'], {
    commands: (release, cluster) => upstream.commands({ ...release, minor: 30 }, cluster),
  }),
  blind('programs', ['PREF-023'], 'FileExisting-losetup', 'FileExisting-cp'),
  mild('programs', ['PREF-023'], 'FileExisting-losetup', 'FileExisting-cp'),
  other('mount-only-of-init', 'a join does not look for mount', ['PREF-002', 'PREF-023'], {
    found: (lines, { phase }) => (phase === 'join' ? lines.filter((line) => !are('FileExisting-mount')(line)) : lines),
  }),
  of(
    32,
    blind(
      'old-programs',
      ['PREF-023', 'PREF-024'],
      ...['ip', 'iptables', 'nsenter', 'ethtool', 'tc', 'touch'].map((name) => `FileExisting-${name}`),
    ),
  ),
  of(32, strict('optional-programs', ['PREF-024'], 'FileExisting-ethtool', 'FileExisting-tc', 'FileExisting-touch')),
  of(
    30,
    blind(
      'old-programs',
      ['PREF-023', 'PREF-024'],
      'FileExisting-conntrack',
      'FileExisting-socat',
      'FileExisting-ebtables',
    ),
  ),
  of(30, mild('conntrack', ['PREF-023'], 'FileExisting-conntrack')),

  other('harmless-order', 'its lines come in another order', [], { found: (lines) => lines.toReversed() }),
  other('harmless-own-check', 'it warns of something that kubeadm does not look for', [], {
    found: (lines) => [...lines, { check: 'Clock', level: 'warning', message: 'nobody keeps the clock' }],
  }),
  other('harmless-words', 'it says more than kubeadm does', [], {
    found: (lines) => lines.map((line) => ({ ...line, message: `${line.message} (see the handbook)` })),
  }),
];

/**
 * What kubeadm of which minor looks for. Source: release notes and branches of 1.22 to 1.36 of
 * cmd/kubeadm/app/preflight, and of the vendored k8s.io/system-validators.
 */
import type { ByRelease, ReleaseSpan } from '../release.js';
import type { Level } from './outcome.js';

/** A program that has to be in the command path, or should be. */
export interface Command {
  readonly name: string;
  readonly level: Level;
  readonly span: ReleaseSpan;
  /** From there on it is not looked for, whatever the span. */
  readonly gone?: ReleaseSpan;
  /** Only for clusters up to this minor. */
  readonly clusters?: number;
}

const GONE: ReleaseSpan = { since: 32, backports: { 31: 2 } };
const named = (level: Level, span: ReleaseSpan, ...names: readonly string[]): readonly Command[] =>
  names.map((name) => ({ name, level, span }));

/** In the order of the checks. Source: checks.go addCommonChecks, checks_linux.go addExecChecks. */
export const COMMANDS: readonly Command[] = [
  ...named('error', { until: 30 }, 'crictl'),
  ...named('warning', { since: 31, until: 31 }, 'crictl'),
  ...named('error', { until: 31 }, 'conntrack'),
  { name: 'conntrack', level: 'error', span: { since: 32 }, clusters: 31 },
  ...named('error', { since: 33 }, 'losetup'),
  ...named('error', { until: 32 }, 'ip', 'iptables'),
  ...named('error', {}, 'mount'),
  ...named('error', { since: 33 }, 'cp'),
  ...named('error', { until: 32 }, 'nsenter'),
  { name: 'ebtables', level: 'warning', span: {}, gone: GONE },
  ...named('warning', { until: 32 }, 'ethtool'),
  { name: 'socat', level: 'warning', span: {}, gone: GONE },
  ...named('warning', { until: 32 }, 'tc', 'touch'),
];

/** Those of a machine with Windows. Source: checks_windows.go addExecChecks. */
export const WINDOWS_COMMANDS: readonly Command[] = named('error', { since: 33 }, 'xcopy');

/** Docker is checked by itself. Source: release notes of 1.24, dockershim; docker_validator.go. */
export const DOCKER: ReleaseSpan = { until: 23 };
export const DOCKER_SOCKET = 'unix:///var/run/dockershim.sock';
export const DOCKER_VALIDATED: readonly RegExp[] = [
  /^1\.1[1-3]\./,
  /^17\.0[3,6,9]\./,
  /^18\.0[6,9]\./,
  /^19\.03\./,
  /^20\.10\./,
];
/** What is later than those is only told. */
export const DOCKER_LATEST = '20.10';
export const DOCKER_LATER = /^\d{2}\.\d+\./;

/** Source: SwapCheck. */
export const SWAP: ByRelease<{ readonly level: Level; readonly message: string }> = [
  [{ until: 22 }, { level: 'error', message: 'running with swap on is not supported. Please disable swap' }],
  [
    { until: 28 },
    {
      level: 'warning',
      message:
        'swap is enabled; production deployments should disable swap unless testing the NodeSwap feature gate of ' +
        'the kubelet',
    },
  ],
  [
    {},
    {
      level: 'warning',
      message:
        'swap is supported for cgroup v2 only. The kubelet must be properly configured to use swap. Please refer to ' +
        'https://kubernetes.io/docs/concepts/architecture/nodes/#swap-memory, or disable swap on the node',
    },
  ],
];

/** Which kernels are supported. Source: KernelSpec of types_unix.go; its validator warns only since 1.34. */
export interface KernelDemand {
  readonly level: Level;
  readonly supported: readonly RegExp[];
  message(release: string): string;
}

const unsupported =
  (note: string) =>
  (release: string): string =>
    `kernel release ${release} is unsupported. ${note}`;

export const KERNELS: ByRelease<KernelDemand> = [
  [
    { until: 31 },
    {
      level: 'error',
      supported: [/^3\.[1-9][0-9]/, /^(?:[4-9]|[1-9][0-9]+)\.[0-9]+\.[0-9]+/],
      message: (release) => `unsupported kernel release: ${release}`,
    },
  ],
  [
    { until: 33 },
    {
      level: 'error',
      supported: [/^4\.19/, /^4\.[2-9][0-9]/, /^(?:[5-9]|[1-9][0-9]+)\.[0-9]+\.[0-9]+/],
      message: unsupported(
        'Recommended LTS version from the 4.x series is 4.19. Any 5.x or 6.x versions are also supported. ' +
          'For cgroups v2 support, the minimal version is 4.15 and the recommended version is 5.8+',
      ),
    },
  ],
  [
    {},
    {
      level: 'warning',
      supported: [/^5\.4/, /^5\.10/, /^5\.15/, /^(?:[6-9]|[1-9][0-9]+)\.[0-9]+\.[0-9]+/],
      message: unsupported(
        'Supported LTS versions from the 5.x series are 5.4, 5.10 and 5.15. Any 6.x version is also supported. ' +
          'For cgroups v2 support, the recommended version is 5.10 or newer',
      ),
    },
  ],
];

/** Of control groups, 1 or 2. */
export type CgroupVersion = 1 | 2;

const CGROUP_OPTIONS = ['CGROUP_CPUACCT', 'CGROUP_DEVICE', 'CGROUP_FREEZER', 'CGROUP_PIDS', 'CGROUP_SCHED'];
const FIRST_OPTIONS = ['NAMESPACES', 'NET_NS', 'PID_NS', 'IPC_NS', 'UTS_NS'];
const LAST_OPTIONS = [
  ...['CPUSETS', 'MEMCG', 'INET', 'EXT4_FS', 'PROC_FS', 'NETFILTER_XT_TARGET_REDIRECT'],
  ...['NETFILTER_XT_MATCH_COMMENT', 'FAIR_GROUP_SCHED'],
];

/** Options that the kernel must have, in the order in which they are told. Source: KernelSpec.Required. */
export const KERNEL_OPTIONS: ByRelease<(version: CgroupVersion) => readonly string[]> = [
  [{ until: 31 }, () => [...FIRST_OPTIONS, 'CGROUPS', ...CGROUP_OPTIONS, ...LAST_OPTIONS]],
  [{ until: 33 }, () => [...FIRST_OPTIONS, 'CGROUPS', ...LAST_OPTIONS]],
  [
    {},
    (version) => [
      ...FIRST_OPTIONS,
      ...LAST_OPTIONS,
      'CGROUPS',
      ...(version === 1 ? CGROUP_OPTIONS : ['CGROUP_BPF', 'CGROUP_PIDS', 'CGROUP_SCHED']),
    ],
  ],
];
/** By which other name an option counts as well. */
export const KERNEL_OPTION_ALIASES: Readonly<Record<string, string>> = {
  NETFILTER_XT_TARGET_REDIRECT: 'IP_NF_TARGET_REDIRECT',
};

/** Control groups that must be there, and that should. Source: SysSpec.Cgroups, CgroupsV2. */
export const CGROUPS: Readonly<
  Record<CgroupVersion, { readonly required: readonly string[]; readonly optional: readonly string[] }>
> = {
  1: {
    required: ['cpu', 'cpuacct', 'cpuset', 'devices', 'freezer', 'memory', 'pids'],
    optional: ['hugetlb', 'blkio'],
  },
  2: { required: ['cpu', 'cpuset', 'devices', 'freezer', 'memory', 'pids'], optional: ['hugetlb', 'io'] },
};

/** Version 1 of control groups is deprecated: what is said of it. Source: CgroupsValidator. */
export const CGROUPS_1: ByRelease<string | undefined> = [
  [{ until: 31 }, undefined],
  [{ until: 34 }, 'cgroups v1 support is in maintenance mode, please migrate to cgroups v2'],
  [
    {},
    'cgroups v1 support is deprecated and will be removed in a future release. Please migrate to cgroups v2. To ' +
      'explicitly enable cgroups v1 support for kubelet v1.35 or newer, you must set the kubelet configuration option ' +
      "'FailCgroupV1' to 'false'. You must also explicitly skip this validation. For more information, see " +
      'https://git.k8s.io/enhancements/keps/sig-node/5573-remove-cgroup-v1',
  ],
];
/** The check of the system asks the kubelet for its version. Source: SystemVerificationCheck. */
export const SYSTEM_ASKS_KUBELET: ReleaseSpan = { since: 35 };
/** The first minor of a kubelet that fails on version 1 of control groups. */
export const KUBELET_FAILS_ON_CGROUPS_1 = 35;
/** Whether control groups can be frozen is looked at. Source: checkCgroupV2Freeze. */
export const LOOKS_FOR_FREEZER: ReleaseSpan = { since: 32 };

/** Minors that a kubelet may be older than kubeadm. Source: constants.go MinimumKubeletVersion. */
export const KUBELET_SKEW: ByRelease<number> = [
  [{ until: 28 }, 1],
  [{}, 3],
];

/** The oldest external etcd. Source: constants.go MinExternalEtcdVersion. */
export const OLDEST_ETCD: ByRelease<string> = [
  [{ until: 24 }, '3.2.18'],
  [{ until: 28 }, '3.4.13-4'],
  [{ until: 30 }, '3.5.11-0'],
  [{}, '3.5.24-0'],
];

/** What the kernel must forward, and hand to iptables. Source: addIPv4Checks, addIPv6Checks, addCommonChecks. */
export const FORWARDING = {
  4: { bridge: '/proc/sys/net/bridge/bridge-nf-call-iptables', forward: '/proc/sys/net/ipv4/ip_forward' },
  6: {
    bridge: '/proc/sys/net/bridge/bridge-nf-call-ip6tables',
    forward: '/proc/sys/net/ipv6/conf/default/forwarding',
  },
} as const;
/** Bridges are looked at. */
export const BRIDGES: ReleaseSpan = { until: 29 };
/** What IPv4 needs is looked at whatever the addresses. */
export const ALWAYS_IPV4: ReleaseSpan = { until: 26 };

/** How the runtime is asked: by crictl, by its socket where that answers, by its socket. */
export const RUNTIME: ByRelease<'crictl' | 'where it answers' | 'always'> = [
  [{ until: 30 }, 'crictl'],
  [{ until: 34 }, 'where it answers'],
  [{}, 'always'],
];

/** Source: ServiceCheck.Name, which made a title of it. */
export const SERVICE_TITLED: ReleaseSpan = { until: 34 };

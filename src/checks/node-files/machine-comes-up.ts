/**
 * Whether a machine comes up as its kubelet needs it: memory, mounts, settings and modules of the kernel, names, and
 * the network of its Pods.
 */
import type { Fields } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { isNetwork, type MachineTold, toldAt } from './machine-files.js';
import { isFalse, isTrue } from './node-flags.js';
import type { Disk } from './node-seen.js';

/** What of a machine has to do with its kubelet. */
export interface MachineSeen {
  readonly disk: Disk;
  readonly settings: Fields;
  readonly flags: Readonly<Record<string, string>>;
  /** Its Pods have addresses of IPv6. */
  readonly hasIpv6: boolean;
  /** It runs an etcd of its own, and keeps its data there. */
  readonly data?: string;
}

/** Networks as the runtime looks at them: by name. */
const networksOn = (disk: Disk): readonly (readonly [string, MachineTold])[] =>
  Object.keys(disk)
    .filter(isNetwork)
    .sort()
    .flatMap((path) => {
      const told = toldAt(disk, path);
      return told === undefined ? [] : [[path, told] as const];
    });

/** The kubelet ends where there is swap. Source: pkg/kubelet/cm/container_manager_linux.go NewContainerManager. */
const failsOnSwap = ({ settings, flags }: MachineSeen): boolean =>
  !isFalse(flags['fail-swap-on'] ?? String(settings.failSwapOn ?? true));

/** A line of the table that mounts nothing by itself. */
const isIdle = (options: readonly string[]): boolean => options.includes('noauto');

function oddMounts(seen: MachineSeen): readonly string[] {
  const mounts = (toldAt(seen.disk, '/etc/fstab')?.mounts ?? []).filter(({ options }) => !isIdle(options));
  const kept = [
    '/etc/kubernetes',
    '/var/lib/kubelet',
    '/var/lib',
    '/var',
    ...(seen.data === undefined ? [] : [seen.data]),
  ];
  return mounts.flatMap(({ at, type, options }) => {
    if (type === 'swap') return failsOnSwap(seen) ? ['swap, where failSwapOn is not false'] : [];
    const isKept = kept.includes(at) || at.startsWith('/etc/kubernetes/');
    if (isKept && /^(?:tmpfs|ramfs)$/.test(type)) return [`${at}: what lies there is gone after a start`];
    return isKept && at !== '/etc/kubernetes' && options.includes('ro') ? [`${at}: it is read-only`] : [];
  });
}

/** Names of files are sorted whatever folder they lie in, and of one name that of the first folder counts. */
const FOLDERS = ['/etc/sysctl.d/', '/run/sysctl.d/', '/usr/local/lib/sysctl.d/', '/usr/lib/sysctl.d/'];
const ALIKE: Readonly<Record<string, string>> = { 'net.ipv4.conf.all.forwarding': 'net.ipv4.ip_forward' };

/** What the kernel is told in the end, and by which file. Source: sysctl.d(5); sysctl(8), --system. */
export function sysctlsOn(disk: Disk): Readonly<Record<string, { readonly value: string; readonly path: string }>> {
  const byName = new Map<string, string>();
  for (const folder of FOLDERS)
    for (const path of Object.keys(disk))
      if (path.startsWith(folder) && !byName.has(path.slice(folder.length)))
        byName.set(path.slice(folder.length), path);
  const paths = [...byName].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, path]) => path);
  const told = [...paths, '/etc/sysctl.conf'].flatMap((path) =>
    Object.entries(toldAt(disk, path)?.sysctls ?? {}).map(
      ([key, value]) => [ALIKE[key] ?? key, { value, path }] as const,
    ),
  );
  return Object.fromEntries(told);
}

/** Networks whose Pods are routed: no bridge is in their way. */
const ROUTED = /^(?:calico|cilium-cni|aws-cni|azure-vnet|gke|ovn-k8s-cni-overlay|antrea|kube-ovn|ptp)$/;
const isRouted = (disk: Disk): boolean =>
  networksOn(disk).some(([, { network }]) => network?.plugins.some((name) => ROUTED.test(name)) === true);

/** Source: pkg/kubelet/cm/container_manager_linux.go setupKernelTunables; pkg/util/sysctl. */
const TUNED: Readonly<Record<string, string>> = {
  'vm.overcommit_memory': '1',
  'vm.panic_on_oom': '0',
  'kernel.panic': '10',
  'kernel.panic_on_oops': '1',
  'kernel.keys.root_maxkeys': '1000000',
  'kernel.keys.root_maxbytes': '25000000',
};

function oddSysctls({ disk, settings, flags, hasIpv6 }: MachineSeen): readonly string[] {
  const all = sysctlsOn(disk);
  const isKept = isTrue(flags['protect-kernel-defaults'] ?? String(settings.protectKernelDefaults ?? false));
  const wanted = {
    'net.ipv4.ip_forward': '1',
    ...(isRouted(disk) ? {} : { 'net.bridge.bridge-nf-call-iptables': '1' }),
    ...(hasIpv6 ? { 'net.ipv6.conf.all.forwarding': '1', 'net.ipv6.conf.all.disable_ipv6': '0' } : {}),
    ...(isKept ? TUNED : {}),
  };
  return Object.entries(wanted).flatMap(([key, value]) => {
    const told = all[key];
    return told === undefined || told.value === value ? [] : [`${key} = ${told.value.slice(0, 20)} by ${told.path}`];
  });
}

/** What images, Pods and Services are made of. */
const MODULES = ['overlay', 'br_netfilter', 'nf_conntrack', 'veth'];

function oddModules({ disk }: MachineSeen): readonly string[] {
  const blocked = Object.keys(disk).flatMap((path) => Object.entries(toldAt(disk, path)?.blocked ?? {}));
  const wanted = isRouted(disk) ? MODULES.filter((name) => name !== 'br_netfilter') : MODULES;
  return blocked.filter(([name]) => wanted.includes(name)).map(([name, why]) => `${name}: ${why}`);
}

const look = (subject: string, demanded: string, odd: readonly string[], otherwise: string): Finding =>
  demand({
    subject,
    demanded,
    seen: odd.slice(0, 4).join('; ').slice(0, 200) || otherwise,
    ok: odd.length === 0,
  });

const hasSysctls = (disk: Disk): boolean => Object.keys(disk).some((path) => toldAt(disk, path)?.sysctls !== undefined);
const hasModules = (disk: Disk): boolean => Object.keys(disk).some((path) => toldAt(disk, path)?.blocked !== undefined);

/** After its next start as well. */
export const machineComesUp: Check<MachineSeen> = {
  id: 'machine-comes-up/after-a-start',
  source:
    'kubernetes.io, container runtimes; kubeadm preflight, Swap, FileContent; fstab(5), sysctl.d(5), modprobe.d(5)',
  nothing: 'neither /etc/fstab nor a file of sysctl or modprobe lies there',
  judge: (seen) => [
    ...(toldAt(seen.disk, '/etc/fstab') === undefined
      ? []
      : [look('/etc/fstab', 'a kubelet can work with what it mounts', oddMounts(seen), 'it can')]),
    ...(hasSysctls(seen.disk)
      ? [look('the kernel', 'it is told what the network of Pods needs', oddSysctls(seen), 'nothing else is said')]
      : []),
    ...(hasModules(seen.disk)
      ? [look('the kernel', 'no module that Pods need is kept from it', oddModules(seen), 'none is')]
      : []),
  ],
};

const isLoopback = (address: string): boolean => /^127\.|^::1$/.test(address);

/** Where Pods look names up that are not of the cluster. Source: pkg/kubelet/network/dns/dns.go. */
function oddNameservers({ disk, settings, flags }: MachineSeen): readonly string[] {
  const own = flags['resolv-conf'] ?? settings.resolvConf ?? '/etc/resolv.conf';
  const servers = toldAt(disk, '/etc/resolv.conf')?.nameservers ?? [];
  if (own !== '/etc/resolv.conf') return [];
  const cluster = Array.isArray(settings.clusterDNS) ? settings.clusterDNS.map(String) : [];
  const isAll = servers.length > 0 && servers.every(isLoopback);
  return [
    ...(isAll ? [`${servers.join(', ')}: in a Pod that is the Pod itself`] : []),
    ...servers.filter((one) => cluster.includes(one)).map((one) => `${one}: the DNS of the cluster asks itself`),
  ];
}

export const namesLead: Check<MachineSeen> = {
  id: 'machine-comes-up/names',
  source: 'kubernetes.io, debugging DNS resolution; coredns plugin/loop; hosts(5), resolv.conf(5)',
  nothing: 'neither /etc/hosts nor /etc/resolv.conf lies there',
  judge: (seen) => {
    const [hosts, names] = ['/etc/hosts', '/etc/resolv.conf'].map((path) => toldAt(seen.disk, path));
    const local = (hosts?.hosts?.localhost ?? []).filter((one) => !isLoopback(one));
    return [
      ...(hosts === undefined ? [] : [look('/etc/hosts', 'localhost is the machine itself', local, 'it is')]),
      ...(names === undefined
        ? []
        : [look('/etc/resolv.conf', 'Pods can ask whom it names', oddNameservers(seen), 'they can')]),
    ];
  },
};

/** Versions of the specification. */
const VERSION = /^(?:0\.[1-4]\.\d|1\.[01]\.\d)?$/;
/** A plugin is looked for in one folder, of which all that lies there is known. */
const PLUGINS = '/opt/cni/bin/';

/** The runtime takes the first network by name. Source: containerd go-cni opts.go; libcni conf.go. */
export const networkThere: Check<MachineSeen, { readonly looksElsewhere: boolean }> = {
  id: 'machine-comes-up/network',
  source: 'containernetworking/cni SPEC.md; containerd go-cni opts.go; kubernetes.io, network plugins',
  nothing: 'no network lies in /etc/cni/net.d: its plugin puts one there once the node has joined',
  judge: ({ disk }, { looksElsewhere }) => {
    const [first] = networksOn(disk);
    if (first === undefined) return [];
    const [path, { network, problem }] = first;
    const there = Object.keys(disk)
      .filter((one) => one.startsWith(PLUGINS))
      .map((one) => one.slice(PLUGINS.length));
    const isKnown = there.length > 0 && !looksElsewhere;
    const missing = isKnown ? (network?.plugins ?? []).filter((name) => !there.includes(name)) : [];
    const odd = [
      ...(problem === undefined ? [] : [problem]),
      ...(network === undefined || VERSION.test(network.version) ? [] : [`version ${network.version.slice(0, 20)}`]),
      ...missing.map((name) => `${name.slice(0, 40)} is not in ${PLUGINS}`),
    ];
    return [look(path, 'the runtime can give Pods addresses by it', odd, 'it can')];
  },
};

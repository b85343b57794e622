/** A machine as data: what it is like, where it differs from one that kubeadm takes. */
import type { Found, HostView, InitSystem, Ran, Runtime, Service } from '../../kubeadm/preflight/host.js';
import { CGROUPS, type CgroupVersion, KERNEL_OPTIONS } from '../../kubeadm/preflight/versions.js';
import { atRelease, type Release } from '../../kubeadm/release.js';

export interface HostData {
  readonly os: 'linux' | 'windows';
  readonly files: Readonly<Record<string, string>>;
  /** Programs that are not in its command path. */
  readonly lacks: readonly string[];
  readonly kubelet: Ran;
  readonly privileged: boolean;
  readonly processors: number;
  /** MiB */
  readonly memory: number;
  readonly kernel: string;
  /** Options of the kernel that are off; undefined: there is no configuration. */
  readonly kernelLacks: readonly string[] | undefined;
  readonly cgroups: CgroupVersion;
  /** Control groups that are not there. */
  readonly cgroupsLack: readonly string[];
  readonly portsInUse: readonly number[];
  readonly initSystem: InitSystem;
  /** Those that are not named do not exist. */
  readonly services: Readonly<Record<string, Partial<Service>>>;
  /** Why its name has no address. */
  readonly nameless?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly runtime: Runtime;
  readonly docker: { readonly version: string } | { readonly failure: string };
  readonly etcd: { readonly version: string } | { readonly failure: string };
}

/** What a socket that is not there is told by. */
export const noSocket = (path: string): string =>
  `rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial unix ${path}: ` +
  'connect: no such file or directory"';

const ONE = '1\n';
const NO_SWAP = 'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n';

/** A machine that kubeadm of this release finds nothing wrong with. */
export const soundHost = (release: Release): HostData => ({
  os: 'linux',
  files: {
    '/proc/sys/net/ipv4/ip_forward': ONE,
    '/proc/sys/net/ipv6/conf/default/forwarding': ONE,
    '/proc/sys/net/bridge/bridge-nf-call-iptables': ONE,
    '/proc/sys/net/bridge/bridge-nf-call-ip6tables': ONE,
    '/proc/swaps': NO_SWAP,
  },
  lacks: [],
  kubelet: { output: `Kubernetes ${release.text}\n` },
  privileged: true,
  processors: 4,
  memory: 8192,
  kernel: '6.1.0-18-amd64',
  kernelLacks: [],
  cgroups: 2,
  cgroupsLack: [],
  portsInUse: [],
  initSystem: 'systemd',
  services: { kubelet: { enabled: true }, docker: { enabled: true, active: true } },
  environment: {},
  runtime: { configures: true },
  docker: { version: '20.10.7' },
  etcd: { version: '3.6.4' },
});

const unloaded = (what: string, file: string): string =>
  `couldn't load external etcd's ${what} ${file}: open ${file}: no such file or directory`;

const found = <T>(is: T): Promise<Found<T>> => Promise.resolve({ is });

/** What is there besides, by what the machine is like. */
function filesOf({ files, cgroups, cgroupsLack }: HostData): Readonly<Record<string, string>> {
  const { required, optional } = CGROUPS[cgroups];
  const groups = [...required, ...optional].filter((name) => !cgroupsLack.includes(name));
  const isOwn = (name: string): boolean => name !== 'devices' && name !== 'freezer';
  return {
    ...(cgroups === 2
      ? {
          '/proc/mounts': 'cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev,noexec,relatime 0 0\n',
          '/sys/fs/cgroup/cgroup.controllers': `${groups.filter(isOwn).join(' ')}\n`,
        }
      : {
          '/proc/mounts':
            'tmpfs /sys/fs/cgroup tmpfs rw,mode=755 0 0\ncgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n',
          '/sys/fs/cgroup/memory/tasks': '',
          '/proc/cgroups': [
            '#subsys_name\thierarchy\tnum_cgroups\tenabled',
            ...groups.map((name) => `${name}\t1\t1\t1`),
          ].join('\n'),
        }),
    ...files,
  };
}

/** Options of the kernel that are on, in the form of its configuration. */
const kernelText = (release: Release, { kernelLacks = [], cgroups }: HostData): string =>
  (atRelease(release, KERNEL_OPTIONS)?.(cgroups) ?? [])
    .filter((option) => !kernelLacks.includes(option))
    .map((option) => `CONFIG_${option}=y\n`)
    .join('');

/** Shows the machine to the checks. Links, and whatever is no file or folder, it has not. */
export function simulatedHost(data: HostData, release: Release): HostView {
  const files = filesOf(data);
  const paths = Object.keys(files);
  const below = (path: string): readonly string[] => paths.filter((one) => one.startsWith(`${path}/`));
  return {
    os: data.os,
    exists: (path) => found(path !== '' && (path in files || below(path).length > 0)),
    read: (path) => found(files[path]),
    list: (path) => {
      const names = below(path).map((one) => one.slice(path.length + 1).split('/')[0] ?? '');
      return found(names.length === 0 ? undefined : [...new Set(names)]);
    },
    hasCommand: (name) => found(!data.lacks.includes(name)),
    kubeletVersion: () => found(data.kubelet),
    isPrivileged: () => found(data.privileged),
    processors: () => found(data.processors),
    memory: () => found(data.memory),
    kernelRelease: () => found(data.kernel),
    kernelConfiguration: () =>
      found(
        data.kernelLacks === undefined
          ? { failure: 'unable to load kernel module: "configs", output: "", err: exit status 1' }
          : { text: kernelText(release, data) },
      ),
    freezes: () => found(!data.cgroupsLack.includes('freezer')),
    isPortFree: (port) => found(!data.portsInUse.includes(port)),
    initSystem: () => found(data.initSystem),
    service: (name) => {
      const service = data.services[name];
      return found({ exists: service !== undefined, enabled: false, active: false, ...service });
    },
    resolve: () => found(data.nameless),
    environment: () => ({ is: data.environment }),
    runtime: () => found(data.runtime),
    docker: () => found(data.docker),
    etcdVersion: ({ caFile }) =>
      found(caFile === '' || caFile in files ? data.etcd : { failure: unloaded('server certificate', caFile) }),
  };
}

/** A machine of which there is only the disk: a folder laid out like one. What it cannot tell is unknown. */
import path from 'node:path';
import type { Found, HostView } from '../../kubeadm/preflight/host.js';
import type { NodeEntry, NodeFiles } from '../types.js';

/** Where a shell of root looks for programs. */
const PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const UNITS = ['/etc/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system'];
const WANTED = '/etc/systemd/system/multi-user.target.wants';

const is = <T>(value: T): Found<T> => ({ is: value });
const unknown = (what: string): { readonly unknown: string } => ({ unknown: `a folder does not tell ${what}` });
/** What lies there is made by a kernel that runs. */
const isKernels = (file: string): boolean => /^\/(?:proc|sys)\//.test(file);

/** Shows what lies below a folder. */
export function folderHost(files: NodeFiles): HostView {
  const known = new Map<string, Promise<readonly NodeEntry[]>>();
  const entries = (file: string): Promise<readonly NodeEntry[]> => {
    const reading = known.get(file) ?? files.read([file]);
    known.set(file, reading);
    return reading;
  };
  const at = async (file: string): Promise<NodeEntry | undefined> =>
    (await entries(file)).find((entry) => entry.path === file);
  const any = async (all: readonly string[]): Promise<boolean> =>
    (await Promise.all(all.map(at))).some((entry) => entry !== undefined);
  return {
    os: 'linux',
    exists: async (file) => {
      const entry = await at(file);
      if (entry === undefined && isKernels(file)) return unknown('what the kernel would say');
      return is(entry !== undefined);
    },
    read: async (file) => {
      const entry = await at(file);
      if (entry === undefined && isKernels(file)) return unknown('what the kernel would say');
      if (entry?.unreadable !== undefined) return { unknown: `${file} cannot be read: ${entry.unreadable}` };
      return is(entry?.text);
    },
    list: async (folder) => {
      const all = await entries(folder);
      const own = all.find((entry) => entry.path === folder);
      if (own?.unreadable !== undefined) return { unknown: `${folder} cannot be read: ${own.unreadable}` };
      const below = all.filter((entry) => path.posix.dirname(entry.path) === folder);
      return is(own === undefined ? undefined : below.map((entry) => path.posix.basename(entry.path)));
    },
    hasCommand: async (name) => is(await any(PATH.map((folder) => `${folder}/${name}`))),
    kubeletVersion: async () => unknown('which kubelet it has'),
    isPrivileged: async () => unknown('who will run kubeadm'),
    processors: async () => unknown('how many processors the machine has'),
    memory: async () => unknown('how much memory the machine has'),
    kernelRelease: async () => unknown('which kernel will run, and with which control groups'),
    kernelConfiguration: async () => unknown('how the kernel is configured'),
    freezes: async () => unknown('which control groups there are'),
    isPortFree: async () => unknown('who listens at ports'),
    initSystem: async () => {
      const names = ['systemctl', 'openrc'].map((name) => any(PATH.map((folder) => `${folder}/${name}`)));
      const [systemd, openrc] = await Promise.all(names);
      if (systemd === true) return is('systemd' as const);
      return openrc === true ? unknown('which services of OpenRC are there') : is(undefined);
    },
    service: async (name) => {
      const unit = `${name}.service`;
      const [there, enabled] = await Promise.all([
        any(UNITS.map((folder) => `${folder}/${unit}`)),
        linked(entries, unit),
      ]);
      // A service that nobody starts at boot may have been started by hand.
      return is({ exists: there, enabled, active: enabled });
    },
    resolve: async (name) => {
      const hosts = await at('/etc/hosts');
      const names = (hosts?.text ?? '').split('\n').flatMap((line) => (line.split('#')[0] ?? '').split(/\s+/).slice(1));
      return names.includes(name) ? is(undefined) : unknown(`whether DNS knows ${name}, which is not in /etc/hosts`);
    },
    environment: () => unknown('with which proxies kubeadm will run'),
    runtime: async () => unknown('whether the container runtime answers'),
    docker: async () => unknown('whether docker answers'),
    etcdVersion: async () => unknown('what another etcd answers'),
  };
}

/** Enabled at boot: there is a link to it, whether that leads anywhere or not. */
async function linked(entries: (folder: string) => Promise<readonly NodeEntry[]>, unit: string): Promise<boolean> {
  return (await entries(WANTED)).some((entry) => entry.path === `${WANTED}/${unit}`);
}

/**
 * What files say of the machine around a kubelet: mounts, settings and modules of the kernel, names, networks of Pods.
 * Source: fstab(5), sysctl.d(5), modprobe.d(5), hosts(5), hostname(5), resolv.conf(5); containernetworking/cni SPEC.md.
 */
import { isRecord, records, text } from '../../kubernetes/json.js';
import { proxiesIn, variablesIn } from './kubelet-service.js';
import type { Disk } from './node-seen.js';

/** One line of a table of mounts. */
export interface MountTold {
  /** Without a slash at its end. */
  readonly at: string;
  readonly type: string;
  readonly options: readonly string[];
}

/** A network of Pods; `plugins`: those that it runs, with those that give out addresses. */
export interface NetworkTold {
  readonly name: string;
  readonly version: string;
  readonly plugins: readonly string[];
}

/** What one file tells; members that it does not tell are missing. */
export interface MachineTold {
  readonly mounts?: readonly MountTold[];
  /** "net.ipv4.ip_forward" → "1"; the last one of a file counts. */
  readonly sysctls?: Readonly<Record<string, string>>;
  /** Modules that are not loaded, and why. */
  readonly blocked?: Readonly<Record<string, string>>;
  /** Name → addresses, in order. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
  readonly nameservers?: readonly string[];
  /** In lower case, of who says it himself. */
  readonly hostname?: string;
  /** Of who logs in, or of every unit: proxies of an environment. */
  readonly proxies?: Readonly<Record<string, string>>;
  readonly network?: NetworkTold;
  /** What it is instead of a network. */
  readonly problem?: string;
}

/** What a file of a disk tells; undefined where it lies there not at all, or as something else. */
export const toldAt = (disk: Disk, path: string): MachineTold | undefined => {
  const held = disk[path]?.held;
  return held?.kind === 'machine' ? held.told : undefined;
};

/** Files that are read for it, as patterns of a disk. Source: sysctl.d(5), modprobe.d(5). */
export const MACHINE_FILES: readonly string[] = [
  '/etc/fstab',
  '/etc/sysctl.conf',
  '/etc/sysctl.d/*.conf',
  '/run/sysctl.d/*.conf',
  '/usr/local/lib/sysctl.d/*.conf',
  '/usr/lib/sysctl.d/*.conf',
  '/etc/modprobe.d/*.conf',
  '/etc/hosts',
  '/etc/hostname',
  '/etc/resolv.conf',
  '/etc/environment',
  '/etc/systemd/system.conf',
  '/etc/systemd/system.conf.d/*.conf',
];

const SYSCTL = /\/sysctl(?:\.d\/[^/]+)?\.conf$/;
const MODPROBE = /^\/etc\/modprobe\.d\/[^/]+\.conf$/;
/** Source: containerd go-cni opts.go loadFromConfDir. */
export const isNetwork = (path: string): boolean => /^\/etc\/cni\/net\.d\/[^/]+\.(?:conf|conflist|json)$/.test(path);

const linesOf = (content: string, comment: RegExp): readonly string[] =>
  content
    .split('\n')
    .map((line) => line.replace(comment, '').trim())
    .filter((line) => line !== '');
const HASH = /#.*/;

const mountsIn = (content: string): readonly MountTold[] =>
  linesOf(content, /^\s{0,40}#.*/).flatMap((line) => {
    const [, at = '', type = '', options = ''] = line.split(/\s+/);
    return type === '' ? [] : [{ at: at.replace(/(?<=.)\/$/, ''), type, options: options.split(',') }];
  });

/** Slashes and dots mean the same, whichever stands first. */
const keyOf = (written: string): string => {
  const isOfSlashes = /^[^./]*\//.test(written);
  return isOfSlashes ? written.replaceAll('.', '\0').replaceAll('/', '.').replaceAll('\0', '/') : written;
};
const sysctlsIn = (content: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(content, /^\s{0,40}[#;].*/).flatMap((line) => {
      const at = line.indexOf('=');
      return at < 1 ? [] : [[keyOf(line.slice(0, at).trim().replace(/^-/, '')), line.slice(at + 1).trim()] as const];
    }),
  );

/** "-" and "_" mean the same. */
const moduleOf = (name: string): string => name.replaceAll('-', '_');
const blockedIn = (content: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(content, HASH).flatMap((line) => {
      const [what = '', name = '', command = ''] = line.split(/\s+/);
      const isOff = what === 'install' && /^(?:\/usr)?\/bin\/(?:true|false)$/.test(command);
      return what === 'blacklist' || isOff ? [[moduleOf(name), isOff ? `install ${command}` : what] as const] : [];
    }),
  );

function hostsIn(content: string): Readonly<Record<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>();
  for (const line of linesOf(content, HASH)) {
    const [address = '', ...names] = line.split(/\s+/);
    for (const name of names) found.set(name.toLowerCase(), [...(found.get(name.toLowerCase()) ?? []), address]);
  }
  return Object.fromEntries(found);
}

/** Where it is "localhost" the network says how the machine is called. Source: hostname(5), hostnamectl(1). */
function hostnameIn(content: string): Pick<MachineTold, 'hostname'> {
  const [name = ''] = linesOf(content, HASH);
  const isOne = /^[A-Za-z\d](?:[A-Za-z\d.-]{0,252}[A-Za-z\d])?$/.test(name) && !/^localhost(?:\.|$)/i.test(name);
  return isOne ? { hostname: name.toLowerCase() } : {};
}

const nameserversIn = (content: string): readonly string[] =>
  linesOf(content, /[#;].*/).flatMap((line) => /^nameserver\s{1,40}(\S{1,80})/.exec(line)?.[1] ?? []);

function networkIn(content: string): Pick<MachineTold, 'network' | 'problem'> {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    return { problem: 'it is no JSON' };
  }
  if (!isRecord(value)) return { problem: 'it is no network' };
  const plugins = Array.isArray(value.plugins) ? records(value.plugins) : [value];
  const names = plugins.flatMap(({ type, ipam }) => [text(type), isRecord(ipam) ? text(ipam.type) : '']);
  if (plugins.length === 0 || plugins.some(({ type }) => text(type) === '')) return { problem: 'it names no plugin' };
  if (text(value.name) === '') return { problem: 'it has no name' };
  return {
    network: {
      name: text(value.name),
      version: text(value.cniVersion),
      plugins: names.filter((name) => name !== ''),
    },
  };
}

const LOGINS = /^\/etc\/(?:environment|profile\.d\/[^/]+\.sh)$/;
const MANAGER = /^\/etc\/systemd\/system\.conf(?:\.d\/[^/]+\.conf)?$/;
/** "DefaultEnvironment=A=b "C=d"": one variable a line. */
const unitsOf = (content: string): string =>
  linesOf(content, /^[#;].*/)
    .flatMap((line) => /^DefaultEnvironment=(.*)$/.exec(line)?.[1]?.replaceAll(/["']/g, '').split(/\s+/) ?? [])
    .join('\n');

/** "export A=b" as "A=b". */
const exportsOf = (content: string): string =>
  content
    .split('\n')
    .map((line) => line.replace(/^\s{0,40}export\s/, ''))
    .join('\n');

/** By the name of the file; undefined where it is none of those. */
export function machineFileIn(path: string, content: string): MachineTold | undefined {
  if (path === '/etc/fstab') return { mounts: mountsIn(content) };
  if (SYSCTL.test(path)) return { sysctls: sysctlsIn(content) };
  if (MODPROBE.test(path)) return { blocked: blockedIn(content) };
  if (path === '/etc/hosts') return { hosts: hostsIn(content) };
  if (path === '/etc/hostname') return hostnameIn(content);
  if (path === '/etc/resolv.conf') return { nameservers: nameserversIn(content) };
  if (LOGINS.test(path)) return { proxies: proxiesIn(variablesIn(exportsOf(content))) };
  if (MANAGER.test(path)) return { proxies: proxiesIn(variablesIn(unitsOf(content))) };
  return isNetwork(path) ? networkIn(content) : undefined;
}

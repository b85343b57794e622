/** The kernel and its control groups. Source: k8s.io/system-validators, kernel_validator.go, cgroup_validator_linux.go. */
import { atRelease, inRelease, type Release } from '../release.js';
import type { PreflightDecisions } from './decisions.js';
import type { HostView } from './host.js';
import { readKubelet } from './kubelet.js';
import { NOTHING, of, type Said, said } from './outcome.js';
import * as versions from './versions.js';

interface Looking {
  readonly host: HostView;
  readonly release: Release;
  readonly decisions: PreflightDecisions;
}

/** Source: docker_validator.go. */
async function dockerOf(host: HostView): Promise<readonly Said[]> {
  return of(await host.docker(), (found) => {
    if ('failure' in found)
      return said('error', `failed executing "docker info --format '{{json .}}'"\n${found.failure}`);
    const { version } = found;
    if (versions.DOCKER_VALIDATED.some((pattern) => pattern.test(version))) return NOTHING;
    if (!versions.DOCKER_LATER.test(version)) return said('error', `unsupported docker version: ${version}`);
    const latest = versions.DOCKER_LATEST;
    return said(
      'warning',
      `this Docker version is not on the list of validated versions: ${version}. Latest validated version: ${latest}`,
    );
  });
}

const ROOT = '/sys/fs/cgroup';
const MOUNTS = '/proc/mounts';
const unified = (mountPoint: string): Mounted => ({ mountPoint, version: 2 });
const NO_MOUNT = `cannot get a cgroupfs mount point from "${MOUNTS}"`;

interface Mounted {
  readonly mountPoint: string;
  readonly version: versions.CgroupVersion;
}

/** undefined: none is mounted. `hasMemory`: there is a folder for memory below the usual place. Source: getUnifiedMountpoint. */
export function cgroupsIn(mounts: string, hasMemory: boolean): Mounted | undefined {
  let first: Mounted | undefined;
  for (const line of mounts.split('\n')) {
    const [, mountPoint = '', type] = line.split(/\s+/);
    if (!line.includes('cgroup') || type === undefined) continue;
    if (mountPoint === ROOT) {
      const isUnified = type === 'tmpfs' ? !hasMemory : type === 'cgroup2';
      return { mountPoint, version: isUnified ? 2 : 1 };
    }
    if (type === 'cgroup2') return unified(mountPoint);
    if (type === 'cgroup') first ??= { mountPoint, version: 1 };
  }
  return first;
}

/** Options that are off, as they are told: by the last of their names. Source: validateCachedKernelConfig. */
export function kernelOptionsOff(configuration: string, options: readonly string[]): readonly string[] {
  const on = new Map([...configuration.matchAll(/^CONFIG_([A-Z0-9_]+)=([myn])/gm)].map(([, name, how]) => [name, how]));
  return options.flatMap((option) => {
    const alias = versions.KERNEL_OPTION_ALIASES[option];
    const name = on.has(option) || alias === undefined ? option : alias;
    const how = on.get(name);
    return how === 'y' || how === 'm' ? [] : [`CONFIG_${name}`];
  });
}

const kernelOf = ({ release, decisions }: Looking, kernel: string): readonly Said[] =>
  decisions.kernelIsSupported(release, kernel)
    ? NOTHING
    : said(decisions.kernelLevel(release), atRelease(release, versions.KERNELS)?.message(kernel) ?? kernel);

async function optionsOf(
  { host, release }: Looking,
  kernel: string,
  version: versions.CgroupVersion,
): Promise<readonly Said[]> {
  return of(await host.kernelConfiguration(kernel), (found) => {
    if ('failure' in found) return said('error', `failed to parse kernel config: ${found.failure}`);
    const options = atRelease(release, versions.KERNEL_OPTIONS)?.(version) ?? [];
    const off = kernelOptionsOff(found.text, options);
    return off.length === 0 ? NOTHING : said('error', `unexpected kernel config: ${off.join(' ')}`);
  });
}

/** Names in the first column of those that are on. Source: getCgroupV1Subsystems. */
const subsystemsOf = (table: string): readonly string[] =>
  table.split('\n').flatMap((line) => {
    const [name = '', , , enabled] = line.split(/\s+/);
    return line.startsWith('#') || enabled === undefined || enabled === '0' ? [] : [name];
  });

/** Those that are there; `unknown` says why it cannot be told. */
async function presentGroups(
  { host, release }: Looking,
  mounted: Mounted,
): Promise<readonly string[] | { readonly said: readonly Said[] }> {
  const { mountPoint, version } = mounted;
  const file = version === 1 ? '/proc/cgroups' : `${mountPoint}/cgroup.controllers`;
  const text = await host.read(file);
  if ('unknown' in text) return { said: of(text, () => NOTHING) };
  if (text.is === undefined)
    return {
      said: said('error', `failed to get cgroups v${version} subsystems: open ${file}: no such file or directory`),
    };
  if (version === 1) return subsystemsOf(text.is);
  const freezes = inRelease(release, versions.LOOKS_FOR_FREEZER) ? await host.freezes(mountPoint) : { is: true };
  if ('unknown' in freezes) return { said: of(freezes, () => NOTHING) };
  return ['devices', ...(freezes.is ? ['freezer'] : []), ...text.is.split(/\s+/)];
}

/** `kubelet`: its minor. */
async function groupsOf(
  looking: Looking,
  mounted: Mounted | undefined,
  kubelet: number | undefined,
): Promise<readonly Said[]> {
  const { release, decisions } = looking;
  if (mounted === undefined) return said('error', `cannot get a cgroup mount point: ${NO_MOUNT}`);
  const { version } = mounted;
  const present = await presentGroups(looking, mounted);
  if ('said' in present) return present.said;
  const deprecated = version === 1 ? atRelease(release, versions.CGROUPS_1) : undefined;
  const missing = decisions.requiredCgroups(version).filter((name) => !present.includes(name));
  const optional = versions.CGROUPS[version].optional.filter((name) => !present.includes(name));
  const level = decisions.cgroups1Level(kubelet);
  const old = deprecated === undefined ? NOTHING : said(level, deprecated);
  return [
    // What is missing stands in the place of other errors.
    ...(missing.length > 0 ? old.filter((one) => one.level === 'warning') : old),
    ...(missing.length > 0 ? said('error', `missing required cgroups: ${missing.join(' ')}`) : NOTHING),
    ...(optional.length > 0 ? said('warning', `missing optional cgroups: ${optional.join(' ')}`) : NOTHING),
  ];
}

/** All that is said of the system, warnings and errors. `docker`: it is looked at, too. */
export async function systemOf(looking: Looking, docker: boolean): Promise<readonly Said[]> {
  const { host, release } = looking;
  // Linux alone has control groups and a configuration of its kernel that can be read.
  if (host.os !== 'linux') return NOTHING;
  let kubelet: number | undefined;
  if (inRelease(release, versions.SYSTEM_ASKS_KUBELET)) {
    const found = await readKubelet(host);
    if ('unknown' in found) return of(found, () => NOTHING);
    if ('failure' in found.is) return said('error', found.is.failure);
    kubelet = found.is.minor;
  }
  const kernel = await host.kernelRelease();
  if ('unknown' in kernel) return of(kernel, () => NOTHING);
  const mounts = await host.read(MOUNTS);
  const memory = await host.exists(`${ROOT}/memory`);
  const about = kernelOf(looking, kernel.is);
  if ('unknown' in mounts || 'unknown' in memory)
    return [...about, ...of(mounts, () => NOTHING), ...of(memory, () => NOTHING)];
  const mounted = cgroupsIn(mounts.is ?? '', memory.is);
  const options = await optionsOf(looking, kernel.is, mounted?.version ?? 1);
  const groups = await groupsOf(looking, mounted, kubelet);
  return [...about, ...options, ...groups, ...(docker ? await dockerOf(host) : NOTHING)];
}

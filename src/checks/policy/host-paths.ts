/**
 * What a static Pod comes to by the paths of its host: of the machine that by which it were root, and the keys of
 * others. A mount that is read-only closes nothing of a socket: who reaches it connects (measured on Linux 6).
 */
import { posix } from 'node:path';
import { type Fields, record, records, text } from '../../kubernetes/json.js';

/** A path of the host as a container sees it: of a volume, with the subPath of its mount. */
export interface HostPath {
  readonly path: string;
  /** Some container may write there. */
  readonly isWritten: boolean;
  /** Every container that mounts it runs as somebody else than root. */
  readonly isNobodys: boolean;
}

export const containersOf = (pod: Fields): readonly Fields[] => {
  const spec = record(pod.spec);
  return [...records(spec.initContainers), ...records(spec.containers)];
};

/** Whether a container runs as somebody else than root, as it and its Pod say. */
function isNobodys(pod: Fields, container: Fields): boolean {
  const [own, all] = [container.securityContext, record(pod.spec).securityContext].map(record);
  const user = own?.runAsUser ?? all?.runAsUser;
  return typeof user === 'number' ? user !== 0 : (own?.runAsNonRoot ?? all?.runAsNonRoot) === true;
}

/** A volume that nobody mounts is told as one that is read. */
export function hostPathsIn(pod: Fields): readonly HostPath[] {
  const mounts = containersOf(pod).flatMap((container) =>
    records(container.volumeMounts).map((mount) => ({ mount, isNobodys: isNobodys(pod, container) })),
  );
  return records(record(pod.spec).volumes).flatMap(({ name, hostPath }): readonly HostPath[] => {
    const written = text(record(hostPath).path);
    if (written === '') return [];
    const folder = posix.resolve('/', written);
    const own = mounts.filter(({ mount }) => text(mount.name) === text(name));
    if (own.length === 0) return [{ path: folder, isWritten: false, isNobodys: false }];
    return own.map(({ mount, ...one }) => ({
      ...one,
      path: posix.join(folder, posix.resolve('/', text(mount.subPath))).replace(/(?<=.)\/$/, ''),
      isWritten: mount.readOnly !== true,
    }));
  });
}

const oneOf = (...paths: readonly string[]): RegExp => new RegExp(`^(?:${paths.join('|')})$`);
const BELOW = '(?:/.*)?';

/** Who writes there is root before long: what root, systemd, the kubelet or its runtime run or obey. */
const OBEYED = [
  oneOf(
    ...[
      '/etc',
      '/etc/(?:crontab|passwd|group|profile|environment|rc\\.local|bash\\.bashrc|ld\\.so\\.(?:preload|conf))',
    ],
    `/etc/(?:systemd|cron\\.[a-z]+|sudoers|sudoers\\.d|pam\\.d|default|sysconfig|profile\\.d|init\\.d)${BELOW}`,
    `/etc/(?:ssh|ssl/private|ld\\.so\\.conf\\.d|udev|modprobe\\.d|modules-load\\.d|sysctl\\.d|apt|yum\\.repos\\.d)${BELOW}`,
    `/etc/(?:containerd|crio|docker|logrotate\\.d|kubernetes/manifests)${BELOW}`,
  ),
  oneOf(
    ...['/usr', '/usr/local', '/home', '/opt', '/lib', '/lib64', '/boot', '/dev', '/var', '/var/lib'],
    `(?:/usr|/usr/local)?/s?bin${BELOW}`,
    ...['/usr/lib', `(?:/usr)?/lib/systemd${BELOW}`, '/var/lib/(?:containerd|docker|containers|crio)'],
    ...['/var/lib/kubelet', '/var/lib/kubelet/pods', '/var/lib/kubelet/[^/]+\\.(?:yaml|env)'],
    ...[`/var/lib/cloud${BELOW}`, '/var/spool', `/var/spool/cron${BELOW}`],
    `/run/containerd/io\\.containerd\\.runtime[^/]*${BELOW}`,
  ),
  oneOf(
    // programs that the kernel starts as root: core_pattern, modprobe, uevent_helper, register of binfmt_misc
    ...['/proc', '/proc/sys', '/proc/sys/(?:kernel|fs)', '/proc/sys/kernel/(?:core_pattern|modprobe)'],
    ...[`/proc/sys/fs/binfmt_misc${BELOW}`, '/proc/sysrq-trigger', '/sys', '/sys/kernel', `/sys/kernel/debug${BELOW}`],
    ...['/sys/kernel/uevent_helper'],
  ),
];

/** Who reads it is root, or whom the cluster believes most, and needs to write nothing. */
const BELIEVED = [
  oneOf(
    ...['/root', `/root/\\.(?:ssh|kube)${BELOW}`, `/home/[^/]+/\\.(?:ssh|kube)${BELOW}`],
    ...['/etc/g?shadow-?', '/etc/ssh', '/etc/ssh/ssh_host_[a-z\\d]+_key', `/etc/ssl/private${BELOW}`],
    '/var/lib/kubelet/pki(?:/.*\\.(?:pem|key))?',
    // the disk, the memory, and the root of whatever runs
    ...['/dev/(?:k?mem|port)', '/dev/(?:sd|vd|xvd|nvme|dm-|mmcblk|md)[a-z\\d]*', `/dev/(?:mapper|disk)${BELOW}`],
    ...['/proc/kcore', '/proc/[^/]+/(?:root|mem)', '/proc/1'],
  ),
  // sockets of the runtime and of systemd, and the folders that they lie in
  oneOf('/run', '/run/(?:containerd|crio|docker)', '/run/systemd', '/run/systemd/private', '/run/cri-dockerd\\.sock'),
];

/** Whom systemd does the will of, where he is root. */
const BUS = oneOf('/run/dbus', '/run/dbus/system_bus_socket');

/** Keys that sign for the cluster, below the folder of certificates. */
const SIGNING = [
  'ca.key',
  'etcd/ca.key',
  'front-proxy-ca.key',
  'front-proxy-client.key',
  'sa.key',
  'apiserver-kubelet-client.key',
];

const isOneOf = (path: string, all: readonly RegExp[]): boolean => all.some((one) => one.test(path));

/** Paths by which a Pod were root on its machine. */
export const powerfulPathsIn = (pod: Fields): readonly string[] =>
  hostPathsIn(pod).flatMap(({ path: written, isWritten, isNobodys: isOthers }) => {
    const path = written.replace(/^\/var\/run(?=\/|$)/, '/run');
    const ok = !isOneOf(path, BELIEVED) && !(isWritten && isOneOf(path, OBEYED)) && (isOthers || !BUS.test(path));
    return ok ? [] : [written];
  });

/** Keys that sign for the cluster. */
export const signingKeysIn = (pod: Fields, pki: string): readonly string[] =>
  hostPathsIn(pod).flatMap(({ path }) => (SIGNING.some((key) => path === `${pki}/${key}`) ? [path] : []));

const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? folder : `${folder}/`);

/** Folders with the keys of others, or that hold such a folder. `data`: of etcd. */
export function keyFoldersIn(pod: Fields, pki: string, data: string): readonly string[] {
  const folders = ['/etc/kubernetes', pki, `${pki}/etcd`, '/var/lib/kubelet', '/var/lib/kubelet/pki', data];
  return hostPathsIn(pod).flatMap(({ path }) => {
    const isKeys =
      folders.some((folder) => isBelow(folder, path)) ||
      path === `${pki}/ca.key` ||
      isBelow(path, data) ||
      // tokens and Secrets of all Pods
      isBelow(path, '/var/lib/kubelet/pods');
    return isKeys ? [path] : [];
  });
}

/** The administrator that RBAC does not hold, since 1.29. */
const SUPER = '/etc/kubernetes/super-admin.conf';
export const mountsSuperAdmin = (pod: Fields): boolean => hostPathsIn(pod).some(({ path }) => path === SUPER);

/** Whether systemd can start the kubelet as its unit says, and what else it starts with it. */
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { isInCommonFolder } from '../written/flag-values.js';
import type { Told } from './kubelet-service.js';
import type { Started } from './kubelet-started.js';

/** What fetches something and runs it, or runs it from where everybody may write. */
function isFetched(command: string): boolean {
  const [first = '', ...next] = command.split('|');
  return /\b(?:curl|wget)\b/.test(first) && next.some((one) => /^(?:sudo )?(?:ba|da|a|z)?sh\b/.test(one.trim()));
}

/** Prefixes of a command: systemd.service(5). */
export const programOf = (command: string): string => command.replace(/^[-@:+!|]*/, '').split(/\s/)[0] ?? '';

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

/** Variables that others obey before any flag. */
const COMMANDING = /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|GODEBUG)$/;

/** One command, as root, which is a kubelet, and nothing of strangers before it. */
export const unitStarts: Check<Started> = {
  id: 'node-unit/starts',
  source: 'systemd.service(5), systemd.unit(5); kubernetes/release, kubelet.service',
  nothing: 'the unit kubelet.service does not lie there as a whole',
  judge: ({ unit, masked, variables, isMissing = false, isOff = false }) => {
    const subject = 'kubelet.service';
    const look = (demanded: string, seen: string, ok: boolean) => demand({ subject, demanded, seen, ok });
    const hidden = [
      ...masked.map((path) => look('it is not masked', `${path} says nothing`, false)),
      ...(isOff ? [look('it starts with its machine', 'nothing starts it', false)] : []),
      ...(isMissing ? [look('it lies there with its parts', 'it does not', false)] : []),
    ];
    if (unit === undefined) return hidden;
    const { commands, before, files, user } = unit;
    const [command = ''] = commands;
    const odd = before.filter((one) => isFetched(one) || isInCommonFolder(programOf(one)));
    const common = files.filter(isInCommonFolder);
    const commanding = Object.keys(variables).filter((name) => COMMANDING.test(name));
    return [
      ...hidden,
      look('it has one command', `${commands.length}`, commands.length === 1),
      look(
        'its command is a kubelet',
        programOf(command) || 'there is none',
        /^(?:.*[-_.])?kubelet(?:[-_.].*)?$/.test(nameOf(programOf(command))),
      ),
      look('it runs as root', user || 'it does', ['', 'root', '0'].includes(user)),
      look('nothing of strangers runs before it', odd.join('; ').slice(0, 120) || 'nothing does', odd.length === 0),
      look('its variables come from where root alone writes', common.join(', ') || 'they do', common.length === 0),
      look('its variables change no program', commanding.join(', ') || 'none does', commanding.length === 0),
    ];
  },
};

const lastOf = (told: Told, key: string): string => told[key]?.at(-1) ?? '';
const isYes = (value: string): boolean => /^(?:yes|y|true|t|on|1)$/i.test(value);
/** Folders that a kubelet writes below. */
const WRITTEN = ['/', '/var', '/var/lib', '/var/lib/kubelet'];

const SEEN = [...WRITTEN, '/etc', '/etc/kubernetes'];

/** The kubelet reads /dev/kmsg, which two of the last hide, and writes below /sys/fs/cgroup. */
const SANDBOX = [
  ...['DynamicUser', 'PrivateNetwork', 'PrivateUsers', 'PrivateMounts'],
  ...['PrivateDevices', 'ProtectKernelLogs', 'ProtectControlGroups'],
];

/** What keeps it from the network. */
function unreached(told: Told): readonly string[] {
  const isDenied = (told.IPAddressDeny ?? []).some((line) => /(?:^|\s)any(?:\s|$)/.test(line));
  const families = told.RestrictAddressFamilies ?? [];
  const isWithout = families.length > 0 && !families.some((line) => /^~|\bAF_INET\b/.test(line));
  return [
    ...(isDenied && (told.IPAddressAllow ?? []).length === 0 ? ['IPAddressDeny=any'] : []),
    ...(isWithout ? ['RestrictAddressFamilies without AF_INET'] : []),
  ];
}

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 };
/** Bytes of "64M"; undefined where it is no number of bytes, or no limit. */
function bytesOf(value: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,15})([KMGT]?)$/.exec(value) ?? [];
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 1);
}

/** As much as kubelets of 1.31 to 1.36 take before they have read their configuration: 53 MiB resident, measured. */
const LEAST_MEMORY = 53 * 2 ** 20;
const LEAST_TASKS = 8;
const LEAST_PERCENT = 3;
const LEAST_FILE = 2 ** 20;
/** A quarter of what systemd gives any unit: its sockets, watches and the logs of its Pods are files as well. */
const LEAST_FILES = 256;

/** What ends it, or leaves it ended. */
function endedBy(told: Told): readonly string[] {
  const isBelow = (key: string, least: number): boolean => (bytesOf(lastOf(told, key)) ?? least) < least;
  const quota = /^(\d{1,9})%$/.exec(lastOf(told, 'CPUQuota'))?.[1];
  return [
    ...(/^(?:no|on-success)$/.test(lastOf(told, 'Restart')) ? ['Restart'] : []),
    ...(/^(?:|infinity|0)$/.test(lastOf(told, 'RuntimeMaxSec')) ? [] : ['RuntimeMaxSec']),
    ...(isBelow('MemoryMax', LEAST_MEMORY) ? ['MemoryMax'] : []),
    ...(isBelow('TasksMax', LEAST_TASKS) ? ['TasksMax'] : []),
    ...(isBelow('LimitFSIZE', LEAST_FILE) ? ['LimitFSIZE'] : []),
    // "64:1024" is the one that counts, and how far a program may raise it: programs of Go do
    ...(Number(/^(?:\d{1,15}:)?(\d{1,15})$/.exec(lastOf(told, 'LimitNOFILE'))?.[1] ?? LEAST_FILES) < LEAST_FILES
      ? ['LimitNOFILE']
      : []),
    ...(quota !== undefined && Number(quota) < LEAST_PERCENT ? ['CPUQuota'] : []),
  ].map((key) => `${key}=${lastOf(told, key).slice(0, 40)}`);
}

/** What of its machine a sandbox keeps from it. Source: systemd.exec(5). */
function sandboxOf(told: Told): readonly string[] {
  const isOpened = (told.ReadWritePaths ?? []).length > 0;
  const paths = (key: string): readonly string[] =>
    (told[key] ?? []).flatMap((line) => line.split(/\s+/)).map((path) => path.replace(/^[-+]{1,2}/, ''));
  const emptied = paths('TemporaryFileSystem').map((path) => path.replace(/:.*/, ''));
  const closed = [
    ...paths('ReadOnlyPaths').filter((path) => WRITTEN.includes(path)),
    ...paths('InaccessiblePaths').filter((path) => SEEN.includes(path)),
    ...((told.BindPaths ?? []).length === 0 ? emptied.filter((path) => SEEN.includes(path)) : []),
  ];
  // an empty one takes all of them away
  const capabilities = told.CapabilityBoundingSet;
  const isBound = capabilities !== undefined && !capabilities.some((line) => /^~|CAP_SYS_ADMIN/.test(line));
  return [
    ...['RootDirectory', 'RootImage'].filter((key) => !['', '/'].includes(lastOf(told, key))),
    ...SANDBOX.filter((key) => isYes(lastOf(told, key))),
    ...(lastOf(told, 'ProcSubset') === 'pid' ? ['ProcSubset=pid'] : []),
    ...(lastOf(told, 'ProtectControlGroups') === 'strict' ? ['ProtectControlGroups=strict'] : []),
    ...(lastOf(told, 'NetworkNamespacePath') === '' ? [] : ['NetworkNamespacePath']),
    ...unreached(told),
    ...(/^(?:slave|private)$/.test(lastOf(told, 'MountFlags')) ? ['MountFlags'] : []),
    ...(lastOf(told, 'ProtectSystem') === 'strict' && !isOpened ? ['ProtectSystem=strict'] : []),
    ...(closed.length > 0 && !isOpened ? [`${closed.join(', ').slice(0, 80)} closed to it`] : []),
    ...(isBound ? ['CapabilityBoundingSet without CAP_SYS_ADMIN'] : []),
  ];
}

/** Whose files lie there as a whole; those of the others where one of their folder does. */
const isRead = (path: string, files: readonly string[]): boolean => {
  const [, folder = ''] = /^(\/etc\/(?:kubernetes|default|sysconfig)\/)[^*?/]+$/.exec(path) ?? [];
  return folder === '/etc/kubernetes/' || (folder !== '' && files.some((file) => file.startsWith(folder)));
};

/** Units that a kubelet needs beside it. */
const RELIED_ON =
  /(?:^|\s)(?:containerd|crio|network|network-online|basic|sysinit|multi-user)\.(?:service|target)(?:\s|$)/;
/** One that may fail has "-" before it. */
const FAILING = /^[@:+!|]*(?:(?:\/usr)?\/bin\/false\b|(?:\/usr)?\/bin\/(?:ba|da)?sh -c ["']?exit [1-9])/;
const TESTED = /^[@:+!|]*(?:\/usr)?\/bin\/(?:test|\[) -[efdsr] (\/[^\s\]]+)/;

/** What it waits for in vain. */
function awaited(told: Told, files: readonly string[]): readonly string[] {
  const isGone = (path: string): boolean =>
    isRead(path, files) && !files.some((file) => file === path || file.startsWith(`${path}/`));
  const isThere = (path: string): boolean => path.startsWith('!') && files.includes(path.slice(1));
  const ending = [...(told.ExecCondition ?? []), ...(told.ExecStartPre ?? [])];
  const conditions = [...(told.ConditionPathExists ?? []), ...(told.AssertPathExists ?? [])];
  return [
    ...(/^(?:oneshot|forking|dbus)$/.test(lastOf(told, 'Type')) ? [`Type=${lastOf(told, 'Type')}`] : []),
    ...conditions.filter((path) => isGone(path) || isThere(path)).map((path) => `a condition of ${path}`),
    ...(isYes(lastOf(told, 'ConditionFirstBoot')) ? ['ConditionFirstBoot'] : []),
    ...(told.Conflicts ?? []).filter((line) => RELIED_ON.test(line)).map((line) => `Conflicts=${line.slice(0, 60)}`),
    ...(told.EnvironmentFile ?? []).filter(isGone).map((path) => `${path}, which is not there`),
    ...ending.filter((command) => FAILING.test(command)),
    ...ending.filter((command) => isGone(TESTED.exec(command)?.[1] ?? '')),
  ];
}

const BESIDE = ['ExecCondition', 'ExecStartPost', 'ExecReload', 'ExecStop', 'ExecStopPost'];
/** "bash <(curl …)", "sh -c $(wget …)" */
const INLINE = /(?:<|\$)\(\s?(?:curl|wget)\b/;
/** "chmod -R 777 /etc/kubernetes", "chmod o+w /var/lib/kubelet/pki": everybody writes there. */
const OPENING = /\bchmod (?:-\w{1,9} )?(?:[0-7]{0,2}[0-7][2367]|[ug]{0,2}[oa][ugoa]{0,3}[+=][rxX]{0,3}w\w{0,3}|\+w) /;
const OF_KEYS = /\s\/(?:etc\/kubernetes|var\/lib\/(?:kubelet|etcd))(?:[/\s"';]|$)/;

/** Why its program cannot be started. Programs are looked for in few folders: elsewhere nobody knows. */
function unstarted(command: string, files: readonly string[], closed: readonly string[]): readonly string[] {
  const program = programOf(command);
  const others = files.filter((path) => /^\/(?:usr(?:\/local)?|opt)\/s?bin\/kubelet$/.test(path));
  const isElsewhere = /^\/(?:usr(?:\/local)?|opt)\/s?bin\/kubelet$/.test(program) && !files.includes(program);
  // its folder was looked at where others of the same lie in it
  const folder = program.slice(0, program.lastIndexOf('/'));
  const isLooked = ['kubeadm', 'kubectl', 'containerd', 'crictl'].some((name) => files.includes(`${folder}/${name}`));
  return [
    ...(isElsewhere && (others.length > 0 || isLooked) ? [`${program}, where none is`] : []),
    ...(closed.includes(program) ? [`${program}, which nobody may run`] : []),
  ];
}

/**
 * It is no sandbox, waits for nothing that never comes, runs nothing of strangers besides, and stays. `files`: of the
 * disk; `closed`: programs that nobody may run.
 */
export const unitAble: Check<Started, { readonly files: readonly string[]; readonly closed?: readonly string[] }> = {
  id: 'node-unit/able',
  source: 'systemd.exec(5), systemd.service(5), systemd.unit(5); kubernetes.io, mount propagation',
  nothing: 'the unit kubelet.service does not lie there as a whole',
  judge: ({ unit }, { files, closed = [] }): readonly Finding[] => {
    if (unit === undefined) return [];
    const { told = {} } = unit;
    const look = (demanded: string, odd: readonly string[], otherwise: string): Finding => {
      const seen = odd.slice(0, 4).join('; ').slice(0, 160) || otherwise;
      return demand({ subject: 'kubelet.service', demanded, seen, ok: odd.length === 0 });
    };
    const beside = BESIDE.flatMap((key) => told[key] ?? []);
    const fetched = [
      ...beside.filter((command) => isFetched(command) || isInCommonFolder(programOf(command))),
      ...[...beside, ...(told.ExecStartPre ?? [])].filter(
        (command) => INLINE.test(command) || (OPENING.test(command) && OF_KEYS.test(command)),
      ),
    ];
    return [
      look('it has the whole machine before it', sandboxOf(told), 'it has'),
      look(
        'it waits for nothing that never comes',
        [...awaited(told, files), ...unstarted(unit.commands.at(-1) ?? '', files, closed)],
        'it does not',
      ),
      look('nothing of strangers runs beside it', fetched, 'nothing does'),
      look('it stays, and is started again where it ends', endedBy(told), 'it does'),
    ];
  },
};

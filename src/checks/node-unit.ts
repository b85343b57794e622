/** Whether systemd can start the kubelet as its unit says, and what else it starts with it. */
import type { Check } from '../model/check.js';
import { demand, type Finding } from '../model/finding.js';
import { isInCommonFolder } from './flag-values.js';
import type { Told } from './kubelet-service.js';
import type { Started } from './node-kubelet.js';

/** What fetches something and runs it, or runs it from where everybody may write. */
function isFetched(command: string): boolean {
  const [first = '', ...next] = command.split('|');
  return /\b(?:curl|wget)\b/.test(first) && next.some((one) => /^(?:sudo )?(?:ba|da|a|z)?sh\b/.test(one.trim()));
}

/** Prefixes of a command: systemd.service(5). */
const programOf = (command: string): string => command.replace(/^[-@:+!|]*/, '').split(/\s/)[0] ?? '';

const nameOf = (program: string): string => program.slice(program.lastIndexOf('/') + 1);

/** Variables that others obey before any flag. */
const COMMANDING = /^(?:LD_(?:PRELOAD|AUDIT|LIBRARY_PATH)|GODEBUG)$/;

/** One command, as root, which is a kubelet, and nothing of strangers before it. */
export const unitStarts: Check<Started> = {
  id: 'node-unit/starts',
  source: 'systemd.service(5), systemd.unit(5); kubernetes/release, kubelet.service',
  nothing: 'the unit kubelet.service does not lie there as a whole',
  judge: ({ unit, masked, variables }) => {
    const subject = 'kubelet.service';
    const look = (demanded: string, seen: string, ok: boolean) => demand({ subject, demanded, seen, ok });
    const hidden = masked.map((path) => look('it is not masked', `${path} is a link to nothing`, false));
    if (unit === undefined) return hidden;
    const { commands, before, user } = unit;
    const [command = ''] = commands;
    const odd = before.filter((one) => isFetched(one) || isInCommonFolder(programOf(one)));
    const commanding = Object.keys(variables).filter((name) => COMMANDING.test(name));
    return [
      ...hidden,
      look('it has one command', `${commands.length}`, commands.length === 1),
      look(
        'its command is a kubelet',
        programOf(command) || 'there is none',
        nameOf(programOf(command)).includes('kubelet'),
      ),
      look('it runs as root', user || 'it does', ['', 'root', '0'].includes(user)),
      look('nothing of strangers runs before it', odd.join('; ').slice(0, 120) || 'nothing does', odd.length === 0),
      look('its variables change no program', commanding.join(', ') || 'none does', commanding.length === 0),
    ];
  },
};

const lastOf = (told: Told, key: string): string => told[key]?.at(-1) ?? '';
const isYes = (value: string): boolean => /^(?:yes|y|true|t|on|1)$/i.test(value);
/** Folders that a kubelet writes below. */
const WRITTEN = ['/', '/var', '/var/lib', '/var/lib/kubelet'];

/** What of its machine a sandbox keeps from it. Source: systemd.exec(5). */
function sandboxOf(told: Told): readonly string[] {
  const isOpened = (told.ReadWritePaths ?? []).length > 0;
  const paths = (key: string): readonly string[] =>
    (told[key] ?? []).flatMap((line) => line.split(/\s+/)).map((path) => path.replace(/^[-+]{1,2}/, ''));
  const closed = [
    ...paths('ReadOnlyPaths').filter((path) => WRITTEN.includes(path)),
    ...paths('InaccessiblePaths').filter((path) => [...WRITTEN, '/etc', '/etc/kubernetes'].includes(path)),
  ];
  const capabilities = told.CapabilityBoundingSet ?? [];
  const isBound = capabilities.length > 0 && !capabilities.some((line) => /^~|CAP_SYS_ADMIN/.test(line));
  return [
    ...['RootDirectory', 'RootImage'].filter((key) => !['', '/'].includes(lastOf(told, key))),
    ...['DynamicUser', 'PrivateNetwork', 'PrivateUsers', 'PrivateMounts'].filter((key) => isYes(lastOf(told, key))),
    ...(/^(?:slave|private)$/.test(lastOf(told, 'MountFlags')) ? ['MountFlags'] : []),
    ...(lastOf(told, 'ProtectSystem') === 'strict' && !isOpened ? ['ProtectSystem=strict'] : []),
    ...(closed.length > 0 && !isOpened ? [`${closed.join(', ').slice(0, 80)} closed to it`] : []),
    ...(isBound ? ['CapabilityBoundingSet without CAP_SYS_ADMIN'] : []),
  ];
}

/** Whose files lie there as a whole. */
const isRead = (path: string): boolean => /^\/etc\/kubernetes\/[^*?/]+$/.test(path);

/** What it waits for in vain. */
function awaited(told: Told, files: readonly string[]): readonly string[] {
  const isGone = (path: string): boolean =>
    isRead(path) && !files.some((file) => file === path || file.startsWith(`${path}/`));
  const ending = [...(told.ExecCondition ?? []), ...(told.ExecStartPre ?? [])];
  return [
    ...(/^(?:oneshot|forking|dbus)$/.test(lastOf(told, 'Type')) ? [`Type=${lastOf(told, 'Type')}`] : []),
    ...(told.ConditionPathExists ?? []).filter(isGone).map((path) => `a condition of ${path}`),
    ...(told.EnvironmentFile ?? []).filter(isGone).map((path) => `${path}, which is not there`),
    ...ending.filter((command) => /^[@:+!|]*(?:\/usr)?\/bin\/false\b/.test(command)),
  ];
}

const BESIDE = ['ExecCondition', 'ExecStartPost', 'ExecReload', 'ExecStop', 'ExecStopPost'];
/** "bash <(curl …)", "sh -c $(wget …)" */
const INLINE = /(?:<|\$)\(\s?(?:curl|wget)\b/;

/** It is no sandbox, waits for nothing that never comes, and runs nothing of strangers besides. `files`: of the disk. */
export const unitAble: Check<Started, { readonly files: readonly string[] }> = {
  id: 'node-unit/able',
  source: 'systemd.exec(5), systemd.service(5), systemd.unit(5); kubernetes.io, mount propagation',
  nothing: 'the unit kubelet.service does not lie there as a whole',
  judge: ({ unit }, { files }): readonly Finding[] => {
    if (unit === undefined) return [];
    const { told = {} } = unit;
    const look = (demanded: string, odd: readonly string[], otherwise: string): Finding => {
      const seen = odd.slice(0, 4).join('; ').slice(0, 160) || otherwise;
      return demand({ subject: 'kubelet.service', demanded, seen, ok: odd.length === 0 });
    };
    const beside = BESIDE.flatMap((key) => told[key] ?? []);
    const fetched = [
      ...beside.filter((command) => isFetched(command) || isInCommonFolder(programOf(command))),
      ...[...beside, ...(told.ExecStartPre ?? [])].filter((command) => INLINE.test(command)),
    ];
    return [
      look('it has the whole machine before it', sandboxOf(told), 'it has'),
      look('it waits for nothing that never comes', awaited(told, files), 'it does not'),
      look('nothing of strangers runs beside it', fetched, 'nothing does'),
    ];
  },
};

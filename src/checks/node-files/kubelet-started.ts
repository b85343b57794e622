/**
 * What the kubelet of a node is started with: the parts of its unit on the disk, the files of variables that they name,
 * and those that packages name.
 * Source: systemd.unit(5), systemd.exec(5); kubernetes/release, kubeadm 10-kubeadm.conf.
 */
import { record } from '../../kubernetes/json.js';
import { withoutEnd } from '../written/flag-values.js';
import {
  commandOf,
  EXTRA_ARGS,
  flagsIn,
  type ServiceSeen,
  UNIT_FOLDERS,
  type UnitSeen,
  unitOf,
  variablesOf,
} from './kubelet-service.js';
import type { Disk, Held } from './node-seen.js';

/** Where kubeadm writes flags of the kubelet. */
export const ENVIRONMENT = '/var/lib/kubelet/kubeadm-flags.env';
/** Names and values. */
export type Flags = Readonly<Record<string, string>>;

const flagsAt = (disk: Disk, path: string): Flags => {
  const there = disk[path]?.held;
  return there?.kind === 'flags' ? there.flags : {};
};

/** A link to /dev/null, or an empty file in its place. */
const isNothing = (held: Held): boolean =>
  held.kind === 'unreadable' && /^it is (?:a link to nothing|empty)$/.test(held.why);
const isPart = (path: string, unit: string): boolean => path === unit || path.startsWith(`${unit}.d/`);

/**
 * Parts of a unit, as systemd puts them together: itself first, then by name, and of two of one name that of /etc.
 */
export function partsOf(disk: Disk, unit: string = UNIT): readonly ServiceSeen[] {
  const byName = new Map<string, ServiceSeen>();
  for (const folder of UNIT_FOLDERS)
    for (const [path, { held }] of Object.entries(disk)) {
      if (!isPart(path, `${folder}/${unit}`)) continue;
      const name = path.slice(path.lastIndexOf('/') + 1);
      if (held.kind === 'service') byName.set(name, held.service);
      // a link to /dev/null in the place of a part takes it away
      else if (name !== unit && isNothing(held)) byName.delete(name);
    }
  const { [unit]: own, ...more } = Object.fromEntries(byName);
  const others = Object.entries(more).sort(([one], [other]) => (one < other ? -1 : 1));
  return [...(own === undefined ? [] : [own]), ...others.map(([, part]) => part)];
}
const UNIT = 'kubelet.service';

/** Files of the unit that say that nobody starts it: links to nothing, as of /dev/null. */
const maskedBy = (disk: Disk): readonly string[] =>
  UNIT_FOLDERS.map((folder) => `${folder}/${UNIT}`).filter((path) => {
    const there = disk[path]?.held;
    return there !== undefined && isNothing(there);
  });

/** Variables that files of the unit set, beside those that hold flags. */
const variablesAt = (disk: Disk, path: string): Flags => {
  const there = disk[path]?.held;
  if (there?.kind !== 'flags') return {};
  return { ...Object.fromEntries((there.variables ?? []).map((name) => [name, ''] as const)), ...there.proxies };
};

/** Flags in variables that files of the unit set: of two of one name the later file counts. */
const environmentOf = (disk: Disk, files: readonly string[]): Flags =>
  Object.assign(
    {},
    ...files.map((path) => {
      const there = disk[path]?.held;
      return there?.kind === 'environment' ? there.variables : {};
    }),
  ) as Flags;

/** What the kubelet is started with; `command`: undefined where no part of its unit lies there. */
export interface Started {
  readonly command: string | undefined;
  readonly files: readonly string[];
  readonly flags: Flags;
  /** What its unit gives it besides. */
  readonly variables: Flags;
  /** Feature gates of its configuration: "Name=true". */
  readonly gates: readonly string[];
  /** The unit with all its parts; undefined where the whole of it does not lie there. */
  readonly unit?: UnitSeen;
  /** Where it is masked. */
  readonly masked: readonly string[];
  /** Parts of it or the unit of its runtime, and its program lie where packages put them, and itself nowhere. */
  readonly isMissing?: true;
  /** Nothing starts it when its machine starts. */
  readonly isOff?: true;
}

/** Parts of a package, or the unit of the runtime: where they lie units lie. */
const BESIDE = /^\/(?:usr\/)?lib\/systemd\/system\/(?:kubelet\.service\.d\/[^/]+\.conf|containerd\.service)$/;
/** Who copies programs copies units as well. */
const PROGRAM = /^\/(?:usr(?:\/local)?|opt)\/bin\/kubelet$/;
const WANTS = '/etc/systemd/system/multi-user.target.wants';
const ENABLED = /^\/etc\/systemd\/system\/[^/]+\.wants\/kubelet\.service$/;

/** What of the disk says that nothing starts the unit. */
function unstarted(disk: Disk): Pick<Started, 'isMissing' | 'isOff'> {
  const paths = Object.keys(disk);
  const own = UNIT_FOLDERS.map((folder) => disk[`${folder}/${UNIT}`]?.held).findLast(
    (held) => held?.kind === 'service',
  );
  const { told = {}, isWhole = false } = own?.kind === 'service' ? own.service : {};
  const isThere = UNIT_FOLDERS.some((folder) => disk[`${folder}/${UNIT}`] !== undefined);
  const isWanted = ['WantedBy', 'RequiredBy', 'UpheldBy', 'Alias'].some((key) => (told[key] ?? []).length > 0);
  const isOff =
    isThere && !paths.some((path) => ENABLED.test(path)) && (disk[WANTS] !== undefined || (isWhole && !isWanted));
  return {
    ...(!isThere && paths.some((path) => BESIDE.test(path)) && paths.some((path) => PROGRAM.test(path))
      ? { isMissing: true as const }
      : {}),
    ...(isOff ? { isOff: true as const } : {}),
  };
}

/** Variables that the unit of the packages hands to the kubelet, beside those of files. */
const HANDED_ON = ['KUBELET_KUBECONFIG_ARGS', 'KUBELET_CONFIG_ARGS', 'KUBELET_EXTRA_ARGS'];

/** Flags that parts of a unit hand on which does not lie there itself; of two, a file counts for more. */
function handedOn(disk: Disk, parts: readonly ServiceSeen[]): Flags {
  const isInFile = EXTRA_ARGS.some((path) => disk[path]?.held.kind === 'flags');
  const variables = variablesOf(parts);
  const names = HANDED_ON.filter((name) => !(isInFile && name === 'KUBELET_EXTRA_ARGS'));
  return flagsIn(names.map((name) => variables[name] ?? '').join(' '));
}

export function startedBy(disk: Disk): Started {
  const parts = partsOf(disk);
  const unit = unitOf(parts);
  const command = commandOf(parts, environmentOf(disk, unit.files));
  const extra = Object.assign({}, ...EXTRA_ARGS.map((path) => flagsAt(disk, path))) as Flags;
  const isReplaced = EXTRA_ARGS.some((path) => {
    const there = disk[path]?.held;
    return there?.kind === 'flags' && there.setsKubeadms === true;
  });
  const kubeadms = isReplaced ? {} : flagsAt(disk, ENVIRONMENT);
  const own = command === undefined ? handedOn(disk, parts) : flagsIn(command);
  const flags = { ...own, ...kubeadms, ...extra };
  const config = disk['/var/lib/kubelet/config.yaml']?.held;
  const told = Object.entries(config?.kind === 'settings' ? record(config.settings.featureGates) : {});
  const beside = [ENVIRONMENT, ...EXTRA_ARGS].map((path) => variablesAt(disk, path));
  const variables: Flags = Object.assign({}, variablesOf(parts), ...beside);
  const isWhole = UNIT_FOLDERS.some((folder) => disk[`${folder}/${UNIT}`]?.held.kind === 'service');
  return {
    command,
    files: unit.files,
    flags,
    variables,
    gates: told.map(([name, value]) => `${name}=${String(value)}`),
    ...(isWhole ? { unit } : {}),
    masked: maskedBy(disk),
    ...unstarted(disk),
  };
}

/** What the kubelet reads after its configuration; '' where no flag names a folder. */
export const dropInsOf = (disk: Disk): string => {
  const { 'config-dir': folder = '' } = startedBy(disk).flags;
  return /^\/[^*]+$/.test(folder) ? withoutEnd(folder) : '';
};

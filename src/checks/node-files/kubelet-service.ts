/**
 * How the service of the kubelet is started: parts of its systemd unit, and the flags that it comes to.
 * Source: systemd.exec(5), systemd.service(5); kubernetes/release, kubeadm 10-kubeadm.conf.
 */
import { flagsOfWords, STRAY } from '../written/flag-words.js';

/** A part of the unit of the kubelet: what it adds to the environment, and what it starts. */
export interface ServiceSeen {
  readonly variables: Readonly<Record<string, string>>;
  /** Files of variables. */
  readonly files: readonly string[];
  /** The last command; undefined where it names none. */
  readonly command: string | undefined;
  /** Commands since the last that was taken away. */
  readonly commands: readonly string[];
  /** Lists that it empties before it adds to them: "ExecStart". */
  readonly empties: readonly string[];
  /** What runs before it. */
  readonly before: readonly string[];
  /** As whom it runs; '' where nothing is said. */
  readonly user: string;
  /** What else it says that decides on its work, each with its values since the last empty one. */
  readonly told?: Told;
  /** It has sections besides, as one of a package has. */
  readonly isWhole?: true;
}
export type Told = Readonly<Record<string, readonly string[]>>;

/** Where packages let an operator add flags of the kubelet. Source: kubernetes/release, 10-kubeadm.conf. */
export const EXTRA_ARGS: readonly string[] = ['/etc/default/kubelet', '/etc/sysconfig/kubelet'];

/** Where units lie, the last one counts. Source: systemd.unit(5). */
export const UNIT_FOLDERS: readonly string[] = [
  '/lib/systemd/system',
  '/usr/lib/systemd/system',
  '/usr/local/lib/systemd/system',
  '/etc/systemd/system',
  '/run/systemd/system',
];

/** Flags of a command line, as `flagsOfWords` reads them. A kubelet takes "_" in a name for "-". */
export const flagsIn = (line: string): Readonly<Record<string, string>> =>
  Object.fromEntries(flagsOfWords(line.split(/\s+/), 'kubernetes').flags);

const QUOTED = /^(["'])(.*)\1$/s;

/** Names and values of a file of variables, as systemd reads it: the last of one name counts. */
export function variablesIn(content: string): Readonly<Record<string, string>> {
  const lines = content
    .replace(/\\\r?\n/g, ' ')
    .split('\n')
    .map((line) => line.trim());
  return Object.fromEntries(
    lines.flatMap((line) => {
      const at = line.indexOf('=');
      const name = line.slice(0, at).trimEnd();
      return at > 0 && /^[A-Za-z_]\w*$/.test(name) ? [[name, line.slice(at + 1).trim()] as const] : [];
    }),
  );
}

const bare = (value: string): string => QUOTED.exec(value)?.[2] ?? value;

/** Whose values are flags and nothing else, without their quotes: what other tools than kubeadm give a kubelet. */
export const flagVariablesIn = (content: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variablesIn(content)).flatMap(([name, value]) => {
      const line = bare(value).trim();
      return /^--?[a-z]/.test(line) ? [[name, line] as const] : [];
    }),
  );

/** Variables of a proxy. Of the proxy itself, which may name who asks it, only that there is one. */
export const proxiesIn = (variables: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => {
      if (/^https_proxy$/i.test(name)) return [[name, bare(value) === '' ? '' : 'a proxy'] as const];
      return /^no_proxy$/i.test(name) ? [[name, bare(value)] as const] : [];
    }),
  );

/** KUBELET_KUBEADM_ARGS="--a=b …" as flags; or what is wrong with it, a sentence. */
export function variableIn(content: string, variable: string): Readonly<Record<string, string>> | string {
  const { [variable]: value } = variablesIn(content);
  if (value === undefined) return `it sets no ${variable}`;
  const [, , inner] = QUOTED.exec(value) ?? [];
  if (inner === undefined && /^["']|["']$/.test(value)) return 'its quote is not closed';
  const { flags, stray } = flagsOfWords((inner ?? value).split(/\s+/), 'kubernetes');
  return Object.fromEntries(stray === undefined ? flags : [...flags, [STRAY, stray]]);
}

/** Lines of a section; what stands before the first one is taken for it. A section of another name says nothing. */
function linesOf(content: string, section: string): readonly string[] {
  let within = section;
  return content
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => {
      if (line.startsWith('[') && line.endsWith(']')) within = line.slice(1, -1);
      return within === section;
    });
}

const valuesOf = (lines: readonly string[], key: string): readonly string[] =>
  lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1).trim()] : []));

/** Words of a line; quotes hold blanks together. Source: systemd.syntax(7), quoting. */
const wordsIn = (line: string): readonly string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, one, other, bare]) => one ?? other ?? bare ?? '');

/** What stands after the last empty one, which takes away all before. */
const kept = (values: readonly string[]): readonly string[] => values.slice(values.lastIndexOf('') + 1);

/** Settings of [Service] that decide on the work of the kubelet. */
const DECIDING =
  'Type RootDirectory RootImage DynamicUser ProtectSystem ReadWritePaths PrivateNetwork PrivateUsers PrivateMounts ' +
  'MountFlags CapabilityBoundingSet ReadOnlyPaths InaccessiblePaths TemporaryFileSystem BindPaths ' +
  'UnsetEnvironment ExecCondition ExecStartPre ExecStartPost ExecReload ExecStop ExecStopPost EnvironmentFile ' +
  'PrivateDevices ProtectKernelLogs ProcSubset ' +
  'ProtectControlGroups NetworkNamespacePath IPAddressDeny IPAddressAllow RestrictAddressFamilies Restart ' +
  'RuntimeMaxSec MemoryMax CPUQuota TasksMax LimitFSIZE LimitNOFILE';
/** And of [Unit]. */
const CONDITIONS = ['ConditionPathExists', 'AssertPathExists', 'ConditionFirstBoot', 'Conflicts'];

/** By which it is started at a start of the machine. */
const INSTALLED = ['WantedBy', 'RequiredBy', 'UpheldBy', 'Alias'];

type Written = readonly (readonly [key: string, values: readonly string[]])[];

/** What a part says of each setting; '' where it takes away what was said before. */
function writtenIn(content: string): Written {
  const [service, unit, install] = ['Service', 'Unit', 'Install'].map((section) => linesOf(content, section));
  return [
    ...INSTALLED.map((key) => [key, valuesOf(install ?? [], key)] as const),
    ...[...OWN, ...DECIDING.split(' ')].map((key) => [key, valuesOf(service ?? [], key)] as const),
    ...CONDITIONS.map((key) => [key, valuesOf(unit ?? [], key)] as const),
  ];
}

const toldIn = (written: Written): Told =>
  Object.fromEntries(
    written
      .filter(([key]) => !OWN.includes(key))
      .map(([key, values]) => [key, kept(values)] as const)
      .filter(([, values]) => values.length > 0),
  );

/** Those that have a reader of their own. */
const OWN = ['ExecStart', 'Environment'];

/** One file of kubelet.service.d, or the unit itself. An empty ExecStart takes away what was said before. */
export function serviceIn(content: string): ServiceSeen {
  const lines = linesOf(content, 'Service');
  const variables = kept(valuesOf(lines, 'Environment')).flatMap((value) =>
    wordsIn(value).flatMap((word) => {
      const [, name, set] = /^([A-Z_]+|https_proxy|no_proxy)=(.*)$/.exec(word) ?? [];
      return name === undefined ? [] : [[name, set ?? ''] as const];
    }),
  );
  const commands = kept(valuesOf(lines, 'ExecStart'));
  const written = writtenIn(content);
  return {
    variables: Object.fromEntries(variables),
    files: kept(valuesOf(lines, 'EnvironmentFile')).map((file) => file.replace(/^-/, '')),
    command: commands.at(-1),
    commands,
    empties: written.flatMap(([key, values]) => (values.includes('') ? [key] : [])),
    before: kept(valuesOf(lines, 'ExecStartPre')),
    user: valuesOf(lines, 'User').at(-1) ?? '',
    told: toldIn(written),
    ...(/^[ \t]{0,8}\[(?:Unit|Install)\]/m.test(content) ? { isWhole: true as const } : {}),
  };
}

/** A list of several parts, one after the other. */
const joined = (
  parts: readonly ServiceSeen[],
  key: string,
  of: (part: ServiceSeen) => readonly string[],
): readonly string[] =>
  parts
    .slice(
      Math.max(
        0,
        parts.findLastIndex((part) => part.empties.includes(key)),
      ),
    )
    .flatMap(of);

/** All parts together. */
export interface UnitSeen {
  readonly commands: readonly string[];
  readonly before: readonly string[];
  readonly files: readonly string[];
  readonly user: string;
  readonly told?: Told;
}

/** What several parts say, one after the other. */
function toldBy(parts: readonly ServiceSeen[]): Told {
  const all: Record<string, readonly string[]> = {};
  for (const { told = {}, empties } of parts) {
    for (const key of empties) all[key] = [];
    for (const [key, values] of Object.entries(told)) all[key] = [...(all[key] ?? []), ...values];
  }
  return all;
}

/** What the environment of several parts comes to: an empty one takes away what was said before. */
export function variablesOf(parts: readonly ServiceSeen[]): Readonly<Record<string, string>> {
  const from = parts.findLastIndex(({ empties }) => empties.includes('Environment'));
  const unset = new Set((toldBy(parts).UnsetEnvironment ?? []).flatMap(wordsIn));
  const all = parts.slice(Math.max(0, from)).flatMap(({ variables }) => Object.entries(variables));
  return Object.fromEntries(all.filter(([name]) => !unset.has(name)));
}

export const unitOf = (parts: readonly ServiceSeen[]): UnitSeen => ({
  commands: joined(parts, 'ExecStart', ({ commands }) => commands),
  before: joined(parts, 'ExecStartPre', ({ before }) => before),
  files: joined(parts, 'EnvironmentFile', ({ files }) => files),
  user: parts.findLast(({ user }) => user !== '')?.user ?? '',
  told: toldBy(parts),
});

/**
 * The command of several parts, one after the other, with the variables of all, and above them those of their files;
 * undefined where none names one. Source: systemd.exec(5), EnvironmentFile.
 */
export function commandOf(
  parts: readonly ServiceSeen[],
  ofFiles: Readonly<Record<string, string>> = {},
): string | undefined {
  const variables = { ...variablesOf(parts), ...ofFiles };
  const command = unitOf(parts).commands.at(-1);
  return command?.replace(/\$\{?([A-Z_]+)\}?/g, (whole, name: string) => variables[name] ?? whole);
}

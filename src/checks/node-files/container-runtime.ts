/**
 * Whether the container runtime that a kubelet asks serves it, and it alone.
 * Source: containerd docs/man/containerd-config.toml.5.md, docs/cri/config.md; cmd/containerd/server/config.
 */
import { type Fields, text } from '../../kubernetes/json.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { isInCommonFolder } from '../written/flag-values.js';
import { modeSeen } from './file-mode.js';
import type { Seen } from './node-files.js';

export const CONTAINERD = '/etc/containerd/config.toml';
/** Files that it may read beside that one. */
export const isOfContainerd = (path: string): boolean =>
  path === CONTAINERD || /^\/etc\/containerd\/[^/]+\/[^/]+\.toml$/.test(path);
export const RUNTIME_SOCKET = '/run/containerd/containerd.sock';

/** "grpc.tcp_address" → its value without quotes; of a list its items with commas between. */
export type RuntimeSettings = Readonly<Record<string, string>>;

const bare = (value: string): string => value.trim().replace(/^(["'])(.*)\1$/, '$2');

/** Stands for the name of a line that no TOML has: containerd ends at it. */
export const BROKEN = '';

/** What a value begins with: a text, a list, a table, a number, a switch. */
const VALUE = /^(?:["'[{]|[+-]?(?:\d|inf\b|nan\b)|true\b|false\b)/;
/** A text of several lines that begins and does not end. */
const LONG = /^("""|''')(?!.*\1)/;
/** Switches of which a text is none. */
const SWITCHES = /^(?:SystemdCgroup|enable_\w+|disable_\w+(?<!_plugins))$/;

/** Lines and lists of TOML, which is all that is asked of it: no table within a line. */
export function runtimeSettingsIn(content: string): RuntimeSettings {
  const found: Record<string, string> = {};
  let section = '';
  let lists = 0;
  let long = '';
  let open: { readonly key: string; readonly items: string } | undefined;
  const close = (key: string, items: string): void => {
    found[key] = items
      .replaceAll(/[[\]]/g, '')
      .split(',')
      .map(bare)
      .filter((item) => item !== '')
      .join();
  };
  for (const written of content.split('\n')) {
    const line = written.replace(/^((?:[^"'#]|"[^"]*"|'[^']*')*)#.*$/, '$1').trim();
    if (long !== '') {
      if (written.includes(long)) long = '';
      continue;
    }
    if (open !== undefined) {
      const items: string = `${open.items},${line}`;
      if (line.includes(']')) close(open.key, items);
      open = line.includes(']') ? undefined : { key: open.key, items };
      continue;
    }
    const table = /^\[([^[\]]+)\]$/.exec(line)?.[1];
    if (table !== undefined) section = `${table.trim().replaceAll(/["']/g, '')}.`;
    const listed = /^\[\[([^[\]]+)\]\]$/.exec(line)?.[1];
    // each one of a list of tables has its own
    if (listed !== undefined) section = `${listed.trim()}.${lists++}.`;
    const [, name, value = ''] = /^["']?([\w.-]+)["']?\s*=\s*(.*)$/.exec(line) ?? [];
    if (/^\[[^\]]*$/.test(line)) found[BROKEN] = line.slice(0, 40);
    if (name === undefined) continue;
    const key = `${section}${name}`;
    const isOdd = Object.hasOwn(found, key) || !VALUE.test(value) || (SWITCHES.test(name) && /^["']/.test(value));
    if (isOdd) found[BROKEN] = line.slice(0, 40);
    long = LONG.exec(value)?.[1] ?? '';
    if (!value.startsWith('[')) found[key] = bare(value);
    else if (value.includes(']')) close(key, value);
    else open = { key, items: value };
  }
  return found;
}

/** What of a node has to do with its runtime. */
export interface RuntimeSeen {
  /** Its configuration. */
  readonly config: Seen;
  readonly socket: Seen;
  /** Endpoints that files and flags of the kubelet name, where they do. */
  readonly told?: readonly string[];
  /** What of a runtime lies there: its programs and configurations. */
  readonly programs?: readonly string[];
  /** The service of containerd is one that nobody starts. */
  readonly isMasked?: boolean;
  /** The kubelet's settings and flags. */
  readonly settings: Fields;
  readonly flags: Readonly<Record<string, string>>;
}

/** The plugin that speaks CRI, in containerd 1 and 2. */
const CRI = /^(?:cri|io\.containerd\.grpc\.v1\.cri|io\.containerd\.cri\.v1\.(?:runtime|images))$/;

const settingsOf = ({ config: { file } }: RuntimeSeen): RuntimeSettings | undefined =>
  file?.held.kind === 'runtime' ? file.held.settings : undefined;

const endpointOf = ({ flags, settings }: RuntimeSeen): string =>
  flags['container-runtime-endpoint'] ?? text(settings.containerRuntimeEndpoint);

/** Of Docker itself, which kubelets do not ask since 1.24. */
const GONE = /\/(?:dockershim|docker)\.sock$/;

/** containerd is set up to be asked. */
const speaksCri = (seen: RuntimeSeen): boolean => {
  const all = settingsOf(seen);
  return all !== undefined && !(all.disabled_plugins ?? '').split(',').some((name) => CRI.test(name));
};

/** '' is that of containerd. Source: pkg/kubelet/apis/config/v1beta1/defaults.go. */
function asksContainerd(seen: RuntimeSeen): boolean {
  const endpoint = endpointOf(seen);
  return endpoint === '' || /\/run\/containerd\//.test(endpoint) || endpoint.endsWith('/containerd/containerd.sock');
}

/** Other runtimes by their sockets, and their programs by their names. */
const OTHERS: readonly (readonly [socket: RegExp, program: RegExp])[] = [
  [/\/crio\/crio\.sock$/, /crio/],
  [/\/cri-dockerd\.sock$/, /cri-dockerd/],
];

/** The kubelet asks one of them, and containerd alone is there to be asked. */
const isLost = (seen: RuntimeSeen): boolean =>
  OTHERS.some(
    ([socket, program]) =>
      socket.test(endpointOf(seen)) && speaksCri(seen) && !(seen.programs ?? []).some((path) => program.test(path)),
  );

/** "unix:///run/x.sock", "/var/run/x.sock" → "/run/x.sock" */
export const socketOf = (endpoint: string): string =>
  endpoint.replace(/^unix:\/\//, '').replace(/^\/var\/run\//, '/run/');

/** Where containerd listens; '' where nothing says it. */
const heardAt = (all: RuntimeSettings): string => socketOf(all['grpc.address'] ?? '');

/** Runtimes that the plugin may start, by their names. */
const RUNTIMES = /\.containerd\.runtimes\.([^.]+)(?:\.|$)/;
/** What it starts by default has to be among those that are told; where none is, it has runc. */
function undefinedRuntime(all: RuntimeSettings): string {
  const [, chosen = ''] = Object.entries(all).find(([key]) => /\.containerd\.default_runtime_name$/.test(key)) ?? [];
  const told = Object.keys(all).flatMap((key) => RUNTIMES.exec(key)?.[1] ?? []);
  return chosen === '' || chosen === 'runc' || told.includes(chosen) ? '' : chosen;
}

/** Names that a version of the file does not have are passed over, and with them what they say. */
function unheard(all: RuntimeSettings): readonly string[] {
  const { version = '1' } = all;
  const isOf = (prefix: string): boolean => Object.keys(all).some((key) => key.startsWith(prefix));
  if (!/^[1-4]$/.test(version)) return [`version ${version.slice(0, 20)}`];
  const CRI_2 = 'plugins.io.containerd.grpc.v1.cri.';
  const isOlder = version === '1' && isOf('plugins.io.containerd.');
  const isNewer = Number(version) > 2 && ['containerd.', 'cni.', 'registry.'].some((part) => isOf(`${CRI_2}${part}`));
  return isOlder || isNewer ? [`names of version 2 in a file of version ${version}`] : [];
}

/** One "*" stands for any name. */
const isMeant = (path: string, pattern: string): boolean => {
  const [begin = '', end] = pattern.split('*');
  return end === undefined ? path === pattern : path.startsWith(begin) && path.endsWith(end) && path !== CONTAINERD;
};
const LISTS = ['disabled_plugins', 'required_plugins'];

/** What a configuration comes to with those that it imports, path → settings. Source: cmd/containerd/server/config. */
export function withImports(own: RuntimeSettings, others: Readonly<Record<string, RuntimeSettings>>): RuntimeSettings {
  const { imports = '' } = own;
  const named = imports.split(',').flatMap((pattern) =>
    Object.keys(others)
      .filter((path) => isMeant(path, pattern))
      .sort(),
  );
  const all: Record<string, string> = { ...own };
  for (const path of new Set(named))
    for (const [key, value] of Object.entries(others[path] ?? {}))
      if (key !== 'version' && key !== 'imports')
        all[key] = LISTS.includes(key) ? [all[key] ?? '', value].filter((list) => list !== '').join() : value;
  return all;
}

/** Places that containerd, as root, obeys or works in. */
const PLACES = /(?:^|\.)(?:root|state|imports|bin_dir|conf_dir|conf_template|BinaryName)$/;
const inCommon = (all: RuntimeSettings): readonly string[] =>
  Object.entries(all).flatMap(([key, value]) =>
    PLACES.test(key) && value.split(',').some(isInCommonFolder)
      ? [`${key.slice(key.lastIndexOf('.') + 1)} ${value.slice(0, 60)}`]
      : [],
  );

/** Nobody but root. */
const OF_ROOT = ['', '0'];

const OTHERS_WRITE = 0o002;
/** Where it listens when it is told nothing; where others have a containerd of their own that folder is another. */
const OWN_FOLDER = '/run/containerd/';
const OWN_SOCKET = `${OWN_FOLDER}containerd.sock`;

export const runtimeServes: Check<RuntimeSeen> = {
  id: 'container-runtime/serves',
  source: 'containerd-config.toml(5); kubernetes.io, container runtimes; unix(7)',
  nothing: 'no configuration of containerd and no socket of it lies there, or the kubelet asks another runtime',
  judge: (seen): readonly Finding[] => {
    const { config, socket } = seen;
    const look = (subject: string, demanded: string, told: string, ok: boolean) =>
      demand({ subject, demanded, seen: told, ok });
    const asked = endpointOf(seen);
    if (GONE.test(asked)) return [look('the kubelet', 'it asks a runtime that speaks CRI', asked, false)];
    const sockets = [...new Set((seen.told ?? []).map(socketOf))];
    const agreed = look('the kubelet', 'its files and flags name one socket', sockets.join(', '), sockets.length < 2);
    if (!asksContainerd(seen)) {
      const lost = look(
        'the kubelet',
        'the runtime that it asks is there',
        `${asked}, beside containerd alone`,
        !isLost(seen),
      );
      return [...(sockets.length === 0 ? [] : [agreed]), ...(isLost(seen) ? [lost] : [])];
    }
    const mode = socket.file?.mode ?? null;
    const closed = (mode ?? 0) & OTHERS_WRITE;
    const started = look('containerd', 'its service is not masked', 'it is', false);
    const first = [...(sockets.length === 0 ? [] : [agreed]), ...(seen.isMasked === true ? [started] : [])];
    const ofSocket = mode === null ? [] : [look(socket.path, 'not everybody asks it', modeSeen(mode), closed === 0)];
    const own = [...first, ...ofSocket];
    const all = settingsOf(seen);
    if (all === undefined) return own;
    const { disabled_plugins: off = '' } = all;
    const plugins = off.split(',').filter((name) => CRI.test(name));
    const address = all['grpc.tcp_address'] ?? '';
    const isGuarded = address === '' || (all['grpc.tcp_tls_ca'] ?? '') !== '';
    const user = all['grpc.uid'] ?? '0';
    const others = ['debug.uid', 'debug.gid', 'grpc.gid'].filter((key) => !OF_ROOT.includes(all[key] ?? ''));
    const heard = heardAt(all) || (socketOf(asked).startsWith(OWN_FOLDER) ? OWN_SOCKET : '');
    const isHeard = asked === '' || heard === '' || socketOf(asked) === heard;
    const lacking = [
      ...(all[BROKEN] === undefined ? [] : [`it ends at the line ${all[BROKEN]}`]),
      ...plugins,
      ...unheard(all),
      ...(isHeard ? [] : [`it listens at ${heard}, and is asked at ${socketOf(asked)}`]),
      ...(undefinedRuntime(all) === '' ? [] : [`the runtime ${undefinedRuntime(all)}, which it does not know`]),
    ];
    const common = inCommon(all);
    return [
      ...own,
      look(config.path, 'the kubelet can ask it', lacking.join(', ').slice(0, 160) || 'it can', lacking.length === 0),
      look(config.path, 'nobody asks it over the network', address || 'nobody does', isGuarded),
      look(config.path, 'its socket belongs to root', user === '0' ? 'it does' : `user ${user}`, user === '0'),
      look(config.path, 'it obeys nothing that everybody writes', common.join(', ') || 'it does', common.length === 0),
      look(config.path, 'its sockets are of no group', others.join(', ') || 'they are of none', others.length === 0),
    ];
  },
};

/** Versions of files of containerd 2, which tells the kubelet, which then does as it does. */
const TELLS = ['3', '4'];

export const sameCgroupDriver: Check<RuntimeSeen> = {
  id: 'container-runtime/same-cgroup-driver',
  source: 'kubernetes.io, container runtimes, cgroup drivers; KEP-4033',
  nothing: 'no configuration of containerd says what it does with cgroups, or it tells the kubelet itself',
  judge: (seen): readonly Finding[] => {
    const all = settingsOf(seen);
    if (all === undefined || TELLS.includes(all.version ?? '') || !asksContainerd(seen)) return [];
    const said = Object.entries(all).find(([key]) => /\.runc\.options\.SystemdCgroup$/.test(key))?.[1];
    if (said !== 'true' && said !== 'false') return [];
    const own = said === 'true' ? 'systemd' : 'cgroupfs';
    const { flags, settings } = seen;
    const driver = (flags['cgroup-driver'] ?? text(settings.cgroupDriver)) || 'cgroupfs';
    return [
      demand({
        subject: seen.config.path,
        demanded: `it works with ${driver}, as the kubelet does`,
        seen: own,
        ok: own === driver,
      }),
    ];
  },
};

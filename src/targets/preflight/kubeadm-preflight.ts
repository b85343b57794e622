/** kubeadm itself before machines: in cells, as far as namespaces, files and stand-ins make a machine of that kind. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:net';
import path from 'node:path';
import { COMMANDS } from '../../kubeadm/preflight/versions.js';
import { laterRelease, type Release } from '../../kubeadm/release.js';
import { isRecord, record, texts } from '../../kubernetes/json.js';
import { type LookKind, type PreflightRun, phaseIn, WRITTEN_TO } from '../../kubernetes/preflight-run.js';
import { Cell, rooted } from '../client-under-test/cell.js';
import { removed } from '../removed-folder.js';
import { Turns } from '../turns.js';
import type { PreflightUnderTest } from '../types.js';
import { documentsFor, ETCD_PORT, type Machine, machineNamed, NODE_NAME } from './machines.js';
import { type HostData, soundHost } from './simulated-host.js';
import { startRuntime } from './stand-in-runtime.js';

export interface KubeadmLooking {
  /** Private, removed by who made it. */
  readonly folder: string;
  readonly kubeadm: string;
  /** "v1.36.2" */
  readonly version: string;
  readonly signal: AbortSignal;
}

/** Milliseconds of one look. */
const LIMIT = 60_000;
const AT_ONCE = 4;
/** So often a look is taken whose stand-ins do not answer in time. */
const LOOKS_AT_MOST = 3;
/** In the words of gRPC, of a runtime that answers at once wherever it is given the time. */
const TOO_LATE = 'DeadlineExceeded';
const PROGRAM = '/joinproof/kubeadm';
const BIN = '/joinproof/bin';

/** What no namespace changes: the machine's own is looked at, and what is found is told and no more. */
const OWN = ['SystemVerification', 'NumCPU', 'Mem'];
const FIXED: readonly (keyof HostData)[] = [
  'os',
  'kernel',
  'kernelLacks',
  'cgroups',
  'cgroupsLack',
  'processors',
  'memory',
];
const WHY = 'the kernel, its control groups, processors and memory are those of the machine that joinproof runs on';

/** Phases of a whole init that take a cluster. */
const LATER = [
  ...['wait-control-plane', 'upload-config', 'upload-certs', 'mark-control-plane', 'bootstrap-token'],
  ...['addon', 'show-join-command'],
];
const WHOLE = ['init', `--skip-phases=${LATER.join(',')}`];

/** Of a flag and a document that say what is passed over the flag counts: whoever is told by a document is told all by it. */
const passesOver = ({ init }: Machine): boolean => init.skipPhases !== undefined;
const documented = (machine: Machine): Machine =>
  passesOver(machine)
    ? { ...machine, init: { ...machine.init, skipPhases: [...LATER, ...texts(machine.init.skipPhases)] } }
    : machine;

/** Without documents and ignored checks. */
function commandOf(look: LookKind): readonly string[] {
  if (look === 'init' || look === 'join') return [look, 'phase', 'preflight'];
  if (look === 'a whole init') return WHOLE;
  if (look === 'a dry run') return [...WHOLE, '--dry-run'];
  return ['init', 'phase', ...(phaseIn(look)?.split('/') ?? [])];
}

/** What kubeadm and its scripts call, and need do nothing here. */
const PROGRAMS = ['modprobe', 'uname', 'umount', 'lsmod', ...COMMANDS.map(({ name }) => name)];
const NOTHING = '#!/bin/sh\nexit 0\n';

/** Source: initsystem_unix.go SystemdInitSystem. */
function systemctl(services: HostData['services']): string {
  const cases = Object.entries(services).map(
    ([name, { enabled, active }]) => `
  status-${name}) echo "Loaded: loaded"; exit 0 ;;
  is-enabled-${name}) exit ${enabled === true ? 0 : 1} ;;
  is-active-${name}) echo ${active === true ? 'active' : 'inactive'}; exit ${active === true ? 0 : 3} ;;`,
  );
  return `#!/bin/sh\ncase "$1-$2" in${cases.join('')}
  status-*) echo "Unit $2.service could not be found."; exit 4 ;;
  *) echo inactive; exit 3 ;;
esac\n`;
}

function makePrograms(bin: string, { lacks, kubelet, services, initSystem }: HostData): void {
  mkdirSync(bin, { recursive: true });
  const put = (name: string, text: string): void => writeFileSync(path.join(bin, name), text, { mode: 0o755 });
  for (const name of new Set(PROGRAMS)) if (!lacks.includes(name)) put(name, NOTHING);
  if ('output' in kubelet) put('kubelet', `#!/bin/sh\necho '${kubelet.output.trim()}'\n`);
  if (initSystem === 'systemd') put('systemctl', systemctl(services));
}

/** Files below a folder, as the machine has them. */
function filesIn(root: string, folder: string): readonly string[] {
  if (!existsSync(path.join(root, folder))) return [];
  const entries = readdirSync(path.join(root, folder), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const at = path.posix.join(folder, entry.name);
    return entry.isDirectory() ? filesIn(root, at) : [at];
  });
}

/** What lies where init writes. */
const contents = (root: string): ReadonlyMap<string, string> =>
  new Map(
    WRITTEN_TO.flatMap((folder) => filesIn(root, folder))
      .sort()
      .map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  );

/** Settings of the kernel, and what is seen in the place of its own. */
const SETTINGS = '/proc/sys/net/';
const SWAPS = '/proc/swaps';

class Look {
  readonly #root: string;
  readonly #home: string;
  readonly #machine: Machine;
  readonly #servers: Server[] = [];
  #end: (() => void) | undefined;

  constructor(home: string, machine: Machine) {
    this.#home = home;
    this.#root = path.join(home, 'root');
    this.#machine = machine;
  }

  #put(place: string, text: string): void {
    mkdirSync(path.dirname(place), { recursive: true, mode: 0o755 });
    writeFileSync(place, text);
  }

  #layOut(documents: string): void {
    const { host } = this.#machine;
    const root = this.#root;
    for (const folder of ['work', 'tmp', 'run/containerd', 'etc/kubernetes', 'var/lib/kubelet', 'root'])
      mkdirSync(path.join(root, folder), { recursive: true, mode: 0o755 });
    this.#put(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\nother:x:1000:1000:other:/:/bin/sh\n');
    this.#put(
      path.join(root, 'etc/hosts'),
      `127.0.0.1 localhost${host.nameless === undefined ? ` ${NODE_NAME}` : ''}\n`,
    );
    this.#put(path.join(root, 'etc/resolv.conf'), '');
    this.#put(path.join(root, 'work/kubeadm.yaml'), documents);
    makePrograms(path.join(this.#home, 'bin'), host);
    mkdirSync(path.join(this.#home, 'net'), { recursive: true });
    for (const [file, text] of Object.entries(host.files)) {
      if (file.startsWith(SETTINGS)) this.#put(path.join(this.#home, 'net', file.slice(SETTINGS.length)), text);
      else if (file === SWAPS) this.#put(path.join(this.#home, 'swaps'), text);
      else this.#put(path.join(root, file), text);
    }
  }

  /** Who listens there, and who answers. */
  async #serve(cell: Cell): Promise<void> {
    const { host, cluster } = this.#machine;
    for (const port of host.portsInUse) this.#servers.push(await cell.listen('0.0.0.0', port));
    if (isRecord(record(cluster.etcd).external) && 'version' in host.etcd) {
      const body = JSON.stringify({ etcdserver: host.etcd.version, etcdcluster: host.etcd.version });
      const etcd = createServer((_, response) => response.end(body));
      const listening = await cell.listen('127.0.0.1', ETCD_PORT);
      listening.on('connection', (socket) => etcd.emit('connection', socket));
      this.#servers.push(listening);
    }
    const socket = path.join(this.#root, 'run/containerd/containerd.sock');
    if (!('failure' in host.runtime)) this.#end = await startRuntime(socket, host.runtime);
  }

  #command(look: LookKind): readonly string[] {
    const { host, ignored, flags, node } = this.#machine;
    const named = [...ignored.flatMap((names) => names.split(',')), ...texts(node.ignorePreflightErrors)];
    const isAll = named.some((name) => name.toLowerCase() === 'all');
    const names = [...(isAll ? [] : OWN), ...ignored].join(',');
    const environment = Object.entries(host.environment).map(([name, value]) => `${name}=${value}`);
    const ignoring = phaseIn(look) === undefined ? [`--ignore-preflight-errors=${names}`] : [];
    return [
      ...(host.privileged ? [] : ['/usr/bin/setpriv', '--reuid=1000', '--regid=1000', '--clear-groups']),
      ...['/usr/bin/env', '-i', `PATH=${BIN}`, 'HOME=/root', ...environment],
      ...[
        PROGRAM,
        ...(passesOver(this.#machine) && look === 'a whole init' ? ['init'] : commandOf(look)),
        '--config',
        '/work/kubeadm.yaml',
        ...ignoring,
        ...flags,
      ],
    ];
  }

  #written(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): Omit<Ended, 'exit' | 'said'> {
    return {
      written: [...after.keys()].filter((file) => !before.has(file)),
      changed: [...before.keys()].filter((file) => before.get(file) !== after.get(file)),
      left: [...after].map(([file, text]) => {
        const { mode } = statSync(path.join(this.#root, file));
        return { path: file, mode: mode & 0o7777, text };
      }),
    };
  }

  async run(cell: Cell, look: LookKind, { kubeadm, signal }: KubeadmLooking, release: Release): Promise<Ended> {
    this.#layOut(documentsFor(documented(this.#machine), look, release));
    const before = contents(this.#root);
    try {
      await this.#serve(cell);
      const { exit, said } = await cell.run({
        command: rooted({
          root: this.#root,
          seen: {
            [BIN]: path.join(this.#home, 'bin'),
            [PROGRAM]: kubeadm,
            '/proc/sys/net': path.join(this.#home, 'net'),
            [SWAPS]: path.join(this.#home, 'swaps'),
          },
          folder: '/work',
          command: this.#command(look),
        }),
        environment: {},
        folder: this.#home,
        limit: LIMIT,
        signal,
        mark: `${this.#home}/`,
      });
      return { exit, said, ...this.#written(before, contents(this.#root)) };
    } finally {
      this.#end?.();
      for (const server of this.#servers) server.close();
    }
  }
}

type Ended = Pick<PreflightRun, 'exit' | 'said' | 'written' | 'changed' | 'left'>;

/** `close` ends its cells. */
export function kubeadmPreflight(looking: KubeadmLooking): PreflightUnderTest & { close(): void } {
  const release = laterRelease(looking.version);
  const sound = soundHost(release);
  const turns = new Turns(AT_ONCE);
  const free: Cell[] = [];
  const all: Cell[] = [];
  let count = 0;
  const open = (): Cell => {
    const cell = new Cell(`${looking.folder}/cells/`);
    all.push(cell);
    return cell;
  };
  const run = async (machine: Machine, look: LookKind): Promise<Ended> => {
    const cell = free.pop() ?? open();
    count += 1;
    const home = path.join(looking.folder, `look-${count}`);
    try {
      return await new Look(home, machine).run(cell, look, looking, release);
    } finally {
      await removed(home);
      free.push(cell);
    }
  };
  return {
    lacks(name) {
      const { host = sound, join = {} } = machineNamed(name, release) ?? {};
      if (join.controlPlane !== undefined) return 'only with its cluster does kubeadm look at a further control plane';
      if (!host.privileged && process.getuid?.() !== 0)
        return 'joinproof does not run as root, and can be no other user';
      return FIXED.some((key) => JSON.stringify(host[key]) !== JSON.stringify(sound[key])) ? WHY : undefined;
    },
    async look(name, look) {
      const machine = machineNamed(name, release);
      if (machine === undefined) return undefined;
      const answers = !('failure' in machine.host.runtime);
      for (let times = 1; ; times += 1) {
        const ended = await turns.enter(() => run(machine, look));
        const isLate = answers && ended.said.some((line) => line.includes(TOO_LATE));
        if (isLate && times < LOOKS_AT_MOST) continue;
        const overtaken = `the runtime that stands in for the machine's own answered kubeadm too late, ${times} times over`;
        return { machine: name, look, ...ended, ...(isLate ? { overtaken } : {}) };
      }
    },
    close: () => {
      for (const cell of all) cell.close();
    },
  };
}

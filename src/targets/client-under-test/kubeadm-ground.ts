/** kubeadm itself before servers: in cells, with stand-ins for what a machine of Kubernetes has beside it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { OTHER_PORT, ownEndpoint, wellAt } from '../../liars/addresses.js';
import { startsPods } from '../../liars/components.js';
import type { Lie } from '../../liars/lie.js';
import { LiarServer } from '../../liars/server.js';
import { makeFolder, record, removeRecorded } from '../control-plane/process-record.js';
import { TargetUnreachable } from '../errors.js';
import { endWithin } from '../marked-processes.js';
import { removed } from '../removed-folder.js';
import { Cell, demandNamespaces, OWN_ADDRESS, rooted } from './cell.js';
import { playComponents } from './components-in-cell.js';
import { type ClientDescription, type Command, PLACES } from './description.js';
import { etcdTimeout, playEtcd } from './etcd-in-cell.js';
import { type Ground, type Place, together } from './ground.js';
import { NODE } from './join-configuration.js';
import { etcdIn, KEPT_OF, keepDisk, writeEtcdConfiguration } from './joined-disk.js';
import { type Ended, runProgram } from './program.js';
import { makeSystemctl } from './services.js';
import { OWN_PREFLIGHT } from './ways.js';

/** Checks that are about this machine, and not about what is joined. */
const IGNORED = [
  ...['CRI', 'ContainerRuntimeVersion', 'SystemVerification', 'KubeletVersion', 'ImagePull', 'Hostname', 'Swap'],
  ...[
    'NumCPU',
    'Mem',
    'FileContent--proc-sys-net-ipv4-ip_forward',
    'FileContent--proc-sys-net-ipv6-conf-default-forwarding',
  ],
  ...['FileContent--proc-sys-net-bridge-bridge-nf-call-iptables', 'Service-Kubelet'],
  ...[2379, 2380, 6443, OTHER_PORT, 10_250, 10_257, 10_259].map((port) => `Port-${port}`),
];
const ignoring = (names: readonly string[]): string => `--ignore-preflight-errors=${names.join(',')}`;
const IGNORES = ignoring(IGNORED);
/** In a file of its own it is told what else it may do without. */
const WITH_IMAGES = IGNORED.filter((name) => name !== 'ImagePull');
const CRI_SOCKET = 'unix:///run/containerd/containerd.sock';
/**
 * What a control plane leaves out: its own API server and etcd are not started, unless they are played. Up to 1.35 its
 * preflight ends without a container runtime, whatever is ignored.
 */
export const skippedBy = (minor: number, lie: Lie): readonly string[] => [
  ...(lie.etcd === undefined ? ['check-etcd'] : []),
  ...(isMarked(minor, lie) ? (minor < ETCD_APART ? ['control-plane-join/etcd'] : []) : ['control-plane-join']),
  ...(minor >= ETCD_APART && lie.etcd === undefined ? ['etcd-join'] : []),
  ...(minor >= ETCD_APART && !startsPods(lie) ? ['wait-control-plane'] : []),
  ...(minor < OWN_PREFLIGHT ? ['preflight'] : []),
  ...(lie.externalCa === true ? OWN_CERTIFICATES : []),
];

/** From this minor on etcd is joined by a phase of its own. */
const ETCD_APART = 32;

/** Older ones ask for a Node in a dry run as well, and there is none. */
const isMarked = (minor: number, { hasNode, told }: Lie): boolean =>
  hasNode === true && (minor >= ETCD_APART || told?.dryRun !== true);

/** Phases that need the key of the CA. */
const OWN_CERTIFICATES = ['certs', 'kubeconfig', 'control-plane'].map((name) => `control-plane-prepare/${name}`);

/** What kubeadm looks for or calls, and need do nothing here. */
const STAND_INS = [
  ...[
    'crictl',
    'modprobe',
    'ip',
    'iptables',
    'conntrack',
    'mount',
    'umount',
    'nsenter',
    'ethtool',
    'tc',
    'touch',
    'socat',
  ],
  ...['losetup', 'uname', 'cp', 'lsmod', 'swapoff'],
];
/** What stand-ins themselves are made of. */
const TOOLS = ['sh', 'sleep', 'cat', 'setsid'];

const PROGRAM = '/joinproof/kubeadm';
const KUBELET = '/joinproof/kubelet';

/** By flags, as people do it. */
const flags = (...discovery: Command): Command => [
  PROGRAM,
  'join',
  ...discovery,
  '--node-name',
  '{node-name}',
  '--cri-socket',
  CRI_SOCKET,
  IGNORES,
];
const PINS = ['--discovery-token-ca-cert-hash', '{ca-hash}'];

export interface KubeadmPrograms {
  readonly kubeadm: string;
  /** Default: one that stands in. */
  readonly kubelet?: string | undefined;
}

/** Milliseconds of one join. */
const LIMIT = 60_000;

export const kubeadmDescription = (name: string, minor: number): ClientDescription => ({
  name,
  minor,
  speaks: 'kubeadm',
  timeLimit: LIMIT,
  ways: {
    configuration: [PROGRAM, 'join', '--config', '{configuration}', ignoring(WITH_IMAGES)],
    token: flags(['{endpoint}'], ['--token', '{token}'], ['--tls-bootstrap-token', '{other-tls-token}'], PINS),
    'token-unsafe': flags(
      ['{endpoint}'],
      ['--token', '{token}'],
      PINS,
      '--discovery-token-unsafe-skip-ca-verification',
    ),
    none: flags(['--token', '{token}'], PINS),
  },
  environment: {},
  files: Object.fromEntries(Object.entries(PLACES).map(([role, place]) => [role, place.slice(1)])),
});

interface Version {
  /** "v1.36.2" */
  readonly text: string;
  readonly minor: number;
}

/** Milliseconds that a kubeadm may take to say its version. */
const VERSION_LIMIT = 20_000;

/**
 * Throws TargetUnreachable where it is no kubeadm that runs here, or as the signal says. Nothing that it starts is left, and
 * what is when joinproof is killed is found by the folder of the run.
 */
export async function versionOfKubeadm(file: string, signal: AbortSignal): Promise<Version> {
  const folder = await makeFolder();
  try {
    record(folder, []);
    return await versionAsked(file, folder, signal);
  } finally {
    await removeRecorded(folder);
  }
}

async function versionAsked(file: string, folder: string, signal: AbortSignal): Promise<Version> {
  const refuse = (why: string): never => {
    throw new TargetUnreachable(`--kubeadm ${file} ${why}. Give a kubeadm that is built for this machine.`, 'other');
  };
  const { exit, said } = await runProgram({
    command: [...(await together()), file, 'version', '-o', 'short'],
    environment: { PATH: process.env.PATH },
    folder: '/',
    limit: VERSION_LIMIT,
    signal,
    mark: `${folder}/version`,
  });
  if (exit !== 0)
    return refuse(
      `cannot be run ("kubeadm version -o short" ${exit === undefined ? 'had to be ended' : `ends with ${exit}`})`,
    );
  const [text = ''] = said;
  const minor = /^v1\.(\d+)\./.exec(text)?.[1];
  if (minor === undefined) return refuse('answers "kubeadm version -o short" with no version');
  return { text, minor: Number(minor) };
}

/** Throws TargetUnreachable where the host does not allow it. `folder`: private, removed by who made it. */
export async function kubeadmGround(folder: string, programs: KubeadmPrograms, version: Version): Promise<Ground> {
  await demandNamespaces();
  const standIns = path.join(folder, 'stand-ins');
  makeStandIns(standIns, version, programs.kubelet !== undefined);
  const free: Cell[] = [];
  const all: Cell[] = [];
  const open = (): Cell => {
    const made = new Cell(`${folder}/cells/`);
    all.push(made);
    return made;
  };
  const kept = path.join(folder, 'kept');
  return {
    kept,
    async open(id, lie) {
      const cell = free.pop() ?? open();
      return placeIn(cell, {
        home: path.join(folder, id),
        standIns,
        programs,
        minor: version.minor,
        lie,
        kept,
        done: () => free.push(cell),
      });
    },
    close: () => {
      for (const cell of all) cell.close();
    },
  };
}

const SCRIPT = '#!/bin/sh\nexit 0\n';

/**
 * A kubelet is started as kubeadm's drop-in of systemd starts it, with its bootstrap at the start, whatever the control
 * groups of this machine.
 */
const serviceFor = (minor: number): string => `#!/bin/sh
[ -r /var/lib/kubelet/kubeadm-flags.env ] && . /var/lib/kubelet/kubeadm-flags.env
i=0
while [ $i -lt 30 ]; do
  ${KUBELET} --bootstrap-kubeconfig=${PLACES['bootstrap-kubeconfig']} --kubeconfig=${PLACES.kubeconfig} \\
    --config=${PLACES['kubelet-configuration']} --rotate-certificates=false --fail-swap-on=false --cgroups-per-qos=false --enforce-node-allocatable= \\
    ${minor >= 31 ? '--fail-cgroupv1=false ' : ''}$KUBELET_KUBEADM_ARGS
  sleep 1; i=$((i + 1))
done
`;

export function makeStandIns(folder: string, { text: version, minor }: Version, hasKubelet: boolean): void {
  mkdirSync(path.join(folder, 'systemd'), { recursive: true });
  const put = (name: string, text: string): void => writeFileSync(path.join(folder, name), text, { mode: 0o755 });
  for (const name of STAND_INS) put(name, SCRIPT);
  for (const name of TOOLS) put(name, `#!/bin/sh\nexec ${name === 'sh' ? '/bin/sh' : `/usr/bin/${name}`} "$@"\n`);
  put('kubelet', `#!/bin/sh\necho Kubernetes ${version}\n`);
  put('kubelet-service', serviceFor(minor));
  makeSystemctl(path.join(folder, 'systemd'), hasKubelet ? 'setsid /joinproof/bin/kubelet-service' : undefined);
}

/** As a kubelet writes it, which leaves nothing else. */
const NO_PAIR = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'default-cluster', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'default-auth', user: { 'client-certificate': '/nowhere.pem', 'client-key': '/nowhere.pem' } }],
  contexts: [{ name: 'default-context', context: { cluster: 'default-cluster', user: 'default-auth' } }],
  'current-context': 'default-context',
});

const BY_HAND = '/joinproof/bin/kubelet-service >/dev/null 2>&1 </dev/null & exec "$@"';

type Started = Parameters<Place['run']>[0];

export interface Put {
  readonly home: string;
  readonly standIns: string;
  readonly programs: KubeadmPrograms;
  readonly minor: number;
  readonly lie: Lie;
  readonly kept: string;
  done(): void;
}

/** A machine in a cell, and what stands beside it. */
export async function placeIn(cell: Cell, { home, standIns, programs, minor, lie, kept, done }: Put): Promise<Place> {
  const root = path.join(home, 'root');
  const [work, services] = [path.join(root, 'work'), path.join(root, 'services')];
  for (const one of ['work', 'services', 'tmp', 'run', 'etc/kubernetes', 'var/lib/kubelet', 'root'])
    mkdirSync(path.join(root, one), { recursive: true, mode: 0o755 });
  writeFileSync(path.join(root, 'etc/passwd'), 'root:x:0:0:root:/root:/bin/sh\n');
  writeFileSync(path.join(root, 'etc/hosts'), `127.0.0.1 localhost ${NODE}\n`);
  writeFileSync(path.join(root, 'etc/resolv.conf'), '');
  let listener = (): void => {};
  const before = (): void => listener();
  const { kubelet: how } = lie.told ?? {};
  await cell.kubeletIsWell(wellAt(how));
  const server = await LiarServer.start(lie, { before, at: await cell.listen('127.0.0.1'), release: `1.${minor}.0` });
  if (lie.told?.certificateKey !== undefined)
    server.alsoAt(await cell.listen(OWN_ADDRESS, ownEndpoint(lie.told).bindPort));
  const closeEtcd = await playEtcd(cell, server.liar);
  const closeComponents = await playComponents(cell, server.liar);
  let stopKubelet: (() => void) | undefined;
  const { kubeadm, kubelet } = programs;
  const run: (program: Started, before?: readonly string[]) => Promise<Ended> = ({ command, ...program }, first = []) =>
    cell.run({
      ...program,
      command: rooted({
        root,
        seen: {
          '/joinproof/bin': standIns,
          [PROGRAM]: kubeadm,
          ...(kubelet === undefined ? {} : { [KUBELET]: kubelet }),
        },
        folder: '/work',
        command: ['/usr/bin/env', `PATH=${program.environment.PATH ?? ''}`, ...first, ...command],
      }),
      folder: home,
      mark: `${home}/`,
    });
  return {
    liar: server.liar,
    root,
    work,
    services,
    isMachine: true,
    standIns: '/joinproof/bin/systemd',
    path: '/joinproof/bin',
    configuration: {
      registration: {
        criSocket: CRI_SOCKET,
        ignorePreflightErrors: lie.told?.images === 'none' ? WITH_IMAGES : IGNORED,
      },
      timeouts: etcdTimeout(lie),
      tlsBootstrap: 12,
      skipPhases: skippedBy(minor, lie),
    },
    inside: (file) => file.slice(root.length) || '/',
    before: (told) => {
      listener = told;
    },
    ran(command) {
      if (lie.told?.kubelet === 'no pair') writeFileSync(path.join(root, PLACES.kubeconfig), NO_PAIR, { mode: 0o600 });
      if (kubelet !== undefined || lie.told?.services !== undefined || !/^(re)?start kubelet$/.test(command)) return;
      stopKubelet?.();
      stopKubelet = cell.startKubelet(root, NODE);
    },
    run: (program) => {
      // Where the service manager does not start it somebody else does.
      const byHand = lie.told?.services !== undefined;
      if (byHand && kubelet === undefined) stopKubelet = cell.startKubelet(root, NODE);
      return run(program, byHand && kubelet !== undefined ? ['/bin/sh', '-c', BY_HAND, 'sh'] : []);
    },
    async keep(signal) {
      if (lie.name !== KEPT_OF) return {};
      const configuration = writeEtcdConfiguration(work, minor);
      const command = [PROGRAM, 'init', 'phase', 'etcd', 'local', '--config', configuration];
      const environment = { PATH: '/joinproof/bin' };
      await run({ command, environment, limit: LIMIT, signal });
      keepDisk(root, kept);
      return etcdIn(root);
    },
    end: () => void endWithin(`${home}/`),
    async close() {
      stopKubelet?.();
      closeEtcd();
      closeComponents();
      await server.close();
      await removed(home);
      done();
    },
  };
}

/**
 * npm run truth -- …/preflight.json: puts joinproof's own preflight on a machine like the one that was recorded, in each
 * state that it was in, and compares what it says with what kubeadm 1.36 said.
 */
import { readFileSync } from 'node:fs';
import { parseRelease } from '../kubeadm/release.js';
import type { Fields } from '../kubernetes/json.js';
import type { LookKind } from '../kubernetes/preflight-run.js';
import { type Machine, PLAIN } from '../targets/preflight/machines.js';
import { playMachine } from '../targets/preflight/reference-preflight.js';
import { type HostData, noSocket, soundHost } from '../targets/preflight/simulated-host.js';

/** One case of preflight.json. */
interface Recorded {
  readonly case: string;
  readonly command: string;
  readonly exit: number;
  /** Sorted. */
  readonly checks?: readonly string[];
  readonly message: string;
}

/** What differs from the machine as it was. */
interface Arranged {
  readonly host?: Partial<HostData>;
  /** Files that are there besides. */
  readonly files?: readonly string[];
  readonly cluster?: Fields;
  readonly init?: Fields;
  readonly node?: Fields;
  readonly join?: Fields;
}

const RELEASE = parseRelease('1.36.0');
const SOCKET = '/SOCKET';
const FORWARD = '/proc/sys/net/ipv4/ip_forward';

const sound = soundHost(RELEASE);
/** "as-is": no container runtime, control groups of version 1, a kubelet without a service, no forwarding. */
const asItWas = (name: string): HostData => ({
  ...sound,
  files: { ...sound.files, [FORWARD]: '0\n', '/proc/sys/net/ipv6/conf/default/forwarding': '0\n' },
  cgroups: 1,
  runtime: { failure: noSocket(SOCKET) },
  services: { kubelet: {} },
  nameless: `lookup ${name} on DNS-SERVER: dial udp DNS-SERVER: connect: network is unreachable`,
});

const MANIFESTS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'].map(
  (name) => `/etc/kubernetes/manifests/${name}.yaml`,
);
const JOINED = ['kubelet.conf', 'bootstrap-kubelet.conf', 'pki/ca.crt'].map((name) => `/etc/kubernetes/${name}`);
const notRoot: Arranged = { host: { privileged: false } };
const behindProxy: Arranged = { host: { environment: { HTTPS_PROXY: 'http://192.0.2.3:3128' } } };
const ofCluster = (cluster: Fields): Arranged => ({ cluster });
const toldServer = (name: string, value: string): Arranged =>
  ofCluster({ apiServer: { extraArgs: { [name]: value } } });
const controlPlane: Fields = { controlPlane: { localAPIEndpoint: { advertiseAddress: '192.0.2.10' } } };
const external = {
  endpoints: ['https://192.0.2.9:2379'],
  caFile: '/x/ca.crt',
  certFile: '/x/c.crt',
  keyFile: '/x/c.key',
};

const ARRANGED: Readonly<Record<string, Arranged>> = {
  'init-as-is': {},
  'init-not-root': notRoot,
  'init-existing-files': { files: [...MANIFESTS, '/var/lib/etcd/member/snap'] },
  'init-ports-in-use': { host: { portsInUse: [6443, 10_250, 10_257, 10_259, 2379, 2380] } },
  'init-no-forward': {},
  'init-forward': { host: { files: { ...asItWas('').files, [FORWARD]: '1\n' } } },
  'init-ipv6': {
    init: { localAPIEndpoint: { advertiseAddress: 'fd00::10' } },
    cluster: { networking: { serviceSubnet: 'fd01::/108' } },
  },
  'init-empty-path': {
    host: {
      lacks: ['cp', 'losetup', 'mount'],
      kubelet: { failure: 'executable file not found in $PATH' },
      initSystem: undefined,
    },
  },
  'init-proxy': behindProxy,
  'init-bad-name': { node: { name: 'Bad_Name' } },
  'init-version-above': ofCluster({ kubernetesVersion: 'v1.37.0' }),
  'init-version-2above': ofCluster({ kubernetesVersion: 'v1.38.0' }),
  'init-version-below': ofCluster({ kubernetesVersion: 'v1.35.0' }),
  'init-version-old': ofCluster({ kubernetesVersion: 'v1.33.0' }),
  'init-extraargs': toldServer('no-such-flag', 'x'),
  'init-authz-webhook': toldServer('authorization-mode', 'Webhook'),
  'init-authz-abac': toldServer('authorization-mode', 'ABAC'),
  'init-external-etcd-files': ofCluster({ etcd: { external } }),
  'init-ignore-one': {},
  'init-ignore-case': {},
  'init-ignore-all': {},
  'init-ignore-all-and-one': {},
  'join-as-is': {},
  'join-not-root': notRoot,
  'join-existing-files': { files: JOINED },
  'join-cp-existing-files': { files: [...JOINED, ...MANIFESTS], join: controlPlane },
  'join-ports': { host: { portsInUse: [6443, 10_250] } },
  'join-cp-ports': { host: { portsInUse: [6443, 10_250] }, join: controlPlane },
  'join-proxy': behindProxy,
  'join-manifests-present': { files: ['/etc/kubernetes/manifests/x.yaml'] },
  'full-init-stops': {},
};

const lookOf = (command: string): LookKind =>
  command.startsWith('kubeadm join') ? 'join' : command.includes(' phase ') ? 'init' : 'a whole init';

function machineOf({ command }: Recorded, arranged: Arranged): Machine {
  const name = / join /.test(` ${command} `) ? 'w-1' : 'cp-1';
  const host = { ...asItWas(name), ...arranged.host };
  const files = Object.fromEntries((arranged.files ?? []).map((file) => [file, 'x']));
  const discovery = { bootstrapToken: { apiServerEndpoint: '127.0.0.1:6443', ...DISCOVERY }, timeout: '1s' };
  return {
    ...PLAIN,
    host: { ...host, files: { ...host.files, ...files } },
    init: arranged.init ?? {},
    cluster: arranged.cluster ?? {},
    node: { name, criSocket: `unix://${SOCKET}`, ...arranged.node },
    join: { discovery, ...arranged.join },
    ignored: (/--ignore-preflight-errors=(\S+)/.exec(command)?.[1] ?? '').split(',').filter((one) => one !== ''),
  };
}
const DISCOVERY = { token: 'good01.0123456789abcdef', unsafeSkipCAVerification: true };

const plain = (text: string): string =>
  text.trim().replaceAll(`unix://${SOCKET}`, 'SOCKET').replaceAll(SOCKET, 'SOCKET');

async function differences(recorded: Recorded, arranged: Arranged): Promise<readonly string[]> {
  const { said, exit, written } = await playMachine(
    machineOf(recorded, arranged),
    lookOf(recorded.command),
    RELEASE,
    {},
  );
  const lines = said.map(plain);
  const told = (pattern: RegExp): readonly string[] => lines.filter((line) => pattern.test(line)).sort();
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ['exit', recorded.exit, exit],
    ['checks', [...(recorded.checks ?? [])].sort(), told(/^\[(?:ERROR|WARNING) /)],
    ['message', recorded.exit === 0 ? [] : [recorded.message], told(/^error: /)],
    ['files', [], written],
  ];
  return pairs.flatMap(([what, expected, seen]) =>
    JSON.stringify(expected) === JSON.stringify(seen)
      ? []
      : [`${what}: kubeadm ${JSON.stringify(expected)}, joinproof ${JSON.stringify(seen)}`],
  );
}

/** Plays every recorded case. Returns whether all are equal; tells about those that are not. */
export async function comparePreflight(file: string, tell: (line: string) => void): Promise<boolean> {
  const recorded = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
  let equal = 0;
  for (const one of recorded) {
    const arranged = ARRANGED[one.case];
    const found = arranged === undefined ? ['nobody has arranged it'] : await differences(one, arranged);
    if (found.length === 0) equal += 1;
    else tell([`-- ${one.case}`, ...found.map((line) => `   ${line}`)].join('\n'));
  }
  tell(`truth: ${equal} of ${recorded.length} recorded looks at machines are equal`);
  return equal === recorded.length;
}

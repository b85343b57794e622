/**
 * Machines by name, for kubeadm to look at: where they differ from one that it takes. A name is made of clauses,
 * "without mount, where net.ipv4.ip_forward is 0".
 */
import { NEWEST_RELEASE, parseRelease, type Release } from '../../kubeadm/release.js';
import { type Fields, record } from '../../kubernetes/json.js';
import type { LookKind } from '../../kubernetes/preflight-run.js';
import { doneTo, EARLIER_NODE, leftBehind } from './earlier-init.js';
import { type HostData, soundHost } from './simulated-host.js';

export interface Machine {
  readonly host: HostData;
  /** Beside those of every machine. */
  readonly init: Fields;
  readonly cluster: Fields;
  readonly node: Fields;
  readonly join: Fields;
  /** Names of checks that only warn, as the flag has them. */
  readonly ignored: readonly string[];
  /** Flags of init beside those. */
  readonly flags: readonly string[];
  /** Of its documents. */
  readonly apiVersion: string;
  /** Further documents. */
  readonly besides: readonly Fields[];
  /** In place of all others. */
  readonly instead?: readonly Fields[];
}

/** undefined: there is no such machine. */
type Clause = (parts: readonly string[], machine: Machine, release: Release) => Partial<Machine> | undefined;

const on = (machine: Machine, host: Partial<HostData>): Partial<Machine> => ({ host: { ...machine.host, ...host } });
const withFile = (machine: Machine, path: string, text: string): Partial<Machine> =>
  on(machine, { files: { ...machine.host.files, [path]: text } });
const withService = (machine: Machine, name: string, service: object): Partial<Machine> =>
  on(machine, { services: { ...machine.host.services, [name]: service } });
const without = <T>(all: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(all).filter(([one]) => one !== name));
const minorsAway = ({ minor }: Release, count = '0', way = ''): string =>
  `1.${minor + (way === 'newer' ? 1 : -1) * Number(count)}.0`;

const API_VERSION = 'kubeadm.k8s.io/v1beta3';

/** A setting of the kernel as a file. */
const sysctl = (name: string): string => `/proc/sys/${name.replaceAll('.', '/')}`;
const SWAPS =
  'Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n/swapfile                               file\t\t1048572\t\t0\t\t-2\n';
const PROXY = 'http://192.0.2.3:3128';
/** Where an etcd answers that kubeadm does not run. */
export const ETCD_PORT = 23_790;
const external = (files: Fields = {}): Fields => ({
  etcd: {
    external: { endpoints: [`http${files.caFile === undefined ? '' : 's'}://127.0.0.1:${ETCD_PORT}`], ...files },
  },
});
const DOCKER = { criSocket: '/var/run/dockershim.sock' };
const UNKNOWN_NAME = 'lookup on 127.0.0.53:53: no such host';

/** A value as JSON, or else a text. */
function jsonOr(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** The same with another value at "a.b". */
const withField = (fields: Fields, [name = '', ...rest]: readonly string[], value: unknown): Fields => ({
  ...fields,
  [name]: rest.length === 0 ? value : withField(record(fields[name]), rest, value),
});

/** Where patches lie. */
const PATCHES = '/etc/kubernetes/patches';

/** Documents, one after the other, as JSON. */
const documentsIn = (given: string): readonly Fields[] => given.split('+').map((one) => record(jsonOr(one)));

const OF_DOCUMENTS = { InitConfiguration: 'init', ClusterConfiguration: 'cluster', JoinConfiguration: 'join' } as const;
function told(machine: Machine, kind: keyof typeof OF_DOCUMENTS, path: string, value: unknown): Partial<Machine> {
  const [first = '', ...rest] = path.split('.');
  if (first === 'nodeRegistration') return { node: withField(machine.node, rest, value) };
  const document = OF_DOCUMENTS[kind];
  return { [document]: withField(machine[document], [first, ...rest], value) };
}

/** The same of several fields. */
function toldAll(machine: Machine, kind: keyof typeof OF_DOCUMENTS, fields: Fields): Partial<Machine> {
  const all: Machine = { ...machine };
  for (const [name, value] of Object.entries(fields)) Object.assign(all, told(all, kind, name, value));
  return all;
}

const CLAUSES: readonly (readonly [RegExp, Clause])[] = [
  [/^as it should be$/, () => ({})],
  [/^without the control group (\S+)$/, ([name = ''], machine) => on(machine, { cgroupsLack: [name] })],
  [/^with control groups of version 1$/, (_, machine) => on(machine, { cgroups: 1 })],
  [
    /^without a container runtime$/,
    (_, machine) => on(machine, { runtime: { failure: 'rpc error: code = Unavailable' } }),
  ],
  [
    /^whose container runtime is not ready$/,
    (_, machine) =>
      on(machine, { runtime: { configures: true, notReady: { reason: 'Starting', message: 'not yet' } } }),
  ],
  [/^with (\d+) processors?$/, ([count], machine) => on(machine, { processors: Number(count) })],
  [
    /^that becomes a control plane$/,
    (_, { join }) => ({ join: { ...join, controlPlane: { localAPIEndpoint: { advertiseAddress: '192.0.2.10' } } } }),
  ],
  [/^with (\d+) MiB of memory$/, ([count], machine) => on(machine, { memory: Number(count) })],
  [
    /^where an init has left (\S+)$/,
    ([names = ''], machine) =>
      on(machine, { files: { ...machine.host.files, ...leftBehind(...names.replace('all', '').split('+')) } }),
  ],
  [
    /^whose (\S+) (is \D+|has \D+|asks \D+)$/,
    ([path = '', deed = ''], machine) => {
      const files = doneTo(machine.host.files, path, deed);
      return files === undefined ? undefined : on(machine, { files });
    },
  ],
  [
    /^told that (InitConfiguration|ClusterConfiguration) has (\{\S*\})$/,
    ([kind, given], machine) => toldAll(machine, kind as keyof typeof OF_DOCUMENTS, record(jsonOr(given ?? ''))),
  ],
  [
    /^told that (InitConfiguration|ClusterConfiguration|JoinConfiguration) has ([^\s{]+?)=(\S*)$/,
    ([kind, path = '', value = ''], machine) => told(machine, kind as keyof typeof OF_DOCUMENTS, path, jsonOr(value)),
  ],
  [/^told in (v1\w+)$/, ([version]) => ({ apiVersion: `kubeadm.k8s.io/${version}` })],
  [/^told besides (\S+)$/, ([given = ''], { besides }) => ({ besides: [...besides, ...documentsIn(given)] })],
  [/^told nothing but (\S+)$/, ([given = '']) => ({ instead: documentsIn(given) })],
  [/^with the flag (\S+)$/, ([flag = ''], { flags }) => ({ flags: [...flags, flag] })],
  [/^without (\S+)$/, ([name = ''], machine) => on(machine, { lacks: [...machine.host.lacks, name] })],
  [
    /^with port (\d+) in use$/,
    ([port], machine) => on(machine, { portsInUse: [...machine.host.portsInUse, Number(port)] }),
  ],
  [
    /^with the patch (\S+) (\S+)$/,
    ([name = '', patch = ''], machine) => ({
      ...withFile(machine, `${PATCHES}/${name}`, patch),
      init: { ...machine.init, patches: { directory: PATCHES } },
    }),
  ],
  [/^with (\/\S+)$/, ([path = ''], machine) => withFile(machine, path, 'something\n')],
  [
    /^where (\S+) is missing$/,
    ([name = ''], machine) => on(machine, { files: without(machine.host.files, sysctl(name)) }),
  ],
  [/^where (\S+) is (\d)$/, ([name = '', value], machine) => withFile(machine, sysctl(name), `${value}\n`)],
  [/^that swaps$/, (_, machine) => withFile(machine, '/proc/swaps', SWAPS)],
  [/^of another user than root$/, (_, machine) => on(machine, { privileged: false })],
  [/^whose name nobody knows$/, (_, machine) => on(machine, { nameless: UNKNOWN_NAME })],
  [/^named (\S+)$/, ([name], machine) => ({ node: { ...machine.node, name } })],
  [/^with kernel (\S+)$/, ([kernel = ''], machine) => on(machine, { kernel })],
  [
    /^with a kubelet (\d+) minors? (older|newer)$/,
    ([count, way], machine, release) =>
      on(machine, { kubelet: { output: `Kubernetes v${minorsAway(release, count, way)}\n` } }),
  ],
  [
    /^for a cluster (\d+) minors? (older|newer)$/,
    ([count, way], machine, release) => ({
      cluster: { ...machine.cluster, kubernetesVersion: `v${minorsAway(release, count, way)}` },
    }),
  ],
  [
    /^without a service (\S+)$/,
    ([name = ''], machine) => on(machine, { services: without(machine.host.services, name) }),
  ],
  [/^whose service (\S+) is disabled$/, ([name = ''], machine) => withService(machine, name, { active: true })],
  [/^whose service (\S+) is stopped$/, ([name = ''], machine) => withService(machine, name, { enabled: true })],
  [
    /^whose service (\S+) is active$/,
    ([name = ''], machine) => withService(machine, name, { enabled: true, active: true }),
  ],
  [
    /^behind a proxy(?: but for (\S+))?$/,
    ([but = ''], machine) => on(machine, { environment: { HTTPS_PROXY: PROXY, NO_PROXY: but.replaceAll('+', ',') } }),
  ],
  [
    /^at an IPv6 address$/,
    (_, { init, cluster }) => ({
      init: { ...init, localAPIEndpoint: { advertiseAddress: 'fd00::10' } },
      cluster: { ...cluster, networking: { serviceSubnet: 'fd01::/108', podSubnet: 'fd02::/48' } },
    }),
  ],
  [
    /^with an etcd elsewhere of (\S+)$/,
    ([version = ''], machine) => ({
      cluster: { ...machine.cluster, ...external() },
      ...on(machine, { etcd: { version } }),
    }),
  ],
  [
    /^with an etcd elsewhere whose CA is (\S+)$/,
    ([caFile], machine) => ({ cluster: { ...machine.cluster, ...external({ caFile }) } }),
  ],
  [
    /^with an etcd elsewhere whose certificate is (\S+) and key is (\S+)$/,
    ([certFile, keyFile], machine) => ({
      cluster: { ...machine.cluster, ...external({ caFile: certFile, certFile, keyFile }) },
    }),
  ],
  [
    /^whose API server is told --(\S+)=(\S+)$/,
    ([name = '', value], { cluster }) => ({ cluster: { ...cluster, apiServer: { extraArgs: { [name]: value } } } }),
  ],
  [/^with Docker$/, (_, { node }) => ({ node: { ...node, ...DOCKER } })],
  [
    /^with Docker (\d\S*)$/,
    ([version = ''], machine) => ({ node: { ...machine.node, ...DOCKER }, ...on(machine, { docker: { version } }) }),
  ],
  [
    /^with a Docker that does not answer$/,
    (_, machine) => ({
      node: { ...machine.node, ...DOCKER },
      ...on(machine, { docker: { failure: 'output: , error: exit status 1' } }),
    }),
  ],
  [/^of Windows$/, (_, machine) => on(machine, { os: 'windows', files: {}, kernel: '10.0.20348' })],
  [
    /^configured to ignore (\S+)$/,
    ([names = ''], { node }) => ({ node: { ...node, ignorePreflightErrors: names.split('+') } }),
  ],
  [/^ignoring (\S+)$/, ([names = ''], machine) => ({ ignored: [...machine.ignored, names.replaceAll('+', ',')] })],
];

/** Nothing is told but what is told of every machine. */
export const PLAIN: Omit<Machine, 'host'> = {
  ...{ init: {}, cluster: {}, node: {}, join: {} },
  ...{ ignored: [], flags: [], besides: [] },
  apiVersion: API_VERSION,
};

/** The machine of this name for kubeadm of this release; undefined: there is none. */
export function machineNamed(name: string, release: Release): Machine | undefined {
  let machine: Machine = { host: soundHost(release), ...PLAIN };
  for (const clause of name.split(', ')) {
    const known = CLAUSES.map(([pattern, make]) => ({ parts: pattern.exec(clause), make })).find(
      ({ parts }) => parts !== null,
    );
    if (known?.parts == null) return undefined;
    const made = known.make(known.parts.slice(1), machine, release);
    if (made === undefined) return undefined;
    machine = { ...machine, ...made };
  }
  return machine;
}

export const NODE_NAME = EARLIER_NODE;
const SOCKET = 'unix:///run/containerd/containerd.sock';
const TOKEN = 'abcdef.0123456789abcdef';

/** The documents that kubeadm is given for it. JSON is YAML. */
export function documentsFor(
  machine: Machine,
  look: LookKind,
  release: Release = parseRelease(NEWEST_RELEASE),
): string {
  const { init, cluster, node, join, apiVersion, besides, instead } = machine;
  const nodeRegistration = { name: NODE_NAME, criSocket: SOCKET, ...node };
  const documents =
    look === 'join'
      ? [
          {
            kind: 'JoinConfiguration',
            discovery: {
              bootstrapToken: { token: TOKEN, apiServerEndpoint: '192.0.2.10:6443', unsafeSkipCAVerification: true },
              timeout: '1s',
            },
            nodeRegistration,
            ...join,
          },
        ]
      : [
          {
            kind: 'InitConfiguration',
            localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
            nodeRegistration,
            ...init,
          },
          {
            kind: 'ClusterConfiguration',
            kubernetesVersion: release.text,
            networking: { podSubnet: '10.244.0.0/16' },
            ...cluster,
          },
        ];
  const all = instead ?? [...documents.map((document) => ({ apiVersion, ...document })), ...besides];
  return all.map((document) => JSON.stringify(document)).join('\n---\n');
}

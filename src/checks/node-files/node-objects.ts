/** The Node of a machine, and what kubeadm has written down of its cluster, beside what lies on the disk. */
import { argumentsIn } from '../../kubernetes/extra-args.js';
import { type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import { LABEL_CONTROL_PLANE } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import type { Check } from '../../model/check.js';
import { demand, type Finding } from '../../model/finding.js';
import { inOrder } from './component-values.js';
import { held, type Seen } from './node-files.js';
import type { NodeFacts } from './node-roles.js';

/** A Node, as far as it is compared. */
export interface NodeSeen {
  readonly name: string;
  readonly isControlPlane: boolean;
  readonly addresses: readonly string[];
  /** '' where it says none. */
  readonly socket: string;
}

const SOCKET = 'kubeadm.alpha.kubernetes.io/cri-socket';

export function nodeSeen({ metadata, status }: KubeObject): NodeSeen {
  const { labels = {}, annotations = {}, name = '' } = metadata;
  return {
    name,
    isControlPlane: labels[LABEL_CONTROL_PLANE] !== undefined,
    addresses: records(record(status).addresses).map(({ address }) => text(address)),
    socket: annotations[SOCKET] ?? '',
  };
}

/** What the disk says of the machine; '' and [] for what it does not say. */
export interface MachineSeen {
  readonly role: NodeFacts['role'];
  /** Of --node-ip. */
  readonly addresses: readonly string[];
  /** Of the container runtime. */
  readonly socket: string;
}

const plain = (socket: string): string => socket.replace(/^unix:\/\//, '');

/** The machine is in the cluster, as what it is. */
export const registered: Check<{ readonly node: NodeSeen | null; readonly name: string }, MachineSeen> = {
  id: 'node-objects/registered',
  source: '002, mark the control plane; cmd/kubeadm/app/phases/{markcontrolplane,patchnode}; pkg/kubelet/nodestatus',
  judge: ({ node, name }, { role, addresses, socket }) => {
    const say = (demanded: string, seen: string, ok: boolean): Finding =>
      demand({ subject: `Node ${name}`, demanded, seen, ok });
    if (node === null) return [say('it is there', 'there is none', false)];
    const isControlPlane = role === 'control plane';
    const marked = isControlPlane ? 'it is marked as a control plane' : 'it is not marked as a control plane';
    return [
      say('it is there', 'it is', true),
      say(marked, node.isControlPlane ? 'it is' : 'it is not', node.isControlPlane === isControlPlane),
      ...addresses.map((address) =>
        say(
          `${address}, of --node-ip, is one of its addresses`,
          node.addresses.join(', '),
          node.addresses.includes(address),
        ),
      ),
      ...(node.socket === '' || socket === ''
        ? []
        : [say(`its runtime is at ${plain(socket)}`, plain(node.socket), plain(node.socket) === plain(socket))]),
    ];
  },
};

/** ClusterConfiguration, as far as it is compared: no extraEnvs, which may hold secrets. */
export interface ConfigurationSeen {
  readonly version: string;
  readonly serviceSubnet: string;
  readonly podSubnet: string;
  readonly dnsDomain: string;
  readonly certificatesDir: string;
  readonly endpoint: string;
  /** null: etcd runs on the control planes. */
  readonly externalEtcd: readonly string[] | null;
  readonly dataDir: string;
  /** Component → flags that are told besides. */
  readonly told: Readonly<Record<string, readonly string[]>>;
}

const OF_COMPONENTS = { 'kube-apiserver': 'apiServer', 'kube-controller-manager': 'controllerManager' } as const;

const namesIn = (extraArgs: unknown): readonly string[] => argumentsIn(extraArgs).map(([name]) => name);

/** undefined: it is no ClusterConfiguration. */
export function configurationSeen(configuration: Fields): ConfigurationSeen | undefined {
  if (configuration.kind !== 'ClusterConfiguration') return undefined;
  const { serviceSubnet, podSubnet, dnsDomain } = record(configuration.networking);
  const { local, external } = record(configuration.etcd);
  const told = Object.entries(OF_COMPONENTS).map(([component, field]) => [
    component,
    namesIn(record(configuration[field]).extraArgs),
  ]);
  return {
    version: text(configuration.kubernetesVersion),
    serviceSubnet: text(serviceSubnet),
    podSubnet: text(podSubnet),
    dnsDomain: text(dnsDomain),
    certificatesDir: text(configuration.certificatesDir),
    endpoint: text(configuration.controlPlaneEndpoint),
    externalEtcd: isRecord(external) ? texts(external.endpoints) : null,
    dataDir: text(record(local).dataDir),
    told: Object.fromEntries([...told, ['etcd', namesIn(record(local).extraArgs)]]),
  };
}

/** A flag of a component, and what it is called in the configuration. */
interface FlagOfConfiguration {
  readonly flag: string;
  readonly field: string;
  readonly value: string;
  /** It need not be told. */
  readonly optional?: true;
}

/** A flag of a static Pod says what kubeadm has written down, where its user has not said otherwise. */
export const flagsAsConfigured: Check<readonly Seen[], { readonly flags: readonly FlagOfConfiguration[] }> = {
  id: 'node-objects/flags-as-configured',
  source: 'cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go',
  judge: (all, { flags }) =>
    all.flatMap((seen) =>
      flags.map(({ flag, field, value, optional }) =>
        held(seen, 'manifest', `--${flag} is ${field} of kubeadm-config`, ({ flags: { [flag]: told = '' } }) => ({
          seen: `${told || 'it is not set'}, there ${value || 'it is not set'}`,
          ok: inOrder(told) === inOrder(value) || (optional === true && told === ''),
        })),
      ),
    ),
};

/** "v1.36.1" → 36, 1 */
const releaseOf = (version: string): readonly [minor: number, patch: number] | undefined => {
  const [, minor, patch] = /v?1\.(\d+)\.(\d+)/.exec(version) ?? [];
  return minor === undefined ? undefined : [Number(minor), Number(patch)];
};

/** `isAlone`: no other control plane is there, which could have been upgraded first. */
export const releaseAsConfigured: Check<readonly Seen[], { readonly version: string; readonly isAlone: boolean }> = {
  id: 'node-objects/release-as-configured',
  source: 'cmd/kubeadm/app/cmd/upgrade/{apply,node}.go',
  judge: (all, { version, isAlone }) =>
    all.map((seen) =>
      held(seen, 'manifest', 'its image is of kubernetesVersion of kubeadm-config, or is upgraded next', ({ pod }) => {
        const [container] = records(record(pod.spec).containers);
        const image = text(container?.image);
        const [own, wanted] = [releaseOf(image.replace(/@.*$/, '').replace(/^.*:/, '')), releaseOf(version)];
        const told = `${image}, there ${version || 'it is not set'}`;
        if (own === undefined || wanted === undefined) return { seen: told, ok: undefined };
        const behind = (wanted[0] - own[0]) * 1000 + wanted[1] - own[1];
        const isNext = !isAlone && behind > 0 && wanted[0] - own[0] <= 1;
        return { seen: told, ok: behind === 0 || isNext };
      }),
    ),
};

/** Something of the disk is what is written down; '' on the disk: it does not say. */
export const asConfigured: Check<readonly { readonly what: string; readonly disk: string; readonly told: string }[]> = {
  id: 'node-objects/as-configured',
  source: 'cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go ClusterConfiguration',
  judge: (all) =>
    all.map(({ what, disk, told }) =>
      demand({
        subject: 'ConfigMap kube-system/kubeadm-config',
        demanded: `${what} is that of the disk`,
        seen: `${told || 'it is not set'}, on the disk ${disk || 'none'}`,
        ok: disk === told,
      }),
    ),
};

/** A field of the kubelet's configuration has one of these values. */
export const kubeletAsks: Check<Seen, { readonly domain: string; readonly addresses: readonly string[] }> = {
  id: 'node-objects/kubelet-asks',
  source: 'cmd/kubeadm/app/componentconfigs/kubelet.go; cmd/kubeadm/app/phases/addons/dns',
  judge: (seen, { domain, addresses }) => [
    ...(domain === ''
      ? []
      : [
          held(seen, 'settings', `clusterDomain is ${domain}`, ({ settings: { clusterDomain } }) => ({
            seen: text(clusterDomain) || 'it is not set',
            ok: text(clusterDomain).replace(/\.$/, '') === domain,
          })),
        ]),
    ...(addresses.length === 0
      ? []
      : [
          held(seen, 'settings', 'clusterDNS is the Service of DNS, or a cache of the node', ({ settings }) => {
            const told = texts(settings.clusterDNS);
            const isCache = (address: string): boolean => /^(?:169\.254\.|fe80:|fd00:169)/.test(address);
            return {
              seen: `${told.join(', ') || 'it is not set'}, the Service has ${addresses.join(', ')}`,
              ok: told.length > 0 && told.every((one) => addresses.includes(one) || isCache(one)),
            };
          }),
        ]),
  ],
};

/** What kubeadm is told of a cluster and of the machine that it runs on, with its defaults filled in. */
import { isIP } from 'node:net';
import type { Argument } from '../kubernetes/extra-args.js';
import type { Fields } from '../kubernetes/json.js';
import { ipBytes, ipText } from '../pki/ip.js';
import type { ComponentSettings, ControlPlaneComponent } from './components.js';
import { atRelease, type ByRelease, type Release } from './release.js';

/** A source of bytes fit for keys: cryptographic in production, seeded in tests. */
export type RandomBytes = (length: number) => Buffer;

/** An etcd that kubeadm does not run. Files are paths, '' where none was given. Source: types.go ExternalEtcd. */
export interface ExternalEtcd {
  readonly endpoints: readonly string[];
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/types.go, of ClusterConfiguration and InitConfiguration. */
export interface Configuration {
  readonly release: Release;
  readonly clusterName: string;
  /** "host:port" that all control planes share; undefined: each is known by its own address. */
  readonly controlPlaneEndpoint?: string;
  /** CIDRs, "10.96.0.0/12"; of a dual-stack list the first one counts for what has one address. */
  readonly serviceSubnet: string;
  readonly podSubnet?: string;
  readonly dnsDomain: string;
  readonly imageRepository: string;
  /** Where certificates and keys lie. */
  readonly certificatesDir: string;
  /** Where kubeconfigs and manifests lie. */
  readonly kubernetesDir: string;
  /** Gates of kubeadm itself; undefined: none was told. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  readonly etcdDataDir: string;
  /** undefined: kubeadm runs one beside the API server. */
  readonly externalEtcd?: ExternalEtcd;
  /** Where etcd's image is another one. */
  readonly etcdImage: { readonly repository?: string; readonly tag?: string };
  /** Further names and addresses in etcd's certificates. */
  readonly etcdServerSANs: readonly string[];
  readonly etcdPeerSANs: readonly string[];
  readonly components: Partial<Readonly<Record<ControlPlaneComponent, ComponentSettings>>>;
  /** Seconds that a component may take to start. */
  readonly startupSeconds: number;
  /** Folders beside /etc/ssl/certs that the host has, which CA files there may be links to. */
  readonly caFolders: readonly string[];
  /** Further names and addresses in the API server's certificate. */
  readonly certSANs: readonly string[];
  readonly keyAlgorithm: 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'ECDSA-P256' | 'ECDSA-P384';
  /** How long certificates live, in hours. */
  readonly certificateHours: number;
  readonly caCertificateHours: number;
  /** The key of the cluster's authority is elsewhere. */
  readonly externalCa: boolean;
  /** In lower case. */
  readonly nodeName: string;
  /** Where the API server of this machine says that it can be reached, and on which port it listens. */
  readonly advertiseAddress: string;
  readonly bindPort: number;
  /** Of the container runtime. */
  readonly criSocket: string;
  readonly kubeletExtraArgs: readonly Argument[];
  /** What the machine calls itself, in lower case; undefined: as the node is named. */
  readonly hostName?: string;
  /** What the user says of KubeletConfiguration, as it was given. */
  readonly kubelet: Fields;
  /** URL at which clients reach the API server, as admin.conf and cluster-info name it: follows from the others. */
  readonly server: string;
}

/** Source: cmd/kubeadm/app/apis/kubeadm/v1beta4/defaults.go. */
const DEFAULTS = {
  clusterName: 'kubernetes',
  serviceSubnet: '10.96.0.0/12',
  dnsDomain: 'cluster.local',
  certificatesDir: '/etc/kubernetes/pki',
  kubernetesDir: '/etc/kubernetes',
  etcdDataDir: '/var/lib/etcd',
  certSANs: [],
  etcdImage: {},
  etcdServerSANs: [],
  etcdPeerSANs: [],
  components: {},
  startupSeconds: 240,
  caFolders: ['/etc/ca-certificates', '/usr/share/ca-certificates', '/usr/local/share/ca-certificates'],
  keyAlgorithm: 'RSA-2048',
  certificateHours: 8760,
  caCertificateHours: 87600,
  externalCa: false,
  bindPort: 6443,
  criSocket: 'unix:///var/run/containerd/containerd.sock',
  kubeletExtraArgs: [],
  kubelet: {},
} as const;

/** Source: release notes of 1.25; constants.go DefaultImageRepository. */
const IMAGES: ByRelease<string> = [
  [{ until: 24 }, 'k8s.gcr.io'],
  [{}, 'registry.k8s.io'],
];

type Told = Pick<Configuration, 'release' | 'nodeName' | 'advertiseAddress'> & Partial<Omit<Configuration, 'server'>>;

/** "host:port" with brackets around IPv6. */
export const hostPort = (host: string, port: number): string => `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;

/** Fills in kubeadm's defaults. */
export function configure(told: Told): Configuration {
  const imageRepository = atRelease(told.release, IMAGES) ?? '';
  const all = { ...DEFAULTS, imageRepository, ...told, nodeName: told.nodeName.toLowerCase() };
  return { ...all, server: `https://${all.controlPlaneEndpoint ?? hostPort(all.advertiseAddress, all.bindPort)}` };
}

/** What the phases that write to the API know besides. */
export interface InitFacts extends Configuration {
  /** PEM of the cluster's CA. */
  readonly caPem: string;
}

/** The address at `index` of a subnet. Throws RangeError for what is none. Source: k8s.io/utils/net GetIndexedIP. */
export function addressIn(subnets: string, index: number): string {
  const bytes = ipBytes(subnets.split(',')[0]?.split('/')[0] ?? '');
  if (bytes === undefined) throw new RangeError(`"${subnets}" is no subnet. Give one such as 10.96.0.0/12.`);
  const sum = BigInt(`0x${bytes.toString('hex')}`) + BigInt(index);
  return ipText(Buffer.from(sum.toString(16).padStart(bytes.length * 2, '0'), 'hex'));
}

/** The Service "kubernetes" has the first address of the service subnet. */
export const apiServiceAddress = ({ serviceSubnet }: Pick<Configuration, 'serviceSubnet'>): string =>
  addressIn(serviceSubnet, 1);

/** The Service "kube-dns" has the tenth. */
export const dnsServiceAddress = ({ serviceSubnet }: Pick<Configuration, 'serviceSubnet'>): string =>
  addressIn(serviceSubnet, 10);

/** Issuer of service account tokens. */
export const serviceAccountIssuer = ({ dnsDomain }: Pick<Configuration, 'dnsDomain'>): string =>
  `https://kubernetes.default.svc.${dnsDomain}`;

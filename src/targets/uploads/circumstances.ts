/** In what circumstances shared certificates are uploaded. */
import type { Cast } from '../../liars/cast.js';
import { sharedFiles } from '../../liars/shared-certificates.js';

export const FOLDER = '/etc/kubernetes/pki';
/** The Node of the machine, and the port of its API server. */
export const OWN_NODE = 'cp-1';
export const OWN_PORT = 6443;
/** The token that init is told to hand on. */
export const TOKEN = 'abcdef.0123456789abcdef';

const ONE = 'e799a655f667fc327ab8c91f4f2541b57b96d2693ab5af96314ebddea7a68526';
const OTHER = '37e5a8bf4a473b268ff396b55f76f1ec59aecf91ba5b2a0ffce1ece19b7fcb7f';

export interface Circumstance {
  /** The certificate key that each time is told; undefined: none. Default: once, none. */
  readonly keys?: readonly (string | undefined)[];
  /** Default: it is told to upload. */
  readonly uploads?: boolean;
  /** It is told not to say its key. */
  readonly quiet?: boolean;
  /** Init as a whole, of what it writes to the cluster, up to the command for those who join. */
  readonly isWhole?: boolean;
  /** What a whole init is told besides: `TOLD`. */
  readonly isTold?: true;
  /** Files that are not there, and folders that are there in the place of files. */
  readonly missing?: readonly string[];
  readonly unreadable?: readonly string[];
  /** etcd is somebody else's. */
  readonly externalEtcd?: true;
}

/** Of its token, its Node and its cluster, where init is told of them. */
export const TOLD = {
  token: {
    description: 'for rack 7',
    groups: ['system:bootstrappers:kubeadm:default-node-token', 'system:bootstrappers:blue'],
    ttlSeconds: 7200,
  },
  other: {
    token: 'fedcba.fedcba9876543210',
    description: 'for rack 8',
    groups: ['system:bootstrappers:blue', 'system:bootstrappers:green'],
    usages: ['authentication'],
    ttlSeconds: 0,
  },
  taints: [{ key: 'example.com/kept', effect: 'NoSchedule' }],
  networking: { dnsDomain: 'blue.example', serviceSubnet: '10.100.0.0/16', podSubnet: '10.32.0.0/12' },
  clusterName: 'blue',
  imageRepository: 'registry.example/mirror',
  featureGates: { RootlessControlPlane: true },
  certSANs: ['api.blue.example', '192.0.2.77'],
  flags: {
    'kube-apiserver': ['audit-log-maxage', '7'],
    'kube-controller-manager': ['node-monitor-period', '6s'],
    'kube-scheduler': ['kube-api-qps', '51'],
    etcd: ['quota-backend-bytes', '8589934592'],
  },
  volume: { name: 'blue', hostPath: '/srv/host', mountPath: '/srv/pod', readOnly: true, pathType: 'DirectoryOrCreate' },
  etcdServerSANs: ['etcd.blue.example'],
  etcdPeerSANs: ['peer.blue.example'],
  /** Told in v1beta4. */
  algorithm: 'ECDSA-P256',
  hours: 240,
} as const;

export const circumstances: Readonly<Record<string, Circumstance>> = {
  'no key told': {},
  'a key told': { keys: [ONE] },
  'a key in capitals told': { keys: [OTHER.toUpperCase()] },
  'a key told, and not to say it': { keys: [ONE], quiet: true },
  'not told to': { uploads: false },
  'a key told, but not to upload': { uploads: false, keys: [ONE] },
  'a key that is no hex': { keys: [`zz${ONE.slice(2)}`] },
  'a key of 16 bytes': { keys: [ONE.slice(0, 32)] },
  'without sa.pub': { missing: ['sa.pub'] },
  'etcd/ca.key is a folder': { unreadable: ['etcd/ca.key'] },
  'the key of the CA lies elsewhere': { missing: ['ca.key'] },
  'an etcd of somebody else': { externalEtcd: true },
  'twice, with two keys': { keys: [ONE, OTHER] },
  'twice, no key told': { keys: [undefined, undefined] },
  'a whole init': { isWhole: true },
  'a whole init that is told more': { isWhole: true, isTold: true },
};

/** Files of an etcd that is not kubeadm's own. */
const ETCD = ['external-etcd-ca.crt', 'external-etcd.crt', 'external-etcd.key'] as const;
export const etcdFiles = {
  endpoints: ['https://192.0.2.30:2379'],
  caFile: `${FOLDER}/${ETCD[0]}`,
  certFile: `${FOLDER}/${ETCD[1]}`,
  keyFile: `${FOLDER}/${ETCD[2]}`,
};

/** PEM by the name of the file; those that the circumstance leaves out are not there. */
export function diskFor(
  cast: Cast,
  { missing = [], unreadable = [], externalEtcd }: Circumstance,
): ReadonlyMap<string, string> {
  const own = Object.entries(sharedFiles(cast));
  const { certificatePem, keyPem } = cast.serving.good;
  const others: readonly (readonly [string, string])[] = [
    [ETCD[0], cast.authorities['etcd ca'].certificate.pem],
    [ETCD[1], certificatePem],
    [ETCD[2], keyPem],
  ];
  const all = externalEtcd === true ? [...own.filter(([name]) => !name.startsWith('etcd/')), ...others] : own;
  return new Map(all.filter(([name]) => !missing.includes(name) && !unreadable.includes(name)));
}

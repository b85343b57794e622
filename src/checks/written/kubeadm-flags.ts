/** What kubeadm tells the programs of a control plane, where nobody says anything else. */

type Flags = Readonly<Record<string, string>>;

const PKI = '/etc/kubernetes/pki';
const conf = (name: string): string => `/etc/kubernetes/${name}.conf`;

/** Both of a kubeconfig by which it asks, and lets others be asked. */
const delegated = (name: string): Readonly<Record<string, string>> => ({
  'authentication-kubeconfig': conf(name),
  'authorization-kubeconfig': conf(name),
  kubeconfig: conf(name),
  'leader-elect': 'true',
});

/** The address of the machine as a URL has it, and in a flag; "lo": that at which its etcd listens for it alone. */
export interface Own {
  readonly inUrl: string;
  readonly address: string;
  readonly lo: string;
  readonly services: string;
}

/**
 * Flags of each, of every release.
 * Source: cmd/kubeadm/app/phases/controlplane/manifests.go; phases/etcd/local.go getEtcdCommand.
 */
export const kubeadmFlags = ({ inUrl, address, lo, services }: Own): Readonly<Record<string, Flags>> => ({
  'kube-apiserver': {
    'advertise-address': address,
    'allow-privileged': 'true',
    'authorization-mode': 'Node,RBAC',
    'client-ca-file': `${PKI}/ca.crt`,
    'enable-admission-plugins': 'NodeRestriction',
    'enable-bootstrap-token-auth': 'true',
    'etcd-cafile': `${PKI}/etcd/ca.crt`,
    'etcd-certfile': `${PKI}/apiserver-etcd-client.crt`,
    'etcd-keyfile': `${PKI}/apiserver-etcd-client.key`,
    'etcd-servers': `https://${lo}:2379`,
    'kubelet-client-certificate': `${PKI}/apiserver-kubelet-client.crt`,
    'kubelet-client-key': `${PKI}/apiserver-kubelet-client.key`,
    'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
    'proxy-client-cert-file': `${PKI}/front-proxy-client.crt`,
    'proxy-client-key-file': `${PKI}/front-proxy-client.key`,
    'requestheader-allowed-names': 'front-proxy-client',
    'requestheader-client-ca-file': `${PKI}/front-proxy-ca.crt`,
    'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
    'requestheader-group-headers': 'X-Remote-Group',
    'requestheader-username-headers': 'X-Remote-User',
    'secure-port': '6443',
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': `${PKI}/sa.pub`,
    'service-account-signing-key-file': `${PKI}/sa.key`,
    'service-cluster-ip-range': services,
    'tls-cert-file': `${PKI}/apiserver.crt`,
    'tls-private-key-file': `${PKI}/apiserver.key`,
  },
  'kube-controller-manager': {
    ...delegated('controller-manager'),
    'client-ca-file': `${PKI}/ca.crt`,
    'cluster-name': 'kubernetes',
    'cluster-signing-cert-file': `${PKI}/ca.crt`,
    'cluster-signing-key-file': `${PKI}/ca.key`,
    controllers: '*,bootstrapsigner,tokencleaner',
    'requestheader-client-ca-file': `${PKI}/front-proxy-ca.crt`,
    'root-ca-file': `${PKI}/ca.crt`,
    'service-account-private-key-file': `${PKI}/sa.key`,
    'use-service-account-credentials': 'true',
  },
  'kube-scheduler': delegated('scheduler'),
  etcd: {
    'advertise-client-urls': `https://${inUrl}:2379`,
    'cert-file': `${PKI}/etcd/server.crt`,
    'client-cert-auth': 'true',
    'data-dir': '/var/lib/etcd',
    'initial-advertise-peer-urls': `https://${inUrl}:2380`,
    'key-file': `${PKI}/etcd/server.key`,
    'listen-client-urls': `https://${lo}:2379,https://${inUrl}:2379`,
    'listen-peer-urls': `https://${inUrl}:2380`,
    'peer-cert-file': `${PKI}/etcd/peer.crt`,
    'peer-client-cert-auth': 'true',
    'peer-key-file': `${PKI}/etcd/peer.key`,
    'peer-trusted-ca-file': `${PKI}/etcd/ca.crt`,
    'trusted-ca-file': `${PKI}/etcd/ca.crt`,
  },
});

const BY_ITSELF: Own = { inUrl: '', address: '', lo: '', services: '' };

/** Which of them are of one machine, of its cluster, or of where its etcd is. */
const OF_ONE = /^(?:.*-urls|etcd-.*|advertise-address|service-cluster-ip-range|cluster-name)$/;

/** Programs of a control plane: "kube-apiserver". */
export const PROGRAMS = Object.keys(kubeadmFlags(BY_ITSELF));

/** Those of a program that are the same wherever it runs, with certificates in that folder. */
export const toldEverywhere = (program: string, folder = PKI): Flags =>
  Object.fromEntries(
    Object.entries(kubeadmFlags(BY_ITSELF)[program] ?? {})
      .filter(([name]) => !OF_ONE.test(name))
      .map(([name, value]) => [name, value.startsWith(`${PKI}/`) ? folder + value.slice(PKI.length) : value]),
  );

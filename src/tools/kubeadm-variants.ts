/** What kubeadm init is told in turn, so that what it writes is compared in all of these. */

export interface Variant {
  readonly name: string;
  readonly init?: Readonly<Record<string, unknown>>;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly documents?: readonly Readonly<Record<string, unknown>>[];
  readonly version?: 'v1beta3' | 'v1beta4';
}

const args = (...all: readonly (readonly [string, string])[]): readonly unknown[] =>
  all.map(([name, value]) => ({ name, value }));
const etcd = (local: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({ etcd: { local } });
const external = (told: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  etcd: { external: told },
});

export const VARIANTS: readonly Variant[] = [
  { name: 'default' },
  {
    name: 'subnets and domain',
    cluster: {
      clusterName: 'blue',
      networking: { podSubnet: '10.244.0.0/16', serviceSubnet: '172.30.0.0/16', dnsDomain: 'corp.example' },
    },
  },
  {
    name: 'dual stack',
    cluster: {
      networking: {
        podSubnet: '10.244.0.0/16,fd00:10:244::/56',
        serviceSubnet: '10.96.0.0/16,fd00:10:96::/112',
      },
    },
  },
  {
    name: 'IPv6',
    init: { localAPIEndpoint: { advertiseAddress: '2001:db8::10' } },
    cluster: { networking: { podSubnet: 'fd00:10:244::/56', serviceSubnet: 'fd00:10:96::/112' } },
  },
  {
    name: 'endpoint with another port, further names',
    init: { localAPIEndpoint: { advertiseAddress: '192.0.2.10', bindPort: 8443 } },
    cluster: {
      controlPlaneEndpoint: 'lb.example:443',
      apiServer: { certSANs: ['K8S.Example.COM', '*.wild.example', '203.0.113.7'] },
    },
  },
  { name: 'endpoint without a port', cluster: { controlPlaneEndpoint: 'lb.example' } },
  {
    name: 'external etcd',
    cluster: external({
      endpoints: ['https://e1:2379', 'https://e2:2379'],
      caFile: '/etc/etcd/ssl/ca.crt',
      certFile: '/etc/etcd/client/c.crt',
      keyFile: '/etc/etcd/client/c.key',
    }),
  },
  { name: 'external etcd without TLS', cluster: external({ endpoints: ['http://e1:2379'] }) },
  { name: 'ECDSA-P256', cluster: { encryptionAlgorithm: 'ECDSA-P256' } },
  { name: 'ECDSA-P384', cluster: { encryptionAlgorithm: 'ECDSA-P384' } },
  { name: 'RSA-3072', cluster: { encryptionAlgorithm: 'RSA-3072' } },
  {
    name: 'arguments, volumes, variables',
    cluster: {
      apiServer: {
        extraArgs: args(['v', '2'], ['audit-log-path', '/var/log/audit.log'], ['v', '3'], ['secure-port', '7443']),
        extraVolumes: [
          { name: 'audit', hostPath: '/var/log/k', mountPath: '/var/log/k', pathType: 'DirectoryOrCreate' },
          { name: 'zz', hostPath: '/etc/zz', mountPath: '/etc/yy', readOnly: true },
        ],
        extraEnvs: [{ name: 'N', value: '1' }],
      },
      controllerManager: {
        extraArgs: args(['allocate-node-cidrs', 'true'], ['bind-address', '0.0.0.0']),
        extraVolumes: [
          { name: 'kubeconfig', hostPath: '/etc/o', mountPath: '/etc/o', readOnly: true, pathType: 'File' },
        ],
      },
      scheduler: { extraArgs: args(['leader-elect', 'false'], ['bind-address', '::']) },
    },
  },
  {
    name: 'etcd with settings',
    cluster: etcd({
      dataDir: '/data/etcd',
      extraArgs: args(
        ['quota-backend-bytes', '8589934592'],
        ['listen-metrics-urls', 'http://0.0.0.0:2381'],
        ['advertise-client-urls', 'https://etcd.example:2379'],
      ),
      serverCertSANs: ['etcd.example', '198.51.100.3'],
      peerCertSANs: ['peer.example'],
      imageTag: '3.5.99-0',
      imageRepository: 'reg.example/etcd',
    }),
  },
  { name: 'folder of certificates', cluster: { certificatesDir: '/etc/kubernetes/secret/pki' } },
  {
    name: 'validity',
    cluster: { certificateValidityPeriod: '100h30m', caCertificateValidityPeriod: '1000h' },
  },
  { name: 'image repository', cluster: { imageRepository: 'registry.corp/k8s' } },
  {
    name: 'node',
    init: {
      nodeRegistration: {
        name: 'Other-Node',
        criSocket: '/run/crio/crio.sock',
        taints: [],
        kubeletExtraArgs: args(['v', '4'], ['node-ip', '192.0.2.10']),
      },
    },
  },
  {
    name: 'KubeletConfiguration',
    documents: [
      {
        apiVersion: 'kubelet.config.k8s.io/v1beta1',
        kind: 'KubeletConfiguration',
        maxPods: 200,
        nodeStatusUpdateFrequency: '1m',
        cgroupDriver: 'cgroupfs',
        serverTLSBootstrap: true,
        evictionHard: { 'memory.available': '5%' },
        clusterDNS: ['10.96.0.99'],
      },
    ],
  },
  {
    name: 'v1beta3',
    version: 'v1beta3',
    cluster: { apiServer: { extraArgs: { v: '2', 'audit-log-maxage': '30' }, timeoutForControlPlane: '2m' } },
  },
  {
    name: 'texts that YAML quotes or folds',
    cluster: {
      apiServer: {
        extraArgs: args(
          ['a', 'x: y'],
          ['c', "it's # here"],
          ['e', 'a very long value that has many blanks in it, so that a writer of YAML folds it over several lines'],
        ),
        extraEnvs: [{ name: 'NUM', value: '0123' }],
      },
    },
  },
];

/** The documents of a variant, as a file of them. */
export function documentsOf(
  { init = {}, cluster = {}, documents = [], version = 'v1beta4' }: Variant,
  release: string,
) {
  const apiVersion = `kubeadm.k8s.io/${version}`;
  const all = [
    {
      apiVersion,
      kind: 'InitConfiguration',
      localAPIEndpoint: { advertiseAddress: '192.0.2.10' },
      nodeRegistration: { name: 'CP-1.Example', criSocket: 'unix:///run/containerd/containerd.sock' },
      ...init,
    },
    { apiVersion, kind: 'ClusterConfiguration', kubernetesVersion: release, ...cluster },
    ...documents,
  ];
  return all.map((one) => JSON.stringify(one)).join('\n---\n');
}

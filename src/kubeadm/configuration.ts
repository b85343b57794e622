/**
 * The texts that kubeadm stores: ClusterConfiguration, the kubelets' configuration, kube-proxy's. Keys are sorted, what is not set is a zero value.
 * Source: cmd/kubeadm/app/phases/{uploadconfig,kubelet,addons/proxy}, componentconfigs; kubelet/config/v1beta1; kube-proxy/config/v1alpha1.
 */
import { createHash } from 'node:crypto';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { ConfigMap } from '../kubernetes/objects.js';
import {
  CERTIFICATES_DIR,
  CLUSTER_DOMAIN,
  CLUSTER_NAME,
  DNS_SERVICE_IP,
  IMAGE_REPOSITORY,
  type InitFacts,
  type Release,
  SERVICE_SUBNET,
} from './facts.js';

const HASH_ANNOTATION = 'kubeadm.kubernetes.io/component-config.hash';

/** Drops the lines of features that the release does not have. */
const lines = (...parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join('\n');

/** SHA-256 over all values in the order of their keys. Source: componentconfigs/checksums.go. */
const hashOf = (data: Readonly<Record<string, string>>): string => {
  const hash = createHash('sha256');
  for (const key of Object.keys(data).sort()) hash.update(data[key] as string);
  return `sha256:${hash.digest('hex')}`;
};

/** ClusterConfiguration: v1beta4 from 1.31 on, v1beta3 before. Source: apis/kubeadm/v1beta4/types.go. */
export const clusterConfiguration = (facts: InitFacts): string => {
  const v1beta4 = facts.release.minor >= 31;
  return lines(
    v1beta4 ? 'apiServer: {}' : 'apiServer:\n  timeoutForControlPlane: 4m0s',
    `apiVersion: kubeadm.k8s.io/${v1beta4 ? 'v1beta4' : 'v1beta3'}`,
    v1beta4 && 'caCertificateValidityPeriod: 87600h0m0s\ncertificateValidityPeriod: 8760h0m0s',
    `certificatesDir: ${CERTIFICATES_DIR}`,
    `clusterName: ${CLUSTER_NAME}`,
    `controlPlaneEndpoint: ${facts.endpoint}`,
    'controllerManager: {}',
    'dns: {}',
    v1beta4 && `encryptionAlgorithm: ${facts.keyAlgorithm}`,
    'etcd:\n  local:\n    dataDir: /var/lib/etcd',
    `imageRepository: ${IMAGE_REPOSITORY}`,
    'kind: ClusterConfiguration',
    `kubernetesVersion: ${facts.release.text}`,
    `networking:\n  dnsDomain: ${CLUSTER_DOMAIN}\n  serviceSubnet: ${SERVICE_SUBNET}`,
    v1beta4 && 'proxy: {}',
    'scheduler: {}',
    '',
  );
};

const LOGGING = 'logging:\n  flushFrequency: 0\n  options:\n    json:\n      infoBufferSize: "0"\n';

/** KubeletConfiguration as stored: no defaults filled in. resolvConf was stored up to 1.30. Source: componentconfigs/kubelet.go. */
export const kubeletConfiguration = (release: Release): string =>
  lines(
    'apiVersion: kubelet.config.k8s.io/v1beta1',
    `authentication:\n  anonymous:\n    enabled: false\n  webhook:\n    cacheTTL: 0s\n    enabled: true\n  x509:\n    clientCAFile: ${CERTIFICATES_DIR}/ca.crt`,
    'authorization:\n  mode: Webhook\n  webhook:\n    cacheAuthorizedTTL: 0s\n    cacheUnauthorizedTTL: 0s',
    'cgroupDriver: systemd',
    `clusterDNS:\n- ${DNS_SERVICE_IP}\nclusterDomain: ${CLUSTER_DOMAIN}`,
    release.minor >= 27 && 'containerRuntimeEndpoint: ""',
    'cpuManagerReconcilePeriod: 0s',
    release.minor >= 32 && 'crashLoopBackOff: {}',
    'evictionPressureTransitionPeriod: 0s\nfileCheckFrequency: 0s\nhealthzBindAddress: 127.0.0.1\nhealthzPort: 10248\nhttpCheckFrequency: 0s',
    release.minor >= 29 && 'imageMaximumGCAge: 0s',
    'imageMinimumGCAge: 0s\nkind: KubeletConfiguration',
    `${LOGGING}${release.minor >= 31 ? '    text:\n      infoBufferSize: "0"\n' : ''}  verbosity: 0`,
    'memorySwap: {}\nnodeStatusReportFrequency: 0s\nnodeStatusUpdateFrequency: 0s',
    release.minor <= 30 && 'resolvConf: /run/systemd/resolve/resolv.conf',
    'rotateCertificates: true\nruntimeRequestTimeout: 0s\nshutdownGracePeriod: 0s\nshutdownGracePeriodCriticalPods: 0s',
    'staticPodPath: /etc/kubernetes/manifests\nstreamingConnectionIdleTimeout: 0s\nsyncFrequency: 0s\nvolumeStatsAggPeriod: 0s',
    '',
  );

/** KubeProxyConfiguration, without a final newline. Source: componentconfigs/kubeproxy.go, phases/addons/proxy/manifests.go. */
export const kubeProxyConfiguration = (release: Release): string =>
  lines(
    'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nbindAddress: 0.0.0.0\nbindAddressHardFail: false',
    'clientConnection:\n  acceptContentTypes: ""\n  burst: 0\n  contentType: ""\n  kubeconfig: /var/lib/kube-proxy/kubeconfig.conf\n  qps: 0',
    'clusterCIDR: ""\nconfigSyncPeriod: 0s',
    'conntrack:\n  maxPerCore: null\n  min: null',
    release.minor >= 29 && '  tcpBeLiberal: false',
    '  tcpCloseWaitTimeout: null\n  tcpEstablishedTimeout: null',
    release.minor >= 29 && '  udpStreamTimeout: 0s\n  udpTimeout: 0s',
    'detectLocal:\n  bridgeInterface: ""\n  interfaceNamePrefix: ""\ndetectLocalMode: ""\nenableProfiling: false\nhealthzBindAddress: ""\nhostnameOverride: ""',
    'iptables:\n  localhostNodePorts: null\n  masqueradeAll: false\n  masqueradeBit: null\n  minSyncPeriod: 0s\n  syncPeriod: 0s',
    'ipvs:\n  excludeCIDRs: null\n  minSyncPeriod: 0s\n  scheduler: ""\n  strictARP: false\n  syncPeriod: 0s\n  tcpFinTimeout: 0s\n  tcpTimeout: 0s\n  udpTimeout: 0s',
    'kind: KubeProxyConfiguration',
    release.minor >= 28 &&
      `${LOGGING}${release.minor >= 31 ? '    text:\n      infoBufferSize: "0"\n' : ''}  verbosity: 0`,
    'metricsBindAddress: ""\nmode: ""',
    release.minor >= 29 &&
      'nftables:\n  masqueradeAll: false\n  masqueradeBit: null\n  minSyncPeriod: 0s\n  syncPeriod: 0s',
    'nodePortAddresses: null\noomScoreAdj: null\nportRange: ""\nshowHiddenMetricsForVersion: ""',
    'winkernel:\n  enableDSR: false\n  forwardHealthCheckVip: false\n  networkName: ""\n  rootHnsEndpointName: ""\n  sourceVip: ""',
  );

const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** kube-proxy's kubeconfig, without a final newline: the shared endpoint, its service account's credentials. */
export const kubeProxyKubeconfig = (server: string): string =>
  [
    'apiVersion: v1\nkind: Config\nclusters:\n- cluster:',
    `    certificate-authority: ${ACCOUNT}/ca.crt`,
    `    server: ${server}`,
    '  name: default\ncontexts:\n- context:\n    cluster: default\n    namespace: default\n    user: default\n  name: default',
    `current-context: default\nusers:\n- name: default\n  user:\n    tokenFile: ${ACCOUNT}/token`,
  ].join('\n');

const configMap = (
  name: string,
  data: Readonly<Record<string, string>>,
  more: Partial<ConfigMap['metadata']> = {},
): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: KUBE_SYSTEM, ...more },
  data,
});
const hashed = (data: Readonly<Record<string, string>>): Readonly<Record<string, string>> => ({
  [HASH_ANNOTATION]: hashOf(data),
});

/** ConfigMap kubeadm-config: ClusterConfiguration alone. Source: phases/uploadconfig/uploadconfig.go UploadConfiguration. */
export const kubeadmConfigMap = (facts: InitFacts): ConfigMap =>
  configMap('kubeadm-config', { ClusterConfiguration: clusterConfiguration(facts) });

/** ConfigMap kubelet-config. Source: phases/kubelet/config.go CreateConfigMap. */
export function kubeletConfigMap(facts: InitFacts): ConfigMap {
  const data = { kubelet: kubeletConfiguration(facts.release) };
  return configMap('kubelet-config', data, { annotations: hashed(data) });
}

/** ConfigMap kube-proxy. Source: phases/addons/proxy/proxy.go. */
export function kubeProxyConfigMap(facts: InitFacts): ConfigMap {
  const data = {
    'config.conf': kubeProxyConfiguration(facts.release),
    'kubeconfig.conf': kubeProxyKubeconfig(facts.server),
  };
  return configMap('kube-proxy', data, { annotations: hashed(data), labels: { app: 'kube-proxy' } });
}

/** ConfigMap coredns. Since 1.32 answers for the cluster's own domain are not cached. Source: phases/addons/dns/manifests.go. */
export const corednsConfigMap = (release: Release): ConfigMap => {
  const cache =
    release.minor >= 32
      ? `    cache 30 {\n       disable success ${CLUSTER_DOMAIN}\n       disable denial ${CLUSTER_DOMAIN}\n    }`
      : '    cache 30';
  const corefile = [
    '.:53 {\n    errors\n    health {\n       lameduck 5s\n    }\n    ready',
    `    kubernetes ${CLUSTER_DOMAIN} in-addr.arpa ip6.arpa {\n       pods insecure\n       fallthrough in-addr.arpa ip6.arpa\n       ttl 30\n    }`,
    '    prometheus :9153\n    forward . /etc/resolv.conf {\n       max_concurrent 1000\n    }',
    cache,
    '    loop\n    reload\n    loadbalance\n}\n',
  ].join('\n');
  return configMap('coredns', { Corefile: corefile });
};

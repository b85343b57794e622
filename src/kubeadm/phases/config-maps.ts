/** The ConfigMaps that kubeadm stores. Source: cmd/kubeadm/app/phases/{uploadconfig,kubelet,addons}. */
import { createHash } from 'node:crypto';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Span } from '../../kubernetes/versions.js';
import type { Configuration } from '../configuration.js';
import { durationText } from '../duration.js';
import { kubeProxyKubeconfig } from '../kubeconfig.js';
import { kubeletConfigName } from '../names.js';
import { inRelease } from '../release.js';
import { kubeletConfiguration, kubeProxyConfiguration, linesOf } from './component-configs.js';

const HASH_ANNOTATION = 'kubeadm.kubernetes.io/component-config.hash';

/** SHA-256 over all values in the order of their keys. Source: componentconfigs/checksums.go. */
const hashOf = (data: Readonly<Record<string, string>>): string => {
  const hash = createHash('sha256');
  for (const [, value] of Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(value);
  return `sha256:${hash.digest('hex')}`;
};

const hours = (given: number): string => durationText(given * 3_600_000);

const V1BETA4: Span = { since: 31 };
const V1BETA3: Span = { until: 30 };

/** ClusterConfiguration: v1beta4 from 1.31 on, v1beta3 before. Keys sorted. Source: apis/kubeadm/v1beta4/types.go. */
const clusterConfiguration = (told: Configuration): string => {
  const sans = told.certSANs.map((san) => `\n  - ${san}`).join('');
  const certSANs = sans === '' ? '' : `\n  certSANs:${sans}`;
  return linesOf(told.release.minor, [
    [V1BETA4, certSANs === '' ? 'apiServer: {}' : `apiServer:${certSANs}`],
    [V1BETA3, `apiServer:${certSANs}\n  timeoutForControlPlane: 4m0s`],
    [V1BETA4, 'apiVersion: kubeadm.k8s.io/v1beta4'],
    [V1BETA3, 'apiVersion: kubeadm.k8s.io/v1beta3'],
    [V1BETA4, `caCertificateValidityPeriod: ${hours(told.caCertificateHours)}`],
    [V1BETA4, `certificateValidityPeriod: ${hours(told.certificateHours)}`],
    `certificatesDir: ${told.certificatesDir}`,
    `clusterName: ${told.clusterName}`,
    ...(told.controlPlaneEndpoint === undefined ? [] : [`controlPlaneEndpoint: ${told.controlPlaneEndpoint}`]),
    'controllerManager: {}',
    'dns: {}',
    [V1BETA4, `encryptionAlgorithm: ${told.keyAlgorithm}`],
    `etcd:\n  local:\n    dataDir: ${told.etcdDataDir}`,
    `imageRepository: ${told.imageRepository}`,
    'kind: ClusterConfiguration',
    `kubernetesVersion: ${told.release.text}`,
    `networking:\n  dnsDomain: ${told.dnsDomain}`,
    ...(told.podSubnet === undefined ? [] : [`  podSubnet: ${told.podSubnet}`]),
    `  serviceSubnet: ${told.serviceSubnet}`,
    [V1BETA4, 'proxy: {}'],
    'scheduler: {}',
    '',
  ]);
};

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

/**
 * ConfigMap kubeadm-config: ClusterConfiguration alone.
 * Source: phases/uploadconfig/uploadconfig.go UploadConfiguration.
 */
export const kubeadmConfigMap = (configuration: Configuration): ConfigMap =>
  configMap('kubeadm-config', { ClusterConfiguration: clusterConfiguration(configuration) });

/** ConfigMap kubelet-config. Source: phases/kubelet/config.go CreateConfigMap. */
export function kubeletConfigMap(configuration: Configuration): ConfigMap {
  const data = { kubelet: kubeletConfiguration(configuration) };
  return configMap(kubeletConfigName(configuration.release), data, { annotations: hashed(data) });
}

/** ConfigMap kube-proxy. Source: phases/addons/proxy/proxy.go. */
export function kubeProxyConfigMap(configuration: Configuration): ConfigMap {
  const data = {
    'config.conf': kubeProxyConfiguration(configuration),
    'kubeconfig.conf': kubeProxyKubeconfig(configuration),
  };
  return configMap('kube-proxy', data, { annotations: hashed(data), labels: { app: 'kube-proxy' } });
}

/**
 * ConfigMap coredns. Since 1.32 answers for the cluster's own domain are not cached.
 * Source: phases/addons/dns/manifests.go.
 */
export const corednsConfigMap = ({ release, dnsDomain }: Configuration): ConfigMap => {
  const cache = inRelease(release, { since: 32 })
    ? `    cache 30 {\n       disable success ${dnsDomain}\n       disable denial ${dnsDomain}\n    }`
    : '    cache 30';
  const corefile = [
    '.:53 {\n    errors\n    health {\n       lameduck 5s\n    }\n    ready',
    `    kubernetes ${dnsDomain} in-addr.arpa ip6.arpa {\n       pods insecure`,
    '       fallthrough in-addr.arpa ip6.arpa\n       ttl 30\n    }',
    '    prometheus :9153\n    forward . /etc/resolv.conf {\n       max_concurrent 1000\n    }',
    cache,
    '    loop\n    reload\n    loadbalance\n}\n',
  ].join('\n');
  return configMap('coredns', { Corefile: corefile });
};

/** The ConfigMaps that kubeadm stores. Source: cmd/kubeadm/app/phases/{uploadconfig,kubelet,addons}. */
import { createHash } from 'node:crypto';
import type { Argument } from '../../kubernetes/extra-args.js';
import type { Fields } from '../../kubernetes/json.js';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { ConfigMap } from '../../kubernetes/objects.js';
import type { Span } from '../../kubernetes/versions.js';
import type { ControlPlaneComponent } from '../components.js';
import type { Configuration } from '../configuration.js';
import { durationText } from '../duration.js';
import { kubeProxyKubeconfig } from '../kubeconfig.js';
import { kubeletConfigName } from '../names.js';
import { inRelease, type Release } from '../release.js';
import { goYaml } from '../yaml.js';
import { kubeletConfiguration, kubeProxyConfiguration } from './component-configs.js';

const HASH_ANNOTATION = 'kubeadm.kubernetes.io/component-config.hash';

/** SHA-256 over all values in the order of their keys. Source: componentconfigs/checksums.go. */
const hashOf = (data: Readonly<Record<string, string>>): string => {
  const hash = createHash('sha256');
  for (const [, value] of Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(value);
  return `sha256:${hash.digest('hex')}`;
};

const hours = (given: number): string => durationText(given * 3_600_000);

const V1BETA4: Span = { since: 31 };

/** Empty lists and texts are left out. */
const unlessEmpty = <T extends string | readonly unknown[]>(given: T | undefined): T | undefined =>
  given === undefined || given.length === 0 ? undefined : given;

/** Flags: a list since v1beta4, a map before. */
const argumentsTold = (told: readonly Argument[], release: Release): unknown =>
  inRelease(release, V1BETA4) ? told.map(([name, value]) => ({ name, value })) : Object.fromEntries(told);

function componentTold({ components, release }: Configuration, name: ControlPlaneComponent): Fields {
  const { extraArgs = [], extraVolumes = [], extraEnvs } = components[name] ?? {};
  return {
    extraArgs: extraArgs.length === 0 ? undefined : argumentsTold(extraArgs, release),
    extraVolumes: unlessEmpty(
      extraVolumes.map(({ readOnly, pathType, ...volume }) => ({
        ...volume,
        pathType: unlessEmpty(pathType),
        readOnly: readOnly || undefined,
      })),
    ),
    extraEnvs: unlessEmpty(extraEnvs),
  };
}

function etcdTold(told: Configuration): Fields {
  const { externalEtcd, etcdImage, etcdServerSANs, etcdPeerSANs, etcdDataDir } = told;
  if (externalEtcd !== undefined) return { external: externalEtcd };
  const { repository: imageRepository, tag: imageTag } = etcdImage;
  const { extraVolumes: _none, ...settings } = componentTold(told, 'etcd');
  return {
    local: {
      ...settings,
      dataDir: etcdDataDir,
      imageRepository,
      imageTag,
      serverCertSANs: unlessEmpty(etcdServerSANs),
      peerCertSANs: unlessEmpty(etcdPeerSANs),
    },
  };
}

/** ClusterConfiguration: v1beta4 from 1.31 on, v1beta3 before. Source: apis/kubeadm/v1beta4/types.go. */
function clusterConfiguration(told: Configuration): string {
  const isNew = inRelease(told.release, V1BETA4);
  const { dnsDomain, podSubnet, serviceSubnet } = told;
  return goYaml({
    apiServer: {
      certSANs: unlessEmpty(told.certSANs),
      ...componentTold(told, 'kube-apiserver'),
      timeoutForControlPlane: isNew ? undefined : durationText(told.startupSeconds * 1000),
    },
    apiVersion: `kubeadm.k8s.io/${isNew ? 'v1beta4' : 'v1beta3'}`,
    caCertificateValidityPeriod: isNew ? hours(told.caCertificateHours) : undefined,
    certificateValidityPeriod: isNew ? hours(told.certificateHours) : undefined,
    certificatesDir: told.certificatesDir,
    clusterName: told.clusterName,
    controlPlaneEndpoint: told.controlPlaneEndpoint,
    controllerManager: componentTold(told, 'kube-controller-manager'),
    dns: {},
    encryptionAlgorithm: isNew ? told.keyAlgorithm : undefined,
    etcd: etcdTold(told),
    featureGates: told.featureGates,
    imageRepository: told.imageRepository,
    kind: 'ClusterConfiguration',
    kubernetesVersion: told.release.text,
    networking: { dnsDomain, podSubnet: unlessEmpty(podSubnet), serviceSubnet },
    proxy: isNew ? {} : undefined,
    scheduler: componentTold(told, 'kube-scheduler'),
  });
}

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

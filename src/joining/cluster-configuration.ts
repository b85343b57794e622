/**
 * What a cluster says of itself to those who join: kubeadm-config, kube-proxy, kubelet-config, in this order.
 * Source: cmd/kubeadm/app/util/config/cluster.go; componentconfigs/configset.go; util/apiclient/idempotency.go.
 */
import { kubeletConfigName } from '../kubeadm/names.js';
import type { Release } from '../kubeadm/release.js';
import { type Fields, isRecord, record, text } from '../kubernetes/json.js';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import { pathOf, resources } from '../kubernetes/resources.js';
import { parseYaml } from '../kubernetes/yaml.js';
import { type Access, Calls, type Got, readObject } from './calls.js';
import type { ClusterInfo } from './decisions/discovery.js';
import type { JoiningDecisions } from './decisions/index.js';
import { configMapData } from './discovering.js';
import { inContext, JoinFailed } from './failures.js';
import { poll } from './poll.js';
import type { Machine } from './ports.js';

/** What a join needs of ClusterConfiguration and kubelet-config. */
export interface ClusterConfiguration {
  readonly clusterName: string;
  /** '' where it has none. */
  readonly controlPlaneEndpoint: string;
  readonly certificatesDir: string;
  readonly imageRepository: string;
  /** Files of an etcd that is not kubeadm's own. */
  readonly externalEtcd?: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
  /** kubelet-config's text, YAML. */
  readonly kubelet: string;
  /** All that kubeadm-config says. */
  readonly fields: Fields;
}

/** Who asks, whom, by which rules. */
export interface Asking {
  readonly machine: Machine;
  readonly decisions: JoiningDecisions;
  readonly release: Release;
  readonly access: Access;
}

/** Throws JoinFailed. */
export async function fetchClusterConfiguration(asking: Asking): Promise<ClusterConfiguration> {
  const { access, decisions, release, machine } = asking;
  if (access.server.replace(/^https?:\/*/, '') === '')
    throw new JoinFailed(
      'unable to access the cluster: failed to create API client configuration from kubeconfig: ' +
        'invalid configuration: no server found for cluster "kubernetes"',
    );
  machine.tell('[preflight] Reading configuration from the "kubeadm-config" ConfigMap in namespace "kube-system"...');
  return inContext('unable to fetch the kubeadm-config ConfigMap', async () => {
    const stored = await fetchConfigMap(asking, 'kubeadm-config');
    if (stored.kind === 'not') throw new JoinFailed(`failed to get config map: ${stored.why}`);
    const cluster = readCluster(stored.object);
    const kubelet = await fetchComponents(asking);
    const version = text(cluster.kubernetesVersion);
    const oldest = decisions.oldestControlPlane(release);
    if (Number(/^v?1\.(\d+)\./.exec(version)?.[1] ?? oldest) < oldest)
      throw new JoinFailed(
        'this version of kubeadm only supports deploying clusters with the control plane version >= ' +
          `1.${oldest}.0. Current version: ${version}`,
      );
    return clusterOf(cluster, kubelet);
  });
}

function clusterOf(cluster: Fields, kubelet: string): ClusterConfiguration {
  const external = record(cluster.etcd).external;
  const etcd = record(external);
  return {
    clusterName: text(cluster.clusterName) === '' ? 'kubernetes' : text(cluster.clusterName),
    controlPlaneEndpoint: text(cluster.controlPlaneEndpoint),
    imageRepository: text(cluster.imageRepository) === '' ? 'registry.k8s.io' : text(cluster.imageRepository),
    certificatesDir: text(cluster.certificatesDir) === '' ? '/etc/kubernetes/pki' : text(cluster.certificatesDir),
    ...(isRecord(external)
      ? { externalEtcd: { caFile: text(etcd.caFile), certFile: text(etcd.certFile), keyFile: text(etcd.keyFile) } }
      : {}),
    kubelet,
    fields: cluster,
  };
}

/** Fetches a ConfigMap with the short repetition that kubeadm has for all of them. */
async function fetchConfigMap(asking: Asking, name: string): Promise<Got<ClusterInfo>> {
  const { machine, decisions, access } = asking;
  const calls = new Calls(machine, decisions);
  const path = pathOf(resources.configMaps, { namespace: KUBE_SYSTEM, name });
  let last: Got<ClusterInfo> = { kind: 'not', status: undefined, why: '' };
  await poll(machine.clock, decisions.shortRetry(), async () => {
    const result = await calls.make(access, { path });
    last = configMapData(readObject(result, 'ConfigMap', { resource: 'configmaps', name }));
    return last.kind === 'got' ? last : undefined;
  });
  return last;
}

const VERSIONS = ['kubeadm.k8s.io/v1beta4', 'kubeadm.k8s.io/v1beta3'];

/** The ClusterConfiguration in kubeadm-config. Throws JoinFailed. */
function readCluster(data: ClusterInfo): Readonly<Record<string, unknown>> {
  const written = data.ClusterConfiguration;
  if (written === undefined)
    throw new JoinFailed(
      'unexpected error when reading kubeadm-config ConfigMap: ClusterConfiguration key value pair missing',
    );
  const value = yamlOf(written);
  const context = 'failed to decode cluster configuration data:';
  if (!isRecord(value)) throw new JoinFailed(`${context} couldn't get version/kind; json parse error`);
  if (!VERSIONS.includes(text(value.apiVersion)))
    throw new JoinFailed(
      `${context} no kind "${text(value.kind)}" is registered for version "${text(value.apiVersion)}"`,
    );
  return value;
}

/** undefined where it is no YAML. */
function yamlOf(content: string): unknown {
  try {
    return parseYaml(content, { uniqueKeys: false });
  } catch {
    return undefined;
  }
}

/** kube-proxy may be missing or forbidden; kubelet-config may not. Returns its text. Throws JoinFailed. */
async function fetchComponents(asking: Asking): Promise<string> {
  const { decisions, machine } = asking;
  return inContext('failed to get component configs', async () => {
    const proxy = await fetchConfigMap(asking, 'kube-proxy');
    if (proxy.kind === 'not') {
      if (!decisions.goesOnWithoutProxy(proxy.status))
        throw new JoinFailed(
          `could not download the kube-proxy configuration from ConfigMap "kube-proxy": ${proxy.why}`,
        );
      machine.tell('No kubeproxy.config.k8s.io/v1alpha1 config is loaded. Continuing without it');
    }
    const name = kubeletConfigName(asking.release);
    const kubelet = await fetchConfigMap(asking, name);
    const missing = `could not download the kubelet configuration from ConfigMap "${name}":`;
    if (kubelet.kind === 'not') throw new JoinFailed(`${missing} ${kubelet.why}`);
    const content = kubelet.object.kubelet;
    if (content === undefined || !isRecord(yamlOf(content)))
      throw new JoinFailed(`${missing} its key "kubelet" holds no KubeletConfiguration`);
    return content;
  });
}

/**
 * What init is told by a file of documents, with kubeadm's defaults.
 * Source: cmd/kubeadm/app/util/config/initconfiguration.go, apis/kubeadm/{v1beta3,v1beta4}/defaults.go.
 */
import { isIP } from 'node:net';
import { parseAllDocuments } from 'yaml';
import { argumentsIn } from '../../kubernetes/extra-args.js';
import { firstLine } from '../../kubernetes/first-line.js';
import { count, type Fields, isRecord, record, records, text, texts } from '../../kubernetes/json.js';
import { isTooDeep } from '../../kubernetes/yaml.js';
import type { ComponentSettings, ControlPlaneComponent } from '../components.js';
import { type Configuration, configure, hostPort } from '../configuration.js';
import { parseDuration } from '../duration.js';
import { laterRelease, parseRelease, type Release } from '../release.js';
import { type InitDecisions, initDecisions } from './decisions.js';
import { API_VERSIONS, type ApiVersion, KINDS, misfits } from './fields.js';
import { InitFailed } from './host.js';
import { clusterProblems, initProblems, unreadDuration, unreadToken } from './told-validation.js';
import { endpointProblem, problemsOf } from './validation.js';

/** What the machine says of itself where the documents say nothing, and who is warned. */
export interface Surroundings {
  /** In lower case. */
  readonly hostName: string;
  readonly address: string;
  /** The release that is played where the documents name none. */
  readonly release: Release;
  /** Folders of certificates that the host has. */
  readonly caFolders: readonly string[];
  /** A cluster may be asked for that is newer than what is known; default: it is refused. */
  readonly anyLater?: true;
  /** Default: as upstream. */
  readonly decisions?: InitDecisions;
  warn(line: string): void;
}

/** What the documents say. */
export interface Told {
  readonly configuration: Configuration;
  /** Folder of patches. */
  readonly patches?: string;
  /** Names of phases that are passed over. */
  readonly skipPhases: readonly string[];
  /** Names of checks before init that only warn, or "all". */
  readonly ignoredChecks: readonly string[];
  /** The documents name a version. */
  readonly namesVersion: boolean;
}

const GROUP = 'kubeadm.k8s.io';
/** Kinds of the group that init reads. */
const READ = ['InitConfiguration', 'ClusterConfiguration'];
/** Source: util/config/common.go oldKnownAPIVersions. */
const OLD_VERSIONS = ['v1alpha1', 'v1alpha2', 'v1alpha3', 'v1beta1', 'v1beta2'];
const COMPONENT_GROUPS = ['kubelet.config.k8s.io', 'kubeproxy.config.k8s.io'];

/** Documents by kind. Throws InitFailed. Source: SplitConfigDocuments, documentMapToInitConfiguration. */
function documentsOf(content: string, warn: (line: string) => void): ReadonlyMap<string, Fields> {
  const found = new Map<string, Fields>();
  if (isTooDeep(content)) throw new InitFailed('yaml: it is nested too deeply to be read');
  for (const document of parseAllDocuments(content, { uniqueKeys: false, logLevel: 'error' })) {
    const [problem] = document.errors;
    if (problem !== undefined) throw new InitFailed(`yaml: ${firstLine(problem)}`);
    const value: unknown = document.toJS();
    if (value === null) continue;
    const fields = record(value);
    const [apiVersion, kind] = [text(fields.apiVersion), text(fields.kind)];
    if (apiVersion === '' || kind === '')
      throw new InitFailed(
        'invalid configuration: kind and apiVersion is mandatory information that must be specified',
      );
    if (found.has(kind))
      throw new InitFailed(`invalid configuration: kind ${JSON.stringify(kind)} is specified twice in YAML file`);
    found.set(kind, checked(fields, warn));
  }
  return found;
}

/** Warns of fields that nobody knows. Throws InitFailed: a version that is not read, a value of another type. */
function checked(fields: Fields, warn: (line: string) => void): Fields {
  const [group = '', version = ''] = text(fields.apiVersion).split('/');
  const kind = text(fields.kind);
  if (group !== GROUP) {
    if (!COMPONENT_GROUPS.includes(group))
      warn(`[config] WARNING: Ignored configuration document with GroupVersionKind ${group}/${version}, Kind=${kind}`);
    return fields;
  }
  const known = API_VERSIONS.find((one) => one === version);
  if (OLD_VERSIONS.includes(version))
    throw new InitFailed(
      `your configuration file uses an old API spec: "${group}/${version}" (kind: "${kind}"). ` +
        `Give documents of ${GROUP}/v1beta4.`,
    );
  if (!READ.includes(kind)) {
    warn(`[config] WARNING: Ignored configuration document with GroupVersionKind ${group}/${version}, Kind=${kind}`);
    return fields;
  }
  const shape = known === undefined ? undefined : KINDS[kind]?.(known);
  if (shape === undefined) throw new InitFailed(`no kind "${kind}" is registered for version "${group}/${version}"`);
  const { unknown, wrong } = misfits(fields, shape);
  const [first] = wrong;
  if (first !== undefined) throw new InitFailed(first);
  if (unknown.length > 0)
    warn(
      `error unmarshaling configuration schema.GroupVersionKind{Group:"${group}", Version:"${version}", ` +
        `Kind:"${kind}"}: strict decoding error: ${unknown.map((path) => `unknown field "${path}"`).join(', ')}`,
    );
  return fields;
}

/** The configuration of a text. Throws InitFailed: what is wrong, in kubeadm's words. */
export function readInit(content: string, surroundings: Surroundings): Told {
  const { minds, demands } = surroundings.decisions ?? initDecisions;
  const documents = documentsOf(content, surroundings.warn);
  const [init, cluster] = ['InitConfiguration', 'ClusterConfiguration'].map((kind) => documents.get(kind));
  if (init === undefined && cluster === undefined)
    throw new InitFailed('no InitConfiguration or ClusterConfiguration kind was found in the configuration file');
  const version: ApiVersion = text((cluster ?? init)?.apiVersion).endsWith('v1beta3') ? 'v1beta3' : 'v1beta4';
  const told = configurationOf(record(init), record(cluster), record(documents.get('KubeletConfiguration')), {
    ...surroundings,
    version,
  });
  const unread = unreadToken(record(init)) ?? unreadDuration(record(init));
  if (unread !== undefined) throw new InitFailed(unread);
  const problems = [
    ...initProblems(record(init)),
    ...problemsOf(told.configuration, record(cluster)),
    ...clusterProblems(record(cluster)),
    ...demands(told.configuration, record(init)),
  ].filter(minds);
  const [only] = problems;
  if (only !== undefined) throw new InitFailed(problems.length === 1 ? only : `[${problems.join(', ')}]`);
  return told;
}

const settingsOf = (given: Fields): ComponentSettings => ({
  extraArgs: argumentsIn(given.extraArgs),
  extraVolumes: records(given.extraVolumes).map((volume) => ({
    name: text(volume.name),
    hostPath: text(volume.hostPath),
    mountPath: text(volume.mountPath),
    readOnly: volume.readOnly === true,
    pathType: text(volume.pathType),
  })),
  extraEnvs: records(given.extraEnvs),
});

const nonEmpty = <K extends string>(name: K, value: string): Partial<Record<K, string>> =>
  value === '' ? {} : ({ [name]: value } as Record<K, string>);

const hours = <K extends string>(name: K, given: unknown): Partial<Record<K, number>> => {
  if (given === undefined || given === null) return {};
  const milliseconds = parseDuration(text(given));
  if (milliseconds === undefined) throw new InitFailed(`time: invalid duration ${JSON.stringify(given)}`);
  return { [name]: milliseconds / 3_600_000 } as Record<K, number>;
};

/** "lb.example" gets the port of the API server. Source: SetClusterDynamicDefaults. */
function endpointOf(given: string, bindPort: number): Partial<Pick<Configuration, 'controlPlaneEndpoint'>> {
  if (given === '') return {};
  const problem = endpointProblem(given);
  if (problem !== undefined) throw new InitFailed(problem);
  const hasPort = /^(?:\[[^\]]*\]|[^:]*):\d+$/.test(given);
  const host = given.replace(/^([^:]*):$/, '$1').replace(/^\[(.*)\]$/, '$1');
  return { controlPlaneEndpoint: hasPort ? given : hostPort(host, bindPort) };
}

const namesVersion = (given: string): boolean => given !== '' && !given.startsWith('stable');

/** Throws InitFailed. */
function releaseOf(given: string, { release, anyLater }: Pick<Surroundings, 'release' | 'anyLater'>): Release {
  if (!namesVersion(given)) return release;
  const [, minor] = /^v?1\.(\d+)(?:\.\d+)?(?:[-+].*)?$/.exec(given) ?? [];
  if (minor === undefined)
    throw new InitFailed(
      `version ${JSON.stringify(given)} doesn't match patterns for neither semantic version nor labels (stable, latest, ...)`,
    );
  try {
    return anyLater === true ? laterRelease(given) : parseRelease(given);
  } catch (error) {
    if (Number(minor) < release.minor)
      throw new InitFailed(
        'this version of kubeadm only supports deploying clusters with the control plane version >= ' +
          `1.${release.minor - 1}.0. Current version: ${given}`,
      );
    throw new InitFailed(error instanceof Error ? error.message : String(error));
  }
}

/** Throws InitFailed. Source: SetAPIEndpointDynamicDefaults. */
function addressOf(given: string, own: string): string {
  if (given === '') return own;
  if (isIP(given) === 0)
    throw new InitFailed(
      `couldn't use ${JSON.stringify(given)} as "apiserver-advertise-address", must be ipv4 or ipv6 address`,
    );
  return given;
}

const lowered = (names: unknown): readonly string[] => texts(names).map((name) => name.toLowerCase());

/** What the fields of these documents say, with kubeadm's defaults. Throws InitFailed. */
export function configurationOf(
  init: Fields,
  cluster: Fields,
  kubelet: Fields,
  surroundings: Surroundings & { readonly version: ApiVersion },
): Told {
  const { hostName, address, caFolders, version } = surroundings;
  const node = record(init.nodeRegistration);
  const local = record(init.localAPIEndpoint);
  const networking = record(cluster.networking);
  const etcd = record(cluster.etcd);
  const ownEtcd = record(etcd.local);
  const external = record(etcd.external);
  const bindPort = count(local.bindPort) === 0 ? 6443 : count(local.bindPort);
  const socket = text(node.criSocket);
  if (socket !== '' && !socket.startsWith('unix'))
    surroundings.warn(
      'Usage of CRI endpoints without URL scheme is deprecated and can cause kubelet errors in the future.',
    );
  const startup =
    version === 'v1beta3'
      ? record(cluster.apiServer).timeoutForControlPlane
      : record(init.timeouts).controlPlaneComponentHealthCheck;
  const components: Record<ControlPlaneComponent, ComponentSettings> = {
    etcd: settingsOf(ownEtcd),
    'kube-apiserver': settingsOf(record(cluster.apiServer)),
    'kube-controller-manager': settingsOf(record(cluster.controllerManager)),
    'kube-scheduler': settingsOf(record(cluster.scheduler)),
  };
  const { apiVersion: _version, kind: _kind, ...kubeletFields } = kubelet;
  const configuration = configure({
    release: releaseOf(text(cluster.kubernetesVersion), surroundings),
    nodeName: (text(node.name) === '' ? hostName : text(node.name)).trim(),
    advertiseAddress: addressOf(text(local.advertiseAddress), address),
    bindPort,
    hostName,
    caFolders,
    ...(socket === '' ? {} : { criSocket: socket.startsWith('unix') ? socket : `unix://${socket}` }),
    kubeletExtraArgs: argumentsIn(node.kubeletExtraArgs),
    kubelet: kubeletFields,
    ...nonEmpty('clusterName', text(cluster.clusterName)),
    ...nonEmpty('certificatesDir', text(cluster.certificatesDir)),
    ...nonEmpty('imageRepository', text(cluster.imageRepository)),
    ...nonEmpty('serviceSubnet', text(networking.serviceSubnet)),
    ...nonEmpty('podSubnet', text(networking.podSubnet)),
    ...nonEmpty('dnsDomain', text(networking.dnsDomain)),
    ...nonEmpty('etcdDataDir', text(ownEtcd.dataDir)),
    ...nonEmpty('keyAlgorithm', text(cluster.encryptionAlgorithm)),
    ...endpointOf(text(cluster.controlPlaneEndpoint), bindPort),
    ...hours('certificateHours', cluster.certificateValidityPeriod),
    ...hours('caCertificateHours', cluster.caCertificateValidityPeriod),
    certSANs: lowered(record(cluster.apiServer).certSANs),
    etcdServerSANs: texts(ownEtcd.serverCertSANs),
    etcdPeerSANs: texts(ownEtcd.peerCertSANs),
    etcdImage: {
      ...nonEmpty('repository', text(ownEtcd.imageRepository)),
      ...nonEmpty('tag', text(ownEtcd.imageTag)),
    },
    components,
    ...(startup === undefined ? {} : { startupSeconds: (hours('at', startup).at ?? 0) * 3600 }),
    ...(isRecord(etcd.external)
      ? {
          externalEtcd: {
            endpoints: texts(external.endpoints),
            caFile: text(external.caFile),
            certFile: text(external.certFile),
            keyFile: text(external.keyFile),
          },
        }
      : {}),
  } as Parameters<typeof configure>[0]);
  return {
    configuration,
    ignoredChecks: texts(node.ignorePreflightErrors),
    skipPhases: texts(init.skipPhases),
    namesVersion: namesVersion(text(cluster.kubernetesVersion)),
    ...nonEmpty('patches', text(record(init.patches).directory)),
  };
}

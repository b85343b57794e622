/**
 * The static Pods of a control plane as kubeadm writes their manifests, and their mirror Pods, as kubelets show them.
 * Source: cmd/kubeadm/app/phases/controlplane/{manifests,volumes}.go, phases/etcd/local.go, util/staticpod/utils.go;
 * pkg/kubelet/pod/mirror_client.go.
 */
import { createHash } from 'node:crypto';
import { ADVERTISED_ENDPOINT, KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { argumentOf, type ControlPlaneComponent } from '../components.js';
import { type Configuration, type ExternalEtcd, hostPort } from '../configuration.js';
import { argumentsOf, confOf, type ExtraArgs, inPki, loopback } from '../flags.js';
import { etcdVersion } from '../images.js';
import { atRelease, type ByRelease, inRelease, type ReleaseSpan } from '../release.js';
import { goYaml } from '../yaml.js';

/** Releases whose probes name their ports. */
export const NAMED_PROBES: ReleaseSpan = { since: 34 };

const CA_FOLDER = '/etc/ssl/certs';

interface Checks {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly live: string;
  readonly ready?: string;
  readonly startup: string;
}

/** Paths of the three probes; where a release is not named, those of before hold. */
type Paths = Pick<Checks, 'live' | 'ready' | 'startup'>;
const LIVEZ: Paths = { live: '/livez', ready: '/readyz', startup: '/livez' };
const HEALTHZ: Paths = { live: '/healthz', startup: '/healthz' };
const SCHEDULER: ByRelease<Paths> = [[{ since: 32 }, LIVEZ]];
const ETCD_PATHS: ByRelease<Paths> = [[{ since: 31 }, { live: '/livez', ready: '/readyz', startup: '/readyz' }]];
const OLD_ETCD: Paths = {
  live: '/health?exclude=NOSPACE&serializable=true',
  startup: '/health?serializable=false',
};

/** Where probes go to: an address of no machine is left out. Source: getProbeAddress. */
const probed = (address: string): string => (address === '0.0.0.0' || address === '::' ? '' : address);

/** Source: GetEtcdProbeEndpoint. */
function etcdMetrics({ components, advertiseAddress }: Configuration): Pick<Checks, 'host' | 'port' | 'scheme'> {
  const own = { host: loopback(advertiseAddress), port: 2381, scheme: 'HTTP' } as const;
  const [first = ''] = argumentOf(components.etcd, 'listen-metrics-urls')?.split(',') ?? [];
  const [, scheme, host = '', port] = /^(https?):\/\/(\[[^\]]*\]|[^:/]*)(?::(\d+))?/.exec(first) ?? [];
  if (scheme === undefined) return own;
  const told = Number(port);
  return {
    host: host.replace(/^\[(.*)\]$/, '$1') || own.host,
    port: told >= 1 && told <= 65_535 ? told : own.port,
    scheme: scheme === 'https' ? 'HTTPS' : 'HTTP',
  };
}

function checksOf(component: ControlPlaneComponent, facts: Configuration): Checks {
  const { release, advertiseAddress, bindPort, components } = facts;
  const bound = probed(argumentOf(components[component], 'bind-address') ?? '127.0.0.1');
  switch (component) {
    case 'kube-apiserver':
      return { host: probed(advertiseAddress), port: bindPort, scheme: 'HTTPS', ...LIVEZ };
    case 'kube-controller-manager':
      return { host: bound, scheme: 'HTTPS', port: 10257, ...HEALTHZ };
    case 'kube-scheduler':
      return { host: bound, scheme: 'HTTPS', port: 10259, ...(atRelease(release, SCHEDULER) ?? HEALTHZ) };
    case 'etcd':
      return { ...etcdMetrics(facts), ...(atRelease(release, ETCD_PATHS) ?? OLD_ETCD) };
  }
}

interface Volume {
  readonly name: string;
  readonly path: string;
  readonly mountPath: string;
  readonly type: string;
  readonly readOnly: boolean;
}

const folder = (name: string, path: string, readOnly = true): Volume => ({
  name,
  path,
  mountPath: path,
  type: 'DirectoryOrCreate',
  readOnly,
});

/** Releases whose controller manager looks for such plugins. */
const FLEX_VOLUMES: ReleaseSpan = { until: 35 };
const FLEX_VOLUME_FOLDER = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';

/**
 * Folders of an external etcd's files that are mounted for nothing else; one below another is in it already.
 * Source: getEtcdCertVolumes.
 */
function etcdFolders(etcd: ExternalEtcd, { certificatesDir, caFolders }: Configuration): readonly Volume[] {
  const known = [CA_FOLDER, certificatesDir, ...caFolders];
  const wanted = [etcd.caFile, etcd.certFile, etcd.keyFile].flatMap((file) => {
    const path = file.slice(0, Math.max(file.lastIndexOf('/'), 0));
    return path === '' || known.some((one) => path.startsWith(one)) ? [] : [path];
  });
  const outermost = wanted.filter((path) => !wanted.some((other) => other !== path && path.startsWith(other)));
  return [...new Set(outermost)].sort().map((path, index) => folder(`etcd-certs-${index}`, path));
}

/** What each component mounts besides, by kubeadm. */
function ownVolumes(component: ControlPlaneComponent, facts: Configuration): readonly Volume[] {
  if (component === 'etcd')
    return [folder('etcd-certs', inPki('etcd')(facts), false), folder('etcd-data', facts.etcdDataDir, false)];
  const kubeconfig = { ...folder('kubeconfig', confOf(component.replace('kube-', ''))(facts)), type: 'FileOrCreate' };
  if (component === 'kube-scheduler') return [kubeconfig];
  const shared = [
    folder('ca-certs', CA_FOLDER),
    ...facts.caFolders.map((path) => folder(path.slice(1).replaceAll('/', '-'), path)),
    folder('k8s-certs', facts.certificatesDir),
  ];
  if (component === 'kube-apiserver')
    return [...shared, ...(facts.externalEtcd === undefined ? [] : etcdFolders(facts.externalEtcd, facts))];
  const plugins = argumentOf(facts.components[component], 'flex-volume-plugin-dir') ?? FLEX_VOLUME_FOLDER;
  return [
    ...shared,
    kubeconfig,
    ...(inRelease(facts.release, FLEX_VOLUMES) ? [folder('flexvolume-dir', plugins, false)] : []),
  ];
}

/** A user's volume of the same name takes the place of kubeadm's. */
function volumesOf(component: ControlPlaneComponent, facts: Configuration): readonly Volume[] {
  const own = (facts.components[component]?.extraVolumes ?? []).map(
    ({ name, hostPath, mountPath, readOnly, pathType }): Volume => ({
      name,
      path: hostPath,
      mountPath,
      type: pathType,
      readOnly,
    }),
  );
  const all = new Map([...ownVolumes(component, facts), ...own].map((volume) => [volume.name, volume]));
  return [...all.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const REQUESTS: Readonly<Record<ControlPlaneComponent, Readonly<Record<string, string>>>> = {
  'kube-apiserver': { cpu: '250m' },
  'kube-controller-manager': { cpu: '200m' },
  'kube-scheduler': { cpu: '100m' },
  etcd: { cpu: '100m', memory: '100Mi' },
};

function annotationsOf(component: ControlPlaneComponent, facts: Configuration): Readonly<Record<string, string>> {
  if (component === 'etcd')
    return { 'kubeadm.kubernetes.io/etcd.advertise-client-urls': `https://${hostPort(facts.advertiseAddress, 2379)}` };
  if (component !== 'kube-apiserver') return {};
  return {
    [ADVERTISED_ENDPOINT]: hostPort(facts.advertiseAddress, facts.bindPort),
  };
}

/** "registry.k8s.io/etcd:3.6.8-0" Source: images/images.go. */
function imageOf(component: ControlPlaneComponent, { release, imageRepository, etcdImage }: Configuration): string {
  if (component !== 'etcd') return `${imageRepository}/${component}:${release.text}`;
  return `${etcdImage.repository ?? imageRepository}/etcd:${etcdImage.tag ?? etcdVersion(release)}`;
}

/** Variables sorted by name. Source: util/env.go MergeKubeadmEnvVars. */
function envOf(component: ControlPlaneComponent, { components }: Configuration): { readonly env?: readonly unknown[] } {
  const extra = components[component]?.extraEnvs ?? [];
  const named = new Map(extra.map((one) => [String(one.name), one]));
  return named.size === 0 ? {} : { env: [...named].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one) };
}

/** The one container of a static Pod. */
function containerOf(
  component: ControlPlaneComponent,
  facts: Configuration,
  extraArgs: ExtraArgs,
): Readonly<Record<string, unknown>> {
  const isNamed = inRelease(facts.release, NAMED_PROBES);
  const { host, port, scheme, live, ready, startup } = checksOf(component, facts);
  const httpGet = (path: string): Readonly<Record<string, unknown>> => ({
    ...(host === '' ? {} : { host }),
    path,
    port: isNamed ? 'probe-port' : port,
    scheme,
  });
  const slow = { initialDelaySeconds: 10, timeoutSeconds: 15, periodSeconds: 10 };
  const volumes = volumesOf(component, facts);
  // kubeadm sorts volumes and mounts by name, but writes those of etcd as they come.
  const mounts = component === 'etcd' ? [...volumes].reverse() : volumes;
  return {
    name: component,
    image: imageOf(component, facts),
    imagePullPolicy: 'IfNotPresent',
    command: [component, ...argumentsOf(component, facts, extraArgs)],
    ...envOf(component, facts),
    ...(isNamed ? { ports: [{ containerPort: port, name: 'probe-port', protocol: 'TCP' }] } : {}),
    resources: { requests: REQUESTS[component] },
    livenessProbe: { httpGet: httpGet(live), ...slow, failureThreshold: 8 },
    ...(ready === undefined
      ? {}
      : { readinessProbe: { httpGet: httpGet(ready), timeoutSeconds: 15, periodSeconds: 1, failureThreshold: 3 } }),
    startupProbe: {
      httpGet: httpGet(startup),
      ...slow,
      failureThreshold: Math.ceil(facts.startupSeconds / slow.periodSeconds),
    },
    volumeMounts: mounts.map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath,
      ...(readOnly ? { readOnly } : {}),
    })),
  };
}

const sharedSpec = {
  hostNetwork: true,
  priority: 2_000_001_000,
  priorityClassName: 'system-node-critical',
  securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
};

const hostPaths = (component: ControlPlaneComponent, facts: Configuration): readonly unknown[] =>
  volumesOf(component, facts).map(({ name, path, type }) => ({ name, hostPath: { path, type } }));

/** Releases that write a time of creation, which there is not. */
const CREATED: ReleaseSpan = { until: 33 };

/** A static Pod as its manifest says it. Source: staticpod/utils.go ComponentPod. */
export function staticPod(
  component: ControlPlaneComponent,
  facts: Configuration,
  extraArgs: ExtraArgs,
): Readonly<Record<string, unknown>> {
  const annotations = annotationsOf(component, facts);
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(inRelease(facts.release, CREATED) ? { creationTimestamp: null } : {}),
      labels: { component, tier: 'control-plane' },
      name: component,
      namespace: KUBE_SYSTEM,
    },
    spec: {
      containers: [containerOf(component, facts, extraArgs)],
      ...sharedSpec,
      volumes: hostPaths(component, facts),
    },
    status: {},
  };
}

/** The text of a manifest. */
export const staticPodManifest = (
  component: ControlPlaneComponent,
  facts: Configuration,
  extraArgs: ExtraArgs = {},
): string => goYaml(staticPod(component, facts, extraArgs));

/** What a mirror Pod is made of. `owner` is its Node; `seen` is when the kubelet found the manifest, RFC 3339. */
export interface PodFacts {
  readonly facts: Configuration;
  readonly extraArgs: ExtraArgs;
  readonly owner: OwnerReference;
  readonly seen: string;
}

/** One mirror Pod. */
export function mirrorPod(component: ControlPlaneComponent, { facts, extraArgs, owner, seen }: PodFacts): KubeObject {
  const container = containerOf(component, facts, extraArgs);
  const hash = createHash('md5').update(JSON.stringify(container)).digest('hex');
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `${component}-${facts.nodeName}`,
      namespace: KUBE_SYSTEM,
      labels: { component, tier: 'control-plane' },
      annotations: {
        ...annotationsOf(component, facts),
        'kubernetes.io/config.hash': hash,
        'kubernetes.io/config.mirror': hash,
        'kubernetes.io/config.seen': seen,
        'kubernetes.io/config.source': 'file',
      },
      ownerReferences: [owner],
    },
    spec: {
      nodeName: facts.nodeName,
      preemptionPolicy: 'PreemptLowerPriority',
      ...sharedSpec,
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
      containers: [container],
      volumes: hostPaths(component, facts),
    },
    status: { phase: 'Running' },
  };
}

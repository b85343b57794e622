/**
 * The mirror Pods of a control plane: what the kubelet shows of kubeadm's four static Pods.
 * Source: cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go, util/staticpod/utils.go;
 * pkg/kubelet/pod/mirror_client.go.
 */
import { createHash } from 'node:crypto';
import { KUBE_SYSTEM } from '../../kubernetes/names.js';
import type { KubeObject, OwnerReference } from '../../kubernetes/objects.js';
import { type Configuration, hostPort } from '../configuration.js';
import { argumentsOf, type ControlPlaneComponent, confOf, type ExtraArgs, inPki } from '../flags.js';
import { etcdVersion } from '../images.js';
import { atRelease, type ByRelease, inRelease, type ReleaseSpan } from '../release.js';

/** Releases whose probes name their ports. */
export const NAMED_PROBES: ReleaseSpan = { since: 34 };

const CA_FOLDERS = [
  '/etc/ssl/certs',
  '/etc/ca-certificates',
  '/usr/local/share/ca-certificates',
  '/usr/share/ca-certificates',
];

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
const SCHEDULER: ByRelease<Paths> = [
  [{ since: 32 }, LIVEZ],
  [{}, HEALTHZ],
];
const ETCD_PATHS: ByRelease<Paths> = [
  [{ since: 31 }, { live: '/livez', ready: '/readyz', startup: '/readyz' }],
  [{}, { live: '/health?exclude=NOSPACE&serializable=true', startup: '/health?serializable=false' }],
];

function checksOf(component: ControlPlaneComponent, { release, advertiseAddress, bindPort }: Configuration): Checks {
  const local = { host: '127.0.0.1', scheme: 'HTTPS' } as const;
  switch (component) {
    case 'kube-apiserver':
      return { host: advertiseAddress, port: bindPort, scheme: 'HTTPS', ...LIVEZ };
    case 'kube-controller-manager':
      return { ...local, port: 10257, ...HEALTHZ };
    case 'kube-scheduler':
      return { ...local, port: 10259, ...(atRelease(release, SCHEDULER) ?? HEALTHZ) };
    case 'etcd':
      return { ...local, port: 2381, scheme: 'HTTP', ...(atRelease(release, ETCD_PATHS) ?? LIVEZ) };
  }
}

interface Volume {
  readonly name: string;
  readonly path: string;
  readonly type: 'DirectoryOrCreate' | 'FileOrCreate';
  readonly readOnly: boolean;
}

/** Releases whose controller manager looks for such plugins. */
const FLEX_VOLUMES: ReleaseSpan = { until: 35 };

function volumesOf(component: ControlPlaneComponent, facts: Configuration): readonly Volume[] {
  const folder = (name: string, path: string, readOnly = true): Volume => ({
    name,
    path,
    type: 'DirectoryOrCreate',
    readOnly,
  });
  if (component === 'etcd')
    return [folder('etcd-certs', inPki('etcd')(facts), false), folder('etcd-data', facts.etcdDataDir, false)];
  const short = component.replace('kube-', '');
  const kubeconfig: Volume = { name: 'kubeconfig', path: confOf(short)(facts), type: 'FileOrCreate', readOnly: true };
  if (component === 'kube-scheduler') return [kubeconfig];
  const shared = CA_FOLDERS.map((path) =>
    folder(path === '/etc/ssl/certs' ? 'ca-certs' : path.slice(1).replaceAll('/', '-'), path),
  );
  const flex = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';
  const own =
    component === 'kube-controller-manager'
      ? [kubeconfig, ...(inRelease(facts.release, FLEX_VOLUMES) ? [folder('flexvolume-dir', flex, false)] : [])]
      : [];
  return [...shared, folder('k8s-certs', facts.certificatesDir), ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
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
    'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint': hostPort(facts.advertiseAddress, facts.bindPort),
  };
}

/** What a mirror Pod is made of. `owner` is its Node; `seen` is when the kubelet found the manifest, RFC 3339. */
export interface PodFacts {
  readonly facts: Configuration;
  readonly extraArgs: ExtraArgs;
  readonly owner: OwnerReference;
  readonly seen: string;
}

/** One mirror Pod. */
export function mirrorPod(component: ControlPlaneComponent, { facts, extraArgs, owner, seen }: PodFacts): KubeObject {
  const named = inRelease(facts.release, NAMED_PROBES);
  const { host, port, scheme, live, ready, startup } = checksOf(component, facts);
  const httpGet = (path: string): Readonly<Record<string, unknown>> => ({
    host,
    path,
    port: named ? 'probe-port' : port,
    scheme,
  });
  const volumes = volumesOf(component, facts);
  // kubeadm sorts volumes and mounts by name, but writes those of etcd as they come.
  const mounts = component === 'etcd' ? [...volumes].reverse() : volumes;
  const image = component === 'etcd' ? `etcd:${etcdVersion(facts.release)}` : `${component}:${facts.release.text}`;
  const container = {
    name: component,
    image: `${facts.imageRepository}/${image}`,
    imagePullPolicy: 'IfNotPresent',
    command: [component, ...argumentsOf(component, facts, extraArgs)],
    ...(named ? { ports: [{ containerPort: port, name: 'probe-port', protocol: 'TCP' }] } : {}),
    resources: { requests: REQUESTS[component] },
    livenessProbe: {
      httpGet: httpGet(live),
      initialDelaySeconds: 10,
      timeoutSeconds: 15,
      periodSeconds: 10,
      failureThreshold: 8,
    },
    ...(ready === undefined
      ? {}
      : { readinessProbe: { httpGet: httpGet(ready), timeoutSeconds: 15, periodSeconds: 1, failureThreshold: 3 } }),
    startupProbe: {
      httpGet: httpGet(startup),
      initialDelaySeconds: 10,
      timeoutSeconds: 15,
      periodSeconds: 10,
      failureThreshold: 24,
    },
    volumeMounts: mounts.map(({ name, path, readOnly }) => ({
      name,
      mountPath: path,
      ...(readOnly ? { readOnly } : {}),
    })),
  };
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
      hostNetwork: true,
      priority: 2_000_001_000,
      priorityClassName: 'system-node-critical',
      preemptionPolicy: 'PreemptLowerPriority',
      securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
      tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
      containers: [container],
      volumes: volumes.map(({ name, path, type }) => ({ name, hostPath: { path, type } })),
    },
    status: { phase: 'Running' },
  };
}

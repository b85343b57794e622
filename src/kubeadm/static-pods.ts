/**
 * The mirror Pods of a control plane: what the kubelet shows of kubeadm's four static Pods.
 * Source: cmd/kubeadm/app/phases/controlplane/manifests.go, phases/etcd/local.go, util/staticpod/utils.go; pkg/kubelet/pod/mirror_client.go.
 */
import { createHash } from 'node:crypto';
import { KUBE_SYSTEM } from '../kubernetes/names.js';
import type { KubeObject, OwnerReference } from '../kubernetes/objects.js';
import {
  CERTIFICATES_DIR,
  CLUSTER_DOMAIN,
  CLUSTER_NAME,
  IMAGE_REPOSITORY,
  type InitFacts,
  SERVICE_SUBNET,
} from './facts.js';

export const COMPONENTS = ['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;
export type ControlPlaneComponent = (typeof COMPONENTS)[number];

/** What the flags say beyond kubeadm's defaults: extraArgs, by component, name → value; undefined takes a default away. */
export type ExtraArgs = Partial<Record<ControlPlaneComponent, Readonly<Record<string, string | undefined>>>>;

/** Source: cmd/kubeadm/app/constants/constants.go DefaultEtcdVersion. */
const ETCD: Readonly<Record<number, string>> = {
  25: '3.5.6-0',
  26: '3.5.10-0',
  27: '3.5.12-0',
  28: '3.5.15-0',
  29: '3.5.16-0',
  30: '3.5.15-0',
  31: '3.5.24-0',
  32: '3.5.24-0',
  33: '3.5.24-0',
  34: '3.6.5-0',
  35: '3.6.6-0',
  36: '3.6.8-0',
};

const CA_FOLDERS = [
  '/etc/ssl/certs',
  '/etc/ca-certificates',
  '/usr/local/share/ca-certificates',
  '/usr/share/ca-certificates',
];
const pki = (file: string): string => `${CERTIFICATES_DIR}/${file}`;
const conf = (name: string): string => `/etc/kubernetes/${name}.conf`;

/** Default flags, name → value. */
function defaultFlags(component: ControlPlaneComponent, facts: InitFacts): Readonly<Record<string, string>> {
  const address = facts.advertiseAddress;
  const requestHeader = { 'requestheader-client-ca-file': pki('front-proxy-ca.crt') };
  switch (component) {
    case 'kube-apiserver':
      return {
        ...requestHeader,
        'advertise-address': address,
        'allow-privileged': 'true',
        'authorization-mode': 'Node,RBAC',
        'client-ca-file': pki('ca.crt'),
        'enable-admission-plugins': 'NodeRestriction',
        'enable-bootstrap-token-auth': 'true',
        'etcd-cafile': pki('etcd/ca.crt'),
        'etcd-certfile': pki('apiserver-etcd-client.crt'),
        'etcd-keyfile': pki('apiserver-etcd-client.key'),
        'etcd-servers': 'https://127.0.0.1:2379',
        'kubelet-client-certificate': pki('apiserver-kubelet-client.crt'),
        'kubelet-client-key': pki('apiserver-kubelet-client.key'),
        'kubelet-preferred-address-types': 'InternalIP,ExternalIP,Hostname',
        'proxy-client-cert-file': pki('front-proxy-client.crt'),
        'proxy-client-key-file': pki('front-proxy-client.key'),
        'requestheader-allowed-names': 'front-proxy-client',
        'requestheader-extra-headers-prefix': 'X-Remote-Extra-',
        'requestheader-group-headers': 'X-Remote-Group',
        'requestheader-username-headers': 'X-Remote-User',
        'secure-port': String(facts.bindPort),
        'service-account-issuer': `https://kubernetes.default.svc.${CLUSTER_DOMAIN}`,
        'service-account-key-file': pki('sa.pub'),
        'service-account-signing-key-file': pki('sa.key'),
        'service-cluster-ip-range': SERVICE_SUBNET,
        'tls-cert-file': pki('apiserver.crt'),
        'tls-private-key-file': pki('apiserver.key'),
      };
    case 'kube-controller-manager':
      return {
        ...requestHeader,
        'authentication-kubeconfig': conf('controller-manager'),
        'authorization-kubeconfig': conf('controller-manager'),
        'bind-address': '127.0.0.1',
        'client-ca-file': pki('ca.crt'),
        'cluster-name': CLUSTER_NAME,
        'cluster-signing-cert-file': pki('ca.crt'),
        'cluster-signing-key-file': pki('ca.key'),
        controllers: '*,bootstrapsigner,tokencleaner',
        kubeconfig: conf('controller-manager'),
        'leader-elect': 'true',
        'root-ca-file': pki('ca.crt'),
        'service-account-private-key-file': pki('sa.key'),
        'use-service-account-credentials': 'true',
      };
    case 'kube-scheduler':
      return {
        'authentication-kubeconfig': conf('scheduler'),
        'authorization-kubeconfig': conf('scheduler'),
        'bind-address': '127.0.0.1',
        kubeconfig: conf('scheduler'),
        'leader-elect': 'true',
      };
    case 'etcd': {
      const prefix = facts.release.minor >= 34 ? '' : 'experimental-';
      return {
        'advertise-client-urls': `https://${address}:2379`,
        'cert-file': pki('etcd/server.crt'),
        'client-cert-auth': 'true',
        'data-dir': '/var/lib/etcd',
        ...(prefix === ''
          ? { 'feature-gates': 'InitialCorruptCheck=true' }
          : { 'experimental-initial-corrupt-check': 'true' }),
        'initial-advertise-peer-urls': `https://${address}:2380`,
        'initial-cluster': `${facts.nodeName}=https://${address}:2380`,
        'key-file': pki('etcd/server.key'),
        'listen-client-urls': `https://127.0.0.1:2379,https://${address}:2379`,
        'listen-metrics-urls': 'http://127.0.0.1:2381',
        'listen-peer-urls': `https://${address}:2380`,
        name: facts.nodeName,
        'peer-cert-file': pki('etcd/peer.crt'),
        'peer-client-cert-auth': 'true',
        'peer-key-file': pki('etcd/peer.key'),
        'peer-trusted-ca-file': pki('etcd/ca.crt'),
        'snapshot-count': '10000',
        'trusted-ca-file': pki('etcd/ca.crt'),
        [`${prefix}watch-progress-notify-interval`]: '5s',
      };
    }
  }
}

/** Flags in kubeadm's order: defaults by name, what is overridden taken away, then the user's own. */
function commandOf(component: ControlPlaneComponent, facts: InitFacts, extra: ExtraArgs): readonly string[] {
  const own = extra[component] ?? {};
  const defaults = Object.entries(defaultFlags(component, facts)).filter(([name]) => !(name in own));
  const flag = ([name, value]: readonly [string, string]): string => `--${name}=${value}`;
  const added = Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return [component, ...defaults.sort(([a], [b]) => (a < b ? -1 : 1)).map(flag), ...added.map(flag)];
}

interface Checks {
  readonly host: string;
  readonly port: number;
  readonly scheme: 'HTTP' | 'HTTPS';
  readonly live: string;
  readonly ready?: string;
  readonly startup: string;
}

function checksOf(component: ControlPlaneComponent, facts: InitFacts): Checks {
  const { minor } = facts.release;
  if (component === 'kube-apiserver') {
    return {
      host: facts.advertiseAddress,
      port: facts.bindPort,
      scheme: 'HTTPS',
      live: '/livez',
      ready: '/readyz',
      startup: '/livez',
    };
  }
  if (component === 'kube-controller-manager')
    return { host: '127.0.0.1', port: 10257, scheme: 'HTTPS', live: '/healthz', startup: '/healthz' };
  if (component === 'kube-scheduler') {
    return minor >= 32
      ? { host: '127.0.0.1', port: 10259, scheme: 'HTTPS', live: '/livez', ready: '/readyz', startup: '/livez' }
      : { host: '127.0.0.1', port: 10259, scheme: 'HTTPS', live: '/healthz', startup: '/healthz' };
  }
  return minor >= 31
    ? { host: '127.0.0.1', port: 2381, scheme: 'HTTP', live: '/livez', ready: '/readyz', startup: '/readyz' }
    : {
        host: '127.0.0.1',
        port: 2381,
        scheme: 'HTTP',
        live: '/health?exclude=NOSPACE&serializable=true',
        startup: '/health?serializable=false',
      };
}

interface Volume {
  readonly name: string;
  readonly path: string;
  readonly type: 'DirectoryOrCreate' | 'FileOrCreate';
  readonly readOnly: boolean;
}

function volumesOf(component: ControlPlaneComponent, facts: InitFacts): readonly Volume[] {
  const folder = (name: string, path: string, readOnly = true): Volume => ({
    name,
    path,
    type: 'DirectoryOrCreate',
    readOnly,
  });
  if (component === 'etcd')
    return [folder('etcd-certs', pki('etcd'), false), folder('etcd-data', '/var/lib/etcd', false)];
  const short = component.replace('kube-', '');
  const kubeconfig: Volume = { name: 'kubeconfig', path: conf(short), type: 'FileOrCreate', readOnly: true };
  if (component === 'kube-scheduler') return [kubeconfig];
  const shared = CA_FOLDERS.map((path) =>
    folder(path === '/etc/ssl/certs' ? 'ca-certs' : path.slice(1).replaceAll('/', '-'), path),
  );
  const flex = '/usr/libexec/kubernetes/kubelet-plugins/volume/exec';
  const own =
    component === 'kube-controller-manager'
      ? [kubeconfig, ...(facts.release.minor <= 35 ? [folder('flexvolume-dir', flex, false)] : [])]
      : [];
  return [...shared, folder('k8s-certs', CERTIFICATES_DIR), ...own].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const REQUESTS: Readonly<Record<ControlPlaneComponent, Readonly<Record<string, string>>>> = {
  'kube-apiserver': { cpu: '250m' },
  'kube-controller-manager': { cpu: '200m' },
  'kube-scheduler': { cpu: '100m' },
  etcd: { cpu: '100m', memory: '100Mi' },
};

function annotationsOf(component: ControlPlaneComponent, facts: InitFacts): Readonly<Record<string, string>> {
  if (component === 'etcd')
    return { 'kubeadm.kubernetes.io/etcd.advertise-client-urls': `https://${facts.advertiseAddress}:2379` };
  if (component !== 'kube-apiserver') return {};
  return {
    'kubeadm.kubernetes.io/kube-apiserver.advertise-address.endpoint': `${facts.advertiseAddress}:${facts.bindPort}`,
  };
}

/** One mirror Pod, owned by its Node. `seen` is when the kubelet found the manifest, RFC 3339. */
export function mirrorPod(
  component: ControlPlaneComponent,
  facts: InitFacts,
  extra: ExtraArgs,
  node: OwnerReference,
  seen: string,
): KubeObject {
  const named = facts.release.minor >= 34;
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
  const image = component === 'etcd' ? `etcd:${ETCD[facts.release.minor]}` : `${component}:${facts.release.text}`;
  const container = {
    name: component,
    image: `${IMAGE_REPOSITORY}/${image}`,
    imagePullPolicy: 'IfNotPresent',
    command: commandOf(component, facts, extra),
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
      ownerReferences: [node],
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

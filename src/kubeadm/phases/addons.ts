/** CoreDNS and kube-proxy as kubeadm deploys them. Source: cmd/kubeadm/app/phases/addons/{dns,proxy}/manifests.go. */
import { KUBE_SYSTEM, LABEL_CONTROL_PLANE } from '../../kubernetes/names.js';
import type { KubeObject } from '../../kubernetes/objects.js';
import { type Configuration, dnsServiceAddress } from '../configuration.js';
import { corednsVersion } from '../images.js';
import { inRelease } from '../release.js';
import { NAMED_PROBES } from './static-pods.js';

const DNS_LABEL = { 'k8s-app': 'kube-dns' };
const PROXY_LABEL = { 'k8s-app': 'kube-proxy' };
const LINUX = { 'kubernetes.io/os': 'linux' };

export const serviceAccount = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { name, namespace: KUBE_SYSTEM },
});

/** The official image has a folder of its own. Source: images/images.go GetDNSImage. */
const dnsRepository = (repository: string): string =>
  /^(?:registry\.k8s\.io|k8s\.gcr\.io)$/.test(repository) ? `${repository}/coredns` : repository;

/** Deployment coredns: two replicas, kept apart where possible, allowed on control planes. */
export function corednsDeployment({ release, imageRepository }: Configuration): KubeObject {
  const named = inRelease(release, NAMED_PROBES);
  const probe = (path: string, port: number, name: string): Readonly<Record<string, unknown>> => ({
    path,
    port: named ? name : port,
    scheme: 'HTTP',
  });
  const apart = {
    labelSelector: { matchExpressions: [{ key: 'k8s-app', operator: 'In', values: ['kube-dns'] }] },
    topologyKey: 'kubernetes.io/hostname',
  };
  const container = {
    name: 'coredns',
    image: `${dnsRepository(imageRepository)}/coredns:${corednsVersion(release)}`,
    imagePullPolicy: 'IfNotPresent',
    args: ['-conf', '/etc/coredns/Corefile'],
    ports: [
      { containerPort: 53, name: 'dns', protocol: 'UDP' },
      { containerPort: 53, name: 'dns-tcp', protocol: 'TCP' },
      { containerPort: 9153, name: 'metrics', protocol: 'TCP' },
      ...(named
        ? [
            { containerPort: 8080, name: 'liveness-probe', protocol: 'TCP' },
            { containerPort: 8181, name: 'readiness-probe', protocol: 'TCP' },
          ]
        : []),
    ],
    resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
    livenessProbe: {
      httpGet: probe('/health', 8080, 'liveness-probe'),
      initialDelaySeconds: 60,
      timeoutSeconds: 5,
      successThreshold: 1,
      failureThreshold: 5,
    },
    readinessProbe: { httpGet: probe('/ready', 8181, 'readiness-probe') },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
  };
  const pod = {
    affinity: {
      podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: apart }] },
    },
    containers: [container],
    dnsPolicy: 'Default',
    nodeSelector: LINUX,
    priorityClassName: 'system-cluster-critical',
    // The old name of the field is still stored beside the new one.
    serviceAccount: 'coredns',
    serviceAccountName: 'coredns',
    tolerations: [
      { key: 'CriticalAddonsOnly', operator: 'Exists' },
      { key: LABEL_CONTROL_PLANE, effect: 'NoSchedule' },
    ],
    volumes: [
      { name: 'config-volume', configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] } },
    ],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'coredns', namespace: KUBE_SYSTEM, labels: DNS_LABEL },
    spec: {
      replicas: 2,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: DNS_LABEL },
      template: { metadata: { labels: DNS_LABEL }, spec: pod },
    },
  };
}

/** Service kube-dns at the tenth address of the service subnet. */
export const dnsService = (configuration: Configuration): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: 'kube-dns',
    namespace: KUBE_SYSTEM,
    labels: { ...DNS_LABEL, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'CoreDNS' },
    annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
  },
  spec: {
    clusterIP: dnsServiceAddress(configuration),
    ports: [
      { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
      { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
      { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
    ],
    selector: DNS_LABEL,
  },
});

/** DaemonSet kube-proxy: on every machine, whatever its taints. */
export function kubeProxyDaemonSet({ release, imageRepository }: Configuration): KubeObject {
  const container = {
    name: 'kube-proxy',
    image: `${imageRepository}/kube-proxy:${release.text}`,
    imagePullPolicy: 'IfNotPresent',
    command: [
      '/usr/local/bin/kube-proxy',
      '--config=/var/lib/kube-proxy/config.conf',
      '--hostname-override=$(NODE_NAME)',
    ],
    env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
    securityContext: { privileged: true },
    volumeMounts: [
      { name: 'kube-proxy', mountPath: '/var/lib/kube-proxy' },
      { name: 'xtables-lock', mountPath: '/run/xtables.lock' },
      { name: 'lib-modules', mountPath: '/lib/modules', readOnly: true },
    ],
  };
  const pod = {
    containers: [container],
    hostNetwork: true,
    nodeSelector: LINUX,
    priorityClassName: 'system-node-critical',
    serviceAccount: 'kube-proxy',
    serviceAccountName: 'kube-proxy',
    tolerations: [{ operator: 'Exists' }],
    volumes: [
      { name: 'kube-proxy', configMap: { name: 'kube-proxy' } },
      { name: 'xtables-lock', hostPath: { path: '/run/xtables.lock', type: 'FileOrCreate' } },
      { name: 'lib-modules', hostPath: { path: '/lib/modules', type: '' } },
    ],
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'kube-proxy', namespace: KUBE_SYSTEM, labels: PROXY_LABEL },
    spec: {
      selector: { matchLabels: PROXY_LABEL },
      updateStrategy: { type: 'RollingUpdate' },
      template: { metadata: { labels: PROXY_LABEL }, spec: pod },
    },
  };
}

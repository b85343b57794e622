/** Objects of a cluster that hold what they must not: ConfigMaps, Secrets, workloads, kubeconfigs. */
import { base64 } from '../kubernetes/json.js';
import { apiVersionOf, type Resource, resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';

export type Fields = Readonly<Record<string, unknown>>;
export const CONTAINER = { name: 'c', image: 'registry.example.com/tool:v1' };
export const configMap = (name: string, data: Readonly<Record<string, string>>, namespace = 'default') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data,
});

export const addSecret = (
  { api }: Reference,
  name: string,
  data: Readonly<Record<string, string>>,
  type = 'Opaque',
): void =>
  void api.create(resources.secrets, {
    apiVersion: 'v1',
    kind: resources.secrets.kind,
    metadata: { name, namespace: 'default' },
    type,
    data,
  });

export const mounting = (volume: Fields, mount: Fields = {}): Fields => ({
  containers: [{ ...CONTAINER, volumeMounts: [{ name: 'v', mountPath: '/v', ...mount }] }],
  volumes: [{ name: 'v', ...volume }],
});
export const hostPath = (path: string): Fields => ({ hostPath: { path } });
export const addVolume = ({ api }: Reference, name: string, source: Fields): void =>
  void api.create(resources.persistentVolumes, {
    apiVersion: 'v1',
    kind: resources.persistentVolumes.kind,
    metadata: { name },
    spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], ...source },
  });

/** A Pod, or what makes Pods like it. */
export function run(
  { api }: Reference,
  resource: Resource,
  pod: Fields,
  at: { namespace?: string; more?: Fields } = {},
): void {
  const labels = { app: 'tool' };
  const template = { metadata: { labels }, spec: pod };
  const spec = {
    Pod: pod,
    CronJob: {
      schedule: '@daily',
      jobTemplate: { spec: { template: { ...template, spec: { restartPolicy: 'Never', ...pod } } } },
    },
  }[resource.kind] ?? { selector: { matchLabels: labels }, template };
  api.create(resource, {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name: 'tool', namespace: at.namespace ?? 'default', ...at.more },
    spec,
  });
}

/** A kubeconfig of the administrator, as kubeadm writes one. */
export const administrator = ({ admin, url }: Reference, groups = admin.certificate): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- cluster: {server: "${url}"}\nusers:\n- user:\n    ` +
  `client-certificate-data: ${base64(groups)}\n    client-key-data: ${base64(admin.key)}\n`;

export const clusterOf = (server: string, more: string): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- name: a\n  cluster: {server: "${server}", ${more}}\n`;
export const believing = (server: string, caPem: string): string =>
  clusterOf(server, `certificate-authority-data: ${base64(caPem)}`);
/** One of this cluster, by a credential that is no certificate. */
export const kubeconfigBy = ({ url }: Reference, user: string): string =>
  `apiVersion: v1\nkind: Config\nclusters:\n- cluster: {server: "${url}"}\nusers:\n- user: ${user}\n`;
export const ELSEWHERE = 'https://203.0.113.9:6443';
/** An authority of the cluster that is none of the API server. */
export const createOther = ({ keys }: Reference): string => keys.pki.etcdCa.certificate.pem;

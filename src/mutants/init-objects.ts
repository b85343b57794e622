/** Defects of what kubeadm init has written into its cluster: configurations, marks of the Node, kube-proxy, the DNS. */
import { record, records } from '../kubernetes/json.js';
import type { ConfigMap, KubeObject } from '../kubernetes/objects.js';
import { type Resource, resources } from '../kubernetes/resources.js';
import type { Reference } from '../reference/options.js';
import { bindCluster, edit, editSubjects, finds, rebind, rewrite, serviceAccount } from './arrange.js';
import type { Mutant } from './types.js';

const NAMESPACE = 'kube-system';

/** A text of a ConfigMap with something else in the place of something. */
const rewritten =
  (name: string, key: string) =>
  (from: string | RegExp, to: string) =>
  (reference: Reference): void =>
    rewrite(reference, name, key, (text) => text.replace(from, to));
const kubelets = rewritten('kubelet-config', 'kubelet');
const cluster = rewritten('kubeadm-config', 'ClusterConfiguration');
const proxy = rewritten('kube-proxy', 'kubeconfig.conf');

const remove =
  (...gone: readonly (readonly [Resource, string])[]) =>
  (reference: Reference): void => {
    for (const [resource, name] of gone) reference.api.delete(resource, NAMESPACE, name);
  };
const made =
  (resource: Resource, object: Omit<KubeObject, 'metadata'>, name: string) =>
  (reference: Reference): void => {
    reference.api.create(resource, { ...object, metadata: { name, namespace: NAMESPACE } });
  };
/** Its Pods are others. */
const podSpec =
  (resource: Resource, name: string, change: object) =>
  (reference: Reference): void =>
    edit(reference, { resource, namespace: NAMESPACE, name }, (object) => {
      const spec = record(object.spec);
      const template = record(spec.template);
      const pod = { ...record(template.spec), ...change };
      return { ...object, spec: { ...spec, template: { ...template, spec: pod } } };
    });
/** The Node that the API server runs on. */
const node =
  (change: (node: KubeObject) => KubeObject) =>
  (reference: Reference): void => {
    for (const { metadata } of reference.api.list(resources.nodes))
      edit(reference, { resource: resources.nodes, name: metadata.name ?? '' }, change);
  };

const CONFIGURATIONS: readonly Mutant[] = [
  finds(
    'kubelets-without-configuration',
    'the configuration of kubelets is not there',
    ['KUBECM-001', 'KUBECM-002', 'KUBECM-003', 'KUBECM-017'],
    remove([resources.configMaps, 'kubelet-config']),
  ),
  finds('configuration-behind-its-hash', 'a configuration is another than its hash says', ['KUBECM-004'], (it) => {
    kubelets(/$/, '# more\n')(it);
    rewritten('kube-proxy', 'config.conf')(/$/, '# more\n')(it);
  }),
  finds('kubelets-open', 'kubelets answer everybody', ['KUBECM-005'], kubelets('enabled: false', 'enabled: true')),
  finds(
    'kubelets-know-no-tokens',
    'kubelets ask nobody about tokens',
    ['KUBECM-006'],
    kubelets(/(cacheTTL: 0s\n +enabled: )true/, '$1false'),
  ),
  finds('kubelets-of-another-ca', 'kubelets know another CA', ['KUBECM-007'], kubelets('/ca.crt', '/client.crt')),
  finds(
    'kubelets-allow-always',
    'kubelets allow everything',
    ['KUBECM-008'],
    kubelets('mode: Webhook', 'mode: AlwaysAllow'),
  ),
  finds(
    'kubelets-remember-for-hours',
    'kubelets remember answers for hours',
    ['KUBECM-009'],
    kubelets(/(cacheTTL|cacheAuthorizedTTL|cacheUnauthorizedTTL): 0s/g, '$1: 8h0m0s'),
  ),
  finds(
    'kubelets-of-a-strange-driver',
    'no runtime has that driver of cgroups',
    ['KUBECM-010'],
    kubelets('systemd', 'cgroups'),
  ),
  finds(
    'pods-told-another-dns',
    'Pods are told another address of the DNS',
    ['KUBECM-011'],
    kubelets(/clusterDNS:\n- \S+/, 'clusterDNS:\n- 10.96.0.1'),
  ),
  finds(
    'pods-told-another-domain',
    'Pods are told another domain',
    ['KUBECM-012', 'UPL-003'],
    kubelets('clusterDomain: cluster.local', 'clusterDomain: cluster.internal'),
  ),
  finds(
    'kubelets-tell-their-health',
    'everybody may ask kubelets for their health, at another port',
    ['KUBECM-013'],
    kubelets(/healthzBindAddress: \S+\nhealthzPort: \S+/, 'healthzBindAddress: 0.0.0.0\nhealthzPort: 10255'),
  ),
  finds(
    'kubelets-renew-nothing',
    'certificates of kubelets are not renewed',
    ['KUBECM-014'],
    kubelets('rotateCertificates: true', 'rotateCertificates: false'),
  ),
  finds(
    'static-pods-elsewhere',
    'static Pods are read elsewhere',
    ['KUBECM-015'],
    kubelets('/etc/kubernetes/manifests', '/etc/kubernetes/manifest'),
  ),
  finds(
    'kubeadm-config-of-another-kind',
    'what is kept of the configuration is not that',
    ['UPL-001'],
    cluster('kind: ClusterConfiguration', 'kind: ClusterStatus'),
  ),
  finds('kubeadm-config-with-a-token', 'what is kept of the configuration holds a token', ['UPL-002'], (it) => {
    rewrite(it, 'kubeadm-config', 'InitConfiguration', () => 'bootstrapTokens:\n- token: abcdef.0123456789abcdef\n');
  }),
  finds(
    'kubeadm-config-without-data',
    'nothing is kept of the configuration',
    ['UPL-001', 'UPL-002', 'UPL-003'],
    (it) => {
      const place = { resource: resources.configMaps, namespace: NAMESPACE, name: 'kubeadm-config' };
      edit<ConfigMap>(it, place, ({ data: _data, ...map }) => map);
    },
  ),
];

const MARKS: readonly Mutant[] = [
  finds(
    'control-plane-without-labels',
    'the Node of the control plane has no labels of one',
    ['MARK-001'],
    node((it) => ({ ...it, metadata: { ...it.metadata, labels: {} } })),
  ),
  finds(
    'control-plane-that-ends-others',
    'the taint of the control plane ends what runs there',
    ['MARK-002'],
    node((it) => {
      const taints = records(record(it.spec).taints).map((taint) => ({ ...taint, effect: 'NoExecute' }));
      return { ...it, spec: { ...record(it.spec), taints } };
    }),
  ),
];

const ADMINISTRATOR = 'cluster-admin';

const ADDONS: readonly Mutant[] = [
  finds(
    'no-addons',
    'neither kube-proxy nor the DNS was deployed',
    ['ADDON-001', 'ADDON-003', 'ADDON-004', 'ADDON-009', 'ADDON-010', 'ADDON-013'],
    remove(
      [resources.daemonSets, 'kube-proxy'],
      [resources.deployments, 'coredns'],
      [resources.services, 'kube-dns'],
      [resources.serviceAccounts, 'kube-proxy'],
      [resources.serviceAccounts, 'coredns'],
    ),
  ),
  finds('no-dns', 'the DNS was not deployed', ['ADDON-001'], remove([resources.deployments, 'coredns'])),
  finds(
    'proxy-of-another-account',
    'kube-proxy runs as another account',
    ['ADDON-004'],
    podSpec(resources.daemonSets, 'kube-proxy', { serviceAccountName: 'default' }),
  ),
  finds(
    'dns-of-another-account',
    'the DNS runs as another account',
    ['ADDON-010'],
    podSpec(resources.deployments, 'coredns', { serviceAccountName: 'kube-dns' }),
  ),
  finds(
    'proxy-with-a-file',
    'kube-proxy logs in with a file of the machine',
    ['ADDON-005'],
    proxy(/\/var\/run\/secrets\/kubernetes.io\/serviceaccount\//g, '/etc/kubernetes/'),
  ),
  finds(
    'proxy-told-elsewhere',
    'kube-proxy is told another address',
    ['ADDON-006'],
    proxy(/server: \S+/, 'server: https://10.96.0.1:443'),
  ),
  finds('proxy-of-an-administrator', 'kube-proxy is bound to another role', ['ADDON-007', 'ADDON-008'], (it) =>
    rebind(it, 'kubeadm:node-proxier', ADMINISTRATOR),
  ),
  finds('proxy-of-everybody', 'the binding of kube-proxy has another subject', ['ADDON-007'], (it) =>
    editSubjects(it, 'kubeadm:node-proxier', () => [serviceAccount('default')]),
  ),
  finds('dns-of-an-administrator', 'the DNS is bound to another role', ['ADDON-011', 'ADDON-012'], (it) =>
    rebind(it, 'system:coredns', ADMINISTRATOR),
  ),
  finds('dns-of-everybody', 'the binding of the DNS has another subject', ['ADDON-011'], (it) =>
    editSubjects(it, 'system:coredns', () => [serviceAccount('default')]),
  ),
  finds('dns-with-more', 'the DNS is bound to more besides', ['ADDON-012'], (it) =>
    bindCluster(it, 'coredns-more', ADMINISTRATOR, serviceAccount('coredns')),
  ),
  finds(
    'dns-of-old',
    'the old implementation of the DNS is there as well',
    ['ADDON-013'],
    made(
      resources.deployments,
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        spec: {
          selector: { matchLabels: { app: 'dns' } },
          template: {
            metadata: { labels: { app: 'dns' } },
            spec: { containers: [{ name: 'dns', image: 'example.com/dns' }] },
          },
        },
      },
      'kube-dns',
    ),
  ),
];

export const mutants: readonly Mutant[] = [...CONFIGURATIONS, ...MARKS, ...ADDONS];

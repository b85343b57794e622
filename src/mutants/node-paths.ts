import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import {
  added,
  all,
  copied,
  edited,
  flag,
  KUBERNETES,
  manifest,
  onDisk,
  PKI,
  removed,
  strangersAuthority,
} from './node-disk.js';
import type { Mutant } from './types.js';

const OTHER = '/srv/kubernetes/pki';
/** All certificates elsewhere, as by certificatesDir of kubeadm. */
const certificatesElsewhere: DiskEdit = (disk) => {
  for (const [path, file] of [...disk.files]) {
    file.text = file.text.replaceAll(PKI, OTHER);
    if (!path.startsWith(`${PKI}/`)) continue;
    disk.files.delete(path);
    disk.files.set(path.replace(PKI, OTHER), file);
  }
  for (const [path, bits] of [...disk.folders]) {
    if (path !== PKI && !path.startsWith(`${PKI}/`)) continue;
    disk.folders.delete(path);
    disk.folders.set(path.replace(PKI, OTHER), bits);
  }
};

const sound = (name: string, defect: string, disk: DiskEdit): Mutant => ({
  ...onDisk(name, defect, [], disk),
  name: `harmless-node-${name}`,
});

/** The proxy of services as a static Pod. */
const PROXY = [
  'apiVersion: v1',
  'kind: Pod',
  'metadata: { name: kube-proxy, namespace: kube-system }',
  'spec:',
  '  hostNetwork: true',
  '  containers:',
  '  - { name: kube-proxy, image: "registry.k8s.io/kube-proxy:v1.36.0", securityContext: { capabilities: { add: [NET_ADMIN] } },',
  '      volumeMounts: [{ name: modules, mountPath: /lib/modules, readOnly: true }] }',
  '  volumes: [{ name: modules, hostPath: { path: /lib/modules } }]',
  '',
].join('\n');

const gone = (name: string, file: string, ...rules: readonly string[]): Mutant =>
  onDisk(`without-${name}`, `${file} is not there`, rules, removed(file));

export const mutants: readonly Mutant[] = [
  gone('admin-conf', `${KUBERNETES}/admin.conf`, 'PATH-004', 'KCFG-006', 'KCFG-007'),
  gone('kubelet-conf', `${KUBERNETES}/kubelet.conf`, 'PATH-004', 'KCFG-002', 'KCFG-003'),
  gone('controller-manager-conf', `${KUBERNETES}/controller-manager.conf`, 'PATH-004', 'KCFG-004', 'MANI-007'),
  gone('ca-crt', 'ca.crt', 'PATH-005', 'PKI-001'),
  gone('ca-key', 'ca.key', 'PATH-005', 'PKI-021'),
  gone('apiserver-crt', 'apiserver.crt', 'PATH-006', 'PKI-002'),
  gone('apiserver-key', 'apiserver.key', 'PATH-006', 'PKI-002'),
  gone('kubelet-client-crt', 'apiserver-kubelet-client.crt', 'PATH-007', 'PKI-009'),
  gone('kubelet-client-key', 'apiserver-kubelet-client.key', 'PATH-007', 'PKI-009'),
  gone('sa-key', 'sa.key', 'PATH-008', 'PKI-011'),
  gone('front-proxy-ca-crt', 'front-proxy-ca.crt', 'PATH-009', 'PKI-012'),
  gone('front-proxy-ca-key', 'front-proxy-ca.key', 'PATH-009'),
  gone('front-proxy-client-crt', 'front-proxy-client.crt', 'PATH-009', 'PKI-014'),
  gone('front-proxy-client-key', 'front-proxy-client.key', 'PATH-009', 'PKI-014'),
  gone('kubelet-configuration', '/var/lib/kubelet/config.yaml', 'PATH-010', 'PATH-002'),
  gone('etcd-manifest', manifest('etcd'), 'ETCD-002', 'PATH-003'),
  onDisk(
    'sa-certificate',
    'the public key of service accounts lies in sa.crt',
    ['PATH-008'],
    all(copied('apiserver.crt', 'sa.crt'), removed('sa.pub')),
  ),
  onDisk(
    'other-base-folder',
    'the kubeconfigs of controller manager and scheduler lie in /opt/kubernetes',
    ['PATH-001', 'KCFG-016'],
    flag('kube-controller-manager', 'kubeconfig', '/opt/kubernetes/controller-manager.conf'),
  ),
  onDisk(
    'scheduler-conf-named-otherwise',
    'the kubeconfig of the scheduler is kube-scheduler.conf',
    ['PATH-001', 'PATH-004', 'KCFG-005', 'KCFG-016', 'MANI-007'],
    all(
      copied(`${KUBERNETES}/scheduler.conf`, `${KUBERNETES}/kube-scheduler.conf`),
      removed(`${KUBERNETES}/scheduler.conf`),
      flag('kube-scheduler', 'kubeconfig', `${KUBERNETES}/kube-scheduler.conf`),
    ),
  ),
  onDisk(
    'other-folder-of-manifests',
    'the kubelet looks for static Pods in /etc/kubelet.d',
    ['PATH-002'],
    edited('/var/lib/kubelet/config.yaml', (text) =>
      text.replace(/staticPodPath: .*/, 'staticPodPath: /etc/kubelet.d'),
    ),
  ),
  onDisk(
    'no-manifests',
    'there is no folder of manifests',
    ['PATH-002', 'PATH-003', 'MANI-001'],
    removed(...['etcd', 'kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map(manifest)),
  ),
  onDisk(
    'backup-among-manifests',
    'a backup of the API server lies among the manifests, and is run, too',
    ['PATH-003'],
    copied(manifest('kube-apiserver'), `${KUBERNETES}/manifests/kube-apiserver.yaml.bak`),
  ),
  ...['kube-controller-manager', 'kube-scheduler', 'etcd'].map((component) =>
    onDisk(
      `${component}-twice`,
      `${component} has a second manifest`,
      ['PATH-003'],
      copied(manifest(component), `${KUBERNETES}/manifests/old-${component}.yaml`),
    ),
  ),
  onDisk(
    'bootstrap-without-credential',
    'the bootstrap kubeconfig has neither a token nor a certificate',
    ['KCFG-001'],
    added(
      `${KUBERNETES}/bootstrap-kubelet.conf`,
      'apiVersion: v1\nkind: Config\nclusters: []\ncontexts: []\nusers: []\ncurrent-context: ""\n',
    ),
  ),
  onDisk(
    'bootstrap-with-a-token-to-be-filled-in',
    'the token of the bootstrap kubeconfig was never filled in',
    ['KCFG-001'],
    added(
      `${KUBERNETES}/bootstrap-kubelet.conf`,
      [
        ...[
          'apiVersion: v1',
          'kind: Config',
          'clusters: [{ name: a, cluster: { server: "https://192.0.2.10:6443" } }]',
        ],
        ...[
          'users: [{ name: a, user: { token: "<token>" } }]',
          'contexts: [{ name: a, context: { cluster: a, user: a } }]',
        ],
        ...['current-context: a', ''],
      ].join('\n'),
    ),
  ),
  sound('certificates-elsewhere', 'kubeadm was told of another folder of certificates', certificatesElsewhere),
  sound(
    'of-two-networks',
    'members of etcd reach one another by a network of their own, a second authority is believed, the proxy of services is a static Pod',
    all(
      flag('etcd', 'listen-peer-urls', 'https://192.0.2.10:2380,https://10.9.0.10:2380'),
      edited('ca.crt', (text) => text + strangersAuthority().certificate.pem),
      copied(`${KUBERNETES}/admin.conf`, '/root/.kube/config'),
      added(manifest('kube-proxy'), PROXY),
    ),
  ),
];

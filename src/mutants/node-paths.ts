import { added, all, copied, edited, flag, KUBERNETES, manifest, onDisk, removed } from './node-disk.js';
import type { Mutant } from './types.js';

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
];

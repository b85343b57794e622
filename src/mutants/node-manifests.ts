import { all, edited, flag, manifest, onDisk, PKI } from './node-disk.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KCM = 'kube-controller-manager';
const ALL = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'] as const;

/** One thing in each manifest, one after the other. */
const inEach = (name: string, defect: string, rule: string, change: (text: string) => string): readonly Mutant[] =>
  ALL.map((component) =>
    onDisk(
      `${component}-${name}`,
      `the manifest of ${component} ${defect}`,
      [rule],
      edited(manifest(component), change),
    ),
  );

/** A flag of the API server or the controller manager has another value; undefined: it is not there. */
const flags = (
  component: string,
  wrong: readonly (readonly [string, string, string | undefined])[],
): readonly Mutant[] =>
  wrong.map(([rule, name, value]) =>
    onDisk(
      `${component.replace('kube-', '')}-${name}-${value === undefined ? 'missing' : 'other'}`,
      `--${name} ${value === undefined ? 'is missing' : `is ${value}`}`,
      [rule],
      flag(component, name, value),
    ),
  );

const image = (component: string, from: RegExp, to: string) =>
  edited(manifest(component), (text) => text.replace(from, to));

export const mutants: readonly Mutant[] = [
  ...inEach('in-default', 'says namespace: default', 'MANI-002', (text) =>
    text.replace('namespace: kube-system', 'namespace: default'),
  ),
  ...inEach('tier-misspelt', 'says tier: ontrol-plane', 'MANI-003', (text) =>
    text.replace('tier: control-plane', 'tier: ontrol-plane'),
  ),
  ...inEach('component-misspelt', 'says component: apiserver', 'MANI-004', (text) =>
    text.replace(/component: .*/, 'component: apiserver'),
  ),
  ...inEach('not-critical', 'has no priority class', 'MANI-005', (text) =>
    text.replace(/ {2}priorityClassName: .*\n/, ''),
  ),
  ...inEach('without-host-network', 'says hostNetwork: false', 'MANI-006', (text) =>
    text.replace('hostNetwork: true', 'hostNetwork: false'),
  ),
  ...inEach('volume-unmounted', 'has a volume that is mounted nowhere', 'MANI-011', (text) =>
    text.replace('\n  volumes:\n', '\n  volumes:\n  - hostPath:\n      path: /etc/audit\n    name: audit\n'),
  ),
  ...inEach('file-not-mounted', 'mounts none of the files that its flags name', 'MANI-011', (text) =>
    text.replace(/mountPath: (\/etc\/kubernetes\S*)/g, 'mountPath: /elsewhere$1'),
  ),
  onDisk(
    'etcd-image-of-the-frozen-registry',
    'etcd comes from k8s.gcr.io',
    ['ETCD-006'],
    image('etcd', /registry\.k8s\.io/, 'k8s.gcr.io'),
  ),
  onDisk(
    'node-restriction-taken-away',
    'NodeRestriction is enabled and disabled',
    ['KAPI-017'],
    flag(API, 'disable-admission-plugins', 'NodeRestriction'),
  ),
  ...flags(API, [
    ['PKI-025', 'etcd-cafile', `${PKI}/ca.crt`],
    ['PKI-025', 'etcd-certfile', `${PKI}/apiserver.crt`],
    ['PKI-025', 'etcd-keyfile', `${PKI}/apiserver.key`],
  ]),
  ...flags('etcd', [
    ['PKI-025', 'cert-file', `${PKI}/apiserver.crt`],
    ['PKI-025', 'key-file', `${PKI}/apiserver.key`],
    ['PKI-025', 'trusted-ca-file', `${PKI}/ca.crt`],
    ['PKI-025', 'peer-cert-file', `${PKI}/etcd/server.crt`],
    ['PKI-025', 'peer-key-file', `${PKI}/etcd/server.key`],
    ['PKI-025', 'peer-trusted-ca-file', `${PKI}/ca.crt`],
    ['PKI-025', 'peer-client-cert-auth', 'false'],
  ]),
  ...inEach('of-the-frozen-registry', 'names an image of k8s.gcr.io', 'MANI-012', (text) =>
    text.replace('registry.k8s.io/', 'k8s.gcr.io/'),
  ),
  ...[KCM, 'kube-scheduler', 'etcd'].map((component) =>
    onDisk(
      `${component}-not-of-the-repository`,
      `${component} comes from the default registry, all others from another one`,
      component === 'etcd' ? ['MANI-013', 'ETCD-006'] : ['MANI-013'],
      all(...ALL.filter((one) => one !== component).map((one) => image(one, /registry\.k8s\.io/, 'registry.corp'))),
    ),
  ),
  onDisk(
    'etcd-asked-over-the-network',
    'the API server asks etcd over the network',
    ['MANI-008'],
    flag(API, 'etcd-servers', 'http://192.0.2.10:2379'),
  ),
  ...[KCM, 'kube-scheduler'].map((component) =>
    onDisk(
      `${component}-no-leader`,
      `${component} elects no leader`,
      ['MANI-009'],
      flag(component, 'leader-elect', undefined),
    ),
  ),
  onDisk(
    'etcd-beside-another',
    'etcd runs here, and the API server asks another one',
    ['ETCD-001', 'MANI-008'],
    flag(API, 'etcd-servers', 'https://etcd-1.example:2379,https://etcd-2.example:2379'),
  ),
  onDisk(
    'etcd-for-everybody',
    'etcd listens everywhere, without TLS',
    ['ETCD-003'],
    flag('etcd', 'listen-client-urls', 'http://0.0.0.0:2379'),
  ),
  onDisk('etcd-asks-no-certificate', 'etcd lets in everybody', ['ETCD-003'], flag('etcd', 'client-cert-auth', 'false')),
  onDisk(
    'etcd-data-in-the-container',
    'the data of etcd lie in an emptyDir',
    ['ETCD-004'],
    edited(manifest('etcd'), (text) =>
      text.replace(/- hostPath:\n {6}path: \/var\/lib\/etcd\n {6}type: DirectoryOrCreate\n/, '- emptyDir: {}\n'),
    ),
  ),
  ...flags(API, [
    ['KAPI-001', 'advertise-address', '127.0.0.1'],
    ['KAPI-002', 'secure-port', '443'],
    ['KAPI-003', 'service-cluster-ip-range', '10.97.0.0/16'],
    ['KAPI-004', 'etcd-servers', undefined],
    ['KAPI-004', 'etcd-keyfile', undefined],
    ['KAPI-004', 'etcd-cafile', undefined],
    ['KAPI-005', 'cloud-provider', 'aws'],
    ['KAPI-005', 'cloud-config', '/etc/kubernetes/cloud.conf'],
    ['KAPI-006', 'insecure-port', '0'],
    ['KAPI-006', 'insecure-bind-address', '127.0.0.1'],
    ['KAPI-007', 'enable-bootstrap-token-auth', undefined],
    ['KAPI-008', 'allow-privileged', 'false'],
    ['KAPI-009', 'requestheader-client-ca-file', `${PKI}/ca.crt`],
    ['KAPI-017', 'enable-admission-plugins', 'PodSecurity'],
    ['KAPI-018', 'admission-control', 'NodeRestriction'],
    ['KAPI-019', 'kubelet-preferred-address-types', 'Hostname,InternalIP,ExternalIP'],
    ['KAPI-020', 'client-ca-file', undefined],
    ['KAPI-021', 'tls-cert-file', undefined],
    ['KAPI-022', 'tls-private-key-file', `${PKI}/front-proxy-client.key`],
    ['KAPI-023', 'kubelet-client-certificate', `${PKI}/apiserver.crt`],
    ['KAPI-024', 'kubelet-client-key', `${PKI}/apiserver.key`],
    ['KAPI-025', 'service-account-key-file', '/etc/other/sa.pub'],
    ['KAPI-026', 'proxy-client-cert-file', `${PKI}/apiserver.crt`],
    ['KAPI-027', 'proxy-client-key-file', `${PKI}/ca.key`],
    ['KAPI-028', 'requestheader-username-headers', 'X-Forwarded-User'],
    ['KAPI-029', 'requestheader-group-headers', 'X-Remote-Groups'],
    ['KAPI-030', 'requestheader-extra-headers-prefix', 'X-Remote-Extra'],
    ['KAPI-031', 'requestheader-allowed-names', ''],
  ]),
  ...flags(KCM, [
    ['KCMF-001', 'cluster-cidr', undefined],
    ['KCMF-003', 'cloud-config', '/etc/kubernetes/cloud.conf'],
    ['KCMF-004', 'controllers', 'bootstrapsigner,tokencleaner'],
    ['KCMF-005', 'use-service-account-credentials', undefined],
    ['KCMF-006', 'root-ca-file', undefined],
    ['KCMF-007', 'cluster-signing-cert-file', `${PKI}/front-proxy-ca.crt`],
    ['KCMF-008', 'cluster-signing-key-file', `${PKI}/front-proxy-ca.key`],
    ['KCMF-009', 'service-account-private-key-file', `${PKI}/sa.pub`],
  ]),
  {
    ...onDisk(
      'commented',
      'an operator has commented a manifest, put its flags in another order and added some',
      [],
      edited(manifest(API), (text) => {
        const lines = text.split('\n');
        const own = lines.filter((line) => line.startsWith('    - --'));
        const at = lines.findIndex((line) => line.startsWith('    - --'));
        const rest = lines.filter((line) => !line.startsWith('    - --'));
        const more = ['    - --audit-log-maxage=30', '    - --v=2', '    # raised for the audit', '    - --v=4'];
        return ['# managed by hand', ...rest.slice(0, at), ...own.reverse(), ...more, ...rest.slice(at)].join('\n');
      }),
    ),
    name: 'harmless-node-commented',
  },
];

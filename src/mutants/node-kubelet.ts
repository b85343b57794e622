import { added, all, edited, flag, KUBERNETES, manifest, onDisk, removed } from './node-disk.js';
import type { Mutant } from './types.js';

const CONFIGURATION = '/var/lib/kubelet/config.yaml';
const ENVIRONMENT = '/var/lib/kubelet/kubeadm-flags.env';
const UNIT = '/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf';
/** As the package of kubeadm has it. */
const PACKAGED = [
  '[Service]',
  `Environment="KUBELET_KUBECONFIG_ARGS=--bootstrap-kubeconfig=${KUBERNETES}/bootstrap-kubelet.conf --kubeconfig=${KUBERNETES}/kubelet.conf"`,
  `Environment="KUBELET_CONFIG_ARGS=--config=${CONFIGURATION}"`,
  `EnvironmentFile=-${ENVIRONMENT}`,
  'EnvironmentFile=-/etc/default/kubelet',
  'ExecStart=',
  'ExecStart=/usr/bin/kubelet $KUBELET_KUBECONFIG_ARGS $KUBELET_CONFIG_ARGS $KUBELET_KUBEADM_ARGS $KUBELET_EXTRA_ARGS',
  '',
].join('\n');

/** What config.yaml says otherwise. */
const says = (name: string, defect: string, rule: string, change: (text: string) => string): Mutant =>
  onDisk(`kubelet-${name}`, `the kubelet ${defect}`, [rule], edited(CONFIGURATION, change));
/** What a flag says above it. */
const flagged = (flag: string, rule: string): Mutant =>
  onDisk(
    `kubelet-flag-${flag.replaceAll(/[^a-z]+/gi, '-')}`,
    `the kubelet is started with --${flag}`,
    [rule],
    edited(ENVIRONMENT, (text) => text.replace(/"$/m, ` --${flag}"`)),
  );
/** A part of its unit. */
const unit = (name: string, defect: string, change: (text: string) => string, path = UNIT): Mutant =>
  onDisk(`kubelet-unit-${name}`, `the unit of the kubelet ${defect}`, ['BOOT-013'], added(path, change(PACKAGED)));

export const mutants: readonly Mutant[] = [
  {
    ...says('runs-pods-of-a-server', 'takes static Pods from a server', 'PATH-002', (text) =>
      text.replace(/^(staticPodPath: .*)$/m, '$1\nstaticPodURL: http://198.51.100.1/pods'),
    ),
    killedBy: ['PATH-002', 'P-150'],
  },
  says('configuration-of-another-kind', 'has the configuration of kube-proxy', 'PATH-010', (text) =>
    text.replace('kind: KubeletConfiguration', 'kind: KubeProxyConfiguration'),
  ),
  says('configuration-of-another-version', 'has a configuration of version v1', 'PATH-010', (text) =>
    text.replace('kubelet.config.k8s.io/v1beta1', 'kubelet.config.k8s.io/v1'),
  ),
  says('asks-another-dns', 'asks a DNS elsewhere', 'PATH-010', (text) =>
    text.replace(/clusterDNS:\n *- .*/, 'clusterDNS:\n- 198.51.100.53'),
  ),
  says(
    'at-the-port-of-the-api-server',
    'listens at the port of the API server',
    'P-563',
    (text) => `${text}port: 6443\n`,
  ),
  says('shows-its-health-at-the-port-of-etcd', 'shows its health at the port of the metrics of etcd', 'P-563', (text) =>
    text.replace(/healthzPort: .*/, 'healthzPort: 2381'),
  ),
  flagged('healthz-port=10257', 'P-563'),
  ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'].map((component) =>
    onDisk(
      `${component}-at-the-port-of-the-kubelet`,
      `${component} listens at the port of the kubelet`,
      ['P-563'],
      flag(component, 'secure-port', '10250'),
    ),
  ),
  onDisk(
    'etcd-at-the-port-of-the-scheduler',
    'etcd listens at the port of the scheduler',
    ['P-563'],
    edited(manifest('etcd'), (text) =>
      text.replace('--listen-client-urls=', '--listen-client-urls=https://127.0.0.1:10259,'),
    ),
  ),
  {
    ...onDisk(
      'one-port-of-two-addresses',
      'the kubelet shows its health on loopback at a port at which etcd is asked elsewhere',
      [],
      edited(CONFIGURATION, (text) => text.replace(/healthzPort: .*/, 'healthzPort: 2380')),
    ),
    name: 'harmless-node-one-port-of-two-addresses',
  },
  onDisk('without-flags-of-the-kubelet', 'kubeadm-flags.env is missing', ['PATH-010'], removed(ENVIRONMENT)),
  says('lets-everybody-in', 'lets in everybody', 'ARCH-003', (text) =>
    text.replace(/(anonymous:\n *enabled: )false/, '$1true'),
  ),
  says('believes-no-token', 'asks nobody about tokens', 'ARCH-003', (text) =>
    text.replace(/(cacheTTL: 0s\n *enabled: )true/, '$1false'),
  ),
  says('allows-everything', 'allows everything', 'ARCH-003', (text) =>
    text.replace('mode: Webhook', 'mode: AlwaysAllow'),
  ),
  says('believes-another-authority', 'believes clients of the front proxy', 'ARCH-003', (text) =>
    text.replace(/clientCAFile: .*/, 'clientCAFile: /etc/kubernetes/pki/front-proxy-ca.crt'),
  ),
  says('answers-at-10255', 'answers everybody at port 10255', 'ARCH-003', (text) => `${text}readOnlyPort: 10255\n`),
  says('keeps-its-certificate', 'does not renew its certificate', 'BOOT-010', (text) =>
    text.replace('rotateCertificates: true', 'rotateCertificates: false'),
  ),
  flagged('config=/etc/kubelet.yaml', 'PATH-010'),
  flagged('pod-manifest-path=/etc/kubelet.d', 'PATH-002'),
  flagged('anonymous-auth=true', 'ARCH-003'),
  flagged('authorization-mode=AlwaysAllow', 'ARCH-003'),
  flagged('client-ca-file=/etc/other.crt', 'ARCH-003'),
  flagged('read-only-port=10255', 'ARCH-003'),
  flagged('authentication-token-webhook=false', 'ARCH-003'),
  flagged('rotate-certificates=false', 'BOOT-010'),
  flagged('kubeconfig=/root/kubelet.conf', 'BOOT-013'),
  flagged('bootstrap-kubeconfig=/etc/kubernetes/kubelet.conf', 'BOOT-013'),
  onDisk(
    'kubelet-flag-of-a-part',
    'the kubelet is told by a part of its unit to hear strangers',
    ['ARCH-003'],
    added(
      '/etc/systemd/system/kubelet.service.d/99-own.conf',
      '[Service]\nEnvironment="KUBELET_EXTRA_ARGS=--anonymous-auth=true"\n',
      0o644,
    ),
  ),
  unit('names-one-file-for-both', 'names kubelet.conf for both kubeconfigs', (text) =>
    text.replace('bootstrap-kubelet.conf', 'kubelet.conf'),
  ),
  unit('names-another-kubeconfig', 'names another kubeconfig', (text) =>
    text.replace('--kubeconfig=/etc/kubernetes', '--kubeconfig=/root'),
  ),
  unit('names-another-configuration', 'names another configuration', (text) =>
    text.replace(`--config=${CONFIGURATION}`, '--config=/etc/kubelet.yaml'),
  ),
  unit('without-the-flags-of-kubeadm', 'leaves out what kubeadm has written for it', (text) =>
    text.replace(' $KUBELET_KUBEADM_ARGS', ''),
  ),
  {
    ...onDisk(
      'unit-of-the-package',
      'the unit of the kubelet is that of the package, with a proxy and flags of an operator',
      [],
      all(
        added(UNIT, PACKAGED, 0o644),
        added(
          '/etc/systemd/system/kubelet.service.d/http-proxy.conf',
          '[Service]\nEnvironment="HTTPS_PROXY=http://proxy.example:3128" "NO_PROXY=localhost,192.0.2.0/24,.svc"\n',
          0o644,
        ),
        added('/etc/default/kubelet', '# by hand\nKUBELET_EXTRA_ARGS="--node-ip=192.0.2.10 --v=2"\n', 0o644),
        edited(CONFIGURATION, (text) => text.replace(/clusterDNS:\n *- .*/, 'clusterDNS:\n- 169.254.20.10')),
      ),
    ),
    name: 'harmless-node-unit-of-the-package',
  },
];

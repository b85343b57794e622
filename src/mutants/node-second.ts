/** Defects in the second, or the third, of several places that one sentence looks at. */
import type { DiskEdit } from '../kubeadm/init/memory-disk.js';
import { privateKeyPem } from '../pki/keys.js';
import { worker } from './node-beyond.js';
import {
  added,
  all,
  copied,
  edited,
  flag,
  KUBERNETES,
  mode,
  onDisk,
  PKI,
  reissued,
  removed,
  strangersAuthority,
} from './node-disk.js';
import type { Mutant } from './types.js';

const [API, MANAGER] = ['kube-apiserver', 'kube-controller-manager'] as const;
const KUBELET = '/var/lib/kubelet';
const file = (path: string, text: string, bits = 0o644): DiskEdit => added(path, `${text}\n`, bits);
const open = (name: string, to: string): DiskEdit => all(copied(name, to), mode(to, 0o644));
const places = (name: string, text: string): DiskEdit =>
  all(flag(API, name, `${PKI}/${name}.yaml`), added(`${PKI}/${name}.yaml`, text));
const told = (value: string): DiskEdit => file(`${KUBELET}/kubeadm-flags.env`, `KUBELET_KUBEADM_ARGS="${value}"`);

/** It forwards no IPv6, and one place says that its Pods have such addresses. */
const withIpv6 = (name: string, defect: string, disk: DiskEdit): Mutant =>
  onDisk(
    `machine-forwards-no-ipv6-of-${name}`,
    `the machine forwards no IPv6, and ${defect}`,
    ['P-287'],
    all(disk, file('/etc/sysctl.d/99-own.conf', 'net.ipv6.conf.all.forwarding = 0')),
  );

export const mutants: readonly Mutant[] = [
  onDisk(
    'copy-of-the-key-of-accounts',
    'anybody reads a copy of the key that signs tokens',
    ['P-198'],
    open('sa.key', '/root/accounts.key'),
  ),
  onDisk(
    'copy-of-a-key-that-is-kept-elsewhere',
    'the key of the authority is taken away, and anybody reads a copy of it',
    ['P-198'],
    all(open('ca.key', '/root/old.key'), removed('ca.key')),
  ),
  onDisk(
    'copy-of-the-key-of-the-second-authority',
    'of two authorities that are believed anybody reads the key of the second',
    ['P-198'],
    (disk) => {
      const other = strangersAuthority();
      return all(
        edited('ca.crt', (text) => text + other.certificate.pem),
        added('/root/next.key', privateKeyPem(other.key), 0o644),
      )(disk);
    },
  ),
  onDisk(
    'certificate-of-the-kubelet-cut-off',
    'the file that kubelet.conf names for its certificate is cut off',
    ['P-286'],
    all(
      edited(`${KUBERNETES}/kubelet.conf`, (text) =>
        text.replace(/client-(certificate|key)-data: \S+/g, `client-$1: ${KUBELET}/pki/kubelet-client-current.pem`),
      ),
      file(
        `${KUBELET}/pki/kubelet-client-current.pem`,
        '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
        0o600,
      ),
    ),
  ),
  onDisk(
    'data-of-etcd-in-memory',
    'the data of etcd are gone after a start',
    ['P-287'],
    file('/etc/fstab', 'tmpfs /var/lib/etcd tmpfs size=1G 0 0'),
  ),
  withIpv6(
    'services',
    'services have addresses of it',
    flag(API, 'service-cluster-ip-range', '10.96.0.0/16,fd00:96::/112'),
  ),
  withIpv6('pods', 'Pods have addresses of it', flag(MANAGER, 'cluster-cidr', '10.244.0.0/16,fd00:244::/56')),
  withIpv6('the-machine', 'the machine has an address of it', told('--node-ip=192.0.2.10,2001:db8::10')),
  withIpv6(
    'dns',
    'DNS has a second address of it',
    edited(`${KUBELET}/config.yaml`, (text) => text.replace(/^(clusterDNS:\n)((?:\s*- .*\n)+)/m, '$1$2- fd00:96::a\n')),
  ),
  onDisk(
    'runtime-that-nobody-has-by-a-flag',
    'a flag has the kubelet ask a runtime that is not there',
    ['P-240'],
    all(
      file('/etc/containerd/config.toml', 'version = 2'),
      told('--container-runtime-endpoint=unix:///var/run/crio/crio.sock'),
    ),
  ),
  onDisk(
    'etcd-lets-in-all-but-its-probe',
    'etcd asks clients for a name that the certificate of its probe has not',
    ['P-207'],
    all(
      flag('etcd', 'client-cert-allowed-hostname', 'api.example'),
      reissued('apiserver-etcd-client', 'etcd/ca', {
        commonName: 'kube-apiserver-etcd-client',
        usages: ['clientAuth'],
        dns: ['api.example'],
      }),
    ),
  ),
  onDisk(
    'second-configuration-cut-off',
    'of two files that configure the API server the second is cut off',
    ['P-214'],
    all(
      places('audit-policy-file', 'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{ level: Metadata }]\n'),
      places(
        'admission-control-config-file',
        'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration\nplugins: [{ name: PodSecurity',
      ),
    ),
  ),
  onDisk(
    'api-server-shows-what-is-of-proxies',
    'the API server shows a certificate by name that the authority of proxies has signed',
    ['P-196'],
    all(
      reissued(`${PKI}/own`, 'front-proxy-ca', { commonName: 'own', usages: ['serverAuth'], dns: ['k8s.example.com'] }),
      flag(API, 'tls-sni-cert-key', `${PKI}/own.crt,${PKI}/own.key`),
    ),
  ),
  onDisk(
    'api-server-shows-pods-what-is-of-others',
    'the API server shows a certificate of a stranger to who asks by its name within the cluster',
    ['P-196'],
    all(
      reissued(`${PKI}/own`, 'a stranger', {
        commonName: 'own',
        usages: ['serverAuth'],
        dns: ['kubernetes.default.svc'],
      }),
      flag(API, 'tls-sni-cert-key', `${PKI}/own.crt,${PKI}/own.key`),
    ),
  ),
  onDisk(
    'worker-is-seldom-heard-of',
    'the kubelet of a worker renews its Lease each 150 s',
    ['P-196'],
    all(
      worker,
      edited(`${KUBELET}/config.yaml`, (text) => `${text}nodeLeaseDurationSeconds: 600\n`),
    ),
  ),
  onDisk(
    'clients-are-told-loopback',
    'members of etcd learn of one whose clients ask on loopback',
    ['P-196'],
    flag('etcd', 'advertise-client-urls', 'https://127.0.0.1:2379'),
  ),
  onDisk(
    'api-server-shows-a-second-by-another-key',
    'of two certificates that the API server shows by name the second is of another key',
    ['P-196'],
    all(
      flag(API, 'tls-sni-cert-key', `${PKI}/apiserver.crt,${PKI}/apiserver.key:a.example.com`),
      edited(`${KUBERNETES}/manifests/${API}.yaml`, (text) =>
        text.replace(
          /^ {4}- '--tls-sni-cert-key=.*\n/m,
          `$&    - '--tls-sni-cert-key=${PKI}/apiserver.crt,${PKI}/front-proxy-client.key:b.example.com'\n`,
        ),
      ),
    ),
  ),
  onDisk(
    'second-signer-with-another-certificate',
    'of two signers that are told apart the second has a certificate of another authority',
    ['KCMF-007'],
    all(
      ...['kubelet-client', 'kubelet-serving', 'kube-apiserver-client', 'legacy-unknown'].flatMap((signer, at) => [
        flag(MANAGER, `cluster-signing-${signer}-cert-file`, `${PKI}/${at === 1 ? 'front-proxy-ca' : 'ca'}.crt`),
        flag(MANAGER, `cluster-signing-${signer}-key-file`, `${PKI}/ca.key`),
      ]),
      flag(MANAGER, 'cluster-signing-cert-file', undefined),
      flag(MANAGER, 'cluster-signing-key-file', undefined),
    ),
  ),
];

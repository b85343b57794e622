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
  reissued,
  strangersKey,
} from './node-disk.js';
import { CONFS, LEAVES } from './node-keepers.js';
import type { Mutant } from './types.js';

const API = 'kube-apiserver';
const KCM = 'kube-controller-manager';
const SCHEDULER = 'kube-scheduler';
const ALL = [API, KCM, SCHEDULER, 'etcd'] as const;
const CONFIGURATION = '/var/lib/kubelet/config.yaml';
const ENVIRONMENT = '/var/lib/kubelet/kubeadm-flags.env';
const SOMEBODY = 1000;
const YEARS_30 = 30 * 365;

const named = (file: string): string => file.replace('/', '-');
const authorityOf = (file: string): string =>
  file.startsWith('front') ? 'front-proxy-ca' : file.includes('etcd') ? 'etcd/ca' : 'ca';

/** What config.yaml of the kubelet says otherwise. */
const says = (name: string, defect: string, rule: string, change: (text: string) => string): Mutant =>
  onDisk(`kubelet-${name}`, `the kubelet ${defect}`, [rule], edited(CONFIGURATION, change));

/** A flag of a component that gives something up. */
const weak = (component: string, name: string, value: string): Mutant =>
  onDisk(
    `${component}-weakened-by-${name}`,
    `${component} is started with --${name}=${value}`,
    ['P-150'],
    flag(component, name, value),
  );

const POD = [
  'apiVersion: v1',
  'kind: Pod',
  'metadata: { name: helper, namespace: kube-system }',
  'spec:',
  '  containers: [{ name: helper, image: registry.example/helper:v1, securityContext: { privileged: true } }]',
  '',
].join('\n');

export const mutants: readonly Mutant[] = [
  ...LEAVES.map(([file, authority, , leaf]) =>
    onDisk(
      `${named(file)}-outlives-its-authority`,
      `${file}.crt lives for thirty years`,
      ['P-14'],
      reissued(file, authority, { ...leaf, days: YEARS_30 }),
    ),
  ),
  ...LEAVES.map(([file, authority, , leaf]) =>
    onDisk(
      `${named(file)}-is-for-code`,
      `${file}.crt may sign programs, too`,
      ['P-531'],
      reissued(file, authority, { ...leaf, usages: [...(leaf.usages ?? ['clientAuth']), 'codeSigning'] }),
    ),
  ),
  ...LEAVES.map(([file]) =>
    onDisk(
      `${named(file)}-with-the-key-of-its-authority`,
      `${file}.crt has the key of its authority`,
      ['P-14'],
      copied(`${authorityOf(file)}.crt`, `${file}.crt`),
    ),
  ),
  ...LEAVES.filter(([file]) => file !== 'apiserver-kubelet-client').map(([file, authority, , leaf]) =>
    onDisk(
      `${named(file)}-is-a-node`,
      `${file}.crt is in the group of nodes`,
      ['P-14'],
      reissued(file, authority, { ...leaf, organizations: ['system:nodes'] }),
    ),
  ),
  onDisk(
    'kubelet-serves-with-another-key',
    "the kubelet's serving certificate lies beside another key",
    ['P-14'],
    all(
      copied('apiserver.crt', '/var/lib/kubelet/pki/kubelet.crt'),
      added('/var/lib/kubelet/pki/kubelet.key', strangersKey()),
    ),
  ),
  onDisk('belongs-to-somebody', 'what lies there belongs to a user', ['PKI-024'], (disk) => {
    for (const path of [...disk.files.keys(), KUBERNETES, `${KUBERNETES}/manifests`, PKI])
      if (path !== ENVIRONMENT) disk.owners.set(path, SOMEBODY);
  }),
  onDisk('flags-belong-to-somebody', 'kubeadm-flags.env belongs to a user', ['PKI-024'], (disk) => {
    disk.owners.set(ENVIRONMENT, SOMEBODY);
  }),
  ...CONFS.map((name) =>
    onDisk(
      `${name}-conf-asks-through-a-proxy`,
      `${name}.conf names a proxy`,
      ['KCFG-012'],
      edited(`${KUBERNETES}/${name}.conf`, (text) =>
        text.replace(/^( +)server: /m, '$1proxy-url: http://198.51.100.1:3128\n$1server: '),
      ),
    ),
  ),
  ...ALL.map((component) =>
    onDisk(
      `${component}-not-alone`,
      `another container runs beside ${component}`,
      ['MANI-001'],
      edited(manifest(component), (text) =>
        text.replace(/^ {2}hostNetwork:/m, '  - name: helper\n    image: registry.example/helper:v1\n  hostNetwork:'),
      ),
    ),
  ),
  onDisk('privileged-helper', 'a static Pod of somebody is privileged', ['MANI-001'], added(manifest('helper'), POD)),
  ...ALL.map((component) =>
    onDisk(
      `${component}-with-a-flag-of-nobody`,
      `${component} is given a flag that it does not know`,
      ['MANI-010'],
      flag(component, 'no-such-flag', '1'),
    ),
  ),
  onDisk(
    'gate-of-nobody',
    'the API server is given a feature gate that nobody knows',
    ['MANI-010'],
    flag(API, 'feature-gates', 'NoSuchGate=true'),
  ),
  onDisk(
    'gate-that-is-locked',
    'the API server is told to turn off what is on for good',
    ['MANI-010'],
    flag(API, 'feature-gates', 'AuthorizeNodeWithSelectors=false'),
  ),
  onDisk(
    'pods-among-services',
    'addresses of Pods are those of services',
    ['KCMF-001'],
    flag(KCM, 'cluster-cidr', '10.96.0.0/16'),
  ),
  onDisk(
    'services-among-pods',
    'the API server alone says that services have addresses of Pods',
    ['KCMF-001'],
    async (disk) => {
      await flag(KCM, 'service-cluster-ip-range', undefined)(disk);
      await flag(KCM, 'cluster-cidr', '10.96.0.0/16')(disk);
    },
  ),
  weak(API, 'service-account-lookup', 'false'),
  weak(API, 'token-auth-file', '/etc/kubernetes/tokens.csv'),
  weak(API, 'tls-min-version', 'VersionTLS10'),
  weak(KCM, 'cluster-signing-duration', '1s'),
  weak(KCM, 'tls-min-version', 'VersionTLS11'),
  weak(SCHEDULER, 'authorization-always-allow-paths', '/*'),
  weak(SCHEDULER, 'tls-cipher-suites', 'TLS_RSA_WITH_RC4_128_SHA'),
  weak('etcd', 'unsafe-no-fsync', 'true'),
  weak('etcd', 'cipher-suites', 'TLS_RSA_WITH_3DES_EDE_CBC_SHA'),
  says('takes-old-tls', 'takes TLS 1.0', 'P-150', (text) => `${text}tlsMinVersion: VersionTLS10\n`),
  says('misspelt', 'has a field that it does not know', 'PATH-010', (text) => `${text}maxPod: 200\n`),
  says('of-another-driver', 'has a driver of cgroups that is none', 'PATH-010', (text) =>
    text.replace(/cgroupDriver: .*/, 'cgroupDriver: systemdd'),
  ),
  says('without-a-domain', 'is told no domain', 'PATH-010', (text) => text.replace(/clusterDomain: .*\n/, '')),
  says('answers-nobody', 'does not listen', 'PATH-010', (text) => `${text}enableServer: false\n`),
  says('tells-everybody-how-it-is', 'tells everybody how it is', 'ARCH-003', (text) =>
    text.replace(/healthzBindAddress: .*/, 'healthzBindAddress: 0.0.0.0'),
  ),
  onDisk(
    'kubelet-flag-of-former-times',
    'the kubelet is started with a flag that is gone',
    ['PATH-010'],
    edited(ENVIRONMENT, (text) => text.replace(/"$/m, ' --network-plugin=cni"')),
  ),
  onDisk(
    'instance-of-something-else',
    'instance-config.yaml says something else',
    ['PATH-010'],
    added('/var/lib/kubelet/instance-config.yaml', 'maxPods: 200\n', 0o644),
  ),
  {
    ...onDisk(
      'hardened',
      'an operator has hardened his control plane: TLS, durations, more keys of service accounts, a Pod of his own',
      [],
      all(
        flag(API, 'tls-min-version', 'VersionTLS13'),
        flag(API, 'tls-cipher-suites', 'TLS_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'),
        flag(API, 'service-account-lookup', 'true'),
        flag(API, 'feature-gates', 'AllAlpha=false'),
        flag(KCM, 'cluster-signing-duration', '720h0m0s'),
        flag(KCM, 'authorization-always-allow-paths', '/healthz,/readyz,/livez,/metrics'),
        flag('etcd', 'cipher-suites', 'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384'),
        added(manifest('kube-vip'), POD.replace('privileged: true', 'capabilities: { add: [NET_ADMIN] }')),
        edited(CONFIGURATION, (text) => `${text}tlsMinVersion: VersionTLS12\nprotectKernelDefaults: true\n`),
      ),
    ),
    name: 'harmless-node-hardened',
  },
];

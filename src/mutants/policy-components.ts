/** What components of a control plane show in their static Pods: flags, and what they are given beside. */
import { record, records } from '../kubernetes/json.js';
import { finds } from './arrange.js';
import { addComponent, addFlags } from './certificate-requests.js';
import type { Mutant } from './types.js';

/** A flag that a second control plane shows, in the place of its own. */
const SHOWN: readonly (readonly [name: string, component: string, ...flags: (readonly [string, string])[]])[] = [
  ['believes-deleted-accounts', 'kube-apiserver', ['service-account-lookup', 'false']],
  ['serves-no-certificates', 'kube-apiserver', ['runtime-config', 'certificates.k8s.io/v1=false']],
  ['lets-issuers-name-administrators', 'kube-apiserver', ['oidc-groups-prefix', 'system:']],
  ['gives-ports-of-kubelets', 'kube-apiserver', ['service-node-port-range', '10000-11000']],
  ['allows-every-group', 'kube-controller-manager', ['authorization-always-allow-groups', 'system:authenticated']],
  ['leads-for-ever', 'kube-controller-manager', ['leader-elect-lease-duration', '1s']],
  ['schedules-for-another', 'kube-scheduler', ['master', 'http://192.0.2.7:8080']],
  ['leads-a-moment', 'kube-scheduler', ['leader-elect-lease-duration', '1s']],
  ['schedules-as-an-administrator', 'kube-scheduler', ['kubeconfig', '/etc/kubernetes/admin.conf']],
  [
    'lets-in-as-an-administrator',
    'kube-controller-manager',
    ['authentication-kubeconfig', '/etc/kubernetes/super-admin.conf'],
  ],
  ['takes-any-member', 'etcd', ['peer-skip-client-san-verification', 'true']],
  ['believes-what-nobody-signed', 'etcd', ['auto-tls', 'true']],
  ['answers-without-tls', 'etcd', ['listen-client-urls', 'http://0.0.0.0:2379']],
  ['asks-no-certificate', 'etcd', ['trusted-ca-file', ''], ['client-cert-auth', 'false']],
  ['lets-every-node-in', 'etcd', ['trusted-ca-file', '/etc/kubernetes/pki/ca.crt']],
  ['takes-broken-suites', 'etcd', ['cipher-suites', 'TLS_RSA_WITH_RC4_128_SHA']],
  ['takes-no-object', 'etcd', ['max-request-bytes', '10']],
  ['shows-its-memory', 'etcd', ['enable-pprof', 'true']],
  ['keeps-data-for-everybody', 'etcd', ['data-dir', '/tmp/etcd']],
  ['has-what-nobody-finished', 'kube-apiserver', ['feature-gates', 'AllAlpha=true']],
  ['gives-up-at-once', 'kube-apiserver', ['request-timeout', '1s']],
  ['sends-everybody-away', 'kube-apiserver', ['goaway-chance', '1']],
  ['answers-one-at-a-time', 'kube-apiserver', ['max-requests-inflight', '1']],
  ['serves-no-leases', 'kube-apiserver', ['runtime-config', 'coordination.k8s.io/v1=false']],
  [
    'lets-nodes-ask-for-others',
    'kube-apiserver',
    ['feature-gates', 'AllowInsecureKubeletCertificateSigningRequests=true'],
  ],
  ['lets-nodes-name-audiences', 'kube-apiserver', ['feature-gates', 'ServiceAccountNodeAudienceRestriction=false']],
  ['asks-seldom', 'kube-controller-manager', ['kube-api-qps', '0.5']],
  [
    'lets-clients-speak-for-others',
    'kube-apiserver',
    ['requestheader-client-ca-file', '/etc/kubernetes/pki/ca.crt'],
    ['client-ca-file', '/etc/kubernetes/pki/ca.crt'],
    ['requestheader-allowed-names', ''],
  ],
];
/** Of those that do not belong together. */
const MISFITS: typeof SHOWN = [
  [
    'signs-with-another-key',
    'kube-controller-manager',
    ['cluster-signing-key-file', '/etc/kubernetes/pki/front-proxy-ca.key'],
  ],
  ['leaves-requests', 'kube-controller-manager', ['controllers', '*,bootstrapsigner,tokencleaner,-csrcleaner']],
  ['starts-no-proxies', 'kube-controller-manager', ['controllers', '*,bootstrapsigner,tokencleaner,-daemonset']],
  [
    'gives-no-addresses',
    'kube-controller-manager',
    ['controllers', '*,bootstrapsigner,tokencleaner,-nodeipam'],
    ['allocate-node-cidrs', 'true'],
    ['cluster-cidr', '10.244.0.0/16'],
  ],
  [
    'has-addresses-for-one-node',
    'kube-controller-manager',
    ['allocate-node-cidrs', 'true'],
    ['cluster-cidr', '10.244.0.0/16'],
    ['node-cidr-mask-size', '16'],
  ],
  [
    'gives-hardly-an-address',
    'kube-controller-manager',
    ['allocate-node-cidrs', 'true'],
    ['cluster-cidr', '10.244.0.0/16'],
    ['node-cidr-mask-size-ipv4', '30'],
  ],
  ['gives-addresses-of-nothing', 'kube-controller-manager', ['allocate-node-cidrs', 'true'], ['cluster-cidr', '']],
  [
    'puts-pods-behind-no-service',
    'kube-controller-manager',
    ['controllers', '*,bootstrapsigner,tokencleaner,-endpointslice'],
  ],
  ['refuses-proxies', 'kube-apiserver', ['allow-privileged', 'false']],
  ['collects-nothing', 'kube-controller-manager', ['enable-garbage-collector', 'false']],
  ['knows-proxies-as-clients', 'kube-apiserver', ['client-ca-file', '/etc/kubernetes/pki/front-proxy-ca.crt']],
  ['waits-for-the-dead', 'kube-controller-manager', ['node-monitor-grace-period', '100h']],
  ['looks-seldom', 'kube-controller-manager', ['node-monitor-period', '5m']],
  ['works-beside-another', 'kube-controller-manager', ['leader-elect', 'false']],
  ['moves-away', 'kube-apiserver', ['secure-port', '7443']],
  ['is-let-in-nowhere', 'kube-apiserver', ['kubelet-client-certificate', ''], ['kubelet-client-key', '']],
  ['is-nowhere', 'kube-apiserver', ['advertise-address', '127.0.0.1']],
  ['takes-old-tls', 'kube-apiserver', ['tls-min-version', 'VersionTLS10']],
  ['gives-pods-no-token', 'kube-apiserver', ['disable-admission-plugins', 'ServiceAccount']],
  ['manages-with-old-tls', 'kube-controller-manager', ['tls-min-version', 'VersionTLS11']],
];
const shows = (
  name: string,
  component: string,
  flags: readonly (readonly [string, string])[],
  rule = 'P-174',
): Mutant =>
  finds(
    `control-plane-${name}`,
    `a control plane shows ${flags.map(([flag, value]) => `--${flag}=${value}`).join(' ')}`,
    [rule],
    (reference) =>
      addFlags(reference, component, (given) => [
        ...given.filter((text) => !flags.some(([flag]) => text.startsWith(`--${flag}=`))),
        ...flags.map(([flag, value]) => `--${flag}=${value}`),
      ]),
  );

type Spec = Parameters<Parameters<typeof addComponent>[2]>[0];
/** What a component is beside what kubeadm makes it. */
const POWERS: readonly (readonly [name: string, component: string, change: (spec: Spec) => object])[] = [
  ['sees-the-machine', 'kube-scheduler', () => ({ hostPID: true })],
  [
    'has-the-disk',
    'kube-controller-manager',
    (spec) => ({ volumes: [...records(record(spec).volumes), { name: 'disk', hostPath: { path: '/' } }] }),
  ],
  [
    'listens-to-go',
    'kube-apiserver',
    ({ containers }) => ({
      containers: containers.map((one) => ({ ...one, env: [{ name: 'GODEBUG', value: 'tls10server=1' }] })),
    }),
  ],
  [
    'has-company',
    'kube-apiserver',
    ({ containers }) => ({ containers: [...containers, { name: 'agent', image: 'registry.example.com/agent:v1' }] }),
  ],
  [
    'is-privileged',
    'etcd',
    ({ containers }) => ({ containers: containers.map((one) => ({ ...one, securityContext: { privileged: true } })) }),
  ],
];

export const mutants: readonly Mutant[] = [
  ...POWERS.map(([name, component, change]) =>
    finds(`${component}-${name}`, `the Pod of ${component} ${name.replaceAll('-', ' ')}`, ['P-316'], (reference) =>
      addComponent(reference, component, (spec) => ({ ...spec, ...change(spec) })),
    ),
  ),
  {
    name: 'harmless-components',
    defect: 'components with folders of theirs and a proxy, as kubeadm and operators give them',
    killedBy: [],
    strict: true,
    arrange: (reference) => {
      for (const component of ['kube-apiserver', 'kube-controller-manager'])
        addComponent(reference, component, (spec) => ({
          ...spec,
          nodeName: 'cp-2',
          volumes: [
            ...records(record(spec).volumes),
            { name: 'audit', hostPath: { path: '/var/log/kubernetes/audit' } },
            { name: 'own', hostPath: { path: '/etc/kubernetes/audit' } },
            { name: 'plugin', hostPath: { path: '/var/run/kmsplugin' } },
          ],
          containers: spec.containers.map((one) => ({
            ...one,
            env: [
              { name: 'NO_PROXY', value: '10.0.0.0/8' },
              { name: 'HTTPS_PROXY', value: 'http://192.0.2.3:3128' },
            ],
          })),
        }));
    },
  },
  ...SHOWN.map(([name, component, ...flags]) => shows(name, component, flags)),
  ...MISFITS.map(([name, component, ...flags]) => shows(name, component, flags, 'P-176')),
];

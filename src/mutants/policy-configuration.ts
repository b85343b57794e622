/** What ConfigMaps and Secrets that joining machines read must not say, and what they have to. */
import { base64, record, records } from '../kubernetes/json.js';
import type { ConfigMap, Secret } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { edit, finds } from './arrange.js';
import { addComponent, addFlags } from './certificate-requests.js';
import type { Mutant } from './types.js';

const NAMESPACE = 'kube-system';
const PRIVATE_KEY = '-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\n';

/** Changes what stands under one key; undefined removes it. */
const told = (
  name: string,
  defect: string,
  killedBy: readonly string[],
  [map, key, change]: readonly [map: string, key: string, change: (text: string) => string | undefined],
): Mutant =>
  finds(name, defect, killedBy, (reference) =>
    edit<ConfigMap>(reference, { resource: resources.configMaps, namespace: NAMESPACE, name: map }, (found) => {
      const { [key]: text = '', ...others } = found.data ?? {};
      const changed = change(text);
      return { ...found, data: { ...others, ...(changed === undefined ? {} : { [key]: changed }) } };
    }),
  );
const shared = (
  name: string,
  defect: string,
  change: (secret: Secret) => Secret,
  killedBy: readonly string[] = ['P-164'],
): Mutant =>
  finds(name, defect, killedBy, (reference) =>
    edit<Secret>(reference, { resource: resources.secrets, namespace: NAMESPACE, name: 'kubeadm-certs' }, change),
  );
/** Each way in of a kubelet, opened. */
const LAX: readonly (readonly [name: string, setting: string])[] = [
  ['lets-strangers-in', 'authentication: {anonymous: {enabled: true}}\n'],
  ['allows-everything', 'authorization: {mode: AlwaysAllow}\n'],
  ['serves-without-a-login', 'readOnlyPort: 10255\n'],
  ['fetches-its-pods', 'staticPodURL: http://192.0.2.9/pods\n'],
];

/** A field of the first level goes, with all that is indented below it, and this stands instead. */
const rewritten = (text: string, setting: string): string => {
  const [field = ''] = setting.split(':');
  const kept = text.replace(new RegExp(`^${field}:.*\\n(?:[ -].*\\n)*`, 'm'), '');
  return `${kept}${kept.endsWith('\n') ? '' : '\n'}${setting}`;
};

/** What a joining control plane is told, by the way in that it opens or the work that it leaves. */
const UNGUARDED: readonly (readonly [name: string, component: string, flag: string, value: string])[] = [
  ['allows-everything', 'apiServer', 'authorization-mode', 'Node,RBAC,AlwaysAllow'],
  ['knows-no-nodes', 'apiServer', 'authorization-mode', 'RBAC'],
  ['restricts-no-node', 'apiServer', 'enable-admission-plugins', 'PodSecurity'],
  ['frees-nodes', 'apiServer', 'disable-admission-plugins', 'NodeRestriction'],
  ['approves-unasked', 'apiServer', 'disable-admission-plugins', 'CertificateApproval'],
  ['does-not-start', 'apiServer', 'anonymous-auht', 'false'],
  ['controls-nothing', 'controllerManager', 'node-monitor-period', 'soon'],
  ['schedules-never', 'scheduler', 'leader-elect-lease-duration', 'x'],
  ['is-an-administrator', 'scheduler', 'kubeconfig', '/etc/kubernetes/admin.conf'],
  ['takes-no-tokens', 'apiServer', 'enable-bootstrap-token-auth', 'false'],
  ['takes-any-token', 'apiServer', 'token-auth-file', '/etc/kubernetes/tokens.csv'],
  ['signs-nothing', 'controllerManager', 'controllers', '*'],
  ['believes-deleted-accounts', 'apiServer', 'service-account-lookup', 'false'],
  ['answers-everybody', 'controllerManager', 'authorization-always-allow-paths', '/*'],
  ['schedules-for-everybody', 'scheduler', 'authorization-always-allow-paths', '/*'],
  ['works-as-one', 'controllerManager', 'use-service-account-credentials', 'false'],
  ['audits-by-no-file', 'apiServer', 'audit-policy-file', '/etc/kubernetes/audit/policy.yaml'],
  ['keeps-policies-of-old', 'apiServer', 'enable-admission-plugins', 'NodeRestriction,PodSecurityPolicy'],
  ['listens-elsewhere', 'controllerManager', 'bind-address', '192.0.2.9'],
  ['signs-for-a-century', 'controllerManager', 'cluster-signing-duration', '876000h'],
];
const CLUSTER = ['kubeadm-config', 'ClusterConfiguration'] as const;

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
  ...['kubeadm-config', 'kubelet-config'].map((name) =>
    finds(`${name}-of-another`, `${name} belongs to something, and goes with it`, ['P-165'], (reference) =>
      edit<ConfigMap>(reference, { resource: resources.configMaps, namespace: NAMESPACE, name }, (found) => {
        const uid = reference.api.get(resources.namespaces, undefined, NAMESPACE)?.metadata.uid ?? '';
        const owner = { apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE, uid };
        return { ...found, metadata: { ...found.metadata, ownerReferences: [owner] } };
      }),
    ),
  ),
  ...SHOWN.map(([name, component, ...flags]) => shows(name, component, flags)),
  told(
    'kubelet-config-with-an-odd-port',
    'kubelets are told a port that is none',
    ['P-178'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'healthzPort: 70000\n')],
  ),
  told(
    'kubelet-config-misspelt',
    'kubelets are told what is no setting',
    ['P-178'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'rotateCertificate: true\n')],
  ),
  told(
    'kubelet-config-that-reserves-nothing',
    'kubelets are told to give CPUs away, and to keep none',
    ['P-178'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'cpuManagerPolicy: static\n')],
  ),
  told(
    'kubelet-config-of-another-domain',
    'kubelets are told the domain of another cluster',
    ['P-179'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'clusterDomain: cluster.lan\n')],
  ),
  told(
    'kubelet-config-without-authority',
    'kubelets are told of no authority for clients',
    ['P-179'],
    ['kubelet-config', 'kubelet', (text) => text.replace(/clientCAFile: \S+/, "clientCAFile: ''")],
  ),
  told(
    'kubelet-config-of-another-dns',
    'kubelets are told a DNS that no Service is',
    ['P-179'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'clusterDNS:\n- 10.96.0.77\n')],
  ),
  told(
    'kubelet-config-of-a-dns-elsewhere',
    'kubelets are told a DNS beyond the cluster, whose Services have one',
    ['P-179'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'clusterDNS:\n- 192.0.2.53\n')],
  ),
  told(
    'kubelet-config-of-one-machine',
    'kubelets are told which machine they are',
    ['P-178'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'providerID: example:///a/1\n')],
  ),
  told(
    'kubelet-config-without-a-key',
    'kubelets are told a certificate, and no key',
    ['P-178'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'tlsCertFile: /etc/kubernetes/kubelet.crt\n')],
  ),
  told(
    'kubelet-config-of-the-loopback',
    'kubelets are told to listen where nobody reaches them',
    ['P-178'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'address: 127.0.0.1\n')],
  ),
  told(
    'kubelet-config-of-old-tls',
    'kubelets are told to speak TLS 1.0',
    ['P-257'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'tlsMinVersion: VersionTLS10\n')],
  ),
  told(
    'kubelet-config-that-never-asks-again',
    'kubelets are told to hold to a right for a year',
    ['P-257'],
    [
      'kubelet-config',
      'kubelet',
      (text) => rewritten(text, 'authorization: {mode: Webhook, webhook: {cacheAuthorizedTTL: 8760h}}\n'),
    ],
  ),
  told(
    'kubelet-config-that-keeps-no-pod',
    'kubelets are told to put out every Pod',
    ['P-318'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'evictionHard: {memory.available: "100%"}\n')],
  ),
  told(
    'kubelet-config-of-late-leases',
    'kubelets are told to renew their Lease when it is too late',
    ['P-318'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'nodeLeaseDurationSeconds: 4000\n')],
  ),
  told(
    'kubelet-config-of-everybody',
    'kubelets are told to run plugins that everybody may write',
    ['P-318'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'volumePluginDir: /tmp/plugins\n')],
  ),
  told(
    'kubelet-config-without-health',
    'kubelets are told to tell nobody whether they are well',
    ['P-318'],
    ['kubelet-config', 'kubelet', (text) => rewritten(text, 'healthzPort: 0\n')],
  ),
  told(
    'kubeadm-config-of-two-ranges',
    'control planes that join give Services other addresses than kubeadm is told',
    ['P-258'],
    [
      ...CLUSTER,
      (text) =>
        [
          "apiServer: {extraArgs: [{name: service-cluster-ip-range, value: '172.30.0.0/16'}]}\n",
          'networking: {serviceSubnet: 10.96.0.0/12}\n',
        ].reduce(rewritten, text),
    ],
  ),
  told(
    'kubeadm-config-for-any-name',
    'control planes that join ask for a certificate of any name',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'apiServer: {certSANs: ["*"]}\n')],
  ),
  told(
    'kubeadm-config-of-an-open-etcd',
    'control planes that join bring etcd no certificate',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'etcd: {external: {endpoints: ["https://192.0.2.7:2379"]}}\n')],
  ),
  told(
    'kubeadm-config-of-pods-among-services',
    'control planes that join give Pods addresses of Services',
    ['P-258'],
    [...CLUSTER, (text) => text.replace(/podSubnet: .*/, 'podSubnet: 10.96.0.0/16')],
  ),
  told(
    'kubeadm-config-misspelt',
    'kubeadm-config says what kubeadm does not know',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'apiServerExtraArgs: {}\n')],
  ),
  told(
    'kubeadm-config-of-other-images',
    'control planes that join run images from where those that stand do not',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'imageRepository: registry.other.example/k8s\n')],
  ),
  told(
    'kubeadm-config-of-another-api-server',
    'kubeadm-config names another API server',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'controlPlaneEndpoint: api.other.example:6443\n')],
  ),
  told(
    'kubeadm-config-of-an-hour',
    'control planes that join get an authority of an hour',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'caCertificateValidityPeriod: 1h0m0s\n')],
  ),
  told(
    'kubeadm-config-without-tls-of-etcd',
    'control planes that join ask etcd without TLS',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'etcd: {external: {endpoints: ["http://192.0.2.7:2379"]}}\n')],
  ),
  told(
    'joining-etcd-answers-without-tls',
    'etcd of control planes that join answers without TLS',
    ['P-172'],
    [
      ...CLUSTER,
      (text) =>
        rewritten(text, "etcd: {local: {extraArgs: [{name: listen-client-urls, value: 'http://0.0.0.0:2379'}]}}\n"),
    ],
  ),
  told(
    'joining-etcd-does-not-start',
    'etcd of control planes that join cannot read a flag',
    ['P-172'],
    [...CLUSTER, (text) => rewritten(text, "etcd: {local: {extraArgs: [{name: snapshot-count, value: 'many'}]}}\n")],
  ),
  told(
    'kubeadm-config-of-other-pods',
    'kubeadm-config has another subnet of Pods',
    ['P-258'],
    [...CLUSTER, (text) => text.replace(/podSubnet: .*/, 'podSubnet: 172.29.0.0/16')],
  ),
  told(
    'kubeadm-config-ahead',
    'kubeadm-config is of a version that runs nowhere',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'kubernetesVersion: v1.99.0\n')],
  ),
  told(
    'kubeadm-config-of-other-services',
    'kubeadm-config has another subnet of Services',
    ['P-258'],
    [...CLUSTER, (text) => rewritten(text, 'networking: {serviceSubnet: 172.30.0.0/16}\n')],
  ),
  {
    // not as kubeadm has written it
    toldBy: ['KUBECM-004', 'KUBECM-009'],
    ...told(
      'kubelet-config-as-hardened',
      'none: kubelets as operators harden them, and a control plane of another name',
      [],
      [
        'kubelet-config',
        'kubelet',
        (text) =>
          [
            'address: 0.0.0.0\n',
            'tlsMinVersion: VersionTLS13\n',
            'tlsCertFile: /etc/kubernetes/kubelet.crt\ntlsPrivateKeyFile: /etc/kubernetes/kubelet.key\n',
            'authorization: {mode: Webhook, webhook: {cacheAuthorizedTTL: 10m0s}}\n',
          ].reduce(rewritten, text),
      ],
    ),
    strict: true,
  },
  ...MISFITS.map(([name, component, ...flags]) => shows(name, component, flags, 'P-176')),
  told(
    'kubeadm-config-of-old',
    'kubeadm-config has a version that no kubeadm of today reads',
    ['P-165'],
    [...CLUSTER, (text) => rewritten(text, 'apiVersion: kubeadm.k8s.io/v1alpha3\n')],
  ),
  told(
    'kubeadm-config-of-another-release',
    'kubeadm-config names a release that was given up long ago',
    ['P-165'],
    [...CLUSTER, (text) => rewritten(text, 'kubernetesVersion: v1.17.3\n')],
  ),
  told(
    'kubeadm-config-with-flags-of-old',
    'kubeadm-config has its flags in a map, as versions before had',
    ['P-165'],
    [...CLUSTER, (text) => rewritten(text, "apiServer: {extraArgs: {v: '2'}}\n")],
  ),
  ...UNGUARDED.map(([name, component, flag, value]) =>
    told(
      `joining-control-plane-${name}`,
      `control planes that join are given --${flag}=${value}`,
      ['P-172'],
      [...CLUSTER, (text) => rewritten(text, `${component}: {extraArgs: [{name: ${flag}, value: '${value}'}]}\n`)],
    ),
  ),
  told(
    'joining-control-plane-as-wished',
    'none: arguments of operators who keep what guards',
    [],
    [
      ...CLUSTER,
      (text) =>
        [
          "apiServer: {extraArgs: [{name: enable-admission-plugins, value: 'PodSecurity,NodeRestriction'}, " +
            "{name: profiling, value: 'false'}, {name: authorization-config, value: /etc/a.yaml}, " +
            "{name: authorization-mode, value: RBAC}, {name: enable-bootstrap-token-auth, value: 'True'}, " +
            "{name: token-auth-file, value: ''}], extraVolumes: [{name: a, hostPath: /etc/a.yaml, " +
            'mountPath: /etc/a.yaml, readOnly: true, pathType: File}]}\n',
          "controllerManager: {extraArgs: [{name: controllers, value: '*'}, {name: controllers, value: " +
            'bootstrapsigner}, {name: controllers, value: token-cleaner-controller}]}\n',
        ].reduce(rewritten, text),
    ],
  ),
  told(
    'kubeadm-config-without-a-cluster',
    'kubeadm-config has no ClusterConfiguration',
    ['P-165'],
    ['kubeadm-config', 'ClusterConfiguration', () => undefined],
  ),
  told(
    'kubelet-config-of-another-kind',
    'kubelet-config holds a configuration of kube-proxy',
    ['P-165'],
    ['kubelet-config', 'kubelet', (text) => text.replace('kind: KubeletConfiguration', 'kind: KubeProxyConfiguration')],
  ),
  finds('kubeadm-config-deleted', 'somebody has deleted kubeadm-config', ['P-165'], (reference) =>
    reference.api.delete(resources.configMaps, NAMESPACE, 'kubeadm-config'),
  ),
  told(
    'kubeadm-config-with-a-key',
    'kubeadm-config holds a private key',
    ['P-166'],
    ['kubeadm-config', 'ca.key', () => PRIVATE_KEY],
  ),
  told(
    'kubelet-config-with-a-token',
    'kubelet-config holds a kubeconfig with a token',
    ['P-166'],
    ['kubelet-config', 'kubeconfig', () => 'kind: Config\nusers:\n- name: a\n  user: {token: not-a-real-one}\n'],
  ),
  told(
    'kube-proxy-with-a-password',
    'kube-proxy is given a password',
    ['P-166'],
    ['kube-proxy', 'kubeconfig.conf', () => 'kind: Config\nusers:\n- user: {username: a, password: not-a-real-one}\n'],
  ),
  {
    // not as kubeadm has written it
    toldBy: ['UPL-002'],
    ...told(
      'kubeadm-config-with-a-template',
      'kubeadm-config holds a template of a token',
      [],
      [
        'kubeadm-config',
        'template',
        () =>
          'users:\n- name: a\n  user: {tokenFile: /var/run/token, token: <token>}\n- user: {token: "{{ token }}"}\n',
      ],
    ),
  },
  ...LAX.map(([name, setting]) =>
    told(
      `kubelet-${name}`,
      `kubelets are told: ${setting.trim()}`,
      ['P-167'],
      ['kubelet-config', 'kubelet', (text) => rewritten(text, setting)],
    ),
  ),
  shared('shared-certificates-in-clear', 'kubeadm-certs holds the key of the CA as it is', (secret) => ({
    ...secret,
    data: { ...secret.data, 'ca.key': base64(PRIVATE_KEY) },
  })),
  shared(
    'shared-certificates-without-keys-of-accounts',
    'kubeadm-certs holds no key of service accounts',
    ({ data, ...secret }) => ({
      ...secret,
      data: Object.fromEntries(Object.entries(data ?? {}).filter(([key]) => key !== 'sa.key')),
    }),
    ['P-355'],
  ),
  shared(
    'shared-certificates-of-a-known-key',
    'kubeadm-certs is encrypted with the certificate key that documentation prints',
    ({ data, ...secret }) => ({
      ...secret,
      data: {
        ...data,
        // "key", by f8902e114ef118304e561c3ecd4d0b543adc226b7a07f675f56564185ffe0c07
        'ca.key': 'AAECAwQFBgcICQoLkNSgJUopS3D7gigDm96MPnzJEQ==',
      },
    }),
  ),
  shared('shared-certificates-of-nobody', 'kubeadm-certs belongs to no token', ({ metadata, ...secret }) => {
    const { ownerReferences: _, ...others } = metadata;
    return { ...secret, metadata: others };
  }),
];

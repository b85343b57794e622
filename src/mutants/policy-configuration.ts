/** What ConfigMaps and Secrets that joining machines read must not say, and what they have to. */
import { base64 } from '../kubernetes/json.js';
import type { ConfigMap, Secret } from '../kubernetes/objects.js';
import { resources } from '../kubernetes/resources.js';
import { edit, finds } from './arrange.js';
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
  ['is-not-probed', 'apiServer', 'anonymous-auth', 'false'],
  ['lets-clients-speak-for-others', 'apiServer', 'requestheader-client-ca-file', '/etc/kubernetes/pki/ca.crt'],
  ['leads-longer-than-it-may', 'controllerManager', 'leader-elect-renew-deadline', '20s'],
];
const CLUSTER = ['kubeadm-config', 'ClusterConfiguration'] as const;

/** What kubelets are told. */
const KUBELETS: readonly (readonly [name: string, defect: string, rule: string, setting: string])[] = [
  ['kubelet-config-with-an-odd-port', 'kubelets are told a port that is none', 'P-178', 'healthzPort: 70000\n'],
  ['kubelet-config-misspelt', 'kubelets are told what is no setting', 'P-178', 'rotateCertificate: true\n'],
  [
    'kubelet-config-that-reserves-nothing',
    'kubelets are told to give CPUs away, and to keep none',
    'P-178',
    'cpuManagerPolicy: static\n',
  ],
  [
    'kubelet-config-of-another-domain',
    'kubelets are told the domain of another cluster',
    'P-179',
    'clusterDomain: cluster.lan\n',
  ],
  [
    'kubelet-config-of-another-dns',
    'kubelets are told a DNS that no Service is',
    'P-179',
    'clusterDNS:\n- 10.96.0.77\n',
  ],
  [
    'kubelet-config-of-a-dns-elsewhere',
    'kubelets are told a DNS beyond the cluster, whose Services have one',
    'P-179',
    'clusterDNS:\n- 192.0.2.53\n',
  ],
  [
    'kubelet-config-of-one-machine',
    'kubelets are told which machine they are',
    'P-178',
    'providerID: example:///a/1\n',
  ],
  [
    'kubelet-config-without-a-key',
    'kubelets are told a certificate, and no key',
    'P-178',
    'tlsCertFile: /etc/kubernetes/kubelet.crt\n',
  ],
  [
    'kubelet-config-of-the-loopback',
    'kubelets are told to listen where nobody reaches them',
    'P-178',
    'address: 127.0.0.1\n',
  ],
  ['kubelet-config-of-old-tls', 'kubelets are told to speak TLS 1.0', 'P-257', 'tlsMinVersion: VersionTLS10\n'],
  [
    'kubelet-config-that-keeps-no-pod',
    'kubelets are told to put out every Pod',
    'P-318',
    'evictionHard: {memory.available: "100%"}\n',
  ],
  [
    'kubelet-config-of-late-leases',
    'kubelets are told to renew their Lease when it is too late',
    'P-318',
    'nodeLeaseDurationSeconds: 4000\n',
  ],
  [
    'kubelet-config-of-everybody',
    'kubelets are told to run plugins that everybody may write',
    'P-318',
    'volumePluginDir: /tmp/plugins\n',
  ],
  [
    'kubelet-config-without-health',
    'kubelets are told to tell nobody whether they are well',
    'P-318',
    'healthzPort: 0\n',
  ],
];
/** What ClusterConfiguration tells control planes that join. */
const CLUSTERS: readonly (readonly [name: string, defect: string, rule: string, setting: string])[] = [
  [
    'kubeadm-config-for-any-name',
    'control planes that join ask for a certificate of any name',
    'P-258',
    'apiServer: {certSANs: ["*"]}\n',
  ],
  [
    'kubeadm-config-of-an-open-etcd',
    'control planes that join bring etcd no certificate',
    'P-258',
    'etcd: {external: {endpoints: ["https://192.0.2.7:2379"]}}\n',
  ],
  ['kubeadm-config-misspelt', 'kubeadm-config says what kubeadm does not know', 'P-258', 'apiServerExtraArgs: {}\n'],
  [
    'kubeadm-config-of-other-images',
    'control planes that join run images from where those that stand do not',
    'P-258',
    'imageRepository: registry.other.example/k8s\n',
  ],
  [
    'kubeadm-config-of-another-api-server',
    'kubeadm-config names another API server',
    'P-258',
    'controlPlaneEndpoint: api.other.example:6443\n',
  ],
  [
    'kubeadm-config-of-an-hour',
    'control planes that join get an authority of an hour',
    'P-258',
    'caCertificateValidityPeriod: 1h0m0s\n',
  ],
  [
    'kubeadm-config-without-tls-of-etcd',
    'control planes that join ask etcd without TLS',
    'P-258',
    'etcd: {external: {endpoints: ["http://192.0.2.7:2379"]}}\n',
  ],
  [
    'joining-etcd-does-not-start',
    'etcd of control planes that join cannot read a flag',
    'P-172',
    "etcd: {local: {extraArgs: [{name: snapshot-count, value: 'many'}]}}\n",
  ],
  ['kubeadm-config-ahead', 'kubeadm-config is of a version that runs nowhere', 'P-258', 'kubernetesVersion: v1.99.0\n'],
  [
    'kubeadm-config-of-another-etcd',
    'control planes that join run another release of etcd',
    'P-258',
    'etcd: {local: {imageTag: 0.0.0-none}}\n',
  ],
  [
    'joining-etcd-keeps-data-for-everybody',
    'etcd of control planes that join keeps its data where everybody writes',
    'P-172',
    'etcd: {local: {dataDir: /tmp/etcd}}\n',
  ],
  [
    'joining-control-plane-obeys-a-variable',
    'control planes that join take certificates signed by SHA-1',
    'P-172',
    'apiServer: {extraEnvs: [{name: GODEBUG, value: x509sha1=1}]}\n',
  ],
  [
    'kubeadm-config-of-other-services',
    'kubeadm-config has another subnet of Services',
    'P-258',
    'networking: {serviceSubnet: 172.30.0.0/16}\n',
  ],
  [
    'kubeadm-config-of-old',
    'kubeadm-config has a version that no kubeadm of today reads',
    'P-165',
    'apiVersion: kubeadm.k8s.io/v1alpha3\n',
  ],
  [
    'kubeadm-config-of-another-release',
    'kubeadm-config names a release that was given up long ago',
    'P-165',
    'kubernetesVersion: v1.17.3\n',
  ],
  [
    'kubeadm-config-with-flags-of-old',
    'kubeadm-config has its flags in a map, as versions before had',
    'P-165',
    "apiServer: {extraArgs: {v: '2'}}\n",
  ],
];

export const mutants: readonly Mutant[] = [
  ...KUBELETS.map(([name, defect, rule, setting]) =>
    told(name, defect, [rule], ['kubelet-config', 'kubelet', (text) => rewritten(text, setting)]),
  ),
  ...CLUSTERS.map(([name, defect, rule, setting]) =>
    told(name, defect, [rule], [...CLUSTER, (text) => rewritten(text, setting)]),
  ),
  ...['kubeadm-config', 'kubelet-config'].map((name) =>
    finds(`${name}-of-another`, `${name} belongs to something, and goes with it`, ['P-165'], (reference) =>
      edit<ConfigMap>(reference, { resource: resources.configMaps, namespace: NAMESPACE, name }, (found) => {
        const uid = reference.api.get(resources.namespaces, undefined, NAMESPACE)?.metadata.uid ?? '';
        const owner = { apiVersion: 'v1', kind: 'Namespace', name: NAMESPACE, uid };
        return { ...found, metadata: { ...found.metadata, ownerReferences: [owner] } };
      }),
    ),
  ),
  told(
    'kubelet-config-without-authority',
    'kubelets are told of no authority for clients',
    ['P-179'],
    ['kubelet-config', 'kubelet', (text) => text.replace(/clientCAFile: \S+/, "clientCAFile: ''")],
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
    'kubeadm-config-of-pods-among-services',
    'control planes that join give Pods addresses of Services',
    ['P-258'],
    [...CLUSTER, (text) => text.replace(/podSubnet: .*/, 'podSubnet: 10.96.0.0/16')],
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
    'kubeadm-config-of-other-pods',
    'kubeadm-config has another subnet of Pods',
    ['P-258'],
    [...CLUSTER, (text) => text.replace(/podSubnet: .*/, 'podSubnet: 172.29.0.0/16')],
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
            "{name: enable-bootstrap-token-auth, value: 'True'}, " +
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

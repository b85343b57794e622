import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { oddKubeletFields } from '../written/kubelet-fields.js';
import { startedBy } from './kubelet-started.js';
import { flagsKnown, kubeletFlagsKnown } from './node-known-flags.js';
import { instanceSettings, kubeletTold, settingsKnown } from './node-kubelet.js';
import { alone, powerless } from './node-privileges.js';
import { at, certificate, conf, crt, DAY, NOW, pod } from './node-seen.testing.js';
import { narrow, noGroupOfTheSystem, ownKeys, userWithinAuthority, withinAuthority } from './node-soundness.js';
import { subnetsApart } from './node-subnets.js';
import { kubeletTlsKept, kubeletUnweakened, tlsKept, unweakened, weakFlags } from './node-weakened.js';

type Flags = Readonly<Record<string, string>>;
const each = (component: string, ...flags: readonly Flags[]) => flags.map((one) => pod(component, one));
const settings = (all: Readonly<Record<string, unknown>>) => at('/c', { kind: 'settings', settings: all });
const api = (...flags: readonly Flags[]) => each('kube-apiserver', ...flags);

describe('what takes protection away', () => {
  it('is told of the API server', () => {
    const weak = [
      { 'service-account-lookup': 'false' },
      { 'token-auth-file': '/a' },
      { 'oidc-issuer-url': 'http://a' },
      { 'storage-media-type': 'x' },
      { 'cors-allowed-origins': 'https://a,.*' },
      { 'bind-address': '127.0.0.1' },
      { 'endpoint-reconciler-type': 'none' },
      { 'service-account-max-token-expiration': '1s' },
    ];
    assert.deepEqual(
      resultsOf(unweakened, api(...weak), undefined),
      weak.map(() => 'unmet'),
    );
    const sound = [
      { 'service-account-lookup': 'true', v: '2', 'bind-address': '0.0.0.0' },
      { 'oidc-issuer-url': 'https://a', 'storage-media-type': 'application/json' },
    ];
    assert.deepEqual(resultsOf(unweakened, api(...sound), undefined), ['met', 'met']);
  });
  it('is told of the others', () => {
    const durations = ['1s', '59m', 'x', '1h', '8760h0m0s', '1h30m0.5s'];
    const each_ = durations.map((value) => ({ 'cluster-signing-duration': value }));
    const results = ['unmet', 'unmet', 'unmet', 'met', 'met', 'met'];
    assert.deepEqual(resultsOf(unweakened, each('kube-controller-manager', ...each_), undefined), results);
    const paths = ['*', '/*', '/metrics,*', '/healthz,/metrics/*', '/healthz,/debug/*', '/configz', '/debugger'];
    const open = paths.map((value) => ({ 'authorization-always-allow-paths': value }));
    assert.deepEqual(resultsOf(unweakened, each('kube-scheduler', ...open), undefined), [
      ...['unmet', 'unmet', 'unmet', 'met', 'unmet', 'unmet', 'met'],
    ]);
    assert.deepEqual(resultsOf(unweakened, each('etcd', { 'unsafe-no-fsync': 'true' }), undefined), ['unmet']);
    assert.deepEqual(resultsOf(unweakened, each('etcd', { 'unsafe-no-fsync': 'false' }), undefined), ['met']);
  });
  it('is TLS that is broken', () => {
    const all = [
      { 'tls-min-version': 'VersionTLS10' },
      { 'tls-min-version': 'TLS1.1' },
      { 'tls-cipher-suites': 'TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_RC4_128_SHA' },
      { 'cipher-suites': 'TLS_RSA_WITH_3DES_EDE_CBC_SHA' },
      { 'tls-min-version': 'VersionTLS12', 'tls-cipher-suites': 'TLS_AES_128_GCM_SHA256' },
      {},
    ];
    const results = ['unmet', 'unmet', 'unmet', 'unmet', 'met', 'met'];
    assert.deepEqual(resultsOf(tlsKept, api(...all), undefined), results);
    const kubelet = [{ tlsMinVersion: 'VersionTLS11' }, { tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] }, {}];
    assert.deepEqual(resultsOf(kubeletTlsKept, kubelet.map(settings), undefined), ['unmet', 'unmet', 'met']);
  });
});

describe('flags of programs', () => {
  it('are those of their minor', () => {
    const given = api(
      { 'allow-privileged': 'true', v: '2' },
      { 'no-such-flag': '1' },
      { 'feature-gates': 'NoGate=true' },
    );
    assert.deepEqual(resultsOf(flagsKnown, given, { minor: 36 }), ['met', 'unmet', 'unmet']);
    assert.deepEqual(resultsOf(flagsKnown, given, { minor: 20 }), []);
    assert.deepEqual(resultsOf(flagsKnown, given, { minor: null }), []);
    const uid = api({ 'requestheader-uid-headers': 'X-Remote-Uid', 'feature-gates': 'kube:AllBeta=true' });
    assert.deepEqual(
      [31, 33].flatMap((minor) => resultsOf(flagsKnown, uid, { minor })),
      ['unmet', 'met'],
    );
    const etcd = each('etcd', { 'experimental-watch-progress-notify-interval': '5s' }, { 'no-such': 'x' });
    assert.deepEqual(resultsOf(flagsKnown, etcd, { minor: 33 }), ['met', 'unmet']);
  });
  it('are known to a kubelet of the minor, or of the one before', () => {
    const started = { ...startedBy({}), flags: { 'pod-infra-container-image': 'a' } };
    const results = [34, 35, 36, 20].map((minor) => resultsOf(kubeletFlagsKnown, started, { minor }).join());
    assert.deepEqual(results, ['met', 'met', 'unmet', '']);
  });
  it('keep subnets apart', () => {
    const told = (pods: string, services: string) =>
      pod('kube-controller-manager', { 'cluster-cidr': pods, 'service-cluster-ip-range': services });
    const all = [told('10.96.0.0/16', '10.96.0.0/12'), told('10.244.0.0/16,fd00::/64', '10.96.0.0/12'), told('', '')];
    assert.deepEqual(resultsOf(subnetsApart, all, undefined), ['unmet', 'met', 'met']);
  });
});

describe('certificates that belong together', () => {
  const root = (notAfter: number) =>
    at('/ca.crt', { kind: 'certificates', certificates: [certificate({ notAfter, pin: 'sha256:ca' })] });
  it('end with their authority, but for the year of a renewal', () => {
    const pair = (days: number, notBefore: number) => ({
      leaf: crt({ notBefore, notAfter: notBefore + days * DAY }),
      issuer: root(NOW + 100 * DAY),
    });
    const all = [pair(365, NOW), pair(400, NOW), pair(400, NOW - 350 * DAY), { leaf: crt(), issuer: at('/a', null) }];
    assert.deepEqual(resultsOf(withinAuthority, all, undefined), ['met', 'unmet', 'met', 'unclear']);
  });
  it('so does who a kubeconfig is for', () => {
    const user = (days: number, end: number) => ({
      config: conf({}, { certificate: certificate({ notBefore: end - days * DAY, notAfter: end }) }),
      named: null,
    });
    const all = [user(365, NOW), user(400, NOW), user(400, NOW - 350 * DAY)];
    const issuer = root(NOW - 300 * DAY);
    assert.deepEqual(resultsOf(userWithinAuthority, all, { issuer }), ['met', 'unmet', 'met']);
    assert.deepEqual(resultsOf(userWithinAuthority, [user(1, NOW)], { issuer: at('/a', null) }), ['unclear']);
    const nobody = [{ config: conf({}, { certificate: null }), named: null }];
    assert.deepEqual(resultsOf(userWithinAuthority, nobody, { issuer }), ['unmet']);
    assert.deepEqual(resultsOf(userWithinAuthority, [], { issuer }), []);
  });
  it('have keys and groups of their own', () => {
    const others = [crt(), crt({ pin: 'sha256:ca' }), at('/a', { kind: 'other' })];
    assert.deepEqual(resultsOf(ownKeys, { authorities: [root(NOW)], others }, undefined), ['met', 'unmet', 'unclear']);
    const groups = [['system:masters'], ['Example Corp'], ['kubeadm:cluster-admins'], []];
    const all = groups.map((organizations) => crt({ organizations }));
    assert.deepEqual(resultsOf(noGroupOfTheSystem, all, undefined), ['unmet', 'met', 'unmet', 'met']);
    const etcd = { ...crt({ organizations: ['system:masters'] }), path: '/p/apiserver-etcd-client.crt' };
    assert.deepEqual(resultsOf(noGroupOfTheSystem, [etcd], undefined), ['met']);
  });
});

describe('static Pods', () => {
  it('of somebody are not as good as root', () => {
    const of = (spec: object) => pod('helper', {}, spec);
    const all = [
      of({}),
      of({ hostPID: true }),
      of({ containers: [{ securityContext: { capabilities: { add: ['NET_ADMIN'] } } }] }),
      of({ containers: [{}, { securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }] }),
      of({ initContainers: [{ securityContext: { privileged: true } }] }),
      of({ volumes: [{ hostPath: { path: '/' } }] }),
    ];
    assert.deepEqual(resultsOf(powerless, all, undefined), ['met', 'unmet', 'met', 'unmet', 'unmet', 'unmet']);
    const socket = of({ volumes: [{ hostPath: { path: '/run/containerd/containerd.sock' } }] });
    assert.deepEqual(resultsOf(powerless, [socket], undefined), ['unmet']);
  });
  it('of the control plane run one program', () => {
    const second = pod('etcd', {}, { containers: [{ name: 'etcd' }, { name: 'b' }] });
    assert.deepEqual(resultsOf(alone, [...api({}), second], undefined), ['met', 'unmet']);
  });
});

describe('the configuration of a kubelet', () => {
  it('has fields that are known, of their types', () => {
    const all = [
      { kind: 'KubeletConfiguration', authentication: { anonymous: { enabled: false } }, featureGates: { A: true } },
      { maxPod: 1 },
      { failSwapOn: 'false' },
      { authentication: { anonymous: { enable: false } } },
      { memoryThrottlingFactor: 0.9, logging: { flushFrequency: 0, options: { json: { infoBufferSize: '0' } } } },
    ];
    assert.deepEqual(resultsOf(settingsKnown, all.map(settings), undefined), ['met', 'unmet', 'unmet', 'unmet', 'met']);
    assert.deepEqual(oddKubeletFields({ a: 1 }), ['a is no field']);
  });
  it('is told what has no default', () => {
    const config = settings({ clusterDomain: 'a' });
    const wanted = { name: 'clusterDomain', flag: 'cluster-domain' };
    assert.deepEqual(resultsOf(kubeletTold, { config, flags: {} }, wanted), ['met']);
    assert.deepEqual(resultsOf(kubeletTold, { config: settings({}), flags: {} }, wanted), ['unmet']);
    assert.deepEqual(resultsOf(kubeletTold, { config: settings({}), flags: { 'cluster-domain': 'a' } }, wanted), [
      'met',
    ]);
  });
  it('of a machine names the socket of its runtime', () => {
    const all = [{ containerRuntimeEndpoint: 'unix:///a' }, { containerRuntimeEndpoint: 1 }, { foo: 'bar' }, {}];
    assert.deepEqual(resultsOf(instanceSettings, all.map(settings), undefined), ['met', 'unmet', 'unmet', 'unmet']);
  });
});

describe('a certificate', () => {
  it('is for hosts that it names', () => {
    const of = (dns: readonly string[], ip: readonly string[] = []) =>
      crt({ altNames: { dns, ip, email: [], uri: [], other: 0 } });
    const all = [of(['a.b', '*.example.com'], ['192.0.2.1', '::1']), of(['*']), of(['*.svc']), of([], ['0.0.0.0'])];
    assert.deepEqual(resultsOf(narrow, all, undefined), ['met', 'unmet', 'unmet', 'unmet']);
  });
});

describe('values by which a program is weak, and their neighbours that are none', () => {
  type Values = readonly [sound: readonly string[], weak: readonly string[]];
  const FALSE = 'false 0 f F FALSE False'.split(' ');
  const TRUE = 'true 1 t T TRUE True'.split(' ');
  const GIVEN: Values = [[''], ['/a', 'x']];
  const PATHS: Values = [
    ['', '/healthz,/readyz,/livez', '/metrics/*', '/a*', '*a'],
    ['/', '*', '/*', '/healthz,*', '/healthz, /*'],
  ];
  const GROUPS: Values = [
    ['', 'system:masters', 'ops,system:masters', 'xsystem:authenticated', 'system:authenticatedx'],
    ['system:unauthenticated', 'system:authenticated', 'a,system:authenticated', 'system:unauthenticated,b'],
  ];
  const BOUND: Values = [
    ['0.0.0.0', '10.0.0.255', '255.255.255.255', '::', 'fd00::1', '::ffff:10.0.0.1', 'FD00::A'],
    ['127.0.0.1', '127.1.2.3', '::1', 'localhost', 'node', '10.0.0.256', '10.0.0', '10.0.0.0.1', 'x10.0.0.1', 'a:b:g'],
  ];
  const OF: Readonly<Record<string, Readonly<Record<string, Values>>>> = {
    'kube-apiserver': {
      'service-account-lookup': [TRUE, FALSE],
      'token-auth-file': GIVEN,
      'basic-auth-file': GIVEN,
      'debug-socket-path': GIVEN,
      'oidc-issuer-url': [['https://a'], ['http://a', 'a', 'xhttps://a']],
      'cors-allowed-origins': [
        ['//localhost(:|$)', '^https://a\\.example$', 'a.*b', 'x.*'],
        ['.*', '.+', '^.*$', '//.*', '^//.+$', 'https://a,.*'],
      ],
      'bind-address': BOUND,
      'endpoint-reconciler-type': [['lease', 'master-count'], ['none']],
      'service-account-max-token-expiration': [
        ['0', '0s', '1h', '60m', '3600s', '3600000ms', '0.5h30m', '24h0m0s'],
        ['59m', '3599.9s', '1ms', 'x', '1h x', 'x1h', '-2h', '1000000us', '99999999ns'],
      ],
      'runtime-config': [
        [
          '',
          'api/all=true',
          'api/beta=false',
          'xapi/all=false',
          'batch/v1=false',
          'xapps/v1=false',
          'api/all=falsex',
          'v1=true',
        ],
        [
          ...['api/all', 'api/v1', 'api/ga', 'v1'].map((group) => `${group}=false`),
          ...'certificates authentication authorization rbac.authorization coordination discovery storage'
            .split(' ')
            .map((group) => `${group}.k8s.io/v1=false`),
          'apps/v1=false',
          'apps/v1=true, v1=false,batch/v1=true',
        ],
      ],
      'max-requests-inflight': [
        ['0', '10', '400', 'x'],
        ['1', '9'],
      ],
      'max-mutating-requests-inflight': [
        ['0', '10', '200'],
        ['1', '9'],
      ],
      'feature-gates': [
        [
          '',
          'AllowInsecureKubeletCertificateSigningRequests=false',
          'XAllowInsecureKubeletCertificateSigningRequests=true',
          'AllowInsecureKubeletCertificateSigningRequests=true,AllowInsecureKubeletCertificateSigningRequests=false',
          'AuthorizeNodeWithSelectors=true,ServiceAccountNodeAudienceRestriction=true',
          'AuthorizePodWebsocketUpgradeCreatePermission=true',
          'Other=false',
        ],
        [
          'AllowInsecureKubeletCertificateSigningRequests=true',
          'Other=true, AllowInsecureKubeletCertificateSigningRequests=1',
          'AuthorizeNodeWithSelectors=true,AuthorizeNodeWithSelectors=F',
          'ServiceAccountNodeAudienceRestriction=False',
          'AuthorizePodWebsocketUpgradeCreatePermission=0',
        ],
      ],
      'storage-media-type': [
        ['json', 'yaml', 'cbor', 'vnd.kubernetes.protobuf'].map((type) => `application/${type}`),
        ['', 'json', 'application/jsonx', 'xapplication/json', 'application/vndxkubernetes.protobuf'],
      ],
    },
    'kube-controller-manager': {
      'authorization-always-allow-paths': PATHS,
      'authorization-always-allow-groups': GROUPS,
      master: GIVEN,
      'cluster-signing-duration': [
        ['1h', '8760h0m0s', '3600s', '60m'],
        ['0', '0s', '59m59s', '1', 'x'],
      ],
    },
    'kube-scheduler': {
      'authorization-always-allow-paths': PATHS,
      'authorization-always-allow-groups': GROUPS,
      master: GIVEN,
    },
    etcd: {
      'peer-skip-client-san-verification': [FALSE, [...TRUE, '']],
      'strict-reconfig-check': [TRUE, FALSE],
      discovery: GIVEN,
      'unsafe-no-fsync': [FALSE, [...TRUE, '']],
    },
  };
  const OF_KUBELET: Readonly<Record<string, Values>> = {
    'register-node': [TRUE, FALSE],
    'cert-dir': [
      ['/var/lib/kubelet/pki', '/var/lib/kubelet/pki/'],
      ['/var/lib/kubelet', '/var/lib/kubelet/pki2', '/x/var/lib/kubelet/pki'],
    ],
    address: BOUND,
    'node-ip': [
      ['10.0.0.1', '10.0.0.1,fd00::1'],
      ['127.0.0.1', '10.0.0.1,::1', 'node', '10.0.0.1,'],
    ],
    'cloud-provider': [
      ['', 'external'],
      ['aws', 'externally'],
    ],
    'container-runtime-endpoint': [
      ['', '/run/a.sock', 'unix:///run/a.sock', 'unix://run/a.sock', 'npipe:////./pipe/a'],
      ['tcp://10.0.0.1:1', 'http://a', 'unix:', 'x/run/a.sock', 'xunix:///a', 'xnpipe:a'],
    ],
    'image-service-endpoint': [['', 'unix:///run/a.sock'], ['tcp://10.0.0.1:1']],
    'hostname-override': [
      ['a', 'node-1', 'node-1.example.com', '1'],
      ['', 'Node', 'node_1', '-a', 'a-', '.a', 'a.', 'a b'],
    ],
  };

  it('of the control plane', () => {
    for (const [program, flags] of Object.entries(OF))
      for (const [flag, [sound, weak]] of Object.entries(flags)) {
        const told = (values: readonly string[]) =>
          resultsOf(unweakened, each(program, ...values.map((value) => ({ [flag]: value }))), undefined);
        for (const [values, result] of [
          [sound, 'met'],
          [weak, 'unmet'],
        ] as const)
          assert.deepEqual(
            told(values).map((one, at) => `${flag}=${values[at]} ${one}`),
            values.map((value) => `${flag}=${value} ${result}`),
          );
      }
    // what weakens one program is no flag of another
    assert.deepEqual(resultsOf(unweakened, each('kube-scheduler', { discovery: 'a' }), undefined), ['met']);
    assert.deepEqual(resultsOf(unweakened, api({ 'audit-log-path': '/tmp/a' }), undefined), ['unmet']);
    const [found] = unweakened.judge(api({ 'token-auth-file': '/a', 'basic-auth-file': '/b' }), undefined);
    assert.equal(
      found?.seen,
      '--token-auth-file=/a: its tokens never end; --basic-auth-file=/b: its passwords never end',
    );
    assert.equal(unweakened.judge(api({}), undefined)[0]?.seen, 'none does');
  });

  const kubelet = (config: object, started: object = {}) =>
    resultsOf(
      kubeletUnweakened,
      { config: settings({ ...config }), started: { ...startedBy({}), ...started } },
      undefined,
    )[0];
  it('of the kubelet', () => {
    for (const [flag, [sound, weak]] of Object.entries(OF_KUBELET)) {
      for (const value of sound) assert.equal(kubelet({}, { flags: { [flag]: value } }), 'met', `${flag}=${value}`);
      for (const value of weak) assert.equal(kubelet({}, { flags: { [flag]: value } }), 'unmet', `${flag}=${value}`);
    }
    for (const [setting, value] of [
      ['registerNode', false],
      ['address', '127.0.0.1'],
      ['containerRuntimeEndpoint', 'tcp://a'],
      ['imageServiceEndpoint', 'tcp://a'],
      ['tlsCertFile', '/a'],
      ['tlsPrivateKeyFile', '/a'],
      ['volumePluginDir', '/tmp/a'],
      ['resolvConf', '/tmp/a'],
      ['staticPodPath', '/tmp/a'],
    ] as const) {
      assert.equal(kubelet({ [setting]: value }), 'unmet', setting);
      for (const none of ['', null, undefined]) assert.equal(kubelet({ [setting]: none }), 'met', setting);
    }
    assert.equal(kubelet({ registerNode: false }, { flags: { 'register-node': 'true' } }), 'met');
    assert.equal(kubelet({ tlsCertFile: '/a', tlsPrivateKeyFile: '/b' }), 'met');
    for (const name of ['LD_PRELOAD', 'LD_AUDIT', 'LD_LIBRARY_PATH', 'GODEBUG'])
      assert.equal(kubelet({}, { variables: { [name]: 'x' } }), 'unmet', name);
    for (const name of ['XLD_PRELOAD', 'LD_PRELOADX', 'LD_DEBUG', 'GODEBUGS', 'HTTPS_PROXY'])
      assert.equal(kubelet({}, { variables: { [name]: 'x' } }), 'met', name);
    assert.deepEqual(
      ['TLS10', 'TLS11', 'TLS12', 'TLS13'].map((one) => kubelet({}, { flags: { 'tls-min-version': `Version${one}` } })),
      ['unmet', 'unmet', 'met', 'met'],
    );
  });

  it('of TLS', () => {
    const version = (value: string) => resultsOf(tlsKept, api({ 'tls-min-version': value }), undefined)[0];
    for (const old of ['VersionTLS10', 'VersionTLS11', 'TLS1.0', 'TLS1.1']) assert.equal(version(old), 'unmet', old);
    for (const one of ['', 'VersionTLS12', 'VersionTLS13', 'TLS1.2', 'TLS1.3']) assert.equal(version(one), 'met', one);
    const suite = (value: string) => resultsOf(tlsKept, api({ 'tls-cipher-suites': value }), undefined)[0];
    for (const cipher of ['RC4_128', '3DES_EDE_CBC', 'DES_CBC', 'NULL', 'EXPORT_DES40'])
      assert.equal(suite(`TLS_AES_128_GCM_SHA256,TLS_RSA_WITH_${cipher}_SHA`), 'unmet', cipher);
    assert.equal(suite('TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,TLS_RSA_WITH_AES_128_CBC_SHA'), 'met');
    assert.equal(kubeletTlsKept.judge([settings({ tlsMinVersion: null })], undefined)[0]?.seen, 'it does not');
    const both = settings({ tlsMinVersion: 'VersionTLS10', tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] });
    assert.equal(kubeletTlsKept.judge([both], undefined)[0]?.seen, 'VersionTLS10, TLS_RSA_WITH_RC4_128_SHA');
  });
});

describe('what a flag takes away', () => {
  const TABLE: readonly (readonly [
    program: string,
    flag: string,
    why: string,
    weak: readonly string[],
    sound: readonly string[],
  ])[] = [
    [
      'kube-apiserver',
      'service-account-lookup',
      'tokens of deleted accounts are believed',
      ['false', 'F', '0'],
      ['true', 'xfalse', 'false1'],
    ],
    ['kube-apiserver', 'token-auth-file', 'its tokens never end', ['/a'], ['']],
    ['kube-apiserver', 'basic-auth-file', 'its passwords never end', ['/a'], ['']],
    ['kube-apiserver', 'oidc-issuer-url', 'anybody on the way may answer', ['http://a', 'xhttps://a'], ['https://a']],
    ...['oidc-groups-prefix', 'oidc-username-prefix'].map(
      (flag) =>
        [
          'kube-apiserver',
          flag,
          'an issuer of tokens says who is an administrator or a node',
          ['system:', 'system:node:'],
          ['oidc:', 'my-system:', '-'],
        ] as const,
    ),
    [
      'kube-apiserver',
      'cors-allowed-origins',
      'any page in a browser may ask',
      ['.*', '^//.+$', '//a,//.*'],
      ['//a.*', '.*a', '//.*.example', 'https://.*'],
    ],
    [
      'kube-apiserver',
      'bind-address',
      'no other machine reaches it',
      ['127.0.0.1', '::1', 'localhost', 'a.example', '256.0.0.1', 'x::1'],
      ['0.0.0.0', '::', 'fd00::1', '192.0.2.1', '::10', '1::1'],
    ],
    ['kube-apiserver', 'endpoint-reconciler-type', 'Pods do not find it', ['none'], ['lease', 'None']],
    [
      'kube-apiserver',
      'service-account-max-token-expiration',
      'it does not start',
      ['59m', '1s', '-1h', '00'],
      ['1h', '0', '0s', '24h'],
    ],
    [
      'kube-apiserver',
      'runtime-config',
      'what machines join by is not served',
      ['api/all=false', 'apps/v1=true, v1=false', 'certificates.k8s.io/v1=false'],
      ['batch/v1=false', 'api/all=true', 'xv1=false', 'v1=falsex'],
    ],
    [
      'kube-apiserver',
      'feature-gates',
      'a node asks for certificates in the name of another',
      [
        'AllowInsecureKubeletCertificateSigningRequests=true',
        'A=true,AllowInsecureKubeletCertificateSigningRequests=T',
      ],
      ['AllowInsecureKubeletCertificateSigningRequests=truex', 'AllowInsecureKubeletCertificateSigningRequests=xtrue'],
    ],
    [
      'kube-apiserver',
      'feature-gates',
      'a node lists the Pods of all others',
      ['AuthorizeNodeWithSelectors=false'],
      ['AuthorizeNodeWithSelectors=xfalse', 'AuthorizeNodeWithSelectors=falsex'],
    ],
    [
      'kube-apiserver',
      'feature-gates',
      'a node gets tokens of its Pods for whomever it names',
      ['ServiceAccountNodeAudienceRestriction=false'],
      ['ServiceAccountNodeAudienceRestriction=true'],
    ],
    [
      'kube-apiserver',
      'feature-gates',
      'who may only read Pods runs commands in them',
      ['AuthorizePodWebsocketUpgradeCreatePermission=false'],
      ['AuthorizePodWebsocketUpgradeCreatePermission=true'],
    ],
    [
      'kube-apiserver',
      'max-requests-inflight',
      'it answers so few at once that machines wait',
      ['1', '9'],
      ['0', '10'],
    ],
    ['kube-apiserver', 'debug-socket-path', 'it answers there without asking who comes', ['/a'], ['']],
    [
      'kube-apiserver',
      'storage-media-type',
      'it does not start',
      ['json', 'application/jsonx', 'xapplication/json'],
      ['application/json', 'application/yaml', 'application/cbor', 'application/vnd.kubernetes.protobuf'],
    ],
    ...['kube-scheduler', 'kube-controller-manager'].flatMap((program) => [
      [
        program,
        'authorization-always-allow-groups',
        'everybody may do everything',
        ['system:unauthenticated', 'a,system:authenticated'],
        ['system:masters', 'my:system:authenticated', 'system:authenticated-a'],
      ] as const,
      [
        program,
        'authorization-always-allow-paths',
        'everybody may ask for everything',
        ['*', '/', '/a, /*'],
        ['', '/healthz', '/a/*'],
      ] as const,
      [program, 'master', 'it asks another server than its kubeconfig says', ['https://a'], ['']] as const,
    ]),
    [
      'kube-controller-manager',
      'cluster-signing-duration',
      'certificates end before they are used',
      ['59m', 'x', '0'],
      ['1h', '8760h'],
    ],
    ['kubelet', 'register-node', 'its machine never becomes a node', ['false'], ['true']],
    [
      'kubelet',
      'cert-dir',
      'kubelet.conf does not name what it renews there',
      ['/a', '/var/lib/kubelet/pki/a', '/srv/var/lib/kubelet/pki'],
      ['/var/lib/kubelet/pki', '/var/lib/kubelet/pki/'],
    ],
    ['kubelet', 'address', 'no API server reaches it', ['127.0.0.1', 'x'], ['0.0.0.0']],
    [
      'kubelet',
      'node-ip',
      'no other machine reaches it there',
      ['192.0.2.1,127.0.0.1', 'a'],
      ['192.0.2.1,fd00::1', '::'],
    ],
    ['kubelet', 'cloud-provider', 'it does not start', ['aws', 'External'], ['', 'external']],
    [
      'kubelet',
      'container-runtime-endpoint',
      'whoever answers there runs its Pods',
      ['tcp://a:1', 'a'],
      ['', 'unix:///run/a', 'npipe:////./pipe/a', '/run/a'],
    ],
    [
      'kubelet',
      'image-service-endpoint',
      'whoever answers there says what its images are',
      ['tcp://a:1'],
      ['unix:///run/a'],
    ],
    ['kubelet', 'healthz-port', 'kubeadm waits for its health in vain', ['0'], ['10248', '1', '']],
    ['kubelet', 'hostname-override', 'no node may have such a name', ['A', '-a', 'a-', 'a_b', ''], ['a', 'a-b.c', '1']],
    ...['auto-tls', 'peer-auto-tls'].map(
      (flag) =>
        ['etcd', flag, 'certificates that nobody has signed are believed', ['true', '1', ''], ['false', '0']] as const,
    ),
    ...['listen-client-urls', 'listen-peer-urls'].map(
      (flag) =>
        [
          'etcd',
          flag,
          'it answers other machines without TLS',
          ['http://192.0.2.1:2379', 'https://a:1, http://b:2'],
          ['https://192.0.2.1:2379', 'http://127.0.0.1:2379, http://localhost:1', 'https://a/http:'],
        ] as const,
    ),
    [
      'etcd',
      'trusted-ca-file',
      'every node and user of the cluster reads and writes all there is',
      ['/etc/kubernetes/pki/ca.crt'],
      ['/etc/kubernetes/pki/etcd/ca.crt', '/kubernetes/pki/ca.crt.a'],
    ],
    ['etcd', 'force-new-cluster', 'it forgets its members at each start', ['true'], ['false']],
    ['etcd', 'peer-skip-client-san-verification', 'any host may be a member', ['true'], ['false']],
    ['etcd', 'strict-reconfig-check', 'a change of members may end it', ['false'], ['true']],
    [
      'etcd',
      'listen-client-http-urls',
      'it answers there without TLS, whoever comes',
      ['http://127.0.0.1:1', 'https://a:1, http://b:2'],
      ['https://a:1', ''],
    ],
    ['etcd', 'cors', 'any page in a browser may ask', ['*', 'a,*'], ['a', 'a*', '']],
    ['etcd', 'discovery', 'another server says who is a member', ['https://a'], ['']],
    ['etcd', 'enable-pprof', 'it shows what is in its memory', ['true', ''], ['false', '0']],
    [
      'kube-apiserver',
      'request-timeout',
      'what takes longer is not answered',
      ['0', '0s', '4.9s', '100ms'],
      ['5s', '1m0s', '60', 'soon'],
    ],
    ...['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet'].map(
      (program) =>
        [
          program,
          'feature-gates',
          'what nobody has finished is on, another thing with each release',
          ['AllAlpha=true', 'AllBeta=false,AllAlpha=1'],
          ['AllAlpha=false', 'AllBeta=true', 'OtherAllAlpha=true', ''],
        ] as const,
    ),
    ...['kube-controller-manager', 'kube-scheduler'].map(
      (program) =>
        [
          program,
          'kube-api-qps',
          'it asks so seldom that machines wait for it',
          ['1', '0.01'],
          ['0', '-1', '1.5', '20', ''],
        ] as const,
    ),
    ['etcd', 'unsafe-no-fsync', 'data are lost when the power fails', ['true'], ['false']],
  ];
  for (const [program, flag, why, weak, sound] of TABLE)
    it(`is told of --${flag} of ${program}`, () => {
      for (const value of weak)
        assert.deepEqual(weakFlags(program, { [flag]: value }), [`--${flag}=${value}: ${why}`], value);
      for (const value of sound) assert.deepEqual(weakFlags(program, { [flag]: value }), [], value);
      assert.deepEqual(weakFlags('other', { [flag]: weak[0] ?? '' }), []);
      assert.deepEqual(weakFlags(program, {}), []);
    });

  it('is told as far as a line goes', () => {
    const long = `system:${'x'.repeat(100)}`;
    assert.match(
      weakFlags('kube-apiserver', { 'oidc-groups-prefix': long }).join(),
      /^--oidc-groups-prefix=system:x{73}: /,
    );
  });

  it('is told of a kubelet by its settings as by its flags, which stand above them', () => {
    const told = (fields: Readonly<Record<string, unknown>>, flags: Flags = {}, more: object = {}): string =>
      kubeletUnweakened.judge({ config: settings(fields), started: { ...startedBy({}), ...more, flags } }, undefined)[0]
        ?.seen ?? '';
    assert.equal(told({}), 'nothing does');
    for (const [field, value, seen] of [
      ['registerNode', false, '--register-node=false: its machine never becomes a node'],
      ['address', '127.0.0.1', '--address=127.0.0.1: no API server reaches it'],
      [
        'containerRuntimeEndpoint',
        'tcp://a',
        '--container-runtime-endpoint=tcp://a: whoever answers there runs its Pods',
      ],
      [
        'imageServiceEndpoint',
        'tcp://a',
        '--image-service-endpoint=tcp://a: whoever answers there says what its images are',
      ],
      ['volumePluginDir', '/tmp/a', '--volume-plugin-dir=/tmp/a: everybody may write there'],
      ['resolvConf', '/tmp/a', '--resolv-conf=/tmp/a: everybody may write there'],
      ['staticPodPath', '/tmp/a', '--pod-manifest-path=/tmp/a: everybody may write there'],
    ] as const) {
      assert.equal(told({ [field]: value }), seen, field);
      for (const none of [null, '']) assert.equal(told({ [field]: none }), 'nothing does', field);
    }
    assert.equal(told({ registerNode: false }, { 'register-node': 'true' }), 'nothing does');
    const half = 'its serving certificate comes without its key, or its key without it';
    assert.equal(told({ tlsCertFile: '/a' }), half);
    assert.equal(told({ tlsPrivateKeyFile: '/a' }), half);
    assert.equal(told({ tlsCertFile: '/a' }, { 'tls-private-key-file': '/b' }), 'nothing does');
    for (const version of ['VersionTLS10', 'VersionTLS11', 'TLS1.0'])
      assert.equal(told({}, { 'tls-min-version': version }), 'it takes old TLS');
    for (const version of ['VersionTLS12', 'xVersionTLS10', 'VersionTLS10x'])
      assert.equal(told({}, { 'tls-min-version': version }), 'nothing does', version);
    assert.equal(told({}, {}, { command: '/tmp/kubelet' }), 'its program lies where everybody may write');
    assert.equal(
      told({}, {}, { variables: { GODEBUG: 'a', LD_PRELOAD: 'b', GODEBUGS: 'c', XLD_AUDIT: 'd' } }),
      'GODEBUG; LD_PRELOAD',
    );
    const verbose = 'Secrets and tokens that it reads stand in its log';
    assert.equal(told({ logging: { verbosity: 8 } }), `--v=8: ${verbose}`);
    assert.equal(told({}, { v: '10' }), `--v=10: ${verbose}`);
    for (const sound of [7, '7', 2, null]) assert.equal(told({ logging: { verbosity: sound } }), 'nothing does');
    const webhook = (cacheTTL: unknown) => ({ authentication: { webhook: { cacheTTL } } });
    const allowed = (cacheAuthorizedTTL: unknown) => ({ authorization: { webhook: { cacheAuthorizedTTL } } });
    for (const sound of ['0s', '2m0s', '1h', '60m', null, 7200, 'long']) {
      assert.equal(told(webhook(sound)), 'nothing does', String(sound));
      assert.equal(told(allowed(sound)), 'nothing does', String(sound));
    }
    assert.equal(
      told({ ...webhook('1h1s'), ...allowed('24h0m0s') }),
      '--authentication-token-webhook-cache-ttl=1h1s: tokens are believed for more than an hour after they have ended; ' +
        '--authorization-webhook-cache-authorized-ttl=24h0m0s: rights are believed for more than an hour after they were ' +
        'taken away',
    );
    assert.equal(told(allowed('24h'), { 'authorization-webhook-cache-authorized-ttl': '5m' }), 'nothing does');
    const many = {
      'register-node': 'false',
      address: 'x',
      'node-ip': 'x',
      'cloud-provider': 'x',
      'cert-dir': '/a',
      'tls-min-version': 'TLS1.0',
    };
    assert.equal(told({}, many).split('; ').length, 5);
  });
});

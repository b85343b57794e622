import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from './judged.testing.js';
import { oddKubeletFields } from './kubelet-fields.js';
import { flagsKnown, kubeletFlagsKnown } from './node-known-flags.js';
import { instanceSettings, kubeletTold, settingsKnown, startedBy } from './node-kubelet.js';
import { alone, powerless } from './node-privileges.js';
import { at, certificate, crt, DAY, NOW, pod } from './node-seen.testing.js';
import { narrow, noGroupOfTheSystem, ownKeys, withinAuthority } from './node-soundness.js';
import { subnetsApart } from './node-subnets.js';
import { kubeletTlsKept, tlsKept, unweakened } from './node-weakened.js';

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
    const paths = ['*', '/*', '/metrics,*', '/healthz,/metrics/*'];
    const open = paths.map((value) => ({ 'authorization-always-allow-paths': value }));
    assert.deepEqual(resultsOf(unweakened, each('kube-scheduler', ...open), undefined), [
      ...['unmet', 'unmet', 'unmet', 'met'],
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

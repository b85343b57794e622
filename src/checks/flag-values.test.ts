import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inCommonFolders, misread } from './flag-values.js';
import { resultsOf } from './judged.testing.js';
import { flagsIn } from './kubelet-service.js';
import { oddKubeletValues } from './kubelet-values.js';
import { flagsRead, kubeletFlagsRead } from './node-known-flags.js';
import { startedBy } from './node-kubelet.js';
import { accepted } from './node-manifests.js';
import { undisturbed } from './node-privileges.js';
import { at, pod } from './node-seen.testing.js';
import { kubeletUnweakened } from './node-weakened.js';
import { quantity } from './pod-values.js';

describe('values of flags', () => {
  it('are read as Go reads them', () => {
    const sound = { profiling: 'False', 'request-timeout': '1m0.5s', 'event-ttl': '0', v: '2', 'goaway-chance': '.01' };
    assert.deepEqual(misread({ ...sound, 'audit-log-mode': 'batch', 'oidc-client-id': 'x y' }, 'kubernetes'), []);
    const odd = {
      profiling: 'yes',
      'request-timeout': '60',
      v: 'high',
      'goaway-chance': '0.5',
      'secure-port': '70000',
    };
    assert.equal(misread(odd, 'kubernetes').length, 5);
    assert.deepEqual(misread({ 'authorization-mode': 'Node,Foo' }, 'kubernetes'), ['--authorization-mode=Node,Foo']);
    assert.deepEqual(misread({ metrics: 'most', 'heartbeat-interval': '100' }, 'etcd'), ['--metrics=most']);
    assert.equal(misread({ v: '1'.repeat(100_000) }, 'kubernetes').length, 1);
    const all = [pod('kube-scheduler', { profiling: 'on' }), pod('etcd', { 'snapshot-count': '1' })];
    assert.deepEqual(resultsOf(flagsRead, all, undefined), ['unmet', 'met']);
  });
  it('may be the next word', () => {
    assert.deepEqual(flagsIn('k --v 2 --a --b=c $D'), { v: '2', a: 'true', b: 'c' });
  });
  it('name no folder of everybody', () => {
    assert.deepEqual(inCommonFolders({ a: '/srv/tmp/x', b: 'unix:///tmp/x', c: '/a,/dev/shm/b' }), [
      '--b=unix:///tmp/x',
      '--c=/a,/dev/shm/b',
    ]);
  });
  it('hold no label that a kubelet may not give', () => {
    const told = (labels: string) => ({ ...startedBy({}), flags: { 'node-labels': labels } });
    const results = ['a=b,node.kubernetes.io/x=y,kubernetes.io/os=l', 'node-role.kubernetes.io/worker=']
      .map(told)
      .flatMap((started) => resultsOf(kubeletFlagsRead, started, undefined));
    assert.deepEqual(results, ['met', 'unmet']);
  });
});

describe('the kubelet', () => {
  it('starts with its configuration', () => {
    const sound = {
      maxPods: 0,
      evictionHard: { 'memory.available': '5%' },
      cpuCFSQuotaPeriod: '0s',
      clusterDomain: 'a.b',
    };
    assert.deepEqual(oddKubeletValues(sound), []);
    const odd = {
      hairpinMode: 'x',
      maxPods: -1,
      evictionHard: { memory: '1' },
      syncFrequency: '5',
      featureGates: { A: 1 },
    };
    assert.equal(oddKubeletValues(odd).length, 5);
    assert.deepEqual(oddKubeletValues({ clusterDomain: `${'a'.repeat(200_000)}!` }), ['clusterDomain']);
  });
  it('gives nothing up', () => {
    const config = (settings: object) => at('/c', { kind: 'settings', settings: { ...settings } });
    const told = (settings: object, started = {}) =>
      resultsOf(
        kubeletUnweakened,
        { config: config(settings), started: { ...startedBy({}), ...started } },
        undefined,
      )[0];
    assert.equal(told({ containerRuntimeEndpoint: 'unix:///run/a.sock', address: '::' }), 'met');
    assert.equal(told({ registerNode: false }), 'unmet');
    assert.equal(told({ tlsCertFile: '/a' }), 'unmet');
    assert.equal(told({ tlsCertFile: '/a' }, { flags: { 'tls-private-key-file': '/b' } }), 'met');
    assert.equal(told({}, { flags: { 'tls-min-version': 'VersionTLS10' } }), 'unmet');
    assert.equal(told({}, { variables: { LD_PRELOAD: '/a' } }), 'unmet');
    assert.equal(told({}, { command: '/tmp/kubelet --a' }), 'unmet');
  });
});

describe('a static Pod', () => {
  const each = (...specs: readonly object[]) => specs.map((spec) => pod('etcd', {}, spec));
  const container = (more: object) => ({ containers: [{ name: 'etcd', ...more }] });
  it('says what the kubelet accepts', () => {
    const odd = [
      { dnsPolicy: 'X' },
      { activeDeadlineSeconds: 1 },
      { serviceAccountName: 'a' },
      { volumes: [{ name: 'a', secret: {} }] },
      container({ image: 'http://a' }),
      container({ resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
      container({ livenessProbe: { successThreshold: 2 } }),
      container({ securityContext: { runAsNonRoot: true } }),
    ];
    assert.deepEqual(
      resultsOf(accepted, each(...odd), undefined),
      odd.map(() => 'unmet'),
    );
    const sound = [
      container({ image: `a.example:5000/b/etcd:3.6@sha256:${'0'.repeat(64)}` }),
      { dnsPolicy: 'Default' },
    ];
    assert.deepEqual(resultsOf(accepted, each(...sound), undefined), ['met', 'met']);
    assert.deepEqual(['100m', '1Gi', '1e3', '.5', 'x', ''].map(quantity), [
      0.1,
      2 ** 30,
      1000,
      0.5,
      undefined,
      undefined,
    ]);
  });
  it('is disturbed by nothing', () => {
    const odd = [
      container({ env: [{ name: 'ETCD_AUTO_TLS', value: 'true' }] }),
      container({ lifecycle: { preStop: { exec: { command: ['a'] } } } }),
      container({ livenessProbe: { exec: { command: ['/bin/sh', '-c', 'a'] } } }),
      { shareProcessNamespace: true },
      { volumes: [{ name: 'a', hostPath: { path: '/var/lib/kubelet' } }] },
    ];
    assert.deepEqual(
      resultsOf(undisturbed, each(...odd), undefined),
      odd.map(() => 'unmet'),
    );
    const flags = { kubeconfig: '/a/b.conf' };
    const mounted = (readOnly: boolean) =>
      pod('x', flags, container({ volumeMounts: [{ mountPath: '/a', readOnly }] }));
    assert.deepEqual(resultsOf(undisturbed, [mounted(true), mounted(false)], undefined), ['met', 'unmet']);
  });
});

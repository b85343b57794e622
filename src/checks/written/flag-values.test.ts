import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultsOf } from '../common/judged.testing.js';
import { flagsIn } from '../node-files/kubelet-service.js';
import { startedBy } from '../node-files/kubelet-started.js';
import { flagsRead, kubeletFlagsRead } from '../node-files/node-known-flags.js';
import { accepted } from '../node-files/node-manifests.js';
import { undisturbed } from '../node-files/node-privileges.js';
import { at, pod } from '../node-files/node-seen.testing.js';
import { kubeletUnweakened } from '../node-files/node-weakened.js';
import { inCommonFolders, isDuration, isGoUrl, isInCommonFolder, misread, secondsOf } from './flag-values.js';
import { oddKubeletValues } from './kubelet-values.js';
import { quantity } from './pod-values.js';

describe('feature gates', () => {
  it('are each told on or off', () => {
    for (const value of ['', 'A=true', 'A=t,B=F', 'kube:A=1', 'A= true ,', 'A=FALSE'])
      assert.deepEqual(misread({ 'feature-gates': value }, 'kubernetes'), [], value);
    for (const value of ['A', '=true', 'A=yes', 'A=true,B', 'A=', 'A=true=false'])
      assert.deepEqual(misread({ feature_gates: value }, 'etcd'), [`--feature_gates=${value}`], value);
  });
});

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
    assert.deepEqual(misread({ logger: 'capnslog', 'heartbeat-interval': '100' }, 'etcd'), ['--logger=capnslog']);
    assert.equal(misread({ v: '1'.repeat(100_000) }, 'kubernetes').length, 1);
    const all = [pod('kube-scheduler', { profiling: 'on' }), pod('etcd', { 'snapshot-count': '1' })];
    assert.deepEqual(resultsOf(flagsRead, all, undefined), ['unmet', 'met']);
  });
  it('are each of the kind that Go reads', () => {
    const kinds: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
      profiling: [
        'true 1 t T TRUE True false 0 f F FALSE False'.split(' '),
        ['', 'tRue', 'yes', 'on', 'xtrue', 'truex', '10', 'x1', 'xFalse', 'Falsex'],
      ],
      v: [
        ['0', '2', '10', '+2', '-2', '0x1F', '0Xaf', '017', '0o17', '0O7', '0b10', '0B1'],
        ['', 'x', '1.5', '1e3', '0xg', '0b12', '1 ', 'a1', '1a', '++1', '0x'],
      ],
      'kube-api-qps': [
        ['0', '20', '-1', '+1', '1.5', '10.25', '1.', '.5', '.25', '1e3', '1E+10', '1e-3'],
        ['', '.', 'x1', '1x', '1e', '1,5', 'e3', '1ee3', '1e3x', '1.5.5'],
      ],
      'request-timeout': [
        ['0', '10s', '+1m', '-1m', '1.5h', '12.25h', '1.s', '.5s', '.25s', '1h30m0.5s', '1ns', '1us', '1µs', '1ms'],
        ['', '10', '00', '0x', 'x0', 's', '.s', '1d', '1 s', '1sx', 'x1s', '1s!', '1m30', '--1s'],
      ],
    };
    for (const [name, [sound, odd]] of Object.entries(kinds)) {
      for (const value of sound) assert.deepEqual(misread({ [name]: value }, 'kubernetes'), [], `${name} ${value}`);
      for (const value of odd)
        assert.deepEqual(misread({ [name]: value }, 'kubernetes'), [`--${name}=${value}`], `${name} ${value}`);
    }
    assert.deepEqual(misread({ kube_api_qps: 'x' }, 'kubernetes'), ['--kube_api_qps=x']);
    assert.deepEqual(misread({ no_such: 'x' }, 'kubernetes'), []);
    assert.deepEqual(misread({ v: `${'0'.repeat(63)}1` }, 'kubernetes'), []);
    assert.deepEqual(misread({ v: `${'0'.repeat(64)}1` }, 'kubernetes'), [`--v=${'0'.repeat(60)}`]);
    assert.deepEqual([isDuration(`${'0'.repeat(62)}1s`), isDuration(`${'0'.repeat(63)}1s`)], [true, false]);
    // Go counts nanoseconds in 64 bits
    assert.deepEqual([isDuration('2562047h'), isDuration('2562048h'), isDuration('9999999h')], [true, false, false]);
  });
  it('lie in the limits that programs hold them to', () => {
    const limits = {
      'secure-port': [
        ['0', '65535'],
        ['-1', '65536'],
      ],
      'max-pods': [['0', '250'], ['-1']],
      'goaway-chance': [
        ['0', '0.02', '.01'],
        ['-0.01', '0.021'],
      ],
      'kubelet-port': [
        ['0', '10250'],
        ['-1', '65536'],
      ],
      'concurrent-service-endpoint-syncs': [
        ['1', '50'],
        ['0', '51'],
      ],
      'max-endpoints-per-slice': [
        ['1', '1000'],
        ['0', '1001'],
      ],
      'mirroring-concurrent-service-endpoint-syncs': [
        ['1', '50'],
        ['0', '51'],
      ],
      'mirroring-max-endpoints-per-subset': [
        ['1', '1000'],
        ['0', '1001'],
      ],
      'audit-log-maxage': [['0', '30'], ['-1']],
      'audit-log-maxbackup': [['0', '10'], ['-1']],
      'audit-log-maxsize': [['0', '100'], ['-1']],
      'max-requests-inflight': [['0', '400'], ['-1']],
      'max-mutating-requests-inflight': [['0', '200'], ['-1']],
    } as const;
    const ofEtcd = {
      'max-request-bytes': [['1', '1572864'], ['0']],
      'snapshot-count': [['0', '10000'], ['-1']],
      'heartbeat-interval': [
        ['1', '50000'],
        ['0', '50001'],
      ],
      'election-timeout': [
        ['1', '50000'],
        ['0', '50001'],
      ],
    } as const;
    for (const [program, all] of [
      ['kubernetes', limits],
      ['etcd', ofEtcd],
    ] as const)
      for (const [name, [sound, odd]] of Object.entries(all)) {
        for (const value of sound) assert.deepEqual(misread({ [name]: value }, program), [], `${name} ${value}`);
        for (const value of odd) assert.deepEqual(misread({ [name]: value }, program), [`--${name}=${value}`], value);
      }
  });
  it('are of what a flag chooses from, or left empty', () => {
    const name = 'authorization-mode';
    for (const value of ['', 'Node', 'Node,RBAC', 'Node, RBAC', 'AlwaysAllow,AlwaysDeny,ABAC,Webhook'])
      assert.deepEqual(misread({ [name]: value }, 'kubernetes'), [], value);
    for (const value of ['node', 'Node,', 'Node;RBAC', 'Node RBAC'])
      assert.deepEqual(misread({ [name]: value }, 'kubernetes'), [`--${name}=${value}`], value);
    const told = (version: string, program: 'kubernetes' | 'etcd') => misread({ 'tls-min-version': version }, program);
    assert.deepEqual([told('TLS1.2', 'etcd'), told('VersionTLS12', 'kubernetes')], [[], []]);
    assert.equal(told('VersionTLS12', 'etcd').length + told('TLS1.2', 'kubernetes').length, 2);
  });
  it('may be the next word', () => {
    assert.deepEqual(flagsIn('k --v 2 --a --b=c $D'), { v: '2', a: 'true', b: 'c' });
  });
  it('name no folder of everybody', () => {
    assert.deepEqual(inCommonFolders({ a: '/srv/tmp/x', b: 'unix:///tmp/x', c: '/a,/dev/shm/b' }), [
      '--b=unix:///tmp/x',
      '--c=/a,/dev/shm/b',
    ]);
    for (const path of ['/tmp', '/tmp/', '/tmp/a', '/var/tmp', '/var/tmp/a', '/dev/shm', 'unix:///var/tmp/a'])
      assert.deepEqual([isInCommonFolder(path), inCommonFolders({ a: path })], [true, [`--a=${path}`]], path);
    for (const path of ['', '/', '/tmpfs/a', '/var/tmpx', '/srv/tmp', '/dev/shmem', 'tmp/a', '/var/lib', 'x/tmp/a'])
      assert.deepEqual([isInCommonFolder(path), inCommonFolders({ a: path })], [false, []], path);
    assert.deepEqual(inCommonFolders({ a: `/tmp/${'x'.repeat(100)}` }), [`--a=/tmp/${'x'.repeat(55)}`]);
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
      container({ image: 'a.example/etcd:3.6.1', securityContext: { runAsNonRoot: true } }),
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
      container({ env: [{ name: 'ETCD_CONFIG_FILE', value: '/a' }] }),
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

describe('URLs', () => {
  it('are those that Go reads', () => {
    for (const url of [
      'https://a.example:6443/x',
      'a/b',
      'a:b',
      'https://[::1]:1',
      'https://u@a',
      'https://a/?%zz',
      'a:/%20',
    ])
      assert.equal(isGoUrl(url), true, url);
    for (const url of [
      'https://a%zz',
      ':a',
      '1:b',
      'https://a:b',
      'https://a b',
      'https://[::1',
      'https://a/%2',
      'a\nb',
    ])
      assert.equal(isGoUrl(url), false, url);
  });
});

it('durations are counted by each of their units, and by no other', () => {
  for (const [duration, seconds] of [
    ['2h', 7200],
    ['2m', 120],
    ['2s', 2],
    ['500ms', 0.5],
    ['2us', 0],
    ['2ns', 0],
    ['1h2m3.5s', 3723.5],
  ] as const)
    assert.equal(secondsOf(duration), seconds, duration);
  for (const none of ['', '2', 'h', '2d', '2h ', 'x2h', '2hx', '1..5s']) assert.equal(secondsOf(none), undefined, none);
});

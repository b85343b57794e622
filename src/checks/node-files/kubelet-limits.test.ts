import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { twinsOf } from '../common/twins.testing.js';
import { oddKubeletLimits, settingsTogether } from './kubelet-limits.js';
import { at } from './node-seen.testing.js';

const NEAR = [{ priority: 0, shutdownGracePeriodSeconds: 10 }];
const taint = (more: object): object => ({ registerWithTaints: [{ key: 'a', effect: 'NoSchedule', ...more }] });
const kept = (...limits: readonly object[]): object => ({
  reservedMemory: limits.map((one) => ({ numaNode: 0, limits: one })),
});

/** What kubelets of 1.31, 1.33 and 1.36 take. */
const TAKEN: readonly object[] = [
  {},
  { evictionSoft: { 'memory.available': '200Mi' }, evictionSoftGracePeriod: { 'memory.available': '30s' } },
  { evictionSoftGracePeriod: { 'memory.available': '30s' } },
  { reservedSystemCPUs: '0' },
  { reservedSystemCPUs: '0-1,3,5-5' },
  { cpuManagerPolicy: 'static', reservedSystemCPUs: '0', cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' } },
  { cpuManagerPolicy: 'static', systemReserved: { cpu: '500m' } },
  { cpuManagerPolicy: 'static', kubeReserved: { cpu: '1' } },
  { cpuManagerPolicy: 'none', cpuManagerPolicyOptions: {} },
  { memoryManagerPolicy: 'Static', ...kept({ memory: '100Mi' }) },
  { memoryManagerPolicy: 'Static', evictionHard: { 'nodefs.available': '10%' } },
  { memoryManagerPolicy: 'None' },
  kept({ memory: '1Gi', 'hugepages-2Mi': '1Gi' }),
  { reservedMemory: [...[0, 1].map((numaNode) => ({ numaNode, limits: { memory: '1Gi' } })), { numaNode: 2 }] },
  { enforceNodeAllocatable: ['pods', 'system-reserved'], systemReservedCgroup: '/system' },
  { enforceNodeAllocatable: ['kube-reserved-compressible'], kubeReservedCgroup: '/kube' },
  { enforceNodeAllocatable: ['none'], cgroupsPerQOS: false },
  { enforceNodeAllocatable: [], cgroupsPerQOS: false },
  { cgroupsPerQOS: true },
  { systemReservedCgroup: 'system' },
  { systemCgroups: '/system', cgroupRoot: '/' },
  { containerLogMonitorInterval: '3s' },
  { containerLogMaxSize: '10Mi' },
  { containerLogMaxWorkers: 1, containerLogMaxFiles: 2 },
  { shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '10s' },
  { shutdownGracePeriod: '1s', shutdownGracePeriodCriticalPods: '1s' },
  { shutdownGracePeriod: '0s', shutdownGracePeriodByPodPriority: NEAR },
  { shutdownGracePeriod: '0s', featureGates: { GracefulNodeShutdown: false } },
  { shutdownGracePeriod: '30s', featureGates: { GracefulNodeShutdown: true } },
  { memoryThrottlingFactor: 1 },
  { memoryThrottlingFactor: 0.9 },
  { maxParallelImagePulls: 5 },
  { maxParallelImagePulls: 5, serializeImagePulls: false },
  { maxParallelImagePulls: 1, serializeImagePulls: true },
  { serializeImagePulls: true },
  { tracing: { samplingRatePerMillion: 1_000_000, endpoint: 'localhost:4317' } },
  { tracing: { samplingRatePerMillion: 0, endpoint: 'unix:///run/traces' } },
  { topologyManagerPolicyOptions: { 'prefer-closest-numa-nodes': 'true', 'max-allowable-numa-nodes': '9' } },
  taint({}),
  taint({ key: 'example.com/a', value: 'b', timeAdded: null }),
  { imageMaximumGCAge: '3m' },
  { imageMaximumGCAge: '0s', featureGates: { ImageMaximumGCAge: false } },
  { imageMinimumGCAge: '10m', imageMaximumGCAge: '11m' },
  { logging: { format: 'text', verbosity: 3, vmodule: [{ filePattern: 'a', verbosity: 3 }] } },
  { logging: { format: 'json', vmodule: [] } },
  { enableSystemLogQuery: true },
  { enableSystemLogHandler: false },
  { qosReserved: { memory: '50%' } },
  { qosReserved: { memory: '100%' } },
  { podLogsDir: '/var/log/pods' },
  { podLogsDir: 'pods/.hidden' },
  { cpuCFSQuotaPeriod: '100ms' },
  { cpuCFSQuotaPeriod: '1s' },
  { showHiddenMetricsForVersion: '1.35' },
  { staticPodURLHeader: { 'X-A': ['b'] } },
  { systemReserved: { cpu: '1', memory: '1Gi' }, evictionHard: { 'memory.available': '100Mi' } },
  { runOnce: false },
];

/** And what they refuse, by what is told of it. */
const REFUSED: readonly (readonly [object, string])[] = [
  [
    { evictionSoft: { 'memory.available': '200Mi' } },
    'evictionSoft memory.available without its evictionSoftGracePeriod',
  ],
  [{ reservedSystemCPUs: 'a-b' }, 'reservedSystemCPUs'],
  [{ reservedSystemCPUs: '3-1' }, 'reservedSystemCPUs'],
  [{ reservedSystemCPUs: '0, 1' }, 'reservedSystemCPUs'],
  [{ reservedSystemCPUs: '0', systemReservedCgroup: '/system' }, 'reservedSystemCPUs with a cgroup'],
  [{ reservedSystemCPUs: '0', kubeReservedCgroup: '/kube' }, 'reservedSystemCPUs with a cgroup'],
  [{ cpuManagerPolicy: 'static' }, 'cpuManagerPolicy static, and no CPU reserved'],
  [{ cpuManagerPolicy: 'static', systemReserved: { cpu: '0' } }, 'cpuManagerPolicy static, and no CPU reserved'],
  [{ cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' } }, 'cpuManagerPolicyOptions without their policy'],
  [{ memoryManagerPolicy: 'Static' }, 'memoryManagerPolicy Static without reservedMemory'],
  [
    { memoryManagerPolicy: 'Static', evictionHard: { 'memory.available': '1Gi' } },
    'memoryManagerPolicy Static without reservedMemory',
  ],
  [kept({ cpu: '1' }), 'reservedMemory cpu'],
  [kept({ memory: '0' }), 'reservedMemory memory'],
  [kept({ memory: '1Gi' }, { memory: '1Gi' }), 'reservedMemory twice for one node'],
  [{ memoryThrottlingFactor: 2 }, 'memoryThrottlingFactor'],
  [{ memoryThrottlingFactor: 0 }, 'memoryThrottlingFactor'],
  [{ qosReserved: { memory: '150%' } }, 'qosReserved memory'],
  [{ qosReserved: { memory: '50' } }, 'qosReserved memory'],
  [{ qosReserved: { cpu: '50%' } }, 'qosReserved cpu'],
  [{ enforceNodeAllocatable: ['pods', 'system-reserved'] }, 'enforceNodeAllocatable without systemReservedCgroup'],
  [{ enforceNodeAllocatable: ['kube-reserved-compressible'] }, 'enforceNodeAllocatable without kubeReservedCgroup'],
  [
    {
      enforceNodeAllocatable: ['system-reserved', 'system-reserved-compressible'],
      systemReservedCgroup: '/a',
    },
    'enforceNodeAllocatable system-reserved twice',
  ],
  [{ enforceNodeAllocatable: ['none', 'pods'] }, 'enforceNodeAllocatable none with others'],
  [{ enforceNodeAllocatable: ['pods', 'pods'] }, 'enforceNodeAllocatable names something twice'],
  [{ cgroupsPerQOS: false }, 'enforceNodeAllocatable without cgroupsPerQOS'],
  [{ systemCgroups: '/system' }, 'systemCgroups without cgroupRoot'],
  [{ maxParallelImagePulls: 0 }, 'maxParallelImagePulls'],
  [{ maxParallelImagePulls: 5, serializeImagePulls: true }, 'maxParallelImagePulls though they are serialized'],
  [{ imageMaximumGCAge: '2m' }, 'imageMaximumGCAge within imageMinimumGCAge'],
  [{ imageMinimumGCAge: '0s', imageMaximumGCAge: '1m' }, 'imageMaximumGCAge within imageMinimumGCAge'],
  [{ imageMinimumGCAge: '10m', imageMaximumGCAge: '5m' }, 'imageMaximumGCAge within imageMinimumGCAge'],
  [
    { imageMaximumGCAge: '3m', featureGates: { ImageMaximumGCAge: false } },
    'imageMaximumGCAge without its feature gate',
  ],
  [{ containerLogMaxSize: 'ten' }, 'containerLogMaxSize'],
  [{ containerLogMonitorInterval: '1s' }, 'containerLogMonitorInterval'],
  [{ containerLogMonitorInterval: '0s' }, 'containerLogMonitorInterval'],
  [{ containerLogMaxWorkers: 0 }, 'containerLogMaxWorkers'],
  [{ containerLogMaxFiles: 1 }, 'containerLogMaxFiles'],
  [{ containerLogMaxFiles: 0 }, 'containerLogMaxFiles'],
  [
    { enableSystemLogQuery: true, enableSystemLogHandler: false },
    'enableSystemLogQuery without enableSystemLogHandler',
  ],
  [{ logging: { verbosity: -1 } }, 'logging.verbosity'],
  [{ logging: { format: 'json', vmodule: [{ filePattern: 'a', verbosity: 3 }] } }, 'logging.vmodule in json'],
  [{ podLogsDir: '/var/log/../pods' }, 'podLogsDir'],
  [{ podLogsDir: '/var/log/./pods' }, 'podLogsDir'],
  [{ podLogsDir: '/var/log/pods/' }, 'podLogsDir'],
  [{ podLogsDir: '/var//pods' }, 'podLogsDir'],
  [{ podLogsDir: '/var/log/pödy' }, 'podLogsDir'],
  [{ shutdownGracePeriod: '500ms' }, 'shutdownGracePeriod below 1 s'],
  [{ shutdownGracePeriod: '30s', shutdownGracePeriodCriticalPods: '100ms' }, 'shutdownGracePeriod below 1 s'],
  [
    { shutdownGracePeriod: '30s', shutdownGracePeriodByPodPriority: NEAR },
    'shutdownGracePeriod beside shutdownGracePeriodByPodPriority',
  ],
  [
    { shutdownGracePeriod: '30s', featureGates: { GracefulNodeShutdown: false } },
    'shutdownGracePeriod without its feature gate',
  ],
  [
    {
      shutdownGracePeriodByPodPriority: NEAR,
      featureGates: { GracefulNodeShutdownBasedOnPodPriority: false },
    },
    'shutdownGracePeriodByPodPriority without its feature gate',
  ],
  [{ runOnce: true }, 'runOnce'],
  [{ tracing: { samplingRatePerMillion: -1 } }, 'tracing.samplingRatePerMillion'],
  [{ tracing: { samplingRatePerMillion: 2_000_000 } }, 'tracing.samplingRatePerMillion'],
  [{ tracing: { endpoint: 'http://a:4317' } }, 'tracing.endpoint'],
  [{ topologyManagerPolicyOptions: { nope: 'true' } }, 'nope'],
  [taint({ key: 'a b' }), 'the taint a b'],
  [taint({ key: '' }), 'the taint '],
  [taint({ key: 'a/b/c' }), 'the taint a/b/c'],
  [taint({ key: 'Example.com/a' }), 'the taint Example.com/a'],
  [taint({ value: 'b c' }), 'the taint a'],
  [taint({ timeAdded: '2026-01-01T00:00:00Z' }), 'the taint a'],
  [{ cpuCFSQuotaPeriod: '2s' }, 'cpuCFSQuotaPeriod above 1 s'],
  [{ showHiddenMetricsForVersion: 'x' }, 'showHiddenMetricsForVersion'],
  [{ systemReserved: { cpu: 1 } }, 'systemReserved cpu is no text'],
  [{ evictionHard: { 'pid.available': 5 } }, 'evictionHard pid.available is no text'],
  [{ staticPodURLHeader: { 'X-A': 'b' } }, 'staticPodURLHeader X-A is no list'],
];

const config = (settings: object) => at('/c', { kind: 'settings', settings: { ...settings } });
const together = (settings: object, flags = {}): string =>
  settingsTogether
    .judge({ config: config(settings), flags }, undefined)
    .map(({ result }) => result)
    .join();

describe('settings of a kubelet beside each other', () => {
  it('are taken as kubelets take them', () => {
    for (const settings of TAKEN) assert.deepEqual(oddKubeletLimits({ ...settings }), [], JSON.stringify(settings));
  });
  it('are refused as kubelets refuse them', () => {
    for (const [settings, odd] of REFUSED)
      assert.deepEqual(oddKubeletLimits({ ...settings }), [odd], JSON.stringify(settings));
  });
  it('stand below flags', () => {
    assert.equal(together({}), 'met');
    assert.equal(together({ cpuManagerPolicy: 'static' }), 'unmet');
    for (const sound of [
      { 'reserved-cpus': '0' },
      { 'system-reserved': 'cpu=500m,memory=1Gi' },
      { 'cpu-manager-policy': 'none' },
    ])
      assert.equal(together({ cpuManagerPolicy: 'static' }, sound), 'met', JSON.stringify(sound));
    assert.equal(together({}, { 'cpu-manager-policy': 'static' }), 'unmet');
    assert.equal(together({ memoryManagerPolicy: 'Static' }, { 'reserved-memory': '0:memory=1Gi' }), 'met');
    assert.equal(together({ maxParallelImagePulls: 3 }, { 'serialize-image-pulls': 'true' }), 'unmet');
    assert.equal(together({ cgroupsPerQOS: false }, { 'enforce-node-allocatable': '' }), 'met');
    assert.equal(together({ cgroupsPerQOS: false }, { 'enforce-node-allocatable': 'pods' }), 'unmet');
    const soft = { 'eviction-soft': 'memory.available<1Gi' };
    assert.equal(together({}, soft), 'unmet');
    assert.equal(together({}, { ...soft, 'eviction-soft-grace-period': 'memory.available=1m' }), 'met');
    assert.equal(together({}, { runonce: 'true' }), 'unmet');
    const [{ seen } = { seen: '' }] = settingsTogether.judge(
      { config: config({ maxParallelImagePulls: 0, runOnce: true }), flags: {} },
      undefined,
    );
    assert.equal(seen, 'maxParallelImagePulls, runOnce');
  });
});

describe('flags of a kubelet', () => {
  it('stand above its settings, each of them', () => {
    const told = (settings: object, flags: Readonly<Record<string, string>>): string =>
      settingsTogether.judge({ config: at('/c', { kind: 'settings', settings: { ...settings } }), flags }, undefined)[0]
        ?.result ?? '';
    const STATIC = { cpuManagerPolicy: 'static', reservedSystemCPUs: '0' };
    for (const [settings, flag, sound, odd] of [
      [{}, 'reserved-cpus', '0-1', 'x'],
      [{ reservedSystemCPUs: '0' }, 'system-reserved-cgroup', '', '/a'],
      [{ reservedSystemCPUs: '0' }, 'kube-reserved-cgroup', '', '/a'],
      [
        { cpuManagerPolicyOptions: { 'full-pcpus-only': 'true' }, reservedSystemCPUs: '0' },
        'cpu-manager-policy',
        'static',
        'none',
      ],
      [{ cpuManagerPolicy: 'static' }, 'system-reserved', 'cpu=1', 'memory=1Gi'],
      [{ cpuManagerPolicy: 'static' }, 'kube-reserved', ' cpu=1, memory=1Gi', 'memory=1Gi'],
      [{ ...STATIC, cpuManagerPolicy: 'none' }, 'cpu-manager-policy-options', '', 'full-pcpus-only=true'],
      [
        { evictionSoft: { 'memory.available': '200Mi' } },
        'eviction-soft-grace-period',
        'memory.available=30s',
        'nodefs.available=30s',
      ],
      [{ enforceNodeAllocatable: ['pods'] }, 'cgroups-per-qos', 'true', 'false'],
      [{ containerLogMaxSize: '10Mi' }, 'container-log-max-size', '10Mi', 'x'],
      [{}, 'container-log-max-files', '2', '1'],
      [{ systemCgroups: '/system' }, 'cgroup-root', '/', ''],
      [{ maxParallelImagePulls: 5 }, 'serialize-image-pulls', 'false', 'true'],
    ] as const) {
      assert.equal(told(settings, { [flag]: sound }), 'met', `${flag} ${sound}`);
      assert.equal(told(settings, { [flag]: odd }), 'unmet', `${flag} ${odd}`);
    }
  });
});

describe('names among the limits of a kubelet', () => {
  it('are read as they are written', () => {
    const odd = (settings: object): readonly string[] => oddKubeletLimits(settings as never);
    for (const name of twinsOf('memory')) {
      assert.deepEqual(odd(kept({ [name]: '1Gi' })), [`reservedMemory ${name}`], name);
      assert.deepEqual(odd({ qosReserved: { [name]: '50%' } }), [`qosReserved ${name}`], name);
    }
    assert.deepEqual(odd({ qosReserved: { memory: '50%' } }), []);
    assert.deepEqual(odd(kept({ memory: '1Gi' }, { memory: '1Gi' })), ['reservedMemory twice for one node']);
    assert.deepEqual(odd({ memoryManagerPolicy: 'Static' }), ['memoryManagerPolicy Static without reservedMemory']);
    for (const policy of twinsOf('Static')) assert.deepEqual(odd({ memoryManagerPolicy: policy }), [], policy);
    for (const format of twinsOf('json').filter((one) => one !== ''))
      assert.deepEqual(odd({ logging: { format, vmodule: [{}] } }).includes('logging.vmodule in json'), false, format);
    assert.ok(odd({ logging: { format: 'json', vmodule: [{}] } }).includes('logging.vmodule in json'));
    for (const scheme of ['dns', 'unix', 'unix-abstract'])
      assert.deepEqual(odd({ tracing: { endpoint: `${scheme}://a` } }), []);
    for (const scheme of ['dnss', 'uni', 'http'])
      assert.deepEqual(odd({ tracing: { endpoint: `${scheme}://a` } }), ['tracing.endpoint'], scheme);
    for (const option of ['prefer-closest-numa-nodes', 'max-allowable-numa-nodes']) {
      assert.deepEqual(odd({ topologyManagerPolicyOptions: { [option]: 'true' } }), []);
      for (const twin of twinsOf(option))
        assert.deepEqual(odd({ topologyManagerPolicyOptions: { [option]: '1', [twin]: 'true' } }), [twin]);
    }
    for (const name of ['system', 'kube']) {
      const whole = `${name}-reserved`;
      const cgroup = { [`${name}ReservedCgroup`]: '/a' };
      assert.deepEqual(odd({ enforceNodeAllocatable: ['pods', whole, `${whole}-compressible`], ...cgroup }), [
        `enforceNodeAllocatable ${whole} twice`,
      ]);
      assert.deepEqual(odd({ enforceNodeAllocatable: ['pods', whole] }), [
        `enforceNodeAllocatable without ${name}ReservedCgroup`,
      ]);
    }
  });
});

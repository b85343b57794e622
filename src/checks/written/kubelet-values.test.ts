import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { oddKubeletValues, settingsOfFlags } from './kubelet-values.js';

type Table = Readonly<Record<string, readonly (readonly [sound: readonly unknown[], odd: readonly unknown[]])[]>>;

/** One setting at a time: each of the first is taken, each of the others is told by its name. */
function holds(table: Table, told = (name: string): readonly string[] => [name]): void {
  for (const [name, lists] of Object.entries(table))
    for (const [sound, odd] of lists) {
      for (const value of [undefined, null, ...sound])
        assert.deepEqual(oddKubeletValues({ [name]: value }), [], `${name} ${String(value)}`);
      for (const value of odd)
        assert.deepEqual(oddKubeletValues({ [name]: value }), told(name), `${name} ${String(value)}`);
    }
}

const PORT = [
  [
    [0, 1, 65_535],
    [-1, 65_536],
  ],
] as const;
const COUNT = [[[0, 1, 1_000_000], [-1]]] as const;

describe("values of a kubelet's configuration", () => {
  it('lie in their range', () => {
    holds({
      port: PORT,
      healthzPort: PORT,
      readOnlyPort: PORT,
      oomScoreAdj: [
        [
          [-1000, 0, 1000],
          [-1001, 1001],
        ],
      ],
      iptablesMasqueradeBit: [
        [
          [0, 31],
          [-1, 32],
        ],
      ],
      iptablesDropBit: [
        [
          [0, 31],
          [-1, 32],
        ],
      ],
      eventBurst: COUNT,
      eventRecordQPS: COUNT,
      kubeAPIBurst: COUNT,
      kubeAPIQPS: COUNT,
      maxOpenFiles: COUNT,
      maxPods: COUNT,
      podsPerCore: COUNT,
      registryBurst: COUNT,
      registryPullQPS: COUNT,
      containerLogMaxFiles: [
        [
          [0, 2, 5],
          [1, -1],
        ],
      ],
      nodeLeaseDurationSeconds: [[[0, 1, 40], [-1]]],
      nodeStatusMaxImages: [[[-1, 0, 50], [-2]]],
    });
  });

  it('leave a disk between its two thresholds', () => {
    const told = (high: unknown, low: unknown) =>
      oddKubeletValues({ imageGCHighThresholdPercent: high, imageGCLowThresholdPercent: low });
    for (const [high, low] of [
      [100, 0],
      [85, 84],
      [undefined, 84],
      [81, undefined],
      [null, null],
    ])
      assert.deepEqual(told(high, low), [], `${high} ${low}`);
    for (const [high, low] of [
      [80, 80],
      [undefined, 85],
      [80, undefined],
      [0, 0],
    ])
      assert.deepEqual(told(high, low), ['imageGCLowThresholdPercent'], `${high} ${low}`);
    assert.deepEqual(told(101, 80), ['imageGCHighThresholdPercent']);
    assert.deepEqual(told(85, -1), ['imageGCLowThresholdPercent']);
    assert.deepEqual(told(-1, -2), ['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent']);
    assert.deepEqual(told(102, 101), ['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent']);
  });

  it('are of a choice', () => {
    holds({
      hairpinMode: [
        [
          ['', 'hairpin-veth', 'promiscuous-bridge', 'none'],
          ['None', 'hairpin'],
        ],
      ],
      cpuManagerPolicy: [
        [
          ['', 'none', 'static'],
          ['None', 'dynamic'],
        ],
      ],
      memoryManagerPolicy: [[['', 'None', 'Static', 'none', 'static'], ['all']]],
      topologyManagerPolicy: [
        [
          ['', 'none', 'best-effort', 'restricted', 'single-numa-node'],
          ['static', 'none best-effort'],
        ],
      ],
      topologyManagerScope: [[['', 'container', 'pod'], ['node']]],
      configMapAndSecretChangeDetectionStrategy: [
        [
          ['', 'Get', 'Cache', 'Watch'],
          ['get', 'Poll'],
        ],
      ],
      imagePullCredentialsVerificationPolicy: [
        [
          ['', 'NeverVerify', 'NeverVerifyPreloadedImages', 'NeverVerifyAllowlistedImages', 'AlwaysVerify'],
          ['Never', 'AlwaysVerif'],
        ],
      ],
      tlsMinVersion: [
        [
          ['', 'VersionTLS10', 'VersionTLS11', 'VersionTLS12', 'VersionTLS13'],
          ['1.2', 'VersionTLS1'],
        ],
      ],
    });
    for (const format of [undefined, '', 'text', 'json'])
      assert.deepEqual(oddKubeletValues({ logging: { format } }), []);
    assert.deepEqual(oddKubeletValues({ logging: { format: 'xml' } }), ['logging.format']);
    for (const swapBehavior of [undefined, '', 'NoSwap', 'LimitedSwap', 'UnlimitedSwap'])
      assert.deepEqual(oddKubeletValues({ memorySwap: { swapBehavior } }), []);
    assert.deepEqual(oddKubeletValues({ memorySwap: { swapBehavior: 'Swap' } }), ['memorySwap']);
  });

  it('are names and addresses', () => {
    const longest = `${'a'.repeat(126)}.${'b'.repeat(126)}`;
    holds({
      clusterDomain: [
        [
          ['', 'local', 'cluster.local', 'Cluster.Local.', 'k8s-1.a', longest],
          ['a b', '.a', 'a..b', 'a_b', 'a.b!', '!a', `${longest}c`],
        ],
      ],
      podCIDR: [
        [
          ['', '10.0.0.0/8', '10.244.1.0/24,fd00:10::/64', '10.0.0.0/24, FD00::/120'],
          ['10.0.0.0', '/8', '10.0.0.0/', '10.0.0.0/1234', 'x10.0.0.0/8', '10.0.0.0/8x', '10.0.0.0/8,pods'],
        ],
      ],
    });
  });

  it('are durations, none below 0', () => {
    const names =
      'syncFrequency fileCheckFrequency httpCheckFrequency streamingConnectionIdleTimeout nodeStatusUpdateFrequency ' +
      'nodeStatusReportFrequency imageMinimumGCAge imageMaximumGCAge volumeStatsAggPeriod cpuManagerReconcilePeriod ' +
      'runtimeRequestTimeout cpuCFSQuotaPeriod evictionPressureTransitionPeriod shutdownGracePeriod ' +
      'shutdownGracePeriodCriticalPods';
    for (const name of names.split(' ')) {
      // critical Pods end within the time of all
      for (const value of ['', '0', '0s', '1m0.5s'])
        assert.deepEqual(oddKubeletValues({ shutdownGracePeriod: '2m', [name]: value }), [], name);
      assert.deepEqual(oddKubeletValues({ [name]: '10' }), [name]);
      assert.deepEqual(oddKubeletValues({ [name]: '-1s' }), [`${name} below 0`]);
    }
    for (const [area, name] of [
      ['authentication', 'cacheTTL'],
      ['authorization', 'cacheAuthorizedTTL'],
      ['authorization', 'cacheUnauthorizedTTL'],
    ] as const) {
      const told = (value: string) => oddKubeletValues({ [area]: { webhook: { [name]: value, enabled: 'x' } } });
      assert.deepEqual([told('2m'), told('2'), told('-2m')], [[], [name], [`${name} below 0`]]);
    }
  });

  it('switch a feature, and what needs it', () => {
    const gate = 'RotateKubeletServerCertificate';
    assert.deepEqual(oddKubeletValues({ featureGates: { A: true, B: false } }), []);
    assert.deepEqual(oddKubeletValues({ featureGates: { A: 'true' } }), ['the feature gate A']);
    assert.deepEqual(oddKubeletValues({ serverTLSBootstrap: true }), []);
    assert.deepEqual(oddKubeletValues({ serverTLSBootstrap: true, featureGates: { [gate]: true } }), []);
    assert.deepEqual(oddKubeletValues({ serverTLSBootstrap: false, featureGates: { [gate]: false } }), []);
    assert.deepEqual(oddKubeletValues({ serverTLSBootstrap: true, featureGates: { [gate]: false } }), [
      'serverTLSBootstrap without its feature gate',
    ]);
  });

  it('evict by signals that there are, at a share or an amount', () => {
    const signals = [
      'memory.available',
      'nodefs.available',
      'nodefs.inodesFree',
      'imagefs.available',
      'imagefs.inodesFree',
      'containerfs.available',
      'containerfs.inodesFree',
      'allocatableMemory.available',
      'pid.available',
    ];
    const strange = [
      'memory',
      'memory available',
      'xmemory.available',
      'memory.availablex',
      'nodefs.inodes',
      'memoryxavailable',
    ];
    for (const name of ['evictionHard', 'evictionSoft', 'evictionMinimumReclaim']) {
      const told = (signal: string, limit: unknown) => oddKubeletValues({ [name]: { [signal]: limit } });
      const odd = (signal: string) => [`${name} ${signal}`];
      for (const signal of signals) assert.deepEqual(told(signal, '10%'), [], `${name} ${signal}`);
      for (const signal of [...strange, 'allocatableMemoryxavailable', 'pidxavailable', 'nodefsxavailable'])
        assert.deepEqual(told(signal, '10%'), odd(signal), signal);
      for (const limit of ['5%', '0.5%', '100%', '99.25%', '100Mi', '1', 5])
        assert.deepEqual(told('pid.available', limit), [], `${name} ${limit}`);
      for (const limit of ['x5%', '5%x', '%', '-5%', '1000%', 'much', '-1', '5.%'])
        assert.deepEqual(told('pid.available', limit), odd('pid.available'), `${name} ${limit}`);
    }
    const at = (name: string, limit: string) => oddKubeletValues({ [name]: { 'pid.available': limit } }).length;
    // nothing to win back is as good as no threshold; nothing left over is no amount to evict at
    assert.deepEqual([at('evictionHard', '0%'), at('evictionHard', '0'), at('evictionSoft', '101%')], [0, 1, 1]);
    const reclaim = ['0%', '0', '101%', '0.1%'].map((limit) => at('evictionMinimumReclaim', limit));
    assert.deepEqual(reclaim, [1, 0, 0, 0]);
  });

  it('reserve what can be measured', () => {
    for (const name of ['systemReserved', 'kubeReserved']) {
      const told = (resource: string, much: unknown) => oddKubeletValues({ [name]: { [resource]: much } });
      for (const [resource, much] of [
        ['cpu', '500m'],
        ['memory', '0'],
        ['pid', '1000'],
        ['pid', 'many'],
      ] as const)
        assert.deepEqual(told(resource, much), [], resource);
      assert.deepEqual(told('cpu', 'half'), [`${name} cpu`]);
      assert.deepEqual(told('memory', '-1Gi'), [`${name} memory`]);
      assert.deepEqual(told('pid', '-1'), [`${name} pid`]);
    }
  });

  it('name what the kubelet knows', () => {
    const lists: Readonly<Record<string, readonly [readonly string[], readonly string[]]>> = {
      enforceNodeAllocatable: [
        [
          'none',
          'pods',
          'system-reserved',
          'system-reserved-compressible',
          'kube-reserved',
          'kube-reserved-compressible',
        ],
        ['all', 'Pods', ''],
      ],
      allowedUnsafeSysctls: [
        [
          'net.core.somaxconn',
          'kernel.msg*',
          'net.*',
          'net.ipv4.*',
          'net/ipv4/tcp_tw-reuse',
          'a',
          'kernel.shm_rmid_forced',
        ],
        ['Net.core', '.net', 'net.', 'net..core', 'net.*.x', '*', '-a', 'a-', 'a.-b', 'a.b-', 'net core', 'n!', '!n'],
      ],
      tlsCipherSuites: [
        [
          'TLS_AES_128_GCM_SHA256',
          'TLS_RSA_WITH_AES_128_CBC_SHA',
          'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
          'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
        ],
        [
          'ECDHE-RSA-AES128-GCM-SHA256',
          'xTLS_AES_128_GCM_SHA256',
          'TLS_AES_128_GCM_SHA512',
          'TLS_aes_SHA256',
          'POLY1305_',
        ],
      ],
    };
    for (const [name, [sound, odd]] of Object.entries(lists)) {
      for (const one of sound) assert.deepEqual(oddKubeletValues({ [name]: [one] }), [], one);
      for (const one of odd) assert.deepEqual(oddKubeletValues({ [name]: [one] }), [one], one);
    }
  });

  it('taint with an effect', () => {
    for (const effect of ['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
      assert.deepEqual(oddKubeletValues({ registerWithTaints: [{ effect }] }), []);
    for (const effect of ['', 'Never', undefined])
      assert.deepEqual(oddKubeletValues({ registerWithTaints: [{ effect }] }), ['a taint']);
  });
});

describe('values at their ends', () => {
  it('are told of each feature gate that is no switch', () => {
    assert.deepEqual(oddKubeletValues({ featureGates: { A: true, B: 'true', C: 1 } }), [
      'the feature gate B',
      'the feature gate C',
    ]);
  });
  const tells = (told: string, all: readonly (readonly [settings: object, isOdd: boolean])[]): void => {
    for (const [settings, isOdd] of all)
      assert.equal(
        oddKubeletValues({ ...settings }).some((one) => one.startsWith(told)),
        isOdd,
        JSON.stringify(settings),
      );
  };
  it('are blocks of ids for the users of a Pod', () => {
    const ids = (idsPerPod: unknown): object => ({ userNamespaces: { idsPerPod } });
    tells('userNamespaces.idsPerPod', [
      [ids(65_536), false],
      [ids(131_072), false],
      [ids(2 ** 32 - 65_536), false],
      [ids(null), false],
      [{}, false],
      [ids(0), true],
      [ids(-65_536), true],
      [ids(65_537), true],
      [ids(2 ** 32), true],
      [ids(2 ** 33), true],
    ]);
  });
  it('are seconds that a container waits, and a node ends in', () => {
    const longest = (maxContainerRestartPeriod: string): object => ({
      crashLoopBackOff: { maxContainerRestartPeriod },
    });
    tells('crashLoopBackOff.maxContainerRestartPeriod', [
      [longest('1s'), false],
      [longest('300s'), false],
      [longest(''), false],
      [{}, false],
      [longest('0s'), true],
      [longest('301s'), true],
      [longest('500ms'), true],
    ]);
    tells('shutdownGracePeriodCriticalPods', [
      [{ shutdownGracePeriod: '2s', shutdownGracePeriodCriticalPods: '2s' }, false],
      [{ shutdownGracePeriod: '2s', shutdownGracePeriodCriticalPods: '3s' }, true],
      [{ shutdownGracePeriodCriticalPods: '1s' }, true],
      [{ shutdownGracePeriod: '1s' }, false],
    ]);
  });
  it('are those of flags under the names of settings', () => {
    for (const [flag, name] of [
      ['event-qps', 'eventRecordQPS'],
      ['kube-api-qps', 'kubeAPIQPS'],
      ['kube-api-burst', 'kubeAPIBurst'],
      ['registry-qps', 'registryPullQPS'],
      ['image-gc-high-threshold', 'imageGCHighThresholdPercent'],
      ['image-gc-low-threshold', 'imageGCLowThresholdPercent'],
      ['max-pods', 'maxPods'],
    ] as const)
      assert.deepEqual(settingsOfFlags({ [flag]: '7' }), { [name]: '7' }, flag);
    assert.deepEqual(settingsOfFlags({ 'max-pods': '', config: '/a', 'to-string': 'x' }), {});
  });
});

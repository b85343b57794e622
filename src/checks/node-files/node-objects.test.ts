import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Fields } from '../../kubernetes/json.js';
import {
  asConfigured,
  configurationSeen,
  flagsAsConfigured,
  kubeletAsks,
  type MachineSeen,
  nodeSeen,
  registered,
  releaseAsConfigured,
} from './node-objects.js';
import { at, pod } from './node-seen.testing.js';

const results = (findings: readonly { readonly result: string }[]): readonly string[] =>
  findings.map(({ result }) => result);

describe('a machine', () => {
  const node = nodeSeen({
    metadata: {
      name: 'n',
      labels: { 'node-role.kubernetes.io/control-plane': '' },
      annotations: { 'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///run/a.sock' },
    },
    status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
  });
  const machine: MachineSeen = { role: 'control plane', addresses: ['192.0.2.1'], socket: '/run/a.sock' };
  const judge = (more: Partial<MachineSeen>) => results(registered.judge({ node, name: 'n' }, { ...machine, ...more }));

  it('is the Node that it is registered as', () => {
    assert.deepEqual(judge({}), ['met', 'met', 'met', 'met']);
    assert.deepEqual(judge({ addresses: [], socket: '' }), ['met', 'met']);
  });

  it('is another', () => {
    assert.deepEqual(judge({ role: 'worker' }), ['met', 'unmet', 'met', 'met']);
    assert.deepEqual(judge({ addresses: ['192.0.2.2'] }), ['met', 'met', 'unmet', 'met']);
    assert.deepEqual(judge({ socket: '/run/b.sock' }), ['met', 'met', 'met', 'unmet']);
    assert.deepEqual(results(registered.judge({ node: null, name: 'n' }, machine)), ['unmet']);
  });
});

describe('the configuration of kubeadm', () => {
  it('is read in both versions', () => {
    const read = (extraArgs: unknown, etcd: Fields) =>
      configurationSeen({ kind: 'ClusterConfiguration', apiServer: { extraArgs }, etcd });
    assert.deepEqual(read([{ name: 'v', value: '2' }], {})?.told['kube-apiserver'], ['v']);
    assert.deepEqual(read({ v: '2' }, {})?.told['kube-apiserver'], ['v']);
    assert.equal(read([], { local: { dataDir: '/d' } })?.externalEtcd, null);
    assert.deepEqual(read([], { external: { endpoints: ['https://a'] } })?.externalEtcd, ['https://a']);
    assert.equal(configurationSeen({ kind: 'Other' }), undefined);
    const controllers = { extraArgs: [{ name: 'w', value: '2' }] };
    const both = configurationSeen({ kind: 'ClusterConfiguration', controllerManager: controllers });
    assert.deepEqual(both?.told['kube-controller-manager'], ['w']);
  });

  it('is what flags say, lists in any order', () => {
    const judge = (value: string) =>
      results(
        flagsAsConfigured.judge([pod('kube-apiserver', { x: '10.0.0.0/16,fd00::/108' })], {
          flags: [{ flag: 'x', field: 'networking.x', value }],
        }),
      );
    assert.deepEqual(judge('fd00::/108, 10.0.0.0/16'), ['met']);
    assert.deepEqual(judge('10.0.0.0/16'), ['unmet']);
    const flags = [{ flag: 'y', field: 'networking.y', value: 'a', optional: true as const }];
    assert.deepEqual(results(flagsAsConfigured.judge([pod('kube-apiserver', {})], { flags })), ['met']);
  });

  it('is of the release that runs; others are upgraded next', () => {
    const judge = (version: string, isAlone: boolean) =>
      results(releaseAsConfigured.judge([pod('kube-apiserver', {})], { version, isAlone }));
    assert.deepEqual(judge('v1.36.0', true), ['met']);
    assert.deepEqual(judge('v1.36.2', true), ['unmet']);
    assert.deepEqual(judge('v1.36.2', false), ['met']);
    assert.deepEqual(judge('v1.37.0', false), ['met']);
    assert.deepEqual(judge('v1.38.0', false), ['unmet']);
    assert.deepEqual(judge('v1.35.9', false), ['unmet']);
    assert.deepEqual(judge('latest', true), ['unclear']);
  });

  it('says what the disk shows', () => {
    assert.deepEqual(results(asConfigured.judge([{ what: 'etcd', disk: 'local', told: 'local' }], undefined)), ['met']);
    assert.deepEqual(results(asConfigured.judge([{ what: 'etcd', disk: 'local', told: '' }], undefined)), ['unmet']);
  });
});

describe('a kubelet', () => {
  const judge = (settings: Fields, addresses: readonly string[] = ['10.96.0.10'], domain = 'cluster.local') =>
    results(
      kubeletAsks.judge(at('/var/lib/kubelet/config.yaml', { kind: 'settings', settings }), { domain, addresses }),
    );

  it('asks the DNS of its cluster, or a cache of the node', () => {
    assert.deepEqual(judge({ clusterDomain: 'cluster.local.', clusterDNS: ['10.96.0.10'] }), ['met', 'met']);
    for (const cache of ['169.254.20.10', 'fe80::a', 'fd00:169:254::a'])
      assert.deepEqual(judge({ clusterDomain: 'cluster.local', clusterDNS: [cache] }), ['met', 'met'], cache);
    assert.deepEqual(judge({}, [], ''), []);
  });

  it('asks elsewhere', () => {
    assert.deepEqual(judge({ clusterDomain: 'other', clusterDNS: ['10.96.0.53'] }), ['unmet', 'unmet']);
    assert.deepEqual(judge({}), ['unmet', 'unmet']);
  });
});

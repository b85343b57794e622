import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { nodeLifecycle, nodeTtl } from './nodes.js';
import { harness, inSeconds } from './testing/harness.js';

const NODES = { group: '', resource: 'nodes' };
const LEASES = { group: 'coordination.k8s.io', resource: 'leases' };

interface Shown {
  readonly spec?: { readonly taints?: readonly object[] };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly reason?: string }[] };
}

const taint = (name: string, effect: string, timeAdded?: string): object => ({
  key: `node.kubernetes.io/${name}`,
  effect,
  ...(timeAdded === undefined ? {} : { timeAdded }),
});
const node = (spec: object, conditions: readonly object[] = [], labels?: Record<string, string>): KubeObject => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n', creationTimestamp: inSeconds(0), ...(labels === undefined ? {} : { labels }) },
  spec,
  status: { conditions },
});
const ready = (status: string, lastHeartbeatTime = inSeconds(0)): object => ({
  type: 'Ready',
  status,
  lastHeartbeatTime,
});

async function watched(given: KubeObject, options = { minor: 36, own: 'cp' }) {
  const h = harness();
  h.store.create(NODES, given);
  await h.run(nodeLifecycle(h.context, options));
  return { ...h, now: (): Shown & KubeObject => h.store.get(NODES, undefined, 'n') as Shown & KubeObject };
}

describe('what the controller manager does to a node', () => {
  it('takes the taint of one that has never said how it is', async () => {
    const other = { key: 'mine', effect: 'NoSchedule' };
    const { now } = await watched(node({ taints: [taint('not-ready', 'NoSchedule'), other] }));
    assert.deepEqual(now().spec?.taints, [other]);
  });
  it('taints by conditions, and drives Pods from one that is not ready', async () => {
    const conditions = [ready('False'), { type: 'DiskPressure', status: 'True' }];
    const { now } = await watched(node({ unschedulable: true }, conditions));
    assert.deepEqual(now().spec?.taints, [
      taint('not-ready', 'NoSchedule', inSeconds(0)),
      taint('disk-pressure', 'NoSchedule', inSeconds(0)),
      taint('unschedulable', 'NoSchedule', inSeconds(0)),
      taint('not-ready', 'NoExecute', inSeconds(0)),
    ]);
  });
  for (const [type, status, name, drives] of [
    ['Ready', 'False', 'not-ready', true],
    ['Ready', 'Unknown', 'unreachable', true],
    ['MemoryPressure', 'True', 'memory-pressure', false],
    ['DiskPressure', 'True', 'disk-pressure', false],
    ['NetworkUnavailable', 'True', 'network-unavailable', false],
    ['PIDPressure', 'True', 'pid-pressure', false],
  ] as const)
    it(`taints one whose ${type} is ${status}, leaves it the taint, and takes it away again`, async () => {
      const due = [taint(name, 'NoSchedule'), ...(drives ? [taint(name, 'NoExecute')] : [])];
      const others = [{ key: 'mine', effect: 'NoExecute' }, taint(name, 'PreferNoSchedule')];
      const bad = [ready(type === 'Ready' ? status : 'True'), ...(type === 'Ready' ? [] : [{ type, status }])];
      const tainted = await watched(node({ taints: others }, bad));
      const timed = due.map((one) => ({ ...one, timeAdded: inSeconds(0) }));
      assert.deepEqual(tainted.now().spec?.taints, [...others, ...timed]);
      const kept = await watched(node({ taints: [...due, ...others] }, bad));
      assert.deepEqual([kept.now().spec?.taints, kept.writes], [[...due, ...others], []]);
      const well = await watched(node({ taints: [...due, ...others] }, [ready('True'), { type: 'Other', status }]));
      assert.deepEqual(well.now().spec?.taints, others);
      // Of one that has never said how it is nobody knows whether it is to be left.
      const silent = await watched(node({ taints: [...due, ...others] }));
      assert.deepEqual(silent.now().spec?.taints, [...due.slice(1), ...others]);
    });
  it('leaves one alone that is ready', async () => {
    const { now, writes } = await watched(node({}, [ready('True')]));
    assert.deepEqual([now().spec, writes], [{}, []]);
  });
  it('writes labels in their older spelling too', async () => {
    const labels = { 'kubernetes.io/os': 'linux', 'kubernetes.io/arch': 'arm64', 'beta.kubernetes.io/arch': 'x' };
    const { now } = await watched(node({}, [ready('True')], labels));
    assert.deepEqual(now().metadata.labels, {
      ...labels,
      'beta.kubernetes.io/os': 'linux',
      'beta.kubernetes.io/arch': 'arm64',
    });
  });
  for (const [minor, grace] of [
    [31, 40],
    [36, 50],
  ] as const)
    it(`calls a node of 1.${minor} unknown once ${grace} s have passed without a word`, async () => {
      const { advance, now, store, settle } = await watched(node({}, [ready('True')]), { minor, own: 'cp' });
      const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
      await advance(30_000);
      store.create(LEASES, { ...lease, metadata: { name: 'n', namespace: 'kube-node-lease' } });
      await settle();
      await advance(grace * 1000);
      assert.deepEqual(now().spec, {}, 'its Lease was heard of');
      await advance(1);
      assert.equal(now().status?.conditions?.[0]?.reason, 'NodeStatusUnknown');
      assert.deepEqual(
        now().status?.conditions?.map(({ type }) => type),
        ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'],
      );
      assert.deepEqual(
        now().spec?.taints?.map((one) => (one as { effect: string }).effect),
        ['NoSchedule', 'NoExecute'],
      );
    });
  it('gives one that has said nothing yet a minute', async () => {
    const { advance, now } = await watched(node({}));
    await advance(60_000);
    assert.deepEqual(now().status?.conditions, []);
    await advance(1);
    assert.equal(now().status?.conditions?.[0]?.reason, 'NodeStatusNeverUpdated');
  });
  it('does not wait for a word of the node of the server itself', async () => {
    const { advance, now } = await watched(node({}), { minor: 36, own: 'n' });
    await advance(600_000);
    assert.deepEqual(now().status?.conditions, []);
  });
  it('tells how long Secrets may be remembered, by the number of nodes', async () => {
    const h = harness();
    await h.run(nodeTtl(h.context));
    const ttlOf = (name: string): string | undefined =>
      h.store.get(NODES, undefined, name)?.metadata.annotations?.['node.alpha.kubernetes.io/ttl'];
    for (let index = 0; index <= 100; index += 1) {
      h.store.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: `n${index}` } });
      await h.settle();
    }
    assert.deepEqual([ttlOf('n0'), ttlOf('n99'), ttlOf('n100')], ['0', '0', '15']);
    assert.equal(h.writes.length, 101, 'each is told once');
    assert.equal(h.writes[0], 'ttl-controller: update nodes n0');
    for (let index = 0; index <= 11; index += 1) h.store.delete(NODES, undefined, `n${index}`);
    await h.settle();
    for (const name of ['n99', 'n100']) h.store.update(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await h.settle();
    assert.deepEqual([ttlOf('n99'), ttlOf('n100')], ['0', '0'], '89 are few again');
  });
  it('writes as the account of the node controller', async () => {
    const { advance, writes } = await watched(node({}));
    await advance(60_001);
    assert.deepEqual(writes, ['node-controller: update/status nodes n', 'node-controller: update nodes n']);
  });
  it('says of conditions since when, and leaves alone those of others and those that are unknown', async () => {
    const others = [
      { type: 'NetworkUnavailable', status: 'False', reason: 'RouteCreated' },
      { type: 'DiskPressure', status: 'Unknown', reason: 'mine', lastTransitionTime: inSeconds(-9) },
    ];
    const { advance, now } = await watched(node({}, [ready('True'), ...others]));
    await advance(50_001);
    const never = { lastHeartbeatTime: inSeconds(0), lastTransitionTime: inSeconds(50), status: 'Unknown' };
    const unposted = { ...never, reason: 'NodeStatusNeverUpdated', message: 'Kubelet never posted node status.' };
    assert.deepEqual(now().status?.conditions, [
      {
        ...never,
        type: 'Ready',
        reason: 'NodeStatusUnknown',
        message: 'Kubelet stopped posting node status.',
      },
      ...others,
      { type: 'MemoryPressure', ...unposted },
      { type: 'PIDPressure', ...unposted },
    ]);
  });
  it('hears of a node by its status, and not by a Lease that goes or lies elsewhere', async () => {
    const lease = (namespace: string) => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'n', namespace },
    });
    const { advance, now, settle, store } = await watched(node({}, [ready('True')]));
    store.create(LEASES, lease('kube-node-lease'));
    await advance(30_000);
    store.create(LEASES, lease('kube-system'));
    store.delete(LEASES, 'kube-node-lease', 'n');
    await settle();
    await advance(20_000);
    assert.deepEqual(now().status?.conditions, [ready('True')]);
    store.update(NODES, node({}, [ready('True', inSeconds(50))]));
    await settle();
    await advance(50_000);
    assert.deepEqual(now().status?.conditions, [ready('True', inSeconds(50))], 'its status was heard of');
    await advance(1);
    assert.equal(now().status?.conditions?.[0]?.reason, 'NodeStatusUnknown');
  });
  it('forgets a node that goes: one of its name is heard of anew', async () => {
    const { advance, now, settle, store } = await watched(node({}, [ready('True')]));
    await advance(40_000);
    store.delete(NODES, undefined, 'n');
    await settle();
    store.create(NODES, node({}, [ready('True')]));
    await settle();
    await advance(50_000);
    assert.deepEqual(now().status?.conditions, [ready('True')]);
    await advance(1);
    assert.equal(now().status?.conditions?.[0]?.reason, 'NodeStatusUnknown');
  });
  it('tells longer times from 101, 501, 1001 and 2001 nodes on, and shorter ones below 1800, 900, 450 and 90', async () => {
    const h = harness();
    const named = (index: number): KubeObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${index}` } });
    await h.run(nodeTtl(h.context));
    let count = 0;
    /** What a node is told that changes while there are so many. */
    const toldOf = async (nodes: number): Promise<string | undefined> => {
      for (; count < nodes; count += 1) h.store.create(NODES, named(count));
      for (; count > nodes; count -= 1) h.store.delete(NODES, undefined, `n${count - 1}`);
      await h.settle();
      h.store.update(NODES, named(0));
      await h.settle();
      return h.store.get(NODES, undefined, 'n0')?.metadata.annotations?.['node.alpha.kubernetes.io/ttl'];
    };
    const told: (readonly [number, string | undefined])[] = [];
    for (const nodes of [100, 101, 500, 501, 1000, 1001, 2000, 2001, 1800, 1799, 900, 899, 450, 449, 90, 89])
      told.push([nodes, await toldOf(nodes)]);
    assert.deepEqual(told, [
      [100, '0'],
      [101, '15'],
      [500, '15'],
      [501, '30'],
      [1000, '30'],
      [1001, '60'],
      [2000, '60'],
      [2001, '300'],
      [1800, '300'],
      [1799, '60'],
      [900, '60'],
      [899, '30'],
      [450, '30'],
      [449, '15'],
      [90, '15'],
      [89, '0'],
    ]);
  });
  it('counts the nodes that are there when it starts, and keeps other annotations', async () => {
    const h = harness();
    const annotations = { mine: 'a' };
    for (let index = 0; index <= 100; index += 1)
      h.store.create(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name: `n${index}`, annotations } });
    await h.run(nodeTtl(h.context));
    assert.deepEqual(h.store.get(NODES, undefined, 'n0')?.metadata.annotations, {
      ...annotations,
      'node.alpha.kubernetes.io/ttl': '15',
    });
  });
});

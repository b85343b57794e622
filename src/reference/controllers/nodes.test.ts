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
    for (let index = 0; index <= 11; index += 1) h.store.delete(NODES, undefined, `n${index}`);
    await h.settle();
    for (const name of ['n99', 'n100']) h.store.update(NODES, { apiVersion: 'v1', kind: 'Node', metadata: { name } });
    await h.settle();
    assert.deepEqual([ttlOf('n99'), ttlOf('n100')], ['0', '0'], '89 are few again');
  });
});

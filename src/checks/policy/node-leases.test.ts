import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { leasesOfNodes, readLease } from './node-leases.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const lease = (name: string, holderIdentity = name, renewTime = '2026-01-01T00:59:50.000000Z') =>
  readLease({ metadata: { name }, spec: { holderIdentity, renewTime } } as KubeObject);
const told = (...leases: readonly ReturnType<typeof lease>[]): readonly string[] =>
  leasesOfNodes
    .judge(leases, { nodes: ['a', 'b'], now: NOW })
    .map(({ result, subject, seen }) => `${result}: ${subject}: ${seen}`);

it('each Lease is that of a Node, held by its kubelet', () => {
  assert.deepEqual(told(lease('a'), lease('b'), lease('a', '')), ['met: Leases of kube-node-lease: each of 3']);
  assert.deepEqual(told(lease('a', 'b')), ['unmet: Lease kube-node-lease/a: it is held by b']);
  for (const holder of ['ab', 'A', 'xa', 'a ']) {
    assert.deepEqual(told(lease('a', holder)), [`unmet: Lease kube-node-lease/a: it is held by ${holder}`]);
    assert.match(told(lease(holder)).join(), /^unmet: .* there is no such Node$/);
  }
  assert.deepEqual(told(lease('c')), ['unmet: Lease kube-node-lease/c: it is renewed, and there is no such Node']);
  for (const left of ['2026-01-01T00:40:00Z', 'never', ''])
    assert.deepEqual(told(lease('c', 'c', left)), ['met: Leases of kube-node-lease: each of 1'], left);
  assert.deepEqual(told(), []);
});

import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { KubeObject } from '../../kubernetes/objects.js';
import { leasesOfNodes, readLease } from './node-leases.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const lease = (name: string, holderIdentity = name, renewTime = '2026-01-01T00:59:50.000000Z') =>
  readLease({ metadata: { name }, spec: { holderIdentity, renewTime } } as KubeObject);
const told = (...leases: readonly ReturnType<typeof lease>[]): readonly string[] =>
  leasesOfNodes
    .judge(leases, { nodes: ['a', 'b'], ready: [], now: NOW })
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

const HOUR = 3_600_000;
const ofReady = (ready: Readonly<Record<string, number | null>>, ...leases: readonly ReturnType<typeof lease>[]) =>
  leasesOfNodes
    .judge(leases, {
      nodes: ['a', 'b', 'c'],
      ready: Object.entries(ready).map(([name, since]) => ({ name, since })),
      now: NOW,
    })
    .map(({ result, subject, seen }) => `${result}: ${subject}: ${seen}`);
const ago = (hours: number): string => new Date(NOW - hours * HOUR).toISOString();

it('who is taken for ready has a Lease, and renews it', () => {
  const sound = (count: number): readonly string[] => [`met: Leases of kube-node-lease: each of ${count}`];
  const none = ['unmet: Node b: it has none'];
  assert.deepEqual(ofReady({ a: NOW - HOUR, b: NOW - HOUR }, lease('a')), none);
  assert.deepEqual(ofReady({ b: NOW - 11 * 60_000 }, lease('a')), none);
  // it has just joined, or nobody says since when it is ready
  for (const since of [NOW - 9 * 60_000, null]) assert.deepEqual(ofReady({ b: since }, lease('a')), sound(1));
  // nobody renews any, or only those of no Node, or with a clock that is ahead
  assert.deepEqual(ofReady({ b: NOW - HOUR }), []);
  assert.deepEqual(ofReady({ b: NOW - HOUR }, lease('d', 'd', ago(9))), sound(1));
  assert.deepEqual(ofReady({ b: NOW - HOUR }, lease('a', 'a', ago(-1))), sound(1));
  // what was written down long ago is judged as of then
  assert.deepEqual(ofReady({ b: NOW - 90 * HOUR }, lease('a', 'a', ago(80))), none);
  assert.deepEqual(ofReady({ b: NOW - 70 * HOUR }, lease('a', 'a', ago(80))), sound(1));
});

it('a Lease that is a day older than those of others is renewed by nobody', () => {
  const old = ['unmet: Node b: it was renewed last more than a day before those of others'];
  assert.deepEqual(ofReady({ b: NOW - 99 * HOUR }, lease('a'), lease('b', 'b', ago(25))), old);
  assert.deepEqual(ofReady({ b: NOW - 99 * HOUR }, lease('b', 'b', ago(25)), lease('a')), old);
  assert.deepEqual(ofReady({ b: NOW - 99 * HOUR }, lease('a'), lease('b', 'b', ago(23))), [
    'met: Leases of kube-node-lease: each of 2',
  ]);
  // its clock is behind, and those of two are not
  const three = [lease('b', 'b', ago(30)), lease('a', 'a', ago(30)), lease('c')];
  assert.deepEqual(ofReady({ c: NOW - 99 * HOUR }, ...three), ['met: Leases of kube-node-lease: each of 3']);
});
